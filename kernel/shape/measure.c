/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a shape, its hull and its children. Out: extents, the core's radius, reach, box and dimensions. */
#include "kernel/shape/measure.h"

#include <math.h>

#include "kernel/shape/box.h"
#include "simd/vector.h"

/* Above the roundings of three squares, their sum, the root and one more sum. */
static const double ROUNDING_UP = 1.0 + 0x1p-49;

/* The core of an ellipsoid that is nearly a ball may be as small as rounding. Searches take products of six lengths,
 * which vanish below 2^-170: 2^-53 of this is well above. */
static const double BALL_LEAST = 0x1p-100;

/* Below the roundings of a product and a quotient. */
static const double ROUNDING_DOWN = 1.0 - 0x1p-40;

/* A face's plane is nearer to the origin than it seems by no more than this, relative to the hull's reach. Its normal
 * is the product of two edges, off by 2^-50 of the square of the reach at most, and no product counts that is less than
 * INNER_AREA of that: then the normal is off by no more than 2^-26. */
static const double INNER_ROUNDING = 0x1p-22;
static const double INNER_AREA = 0x1p-24;

static double farthest(double x, double y, double z) {
    return sqrt(x * x + y * y + z * z) * ROUNDING_UP;
}

static double greatest(const double h[3]) {
    return fmax(h[0], fmax(h[1], h[2]));
}

static uint32_t round_dimensions(double radius, double height) {
    const uint32_t across = radius > 0.0 ? 2 : 0;
    return across + (height > 0.0 ? 1 : 0);
}

static void set_box(carom_shape_entry *entry, double x, double y, double z) {
    const double extent[3] = {x, y, z};
    for (int d = 0; d < 3; d++) {
        entry->lo[d] = -extent[d];
        entry->hi[d] = extent[d];
    }
}

static void measure_rounded(const carom_shape *shape, carom_shape_entry *entry) {
    const double height = shape->kind == CAROM_SHAPE_CAPSULE ? shape->extent[2] : 0.0;
    entry->radius = shape->radius;
    entry->extent[2] = height;
    entry->core_reach = height;
    entry->reach = height > 0.0 ? (height + shape->radius) * ROUNDING_UP : shape->radius;
    entry->dimensions = shape->radius > 0.0 ? 3 : round_dimensions(0.0, height);
    set_box(entry, shape->radius, shape->radius, entry->reach);
}

static void measure_extents(const carom_shape *shape, carom_shape_entry *entry) {
    for (int d = 0; d < 3; d++) {
        entry->extent[d] = shape->extent[d];
        entry->dimensions += shape->extent[d] > 0.0 ? 1 : 0;
    }
    const double *h = entry->extent;
    entry->core_reach = shape->kind == CAROM_SHAPE_BOX ? farthest(h[0], h[1], h[2]) : greatest(h);
    set_box(entry, h[0], h[1], h[2]);
}

double carom_shape_rolling_ball(const double h[3]) {
    const double least = fmin(h[0], fmin(h[1], h[2]));
    return greatest(h) >= BALL_LEAST ? least * (least / greatest(h)) * ROUNDING_DOWN : 0.0;
}

static void measure_round(const carom_shape *shape, carom_shape_entry *entry) {
    entry->extent[0] = shape->radius;
    entry->extent[1] = shape->radius;
    entry->extent[2] = shape->extent[2];
    entry->core_reach = farthest(shape->radius, 0.0, shape->extent[2]);
    entry->dimensions = round_dimensions(shape->radius, shape->extent[2]);
    set_box(entry, shape->radius, shape->radius, shape->extent[2]);
}

static void measure_hull(carom_shape_entry *entry) {
    const carom_hull *hull = entry->hull;
    entry->dimensions = hull->dimensions;
    for (int d = 0; d < 3; d++) {
        entry->lo[d] = hull->vertex[d][0];
        entry->hi[d] = hull->vertex[d][0];
    }
    for (uint32_t n = 0; n < hull->vertex_count; n++) {
        const double p[3] = {hull->vertex[0][n], hull->vertex[1][n], hull->vertex[2][n]};
        entry->core_reach = fmax(entry->core_reach, farthest(p[0], p[1], p[2]));
        for (int d = 0; d < 3; d++) {
            entry->lo[d] = fmin(entry->lo[d], p[d]);
            entry->hi[d] = fmax(entry->hi[d], p[d]);
        }
    }
}

