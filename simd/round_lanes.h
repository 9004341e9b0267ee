/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Lanes of doubles in the caller's precision, for templates (simd/ref/round.h is the scalar form). */
#ifndef CAROM_SIMD_ROUND_LANES_H
#define CAROM_SIMD_ROUND_LANES_H

#include "simd/ref/round.h"
#include "simd/vec.h"

#define carom_round_lanes_under CAROM_REAL(carom_round_lanes_under)
#define carom_round_lanes_over CAROM_REAL(carom_round_lanes_over)
#define carom_round_lanes_low CAROM_REAL(carom_round_lanes_low)
#define carom_round_lanes_high CAROM_REAL(carom_round_lanes_high)
#define carom_round_lanes_store CAROM_REAL(carom_round_lanes_store)

/* Within the range of the caller's precision; still a double. */
static inline vd carom_round_lanes_clamp(vd x) {
    const double most = (double)CAROM_ROUND_MOST;
    return vd_min(vd_max(x, vd_set1(-most)), vd_set1(most));
}

#if CAROM_REAL_BITS == 32
/* The float nearest to `from`, or the one below it where that is above x. Nothing goes through memory: a vector that is
 * stored in part and loaded whole waits for its stores. */
static inline vd carom_round_lanes_under(vd from, vd x) {
    const vf near = vf_from_vd(from, from);
    const vd rounded = vd_from_low(near);
    return vd_select(vd_lt(x, rounded), vd_from_low(vf_step_down(near)), rounded);
}

/* Likewise, or the one above it where that is below x. */
static inline vd carom_round_lanes_over(vd from, vd x) {
    const vf near = vf_from_vd(from, from);
    const vd rounded = vd_from_low(near);
    return vd_select(vd_lt(rounded, x), vd_from_low(vf_step_up(near)), rounded);
}

/* Stores what is rounded, or is to be rounded to nearest. */
static inline void carom_round_lanes_store(float *to, vd x) {
    vd_store_f32(to, x);
}
#else
static inline vd carom_round_lanes_under(vd from, vd x) {
    (void)x;
    return from;
}

static inline vd carom_round_lanes_over(vd from, vd x) {
    (void)x;
    return from;
}

static inline void carom_round_lanes_store(double *to, vd x) {
    vd_store(to, x);
}
#endif

/* Bounds. */
static inline vd carom_round_lanes_down(vd x) {
    return carom_round_lanes_under(x, x);
}

static inline vd carom_round_lanes_up(vd x) {
    return carom_round_lanes_over(x, x);
}

/* Sides of a box: those beyond the range of the precision end there. */
static inline void carom_round_lanes_low(carom_real *to, vd x) {
    const vd most = vd_set1(-(double)CAROM_ROUND_MOST);
    carom_round_lanes_store(to, carom_round_lanes_under(carom_round_lanes_clamp(x), vd_max(x, most)));
}

static inline void carom_round_lanes_high(carom_real *to, vd x) {
    const vd most = vd_set1((double)CAROM_ROUND_MOST);
    carom_round_lanes_store(to, carom_round_lanes_over(carom_round_lanes_clamp(x), vd_min(x, most)));
}

#endif
