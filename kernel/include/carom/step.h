/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Steps of bodies that collide. Velocities take the acceleration (v += a dt), then all bodies sweep, and impacts happen
 * in the order of time: the two bodies move on to their impact, respond, go on with new velocities for the rest of the
 * step, and may collide again in it, with anyone. The result is, bit for bit, that of a sequential event queue, on any
 * number of threads, with any instruction set and compiler.
 *
 * carom_step moves bodies in the caller's arrays. A world (carom/world.h) owns its bodies and steps them by the same
 * rules.
 *
 * Motion. Between impacts a body moves in a straight line: x + v (t - t0) with x, v and t0 of its last impact or of
 * the step's beginning. Times within a step are fractions of it, and 1 belongs to the next step, where it is 0. At an
 * impact the centres of its bodies are rounded once. No other body is touched. Both precisions compute in double;
 * floats are rounded when the step ends.
 *
 * Length of a step. A step computes with velocities in units of length a step: velocity times dt, rounded once. A body
 * that had an impact gets its new velocity divided by dt, rounded once; one that had none keeps the bits of v + a dt.
 * With dt = 1 nothing is rounded by either.
 *
 * Impacts. Two bodies collide when their distance is the sum of their radii and falls. With unit normal n from body k
 * to body i, speed of approach u along it, masses m and restitution e, the impulse is
 *
 *     (1 + e) u m_i m_k / (m_i + m_k),
 *
 * which body i gets along n and body k against it. Of two restitutions the lesser holds. A body of infinite mass is
 * never moved, and one that moves may do work on others: two such bodies pass through each other, and that is no
 * impact. A graze within rounding may be one, with the impulse 0. At a surface v' = v - (1 + e) (v.n) n. Velocities
 * change along the normal alone, but for bodies that slide in pipes: there is no friction.
 *
 * Sliding. Inside a pipe a body that loses its speed from the wall, or moves along it, follows the wall in chords of
 * 1/64 radian. It leaves with the speed with which it came in, but with no more of it than 1/128 of its speed around
 * the axis, unless its restitution gives it more. That is so if it came in with at least 1/256. One that came in with
 * less is turned by a chord, and loses 1/32768 of the speed around the axis once; where nothing is lost (e = 1), only
 * one that came in with less than 2^-20 of it. Nobody gains energy.
 *
 * Order. Impacts happen in the order (t, i, k), where i < k are indices; in a world, bodies in the order in which they
 * were added. As k, a surface comes after all bodies, and surfaces in their own order; images of one pair in a
 * periodic box in the order of their shifts. An impact that another one causes at the same time takes its place in
 * that order among those that are still to come. So simultaneous impacts, of a break shot or in a lattice, have one
 * defined result.
 *
 * No repeat. Two bodies that collided do so again only after one of them had another impact; the same holds for a
 * surface, but for the inside of a pipe. Straight paths do not meet twice, whatever rounding says. If the impact holds
 * one of two bodies (below), the other one may hit it again at once: it now stands in the way.
 *
 * Overlap. Bodies that overlap when a step begins collide at t = 0 if they approach. If they do not, nothing happens.
 * Nobody is pushed, and nobody gains energy. The same holds for bodies beyond a surface.
 *
 * Contact. Two bodies that touch or overlap already, when the step begins or one of them has had an impact, collide
 * only if they approach faster than rounding explains: with p from body k's centre to body i's and velocities in
 * lengths a step, if
 *
 *     -p.(v_i - v_k) > 2^-50 sum_d |p_d| (|v_i,d| + |v_k,d| + |p_d|),
 *
 * as doubles compute it. Otherwise bodies in a packing could collide without end, with impulses of about 0. Bodies
 * that come to touch within the step collide however slowly. The same holds at a surface, with its normal n for p and
 * r |n_d| for the last |p_d|, r being the body's radius, but for the inside of a pipe. REPORT has no event for such a
 * pair.
 *
 * Two that approach more slowly sink into each other, in a step by about 2^-50 of their paths and distance. Besides,
 * centres are rounded when a step ends, and nobody is pushed: who slides along an oblique plane may sink by a rounding
 * of its coordinates each time. In floats that is 2^-24 of them: keep the origin near, or use doubles.
 *
 * Points. Two bodies whose radii add up to 0, or to so little that its square is 0, have no line of centres when they
 * meet: they pass through each other. MERGE joins them all the same, for detection says that they touch.
 *
 * Budget. A body that has had config.budget impacts in a step is held: it stays where it is until the step ends,
 * others bounce off it as off infinite mass, and it then goes on with the velocity it had. The report counts such
 * bodies. So every step ends; nothing tunnels and nothing becomes NaN. Impacts with held bodies do not conserve
 * momentum, and as a held body stands still, they change energy the more the faster all bodies move together: where
 * that matters, subtract the mean velocity, and take a step that holds bodies for one that failed. Bodies of infinite
 * mass have no budget. They pass through a held body, as through one another.
 *
 * Rest and collapse. With restitution below 1, bodies that rest on one another under gravity, in a cluster that cools,
 * or in a touching row that is pressed together collide ever more often, until budgets are spent: 10,000 impacts a
 * body and step by default, which takes long. So do, whatever their restitution, bodies without any room, as in a
 * periodic lattice that touches itself all around.
 *
 * For heaps and clusters there is config.contact_time: where one of two bodies hit something, no matter what, less
 * than that ago, they bounce without loss (e = 1), after Luding and McNamara (1998). The longer it is, the fewer
 * impacts a step has, and the less energy is lost. Begin with dt / 100, and take more only if steps are too slow:
 * 2,000 balls with e = 0.6 at rest in a pipe had 33 impacts a ball and step with dt / 100, 14 with dt / 10 and 12 with
 * dt. A heap goes on trembling: their root mean square speeds were 0.6, 1.3 and 1.4 |acceleration| dt. A pack that is
 * struck at once wants 0 as long as no body is held: 64 balls in a touching block that falls on a plane (e = 0.5) stop
 * without it, after 560 impacts, and keep four fifths of their energy with any. In a world, which knows of impacts in
 * the steps before, hardly any energy is lost with dt or more.
 *
 * config.rest_speed, below which nothing bounces (e = 0), lets single bodies rest on surfaces; a heap it does not
 * help. Do not set both: where both apply, bodies bounce without loss, and one that rests in a groove jumps. Impacts
 * that a body has while its mass is infinite do not count for contact_time, nor do those that a body has while it is
 * held: the last one that counts is the one with which it spent its budget.
 *
 * Gravity changes velocities when a step begins, and not within it. So the sum of kinetic and potential energy
 * wanders: of a ball that falls by ten units and bounces (e = 1), by some 4 % with steps in which it falls by 0.3 at
 * most, and by 0.1 % with a twentieth of that.
 *
 * Periodic boxes are those of carom/periodic.h, without self images, with a corner at the origin. A body that is
 * outside when the step begins is moved into the box by whole edges, and again when the step ends. Of two opposite
 * faces the box has the one through the corner. Rounding may leave a body on the other one: an event's point and shift
 * are of the place where it is then. A pair may collide by several images. Surfaces are not repeated.
 *
 * Source: event-driven dynamics after Alder and Wainwright (1959). */
