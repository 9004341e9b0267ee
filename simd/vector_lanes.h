/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Vectors of three doubles, one a lane (simd/vector.h is the scalar form: the same sums in the same order). */
#ifndef CAROM_SIMD_VECTOR_LANES_H
#define CAROM_SIMD_VECTOR_LANES_H

#include "simd/vec.h"
#include "simd/vector.h"

/* Doubles in a vector. */
enum { CAROM_PAIRS = CAROM_LANES / 2 };

/* Three columns as one vector of three doubles a lane, and back. */
static inline void vd_load_vector(double column[][CAROM_PAIRS], vd x[3]) {
    for (int d = 0; d < 3; d++) {
        x[d] = vd_load(column[d]);
    }
}

static inline void vd_store_vector(double column[][CAROM_PAIRS], const vd x[3]) {
    for (int d = 0; d < 3; d++) {
        vd_store(column[d], x[d]);
    }
}

static inline vd vd_negate(vd x) {
    return vd_sub(vd_set1(-0.0), x);
}

static inline vd vd_dot(const vd a[3], const vd b[3]) {
    return vd_add(vd_add(vd_mul(a[0], b[0]), vd_mul(a[1], b[1])), vd_mul(a[2], b[2]));
}

static inline void vd_cross(const vd a[3], const vd b[3], vd cross[3]) {
    cross[0] = vd_sub(vd_mul(a[1], b[2]), vd_mul(a[2], b[1]));
    cross[1] = vd_sub(vd_mul(a[2], b[0]), vd_mul(a[0], b[2]));
    cross[2] = vd_sub(vd_mul(a[0], b[1]), vd_mul(a[1], b[0]));
}

/* sum = a + scale b. `sum` may be a. */
static inline void vd_add_scaled(const vd a[3], vd scale, const vd b[3], vd sum[3]) {
    for (int d = 0; d < 3; d++) {
        sum[d] = vd_add(a[d], vd_mul(scale, b[d]));
    }
}

/* |x| + |y| + |z|. */
static inline vd vd_sum_of_sizes(const vd v[3]) {
    return vd_add(vd_add(vd_abs(v[0]), vd_abs(v[1])), vd_abs(v[2]));
}

/* The lesser of h and x, but not less than -h. */
static inline vd vd_clamp(vd x, vd h) {
    return vd_max(vd_negate(h), vd_min(h, x));
}

/* -1 where x < 0, else 1. */
static inline vd vd_sign_of(vd x) {
    return vd_select(vd_lt(x, vd_set1(0.0)), vd_set1(-1.0), vd_set1(1.0));
}

/* The unit vectors along v; returns the lanes where v is not 0, the others are left as they are. Lanes whose length is
 * outside the range that carom_vector_unit computes without scaling are added to *unusual: they have no meaning. */
static inline vdm vd_unit(const vd v[3], vd unit[3], vdm *unusual) {
    const vd yz = vd_max(vd_abs(v[1]), vd_abs(v[2]));
    const vd most = vd_max(vd_abs(v[0]), yz);
    const vdm has_length = vd_lt(vd_set1(0.0), most);
    const vdm odd = vdm_or(vd_lt(most, vd_set1(CAROM_VECTOR_LEAST)), vd_lt(vd_set1(CAROM_VECTOR_MOST), most));
    const vd length = vd_sqrt(vd_dot(v, v));
    *unusual = vdm_or(*unusual, vdm_and(has_length, odd));
    for (int d = 0; d < 3; d++) {
        unit[d] = vd_select(has_length, vd_div(v[d], length), unit[d]);
    }
    return has_length;
}

#endif
