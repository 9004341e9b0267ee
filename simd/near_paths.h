/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The test of near_row and near_pairs, for one pair. It has no square root and no division. */
#ifndef CAROM_SIMD_NEAR_PATHS_H
#define CAROM_SIMD_NEAR_PATHS_H

#include <stdbool.h>

#include "simd/kernels.h"

/* Rounding of sums of squares, over the squares. */
#define CAROM_NEAR_SLACK 0x1p-19F

/* Rounding of a relative position or velocity, over the numbers it is made of. */
#define CAROM_NEAR_ROUNDING 0x1p-20F

/* More than a time of coarse paths may be off, in steps: floats up to 32 are rounded by at most half as much. */
#define CAROM_COARSE_MOMENT 0x1p-18F

static inline float carom_near_abs(float x) {
    return x < 0.0F ? 0.0F - x : x;
}

/* Sum of the lengths that a path is made of until some steps are over. */
static inline float carom_near_extent(const carom_coarse_path *path, float steps) {
    float extent = path->reach;
    for (int d = 0; d < 3; d++) {
        extent = extent + (carom_near_abs(path->x[d]) + steps * carom_near_abs(path->v[d]));
    }
    return extent;
}

/* Until the end; at least one, so that short times have the margins of a step. */
static inline float carom_near_steps(carom_coarse_time time) {
    return time.until > 1.0F ? time.until : 1.0F;
}

/* Path b is moved by `shift`. With p and v the relative position at time->from and velocity, the least distance is at
 * the beginning, at the end, or in between, where p.p - (p.v)^2 / v.v is its square. Where p.v > 0 the bodies part, and
 * will: only what comes closer collides. What path a stands for may do so where p.v is at most the reach times `spread`
 * (kernel/impacts/tube.c has the proof). */
static inline bool carom_near_paths(const carom_coarse_path *a, const carom_coarse_path *b, const float shift[3],
                                    const carom_coarse_time *time) {
    const float length = time->until - time->from;
    const float reach = a->reach + b->reach;
    const float square = reach * reach;
    const float steps = carom_near_steps(*time);
    float extent = carom_near_extent(a, steps) + carom_near_extent(b, steps);
    float sum = 0.0F;
    float p[3];
    float v[3];
    for (int d = 0; d < 3; d++) {
        v[d] = a->v[d] - b->v[d];
        p[d] = ((a->x[d] - b->x[d]) - shift[d]) + v[d] * time->from;
        extent = extent + carom_near_abs(shift[d]);
        sum = sum + (carom_near_abs(p[d]) + carom_near_abs(v[d]));
    }
    const float pp = (p[0] * p[0] + p[1] * p[1]) + p[2] * p[2];
    const float pv = (p[0] * v[0] + p[1] * v[1]) + p[2] * v[2];
    const float vv = (v[0] * v[0] + v[1] * v[1]) + v[2] * v[2];
    const float end = pp + length * ((pv + pv) + length * vv);
    const float limit = square + CAROM_NEAR_SLACK * (pp + (length * length) * vv);
    const bool apart = (limit < pp) & (limit < end);
    const bool turns = (pv < 0.0F) & (0.0F - pv < length * vv);
    const bool beyond = pv * pv + (CAROM_NEAR_SLACK * pp) * vv < (pp - square) * vv;
    const bool part = (CAROM_NEAR_ROUNDING * extent) * sum + time->spread * reach < pv;
    return !(part | (apart && !(turns && !beyond)));
}

/* Whether the bodies may touch at a time, path b moved by `shift`: the same test for one moment, whatever way they
 * move.
 */
static inline bool carom_near_at(const carom_coarse_path *a, const carom_coarse_path *b, const float shift[3],
                                 float time) {
    const float reach = a->reach + b->reach;
    float pp = 0.0F;
    for (int d = 0; d < 3; d++) {
        const float p = ((a->x[d] - b->x[d]) - shift[d]) + (a->v[d] - b->v[d]) * time;
        pp = pp + p * p;
    }
    return !(reach * reach + CAROM_NEAR_SLACK * pp < pp);
}

#endif