#ifndef CAROM_STEP_H
#define CAROM_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "carom/context.h"
#include "carom/control.h"
#include "carom/export.h"
#include "carom/filter.h"
#include "carom/periodic.h"
#include "carom/status.h"
#include "carom/surface.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Largest number of bodies in a step, and of surfaces. */
#define CAROM_STEP_BODIES_MAX UINT64_C(0x7FFFFFFF)
#define CAROM_STEP_SURFACES_MAX UINT64_C(0x7FFFFFFE)

/* Largest budget of impacts of a body in a step. */
enum { CAROM_BUDGET_MAX = 65535 };

/* What happens where bodies meet. */
typedef enum carom_response {
    /* They bounce. */
    CAROM_RESPONSE_BOUNCE,

    /* Nothing: bodies go through one another and through surfaces. Each pair and image that would collide on the way is
     * one event, with the impulse 0: those that overlap at the start and part are none, nor are two of infinite mass. */
    CAROM_RESPONSE_REPORT,

    /* Bodies that touch in the step, each moving with constant velocity, become one when it ends: each group of them
     * one body with their mass, momentum, centre of mass and volume, summed in the order of bodies. It has the handle
     * and the user word of the first of them, the least restitution, all categories, and the mask bits that all have.
     * Where some or all have infinite mass, it has that too, and the position and velocity of the first of these; its
     * volume is the sum all the same. Worlds only, without surfaces. Each touching pair and image is an event, with the
     * impulse 0. A touch at the very end belongs to the next step. Groups that reach around a periodic box are joined by
     * the earliest touches. */
    CAROM_RESPONSE_MERGE
} carom_response;

