/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What the closed forms share: their rounding margin, and small steps. */
#ifndef CAROM_SIMD_REF_CLOSED_WORK_H
#define CAROM_SIMD_REF_CLOSED_WORK_H

#include <math.h>

#include "simd/gap.h"
#include "simd/compare.h"
#include "simd/posed.h"
#include "simd/vector.h"

/* Rounding of a signed distance, relative to the sum of the lengths that it is computed from: the distance of the
 * origins and the sizes of both shapes. Signed distances change by no more than their points move. An entry of `turn` is
 * off by 2^-50 at most, so a rotated vector by 3 2^-50 of its length. Rotating, a difference, dot products, a root and a
 * division add less than 2^-48 together, and unit vectors have length 1 to 2^-51. In all this is less than half of
 * 2^-46. */
#define CAROM_CLOSED_ERROR 0x1p-46

/* Rounding of subnormal lengths, in units of length: a few times the least subnormal number. */
#define CAROM_CLOSED_LEAST 0x1p-1060

/* The sine of an angle that counts as 0: that of directions which agree to rounding. */
#define CAROM_CLOSED_PARALLEL 0x1p-46

/* The square of the sine of an angle below which segments count as parallel: then the parameters of closest points are
 * nothing but rounding, and any that face each other are as close, to 2^-48 of their length. */
#define CAROM_CLOSED_PARALLEL_SQUARE 0x1p-96

static inline double carom_closed_sum(const double v[3]) {
    return fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
}

static inline double carom_closed_clamp(double x, double h) {
    return carom_greater(-h, carom_lesser(h, x));
}

/* Column z of the rotation: the axis of a capsule or line, the normal of a half-space. */
static inline void carom_closed_axis(const carom_posed *posed, double axis[3]) {
    for (int d = 0; d < 3; d++) {
        axis[d] = posed->turn[d][2];
    }
}

static inline void carom_closed_between(const carom_posed *i, const carom_posed *k, double between[3]) {
    for (int d = 0; d < 3; d++) {
        between[d] = i->at[d] - k->at[d];
    }
}

/* The bracket, widened by the rounding of lengths whose sum is `size`. */
static inline void carom_closed_bracket(double lower, double upper, double size, carom_gap *gap) {
    const double error = size > 0.0 ? CAROM_CLOSED_ERROR * size + CAROM_CLOSED_LEAST : 0.0;
    gap->lower = lower - error;
    gap->upper = upper + error;
    gap->iterations = 0;
}

/* A fixed unit vector at right angles to the unit vector u: the first axis that is not along u, less its part along
 * u. */
static inline void carom_closed_across(const double u[3], double across[3]) {
    const int d = fabs(u[0]) < 0.75 ? 0 : 1;
    const double axis[3] = {d == 0 ? 1.0 : 0.0, d == 1 ? 1.0 : 0.0, 0.0};
    carom_vector_add(axis, -u[d], u, across);
    (void)carom_vector_unit(across, across);
}

#endif
