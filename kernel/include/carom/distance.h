/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Signed distance of two shapes, as a proved bracket, with normal, witness points and contact manifold.
 *
 * The signed distance s of shapes i and k is their distance if they are apart, and minus their depth if they overlap:
 * the least length by which one must move so that their insides do not meet. Both are one formula,
 *
 *     s = max over unit n of  g(n),   g(n) = min over a in i of n.a - max over b in k of n.b
 *
 * so that every n proves a lower bound. Points of both shapes, or a polytope within their Minkowski difference (all
 * points a - b), prove an upper one.
 *
 * What is promised. lower <= s <= upper, in exact arithmetic on the inputs, with the pose of carom/shapes.h. All
 * rounding errors are bounded and included. `state` is
 *
 *     SEPARATED   lower > 0: proved apart
 *     TOUCHING    upper <= 0: proved to touch
 *     CLOSE       neither: the bracket holds 0
 *
 * (of s - config.margin, if a margin is set; of the bracket before it is rounded to float). So "not SEPARATED" never
 * misses a touch. The bracket's width is at most config.tolerance times the greater of the smaller shape's reach and
 * |s|; if it is wider, `capped` is set, and the bracket is still valid. A shape's reach is the greatest distance of a
 * point of it from its origin (carom_shape_facts): so keep origins near the middles of shapes. A point has no reach: then
 * the other shape's counts. Of a compound the reach of the child that answers counts.
 *
 * The bracket of a cylinder, cone or ellipsoid is not proved if a radius, half height or semi-axis of it is below 1e-46
 * and not 0: products of such lengths vanish.
 *
 * Half-spaces and lines are the exception. Their rotations count as rounded to double, and two directions as parallel
 * if the sine of their angle is at most 2^-46. A line that is not parallel to a half-space's plane, and two half-spaces
 * that do not face each other, overlap without limit: lower is then -infinity, upper the lowest finite number.
 *
 * normal is a unit vector from k to i. If i moves by -s along it (s < 0), the shapes no longer overlap, to within the
 * bracket. point_i lies on shape i and point_k on k, and (point_i - point_k).normal is s, to within the bracket and
 * the rounding of the coordinates. They are opposite each other: point_i - point_k is s times normal. Points of
 * cylinders, cones and ellipsoids may lie beside the nearest ones by as much as the bracket leaves open: on a round
 * side, by the root of the bracket's width times the radius; so may those of overlapping hulls with faces almost in one
 * plane. Points of overlapping shapes may lie farther beside each other if `capped` is set, and of 1 in 10,000 pairs of a
 * cylinder or cone that touch with a flat side. Where several normals or points would do (coincident centres, parallel
 * faces), they are one of these: always the same one for the same input.
 *
 * A compound has the least of its children's answers: of overlapping children, the deepest. The state is that of the
 * whole. The depth of a compound that must move out of several children may be more than `upper` says; its bracket is of
 * the deepest pair of children.
 *
 * Results have the same bits for every thread count, instruction set, compiler and optimisation level, and do not
 * depend on which other pairs are in the call.
 *
 * Sources: Gilbert, Johnson and Keerthi (1988); van den Bergen (2001) for EPA; Nocedal and Wright (2006) for
 * Newton's method with active sets, by which searches of round shapes end; Gottschalk, Lin and Manocha (1996) for the 15
 * axes of boxes. */
#ifndef CAROM_DISTANCE_H
#define CAROM_DISTANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "carom/bodies.h"
#include "carom/context.h"
#include "carom/control.h"
#include "carom/export.h"
#include "carom/shapes.h"
#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum carom_gap_state { CAROM_GAP_SEPARATED, CAROM_GAP_CLOSE, CAROM_GAP_TOUCHING } carom_gap_state;

/* How much of an answer is computed. What is not computed is 0. */
typedef enum carom_gap_detail {
    /* state, and a bracket that proves it but may be wide; iterations. The fastest. */
    CAROM_GAP_STATE,

    /* state, bracket, normal, points. */
    CAROM_GAP_DISTANCE,

    /* Also the manifold. */
    CAROM_GAP_MANIFOLD,

    /* For contacts: MANIFOLD for pairs that are not SEPARATED, and STATE for those that are. Where the call is given
     * nowhere to write manifolds, there are none. */
    CAROM_GAP_CONTACT,

    /* For safety distances: DISTANCE for pairs that are SEPARATED, and STATE for those that are not, whose depth takes
     * the most time. */
    CAROM_GAP_CLEARANCE
} carom_gap_detail;

