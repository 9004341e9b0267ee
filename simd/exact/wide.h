/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Integers of a few thousand bits, as sign and magnitude: doubles in a common unit come in; sums, differences and
 * products go out, exact (the schoolbook algorithms: Knuth, The Art of Computer Programming 2, 4.3.1). They lie on the
 * stack, and have room for any product of four differences of doubles, so nothing can fail. Time depends on the words
 * in use. */
#ifndef CAROM_SIMD_EXACT_WIDE_H
#define CAROM_SIMD_EXACT_WIDE_H

#include <stdint.h>

/* A finite double is a multiple of 2^-1074 below 2^1024: 2,098 bits. Differences of differences have 2,100, the sum of
 * three products of two of those 4,202, a product of two such sums 8,404, and a difference of these one more. */
enum { CAROM_WIDE_WORDS = 132 };

/* sign * sum of word[n] 2^(64 n). */
typedef struct carom_wide {
    int32_t sign;                    /* -1, 0 or 1 */
    uint32_t length;                 /* words in use, at most CAROM_WIDE_WORDS; 0 for zero */
    uint64_t word[CAROM_WIDE_WORDS]; /* magnitude, the least significant first; word[length - 1] is not 0 */
} carom_wide;

/* The exponent of x's lowest set bit: x is an odd multiple of 2 to this power. INT32_MAX for 0. x is finite. */
int32_t carom_wide_exponent(double x);

/* x 2^-exponent, which must be an integer: exponent is at most carom_wide_exponent(x). */
void carom_wide_set(carom_wide *result, double x, int32_t exponent);

/* a + b, a - b. result may be a or b. */
void carom_wide_add(carom_wide *result, const carom_wide *a, const carom_wide *b);
void carom_wide_subtract(carom_wide *result, const carom_wide *a, const carom_wide *b);

/* a b. result is neither a nor b. */
void carom_wide_multiply(carom_wide *result, const carom_wide *a, const carom_wide *b);

#endif
