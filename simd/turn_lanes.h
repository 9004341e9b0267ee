/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Rotations by an angle, lane by lane (simd/ref/turn.h is the scalar form). */
#ifndef CAROM_SIMD_TURN_LANES_H
#define CAROM_SIMD_TURN_LANES_H

#include "simd/difference_lanes.h"
#include "simd/ref/turn.h"

/* Radians, a little less than pi / 4. */
#define VD_TURN_EIGHTH 0.785

/* a + z b */
static inline vd vd_turn_terms(double a, vd z, double b) {
    return vd_add(vd_set1(a), vd_mul(z, vd_set1(b)));
}

static inline vd vd_turn_series_sine(vd r) {
    const vd z = vd_mul(r, r);
    const vd z2 = vd_mul(z, z);
    const vd z4 = vd_mul(z2, z2);
    const vd low =
        vd_add(vd_turn_terms(-1.0 / 6.0, z, 1.0 / 120.0), vd_mul(z2, vd_turn_terms(-1.0 / 5040.0, z, 1.0 / 362880.0)));
    const vd high = vd_add(vd_turn_terms(-1.0 / 39916800.0, z, 1.0 / 6227020800.0),
                           vd_mul(z2, vd_turn_terms(-1.0 / 1307674368000.0, z, 1.0 / 355687428096000.0)));
    return vd_add(r, vd_mul(r, vd_mul(z, vd_add(low, vd_mul(z4, high)))));
}

static inline vd vd_turn_series_cosine(vd r) {
    const vd z = vd_mul(r, r);
    const vd z2 = vd_mul(z, z);
    const vd z4 = vd_mul(z2, z2);
    const vd low =
        vd_add(vd_turn_terms(1.0 / 24.0, z, -1.0 / 720.0), vd_mul(z2, vd_turn_terms(1.0 / 40320.0, z, -1.0 / 3628800.0)));
    const vd high = vd_add(vd_turn_terms(1.0 / 479001600.0, z, -1.0 / 87178291200.0),
                           vd_mul(z2, vd_set1(1.0 / 20922789888000.0)));
    return vd_sub(vd_set1(1.0), vd_mul(z, vd_sub(vd_set1(0.5), vd_mul(z, vd_add(low, vd_mul(z4, high))))));
}

static inline vd vd_turn_whole(vd x) {
    return vd_sub(vd_add(x, vd_set1(CAROM_TURN_WHOLE)), vd_set1(CAROM_TURN_WHOLE));
}

/* Angles of less than an eighth of a turn are their own rest. */
static inline void vd_turn_sine_cosine(vd angle, vd *sine, vd *cosine) {
    if (vdm_bits(vd_lt(vd_abs(angle), vd_set1(VD_TURN_EIGHTH))) == (1U << CAROM_PAIRS) - 1) {
        *sine = vd_turn_series_sine(angle);
        *cosine = vd_turn_series_cosine(angle);
        return;
    }
    const vd x = vd_select(vd_lt(vd_abs(angle), vd_set1(CAROM_TURN_MOST)), angle, vd_set1(0.0));
    const vd n = vd_turn_whole(vd_mul(x, vd_set1(CAROM_TURN_PER_HALF_PI)));
    const vd near = vd_sub(x, vd_mul(n, vd_set1(CAROM_TURN_HALF_PI_0)));
    const vd r = vd_sub(vd_sub(near, vd_mul(n, vd_set1(CAROM_TURN_HALF_PI_1))), vd_mul(n, vd_set1(CAROM_TURN_HALF_PI_2)));
    const vd quarters = vd_sub(n, vd_mul(vd_set1(4.0), vd_turn_whole(vd_mul(vd_set1(0.25), n))));
    const vd size = vd_abs(quarters);
    const vdm swapped = vdm_and(vd_lt(vd_set1(0.5), size), vd_lt(size, vd_set1(1.5)));
    const vd s = vd_turn_series_sine(r);
    const vd c = vd_turn_series_cosine(r);
    const vd first = vd_select(swapped, c, s);
    const vd second = vd_select(swapped, s, c);
    const vdm sine_falls = vdm_or(vd_lt(quarters, vd_set1(-0.5)), vd_lt(vd_set1(1.5), quarters));
    const vdm cosine_falls = vdm_or(vd_lt(quarters, vd_set1(-1.5)), vd_lt(vd_set1(0.5), quarters));
    *sine = vd_select(sine_falls, vd_negate(first), first);
    *cosine = vd_select(cosine_falls, vd_negate(second), second);
}

static inline void vd_turn_rotate(const vd axis[3], vd sine, vd cosine, const vd v[3], vd rotated[3]) {
    vd across[3];
    vd_cross(axis, v, across);
    const vd along = vd_mul(vd_dot(axis, v), vd_sub(vd_set1(1.0), cosine));
    for (int a = 0; a < 3; a++) {
        rotated[a] = vd_add(vd_add(vd_mul(v[a], cosine), vd_mul(across[a], sine)), vd_mul(axis[a], along));
    }
}

#endif
