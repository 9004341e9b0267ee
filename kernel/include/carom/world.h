/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A world owns bodies, surfaces and the rules of carom/step.h, and steps them. (Detection in many small scenes at once is
 * in carom/worlds.h.) Its bodies have handles, which stay valid while others come and go. Where order matters, of
 * impacts and in carom_world_handles, bodies are in the order in which they were added.
 *
 * A world belongs to the context it was created with and uses its threads and memory. Calls with one context follow one
 * another. carom_world_create, load, configure, add, remove, set and step are such calls: results that belong to the
 * context, of detections, queries and carom_step, are gone. The others leave them. A call that fails leaves the world
 * as it was; but arrays that earlier calls returned are gone as if it had succeeded.
 *
 * Threads. Several threads may read one world at once (get, total, count, handles, config, save), as long as nobody
 * changes, steps or destroys it meanwhile. The other calls with a world must be alone with it.
 *
 * Snapshots. carom_world_save writes all that the next steps depend on into memory of the caller's, and
 * carom_world_load makes a world of it that goes on bit for bit, with the same handles. A snapshot
 * begins with the eight bytes CAROMWLD. A checksum covers all of it: damaged bytes are an error. Functions and pointers
 * of the caller's (config.pair, pair_user, sink, sink_user, filter, cancel) are not in it: give them again with
 * carom_world_configure. */
#ifndef CAROM_WORLD_H
#define CAROM_WORLD_H

#include "carom/step.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_world_f32 carom_world_f32;
typedef struct carom_world_f64 carom_world_f64;

/* Names a body of a world. Never 0, and never that of another body again. */
typedef uint64_t carom_handle;

/* Properties of bodies, as arrays of the caller's. carom_world_add and carom_world_set read them, carom_world_get
 * writes them. Arrays that are NULL are left out. Values of an array follow one another without gaps. Those that
 * carom_world_get writes to must not overlap. */
typedef struct carom_world_bodies_f32 {
    /* sizeof(carom_world_bodies_f32), in bytes. 0 stands for the members of version 0.2, which are all there are. */
    size_t size;

    /* Entries in each of the arrays, 0 to CAROM_STEP_BODIES_MAX. */
    uint64_t count;

    /* Centres, in units of length, finite. A new body needs them. */
    float *position[3];

    /* Velocities, in units of length over those of time, finite. A new body without them rests. */
    float *velocity[3];

    /* Radii, in units of length, finite and >= 0. A new body needs one. */
    float *radius;

    /* Masses, > 0; INFINITY: nothing moves the body. A new body without one has 1. */
    float *mass;

    /* Restitutions, 0 to 1. A new body without one has the world's, that of later configs too. carom_world_get gives
     * the value that holds, the world's rounded to a float; steps take the world's as it is, in double. A body that is
     * given one with carom_world_set has it for good. */
    float *restitution;

    /* Bits of what the body is. A new body without them has 1. */
    uint32_t *category;

    /* Bits of the categories that the body meets (carom/filter.h). A new body without them has all bits. */
    uint32_t *mask;

    /* Any value, for the caller. A new body without one has 0. */
    uint64_t *user;
} carom_world_bodies_f32;

/* The fields are as in carom_world_bodies_f32, with double. */
typedef struct carom_world_bodies_f64 {
    size_t size;
    uint64_t count;
    double *position[3];
    double *velocity[3];
    double *radius;
    double *mass;
    double *restitution;
    uint32_t *category;
    uint32_t *mask;
    uint64_t *user;
} carom_world_bodies_f64;

/* Pairs of bodies in contact: those that collided in the step; with RESPONSE_REPORT those that would have, so not pairs
 * that overlap and rest or part; with MERGE all that touched in it. By several images two bodies are one pair. Pairs are
 * in the order of i, then of k, as bodies were added. Handles here and in events may name bodies that are gone: after a
 * step with MERGE all but the first of each group, and among `ended` those that were removed. */
typedef struct carom_world_contacts {
    /* sizeof(carom_world_contacts), in bytes. The caller sets it, for example with = {0}; the call keeps it. */
    size_t size;

    /* Pairs that are in contact in this step and were not in the step before: `begun` pairs of handles, i before k. */
    uint64_t begun;
    const carom_handle *begun_i;
    const carom_handle *begun_k;

    /* Pairs that are in contact in this step and were in the step before. */
    uint64_t persisted;
    const carom_handle *persisted_i;
    const carom_handle *persisted_k;

    /* Pairs that were in contact in the step before and are not in this one, or of which a body is gone. */
    uint64_t ended;
    const carom_handle *ended_i;
    const carom_handle *ended_k;
} carom_world_contacts;

