/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A body that changes its velocity at one time, and another that it touches then.
 *
 * P is the place of the first as seen from the other, V its velocity. The two collide then only if P.V < 0. Floats have
 * p and v: p is the place a little earlier, by up to 1.5 CAROM_COARSE_MOMENT, so that P.V >= p.v but for the rounding
 * that simd/near_paths.h allows for. If the first body's velocity is greater by u, P.(V + u) >= p.v + P.u. There P.u
 * differs from p.u by at most |u| times |P - p|: the way of so short a time, and rounding. The margin is more: four
 * times 2^-18 of all lengths, where the time is up to 1.5 times 2^-18 steps and rounding less than 2^-20. */
#ifndef CAROM_SIMD_INSTANT_PAIRS_H
#define CAROM_SIMD_INSTANT_PAIRS_H

#include "simd/near_paths.h"

/* More than |P - p| and the rounding of p.u over |u|, over the lengths that paths are made of. */
#define CAROM_INSTANT_MARGIN 0x1p-16F

typedef struct carom_instant_pair {
    float p[3];
    float rate;
    float margin;
} carom_instant_pair;

static inline carom_instant_pair carom_instant_pair_of(const carom_coarse_path *a, const carom_coarse_path *b,
                                                       float time) {
    const float steps = carom_near_steps((carom_coarse_time){time, time, 0.0F});
    const float extent = carom_near_extent(a, steps) + carom_near_extent(b, steps);
    carom_instant_pair pair;
    float sum = 0.0F;
    float v[3];
    for (int d = 0; d < 3; d++) {
        v[d] = a->v[d] - b->v[d];
        pair.p[d] = (a->x[d] - b->x[d]) + v[d] * (time - CAROM_COARSE_MOMENT);
        sum = sum + (carom_near_abs(pair.p[d]) + carom_near_abs(v[d]));
    }
    const float pv = (pair.p[0] * v[0] + pair.p[1] * v[1]) + pair.p[2] * v[2];
    pair.rate = pv - (CAROM_NEAR_ROUNDING * extent) * sum;
    pair.margin = CAROM_INSTANT_MARGIN * extent;
    return pair;
}

static inline void carom_instant_put(const carom_instant_rows *rows, uint32_t at, const carom_instant_pair *pair) {
    for (int d = 0; d < 3; d++) {
        rows->p[d][at] = pair->p[d];
    }
    rows->rate[at] = pair->rate;
    rows->margin[at] = pair->margin;
}

/* Whether the pair in a place may come closer where the body's velocity is greater by u. */
static inline bool carom_instant_closes(const carom_instant_rows *rows, uint32_t at, const float u[3], float speed) {
    const float pu = (rows->p[0][at] * u[0] + rows->p[1][at] * u[1]) + rows->p[2][at] * u[2];
    return !(rows->margin[at] * speed < rows->rate[at] + pu);
}

#endif
