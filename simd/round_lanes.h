/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Lanes of doubles in the caller's precision, for templates (simd/ref/round.h is the scalar form). */
#ifndef CAROM_SIMD_ROUND_LANES_H
#define CAROM_SIMD_ROUND_LANES_H

#include "simd/ref/round.h"
#include "simd/vec.h"

#define carom_round_lanes_near CAROM_REAL(carom_round_lanes_near)
#define carom_round_lanes_down CAROM_REAL(carom_round_lanes_down)
#define carom_round_lanes_up CAROM_REAL(carom_round_lanes_up)
#define carom_round_lanes_low CAROM_REAL(carom_round_lanes_low)
#define carom_round_lanes_high CAROM_REAL(carom_round_lanes_high)

static inline vd carom_round_lanes_clamp(vd x) {
    const double most = (double)CAROM_ROUND_MOST;
    return vd_min(vd_max(x, vd_set1(-most)), vd_set1(most));
}

#if CAROM_REAL_BITS == 32
static inline void carom_round_lanes_near(float *to, vd x) {
    vd_store_f32(to, carom_round_lanes_clamp(x));
}

/* The float nearest to `from`, or the one below it where that is above x. */
static inline void carom_round_lanes_under(float *to, vd from, vd x) {
    float near[CAROM_LANES] = {0.0F};
    float below[CAROM_LANES];
    vd_store_f32(near, from);
    vf_store(below, vf_step_down(vf_load(near)));
    const vd rounded = vd_from_low(vf_load(near));
    vd_store_f32(to, vd_select(vd_lt(x, rounded), vd_from_low(vf_load(below)), rounded));
}

static inline void carom_round_lanes_over(float *to, vd from, vd x) {
    float near[CAROM_LANES] = {0.0F};
    float above[CAROM_LANES];
    vd_store_f32(near, from);
    vf_store(above, vf_step_up(vf_load(near)));
    const vd rounded = vd_from_low(vf_load(near));
    vd_store_f32(to, vd_select(vd_lt(rounded, x), vd_from_low(vf_load(above)), rounded));
}

static inline void carom_round_lanes_down(float *to, vd x) {
    carom_round_lanes_under(to, x, x);
}

static inline void carom_round_lanes_up(float *to, vd x) {
    carom_round_lanes_over(to, x, x);
}

/* The same within the range of floats: sides beyond it end there. */
static inline void carom_round_lanes_low(float *to, vd x) {
    const vd from = carom_round_lanes_clamp(x);
    carom_round_lanes_under(to, from, vd_max(x, vd_set1(-(double)CAROM_ROUND_MOST)));
}

static inline void carom_round_lanes_high(float *to, vd x) {
    const vd from = carom_round_lanes_clamp(x);
    carom_round_lanes_over(to, from, vd_min(x, vd_set1((double)CAROM_ROUND_MOST)));
}
#else
static inline void carom_round_lanes_near(double *to, vd x) {
    vd_store(to, carom_round_lanes_clamp(x));
}

static inline void carom_round_lanes_down(double *to, vd x) {
    vd_store(to, x);
}

static inline void carom_round_lanes_up(double *to, vd x) {
    vd_store(to, x);
}

static inline void carom_round_lanes_low(double *to, vd x) {
    vd_store(to, carom_round_lanes_clamp(x));
}

static inline void carom_round_lanes_high(double *to, vd x) {
    vd_store(to, carom_round_lanes_clamp(x));
}
#endif

#endif
