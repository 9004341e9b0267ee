/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a rotation, and a spin or another rotation. Out: the rotation after a step, or the spin. Only + - * / and square
 * roots are used, in one order, since libm's sines differ in their last bits.
 *
 * A spin of angle a about a unit axis is the quaternion (axis sin(a/2), cos(a/2)). The way from p to q is q p*, its
 * sign chosen so that w >= 0. */
#include "kernel/scene/turn.h"

#include <math.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "simd/ref/angle.h"
#include "simd/ref/turn.h"
#include "simd/vector.h"

static double length_of(const double q[4]) {
    return sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}

void carom_scene_turn_on(const double from[4], const double spin[3], double to[4]) {
    double axis[3];
    double step[4];
    double end[4];
    double cosine;
    double sine;
    CAROM_ASSERT(length_of(from) > 0.0);
    if (!carom_vector_unit(spin, axis)) {
        memmove(to, from, sizeof end);
        return;
    }
    carom_turn_sine_cosine(0.5 * carom_vector_dot(spin, axis), &sine, &cosine);
    for (int d = 0; d < 3; ++d) {
        step[d] = axis[d] * sine;
    }
    step[3] = cosine;
    carom_turn_product(step, from, end);
    /* In every step, so that the rounding of many does not add up to a length that no quaternion may have. */
    const double length = length_of(end);
    for (int d = 0; d < 4; ++d) {
        to[d] = end[d] / length;
    }
}

void carom_scene_turn_between(const double from[4], const double to[4], double spin[3]) {
    double way[4];
    carom_turn_between(from, to, way);
    carom_angle_spin(way, way[3], spin);
}
