/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Two boxes by 15 axes. In: both. Out: the depth, if they overlap; otherwise an axis that holds them apart.
 *
 * The Minkowski difference of two boxes is a convex polyhedron whose faces have the normals of the boxes' faces and the
 * common normals of their edges. So the greatest height of i over k along one of these is the signed distance if the
 * boxes overlap, and a lower bound of the distance if they do not: then the nearest points may be corners. So it is for
 * flat boxes: a difference without volume has faces of its own plane's normal, which is among these, and in the plane
 * its sides' normals are seen by the boxes' faces, which look at them askew, if at all: then with the right sign. */
#ifndef CAROM_SIMD_REF_CLOSED_BOXES_H
#define CAROM_SIMD_REF_CLOSED_BOXES_H

#include <stdbool.h>
#include <stdint.h>

#include "simd/gap.h"
#include "simd/posed.h"

/* Rounding of a height, relative to the sum of all lengths. An entry of `turn` is off by 2^-50 at most. An entry of the
 * relative rotation is then off by 5 2^-50: along a face's normal that moves the height by as much. A common normal is
 * taken from two entries as they are, so that it is exactly that of two edges that are turned by as little, however
 * parallel they may be. Of the difference of such boxes the normals of i's faces are off by twice that, at most. In all
 * this is 21 2^-50, with products and sums 24. */
#define CAROM_CLOSED_BOXES_ERROR 0x1p-45

/* Entries of the relative rotation that count as 0: their squares would be too small. */
#define CAROM_CLOSED_BOXES_LEAST 0x1p-200

/* The axes: the faces of i, those of k, and 6 + 3 a + c for edge a of k and edge c of i; with BACK added where the
 * axis, as it is computed, points from i to k. */
enum {
    CAROM_CLOSED_BOXES_K = 3,
    CAROM_CLOSED_BOXES_EDGES = 6,
    CAROM_CLOSED_BOXES_AXES = 15,
    CAROM_CLOSED_BOXES_BACK = 16
};

/* Fills the bracket; returns the axis. If upper <= 0 the boxes touch. If lower > 0 they do not, and `upper` is no more
 * than the distance of their centres. Of axes that are equally good to rounding the first counts. */
uint32_t carom_closed_boxes(const carom_posed *i, const carom_posed *k, carom_gap *gap);

#endif
