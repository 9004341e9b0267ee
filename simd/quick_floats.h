/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What floats can tell of two shapes: a bracket of their signed distance that is wide, but decides most pairs, of which
 * no more is asked than whether they touch. Those that it leaves open are for the tests in double.
 *
 * b is the way from i to k. Shapes are rows of simd/apart_boxes.h. The tests:
 *
 *   - SOLID: sphere and box. Where b is in the frame of the box, how far outside of it or how deep inside.
 *   - SEGMENTS: spheres and capsules. Whatever points of two segments are found, they prove an upper bound, and the
 *     plane between them a lower one: the gap of the segments along it.
 *   - BOXES: the fifteen axes. If none holds the boxes apart, the greatest height is that of their depth. A product of
 *     edges is no longer than 1: a height along it that is negative is no less than that along the unit vector, so it is
 *     an upper bound of the depth's height, but only sides prove a lower one.
 *   - HULLS: any shapes, a capsule and a box too. Their boxes and the balls around them prove that they are apart, balls
 *     inside that they touch.
 *
 * Rounding, in units of u = 2^-24 and of the pair's size S, the sum of all components of b and of both boxes' centres
 * and half extents (simd/apart_boxes.h has the axes). Doubles are rounded to floats first: that turns a quaternion by
 * 2 u, so an entry of a rotation is off by 21 u in all. Half extents are rounded up, by 5 u, and so are sums of them.
 *   - A length of b is off by 4 u S, with the radii of balls by 16 u S.
 *   - SOLID: in the frame of the box b is off by 3 (21 + 3) u S, its distance from the box by 4 u S more, and with the
 *     extents' and radii's 16 u S by 92 u S.
 *   - SEGMENTS: points are off by sqrt(3) 21 u S each, and their distance by 80 u S. The gap along the plane between
 *     them is as exact, for whatever its normal is, it is exactly that; where the segments are closer than
 *     CAROM_APART_ROUNDING S nothing is said of it, but that it is not negative.
 * So the bracket is widened by CAROM_APART_ROUNDING S = 512 u S on both sides. Sizes are within limits that keep
 * squares within floats, and what underflows far below u S; other pairs are open. */
#ifndef CAROM_SIMD_QUICK_FLOATS_H
#define CAROM_SIMD_QUICK_FLOATS_H

#include <stdint.h>

#include "simd/apart_boxes.h"

/* What is done with a run of pairs. */
typedef enum carom_quick_test {
    CAROM_QUICK_SOLID,    /* i is a sphere, k a box */
    CAROM_QUICK_SEGMENTS, /* both are spheres or capsules */
    CAROM_QUICK_BOXES,    /* both are boxes */
    CAROM_QUICK_HULLS     /* both are convex and of finite size */
} carom_quick_test;

/* Sizes of pairs that are decided. */
#define CAROM_QUICK_LEAST 0x1p-40F
#define CAROM_QUICK_MOST 0x1p60F

/* Squares of quaternions that are certainly within CAROM_TURN_SQUARE_LEAST and CAROM_TURN_SQUARE_MOST. */
#define CAROM_QUICK_TURN_LEAST 0.2501F
#define CAROM_QUICK_TURN_MOST 3.999F

/* Squares of the sine of an angle that count as so much: parallel segments have closest points anywhere. */
#define CAROM_QUICK_PARALLEL 0x1p-20F

#endif
