/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a rotation, and a spin or another rotation. Out: the rotation after a step, or the spin. Only + - * / and square
 * roots are used, in one order, since libm's sines differ in their last bits.
 *
 * A spin of angle a about a unit axis is the quaternion (axis sin(a/2), cos(a/2)). The way from p to q is q p*, its
 * sign chosen so that w >= 0. Its angle is that of four square roots of it, whose tangent is at most tan(pi/32): there
 * the arctangent's series leaves out less than 2^-60. */
#include "kernel/scene/turn.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "simd/ref/turn.h"
#include "simd/vector.h"

/* Square roots taken of a rotation before its arctangent. */
enum { HALVINGS = 4 };

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

/* The angle of the point (cosine, sine) of the unit circle, 0 to pi/2. */
static double angle_of(double sine, double cosine) {
    for (int n = 0; n < HALVINGS; ++n) {
        cosine = sqrt(0.5 + 0.5 * cosine);
        sine /= 2.0 * cosine;
    }
    const double r = sine / cosine;
    const double z = r * r;
    double sum = 1.0 / 17.0;
    for (int n = 15; n >= 3; n -= 2) {
        sum = 1.0 / n - sum * z;
    }
    return (1 << HALVINGS) * (r - r * (z * sum));
}

/* Whether the way is the longer one, or the other of two ways of half a turn. */
static bool is_other(const double way[4]) {
    static const int order[4] = {3, 0, 1, 2};
    for (int n = 0; n < 4; ++n) {
        const double component = way[order[n]];
        if (component < 0.0 || component > 0.0) {
            return component < 0.0;
        }
    }
    return false;
}

void carom_scene_turn_between(const double from[4], const double to[4], double spin[3]) {
    const double back[4] = {-from[0], -from[1], -from[2], from[3]};
    double way[4];
    double axis[3];
    carom_turn_product(to, back, way);
    const double sign = is_other(way) ? -1.0 : 1.0;
    const double length = length_of(way);
    const bool turns = length > 0.0 && carom_vector_unit(way, axis);
    const double angle = turns ? 2.0 * angle_of(carom_vector_length(way) / length, fabs(way[3]) / length) : 0.0;
    for (int d = 0; d < 3; ++d) {
        spin[d] = turns ? sign * angle * axis[d] : 0.0;
    }
}
