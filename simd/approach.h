/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The quadratic of two moving spheres, |p + t v|^2 = R^2, in double for both precisions. Signs, sums and the decision
 * are symmetric in the two bodies to the bit. */
#ifndef CAROM_SIMD_APPROACH_H
#define CAROM_SIMD_APPROACH_H

#include "simd/real.h"

typedef struct approach {
    vd p[3]; /* relative position at t = 0 */
    vd v[3]; /* relative displacement */
    vd sum_radius;
    vd a; /* v.v */
    vd b; /* p.v */
    vd c; /* p.p - R^2 */
    vd discriminant;
} approach;

static inline vd vd_dot(const vd x[3], const vd y[3]) {
    return vd_add(vd_add(vd_mul(x[0], y[0]), vd_mul(x[1], y[1])), vd_mul(x[2], y[2]));
}

static inline vd vd_cross_axis(const vd x[3], const vd y[3], int a) {
    int b = (a + 1) % 3;
    int c = (a + 2) % 3;
    return vd_sub(vd_mul(x[b], y[c]), vd_mul(x[c], y[b]));
}

/* From the seven fields of each record. The discriminant b^2 - a c is taken as R^2 a - |p x v|^2 (Lagrange's identity),
 * which does not cancel when p is long and nearly along v. */
static inline approach approach_of(const vd i[7], const vd k[7]) {
    approach x;
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
    x.a = vd_dot(x.v, x.v);
    x.b = vd_dot(x.p, x.v);
    x.c = vd_sub(vd_dot(x.p, x.p), square);
    x.discriminant = vd_sub(vd_mul(square, x.a), vd_dot(cross, cross));
    return x;
}

/* Touches in the step: at the start (c <= 0); or approaching (b < 0) and either still approaching at the end
 * (a + b < 0) and touching there (a + 2b + c <= 0), or closest within the step with a real root. */
static inline vdm approach_touches(const approach *x) {
    vd zero = vd_set1(0.0);
    vd slope = vd_add(x->a, x->b);
    vdm late = vd_lt(slope, zero);
    vdm at_end = vd_le(vd_add(vd_add(slope, x->b), x->c), zero);
    vdm within = vd_le(zero, x->discriminant);
    vdm meets = vdm_or(vdm_and(late, at_end), vdm_andnot(late, within));
    vdm coming = vdm_and(vd_lt(x->b, zero), vd_lt(zero, x->a));
    return vdm_or(vd_le(x->c, zero), vdm_and(coming, meets));
}

#endif
