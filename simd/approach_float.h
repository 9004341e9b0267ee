/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Level 1 of the decision (simd/approach_touches.h), for f32 records only: the arithmetic of simd/approach.h in floats,
 * twice as many pairs at a time and without conversions. Fields of CAROM_LANES pairs come in; bits of the lanes that
 * touch and of those that are certain go out. The proof in simd/margins.h holds with u = 2^-24 in place of 2^-53. */
#ifndef CAROM_SIMD_APPROACH_FLOAT_H
#define CAROM_SIMD_APPROACH_FLOAT_H

#include "simd/approach_touches.h"

#if CAROM_REAL_BITS == 32

/* The margins of simd/margins.h, in units of 2^-24; relative, without a unit. */
#define CAROM_FLOAT_MARGIN_ANY (24 * 0x1p-24F)
#define CAROM_FLOAT_MARGIN_LAST (32 * 0x1p-24F)
#define CAROM_FLOAT_MARGIN_PATH (4 * 0x1p-24F)

/* The margins hold while |p|^2 + R^2 is at least the one, and |p|^2 + |v|^2 + R^2 at most the other (squares of
 * lengths): where C > 0 the margin of D is then at least 2^-118, and no product is above 2^120. */
#define CAROM_FLOAT_SCALE_LEAST 0x1p-38F
#define CAROM_FLOAT_SCALE_MOST 0x1p58F

static inline vf vf_dot(const vf x[3], const vf y[3]) {
    return vf_add(vf_add(vf_mul(x[0], y[0]), vf_mul(x[1], y[1])), vf_mul(x[2], y[2]));
}

static inline vf vf_manhattan(const vf x[3]) {
    return vf_add(vf_add(vf_abs(x[0]), vf_abs(x[1])), vf_abs(x[2]));
}

/* |p x v|^2 */
static inline vf vf_cross_square(const vf p[3], const vf v[3]) {
    vf cross[3];
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3;
        int c = (a + 2) % 3;
        cross[a] = vf_sub(vf_mul(p[b], v[c]), vf_mul(p[c], v[b]));
    }
    return vf_dot(cross, cross);
}

/* Bits of the lanes that touch, of those that are *certain; the rest are 0. The five cases are those of
 * approach_decide. Comparisons need not be strict: errors are smaller than margins, and these are not 0 in range. */
static inline uint32_t approach_float_decide(const vf i[7], const vf k[7], uint32_t *certain) {
    const vf zero = vf_set1(0.0F);
    vf p[3];
    vf v[3];
    for (int a = 0; a < 3; a++) {
        p[a] = vf_sub(i[a], k[a]);
        v[a] = vf_sub(vf_sub(i[4 + a], k[4 + a]), p[a]);
    }
    vf radius = vf_add(i[3], k[3]);
    vf square = vf_mul(radius, radius);
    vf from = vf_dot(p, p);
    vf start = vf_add(from, square);
    vf a = vf_dot(v, v);
    vf b = vf_dot(p, v);
    vf c = vf_sub(from, square);
    vf all = vf_add(start, a);
    vf margin = vf_mul(all, vf_set1(CAROM_FLOAT_MARGIN_ANY));
    vf distance = vf_manhattan(p);
    vf length = vf_manhattan(v);
    vf path = vf_add(length, vf_mul(vf_add(distance, length), vf_set1(CAROM_FLOAT_MARGIN_PATH)));
    vf slope = vf_add(a, b);
    vfm within = vf_le(zero, slope);
    vf root = vf_sub(vf_mul(square, a), vf_cross_square(p, v));
    vf end = vf_add(vf_add(slope, b), c);
    vf value = vf_select(within, root, vf_sub(zero, end));
    vf last = vf_mul(vf_mul(start, vf_add(a, vf_mul(distance, path))), vf_set1(CAROM_FLOAT_MARGIN_LAST));
    vf value_margin = vf_select(within, last, margin);
    vf reach = vf_add(vf_mul(path, vf_add(vf_add(radius, radius), path)), vf_add(margin, margin));
    uint32_t in_range =
        vfm_bits(vfm_and(vf_le(vf_set1(CAROM_FLOAT_SCALE_LEAST), start), vf_le(all, vf_set1(CAROM_FLOAT_SCALE_MOST))));
    uint32_t overlap = vfm_bits(vf_le(vf_add(c, margin), zero));
    uint32_t far = vfm_bits(vf_le(reach, c));
    uint32_t apart = vfm_bits(vf_le(margin, c));
    uint32_t leaving = vfm_bits(vf_le(margin, b));
    uint32_t decided = vfm_bits(vfm_and(vfm_and(vf_le(vf_add(b, margin), zero), vf_le(margin, vf_abs(slope))),
                                        vf_le(value_margin, vf_abs(value))));
    uint32_t meeting = vfm_bits(vf_le(zero, value));
    *certain = in_range & (overlap | far | (apart & (leaving | decided)));
    return *certain & (overlap | (apart & ~far & decided & meeting));
}

/* Levels 2 to 4: decides the `open` lanes, half of the lanes at a time in doubles. */
static __attribute__((noinline)) uint32_t approach_float_open(const vf i[7], const vf k[7], uint32_t open) {
    uint32_t touching = 0;
    for (uint32_t half = 0; half < 2; half++) {
        const uint32_t here = open >> half * APPROACH_LANES & APPROACH_ALL;
        vd half_i[7];
        vd half_k[7];
        if (here == 0) {
            continue;
        }
        for (int n = 0; n < 7; n++) {
            half_i[n] = half == 0 ? vd_from_low(i[n]) : vd_from_high(i[n]);
            half_k[n] = half == 0 ? vd_from_low(k[n]) : vd_from_high(k[n]);
        }
        const approach_lanes x = approach_of(half_i, half_k);
        touching |= approach_touches(&x, half_i, half_k, here) << half * APPROACH_LANES;
    }
    return touching;
}

/* All levels: bits of those of the `wanted` lanes that touch. */
static inline uint32_t approach_float_touches(const vf i[7], const vf k[7], uint32_t wanted) {
    uint32_t certain;
    uint32_t touching = approach_float_decide(i, k, &certain);
    uint32_t open = wanted & ~certain;
    if (__builtin_expect(open != 0, 0)) {
        touching |= approach_float_open(i, k, open);
    }
    return touching & wanted;
}

#endif

#endif
