/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Contact manifolds: up to four points that span where two shapes touch. */
#ifndef CAROM_NARROW_MANIFOLD_H
#define CAROM_NARROW_MANIFOLD_H

#include "simd/manifold.h"

/* Fills `found`, and returns how many points there are, 1 to 4; the first is the deepest, and what is left of `found`
 * is 0. Convex shapes or a half-space; all in the frame of the poses. */
uint32_t carom_manifold_find(const carom_posed *i, const carom_posed *k, const carom_gap *gap,
                             carom_manifold_points *found);

#endif
