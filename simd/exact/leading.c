/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "simd/exact/leading.h"

#include <float.h>
#include <math.h>

#include "kernel/check/assert.h"

__extension__ typedef unsigned __int128 double_word;

enum { WORD_BITS = 64, MANTISSA_BITS = 53 };

/* word 2^exponent, rounded to 64 bits. `inexact` says that something below the last bit of `word` has been cut off. */
static carom_leading_bits normalise(double_word word, int32_t exponent, bool inexact, bool up) {
    if (word == 0) {
        return (carom_leading_bits){inexact && up ? UINT64_C(1) << (WORD_BITS - 1) : 0, exponent - (WORD_BITS - 1)};
    }
    uint64_t high = (uint64_t)(word >> WORD_BITS);
    int32_t zeros = high != 0 ? __builtin_clzll(high) : WORD_BITS + __builtin_clzll((uint64_t)word);
    word <<= zeros;
    exponent += WORD_BITS - zeros;
    inexact |= (uint64_t)word != 0;
    uint64_t mantissa = (uint64_t)(word >> WORD_BITS) + (inexact && up);
    /* Rounding up may leave 2^64. */
    return mantissa != 0 ? (carom_leading_bits){mantissa, exponent}
                         : (carom_leading_bits){UINT64_C(1) << (WORD_BITS - 1), exponent + 1};
}

carom_leading_bits carom_leading_of(const carom_wide *x, bool up) {
    if (x->length == 0) {
        return (carom_leading_bits){0, 0};
    }
    const uint32_t top = x->length - 1;
    double_word word = (double_word)x->word[top] << WORD_BITS | (top > 0 ? x->word[top - 1] : 0);
    bool inexact = false;
    for (uint32_t n = 0; n + 1 < top; n++) {
        inexact |= x->word[n] != 0;
    }
    return normalise(word, ((int32_t)top - 1) * WORD_BITS, inexact, up);
}

carom_leading_bits carom_leading_of_double(double x) {
    CAROM_ASSERT(isnormal(x) && x > 0.0);
    int exponent;
    const double fraction = frexp(x, &exponent); /* in [1/2, 1) */
    return (carom_leading_bits){(uint64_t)(fraction * 0x1p64), exponent - WORD_BITS};
}

/* What every function here takes and returns: the topmost bit is set, or all are 0. */
static bool is_normal(carom_leading_bits x) {
    return x.mantissa == 0 || x.mantissa >> (WORD_BITS - 1) != 0;
}

/* The largest integer whose square is no more than x, bit by bit from the top. */
static uint64_t root_below(double_word x) {
    uint64_t root = 0;
    for (uint64_t bit = UINT64_C(1) << (WORD_BITS - 1); bit != 0; bit >>= 1) {
        uint64_t larger = root | bit;
        root = (double_word)larger * larger <= x ? larger : root;
    }
    return root;
}

carom_leading_bits carom_leading_root_above(carom_leading_bits x) {
    CAROM_ASSERT(is_normal(x));
    if (x.mantissa == 0) {
        return x;
    }
    /* An even exponent, so that its half is one; and as many bits as fit, for a root of 64. */
    int32_t shift = (x.exponent & 1) == 0 ? WORD_BITS : WORD_BITS - 1;
    double_word word = (double_word)x.mantissa << shift;
    uint64_t root = root_below(word);
    return normalise(root, (x.exponent - shift) / 2, (double_word)root * root != word, true);
}

carom_leading_bits carom_leading_sum_above(carom_leading_bits a, carom_leading_bits b) {
    CAROM_ASSERT(is_normal(a) && is_normal(b));
    if (a.mantissa == 0 || b.mantissa == 0) {
        return a.mantissa != 0 ? a : b;
    }
    carom_leading_bits large = a.exponent >= b.exponent ? a : b;
    carom_leading_bits small = a.exponent >= b.exponent ? b : a;
    int32_t apart = large.exponent - small.exponent;
    /* One bit of the 128 is left for the carry. Bits of the smaller part below the other 63 only make the sum inexact.
     */
    const int32_t room = WORD_BITS - 1;
    double_word sum = (double_word)large.mantissa << room;
    bool inexact = apart > room && small.mantissa != 0;
    if (apart <= room) {
        sum += (double_word)small.mantissa << (room - apart);
    } else if (apart < room + WORD_BITS) {
        sum += small.mantissa >> (apart - room);
    }
    return normalise(sum, large.exponent - room, inexact, true);
}

double carom_leading_quotient_below(carom_leading_bits a, carom_leading_bits b) {
    CAROM_ASSERT(is_normal(a) && is_normal(b) && b.mantissa != 0);
    if (a.mantissa == 0) {
        return 0.0;
    }
    double_word quotient = ((double_word)a.mantissa << WORD_BITS) / b.mantissa; /* 63 to 65 bits */
    int32_t exponent = a.exponent - b.exponent - WORD_BITS;
    while (quotient >> MANTISSA_BITS != 0) { /* down to all of a double's bits */
        quotient >>= 1;
        exponent++;
    }
    /* Scaling to a subnormal would round, perhaps up, and perhaps up to the least normal number. */
    const bool normal = exponent + MANTISSA_BITS >= DBL_MIN_EXP;
    return normal ? scalbn((double)(uint64_t)quotient, exponent) : 0.0;
}
