/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The floating-point environment that results depend on: rounding to nearest, subnormal numbers kept, no traps. */
#ifndef CAROM_SYS_ARITHMETIC_H
#define CAROM_SYS_ARITHMETIC_H

#include <stdint.h>

/* gcc tells of each liberty, clang of all together and of finite numbers. */
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) ||                         \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ != 0)
#error "results must be the same everywhere: build without -ffast-math and its kind"
#endif

/* What was set before. */
typedef struct carom_arithmetic {
    uint64_t control;
} carom_arithmetic;

/* Sets the environment for the calling thread; returns what it had, flags of exceptions included. */
carom_arithmetic carom_arithmetic_enter(void);

/* Restores it. */
void carom_arithmetic_leave(carom_arithmetic before);

#endif
