/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Floating point with 64 bits of mantissa and a direction of rounding that is known. Wide integers come in, as |x|; a
 * root, a sum and a quotient go out that are bounds of the exact ones. simd/exact/exact.c makes a time of them that is
 * never late. Doubles would not do: their 53 bits are too few for a result good to 2^-51, and their exponents have too
 * little range. */
#ifndef CAROM_SIMD_EXACT_LEADING_H
#define CAROM_SIMD_EXACT_LEADING_H

#include <stdbool.h>

#include "simd/exact/wide.h"

/* mantissa 2^exponent, never negative. */
typedef struct carom_leading_bits {
    uint64_t mantissa; /* its topmost bit is set; or 0, for the number 0 */
    int32_t exponent;
} carom_leading_bits;

/* |x|, rounded up or down by less than 2^-63 of itself. */
carom_leading_bits carom_leading_of(const carom_wide *x, bool up);

/* x, exactly. It is normal and > 0. */
carom_leading_bits carom_leading_of_double(double x);

/* No less than the root, and by at most 2^-62 of it more. */
carom_leading_bits carom_leading_root_above(carom_leading_bits x);

/* No less than a + b, and by at most 2^-62 of it more. */
carom_leading_bits carom_leading_sum_above(carom_leading_bits a, carom_leading_bits b);

/* No more than a / b, b not 0, and by at most 2^-52 of it less, as long as that is a normal double. */
double carom_leading_quotient_below(carom_leading_bits a, carom_leading_bits b);

#endif
