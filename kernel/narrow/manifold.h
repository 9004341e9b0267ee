/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Contact manifolds: up to four points that span where two shapes touch. */
#ifndef CAROM_NARROW_MANIFOLD_H
#define CAROM_NARROW_MANIFOLD_H

#include "simd/gap.h"
#include "simd/posed.h"

/* The points lie midway between the surfaces, which are separation[n] apart along the gap's normal there; the first is
 * the deepest. Returns how many there are, 1 to 4. Convex shapes or a half-space; all in the frame of the poses. */
uint32_t carom_manifold_find(const carom_posed *i, const carom_posed *k, const carom_gap *gap, double point[4][3],
                             double separation[4]);

#endif