/* Moving spheres in the caller's arrays. Those that are not const are read and written. No two arrays that are given
 * may overlap, but values of several may alternate in memory (strides, as in carom/bodies.h). */
typedef struct carom_motion_f32 {
    /* sizeof(carom_motion_f32), in bytes. 0 stands for the members of version 0.2, which are all there are. */
    size_t size;

    /* Number of bodies, 0 to CAROM_STEP_BODIES_MAX. */
    uint64_t count;

    /* Centres: count values an axis, in units of length, finite. */
    float *position[3];

    /* Velocities: count values an axis, in units of length over those of time, finite. */
    float *velocity[3];

    /* Radii: count values, in units of length, finite and >= 0. NULL: all have common_radius. */
    const float *radius;

    /* Masses: count values, > 0; INFINITY: nothing moves the body. NULL: 1 for all. */
    const float *mass;

    /* Restitutions: count values, 0 to 1. NULL: config.restitution for all. */
    const float *restitution;

    /* Bytes from a body's value to the next body's in the arrays above. 0: sizeof(float). */
    uint64_t position_stride;
    uint64_t velocity_stride;
    uint64_t radius_stride;
    uint64_t mass_stride;
    uint64_t restitution_stride;

    /* Radius of every body if radius is NULL, in units of length, finite and > 0; else 0. */
    float common_radius;

    /* 0. Later versions may give this word a name and a meaning. */
    uint32_t reserved;
} carom_motion_f32;

/* The fields are as in carom_motion_f32, with double. */
typedef struct carom_motion_f64 {
    size_t size;
    uint64_t count;
    double *position[3];
    double *velocity[3];
    const double *radius;
    const double *mass;
    const double *restitution;
    uint64_t position_stride;
    uint64_t velocity_stride;
    uint64_t radius_stride;
    uint64_t mass_stride;
    uint64_t restitution_stride;
    double common_radius;
} carom_motion_f64;

/* surface of an event between two bodies. */
#define CAROM_EVENT_NO_SURFACE UINT32_MAX

/* An impact. */
typedef struct carom_event {
    /* When, in steps, 0 <= t < 1. */
    double t;

    /* The lower body: its index; from a world its handle. With MERGE body i or k may be gone after the step. */
    uint64_t i;

    /* The higher body; UINT64_MAX if body i hit a surface. */
    uint64_t k;

    /* Index of the surface, or CAROM_EVENT_NO_SURFACE. */
    uint32_t surface;

    /* The image of body k in whole numbers of the periodic box's edges, counted from where both bodies were when the
     * step began, in the box; 0 where space is open. */
    int32_t shift[3];

    /* Where body i's surface touches, in units of length. In a periodic box where body i is, which may be outside. With
     * MERGE of bodies that overlap at the start, as carom/detect.h has it. */
    double point[3];

    /* Unit vector from body k, or from the surface, to body i. */
    double normal[3];

    /* >= 0, in units of mass times length over time: body i gets impulse * normal, body k the opposite. Infinite where
     * it is beyond doubles. What turns a body that slides in a pipe is not in it. */
    double impulse;
} carom_event;

