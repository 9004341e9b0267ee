/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Sizes of shapes. */
#ifndef CAROM_SHAPE_MEASURE_H
#define CAROM_SHAPE_MEASURE_H

#include "carom/shapes.h"
#include "simd/posed.h"

/* Sets extents, radius, reach, box and dimensions of an entry whose kind and hull or children are set. The entries that
 * children name are complete. */
void carom_shape_measure(const carom_shape *shape, carom_shape_entry *entry);

/* The radius of a ball that rolls along the inside of an ellipsoid of semi-axes h > 0: it lies within wherever it
 * touches. A ball does if its radius is no more than the least radius of curvature (Blaschke 1916), which is a^2 / c,
 * at the ends of the longest axis, for the least semi-axis a and the greatest c. Rounded down; 0 for ellipsoids of less
 * than 2^-100. */
double carom_shape_rolling_ball(const double h[3]);

/* The radius of a ball about the origin that lies in the shape, or a negative number: none is known to. Off by
 * rounding. */
double carom_shape_inner(const carom_shape_entry *entry);

#endif
