/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The lesser and the greater of two numbers by one comparison, which compilers turn into vector code. fmin and fmax are
 * calls, since they treat NaN and signed zeros differently. If either number is NaN, the result is the second one. */
#ifndef CAROM_SIMD_COMPARE_H
#define CAROM_SIMD_COMPARE_H

static inline double carom_lesser(double a, double b) {
    return a < b ? a : b;
}

static inline double carom_greater(double a, double b) {
    return a > b ? a : b;
}

#endif