/* What a world has in sum. Sums are over the bodies of finite mass, in the order of bodies, in double. */
typedef struct carom_world_totals {
    /* sizeof(carom_world_totals), in bytes. The caller sets it, for example with = {0}; the call keeps it. */
    size_t size;

    /* Bodies, those of infinite mass too. */
    uint64_t bodies;

    /* Bodies of infinite mass. */
    uint64_t fixed;

    /* Sum of masses. */
    double mass;

    /* Sum of m v.v / 2. Sums that doubles do not hold are infinite, or NaN. */
    double energy;

    /* Sum of m v. */
    double momentum[3];

    /* Sum of m x over the sum of masses; 0 without mass. */
    double centre[3];

    /* Hash of all bodies' positions, velocities, radii, masses and restitutions, in the order of bodies. */
    uint64_t hash;
} carom_world_totals;

/* Creates an empty world. On error *world is NULL.
 *
 *   context   lends threads, instruction set and memory account; must outlive *world
 *   config    the rules of its steps; NULL: the default. The world copies surfaces, box and filter, but not what the
 *             filter's arrays and functions, pair_user, sink_user and cancel point to: that must live as long as the
 *             world has these rules
 *   world     receives the world, which carom_world_destroy releases
 *   error     receives the details of a failure; may be NULL
 *
 * Errors: those of carom_world_configure. */
CAROM_API carom_status carom_world_create_f32(carom_context *context, const carom_step_config *config,
                                              carom_world_f32 **world, carom_error *error);
CAROM_API carom_status carom_world_create_f64(carom_context *context, const carom_step_config *config,
                                              carom_world_f64 **world, carom_error *error);

/* Releases a world and all its memory.
 *
 *   world   the world, not during a call with it; NULL is allowed */
CAROM_API void carom_world_destroy_f32(carom_world_f32 *world);
CAROM_API void carom_world_destroy_f64(carom_world_f64 *world);

/* Gives a world other rules from the next step on. What the old ones pointed to is not read any more; what the new
 * ones point to must live as carom_world_create says.
 *
 * Errors: ARGUMENT as in carom_step, but that response may be MERGE, without surfaces; MEMORY. */
CAROM_API carom_status carom_world_configure_f32(carom_world_f32 *world, const carom_step_config *config,
                                                 carom_error *error);
CAROM_API carom_status carom_world_configure_f64(carom_world_f64 *world, const carom_step_config *config,
                                                 carom_error *error);

/* Returns the rules of a world's steps, never NULL, with the world's own copies of surfaces, box and filter. Valid
 * until the next carom_world_configure, to which they, or a copy of them with other members changed, may be given.
 *
 *   world   the world, not NULL */
CAROM_API const carom_step_config *carom_world_config_f32(const carom_world_f32 *world);
CAROM_API const carom_step_config *carom_world_config_f64(const carom_world_f64 *world);

/* Adds bodies, which come after all others in the order of bodies.
 *
 *   world    the world
 *   bodies   what they are
 *   handle   receives bodies->count handles; may be NULL
 *   error    receives the details of a failure; may be NULL
 *
 * Errors: ARGUMENT (world or bodies is NULL, an array that a new body needs is NULL, bodies->size is wrong, too many
 * bodies, another call is using the context), BODY (as in carom_step; error.body is the index in the arrays), MEMORY.
 * Then no body is added. */
CAROM_API carom_status carom_world_add_f32(carom_world_f32 *world, const carom_world_bodies_f32 *bodies,
                                           carom_handle *handle, carom_error *error);
CAROM_API carom_status carom_world_add_f64(carom_world_f64 *world, const carom_world_bodies_f64 *bodies,
                                           carom_handle *handle, carom_error *error);

/* Removes bodies. Takes O(bodies of the world), however few go: remove many in one call.
 *
 *   world    the world
 *   handle   `count` handles of different bodies, in any order; may be NULL if count is 0
 *   error    receives the details of a failure; may be NULL
 *
 * Errors: ARGUMENT (world is NULL, or handle is, and count is not 0; another call is using the context); BODY
 * (handle[error.body] names no body of the world, or one that comes twice). Then no body is removed. */
CAROM_API carom_status carom_world_remove_f32(carom_world_f32 *world, const carom_handle *handle, uint64_t count,
                                              carom_error *error);
CAROM_API carom_status carom_world_remove_f64(carom_world_f64 *world, const carom_handle *handle, uint64_t count,
                                              carom_error *error);

/* Reads the bodies that handles name into the arrays of `bodies` that are not NULL.
 *
 *   handle   bodies->count handles, in any order; NULL: all bodies, in the order of bodies, and bodies->count must be
 *            their number
 *
 * Errors: ARGUMENT (world or bodies is NULL, bodies->size is wrong, or without handles bodies->count is not the number
 * of bodies), BODY as in carom_world_remove, but that a body may come twice. Then nothing is written. */
CAROM_API carom_status carom_world_get_f32(const carom_world_f32 *world, const carom_handle *handle,
                                           const carom_world_bodies_f32 *bodies, carom_error *error);
