/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* How far a posed shape of a block reaches along each axis, in scalar form.
 *
 * Row d of the rotation is the direction of axis d in the shape's frame; with p_c = |R_dc| h_c for half extents h
 *
 *     point, segment, box    p_0 + p_1 + p_2
 *     cylinder               sqrt(p_0^2 + p_1^2) + p_2
 *     ellipsoid              sqrt(p_0^2 + p_1^2 + p_2^2)
 *     cone                   its base or its apex, whichever reaches farther
 *     hull                   the greatest product of the row and a vertex.
 *
 * An entry is off by 2^-50, which moves the vector p by less than 2^-49 of the core's reach and a root by no more; all
 * else rounds by less than 2^-50 of the reach: a quarter of CAROM_POSE_BOX_ERROR covers both. */
#ifndef CAROM_SIMD_REF_EXTENT_H
#define CAROM_SIMD_REF_EXTENT_H

#include <math.h>
#include <stdbool.h>

#include "simd/compare.h"
#include "simd/pair_block.h"

/* From the position, with the radius. */
typedef struct carom_extent {
    double against[3]; /* against each axis */
    double along[3];
} carom_extent;

/* Half-spaces, lines and compounds have no extent here. */
static inline bool carom_extent_is_known(const carom_shape_entry *shape) {
    return shape->kind <= CAROM_SHAPE_HULL;
}

static inline bool carom_extent_is_curved(carom_shape_kind kind) {
    return kind == CAROM_SHAPE_CYLINDER || kind == CAROM_SHAPE_CONE || kind == CAROM_SHAPE_ELLIPSOID;
}

/* The least and the greatest product with a vertex. */
static inline void carom_extent_hull(const carom_hull *hull, const double row[3], double *least, double *most) {
    *least = HUGE_VAL;
    *most = -HUGE_VAL;
    for (uint32_t n = 0; n < hull->vertex_count; n++) {
        const double far = (row[0] * hull->vertex[0][n] + row[1] * hull->vertex[1][n]) + row[2] * hull->vertex[2][n];
        *least = carom_lesser(far, *least);
        *most = carom_greater(far, *most);
    }
}

/* Of a shape that is no hull, without the radius, but for an ellipsoid: that is in its half extents. */
static inline void carom_extent_round(carom_shape_kind kind, const double h[3], const double row[3], double *against,
                                      double *along) {
    const double x = fabs(row[0]) * h[0];
    const double y = fabs(row[1]) * h[1];
    const double z = fabs(row[2]) * h[2];
    const double flat = x * x + y * y;
    const double root = sqrt(kind == CAROM_SHAPE_ELLIPSOID ? flat + z * z : flat);
    const double apex = row[2] * h[2];
    *along = !carom_extent_is_curved(kind) ? (x + y) + z : kind == CAROM_SHAPE_CYLINDER ? root + z : root;
    *against = *along;
    if (kind == CAROM_SHAPE_CONE) {
        *along = carom_greater(apex, root - apex);
        *against = carom_greater(0.0 - apex, root + apex);
    }
}

/* Of shape n of a side, where extents are known. */
static inline void carom_extent_set(const carom_block_side *side, uint32_t n, double turn[3][3], carom_extent *extent) {
    const carom_shape_entry *shape = side->shape[n];
    const double h[3] = {side->extent[0][n], side->extent[1][n], side->extent[2][n]};
    const double radius = shape->kind == CAROM_SHAPE_ELLIPSOID ? 0.0 : side->radius[n];
    for (int d = 0; d < 3; d++) {
        double against;
        double along;
        if (shape->kind == CAROM_SHAPE_HULL) {
            carom_extent_hull(shape->hull, turn[d], &against, &along);
            against = 0.0 - against;
        } else {
            carom_extent_round(shape->kind, h, turn[d], &against, &along);
        }
        extent->against[d] = against + radius;
        extent->along[d] = along + radius;
    }
}

#endif
