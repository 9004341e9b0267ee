/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Lesser and greater of two numbers as one comparison, which compilers turn into vector code: fmin and fmax treat NaN
 * and signed zeros differently and are calls. If either is NaN the result is the second. */
#ifndef CAROM_SYS_COMPARE_H
#define CAROM_SYS_COMPARE_H

static inline double carom_lesser(double a, double b) {
    return a < b ? a : b;
}

static inline double carom_greater(double a, double b) {
    return a > b ? a : b;
}

#endif