/* The answer for one pair. Lengths are in the bodies' unit. */
typedef struct carom_gap_f64 {
    carom_gap_state state;

    /* The bracket is wider than the tolerance asks. With detail STATE: and the state is CLOSE. With detail CONTACT: and
     * the state is not SEPARATED. With detail CLEARANCE: and it is not TOUCHING. */
    bool capped;

    /* Manifold points, 0 to 4. */
    uint8_t point_count;

    /* 0. Later versions may give this word a name and a meaning. */
    uint16_t reserved;

    /* Steps of the search, >= 0; 0 for closed forms. */
    uint32_t iterations;

    /* Which children of two compounds answer; 0 for other shapes. */
    uint32_t child_i;
    uint32_t child_k;

    /* The signed distance: lower <= distance <= upper. */
    double distance;
    double lower;
    double upper;

    double normal[3];
    double point_i[3];
    double point_k[3];
} carom_gap_f64;

/* The fields are as in carom_gap_f64, rounded to float: lower down, upper up. A coordinate that floats cannot hold is
 * the largest float; a bound that they cannot hold is infinite. */
typedef struct carom_gap_f32 {
    carom_gap_state state;
    bool capped;
    uint8_t point_count;
    uint16_t reserved;
    uint32_t iterations;
    uint32_t child_i;
    uint32_t child_k;
    float distance;
    float lower;
    float upper;
    float normal[3];
    float point_i[3];
    float point_k[3];
} carom_gap_f32;

/* Where two shapes touch, or are within the margin: up to four points that span the contact, none if they are
 * SEPARATED. Point n lies midway between the surfaces, which are gap[n] apart along the normal of the pair (negative:
 * overlap): the points half a gap from it along the normal, either way, are on the surfaces of both shapes, to within
 * the bracket, 2^-37 of the greater reach, and the rounding of coordinates. A point whose gap is the distance may
 * instead be the middle of point_i and point_k.
 *
 * Faces touch in what they have in common, edges and round sides that are parallel (within 8 degrees) in the ends of
 * the line that they have in common, and all others in one point. No gap is less than the distance. Where faces are
 * tilted to each other gaps may be greater: up to the margin, or to 2^-6 of the smaller reach over the distance, or
 * over 0 if the shapes overlap, whichever is more. Corners that are farther apart have no point. Two boxes that are
 * apart have one point where only edges are parallel.
 *
 * Points are listed by x + 0.618 y + 0.325 z, so that they keep their order from step to step: a solver that begins
 * with the impulses of the last step takes those of the nearest point. Of compounds the surfaces are those of the
 * children that answer. */
typedef struct carom_manifold_f64 {
    double point[4][3];
    double gap[4];
} carom_manifold_f64;

typedef struct carom_manifold_f32 {
    float point[4][3];
    float gap[4];
} carom_manifold_f32;

typedef struct carom_distance_config {
    /* sizeof(carom_distance_config), in bytes. carom_distance_config_default() sets it. */
    size_t size;

    /* Default: CAROM_GAP_DISTANCE. */
    carom_gap_detail detail;

    /* 0. Later versions may give this word a name and a meaning. */
    uint32_t reserved;

    /* Shapes within this distance count as touching: `state` is that of s - margin. Bracket, points and normal are of
     * the shapes themselves, and points of manifolds reach as far. In units of length, finite, >= 0. Default: 0. */
    double margin;

    /* Width of the bracket, relative to the greater of the smaller shape's reach and |s|; 2^-46 to 0.5. 0, the default:
     * 2^-20 in float, 2^-40 in double. Rounding alone makes it some 2^-45 wide: below 2^-44 answers that are searched for
     * may be capped. */
    double tolerance;

    /* A flag that ends the call with CANCELLED while it is raised. Default: NULL. */
    const carom_cancel *cancel;

    /* Axes that are kept from call to call, for pairs whose shapes move little in between: an axis that held two shapes
     * apart the last time most often does so again, and is looked at first. 3 count numbers, of which axes[3 n] to
     * axes[3 n + 2] are for pair n (3 numbers for a single pair). In double for both precisions.
     *
     *   In    a vector from k to i of any length; 0, or what is not finite: none is known
     *   Out   the unit vector that proves the search's lower bound, also with detail STATE. That is the bracket's lower
     *         bound, but for boxes that touch to rounding and that only the 15 axes prove apart
     *
     * Only pairs that are searched for use and set their axes, and only their answers depend on these, within what is
     * promised. All other pairs keep their axes as they are:
     *
     *   - a sphere with a sphere, capsule, box, cylinder or cone
     *   - a capsule with a capsule or box
     *   - a half-space or line with any shape
     *   - two boxes that the 15 axes do not prove apart; with the details STATE and CONTACT also those that the 15 axes
     *     prove to be farther apart than the margin
     *   - a pair with a compound
     *   - bodies whose positions differ by more than 2^240 on some axis
     *
     * Overlaps no other array. The call writes here, so calls at the same time must not share axes; after an error some
     * may have changed. Default: NULL. */
    double *axes;

    /* Receives the state of each pair, a carom_gap_state in a byte: count bytes. Where it is given and the detail is
     * STATE, `gaps` may be NULL: to write a hundred bytes for each pair takes as long as to find out whether two simple
     * shapes touch. Overlaps no other array; undefined after an error. Default: NULL. */
    uint8_t *states;
} carom_distance_config;

