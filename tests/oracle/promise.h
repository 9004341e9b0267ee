/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* How good a contact is promised to be, for the precision being compiled (CAROM_REAL_BITS). */
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

static inline long double rounded(const mpz_t x) {
    long exponent;
    double mantissa = mpz_get_d_2exp(&exponent, x);
    return ldexpl((long double)mantissa, (int)exponent);
}

/* Of the pair last decided. Long doubles hold products of two lengths of any doubles. */
static inline lengths lengths_of(exact *e) {
    mpz_add(e->part, e->c, e->square);
    return (lengths){.p = sqrtl(rounded(e->part)),
                     .v = sqrtl(rounded(e->a)),
                     .r = rounded(e->sum_radius),
                     .closing = -rounded(e->b)};
}

/* How much earlier than the exact one, `known`, a time may be. Bodies that do not approach touch at the start, if they
 * do. */
static inline long double promise_early(exact *e, double known) {
    lengths l = lengths_of(e);
    long double size = l.p * l.p + l.r * l.r + l.p * l.v;
    long double share = l.closing > 0 ? EARLY_SHARE * size / l.closing : 0;
    return share + EARLY_ROUNDING * (long double)known + EARLY_LEAST;
}

/* How far from R the distance may then be, as a share of |p| + R. Points have no surface to be apart from. */
static inline long double promise_residual(exact *e, double t) {
    lengths l = lengths_of(e);
    long double size = l.p + l.v + l.r;
    long double steepness = l.closing > 0 ? l.p * l.v / l.closing : 0;
    long double far = l.r > 0 ? RESIDUAL_SHARE * size * (size / l.r) * steepness : 0;
    long double rounding = RESIDUAL_ROUNDING * (long double)t * l.v + EARLY_LEAST * l.v;
    return l.p + l.r > 0 ? (far + rounding) / (l.p + l.r) : 0;
}

/* The other fields. p_a, R, and y_a = curr_i - curr_k, then v_a = y_a - p_a are each rounded to 53 bits, as if
 * exponents had no limits. With these p, v and R, and t the t_toi of the row,
 *   t_ca      is -(p.v) / (v.v), off by FIELD_SHARE (sum of |p_a v_a|) / v.v, and only then limited to 0 .. 1;
 *   distance  by 2 FIELD_SHARE |p|;
 *   normal    each component by FIELD_SHARE (1 + t |v| / |p + t v|), the length by FIELD_SHARE; if p + t v is 0 it is
 *             (1, 0, 0);
 *   point     each coordinate by FIELD_SHARE (|prev_k| + |curr_k| on that axis + R + |p| + t |v|), from where the
 *             normal and the time of the row put it;
 * and each by the least number of the precision, too.
 *
 * Why, with u = 2^-53: on each axis p.v and v.v take a product and up to two sums, and t_ca a quotient, so that it errs
 * by 7 u (sum of |p_a v_a|) / v.v. That moves p + t_ca v by 7 u |p| at most. A component of p + t v errs by u t |v_a|
 * and u of itself, and t |v| <= |p| at the closest approach. An error e of p + t v turns the normal by up to
 * 2 e / |p + t v|. In f32 t_toi is rounded down by up to 2^-23 of itself, to 0 below 2^-126, and the others to nearest:
 * t is more by FIELD_TIME in the bounds of the normal and the point. */
static const double FIELD_SHARE = CAROM_REAL_BITS == 32 ? 0x1p-21 : 0x1p-50;
static const double FIELD_TIME = CAROM_REAL_BITS == 32 ? 0x1p-103 : 0.0;
static const double FIELD_LEAST = CAROM_REAL_BITS == 32 ? 0x1p-149 : 0x1p-1074;
/* Exponent of the least power of two that is infinite. */
static const int FIELD_MOST_EXPONENT = CAROM_REAL_BITS == 32 ? 128 : 1024;

#define CAROM_BITS_TEXT_(bits) #bits
#define CAROM_BITS_TEXT_OF(bits) CAROM_BITS_TEXT_(bits)
#define CAROM_BITS_TEXT CAROM_BITS_TEXT_OF(CAROM_REAL_BITS)

#endif
