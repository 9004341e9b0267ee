/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Surfaces at rest, and when a body on a piece of its path hits one. */
#ifndef CAROM_RESPONSE_SURFACE_H
#define CAROM_RESPONSE_SURFACE_H

#include <stdbool.h>

#include "kernel/response/piece.h"

typedef enum carom_surface_kind {
    CAROM_SURFACE_PLANE,  /* bodies stay on the side that axis[0] points to */
    CAROM_SURFACE_BOX,    /* bodies stay outside */
    CAROM_SURFACE_PILLAR, /* a cylinder without ends; bodies stay outside */
    CAROM_SURFACE_PIPE    /* a cylinder without ends; bodies stay inside */
} carom_surface_kind;

typedef struct carom_surface {
    carom_surface_kind kind;
    double restitution; /* 0 to 1 */
    double at[3];       /* a point of the plane, the box's centre, a point of the cylinder's axis; units of length */
    double axis[3][3];  /* unit vectors, at right angles: of a plane its normal, of a cylinder its axis first */
    double extent[3];   /* half the box's edges along `axis`; of a cylinder its radius first; units of length */
} carom_surface;

/* Time at which a body of radius r hits the surface, in steps, if it stays on its piece; INFINITY if it does not. It is
 * at least the piece's start, and may be 1 or more. A body that is beyond the surface already, and moves farther,
 * hits at the start. So does one that circles along the wall of a pipe, until its budget is spent. */
double carom_surface_predict(const carom_surface *surface, const carom_piece *piece, double r);

/* Unit normal of the surface, towards the side where bodies may be, for a body with its centre at x. Inside a box it is
 * that of the nearest face. */
void carom_surface_normal(const carom_surface *surface, const double x[3], double normal[3]);

/* Whether a straight path that left the surface can come back to it. */
static inline bool carom_surface_is_hollow(const carom_surface *surface) {
    return surface->kind == CAROM_SURFACE_PIPE;
}

#endif
