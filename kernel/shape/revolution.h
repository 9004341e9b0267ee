/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* How far a shape extends along and around an axis through its body's origin, about which it spins. */
#ifndef CAROM_SHAPE_REVOLUTION_H
#define CAROM_SHAPE_REVOLUTION_H

#include "simd/posed.h"

typedef struct carom_revolution {
    double around;   /* no point of the core is farther from the axis; rounded up */
    double along[2]; /* the core lies between these along the axis, relative to the origin; rounded outward */
} carom_revolution;

/* The revolution of a convex shape, no half-space or line, about the unit vector `axis`. Positions in `posed` are relative
 * to the origin. */
carom_revolution carom_revolution_about(const carom_posed *posed, const double axis[3]);

#endif
