/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The quadratic of two moving spheres, |p + t v|^2 = R^2, in double for both precisions, and the decision whether they
 * touch as far as the margins allow. Signs, sums and decisions are symmetric in the two bodies to the bit. */
#ifndef CAROM_SIMD_APPROACH_H
#define CAROM_SIMD_APPROACH_H

#include "simd/margins.h"
#include "simd/real.h"

enum { APPROACH_LANES = CAROM_LANES / 2, APPROACH_ALL = (1 << APPROACH_LANES) - 1 };

typedef struct approach_lanes {
    vd p[3]; /* relative position at t = 0 */
    vd v[3]; /* relative displacement */
    vd sum_radius;
    vd start; /* p.p + R^2 */
    vd a;     /* v.v */
    vd b;     /* p.v */
    vd c;     /* p.p - R^2 */
    vd discriminant;
} approach_lanes;

static inline vd vd_dot(const vd x[3], const vd y[3]) {
    return vd_add(vd_add(vd_mul(x[0], y[0]), vd_mul(x[1], y[1])), vd_mul(x[2], y[2]));
}

static inline vd vd_cross_axis(const vd x[3], const vd y[3], int a) {
    int b = (a + 1) % 3;
    int c = (a + 2) % 3;
    return vd_sub(vd_mul(x[b], y[c]), vd_mul(x[c], y[b]));
}

static inline vd vd_manhattan(const vd x[3]) {
    return vd_add(vd_add(vd_abs(x[0]), vd_abs(x[1])), vd_abs(x[2]));
}

/* From the seven fields of each record. The discriminant b^2 - a c is taken as R^2 a - |p x v|^2 (Lagrange's identity),
 * which does not cancel when p is long and nearly along v. */
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

/* No less than the exact |v|, given |p|1. */
static inline vd approach_path(const approach_lanes *x, vd distance) {
    vd length = vd_manhattan(x->v);
    return vd_add(length, vd_mul(vd_add(distance, length), vd_set1(CAROM_MARGIN_PATH)));
}

/* The margin of the discriminant, given |p|1 and the path. */
static inline vd approach_last_margin(const approach_lanes *x, vd distance, vd path) {
    return vd_mul(vd_mul(x->start, vd_add(x->a, vd_mul(distance, path))), vd_set1(CAROM_MARGIN_LAST));
}

/* Lanes in which margins hold. */
static inline vdm approach_in_range(const approach_lanes *x) {
    return vdm_and(vd_lt(vd_set1(CAROM_SCALE_LEAST), x->start),
                   vd_lt(vd_add(x->start, x->a), vd_set1(CAROM_SCALE_MOST)));
}

/* Lanes that touch, of those that are *certain. */
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
