/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Signed distances in closed form: no search, the same few formulas for every pair of a kind.
 *
 * Each test fills a bracket (simd/gap.h) with iterations 0. Positions differ by at most 2^240; sizes are those
 * of carom/shapes.h. Where several normals or points would do, the choice is fixed:
 *   - coincident centres of spheres: the normal is (1, 0, 0);
 *   - a sphere or segment whose core meets a core without sides: at right angles to both axes, as far as possible along
 *     (1, 0, 0) or the next axis;
 *   - a centre equally deep under several faces: the face of the lowest axis, and its positive side; of a cylinder and a
 *     cone the flat face before the curved one;
 *   - parallel segments: the middle of the part where they lie side by side.
 *
 * Endless shapes. A line that is parallel to a half-space's plane is at its height over it; any other line reaches
 * infinitely deep: lower is -HUGE_VAL and upper -DBL_MAX, so that no difference of the two is NaN. So do two half-spaces
 * unless they face each other. No bracket can prove that rounded directions are parallel. So here directions count as
 * exactly those of carom_posed.turn, and two of them as parallel if the sine of their angle is at most 2^-46. */
#ifndef CAROM_NARROW_CLOSED_H
#define CAROM_NARROW_CLOSED_H

#include "simd/gap.h"
#include "simd/posed.h"

typedef void carom_closed_test(const carom_posed *i, const carom_posed *k, carom_gap *gap);

/* The test for two kinds, in the order of the enum: i <= k. NULL if there is none. */
carom_closed_test *carom_closed_find(carom_shape_kind i, carom_shape_kind k);

#endif
