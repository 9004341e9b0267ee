/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* When a body on a piece of its path hits a surface. Here the axes of surfaces are unit vectors, and those of boxes at
 * right angles; carom_surface_unit makes them so. */
#ifndef CAROM_RESPONSE_SURFACE_H
#define CAROM_RESPONSE_SURFACE_H

#include <stdbool.h>

#include "carom/surface.h"
#include "kernel/response/piece.h"

/* The same surface with unit axes, a box's at right angles. Returns false if the surface is none: no such kind, members
 * that are not finite, extents < 0, a restitution outside [0, 1], no direction where one is needed, or a box whose axes
 * are not at right angles. */
bool carom_surface_unit(const carom_surface *surface, carom_surface *unit);

/* Time at which a body of radius r hits the surface, in steps, if it stays on its piece; INFINITY if it does not. It is
 * at least the piece's start, and may be 1 or more. A body that is beyond the surface already, and moves farther,
 * hits at the start. So does one that moves along the wall of a pipe. */
double carom_surface_predict(const carom_surface *surface, const carom_piece *piece, double r);

/* Unit normal of the surface, towards the side where bodies may be, for a body with its centre at x, moving with v.
 * Inside a box it is that of the nearest face, in the axis of a cylinder against the motion across the axis. */
void carom_surface_normal(const carom_surface *surface, const double x[3], const double v[3], double normal[3]);

/* Whether a straight path that left the surface can come back to it. */
static inline bool carom_surface_is_hollow(const carom_surface *surface) {
    return surface->kind == CAROM_SURFACE_PIPE;
}

#endif
