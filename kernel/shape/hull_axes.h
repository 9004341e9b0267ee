/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Directions of the faces and edges of a hull, as separating axes need them (simd/facets_pair.h): each within 5 times
 * 2^-53 of the exact one. */
#ifndef CAROM_SHAPE_HULL_AXES_H
#define CAROM_SHAPE_HULL_AXES_H

#include "kernel/shape/hull_work.h"

/* Columns to write: `faces` values, a multiple of CAROM_HULL_AXES_PAD, and `edges`. */
typedef struct carom_hull_axes {
    uint32_t faces;
    uint32_t edges;
    double *axis[3];
    double *offset;
    double *way[3];
} carom_hull_axes;

/* Whether the hull has axes: it is a body with few enough edges, and has no face that is all but a line. Sets how many
 * values each column has. */
bool carom_hull_axes_count(const carom_hull_work *work, carom_hull_axes *axes);

/* Writes the columns. */
void carom_hull_axes_fill(const carom_hull_work *work, const carom_hull_axes *axes);

#endif
