/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The floating-point environment that results depend on: rounding to nearest, subnormal numbers kept, no traps. A host
 * may have set another one for its threads, so every parallel task enters this one and restores what it found. */
#ifndef CAROM_SYS_ARITHMETIC_H
#define CAROM_SYS_ARITHMETIC_H

#include <stdint.h>

/* gcc defines a macro for each option, clang one for all of them and one for finite numbers. */
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) ||                         \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ != 0)
#error "results must be the same everywhere: build without -ffast-math and its kind"
#endif

/* What was set before. */
typedef struct carom_arithmetic {
    uint64_t control; /* control and status registers, as the processor has them */
} carom_arithmetic;

/* Sets the environment of the calling thread; returns what it had, including the exception flags. */
carom_arithmetic carom_arithmetic_enter(void);

/* Restores it. */
void carom_arithmetic_leave(carom_arithmetic before);

#endif
