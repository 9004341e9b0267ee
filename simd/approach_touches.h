/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Decides whether pairs touch in the step, always as exact arithmetic on the records would. simd/exact/exact.h says
 * which signs the decision is made of. Four levels compute these signs, each more exact and slower than the one before:
 *
 *   records         level            file                 arithmetic                             pairs at a time
 *   f32 ----------> 1 floats         approach_float.h     rounded, errors bounded by margins.h   CAROM_LANES
 *                       | open
 *   f64 ----------> 2 doubles        approach.h           rounded, errors bounded by margins.h   CAROM_LANES / 2
 *                       | open
 *                   3 error-free     refine.h             doubles, with their rounding errors    CAROM_LANES / 2
 *                     doubles                             kept in second doubles
 *                       | open
 *                   4 integers       exact/exact.c        exact                                  1
 *
 * Levels 1 to 3 return two masks: the lanes that touch, and the lanes that are certain. A lane is certain if every sign
 * that its decision uses is proved: the value is farther from 0 than its error can be. The other lanes are open, and go
 * to the next level; level 4 decides all. So levels 1 to 3 only save time: without them all results would be the same.
 *
 * In random scenes level 1 or 2 decides nearly all pairs. Bodies that touch to the last digit, as in lattices and
 * packings, need level 3. The scalar twin goes from level 2 straight to level 4: the results must be the same. */
#ifndef CAROM_SIMD_APPROACH_TOUCHES_H
#define CAROM_SIMD_APPROACH_TOUCHES_H

#include "simd/approach.h"
#include "simd/exact/exact.h"
#include "simd/refine.h"

/* Level 4: the bits of those of the `open` lanes that touch, one lane after another. Out of line, like all levels after
 * the first two: a loop that hardly ever needs it should not hold its code and registers. */
static __attribute__((noinline, cold)) uint32_t approach_decide_exactly(uint32_t open, const vd i[7], const vd k[7]) {
    double fields[2][7][APPROACH_LANES];
    uint32_t touching = 0;
    for (int n = 0; n < 7; n++) {
        vd_store(fields[0][n], i[n]);
        vd_store(fields[1][n], k[n]);
    }
    for (; open != 0; open &= open - 1) {
        int l = __builtin_ctz(open);
        double one[2][7];
        for (int n = 0; n < 7; n++) {
            one[0][n] = fields[0][n][l];
            one[1][n] = fields[1][n][l];
        }
        touching |= (uint32_t)carom_exact_touches(one[0], one[1]) << l;
    }
    return touching;
}

/* Levels 3 and 4: decides the lanes that level 2 left open. Bits of other lanes have no meaning. */
static __attribute__((noinline)) uint32_t approach_touches_open(const approach_lanes *x, const vd i[7], const vd k[7],
                                                                uint32_t open) {
    uint32_t certain;
    const uint32_t touching = approach_refine(x, i, k, &certain);
    const uint32_t left = open & ~certain;
    return left == 0 ? touching : (touching & ~left) | approach_decide_exactly(left, i, k);
}

/* Levels 2 to 4: bits of those of the `wanted` lanes that touch. x is approach_of(i, k). Lanes that are not wanted cost
 * nothing beyond level 2, whatever they hold. */
static inline uint32_t approach_touches(const approach_lanes *x, const vd i[7], const vd k[7], uint32_t wanted) {
    vdm certain;
    uint32_t touching = vdm_bits(approach_decide(x, &certain));
    const uint32_t open = wanted & ~vdm_bits(certain);
    if (__builtin_expect(open != 0, 0)) {
        touching = (touching & ~open) | (approach_touches_open(x, i, k, open) & open);
    }
    return touching & wanted;
}

#endif
