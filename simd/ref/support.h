/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Support functions, in scalar form: the point of a shape's core that is farthest in a direction. */
#ifndef CAROM_SIMD_REF_SUPPORT_H
#define CAROM_SIMD_REF_SUPPORT_H

#include <math.h>
#include <stdbool.h>

#include "simd/posed.h"

/* Rounding of supports: CAROM_SUPPORT_ERROR times (core_reach + |at|) times |n| bounds
 *   - how far `point` is from the exact core, in the direction of n or any other, per unit of |n|,
 *   - the error of the result as the greatest n.a over the exact core.
 * n is taken as exact. An entry of `turn` is off by 2^-50 at most, so a rotated vector by 3 2^-50 of its length; the
 * three products and sums of a dot product round by less than 2^-51; square roots and divisions of curved shapes add
 * 2^-50. Together these are less than half of 2^-47. */
#define CAROM_SUPPORT_ERROR 0x1p-47

/* The farthest vertex, the lowest of several. */
static inline void carom_support_hull(const carom_hull *hull, const double d[3], double s[3]) {
    uint32_t best = 0;
    double most = -HUGE_VAL;
    for (uint32_t n = 0; n < hull->vertex_count; n++) {
        const double far = d[0] * hull->vertex[0][n] + d[1] * hull->vertex[1][n] + d[2] * hull->vertex[2][n];
        best = far > most ? n : best;
        most = far > most ? far : most;
    }
    for (int a = 0; a < 3; a++) {
        s[a] = hull->vertex[a][best];
    }
}

/* The farthest point of a box of half extents h: a corner. */
static inline void carom_support_corner(const double h[3], const double d[3], double s[3]) {
    for (int a = 0; a < 3; a++) {
        s[a] = d[a] < 0.0 ? -h[a] : h[a];
    }
}

/* The point of the circle of radius r about the z axis that is farthest along (d[0], d[1]). */
static inline void carom_support_circle(double r, const double d[3], double s[3]) {
    const double length = sqrt(d[0] * d[0] + d[1] * d[1]);
    s[0] = length > 0.0 ? r * (d[0] / length) : r;
    s[1] = length > 0.0 ? r * (d[1] / length) : 0.0;
}

static inline void carom_support_cylinder(const double extent[3], const double d[3], double s[3]) {
    carom_support_circle(extent[0], d, s);
    s[2] = d[2] < 0.0 ? -extent[2] : extent[2];
}

/* A point of the base, or the apex. */
static inline void carom_support_cone(const double extent[3], const double d[3], double s[3]) {
    carom_support_circle(extent[0], d, s);
    s[2] = -extent[2];
    const double base = d[0] * s[0] + d[1] * s[1] + d[2] * s[2];
    if (base < d[2] * extent[2]) {
        s[0] = 0.0;
        s[1] = 0.0;
        s[2] = extent[2];
    }
}

/* The core of an ellipsoid is all centres of balls of the radius inside it. Its farthest point is the centre of the
 * ball that touches the ellipsoid's farthest point. */
static inline void carom_support_ellipsoid(const double extent[3], double radius, const double d[3], double s[3]) {
    const double e[3] = {extent[0] * d[0], extent[1] * d[1], extent[2] * d[2]};
    const double length = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
    const double scale = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    const bool has_length = length > 0.0 && scale > 0.0;
    for (int a = 0; a < 3; a++) {
        s[a] = has_length ? extent[a] * (e[a] / length) - radius * (d[a] / scale) : a == 0 ? extent[0] - radius : 0.0;
    }
}

/* The farthest point in the frame of the shape. */
static inline void carom_support_local(const carom_shape_entry *shape, const double d[3], double s[3]) {
    switch (shape->kind) {
    case CAROM_SHAPE_HULL:
        carom_support_hull(shape->hull, d, s);
        break;
    case CAROM_SHAPE_CYLINDER:
        carom_support_cylinder(shape->extent, d, s);
        break;
    case CAROM_SHAPE_CONE:
        carom_support_cone(shape->extent, d, s);
        break;
    case CAROM_SHAPE_ELLIPSOID:
        carom_support_ellipsoid(shape->extent, shape->radius, d, s);
        break;
    default: /* a point, a segment or a box */
        carom_support_corner(shape->extent, d, s);
        break;
    }
}

/* The greatest n.a over the points a of the core, and one such point. n is finite. Convex shapes only: no half-space,
 * line or compound. Of vertices equally far it takes the one of the lowest number; of a flat side, a corner. */
static inline double carom_support(const carom_posed *posed, const double n[3], double point[3]) {
    double d[3];
    double s[3];
    carom_pose_to_local(posed->turn, n, d);
    carom_support_local(posed->shape, d, s);
    carom_pose_from_local(posed->turn, s, point);
    for (int a = 0; a < 3; a++) {
        point[a] += posed->at[a];
    }
    return (d[0] * s[0] + d[1] * s[1] + d[2] * s[2]) +
           (n[0] * posed->at[0] + n[1] * posed->at[1] + n[2] * posed->at[2]);
}

#endif
