/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Angles of points and of rotations, with the same bits on every machine: libm's differ in their last bits. Only + - *
 * / are used, in one order.
 *
 * Arctangent: the smaller coordinate over the greater one, less the nearest multiple c of 1/8, whose arctangent is in a
 * table: atan(y/x) = atan(c) + atan((y - c x) / (x + c y)). The rest is at most 1/15, and its series leaves out less
 * than 2^-62. Each of the five roundings before and after is at most 2^-53 of a value less than 1.6. */
#ifndef CAROM_SIMD_REF_ANGLE_H
#define CAROM_SIMD_REF_ANGLE_H

#include <math.h>

#include "simd/vector.h"

/* How far an angle is off, and sine and cosine of x radians (simd/ref/turn.h) for |x| <= CAROM_ANGLE_PLAIN. Beyond,
 * these are off by another 2^-51 |x|: never more than the last bit of x could be. */
#define CAROM_ANGLE_ERROR 0x1p-51
#define CAROM_ANGLE_PLAIN 0x1p20

#define CAROM_ANGLE_QUARTER_TURN 0x1.921fb54442d18p+0

static inline double carom_angle_series(double r) {
    const double z = r * r;
    double sum = 1.0 / 13.0;
    sum = 1.0 / 11.0 - sum * z;
    sum = 1.0 / 9.0 - sum * z;
    sum = 1.0 / 7.0 - sum * z;
    sum = 1.0 / 5.0 - sum * z;
    sum = 1.0 / 3.0 - sum * z;
    return r - r * (z * sum);
}

/* The angle of the point (x, y) from the x axis, 0 to pi/2, for x, y >= 0 and finite. Off by at most
 * CAROM_ANGLE_ERROR. 0 for (0, 0). */
static inline double carom_angle_of(double y, double x) {
    static const double eighth[9] = {0.0,
                                     0x1.fd5ba9aac2f6ep-4,
                                     0x1.f5b75f92c80ddp-3,
                                     0x1.6f61941e4def1p-2,
                                     0x1.dac670561bb4fp-2,
                                     0x1.1e00babdefeb4p-1,
                                     0x1.4978fa3269ee1p-1,
                                     0x1.700a7c5784634p-1,
                                     0x1.921fb54442d18p-1}; /* arctangents of 0, 1/8, .. 1 */
    const double more = fmax(x, y);
    if (!(more > 0.0)) {
        return 0.0;
    }
    const double ratio = fmin(x, y) / more;
    const int eighths = (int)(8.0 * ratio + 0.5);
    const double c = 0.125 * eighths;
    const double angle = eighth[eighths] + carom_angle_series((ratio - c) / (1.0 + c * ratio));
    return y > x ? CAROM_ANGLE_QUARTER_TURN - angle : angle;
}

/* The sign that makes a way between two rotations the shorter one, and of two ways of half a turn the one whose
 * rotation vector begins with a positive component. `w` has the sign of the quaternion's last component. */
static inline double carom_angle_sign(double w, const double way[3]) {
    const double component[4] = {w, way[0], way[1], way[2]};
    for (int d = 0; d < 4; d++) {
        if (component[d] < 0.0 || component[d] > 0.0) {
            return component[d] < 0.0 ? -1.0 : 1.0;
        }
    }
    return 1.0;
}

/* The rotation vector of a way, a quaternion of any length: its angle is 2 atan2(|v|, |w|). `w` as above. */
static inline void carom_angle_spin(const double way[4], double w, double spin[3]) {
    const double length = carom_vector_length(way);
    const double angle = 2.0 * carom_angle_of(length, fabs(way[3]));
    const double scale = length > 0.0 ? carom_angle_sign(w, way) * (angle / length) : 0.0;
    for (int d = 0; d < 3; d++) {
        spin[d] = scale * way[d];
    }
}

#endif
