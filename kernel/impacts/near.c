/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a surface and a box. Out: whether one may touch the other. */
#include "kernel/impacts/near.h"

#include <math.h>

#include "simd/vector.h"

/* Rounding of all sums here, over the lengths that they are made of: those of boxes are floats. */
static const double ROUNDING = 0x1p-20;

/* A box from a surface's point: its centre, half its edges, and how far rounding may move either. */
typedef struct around {
    double centre[3];
    double half[3];
    double margin;
} around;

static around around_of(const carom_surface *surface, const carom_box *box) {
    around b = {.margin = 0.0};
    for (int a = 0; a < 3; a++) {
        const double lo = (double)box->lo[a];
        const double hi = (double)box->hi[a];
        b.centre[a] = (lo + hi) / 2.0 - surface->at[a];
        b.half[a] = (hi - lo) / 2.0;
        b.margin += ROUNDING * (fabs(lo) + fabs(hi) + fabs(surface->at[a]) + fabs(surface->extent[a]));
    }
    return b;
}

/* Half the width of the box along a unit vector. */
static double half_width(const around *b, const double axis[3]) {
    return b->half[0] * fabs(axis[0]) + b->half[1] * fabs(axis[1]) + b->half[2] * fabs(axis[2]) + b->margin;
}

/* A box is off if one of the surface's axes keeps it off. */
static bool near_box(const carom_surface *surface, const around *b) {
    bool near = true;
    for (int a = 0; a < 3; a++) {
        const double *axis = surface->axis[a];
        const double gap = fabs(carom_vector_dot(axis, b->centre)) - half_width(b, axis) - surface->extent[a];
        near = near && !(gap > 0.0);
    }
    return near;
}

/* Distance of the box's centre from a cylinder's axis. */
static double off_axis(const carom_surface *surface, const around *b) {
    double across[3];
    carom_vector_add(b->centre, -carom_vector_dot(b->centre, surface->axis[0]), surface->axis[0], across);
    return sqrt(carom_vector_dot(across, across));
}

bool carom_surface_near(const void *shape, const carom_box *box) {
    const carom_surface *surface = shape;
    const around b = around_of(surface, box);
    const double diagonal = sqrt(carom_vector_dot(b.half, b.half)) + b.margin;
    switch (surface->kind) {
    case CAROM_SURFACE_PLANE:
        return !(carom_vector_dot(surface->axis[0], b.centre) - half_width(&b, surface->axis[0]) > 0.0);
    case CAROM_SURFACE_BOX:
        return near_box(surface, &b);
    case CAROM_SURFACE_PILLAR:
        return !(off_axis(surface, &b) - diagonal > surface->extent[0]);
    case CAROM_SURFACE_PIPE:
        break;
    }
    return !(off_axis(surface, &b) + diagonal < surface->extent[0]);
}
