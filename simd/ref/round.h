/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Doubles in the caller's precision, for templates. A bound that floats cannot hold is rounded away from what it
 * bounds; a coordinate beyond the largest number becomes that. */
#ifndef CAROM_SIMD_REF_ROUND_H
#define CAROM_SIMD_REF_ROUND_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "simd/compare.h"
#include "simd/precision.h"

#define carom_round_after CAROM_REAL(carom_round_after)
#define carom_round_down CAROM_REAL(carom_round_down)
#define carom_round_up CAROM_REAL(carom_round_up)
#define carom_round_near CAROM_REAL(carom_round_near)
#define carom_round_low CAROM_REAL(carom_round_low)
#define carom_round_high CAROM_REAL(carom_round_high)

#if CAROM_REAL_BITS == 32
#define CAROM_ROUND_MOST FLT_MAX
#else
#define CAROM_ROUND_MOST DBL_MAX
#endif

#if CAROM_REAL_BITS == 32
typedef uint32_t carom_round_bits;
#else
typedef uint64_t carom_round_bits;
#endif

/* The next number after x != `to` towards `to`; neither is NaN. Numbers of one sign are in the order of their bits. The
 * function of the C library does the same, slowly. */
static inline carom_real carom_round_after(carom_real x, carom_real to) {
    carom_round_bits bits;
    memcpy(&bits, &x, sizeof bits);
    if (x == 0) {
        bits = (carom_round_bits)1 | (to < 0 ? (carom_round_bits)1 << (CAROM_REAL_BITS - 1) : 0);
    } else {
        bits = (x < to) == (x > 0) ? bits + 1 : bits - 1;
    }
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline carom_real carom_round_down(double x) {
    const carom_real near = (carom_real)x;
    return (double)near > x ? carom_round_after(near, -(carom_real)HUGE_VAL) : near;
}

static inline carom_real carom_round_up(double x) {
    const carom_real near = (carom_real)x;
    return (double)near < x ? carom_round_after(near, (carom_real)HUGE_VAL) : near;
}

static inline carom_real carom_round_near(double x) {
    return (carom_real)carom_lesser(carom_greater(x, -(double)CAROM_ROUND_MOST), (double)CAROM_ROUND_MOST);
}

/* Sides of a box. Beyond the largest number they end there, on both sides of it: boxes that overlap still do. A side
 * that is no number, because sums overflowed, ends there too. */
static inline carom_real carom_round_low(double lo) {
    if (!(lo > -(double)CAROM_ROUND_MOST)) {
        return -CAROM_ROUND_MOST;
    }
    const carom_real near = carom_round_near(lo);
    return (double)near > lo ? carom_round_after(near, -CAROM_ROUND_MOST) : near;
}

static inline carom_real carom_round_high(double hi) {
    if (!(hi < (double)CAROM_ROUND_MOST)) {
        return CAROM_ROUND_MOST;
    }
    const carom_real near = carom_round_near(hi);
    return (double)near < hi ? carom_round_after(near, CAROM_ROUND_MOST) : near;
}

#endif
