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

/* The radius of a ball about the origin that lies in the shape, or a negative number: none is known to. Off by
 * rounding. */
double carom_shape_inner(const carom_shape_entry *entry);

#endif