static void measure_compound(carom_shape_entry *entry) {
    for (int d = 0; d < 3; d++) {
        entry->lo[d] = HUGE_VAL;
        entry->hi[d] = -HUGE_VAL;
    }
    for (uint32_t n = 0; n < entry->child_count; n++) {
        const carom_shape_child *child = &entry->child[n];
        const carom_shape_entry *shape = &entry->table[child->shape];
        carom_posed posed = {.shape = shape, .at = {child->at[0], child->at[1], child->at[2]}};
        carom_shape_box box;
        carom_pose_turn(child->turn, posed.turn);
        carom_box_at(&posed, &box);
        const double far = (farthest(child->at[0], child->at[1], child->at[2]) + shape->reach) * ROUNDING_UP;
        entry->core_reach = fmax(entry->core_reach, far);
        entry->dimensions = shape->dimensions > entry->dimensions ? shape->dimensions : entry->dimensions;
        for (int d = 0; d < 3; d++) {
            entry->lo[d] = fmin(entry->lo[d], box.lo[d]);
            entry->hi[d] = fmax(entry->hi[d], box.hi[d]);
        }
    }
}

static void measure_endless(carom_shape_entry *entry) {
    const bool line = entry->kind == CAROM_SHAPE_LINE;
    entry->core_reach = HUGE_VAL;
    entry->dimensions = line ? 1 : 3;
    set_box(entry, line ? 0.0 : HUGE_VAL, line ? 0.0 : HUGE_VAL, HUGE_VAL);
    entry->hi[2] = line ? HUGE_VAL : 0.0;
}

void carom_shape_measure(const carom_shape *shape, carom_shape_entry *entry) {
    switch (entry->kind) {
    case CAROM_SHAPE_SPHERE:
    case CAROM_SHAPE_CAPSULE:
        measure_rounded(shape, entry);
        return;
    case CAROM_SHAPE_BOX:
        measure_extents(shape, entry);
        break;
    case CAROM_SHAPE_ELLIPSOID:
        measure_extents(shape, entry);
        entry->radius = carom_shape_rolling_ball(entry->extent);
        break;
    case CAROM_SHAPE_CYLINDER:
    case CAROM_SHAPE_CONE:
        measure_round(shape, entry);
        break;
    case CAROM_SHAPE_HULL:
        measure_hull(entry);
        break;
    case CAROM_SHAPE_COMPOUND:
        measure_compound(entry);
        break;
    case CAROM_SHAPE_HALF_SPACE:
    case CAROM_SHAPE_LINE:
        measure_endless(entry);
        break;
    }
    entry->reach = entry->core_reach;
}

/* Twice the greatest area of a face's triangles with its first corner. */
static double greatest_area(const carom_hull *hull, const carom_hull_face *face) {
    const uint32_t *corner = hull->corner + face->first;
    double most = 0.0;
    for (uint32_t n = 1; n + 1 < face->count; n++) {
        double edge[2][3];
        double cross[3];
        for (int d = 0; d < 3; d++) {
            edge[0][d] = hull->vertex[d][corner[n]] - hull->vertex[d][corner[0]];
            edge[1][d] = hull->vertex[d][corner[n + 1]] - hull->vertex[d][corner[0]];
        }
        carom_vector_cross(edge[0], edge[1], cross);
        most = fmax(most, carom_vector_length(cross));
    }
    return most;
}

/* The least distance of a face from the origin. */
static double inner_of_hull(const carom_shape_entry *entry) {
    const carom_hull *hull = entry->hull;
    double least = HUGE_VAL;
    for (uint32_t f = 0; f < hull->face_count; f++) {
        const bool is_sure = greatest_area(hull, &hull->face[f]) >= INNER_AREA * entry->reach * entry->reach;
        least = fmin(least, is_sure ? hull->face[f].offset : -HUGE_VAL);
    }
    return hull->dimensions == 3 ? least - INNER_ROUNDING * entry->reach : -1.0;
}

/* The side of a cone is nearer to the middle of its height than its base is. */
static double inner_of_cone(const carom_shape_entry *entry) {
    const double r = entry->extent[0];
    const double h = entry->extent[2];
    const double side = sqrt(r * r + 4.0 * h * h);
    return side > 0.0 ? r * (h / side) : 0.0;
}

double carom_shape_inner(const carom_shape_entry *entry) {
    const double *h = entry->extent;
    switch (entry->kind) {
    case CAROM_SHAPE_SPHERE:
    case CAROM_SHAPE_CAPSULE:
        return entry->radius;
    case CAROM_SHAPE_BOX:
    case CAROM_SHAPE_CYLINDER:
    case CAROM_SHAPE_ELLIPSOID:
        return fmin(h[0], fmin(h[1], h[2]));
    case CAROM_SHAPE_CONE:
        return inner_of_cone(entry);
    case CAROM_SHAPE_HULL:
        return inner_of_hull(entry);
    default:
        return -1.0;
    }
}