CAROM_API carom_status carom_world_get_f64(const carom_world_f64 *world, const carom_handle *handle,
                                           const carom_world_bodies_f64 *bodies, carom_error *error);

/* Gives the bodies that handles name the values of the arrays of `bodies` that are not NULL. When a body had its last
 * impact, which config.contact_time asks for, stays what it was.
 *
 *   handle   as in carom_world_get
 *
 * Errors: ARGUMENT as in carom_world_get, or because another call is using the context; BODY as in carom_world_remove,
 * or as in carom_world_add. Then nothing has changed. */
CAROM_API carom_status carom_world_set_f32(carom_world_f32 *world, const carom_handle *handle,
                                           const carom_world_bodies_f32 *bodies, carom_error *error);
CAROM_API carom_status carom_world_set_f64(carom_world_f64 *world, const carom_handle *handle,
                                           const carom_world_bodies_f64 *bodies, carom_error *error);

/* Returns the number of bodies.
 *
 *   world   the world, not NULL */
CAROM_API uint64_t carom_world_count_f32(const carom_world_f32 *world);
CAROM_API uint64_t carom_world_count_f64(const carom_world_f64 *world);

/* Returns the handles of all bodies in the order of bodies: carom_world_count entries, valid until the next
 * carom_world_add or carom_world_remove, even one that fails, or step with MERGE. NULL without bodies.
 *
 *   world   the world, not NULL */
CAROM_API const carom_handle *carom_world_handles_f32(const carom_world_f32 *world);
CAROM_API const carom_handle *carom_world_handles_f64(const carom_world_f64 *world);

/* Computes what the world has in sum, in O(bodies).
 *
 * Errors: ARGUMENT (world or totals is NULL, or totals->size is wrong). */
CAROM_API carom_status carom_world_total_f32(const carom_world_f32 *world, carom_world_totals *totals,
                                             carom_error *error);
CAROM_API carom_status carom_world_total_f64(const carom_world_f64 *world, carom_world_totals *totals,
                                             carom_error *error);

/* Steps the world.
 *
 *   world      the world
 *   report     receives what happened; may be NULL. Its arrays are valid until the next call that may change this world,
 *              even one that fails
 *   contacts   receives the pairs in contact; NULL: they are not compared, and the next comparison finds all begun. Its
 *              arrays are valid as long
 *   error      receives the details of a failure; may be NULL
 *
 * On an error *report and *contacts are zero but for their sizes; one whose size is wrong is left as it was.
 *
 * Errors: ARGUMENT, BODY, MEMORY and CANCELLED as in carom_step; error.body is the index in carom_world_handles. With
 * MERGE also BODY if the mass, the radius, the position or the velocity of a group is beyond what the precision holds,
 * or if in a periodic box its diameter would be no less than the distance to its own image; error.body is its first.
 * With MERGE positions in a world of doubles may be beyond what floats hold. */
CAROM_API carom_status carom_world_step_f32(carom_world_f32 *world, carom_step_report *report,
                                            carom_world_contacts *contacts, carom_error *error);
CAROM_API carom_status carom_world_step_f64(carom_world_f64 *world, carom_step_report *report,
                                            carom_world_contacts *contacts, carom_error *error);

/* Writes a snapshot: the same bytes on every machine, which this version and later ones load.
 *
 *   world      the world
 *   bytes      receives the snapshot; may be NULL if capacity is 0
 *   capacity   bytes that there is room for
 *   size       receives the bytes that a snapshot has, with CAPACITY too
 *   error      receives the details of a failure; may be NULL
 *
 * Errors: ARGUMENT; CAPACITY (the room is too small; nothing is written). */
CAROM_API carom_status carom_world_save_f32(const carom_world_f32 *world, void *bytes, uint64_t capacity,
                                            uint64_t *size, carom_error *error);
CAROM_API carom_status carom_world_save_f64(const carom_world_f64 *world, void *bytes, uint64_t capacity,
                                            uint64_t *size, carom_error *error);

/* Makes a world from a snapshot of the same precision. On error *world is NULL.
 *
 *   context   as in carom_world_create; must outlive *world
 *   bytes     the snapshot, `size` bytes, which is not needed afterwards
 *   world     receives the world, which carom_world_destroy releases. It has none of the caller's functions and pointers
 *             ("Snapshots", above)
 *   error     receives the details of a failure; may be NULL
 *
 * Errors: ARGUMENT; FORMAT (it is no snapshot, or of another precision, or damaged); MEMORY. */
CAROM_API carom_status carom_world_load_f32(carom_context *context, const void *bytes, uint64_t size,
                                            carom_world_f32 **world, carom_error *error);
CAROM_API carom_status carom_world_load_f64(carom_context *context, const void *bytes, uint64_t size,
                                            carom_world_f64 **world, carom_error *error);

#ifdef __cplusplus
}
#endif

#endif
