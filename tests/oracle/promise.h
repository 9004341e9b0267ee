/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* How good a time of impact is promised to be, for the precision being compiled (CAROM_REAL_BITS). */
#ifndef CAROM_TESTS_PROMISE_H
#define CAROM_TESTS_PROMISE_H

#include <math.h>

#include "tests/oracle/exact.h"

/* As detect.h has it: early by a share of (|p|^2 + R^2 + |p||v|) / -(p.v), by rounding down, and by all of a time below
 * the normal range; then apart by a share of (|p| + |v| + R)^2 |p||v| / (-R (p.v)) and by what the body goes in the
 * time of a rounding. */
static const long double EARLY_SHARE = CAROM_REAL_BITS == 32 ? 0x1p-27L : 0x1p-37L;
static const long double EARLY_ROUNDING = CAROM_REAL_BITS == 32 ? 0x1p-23L : 0x1p-51L;
static const long double EARLY_LEAST = CAROM_REAL_BITS == 32 ? 0x1p-126L : 0x1p-1022L;
static const long double RESIDUAL_SHARE = 0x1p-43L;
static const long double RESIDUAL_ROUNDING = CAROM_REAL_BITS == 32 ? 0x1p-22L : 0x1p-50L;

/* In the judge's units: only ratios are asked for. */
typedef struct lengths {
    long double p;
    long double v;
    long double r;
    long double closing; /* -(p.v) */
} lengths;

static long double rounded(const mpz_t x) {
    long exponent;
    double mantissa = mpz_get_d_2exp(&exponent, x);
    return ldexpl((long double)mantissa, (int)exponent);
}

/* Of the pair last decided. Long doubles hold products of two lengths of any doubles. */
static lengths lengths_of(exact *e) {
    mpz_add(e->part, e->c, e->square);
    return (lengths){.p = sqrtl(rounded(e->part)),
                     .v = sqrtl(rounded(e->a)),
                     .r = rounded(e->sum_radius),
                     .closing = -rounded(e->b)};
}

/* How much earlier than the exact one, `known`, a time may be. Bodies that do not approach touch at the start, if they
 * do. */
static long double promise_early(exact *e, double known) {
    lengths l = lengths_of(e);
    long double size = l.p * l.p + l.r * l.r + l.p * l.v;
    long double share = l.closing > 0 ? EARLY_SHARE * size / l.closing : 0;
    return share + EARLY_ROUNDING * (long double)known + EARLY_LEAST;
}

/* How far from R the distance may then be, as a share of |p| + R. Points have no surface to be apart from. */
static long double promise_residual(exact *e, double t) {
    lengths l = lengths_of(e);
    long double size = l.p + l.v + l.r;
    long double steepness = l.closing > 0 ? l.p * l.v / l.closing : 0;
    long double far = l.r > 0 ? RESIDUAL_SHARE * size * (size / l.r) * steepness : 0;
    long double rounding = RESIDUAL_ROUNDING * (long double)t * l.v + EARLY_LEAST * l.v;
    return l.p + l.r > 0 ? (far + rounding) / (l.p + l.r) : 0;
}

#define CAROM_BITS_TEXT_(bits) #bits
#define CAROM_BITS_TEXT_OF(bits) CAROM_BITS_TEXT_(bits)
#define CAROM_BITS_TEXT CAROM_BITS_TEXT_OF(CAROM_REAL_BITS)

#endif
