/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a body's motion in a step, or its rotations at both ends. Out: its pose at a time, or its rotation vector.
 *
 * The rotation at t is the quaternion (axis sin(t angle / 2), cos(t angle / 2)) times that at t = 0. The shorter way
 * from quaternion p to q is that of q p*, its sign chosen so that w >= 0: its angle is 2 atan2(|v|, w). */
#include "kernel/shape/motion.h"

#include <math.h>

#include "kernel/shape/angle.h"
#include "kernel/shape/exact_sign.h"
#include "simd/vector.h"

/* More radians than this are not told apart by doubles: such a body may have any rotation. */
static const double LOST = 0x1p50;

double carom_motion_angle(const carom_moving *moving, double axis[3]) {
    const double *spin = moving->spin;
    if (!carom_vector_unit(spin, axis)) {
        axis[0] = 1.0;
        axis[1] = 0.0;
        axis[2] = 0.0;
        return 0.0;
    }
    const double most = fmax(fabs(spin[0]), fmax(fabs(spin[1]), fabs(spin[2])));
    return most < LOST ? carom_vector_dot(spin, axis) : HUGE_VAL;
}

double carom_motion_error(const carom_moving *moving, double reach) {
    double axis[3];
    const double angle = carom_motion_angle(moving, axis);
    if (!(angle > 0.0)) {
        return 0.0;
    }
    return fmin(2.0, CAROM_MOTION_ERROR * (1.0 + 0.0625 * angle)) * reach;
}

void carom_motion_multiply(const double a[4], const double b[4], double product[4]) {
    product[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    product[1] = a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2];
    product[2] = a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0];
    product[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

void carom_motion_turn(const carom_moving *moving, double t, double turn[4]) {
    double axis[3];
    const double angle = t * carom_motion_angle(moving, axis);
    if (!(angle > 0.0)) {
        for (int d = 0; d < 4; d++) {
            turn[d] = moving->turn[d];
        }
        return;
    }
    double sine = 0.0;
    double cosine = 1.0;
    if (angle < HUGE_VAL) {
        carom_angle_sine_cosine(0.5 * angle, &sine, &cosine);
    }
    const double way[4] = {sine * axis[0], sine * axis[1], sine * axis[2], cosine};
    carom_motion_multiply(way, moving->turn, turn);
}

void carom_motion_pose(const carom_moving *moving, double t, carom_posed *posed) {
    double turn[4];
    carom_motion_turn(moving, t, turn);
    carom_pose_turn(turn, posed->turn);
    carom_vector_add(moving->at, t, moving->move, posed->at);
    posed->shape = moving->shape;
}

/* The sign that makes the way the shorter one, and of two equal ones the fixed one. */
static double shorter_sign(const double from[4], const double to[4], const double v[3]) {
    const int sign = carom_exact_sign(from, to);
    if (sign != 0) {
        return sign;
    }
    for (int d = 0; d < 3; d++) {
        if (v[d] < 0.0 || v[d] > 0.0) {
            return v[d] < 0.0 ? -1.0 : 1.0;
        }
    }
    return 1.0;
}

void carom_motion_spin(const double from[4], const double to[4], double spin[3]) {
    const double back[4] = {-from[0], -from[1], -from[2], from[3]};
    double way[4];
    carom_motion_multiply(to, back, way);
    const double length = carom_vector_length(way);
    const double angle = 2.0 * carom_angle_of(length, fabs(way[3]));
    const double scale = length > 0.0 ? shorter_sign(from, to, way) * (angle / length) : 0.0;
    for (int d = 0; d < 3; d++) {
        spin[d] = scale * way[d];
    }
}
