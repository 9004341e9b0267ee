/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Time of impact of shapes that move and rotate within a step.
 *
 * Over t in [0, 1] a body's position goes in a straight line from prev to curr, and its rotation is
 *
 *     R(t) = exp(t [spin]) R(0)
 *
 * with a constant rotation vector `spin` (its direction the axis, its length the angle of the step in radians; any
 * number of turns). Bodies with prev_turn and curr_turn instead have the spin of the shorter way between them.
 *
 * The time of impact is the first t in [0, 1] at which the shapes' signed distance s(t) is 0 or less.
 *
 * What is promised. t <= the exact time of impact, always, also when the search ends early: a hit is never late and
 * never missed.
 *
 *     NONE     proved: the shapes do not touch in the step. t is 1
 *     HIT      at t the shapes are apart by at most `gap`, which is at most config.tolerance of the smaller shape's
 *              reach (a point has none: then the other's counts), plus config.margin; or they touch when the step
 *              begins, and t is 0
 *     CAPPED   the search ended before it knew: no touch before t, and nothing is known from there on
 *
 * In float, t is rounded down, to a time up to 2^-24 earlier: the shapes are then farther apart by as much of their
 * way. A gap that floats do not hold becomes infinite, a coordinate the largest float, a time 0.
 *
 * Bodies whose positions or ways differ by 2^240 or more on some axis are CAPPED, at the time at which the spheres around
 * them touch, with a gap of DBL_MAX, the direction between them and their positions at the start.
 *
 * HIT does not prove that the shapes touch: those that pass within the tolerance are hits, too.
 *
 * Method: conservative advancement (Mirtich 1996; Zhang and others 2006). */
#ifndef CAROM_TOI_H
#define CAROM_TOI_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "carom/bodies.h"
#include "carom/context.h"
#include "carom/control.h"
#include "carom/distance.h"
#include "carom/export.h"
#include "carom/shapes.h"
#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum carom_toi_state { CAROM_TOI_NONE, CAROM_TOI_HIT, CAROM_TOI_CAPPED } carom_toi_state;

/* The answer for one pair. */
typedef struct carom_toi_f64 {
    carom_toi_state state;

    /* Poses at which the distance was computed, >= 1; of compounds, the sum over pairs of children. */
    uint32_t iterations;

    /* Which children of two compounds answer; 0 for other shapes. */
    uint32_t child_i;
    uint32_t child_k;

    /* As above, rounded down: 0 <= t <= 1. */
    double t;

    /* Upper bound of the signed distance of the shapes themselves, without margin, at t before it is rounded to the
     * caller's precision. NONE: at the last pose that was looked at. */
    double gap;

    /* From k to i, and the witness points, as in carom_gap_f64, at the same pose as `gap`. */
    double normal[3];
    double point_i[3];
    double point_k[3];
} carom_toi_f64;

/* The fields are as in carom_toi_f64, rounded to float: t down, gap up. */
typedef struct carom_toi_f32 {
    carom_toi_state state;
    uint32_t iterations;
    uint32_t child_i;
    uint32_t child_k;
    float t;
    float gap;
    float normal[3];
    float point_i[3];
    float point_k[3];
} carom_toi_f32;

typedef struct carom_toi_config {
    /* sizeof(carom_toi_config), in bytes. carom_toi_config_default() sets it. */
    size_t size;

    /* Shapes within this distance count as touching. In units of length, finite, >= 0. Default: 0. */
    double margin;

    /* How far apart shapes may be at a hit, relative to the smaller shape's reach (carom_shape_facts); 2^-40 to 0.5. 0,
     * the default: 1e-4 in float, 1e-9 in double. Of two points what counts is the length of their way, for neither has
     * a reach; a line or half-space with another of these must touch. */
    double tolerance;

    /* The most poses of a pair to look at, of compounds of a pair of children, >= 1. 0, the default: 64. */
    uint32_t iterations_max;

    /* 0. Later versions may give this word a name and a meaning. */
    uint32_t reserved;

    /* A flag that ends the call with CANCELLED while it is raised. Default: NULL. */
    const carom_cancel *cancel;
} carom_toi_config;

static inline carom_toi_config carom_toi_config_default(void) {
    carom_toi_config config;
    memset(&config, 0, sizeof config);
    config.size = sizeof config;
    return config;
}

/* How a pose moves in the step. */
typedef struct carom_sweep_f64 {
    /* The way of its origin: curr - prev. */
    double move[3];

    /* The rotation vector of the step, in radians. */
    double spin[3];
} carom_sweep_f64;

typedef struct carom_sweep_f32 {
    float move[3];
    float spin[3];
} carom_sweep_f32;

/* Times of impact of `count` pairs of bodies. Arguments, errors and threads are those of carom_distance_pairs_f32; the
 * bodies' motion is looked at, too. Half-spaces and lines do not turn: BODY if they have a spin, or a curr_turn that is
 * not prev_turn in every component. */
CAROM_API carom_status carom_toi_pairs_f32(carom_context *context, const carom_bodies_f32 *bodies, const uint32_t *i,
                                           const uint32_t *k, uint64_t count, const carom_toi_config *config,
                                           carom_toi_f32 *impacts, carom_error *error);
CAROM_API carom_status carom_toi_pairs_f64(carom_context *context, const carom_bodies_f64 *bodies, const uint32_t *i,
                                           const uint32_t *k, uint64_t count, const carom_toi_config *config,
                                           carom_toi_f64 *impacts, carom_error *error);

/* The time of impact of one pair, without a context: the same bits as for bodies with prev = at and curr = at + move,
 * if that sum is exact. sweep_i or sweep_k NULL: it rests. Errors as above; error.body is 0 for pose i and its sweep, 1
 * for those of k. Allocates nothing; any number of threads may call it at once. */
CAROM_API carom_status carom_toi_pair_f32(const carom_shapes *shapes, const carom_pose_f32 *i,
                                          const carom_sweep_f32 *sweep_i, const carom_pose_f32 *k,
                                          const carom_sweep_f32 *sweep_k, const carom_toi_config *config,
                                          carom_toi_f32 *impact, carom_error *error);
CAROM_API carom_status carom_toi_pair_f64(const carom_shapes *shapes, const carom_pose_f64 *i,
                                          const carom_sweep_f64 *sweep_i, const carom_pose_f64 *k,
                                          const carom_sweep_f64 *sweep_k, const carom_toi_config *config,
                                          carom_toi_f64 *impact, carom_error *error);

#ifdef __cplusplus
}
#endif

#endif
