/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Rotations by an angle, in scalar form. In: an angle. Out: its sine and cosine. Only + - * / are used, in one order.
 *
 * The angle less the nearest multiple n of pi/2, and Taylor's series for what is left, r with |r| <= pi/4 + 2^-20. What
 * the series leave out is less than r^19/19! < 2^-62 and r^18/18! < 2^-58. pi/2 is the sum of three parts; the first
 * two have 33 bits, so that their products with n < 2^20 are exact. The first difference is exact, the second rounds by
 * less than 2^-54, and the third by no more: r is off by 2^-53. Horner's form rounds by less than 2^-52.5. Together
 * this is less than 2^-51. */
#ifndef CAROM_SIMD_REF_TURN_H
#define CAROM_SIMD_REF_TURN_H

#include <math.h>
#include <stdbool.h>

#include "simd/vector.h"

/* The last bits of an angle from here on are a part of a turn: it says nothing, and counts as 0. */
#define CAROM_TURN_MOST 0x1p50

/* pi/2 in three parts, and 2/pi. */
#define CAROM_TURN_HALF_PI_0 0x1.921fb544p+0
#define CAROM_TURN_HALF_PI_1 0x1.0b4611a6p-34
#define CAROM_TURN_HALF_PI_2 0x1.3198a2e037073p-69
#define CAROM_TURN_PER_HALF_PI 0x1.45f306dc9c883p-1

/* Added to a number of less than 2^51 and taken from it, this leaves the nearest integer. */
#define CAROM_TURN_WHOLE 0x1.8p52

/* Series are summed in pairs of terms, which takes half as long as one by one. */
static inline double carom_turn_series_sine(double r) {
    const double z = r * r;
    const double z2 = z * z;
    const double z4 = z2 * z2;
    const double low = (-1.0 / 6.0 + z * (1.0 / 120.0)) + z2 * (-1.0 / 5040.0 + z * (1.0 / 362880.0));
    const double high =
        (-1.0 / 39916800.0 + z * (1.0 / 6227020800.0)) + z2 * (-1.0 / 1307674368000.0 + z * (1.0 / 355687428096000.0));
    return r + r * (z * (low + z4 * high));
}

static inline double carom_turn_series_cosine(double r) {
    const double z = r * r;
    const double z2 = z * z;
    const double z4 = z2 * z2;
    const double low = (1.0 / 24.0 + z * (-1.0 / 720.0)) + z2 * (1.0 / 40320.0 + z * (-1.0 / 3628800.0));
    const double high = (1.0 / 479001600.0 + z * (-1.0 / 87178291200.0)) + z2 * (1.0 / 20922789888000.0);
    return 1.0 - z * (0.5 - z * (low + z4 * high));
}

static inline double carom_turn_whole(double x) {
    return (x + CAROM_TURN_WHOLE) - CAROM_TURN_WHOLE;
}

static inline void carom_turn_sine_cosine(double angle, double *sine, double *cosine) {
    const double x = fabs(angle) < CAROM_TURN_MOST ? angle : 0.0;
    const double n = carom_turn_whole(x * CAROM_TURN_PER_HALF_PI);
    const double r = ((x - n * CAROM_TURN_HALF_PI_0) - n * CAROM_TURN_HALF_PI_1) - n * CAROM_TURN_HALF_PI_2;
    const double quarters = n - 4.0 * carom_turn_whole(0.25 * n); /* -2 to 2 */
    const bool swapped = fabs(quarters) > 0.5 && fabs(quarters) < 1.5;
    const double s = carom_turn_series_sine(r);
    const double c = carom_turn_series_cosine(r);
    const double first = swapped ? c : s;
    const double second = swapped ? s : c;
    *sine = quarters < -0.5 || quarters > 1.5 ? -first : first;
    *cosine = quarters < -1.5 || quarters > 0.5 ? -second : second;
}

/* The product of quaternions a b, which is neither of them. */
static inline void carom_turn_product(const double a[4], const double b[4], double product[4]) {
    product[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    product[1] = a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2];
    product[2] = a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0];
    product[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

/* The product of quaternion b and the inverse of a, but for their lengths: the rotation from a to b. */
static inline void carom_turn_between(const double a[4], const double b[4], double between[4]) {
    between[0] = b[0] * a[3] - b[3] * a[0] + b[2] * a[1] - b[1] * a[2];
    between[1] = b[1] * a[3] - b[3] * a[1] + b[0] * a[2] - b[2] * a[0];
    between[2] = b[2] * a[3] - b[3] * a[2] + b[1] * a[0] - b[0] * a[1];
    between[3] = b[3] * a[3] + b[0] * a[0] + b[1] * a[1] + b[2] * a[2];
}

/* v, rotated about a unit vector by the angle of a sine and cosine (Rodrigues' formula). `rotated` is not v. */
static inline void carom_turn_rotate(const double axis[3], double sine, double cosine, const double v[3],
                                     double rotated[3]) {
    double across[3];
    carom_vector_cross(axis, v, across);
    const double along = carom_vector_dot(axis, v) * (1.0 - cosine);
    for (int d = 0; d < 3; d++) {
        rotated[d] = v[d] * cosine + across[d] * sine + axis[d] * along;
    }
}

#endif
