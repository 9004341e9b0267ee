/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Vectors of three doubles. Every sum has one order, x first, so that all compilers make the same bits. */
#ifndef CAROM_SYS_VECTOR_H
#define CAROM_SYS_VECTOR_H

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

/* The unit vector along v, which is finite, whatever its exponent. `unit` may be v. False, and nothing is written, if v
 * is 0. */
bool carom_vector_unit(const double v[3], double unit[3]);

#endif
