/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "simd/exact/wide.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "kernel/check/assert.h"

__extension__ typedef unsigned __int128 double_word;

enum { MANTISSA_BITS = 52, EXPONENT_MASK = 0x7FF, LEAST_EXPONENT = -1074, WORD_BITS = 64 };

/* Splits |x| into an integer below 2^53, returned, and a power of two. x is finite. */
static uint64_t take_apart(double x, int32_t *exponent) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint64_t mantissa = bits & ((UINT64_C(1) << MANTISSA_BITS) - 1);
    int32_t biased = (int32_t)(bits >> MANTISSA_BITS & EXPONENT_MASK);
    CAROM_ASSERT(biased != EXPONENT_MASK);
    *exponent = LEAST_EXPONENT + (biased > 1 ? biased - 1 : 0);
    return biased == 0 ? mantissa : mantissa | UINT64_C(1) << MANTISSA_BITS;
}

int32_t carom_wide_exponent(double x) {
    int32_t exponent;
    uint64_t mantissa = take_apart(x, &exponent);
    return mantissa == 0 ? INT32_MAX : exponent + __builtin_ctzll(mantissa);
}

/* Drops leading words that are 0. */
static void trim(carom_wide *x) {
    while (x->length > 0 && x->word[x->length - 1] == 0) {
        x->length--;
    }
    x->sign = x->length == 0 ? 0 : x->sign;
}

void carom_wide_set(carom_wide *result, double x, int32_t exponent) {
    int32_t own;
    uint64_t mantissa = take_apart(x, &own);
    result->sign = x < 0 ? -1 : 1;
    result->length = 0;
    if (mantissa == 0) {
        result->sign = 0;
        return;
    }
    int32_t odd = __builtin_ctzll(mantissa);
    CAROM_ASSERT(own + odd >= exponent);
    uint32_t shift = (uint32_t)(own + odd - exponent);
    mantissa >>= odd;
    uint32_t first = shift / WORD_BITS;
    CAROM_ASSERT(first + 1 < CAROM_WIDE_WORDS);
    memset(result->word, 0, first * sizeof *result->word);
    result->word[first] = mantissa << shift % WORD_BITS;
    result->word[first + 1] = shift % WORD_BITS == 0 ? 0 : mantissa >> (WORD_BITS - shift % WORD_BITS);
    result->length = first + 2;
    trim(result);
}

/* |a| and |b|: less than, equal to or greater than 0 as |a| is than |b|. */
static int compare(const carom_wide *a, const carom_wide *b) {
    if (a->length != b->length) {
        return a->length < b->length ? -1 : 1;
    }
    for (uint32_t n = a->length; n-- > 0;) {
        if (a->word[n] != b->word[n]) {
            return a->word[n] < b->word[n] ? -1 : 1;
        }
    }
    return 0;
}

/* No leading word is 0, and zero has no words. */
static bool is_trimmed(const carom_wide *x) {
    return x->length == 0 ? x->sign == 0 : x->sign != 0 && x->word[x->length - 1] != 0;
}

/* |result| = |longer| + |shorter|; `longer` has at least as many words. */
static void add_magnitudes(carom_wide *result, const carom_wide *longer, const carom_wide *shorter) {
    uint64_t carry = 0;
    const uint32_t length = longer->length;
    CAROM_ASSERT(length >= shorter->length);
    for (uint32_t n = 0; n < length; n++) {
        double_word sum = (double_word)longer->word[n] + (n < shorter->length ? shorter->word[n] : 0) + carry;
        result->word[n] = (uint64_t)sum;
        carry = (uint64_t)(sum >> WORD_BITS);
    }
    result->length = length;
    if (carry != 0) {
        CAROM_ASSERT(length < CAROM_WIDE_WORDS);
        result->word[result->length++] = carry;
    }
}

/* |result| = |larger| - |smaller|, not negative. */
static void subtract_magnitudes(carom_wide *result, const carom_wide *larger, const carom_wide *smaller) {
    uint64_t borrow = 0;
    const uint32_t length = larger->length;
    for (uint32_t n = 0; n < length; n++) {
        double_word take = (double_word)(n < smaller->length ? smaller->word[n] : 0) + borrow;
        borrow = larger->word[n] < take;
        result->word[n] = larger->word[n] - (uint64_t)take;
    }
    CAROM_ASSERT(borrow == 0);
    result->length = length;
}

/* a + |b| sign_b: equal signs add magnitudes, others subtract the smaller from the larger. */
static void add_signed(carom_wide *result, const carom_wide *a, const carom_wide *b, int32_t sign_b) {
    CAROM_ASSERT(is_trimmed(a) && is_trimmed(b));
    const int32_t sign_a = a->sign;
    if (sign_a == sign_b || sign_a == 0 || sign_b == 0) {
        add_magnitudes(result, a->length >= b->length ? a : b, a->length >= b->length ? b : a);
        result->sign = sign_a != 0 ? sign_a : sign_b;
    } else if (compare(a, b) >= 0) {
        subtract_magnitudes(result, a, b);
        result->sign = sign_a;
    } else {
        subtract_magnitudes(result, b, a);
        result->sign = sign_b;
    }
    trim(result);
}

void carom_wide_add(carom_wide *result, const carom_wide *a, const carom_wide *b) {
    add_signed(result, a, b, b->sign);
}

void carom_wide_subtract(carom_wide *result, const carom_wide *a, const carom_wide *b) {
    add_signed(result, a, b, -b->sign);
}

void carom_wide_multiply(carom_wide *result, const carom_wide *a, const carom_wide *b) {
    CAROM_ASSERT(is_trimmed(a) && is_trimmed(b));
    CAROM_ASSERT(result != a && result != b && a->length + b->length <= CAROM_WIDE_WORDS);
    result->length = a->length + b->length;
    result->sign = a->sign * b->sign;
    memset(result->word, 0, result->length * sizeof *result->word);
    for (uint32_t n = 0; n < a->length; n++) {
        uint64_t carry = 0;
        for (uint32_t m = 0; m < b->length; m++) {
            double_word sum = (double_word)a->word[n] * b->word[m] + result->word[n + m] + carry;
            result->word[n + m] = (uint64_t)sum;
            carry = (uint64_t)(sum >> WORD_BITS);
        }
        result->word[n + b->length] = carry;
    }
    trim(result);
}
