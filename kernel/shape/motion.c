/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a body's motion in a step, or its rotations at both ends. Out: its pose at a time, or its rotation vector.
 *
 * The rotation at t is the quaternion (axis sin(t angle / 2), cos(t angle / 2)) times that at t = 0. The shorter way
 * from quaternion p to q is that of q p*, its sign chosen so that w >= 0: its angle is 2 atan2(|v|, w). */
#include "kernel/shape/motion.h"

#include <math.h>

#include "kernel/shape/exact_sign.h"
#include "simd/ref/angle.h"
#include "simd/ref/turn.h"
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

double carom_motion_error(double angle, double reach) {
    return angle > 0.0 ? fmin(2.0, CAROM_MOTION_ERROR * (1.0 + 0.0625 * angle)) * reach : 0.0;
}

void carom_motion_matrix(const double axis[3], double angle, double matrix[3][3]) {
    double sine;
    double cosine;
    carom_turn_sine_cosine(angle, &sine, &cosine);
    for (int r = 0; r < 3; r++) {
        const int s = (r + 1) % 3;
        const int q = (r + 2) % 3;
        const double part = axis[r] * (1.0 - cosine);
        matrix[r][r] = part * axis[r] + cosine;
        matrix[r][s] = part * axis[s] - sine * axis[q];
        matrix[r][q] = part * axis[q] + sine * axis[s];
    }
}

void carom_motion_rotate(const double axis[3], double angle, const double v[3], double rotated[3]) {
    double sine;
    double cosine;
    carom_turn_sine_cosine(angle, &sine, &cosine);
    carom_turn_rotate(axis, sine, cosine, v, rotated);
}

void carom_motion_multiply(const double a[3][3], const double b[3][3], double product[3][3]) {
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            product[r][c] = a[r][0] * b[0][c] + a[r][1] * b[1][c] + a[r][2] * b[2][c];
        }
    }
}

void carom_motion_pose(const carom_moving *moving, double t, carom_posed *posed) {
    double axis[3];
    double start[3][3];
    double way[3][3];
    const double angle = t * carom_motion_angle(moving, axis);
    carom_pose_turn(moving->turn, start);
    carom_motion_matrix(axis, angle > 0.0 ? angle : 0.0, way);
    carom_motion_multiply((const double(*)[3])way, (const double(*)[3])start, posed->turn);
    carom_vector_add(moving->at, t, moving->move, posed->at);
    posed->shape = moving->shape;
}

void carom_motion_spin(const double from[4], const double to[4], double spin[3]) {
    double way[4];
    carom_turn_between(from, to, way);
    carom_angle_spin(way, carom_exact_sign(from, to), spin);
}
