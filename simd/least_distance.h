/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The least distance of a moving body and a candidate, of those that half ways do not decide. They are few, and lie far
 * from each other: one by one costs less than a vector each.
 *
 * If p leads from one body to the other half way, and w is what half of their ways adds to it, the distance is least at
 * s = -p.w / w.w, or at -1 or 1 if s is beyond; there its square is p.p - (p.w)^2 / w.w, or p.p - 2 |p.w| + w.w. */
#ifndef CAROM_SIMD_LEAST_DISTANCE_H
#define CAROM_SIMD_LEAST_DISTANCE_H

#include <math.h>
#include <stdbool.h>

#include "simd/kernels.h"

typedef struct carom_least_distance {
    bool hit;
    bool open; /* floats cannot tell */
} carom_least_distance;

/* Where the least distance is between the ends, both sides of the comparison are multiplied by w.w. */
static inline carom_least_distance carom_least_distance_of(const carom_hits_in *in, uint32_t body, uint32_t n) {
    const float sum = in->radius != NULL ? in->radius[n] + in->radius[body] : 0.0F;
    const float reach = in->radius != NULL ? sum * sum : in->square;
    float square = 0.0F;
    float along = 0.0F;
    float ways = 0.0F;
    for (int a = 0; a < 3; a++) {
        const float p = in->at[a][n] - in->at[a][body];
        const float w = in->way[a][n] - in->way[a][body];
        square += p * p;
        along += p * w;
        ways += w * w;
    }
    const float size = fabsf(along);
    const float rest = square - reach;
    const float inner = rest * ways - along * along;
    const float outer = rest - 2.0F * size + ways;
    const bool between = size < ways;
    const float least = between ? inner : outer;
    const float within = between ? in->margin * ways : in->margin;
    return (carom_least_distance){least <= 0.0F, fabsf(least) <= within};
}

#endif