/* Receives events. Returns true to receive more; after false it gets no more, but the step is complete. The thread that
 * made the call calls it after the step, with all events in order, some at a time, and not at all if there is none. So
 * a step holds all its impacts until it ends: some 200 bytes each, 300 with config.events, with MERGE 100 more.
 *
 * The function may read a world (carom_world_get and others that change nothing), whose bodies are as after the step.
 * Calls that take the context (steps, detections, carom_world_add, ...) are ARGUMENT, for it is in use. The function
 * must not destroy the world or the context.
 *
 *   user     sink_user of the config
 *   events   the events; valid until the function returns
 *   count    how many, > 0 */
typedef bool carom_event_sink(void *user, const carom_event *events, uint64_t count);

/* Returns the restitution of a pair, 0 to 1; more counts as 1. A value below 0, or NaN: the pair does not collide.
 * Several threads call the function at once, any number of times for a pair. So it must be thread-safe and, during a
 * call, a pure function of (i, k). It must not call anything with the world or the context, whose bodies are about to
 * change.
 *
 *   user   pair_user of the config
 *   i      index of the lower body; in a world its user word
 *   k      index of the higher body; in a world its user word */
typedef double carom_pair_restitution(void *user, uint64_t i, uint64_t k);

/* What a step does. The library only reads it. */
typedef struct carom_step_config {
    /* sizeof(carom_step_config), in bytes. carom_step_config_default() sets it. */
    size_t size;

    /* Length of the step, in units of time, finite and > 0. Default: 1. */
    double dt;

    /* What velocities gain in a unit of time: gravity. Finite. Bodies of infinite mass do not gain it. Default: 0. */
    double acceleration[3];

    /* Restitution of bodies without their own, 0 to 1. Default: 1. */
    double restitution;

    /* Below this speed of approach nothing bounces, but for what contact_time lets bounce; in units of length over
     * time, finite and >= 0. Single bodies that rest under gravity want some 3 |acceleration| dt. Default: 0. */
    double rest_speed;

    /* Bodies that hit something less than this ago bounce without loss, in units of time, finite and >= 0. Heaps want
     * dt / 100 to dt ("Rest and collapse", above). carom_step knows of impacts in this step only, a world of those
     * before too. Default: 0, never. */
    double contact_time;

    /* Impacts of a body in a step, 1 to CAROM_BUDGET_MAX, after which it is held. Default: 10,000. */
    uint32_t budget;

    /* What happens where bodies meet. Default: CAROM_RESPONSE_BOUNCE. */
    carom_response response;

    /* Surfaces at rest: surface_count of them. */
    const carom_surface *surface;
    uint64_t surface_count;

    /* The box in which space repeats, without self_images. Default: NULL, open space. */
    const carom_periodic *periodic;

    /* Which pairs may collide. Default: NULL, all. Its part bits must be NULL. A world has categories and masks of its
     * own and takes a filter with `accepts` alone, which is given indices in carom_world_handles. */
    const carom_filter *filter;

    /* Restitution of each pair of bodies. Default: NULL, the lesser of the bodies' own. */
    carom_pair_restitution *pair;

    /* The library hands this to `pair`. Any value. */
    void *pair_user;

    /* Whether to keep the events. Default: false, only count them. */
    bool events;

    /* 0. Later versions may give these bytes a name and a meaning. */
    uint8_t reserved[7];

    /* Takes the events in blocks. Default: NULL. */
    carom_event_sink *sink;

    /* The library hands this to `sink`. Any value. */
    void *sink_user;

    /* A flag that ends the call with CANCELLED while it is raised. Default: NULL. */
    const carom_cancel *cancel;
} carom_step_config;

