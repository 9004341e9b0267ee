/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: an angle, or a point. Out: its sine and cosine, or its angle. Only + - * / are used, in one order.
 *
 * Sine and cosine: the angle less the nearest multiple n of pi/2, and Taylor's series for what is left, r with
 * |r| <= pi/4 + 2^-20. What the series leave out is less than r^19/19! < 2^-62 and r^18/18! < 2^-58. pi/2 is the sum of
 * three parts; the first two have 33 bits, so that their products with n < 2^20 are exact. The first difference is
 * exact, the second rounds by less than 2^-54, and the third by no more: r is off by 2^-53. Horner's form rounds by
 * less than 2^-52.5. Together this is less than 2^-51.
 *
 * Arctangent: the smaller coordinate over the greater one, less the nearest multiple c of 1/8, whose arctangent is in a
 * table: atan(y/x) = atan(c) + atan((y - c x) / (x + c y)). The rest is at most 1/15, and its series leaves out less
 * than 2^-62. Each of the five roundings before and after is at most 2^-53 of a value less than 1.6. */
#include "kernel/shape/angle.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* pi/2 in three parts, and 2/pi. */
static const double HALF_PI[3] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69};
static const double PER_HALF_PI = 0x1.45f306dc9c883p-1;
static const double QUARTER_TURN = 0x1.921fb54442d18p+0;

/* The last bit of an angle beyond this is a turn or more: it says nothing. */
static const double MEANINGLESS = 0x1p53;

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

/* Series are summed in pairs of terms, which takes half as long as one by one. */
static double series_sine(double r) {
    const double z = r * r;
    const double z2 = z * z;
    const double z4 = z2 * z2;
    const double low = (-1.0 / 6.0 + z * (1.0 / 120.0)) + z2 * (-1.0 / 5040.0 + z * (1.0 / 362880.0));
    const double high =
        (-1.0 / 39916800.0 + z * (1.0 / 6227020800.0)) + z2 * (-1.0 / 1307674368000.0 + z * (1.0 / 355687428096000.0));
    return r + r * (z * (low + z4 * high));
}

static double series_cosine(double r) {
    const double z = r * r;
    const double z2 = z * z;
    const double z4 = z2 * z2;
    const double low = (1.0 / 24.0 + z * (-1.0 / 720.0)) + z2 * (1.0 / 40320.0 + z * (-1.0 / 3628800.0));
    const double high = (1.0 / 479001600.0 + z * (-1.0 / 87178291200.0)) + z2 * (1.0 / 20922789888000.0);
    return 1.0 - z * (0.5 - z * (low + z4 * high));
}

/* x less *quarters times pi/2. */
static double reduce(double x, int64_t *quarters) {
    const double turns = x * PER_HALF_PI;
    *quarters = (int64_t)(turns < 0.0 ? turns - 0.5 : turns + 0.5);
    const double n = (double)*quarters;
    return ((x - n * HALF_PI[0]) - n * HALF_PI[1]) - n * HALF_PI[2];
}

void carom_angle_sine_cosine(double x, double *sine, double *cosine) {
    int64_t quarters = 0;
    const double r = fabs(x) < MEANINGLESS ? reduce(x, &quarters) : 0.0;
    const double s = series_sine(r);
    const double c = series_cosine(r);
    const bool swapped = (quarters & 1) != 0;
    const double first = swapped ? c : s;
    const double second = swapped ? s : c;
    *sine = (quarters & 2) != 0 ? -first : first;
    *cosine = ((quarters + 1) & 2) != 0 ? -second : second;
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
