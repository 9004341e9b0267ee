/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The exact convex hull of up to CAROM_HULL_POINTS_MAX points: vertices, faces and edges. */
#ifndef CAROM_SHAPE_HULL_H
#define CAROM_SHAPE_HULL_H

#include "kernel/shape/hull_work.h"

/* Builds the hull of `count` points, 1 to CAROM_HULL_POINTS_MAX, whose coordinates are 0 or from 1e-50 to 1e50. What is
 * decided is decided exactly; only normals are rounded. */
void carom_hull_build(const double (*point)[3], uint32_t count, carom_hull_work *work);

#endif
