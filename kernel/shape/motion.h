/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A shape that moves and rotates in a step (carom/toi.h): its position is at + t move, its rotation exp(t [spin]) times
 * that of `turn`. */
#ifndef CAROM_SHAPE_MOTION_H
#define CAROM_SHAPE_MOTION_H

#include "simd/posed.h"

typedef struct carom_moving {
    const carom_shape_entry *shape;
    double at[3];   /* its position at t = 0, relative to an origin that a pair shares */
    double move[3]; /* its way in the step */
    double turn[4]; /* its quaternion at t = 0, of length 0.5 to 2 */
    double spin[3]; /* the rotation vector of the step, in radians, finite */
} carom_moving;

/* Bounds how far a computed pose puts a point of the body from where it exactly is, in any direction:
 *
 *     CAROM_MOTION_ERROR (1 + |spin| / 16) reach + CAROM_MOTION_SHIFT (|at| + |move|)
 *
 * Sine and cosine are off by 2^-51 each, their angle by 2^-50.5 of itself and the axis by 2^-51, so a rotated vector by
 * less than 2^-49 and |spin| 2^-50.5 of its length; an entry of the product of two matrices rounds by 2^-51, so a vector
 * by less than 2^-49. The spin of carom_motion_spin is off by less than 2^-47. Together this is less than 2^-46 and
 * |spin| 2^-50. (The rounding of the matrix at t = 0 is not in it: carom_pose_turn states it.) Beyond two reaches no
 * error matters. */
#define CAROM_MOTION_ERROR 0x1p-46
#define CAROM_MOTION_SHIFT 0x1p-51

/* The bound for points within `reach` of the body's origin, without the shift, where the step's rotation is by `angle`. */
double carom_motion_error(double angle, double reach);

/* The angle of the step, |spin|, within 2^-51 of itself; and the unit vector along it, the x axis if there is none. Infinite from 2^50 on:
 * the rotation's doubles then say nothing, and the body may have any. */
double carom_motion_angle(const carom_moving *moving, double axis[3]);

/* The pose at t, 0 <= t <= 1. */
void carom_motion_pose(const carom_moving *moving, double t, carom_posed *posed);

/* The matrix of a rotation by `angle` about a unit vector, by Rodrigues' formula; of none if the angle is infinite. */
void carom_motion_matrix(const double axis[3], double angle, double matrix[3][3]);

/* v, rotated by `angle` about a unit vector. `rotated` is not v. */
void carom_motion_rotate(const double axis[3], double angle, const double v[3], double rotated[3]);

/* The product of two matrices, none of which is `product`. */
void carom_motion_multiply(const double a[3][3], const double b[3][3], double product[3][3]);

/* The rotation vector of the shorter way between two rotations, whose quaternions have any length from 0.5 to 2; a
 * quaternion and its negative are one rotation. Which way is shorter is decided exactly, but that components of less
 * than 2^-400 count as 0. Of two ways of half a turn it takes the one whose rotation vector begins with a positive
 * component. Off by at most 2^-47; 0 for equal quaternions. */
void carom_motion_spin(const double from[4], const double to[4], double spin[3]);

#endif
