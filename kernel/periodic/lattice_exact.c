/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/periodic/lattice_exact.h"

#include <math.h>

#include "kernel/check/assert.h"
#include "simd/exact/leading.h"

/* A part has 64 bits, a double 53. */
enum { BITS_CUT = 11 };

/* The power of two that all values are multiples of, or 0 if all are zero. */
static int32_t common_exponent(const double *x, int count) {
    int32_t least = INT32_MAX;
    for (int n = 0; n < count; n++) {
        int32_t own = carom_wide_exponent(x[n]);
        least = own < least ? own : least;
    }
    return least == INT32_MAX ? 0 : least;
}

/* Component a of the cross product of x and y. */
static void cross_axis(const carom_wide x[3], const carom_wide y[3], int a, carom_wide *result) {
    carom_wide product;
    carom_wide_multiply(result, &x[(a + 1) % 3], &y[(a + 2) % 3]);
    carom_wide_multiply(&product, &x[(a + 2) % 3], &y[(a + 1) % 3]);
    carom_wide_subtract(result, result, &product);
}

static bool span_area(const carom_wide x[3], const carom_wide y[3]) {
    carom_wide normal;
    bool any = false;
    for (int a = 0; a < 3 && !any; a++) {
        cross_axis(x, y, a, &normal);
        any = normal.sign != 0;
    }
    return any;
}

static bool span_volume(const carom_wide x[3], const carom_wide y[3], const carom_wide z[3]) {
    carom_wide volume = {.sign = 0, .length = 0};
    for (int a = 0; a < 3; a++) {
        carom_wide normal;
        carom_wide product;
        cross_axis(y, z, a, &normal);
        carom_wide_multiply(&product, &x[a], &normal);
        carom_wide_add(&volume, &volume, &product);
    }
    return volume.sign != 0;
}

bool carom_lattice_exact_independent(const double edge[3][3], uint32_t dimensions) {
    CAROM_ASSERT(dimensions >= 1 && dimensions <= 3);
    const int32_t exponent = common_exponent(edge[0], (int)dimensions * 3);
    carom_wide wide[3][3];
    for (uint32_t b = 0; b < dimensions; b++) {
        for (int j = 0; j < 3; j++) {
            carom_wide_set(&wide[b][j], edge[b][j], exponent);
        }
    }
    if (dimensions == 1) {
        return wide[0][0].sign != 0 || wide[0][1].sign != 0 || wide[0][2].sign != 0;
    }
    return dimensions == 2 ? span_area(wide[0], wide[1]) : span_volume(wide[0], wide[1], wide[2]);
}

/* x 2^exponent, rounded to the nearest double. A last bit that stands for all that was cut off keeps halves apart from
 * what is more. Numbers below the normal ones are multiples of the least number here, and so are not rounded. */
static double nearest(const carom_wide *x, int32_t exponent, bool *exact) {
    const carom_leading_bits below = carom_leading_of(x, false);
    const carom_leading_bits above = carom_leading_of(x, true);
    const uint64_t mantissa = below.mantissa | (below.mantissa != above.mantissa);
    *exact = mantissa << (64 - BITS_CUT) == 0;
    const double size = ldexp((double)mantissa, below.exponent + exponent);
    return x->sign < 0 ? -size : size;
}

double carom_lattice_exact_sum(const double whole[3], const double x[3], bool *exact) {
    const int32_t exponent[2] = {common_exponent(whole, 3), common_exponent(x, 3)};
    carom_wide sum = {.sign = 0, .length = 0};
    for (int n = 0; n < 3; n++) {
        carom_wide factor[2];
        carom_wide product;
        carom_wide_set(&factor[0], whole[n], exponent[0]);
        carom_wide_set(&factor[1], x[n], exponent[1]);
        carom_wide_multiply(&product, &factor[0], &factor[1]);
        carom_wide_add(&sum, &sum, &product);
    }
    return nearest(&sum, exponent[0] + exponent[1], exact);
}
