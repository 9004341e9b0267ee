/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Doubles in the caller's precision, for templates. A bound that floats cannot hold is rounded away from what it
 * bounds; a coordinate beyond the largest number becomes that. */
#ifndef CAROM_SIMD_REF_ROUND_H
#define CAROM_SIMD_REF_ROUND_H

#include <float.h>
#include <math.h>

#include "simd/compare.h"
#include "simd/precision.h"

#define carom_round_after CAROM_REAL(carom_round_after)
#define carom_round_down CAROM_REAL(carom_round_down)
#define carom_round_up CAROM_REAL(carom_round_up)
#define carom_round_near CAROM_REAL(carom_round_near)

#if CAROM_REAL_BITS == 32
#define CAROM_ROUND_MOST FLT_MAX
#else
#define CAROM_ROUND_MOST DBL_MAX
#endif

static inline carom_real carom_round_after(carom_real x, carom_real to) {
#if CAROM_REAL_BITS == 32
    return nextafterf(x, to);
#else
    return nextafter(x, to);
#endif
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

#endif