/* Phases into which a step's time is divided. */
typedef enum carom_step_phase {
    /* Reads and checks the bodies, gives velocities the acceleration. */
    CAROM_STEP_PHASE_BEGIN,

    /* Finds neighbours: bodies that may meet in the step. */
    CAROM_STEP_PHASE_NEIGHBOURS,

    /* Predicts the first impacts, and groups bodies whose impacts depend on one another. */
    CAROM_STEP_PHASE_PREDICT,

    /* Runs each group's impacts. */
    CAROM_STEP_PHASE_SIMULATE,

    /* Checks the new paths against those of neighbours. */
    CAROM_STEP_PHASE_VERIFY,

    /* Orders events, writes back bodies, merges them, compares contacts, calls the sink. In a world that does
     * not merge it also begins the next step, which reads the bodies itself only if something has changed since. */
    CAROM_STEP_PHASE_END,

    /* Number of phases. Later versions may have more. */
    CAROM_STEP_PHASE_COUNT
} carom_step_phase;

/* Returns "begin", "neighbours", ..., a constant string.
 *
 *   phase   the phase to name; values outside the enum have a name too */
CAROM_API const char *carom_step_phase_name(carom_step_phase phase);

/* What a step did. Its arrays belong to the context and are valid until its next call. Those of a world's step belong to
 * the world and are valid until the next call that may change it, even one that fails. */
typedef struct carom_step_report {
    /* sizeof(carom_step_report), in bytes. The caller sets it, for example with = {0}, which stands for the members of
     * version 0.2; the call keeps it. */
    size_t size;

    /* Impacts, of bodies and with surfaces, >= 0. With RESPONSE_REPORT: those that would happen first of each pair and
     * image, and of each body and surface. With MERGE: pairs that touched. */
    uint64_t impacts;

    /* Of these, impacts with surfaces. */
    uint64_t surface_impacts;

    /* Bodies that spent their budget and were held, 0 to all. */
    uint64_t held;

    /* Indices of these, in a world those in carom_world_handles: `held` entries, ascending. */
    const uint32_t *held_body;

    /* Bodies that disappeared by merging, 0 to all but one. */
    uint64_t merged;

    /* The impacts in their order: event_count entries. NULL and 0 unless config.events. */
    const carom_event *event;
    uint64_t event_count;

    /* Windows of time into which the step was cut, >= 1; with MERGE, searches; 0 without bodies. This number and the next two tell of the
     * work. They may differ with the number of threads, and with what the same context or world has stepped before.
     * Nothing else does but times. */
    uint32_t windows;

    /* Rounds of simulation and verification in all windows, >= 0. */
    uint32_t rounds;

    /* Bodies in the largest group whose impacts were simulated together, >= 0. */
    uint64_t largest_group;

    /* Wall time of the call in seconds, >= 0; the sink's time is part of it. */
    double seconds;

    /* Wall time of each phase in seconds, >= 0; 0 from CAROM_STEP_PHASE_COUNT on. */
    double phase_seconds[CAROM_PHASE_MAX];

    /* 0. Later versions may give these words a name and a meaning. */
    uint64_t reserved[8];
} carom_step_report;

/* Returns the default: elastic spheres in open space, dt = 1, no acceleration, no events. */
static inline carom_step_config carom_step_config_default(void) {
    carom_step_config config;
    memset(&config, 0, sizeof config);
    config.size = sizeof config;
    config.dt = 1.0;
    config.restitution = 1.0;
    config.budget = 10000;
    return config;
}

