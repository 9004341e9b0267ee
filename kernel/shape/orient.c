/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: points. Out: the sign of a determinant of their differences. Doubles decide where the result is greater than a
 * bound of its error (Shewchuk, Adaptive Precision Floating-Point Arithmetic, 1997); integers decide the others. */
#include "kernel/shape/orient.h"

#include <math.h>
#include <stdint.h>

#include "simd/exact/wide.h"

/* Errors of the determinants, relative to the sums of their products' magnitudes: 10 roundings at most of 2^-53, a
 * difference's included, and as much again for the sum itself. */
static const double DETERMINANT_ERROR = 0x1p-48;

/* The unit of the integers: coordinates are multiples of it, or 0. 1e-50 is above 2^-167, and has 53 bits. */
enum { UNIT_EXPONENT = -167 - 53 };

static int sign_of(double x) {
    return (x > 0.0) - (x < 0.0);
}

static void set_difference(carom_wide *result, double a, double b) {
    carom_wide other;
    carom_wide_set(result, a, UNIT_EXPONENT);
    carom_wide_set(&other, b, UNIT_EXPONENT);
    carom_wide_subtract(result, result, &other);
}

/* a b - c d. */
static void set_minor(carom_wide *result, const carom_wide *a, const carom_wide *b, const carom_wide *c,
                      const carom_wide *d) {
    carom_wide product;
    carom_wide_multiply(result, a, b);
    carom_wide_multiply(&product, c, d);
    carom_wide_subtract(result, result, &product);
}

static int orient_exactly(const double *const side[3], const double a[3]) {
    carom_wide e[3][3];
    carom_wide minor;
    carom_wide product;
    carom_wide sum = {.sign = 0};
    for (int n = 0; n < 3; n++) {
        for (int d = 0; d < 3; d++) {
            set_difference(&e[n][d], side[n][d], a[d]);
        }
    }
    for (int d = 0; d < 3; d++) {
        const int u = (d + 1) % 3;
        const int v = (d + 2) % 3;
        set_minor(&minor, &e[0][u], &e[1][v], &e[0][v], &e[1][u]);
        carom_wide_multiply(&product, &minor, &e[2][d]);
        carom_wide_add(&sum, &sum, &product);
    }
    return sum.sign;
}

int carom_orient(const double a[3], const double b[3], const double c[3], const double d[3]) {
    const double *const side[3] = {b, c, d};
    double determinant = 0.0;
    double magnitude = 0.0;
    for (int n = 0; n < 3; n++) {
        const int u = (n + 1) % 3;
        const int v = (n + 2) % 3;
        const double first = (b[u] - a[u]) * (c[v] - a[v]);
        const double second = (b[v] - a[v]) * (c[u] - a[u]);
        const double height = d[n] - a[n];
        determinant += (first - second) * height;
        magnitude += (fabs(first) + fabs(second)) * fabs(height);
    }
    return fabs(determinant) > DETERMINANT_ERROR * magnitude ? sign_of(determinant) : orient_exactly(side, a);
}

int carom_orient_along(const double a[3], const double b[3], const double c[3], int axis) {
    const int u = (axis + 1) % 3;
    const int v = (axis + 2) % 3;
    const double first = (b[u] - a[u]) * (c[v] - a[v]);
    const double second = (b[v] - a[v]) * (c[u] - a[u]);
    if (fabs(first - second) > DETERMINANT_ERROR * (fabs(first) + fabs(second))) {
        return sign_of(first - second);
    }
    carom_wide e[4];
    carom_wide minor;
    set_difference(&e[0], b[u], a[u]);
    set_difference(&e[1], c[v], a[v]);
    set_difference(&e[2], b[v], a[v]);
    set_difference(&e[3], c[u], a[u]);
    set_minor(&minor, &e[0], &e[1], &e[2], &e[3]);
    return minor.sign;
}
