/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Which shapes are certainly apart: their boxes in their own frames, by the fifteen axes of Gottschalk, Lin and Manocha
 * (1996), in floats. A pair that an axis separates by more than all rounding is dropped; nothing is said of the others.
 *
 * Rounding, in units of u = 2^-24 and of the pair's size S, the sum of the sizes of all components of the difference of
 * positions, of both boxes' centres and of both half extents. An entry of a rotation is off by 17 u: 5 u from the
 * scale, 3 u from each of its products, which sum up to 2, and 1 u from the last difference. Then
 *   - an entry of the relative rotation is off by 2 sqrt(3) 17 u + 3 u = 62 u,
 *   - the centres' difference by u S from the positions, 21 u S from the rotated centres and 2 u S from sums: 24 u S,
 *   - in the frame of i by 17 u S + sqrt(3) 24 u S + 4 u S = 63 u S,
 *   - along a side of i, with the radii's 66 u S, by 131 u S,
 *   - along a side of k by sqrt(3) (63 + 62) u S + 4 u S + 66 u S = 287 u S,
 *   - along a product of edges by 2 (63 + 62) u S + 3 u S + 66 u S = 319 u S.
 * The sum is less than CAROM_APART_ROUNDING S = 512 u S. A product of edges is no longer than 1, so a gap along it is
 * no less than what it says. Products that underflow are off by less than CAROM_APART_LEAST. What overflows is no
 * number, or makes the limit infinite: then the pair is kept. */
#ifndef CAROM_SIMD_APART_BOXES_H
#define CAROM_SIMD_APART_BOXES_H

#define CAROM_APART_ROUNDING 0x1p-15F
#define CAROM_APART_LEAST 0x1p-100F

/* Numbers of a row that says where a body is: a position, what is no number but names the shape, and a quaternion. */
enum { CAROM_APART_AT = 0, CAROM_APART_SHAPE = 3, CAROM_APART_TURN = 4, CAROM_APART_ROW = 8 };

/* Numbers of a second row, of a body that moves: half of its way in the step, and the spread: moved along the way, the
 * shape lies within that distance of where half of the way and half of the rotation put it. Balls around the points of
 * its core do not turn. The first row is of that pose then. */
enum { CAROM_APART_WAY = 0, CAROM_APART_SPREAD = 3 };

/* Of a row with the box of a shape: its centre, the shape's reach, the box' half extents, and the radius of a ball
 * about the origin that lies in the shape, -infinity if there is none. */
enum { CAROM_APART_CENTRE = 0, CAROM_APART_REACH = 3, CAROM_APART_HALF = 4, CAROM_APART_INNER = 7 };

#endif
