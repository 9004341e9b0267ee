/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* How far a shape extends along and around an axis through its body's origin, about which it spins. */
#ifndef CAROM_SHAPE_REVOLUTION_H
#define CAROM_SHAPE_REVOLUTION_H

#include "simd/posed.h"

/* Both for a convex shape, no half-space or line, and the unit vector `axis`; positions in `posed` are relative to the
 * origin. */

/* No point of the core is farther from the axis; rounded up. */
double carom_revolution_around(const carom_posed *posed, const double axis[3]);

/* The core lies between these along the axis, relative to the origin; rounded outward. */
void carom_revolution_along(const carom_posed *posed, const double axis[3], double along[2]);

#endif
