/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a point. Out: its angle. Only + - * / are used, in one order.
 *
 * Arctangent: the smaller coordinate over the greater one, less the nearest multiple c of 1/8, whose arctangent is in a
 * table: atan(y/x) = atan(c) + atan((y - c x) / (x + c y)). The rest is at most 1/15, and its series leaves out less
 * than 2^-62. Each of the five roundings before and after is at most 2^-53 of a value less than 1.6. */
#include "kernel/shape/angle.h"

#include <math.h>

#include "simd/ref/turn.h"

/* A quarter of a turn. */
static const double QUARTER_TURN = 0x1.921fb54442d18p+0;

/* Arctangents of 0, 1/8, .. 1. */
static const double ATAN_EIGHTHS[9] = {0.0,
                                       0x1.fd5ba9aac2f6ep-4,
                                       0x1.f5b75f92c80ddp-3,
                                       0x1.6f61941e4def1p-2,
                                       0x1.dac670561bb4fp-2,
                                       0x1.1e00babdefeb4p-1,
                                       0x1.4978fa3269ee1p-1,
                                       0x1.700a7c5784634p-1,
                                       0x1.921fb54442d18p-1};

void carom_angle_sine_cosine(double x, double *sine, double *cosine) {
    carom_turn_sine_cosine(x, sine, cosine);
}

static double series_arctangent(double r) {
    const double z = r * r;
    double sum = 1.0 / 13.0;
    sum = 1.0 / 11.0 - sum * z;
    sum = 1.0 / 9.0 - sum * z;
    sum = 1.0 / 7.0 - sum * z;
    sum = 1.0 / 5.0 - sum * z;
    sum = 1.0 / 3.0 - sum * z;
    return r - r * (z * sum);
}

double carom_angle_of(double y, double x) {
    const double more = fmax(x, y);
    if (!(more > 0.0)) {
        return 0.0;
    }
    const double ratio = fmin(x, y) / more;
    const int eighths = (int)(8.0 * ratio + 0.5);
    const double c = 0.125 * eighths;
    const double angle = ATAN_EIGHTHS[eighths] + series_arctangent((ratio - c) / (1.0 + c * ratio));
    return y > x ? QUARTER_TURN - angle : angle;
}
