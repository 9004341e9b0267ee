/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Figures in the plane as searches see them: a convex polygon, and a radius around it. A circle's polygon is a point.
 */
#ifndef CAROM_PLANE_FIGURE_CONTACT_H
#define CAROM_PLANE_FIGURE_CONTACT_H

#include "carom/plane.h"

typedef struct carom_figure_core {
    uint32_t count;
    double corner[CAROM_FIGURE_CORNERS_MAX][2];
    double radius;
} carom_figure_core;

/* A candidate of a separating axis. */
typedef struct carom_figure_axis {
    double s;           /* height of core i over core k along n */
    double n[2];        /* unit vector */
    int edge_of;        /* 0: n is that of an edge of i, reversed; 1: of an edge of k; -1: of neither */
    uint32_t edge;      /* which */
    double point[2][2]; /* the nearest points of the boundaries of i and k */
    double way[2];      /* unit vector between them, and the height along it */
    double way_s;
} carom_figure_axis;

/* The tolerance of figures, relative to their coordinates: what rounds. */
#define CAROM_FIGURE_ERROR 0x1p-46

/* Fills in the contact's points and their number. `size` is the sum of all coordinates. */
void carom_figure_contact_fill(const carom_figure_core core[2], const carom_figure_axis *axis, double size,
                               carom_figure_contact_f64 *contact);

#endif
