/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Surfaces at rest, off which bodies bounce. Bodies of infinite mass pass through them. */
#ifndef CAROM_SURFACE_H
#define CAROM_SURFACE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum carom_surface_kind {
    /* Bodies stay on the side that axis[0], the normal, points to. */
    CAROM_SURFACE_PLANE,

    /* Bodies stay outside a box. Off a body whose centre is in it the normal is that of the nearest face. */
    CAROM_SURFACE_BOX,

    /* Bodies stay outside a cylinder without ends. */
    CAROM_SURFACE_PILLAR,

    /* Bodies stay inside a cylinder without ends. One whose radius is not less than the pipe's never gets farther from
     * the axis: it hits where it would. One that moves across exactly in the axis, without loss (e = 1), spends its
     * budget there. One whose speed across the axis is at most 2^-45 of its speed counts as moving along it, and does
     * not hit the pipe. */
    CAROM_SURFACE_PIPE
} carom_surface_kind;

/* A surface. Members that its kind does not name are not used. */
typedef struct carom_surface {
    /* What it is. */
    carom_surface_kind kind;

    /* 0. Later versions may give this word a name and a meaning. */
    uint32_t reserved;

    /* 0 to 1. Of the surface's and the body's the lesser holds. A surface that is not given one has 0,
     * whatever the bodies or a config have: nothing bounces off it. */
    double restitution;

    /* A point of the plane, the box's centre, a point of the cylinder's axis, in units of length, finite. */
    double at[3];

    /* Directions, of any finite length but 0: the plane's normal or the cylinder's axis in axis[0]; the box's edges,
     * which are at right angles to within 1e-6. A box whose axes are all 0 has its edges along x, y and z. */
    double axis[3][3];

    /* Half the box's edges along its axes, or the cylinder's radius in extent[0]; in units of length, finite, >= 0. */
    double extent[3];
} carom_surface;

#ifdef __cplusplus
}
#endif

#endif
