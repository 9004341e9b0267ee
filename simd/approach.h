/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Level 2 of the decision (simd/approach_touches.h): records of APPROACH_LANES pairs come in, as doubles in both
 * precisions; the coefficients of |p + t v|^2 = R^2 go out, and whether the pairs touch, with the lanes that are
 * certain. Contacts are computed from the same coefficients. Swapping the bodies negates p and v and changes nothing
 * else, to the bit: products and sums of squares do not see the sign.
 *
 * A, B, C, D and p, v, R are those of simd/exact/exact.h; t runs over the step, from 0 to 1. */
#ifndef CAROM_SIMD_APPROACH_H
#define CAROM_SIMD_APPROACH_H

#include "simd/margins.h"
#include "simd/real.h"

enum { APPROACH_LANES = CAROM_LANES / 2, APPROACH_ALL = (1 << APPROACH_LANES) - 1 };

/* The quadratic of one pair a lane, rounded. p, v and R are lengths in the unit of the bodies. The rest are their
 * squares, but for the discriminant, a fourth power. Within approach_in_range none of it overflows. */
typedef struct approach_lanes {
    vd p[3];         /* position of i relative to k at t = 0 */
    vd v[3];         /* displacement of i relative to k over the step */
    vd sum_radius;   /* R, >= 0 */
    vd start;        /* p.p + R^2, >= 0: what errors of C are relative to */
    vd a;            /* A = v.v, >= 0 */
    vd b;            /* B = p.v, half the slope at t = 0: negative while they approach */
    vd c;            /* C = p.p - R^2, > 0 while they are apart */
    vd discriminant; /* D, >= 0 where the lines of motion come within R */
} approach_lanes;

static inline vd vd_dot(const vd x[3], const vd y[3]) {
    return vd_add(vd_add(vd_mul(x[0], y[0]), vd_mul(x[1], y[1])), vd_mul(x[2], y[2]));
}

/* Axis a of x cross y. */
static inline vd vd_cross_axis(const vd x[3], const vd y[3], int a) {
    int b = (a + 1) % 3;
    int c = (a + 2) % 3;
    return vd_sub(vd_mul(x[b], y[c]), vd_mul(x[c], y[b]));
}

/* |x|1, the sum of absolute values: a bound of the length that needs no root. */
static inline vd vd_manhattan(const vd x[3]) {
    return vd_add(vd_add(vd_abs(x[0]), vd_abs(x[1])), vd_abs(x[2]));
}

/* From the seven numbers of each record: prev (0 to 2), radius (3), curr (4 to 6). The discriminant B^2 - A C is taken
 * as R^2 A - |p x v|^2 (Lagrange's identity), which does not cancel when p is long and nearly along v. */
static inline approach_lanes approach_of(const vd i[7], const vd k[7]) {
    approach_lanes x;
    vd cross[3];
    for (int a = 0; a < 3; a++) {
        x.p[a] = vd_sub(i[a], k[a]);
        x.v[a] = vd_sub(vd_sub(i[4 + a], k[4 + a]), x.p[a]);
    }
    for (int a = 0; a < 3; a++) {
        cross[a] = vd_cross_axis(x.p, x.v, a);
    }
    x.sum_radius = vd_add(i[3], k[3]);
    vd square = vd_mul(x.sum_radius, x.sum_radius);
    vd distance = vd_dot(x.p, x.p);
    x.start = vd_add(distance, square);
    x.a = vd_dot(x.v, x.v);
    x.b = vd_dot(x.p, x.v);
    x.c = vd_sub(distance, square);
    x.discriminant = vd_sub(vd_mul(square, x.a), vd_dot(cross, cross));
    return x;
}

/* w of simd/margins.h, no less than the exact |v|. `distance` is |p|1. */
static inline vd approach_path(const approach_lanes *x, vd distance) {
    vd length = vd_manhattan(x->v);
    return vd_add(length, vd_mul(vd_add(distance, length), vd_set1(CAROM_MARGIN_PATH)));
}

/* The margin of the discriminant. `distance` is |p|1, `path` is approach_path. */
static inline vd approach_last_margin(const approach_lanes *x, vd distance, vd path) {
    return vd_mul(vd_mul(x->start, vd_add(x->a, vd_mul(distance, path))), vd_set1(CAROM_MARGIN_LAST));
}

/* Lanes in which nothing overflows and no underflow matters, so that the margins hold. */
static inline vdm approach_in_range(const approach_lanes *x) {
    return vdm_and(vd_lt(vd_set1(CAROM_SCALE_LEAST), x->start),
                   vd_lt(vd_add(x->start, x->a), vd_set1(CAROM_SCALE_MOST)));
}

/* Lanes that touch, of those that are *certain. The five cases of a certain pair: they overlap at the start; they are
 * farther apart than they can come; they move away (B >= 0); they still approach at the end, and the value is that of
 * -(A + 2B + C); or they are closest within the step, and the value is the discriminant. */
static inline vdm approach_decide(const approach_lanes *x, vdm *certain) {
    vd zero = vd_set1(0.0);
    vd margin = vd_mul(vd_add(x->start, x->a), vd_set1(CAROM_MARGIN_ANY));
    vd distance = vd_manhattan(x->p);
    vd path = approach_path(x, distance);
    vd slope = vd_add(x->a, x->b);
    vdm late = vd_lt(slope, zero);
    vd value = vd_select(late, vd_sub(zero, vd_add(vd_add(slope, x->b), x->c)), x->discriminant);
    vd value_margin = vd_select(late, margin, approach_last_margin(x, distance, path));
    vdm apart = vd_lt(margin, x->c);
    vdm overlap = vd_lt(vd_add(x->c, margin), zero);
    vd reach = vd_mul(path, vd_add(vd_add(x->sum_radius, x->sum_radius), path));
    vdm far = vd_lt(vd_add(reach, vd_add(margin, margin)), x->c);
    vdm decided = vdm_and(vdm_and(vd_lt(vd_add(x->b, margin), zero), vd_lt(margin, vd_abs(slope))),
                          vd_lt(value_margin, vd_abs(value)));
    *certain = vdm_or(vdm_or(overlap, far), vdm_and(apart, vdm_or(vd_le(margin, x->b), decided)));
#if CAROM_REAL_BITS == 64
    *certain = vdm_and(*certain, approach_in_range(x));
#endif
    return vdm_or(overlap, vdm_and(vdm_and(apart, decided), vd_lt(zero, value)));
}

#endif
