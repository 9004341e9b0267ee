/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a relative place and velocity of any size. Out: when they come within reach. */
#include "kernel/response/predict.h"

#include <float.h>

/* The exponent of the largest value. */
static int largest_exponent(const double v[3], double other) {
    int exponent = 0;
    const double most = fmax(fmax(fabs(v[0]), fabs(v[1])), fmax(fabs(v[2]), other));
    (void)frexp(most, &exponent);
    return exponent;
}

static void scale(const double v[3], int exponent, double scaled[3]) {
    for (int a = 0; a < 3; a++) {
        scaled[a] = ldexp(v[a], -exponent);
    }
}

/* Powers of two change no bits of what comes out. */
double carom_predict_reach_small(const double p[3], const double v[3], double reach, const double sizes[3]) {
    const int length = largest_exponent(p, reach);
    const int speed = largest_exponent(v, 0.0);
    double at[3];
    double moves[3];
    double scaled[3];
    if (v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0) {
        return INFINITY;
    }
    scale(p, length, at);
    scale(v, speed, moves);
    scale(sizes, speed, scaled);
    for (int a = 0; a < 3; a++) {
        scaled[a] = fmin(scaled[a], DBL_MAX); /* times 0 it is then 0 */
    }
    return ldexp(carom_impact_time_plain(at, moves, ldexp(reach, -length), scaled), length - speed);
}