static inline carom_distance_config carom_distance_config_default(void) {
    carom_distance_config config;
    memset(&config, 0, sizeof config);
    config.size = sizeof config;
    config.detail = CAROM_GAP_DISTANCE;
    return config;
}

/* A shape's place. */
typedef struct carom_pose_f64 {
    /* Entry of the table. */
    uint32_t shape;

    /* 0. Later versions may give this word a name and a meaning. */
    uint32_t reserved;

    /* Position of its origin, finite. */
    double at[3];

    /* Quaternion x, y, z, w of length 0.5 to 2, or all 0: not rotated. */
    double turn[4];
} carom_pose_f64;

typedef struct carom_pose_f32 {
    uint32_t shape;
    uint32_t reserved;
    float at[3];
    float turn[4];
} carom_pose_f32;

/* Answers for `count` pairs of bodies, at the start of the step: where prev and prev_turn have them.
 *
 *   context     spreads the pairs over its threads; it serves one call at a time
 *   bodies      with `shapes`, `shape` and `size`; or spheres, if shapes is NULL or size is 0, with which the call does
 *               not see `shapes` (carom/bodies.h)
 *   i, k        pair n is of bodies i[n] and k[n], which may be the same
 *   count       number of pairs; with 0 the arrays may be NULL
 *   config      what to compute; NULL: the default
 *   gaps        receives count answers, of which every byte is set: equal answers are equal for memcmp. NULL is allowed
 *               with detail STATE and config.states
 *   manifolds   receives count manifolds if config asks for them; NULL is allowed unless the detail is MANIFOLD.
 *               Entries from point_count on are 0
 *   error       receives the details of a failure; may be NULL
 *
 * No output overlaps an input or the other. On an error the outputs are undefined. Results of the context's earlier
 * calls stay valid, so that pairs may be those of a detection. Once its buffers have grown a call allocates nothing.
 *
 * Errors:
 *   ARGUMENT    an argument is NULL or out of range, i[n] or k[n] is no body, or another call is using the context
 *   BODY        a body is invalid (only bodies that a pair names are looked at, and of them only where they are at the
 *               start), its shape is none of the table, its radius is neither 0 nor from 1e-50 to 1e50, or a pair is
 *               of two kinds that have no test (a line or half-space with a shape it does not go with). error.body is
 *               the lowest invalid body or, if there is none, body i of the first pair without a test
 *   MEMORY      there is no memory, or the limit is too low
 *   CANCELLED   config's flag is raised
 *
 * Threads: as for carom_detect. */
CAROM_API carom_status carom_distance_pairs_f32(carom_context *context, const carom_bodies_f32 *bodies,
                                                const uint32_t *i, const uint32_t *k, uint64_t count,
                                                const carom_distance_config *config, carom_gap_f32 *gaps,
                                                carom_manifold_f32 *manifolds, carom_error *error);
CAROM_API carom_status carom_distance_pairs_f64(carom_context *context, const carom_bodies_f64 *bodies,
                                                const uint32_t *i, const uint32_t *k, uint64_t count,
                                                const carom_distance_config *config, carom_gap_f64 *gaps,
                                                carom_manifold_f64 *manifolds, carom_error *error);

/* The answer for one pair, without a context: the same bits as for bodies with shapes of that table. `manifold` may be NULL unless the detail is MANIFOLD, `gap`
 * as above. Errors as above; error.body is 0 for pose i and 1 for pose k. Allocates nothing; any number of threads may
 * call it at once. */
CAROM_API carom_status carom_distance_pair_f32(const carom_shapes *shapes, const carom_pose_f32 *i,
                                               const carom_pose_f32 *k, const carom_distance_config *config,
                                               carom_gap_f32 *gap, carom_manifold_f32 *manifold, carom_error *error);
CAROM_API carom_status carom_distance_pair_f64(const carom_shapes *shapes, const carom_pose_f64 *i,
                                               const carom_pose_f64 *k, const carom_distance_config *config,
                                               carom_gap_f64 *gap, carom_manifold_f64 *manifold, carom_error *error);

#ifdef __cplusplus
}
#endif

#endif
