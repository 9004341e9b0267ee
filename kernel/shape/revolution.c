/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a shape that is posed relative to its body's origin, and an axis through it. Out: its core's least and greatest
 * height along the axis, and its distance from it: exact for points, segments, boxes and hulls, a bound for the others.
 *
 * A cylinder or cone of half height h and radius r about the direction z lies within h |z x axis| + r of the axis; an
 * ellipsoid within the root of the sum of (a_d |z_d x axis|)^2, and within its greatest semi-axis. A ball about each
 * point of an ellipsoid's core lies in the ellipsoid, so the core stays a radius away from that. */
#include "kernel/shape/revolution.h"

#include <math.h>

#include "simd/ref/support.h"
#include "simd/vector.h"

/* Roundings of distances and heights, relative to the size of what they are of: the axis is off by 2^-51, the matrix by
 * 2^-50 an entry, and the products by less than 2^-51. */
static const double REVOLUTION_ERROR = 0x1p-46;

/* An axis and the origin in the shape's own frame. */
typedef struct local_axis {
    double axis[3];
    double arm[3]; /* from the origin to the shape's position */
} local_axis;

/* The square of the distance of the shape's point s from the axis. */
static double square_of(const local_axis *local, const double s[3]) {
    const double p[3] = {local->arm[0] + s[0], local->arm[1] + s[1], local->arm[2] + s[2]};
    double cross[3];
    carom_vector_cross(p, local->axis, cross);
    return carom_vector_dot(cross, cross);
}

static double around_corners(const carom_shape_entry *shape, const local_axis *local) {
    const double *h = shape->extent;
    double most = 0.0;
    for (int corner = 0; corner < 8; corner++) {
        const double s[3] = {(corner & 1) != 0 ? h[0] : -h[0], (corner & 2) != 0 ? h[1] : -h[1],
                             (corner & 4) != 0 ? h[2] : -h[2]};
        const double square = square_of(local, s);
        most = square > most ? square : most;
    }
    return sqrt(most);
}

static double around_vertices(const carom_hull *hull, const local_axis *local) {
    double most = 0.0;
    for (uint32_t n = 0; n < hull->vertex_count; n++) {
        const double s[3] = {hull->vertex[0][n], hull->vertex[1][n], hull->vertex[2][n]};
        const double square = square_of(local, s);
        most = square > most ? square : most;
    }
    return sqrt(most);
}

/* A bound for shapes with a round side: how far the shape's position is, and the core beyond it. */
static double around_round(const carom_shape_entry *shape, const local_axis *local) {
    const double *a = local->axis;
    const double *h = shape->extent;
    const double sine[3] = {sqrt(a[1] * a[1] + a[2] * a[2]), sqrt(a[0] * a[0] + a[2] * a[2]),
                            sqrt(a[0] * a[0] + a[1] * a[1])};
    const double across[3] = {h[0] * sine[0], h[1] * sine[1], h[2] * sine[2]};
    const double own = shape->kind == CAROM_SHAPE_ELLIPSOID ? carom_vector_length(across) : h[0] + across[2];
    const double beyond = fmin(own, shape->core_reach) - shape->radius;
    return sqrt(square_of(local, (const double[3]){0.0, 0.0, 0.0})) + fmax(beyond, 0.0);
}

static double error_of(const carom_posed *posed) {
    const double offset = fabs(posed->at[0]) + fabs(posed->at[1]) + fabs(posed->at[2]);
    return REVOLUTION_ERROR * (posed->shape->core_reach + offset);
}

double carom_revolution_around(const carom_posed *posed, const double axis[3]) {
    const carom_shape_entry *shape = posed->shape;
    local_axis local;
    carom_pose_to_local(posed->turn, axis, local.axis);
    carom_pose_to_local(posed->turn, posed->at, local.arm);
    switch (shape->kind) {
    case CAROM_SHAPE_SPHERE:
    case CAROM_SHAPE_CAPSULE:
    case CAROM_SHAPE_BOX:
        return around_corners(shape, &local) + error_of(posed);
    case CAROM_SHAPE_HULL:
        return around_vertices(shape->hull, &local) + error_of(posed);
    default:
        return around_round(shape, &local) + error_of(posed);
    }
}

void carom_revolution_along(const carom_posed *posed, const double axis[3], double along[2]) {
    const double back[3] = {-axis[0], -axis[1], -axis[2]};
    const double error = error_of(posed);
    double point[3];
    along[0] = -carom_support(posed, back, point) - error;
    along[1] = carom_support(posed, axis, point) + error;
}
