/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* One axis of a swept box for the scalar twins: the specification that vr_box in simd/real.h follows to the bit. */
#ifndef CAROM_SIMD_REF_BOX_H
#define CAROM_SIMD_REF_BOX_H

#include <float.h>
#include <math.h>
#include <string.h>

#include "simd/isa.h"
#include "simd/ref/place.h"

typedef struct interval {
    float lo;
    float hi;
} interval;

static inline carom_real least(carom_real a, carom_real b) {
    return a < b ? a : b;
}

static inline carom_real most(carom_real a, carom_real b) {
    return a > b ? a : b;
}

/* The next float below; both zeros step to the least negative float, -FLT_MAX to -inf. */
static inline float step_down(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    if (bits == 0) {
        bits = UINT32_C(0x80000001);
    } else {
        bits = (bits >> 31) != 0 ? bits + 1 : bits - 1;
    }
    memcpy(&x, &bits, sizeof bits);
    return x;
}

/* A float step outward on both sides. NaN and what is beyond the range of float become the largest float first, so that
 * the step gives an infinite side. */
static inline interval round_outward(float lo, float hi) {
    lo = lo > -FLT_MAX ? lo : -FLT_MAX;
    hi = hi < FLT_MAX ? hi : FLT_MAX;
    return (interval){step_down(lo), -step_down(-hi)};
}

#if CAROM_REAL_BITS == 32

static inline interval swept_interval(float prev, float curr, float radius, double centre) {
    (void)centre;
    return round_outward(least(prev, curr) - radius, most(prev, curr) + radius);
}

#else

static inline double box_slack(double m, double radius, double centre) {
    return ((fabs(m) + radius) + fabs(centre)) * 0x1p-51;
}

static inline interval swept_interval(double prev, double curr, double radius, double centre) {
    double low = least(prev, curr);
    double high = most(prev, curr);
    low = ((low - radius) - centre) - box_slack(low, radius, centre);
    high = ((high + radius) - centre) + box_slack(high, radius, centre);
    return round_outward((float)low, (float)high);
}

#endif

#endif
