/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Boxes and paths of shapes that move and turn in a step, for the kernel swept_boxes.
 *
 * In: positions c and c + d, the quaternion q at the start, and either the one at the end or a rotation vector w. The
 * quaternion of the way is p = q' q* in the first case, with the sign that makes it the shorter way, and
 * (w sin(|w| / 2) / |w|, cos(|w| / 2)) in the second. Let v be its vector part, n its length and a the angle: then
 * sin(a / 2) = |v| / n. The end's rotation is that of p q, and half of the way that of q + p q / n.
 *
 * A point of the core at s has the coordinate c_d + t d_d + (R(t) s)_d along axis d, whose second derivative is at most
 * a^2 A_d B: A_d is the length of the axis's part at right angles to the way's, B the point's distance from the way's
 * axis. Between the ends it differs from a straight line by at most an 8th of that. So the union of the boxes at both
 * ends, grown by it, holds the shape. With u = v / |v|,
 *
 *     a^2 A_d B = (a / |v|)^2 sqrt(|v|^2 - v_d^2) sqrt(|v|^2 |s|^2 - (v.s)^2)
 *
 * needs no u, and (a / |v|)^2 = (4 / n^2) asin^2(x) / x^2 with x = |v| / n is a series: 1 + x^2 / 3 + 8 x^4 / 45 + ...,
 * where for x <= sin(0.255) all that follows is less than x^6 / 8. B is greatest at an extreme point s of the core:
 *
 *   - The corners of a box with half extents h are +-h_0, +-h_1, +-h_2: |s| is the same for all, and |v.s| is least for
 *     one of four sums.
 *   - On the rims of a cylinder of half height h and radius r |s| is the same, too, and |v.s| is least, with v in the
 *     shape's frame, where it is h |v_2| - r sqrt(v_0^2 + v_1^2), or 0. A cone has one of the rims, which around any axis
 *     has a point at least as far away as the apex: the mean of the squares on the rim is as great.
 *   - s = (e_0 x_0, e_1 x_1, e_2 x_2) with |x| = 1 are those of an ellipsoid. |v|^2 |s|^2 - (v.s)^2 is a quadratic form of
 *     x, one of whose eigenvalues is 0. The greater of the others follows from their sum,
 *     e_0^2 (|v|^2 - v_0^2) + .., and their product, |v|^2 (e_1^2 e_2^2 v_0^2 + ..).
 *   - A hull's vertices are tried.
 *
 * Roundings. Both rotations (posed.h), the product p q and w's sine and cosine move a point of the core by less than
 * CAROM_SWEPT_ERROR of the core's reach; so does v, which is off by 2^-50 n, by way of the bend. Sums along one axis
 * round by less than CAROM_POSE_BOX_ERROR of reach, position and way. The way itself, a difference of positions, is off
 * by less than CAROM_SWEPT_SHIFT of them. Entries of a rotation are off by 2^-50, so (v.s)^2 by 2^-47 of |v|^2 |s|^2,
 * which CAROM_SWEPT_SQUARE_ERROR covers. An ellipsoid's squared difference of eigenvalues is off by less than 2^-43 of
 * |v|^4 |s|^4, which CAROM_SWEPT_SPLIT_ERROR covers. Rotations too small for v's square to be a number bend by less than all that. */
#ifndef CAROM_SIMD_SWEPT_H
#define CAROM_SIMD_SWEPT_H

#include <stdbool.h>

#include "simd/apart_boxes.h"
#include "simd/pair_block.h"

#define CAROM_SWEPT_ERROR 0x1p-45
#define CAROM_SWEPT_SHIFT 0x1p-50

/* Rounding of the ratio of angle and sine, and of squares that are differences, relative to the first square. */
#define CAROM_SWEPT_RATIO_ERROR 0x1p-46
#define CAROM_SWEPT_SQUARE_ERROR 0x1p-44

/* The same for a squared difference of eigenvalues. */
#define CAROM_SWEPT_SPLIT_ERROR 0x1p-42

/* The square of the sine of half the largest angle, 0.51, and a quarter of that angle's square; both rounded down. */
#define CAROM_SWEPT_SINE_MOST 0.0636
#define CAROM_SWEPT_ANGLE_MOST 0.065

/* Numbers of paths that floats hold, with room for sums of products of them; and more than the rounding of a path to
 * floats, over the sum of its numbers. */
#define CAROM_PATH_MOST 0x1p120
#define CAROM_PATH_ROUNDING 0x1p-20

/* Numbers of a path: two rows (apart_boxes.h). The last one that is used is 1 if the body neither moves nor turns, else
 * 0; kernels that read paths do not look at it. */
enum { CAROM_PATH_RESTS = 12, CAROM_PATH_NUMBERS = 2 * CAROM_APART_ROW };

/* How bodies move, in columns. */
typedef struct carom_block_motion {
    bool along;                           /* end_turn is a rotation vector; else the quaternion at the end */
    double end[3][CAROM_BLOCK_ROOM];      /* positions at the end of the step */
    double end_turn[4][CAROM_BLOCK_ROOM]; /* of a vector the first three */
} carom_block_motion;

/* What makes a path. */
typedef struct carom_path_numbers {
    double middle[3];   /* the position in the middle of the step */
    double half_way[3]; /* from there to the end */
    double turn[4];
    double spread;
    double rests;
} carom_path_numbers;

/* How far points are off, with what rounding to floats moves; `size`: the sum of all lengths in the path. */
static inline double carom_path_widen(double spread, double size) {
    return spread + CAROM_PATH_ROUNDING * (spread + size);
}

/* All but the number of the shape. Of numbers beyond floats the path has no meaning. */
static inline void carom_path_set(const carom_path_numbers *from, float path[CAROM_PATH_NUMBERS]) {
    for (int d = 0; d < 3; d++) {
        path[CAROM_APART_AT + d] = (float)from->middle[d];
        path[CAROM_APART_ROW + CAROM_APART_WAY + d] = (float)from->half_way[d];
    }
    for (int d = 0; d < 4; d++) {
        path[CAROM_APART_TURN + d] = (float)from->turn[d];
    }
    path[CAROM_APART_ROW + CAROM_APART_SPREAD] = (float)from->spread;
    path[CAROM_PATH_RESTS] = (float)from->rests;
    path[CAROM_PATH_RESTS + 1] = path[CAROM_PATH_RESTS + 2] = path[CAROM_PATH_RESTS + 3] = 0.0F;
}

#endif
