/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Contact manifolds: up to four points that span where two shapes touch. */
#ifndef CAROM_NARROW_MANIFOLD_H
#define CAROM_NARROW_MANIFOLD_H

#include <stdbool.h>

#include "simd/manifold.h"

/* Whether the manifold of shapes of two kinds is one point, whatever their poses. */
bool carom_manifold_is_point(carom_shape_kind i, carom_shape_kind k);

/* That point: midway between the witness points. Returns its separation. */
double carom_manifold_point(const carom_gap *gap, double point[3]);

/* Fills `found`, and returns how many points there are, 1 to 4; what is left of `found` is 0. Points up to `margin`
 * apart are kept, at least. Convex shapes or a half-space; all in the frame of the poses. */
uint32_t carom_manifold_find(const carom_posed *i, const carom_posed *k, const carom_gap *gap, double margin,
                             carom_manifold_points *found);

#endif
