/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/oracle/sure.h"

#include <float.h>
#include <math.h>

/* 64u; LDBL_EPSILON is 2u. */
static const long double MARGIN = 32 * LDBL_EPSILON;

/* Products of four differences below 2^1026, and of multiples of 2^-1074, with room for sums and margins. */
enum { EXPONENT_MOST = 4 * 1026 + 8, EXPONENT_LEAST = -4 * 1074 - 64 };

static bool long_doubles_serve(void) {
    volatile long double one = 1;
    volatile long double more = one + LDBL_EPSILON;
    return LDBL_MAX_EXP > EXPONENT_MOST && LDBL_MIN_EXP < EXPONENT_LEAST && LDBL_MANT_DIG > DBL_MANT_DIG && more > one;
}

sure sure_of(const exact_pair *pair) {
    sure s = {.able = long_doubles_serve()};
    const long double sum_radius = (long double)pair->radius[0] + pair->radius[1];
    long double length = sum_radius;
    long double square = 0;
    for (int a = 0; a < 3; a++) {
        const long double p = (long double)pair->prev[0][a] - pair->prev[1][a];
        const long double v = (long double)pair->curr[0][a] - pair->curr[1][a] - p;
        length += fabsl(p) + fabsl(v);
        s.a += v * v;
        s.b += p * v;
        square += p * p;
    }
    s.c = square - sum_radius * sum_radius;
    s.margin = MARGIN * length * length;
    s.last_margin = s.margin * length * length;
    return s;
}

bool sure_at_start(const sure *s) {
    return s->able && s->c < -s->margin;
}

/* Apart at both ends: the closest approach is at one of them, or is too far. */
static bool stay_apart(const sure *s, long double last) {
    const bool receding = s->b > s->margin;
    const bool approaching_still = s->a + s->b < -s->margin;
    return receding || approaching_still || last < -s->last_margin;
}

/* The closest approach is within the step, and near enough. */
static bool meet(const sure *s, long double last) {
    return s->b < -s->margin && s->a + s->b > s->margin && last > s->last_margin;
}

sure_verdict sure_decide(const sure *s) {
    const long double end = (s->a + s->b) + (s->b + s->c);
    const long double last = s->b * s->b - s->a * s->c;
    if (!s->able) {
        return SURE_OF_NOTHING;
    }
    if (s->c < -s->margin || end < -s->margin || meet(s, last)) {
        return SURE_TOUCHING;
    }
    return s->c > s->margin && end > s->margin && stay_apart(s, last) ? SURE_APART : SURE_OF_NOTHING;
}

bool sure_not_late(const sure *s, double t) {
    const long double slope = s->a * t + s->b;
    const long double value = (slope + s->b) * t + s->c;
    return s->able && slope < -s->margin && value > s->margin;
}
