/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Numbers with the 53 bits of a double and an exponent of their own. Sums, products, quotients and roots are rounded
 * as those of doubles are, but none of them overflows or underflows. Where doubles do neither, both have the same
 * bits. */
#ifndef CAROM_SIMD_REF_SCALED_H
#define CAROM_SIMD_REF_SCALED_H

#include <math.h>

/* mantissa 2^exponent with 1/2 <= |mantissa| < 1. Zero has a sign too, and SCALED_ZERO as its exponent. */
typedef struct scaled {
    double mantissa;
    int exponent;
} scaled;

/* Less than any exponent of a result here. Two numbers further apart than SCALED_APART bits sum to the larger one. */
enum { SCALED_ZERO = -(1 << 24), SCALED_APART = 128 };

/* x 2^exponent. */
static inline scaled scaled_from(double x, int exponent) {
    int own;
    const double mantissa = frexp(x, &own);
    return (scaled){mantissa, mantissa == 0.0 ? SCALED_ZERO : exponent + own};
}

static inline scaled scaled_of(double x) {
    return scaled_from(x, 0);
}

/* Rounded once more where doubles are subnormal, and infinite beyond the largest double. */
static inline double scaled_double(scaled x) {
    return scalbn(x.mantissa, x.exponent);
}

static inline scaled scaled_negative(scaled x) {
    return (scaled){-x.mantissa, x.exponent};
}

static inline scaled scaled_add(scaled a, scaled b) {
    const scaled large = a.exponent >= b.exponent ? a : b;
    const scaled small = a.exponent >= b.exponent ? b : a;
    const int apart = large.exponent - small.exponent;
    const double less = apart > SCALED_APART ? 0.0 : scalbn(small.mantissa, -apart);
    return scaled_from(large.mantissa + less, large.exponent);
}

static inline scaled scaled_subtract(scaled a, scaled b) {
    return scaled_add(a, scaled_negative(b));
}

static inline scaled scaled_multiply(scaled a, scaled b) {
    return scaled_from(a.mantissa * b.mantissa, a.exponent + b.exponent);
}

/* b is not 0. */
static inline scaled scaled_divide(scaled a, scaled b) {
    return scaled_from(a.mantissa / b.mantissa, a.exponent - b.exponent);
}

/* Of x >= 0. */
static inline scaled scaled_root(scaled x) {
    const int odd = x.exponent & 1;
    return scaled_from(sqrt(scalbn(x.mantissa, odd)), (x.exponent - odd) / 2);
}

/* x limited to 0 .. 1. */
static inline scaled scaled_clamp_unit(scaled x) {
    if (!(x.mantissa > 0.0)) {
        return scaled_of(0.0);
    }
    return x.exponent <= 0 ? x : scaled_of(1.0);
}

#endif
