/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a shape that is posed relative to its body's origin, and an axis through it. Out: its core's least and greatest
 * height along the axis, and its distance from it: exact for points, segments, boxes and hulls, a bound for the others.
 *
 * A cylinder or cone of half height h and radius r about the direction z lies within h |z x axis| + r of the axis; an
 * ellipsoid within the root of the sum of (a_d |z_d x axis|)^2, and within its greatest semi-axis. */
#include "kernel/shape/revolution.h"

#include <math.h>

#include "simd/ref/support.h"
#include "simd/vector.h"

/* Roundings of distances and heights, relative to the size of what they are of: the axis is off by 2^-51, the matrix by
 * 2^-50 an entry, and the products by less than 2^-51. */
static const double REVOLUTION_ERROR = 0x1p-46;

/* The distance of point p from the axis. */
static double distance(const double p[3], const double axis[3]) {
    double cross[3];
    carom_vector_cross(p, axis, cross);
    return carom_vector_length(cross);
}

/* Column d of the rotation: the shape's own axis d. */
static void own_axis(const carom_posed *posed, int d, double column[3]) {
    for (int a = 0; a < 3; a++) {
        column[a] = posed->turn[a][d];
    }
}

static double around_corners(const carom_posed *posed, const double axis[3]) {
    const double *h = posed->shape->extent;
    double most = 0.0;
    for (int corner = 0; corner < 8; corner++) {
        const double s[3] = {(corner & 1) != 0 ? h[0] : -h[0], (corner & 2) != 0 ? h[1] : -h[1],
                             (corner & 4) != 0 ? h[2] : -h[2]};
        double p[3];
        carom_pose_from_local(posed->turn, s, p);
        carom_vector_add(p, 1.0, posed->at, p);
        most = fmax(most, distance(p, axis));
    }
    return most;
}

static double around_vertices(const carom_posed *posed, const double axis[3]) {
    const carom_hull *hull = posed->shape->hull;
    double most = 0.0;
    for (uint32_t n = 0; n < hull->vertex_count; n++) {
        const double s[3] = {hull->vertex[0][n], hull->vertex[1][n], hull->vertex[2][n]};
        double p[3];
        carom_pose_from_local(posed->turn, s, p);
        carom_vector_add(p, 1.0, posed->at, p);
        most = fmax(most, distance(p, axis));
    }
    return most;
}

/* A bound for shapes with a round side: how far the origin is, and the core beyond it. */
static double around_round(const carom_posed *posed, const double axis[3]) {
    const carom_shape_entry *shape = posed->shape;
    double across[3];
    for (int d = 0; d < 3; d++) {
        double own[3];
        own_axis(posed, d, own);
        across[d] = shape->extent[d] * distance(own, axis);
    }
    const double own = shape->kind == CAROM_SHAPE_ELLIPSOID ? fmin(carom_vector_length(across), shape->core_reach)
                                                            : fmin(shape->extent[0] + across[2], shape->core_reach);
    return distance(posed->at, axis) + own;
}

static double around(const carom_posed *posed, const double axis[3]) {
    switch (posed->shape->kind) {
    case CAROM_SHAPE_SPHERE:
        return distance(posed->at, axis);
    case CAROM_SHAPE_CAPSULE:
    case CAROM_SHAPE_BOX:
        return around_corners(posed, axis);
    case CAROM_SHAPE_HULL:
        return around_vertices(posed, axis);
    default:
        return around_round(posed, axis);
    }
}

carom_revolution carom_revolution_about(const carom_posed *posed, const double axis[3]) {
    const double back[3] = {-axis[0], -axis[1], -axis[2]};
    const double offset = fabs(posed->at[0]) + fabs(posed->at[1]) + fabs(posed->at[2]);
    const double error = REVOLUTION_ERROR * (posed->shape->core_reach + offset);
    carom_revolution revolution;
    double point[3];
    revolution.around = around(posed, axis) + error;
    revolution.along[0] = -carom_support(posed, back, point) - error;
    revolution.along[1] = carom_support(posed, axis, point) + error;
    return revolution;
}
