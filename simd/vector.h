/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Vectors of three doubles. Every sum has one order, x first, so that all compilers make the same bits. */
#ifndef CAROM_SIMD_VECTOR_H
#define CAROM_SIMD_VECTOR_H

#include <math.h>
#include <stdbool.h>

static inline double carom_vector_dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double carom_vector_length(const double a[3]) {
    return sqrt(carom_vector_dot(a, a));
}

static inline void carom_vector_cross(const double a[3], const double b[3], double cross[3]) {
    cross[0] = a[1] * b[2] - a[2] * b[1];
    cross[1] = a[2] * b[0] - a[0] * b[2];
    cross[2] = a[0] * b[1] - a[1] * b[0];
}

/* sum = a + scale b. `sum` may be a. */
static inline void carom_vector_add(const double a[3], double scale, const double b[3], double sum[3]) {
    for (int d = 0; d < 3; d++) {
        sum[d] = a[d] + scale * b[d];
    }
}

/* Lengths whose squares are well inside the range of doubles. Others are scaled by a power of two, so that a direction
 * has the same bits at every scale. */
#define CAROM_VECTOR_LEAST 0x1p-480
#define CAROM_VECTOR_MOST 0x1p500

/* The unit vector along v, which is finite, whatever its exponent. `unit` may be v. False, and nothing is written, if v
 * is 0. */
static inline bool carom_vector_unit(const double v[3], double unit[3]) {
    const double yz = fabs(v[1]) > fabs(v[2]) ? fabs(v[1]) : fabs(v[2]);
    const double most = fabs(v[0]) > yz ? fabs(v[0]) : yz;
    if (!(most > 0.0)) {
        return false;
    }
    int exponent = 0;
    if (most < CAROM_VECTOR_LEAST || most > CAROM_VECTOR_MOST) {
        (void)frexp(most, &exponent);
    }
    for (int a = 0; a < 3; a++) {
        unit[a] = exponent != 0 ? ldexp(v[a], -exponent) : v[a];
    }
    const double length = carom_vector_length(unit);
    for (int a = 0; a < 3; a++) {
        unit[a] /= length;
    }
    return true;
}

/* A unit vector at right angles to v, which is not 0. */
static inline void carom_vector_across(const double v[3], double across[3]) {
    int least = 0;
    for (int d = 1; d < 3; d++) {
        least = fabs(v[d]) < fabs(v[least]) ? d : least;
    }
    const double axis[3] = {least == 0 ? 1.0 : 0.0, least == 1 ? 1.0 : 0.0, least == 2 ? 1.0 : 0.0};
    carom_vector_cross(v, axis, across);
    (void)carom_vector_unit(across, across);
}

#endif
