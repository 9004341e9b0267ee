/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A capsule against a box. In: both. Out: the signed distance of the capsule's segment from the box, less the radius.
 *
 * In the box's frame. Six directions can hold a segment and a box apart or push them apart least: the faces' normals,
 * and the common normals of the segment and the three directions of edges. They are the normals of all faces of the
 * Minkowski difference of the two, so their best height is the signed distance where the segment meets the box, and a
 * lower bound elsewhere. Where it does not, the nearest point of the segment proves the upper bound: the zero of the
 * slope of a convex function whose slope is linear between the planes of the faces. Its direction, made tangent to the
 * segment, proves another lower bound.
 *
 * The bracket's margin, CAROM_CLOSED_ERROR, is 16 parts of 2^-50 of all lengths. Rotations and heights take 7 of them,
 * and what counts as meeting 2.
 *
 * A box that is no segment has two sides of 1e-50 or more, so that a way out of it that is not rounding has a square
 * that doubles hold. One that is a segment is a capsule without a radius: there the six directions are not all. */
#ifndef CAROM_SIMD_REF_CLOSED_CAPSULE_BOX_H
#define CAROM_SIMD_REF_CLOSED_CAPSULE_BOX_H

#include "simd/gap.h"
#include "simd/posed.h"

/* Components of the segment's direction that count as 0. Their squares would be too small for doubles, and they move an
 * end by less than rounding. */
#define CAROM_CAPSULE_BOX_LEAST 0x1p-200

/* A segment this near the box, relative to all lengths, counts as meeting it: moved by no more, it would. */
#define CAROM_CAPSULE_BOX_MEETS 0x1p-49

/* The square of what is left of a way from the box when it has been made tangent, relative to what it was: less is
 * nothing but rounding. */
#define CAROM_CAPSULE_BOX_TANGENT 0x1p-40

/* Capsule i against box k. */
void carom_closed_capsule_box(const carom_posed *i, const carom_posed *k, carom_gap *gap);

#endif
