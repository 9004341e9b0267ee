/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The decision whether pairs touch: from doubles where the margins allow, else with their rounding errors, else by
 * integers of any size. */
#ifndef CAROM_SIMD_APPROACH_TOUCHES_H
#define CAROM_SIMD_APPROACH_TOUCHES_H

#include "simd/approach.h"
#include "simd/exact/exact.h"
#include "simd/refine.h"

/* Lanes one by one. Out of line: hardly ever needed. */
static __attribute__((noinline, cold)) uint32_t approach_settle(uint32_t lanes, const vd i[7], const vd k[7]) {
    double fields[2][7][APPROACH_LANES];
    uint32_t touching = 0;
    for (int n = 0; n < 7; n++) {
        vd_store(fields[0][n], i[n]);
        vd_store(fields[1][n], k[n]);
    }
    for (; lanes != 0; lanes &= lanes - 1) {
        int l = __builtin_ctz(lanes);
        double one[2][7];
        for (int n = 0; n < 7; n++) {
            one[0][n] = fields[0][n][l];
            one[1][n] = fields[1][n][l];
        }
        touching |= (uint32_t)carom_exact_touches(one[0], one[1]) << l;
    }
    return touching;
}

/* Out of line: seldom needed. */
static __attribute__((noinline)) uint32_t approach_touches_closely(const approach_lanes *x, const vd i[7],
                                                                   const vd k[7], uint32_t open) {
    uint32_t certain;
    const uint32_t touching = approach_refine(x, i, k, &certain);
    const uint32_t left = open & ~certain;
    return left == 0 ? touching : (touching & ~left) | approach_settle(left, i, k);
}

/* Bits of those of the `wanted` lanes that touch, as exact arithmetic on the records decides. */
static inline uint32_t approach_touches(const approach_lanes *x, const vd i[7], const vd k[7], uint32_t wanted) {
    vdm certain;
    uint32_t touching = vdm_bits(approach_decide(x, &certain));
    const uint32_t open = wanted & ~vdm_bits(certain);
    if (__builtin_expect(open != 0, 0)) {
        touching = (touching & ~open) | (approach_touches_closely(x, i, k, open) & open);
    }
    return touching & wanted;
}

#endif