/* Moves bodies through one step. On any error the bodies are as they were, and *report is zero but for its size, which
 * if wrong leaves all of it as it was.
 *
 *   context   lends threads, instruction set and memory; results of its earlier calls are gone
 *   motion    the bodies, whose position and velocity arrays receive those at the end of the step; counts of 0 and 1
 *             are no error
 *   config    what the step does; NULL: the default
 *   report    receives what happened; may be NULL
 *   error     receives the details of a failure; may be NULL
 *
 * Errors:
 *   ARGUMENT   context or motion is NULL, an array is NULL, or a stride breaks the rules of carom/bodies.h
 *              radius and common_radius are both given, or neither
 *              the size of a struct is wrong (carom/version.h), or there are too many bodies or surfaces
 *              a field of config is out of its range; response is MERGE
 *              a surface has no normal or axis, or a box axes that are not at right angles, a position that is not
 *              finite, extents that are not finite and >= 0, a restitution outside [0, 1], an unknown kind, or a
 *              `reserved` that is not 0; the message names it
 *              periodic breaks one of its rules, has self_images, or repeats after less than FLT_MIN, 1.2e-38
 *              filter->part is not NULL
 *              another call is using the context
 *   BODY       a body has NaN or infinity, a negative radius, a mass that is not > 0, or a restitution outside [0, 1];
 *              error names the lowest such body and its first bad field in the order position, velocity, radius, mass,
 *              restitution
 *              the filter's exclusion list of a body is wrong
 *              a body's position or velocity in the step is beyond what its precision holds, or its position, or that
 *              plus or minus its radius, beyond what floats hold, in either precision (but not with MERGE in double)
 *              in a periodic box a body is more than 1e9 edges outside, or its diameter is no less than the distance
 *              to its own image, or it moves more than 15 edges in the step, or it may meet an image more than 15
 *              edges away ("Fast bodies", below)
 *              error.field is "position" or "velocity" where no one coordinate is to blame. Of several bodies that may
 *              meet images too far away, which one is named may depend on the number of threads
 *   MEMORY     there is no memory, or the limit is too low; or there are more than 2^32 - 1 impacts to keep, for
 *              events, the sink, a world's contacts, or MERGE
 *   CANCELLED  config's flag is raised
 *
 * Fast bodies in a periodic box. The 15 edges that a body moves at most are those of the short basis: the shortest
 * vectors that span the lattice of the box (carom/periodic.h). Two bodies may meet an image more than 15 edges away only
 * if they move more than some 7 edges a step in opposite directions, and if boxes around them meet at some time: if
 * their centres come within some 1.8 times the sum of their radii. What to do: take shorter steps.
 *   A body is refused likewise, however slow, where its coordinates along a direction in which space is open are some
 * 1e7 edges or more, and an edge has a part along that direction: boxes around bodies are of floats, which lie edges
 * apart there. What to do: move the origin.
 *   In a tilted box this second count of 15 is of the short basis, too, if the box is tilted by more than 12 and less
 * than some 4e7 widths, there are no surfaces, and the response is not MERGE. Else it is of periodic's own edges. So in
 * a box of less tilt fast bodies may need a lattice that is given by shorter edges. And in one that is tilted by more
 * than 12 widths, with surfaces and BOUNCE, bodies of any speed may be refused.
 *
 * Cost: O(bodies + impacts) where density is bounded and impacts of one moment join few bodies. An impact of a body
 * with n neighbours, images of the periodic box counted, takes O(n). A body that an impact throws far off its path is
 * tested against every surface: a step also costs O(such bodies times surfaces). Bodies that impacts of one moment
 * join, such as a crystal in contact that is hit, are one thread's work.
 *   Without surfaces, most bodies may fall or fly together as fast as they like: what counts is how fast they are as
 * seen from their mean velocity. A call splits the step into short times if boxes around whole paths would meet very
 * many others and short times cost less.
 *   Once the buffers have grown, which may take several steps, a call allocates nothing.
 *
 * Threads: a call may come from inside a parallel region of the caller's, and from a forked child (carom/context.h). */
CAROM_API carom_status carom_step_f32(carom_context *context, const carom_motion_f32 *motion,
                                      const carom_step_config *config, carom_step_report *report, carom_error *error);
CAROM_API carom_status carom_step_f64(carom_context *context, const carom_motion_f64 *motion,
                                      const carom_step_config *config, carom_step_report *report, carom_error *error);

#ifdef __cplusplus
}
#endif

#endif
