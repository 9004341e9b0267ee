/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: the caller's shapes. Out: what is wrong with the first that is not as it must be. */
#include "kernel/shape/check.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>

#include "kernel/sys/error.h"

/* Sizes and coordinates: products of six of them are in the range of doubles. */
static const double SIZE_LEAST = 1e-50;
static const double SIZE_MOST = 1e50;

/* Lengths of quaternions, squared: 0.5 to 2. */
static const double TURN_LEAST = 0.25;
static const double TURN_MOST = 4.0;

static const char *const EXTENT_NAMES[3] = {"extent_x", "extent_y", "extent_z"};

double carom_shape_wrong_length(double square) {
    const double length = sqrt(square);
    if (square > TURN_MOST && length <= sqrt(TURN_MOST)) {
        return nextafter(length, HUGE_VAL);
    }
    return square < TURN_LEAST && length >= sqrt(TURN_LEAST) ? nextafter(length, 0.0) : length;
}

static bool is_coordinate(double x) {
    const double size = fabs(x);
    return size <= 0.0 || (size >= SIZE_LEAST && size <= SIZE_MOST);
}

static carom_status check_size(uint64_t number, const char *field, double size, carom_error *error) {
    if (is_coordinate(size) && size >= 0.0) {
        return CAROM_OK;
    }
    return carom_error_body(error, number, field, "%s of shape %" PRIu64 " is %g: it must be 0, or from 1e-50 to 1e50",
                            field, number, size);
}

static carom_status check_extents(uint64_t number, const carom_shape *shape, int first, carom_error *error) {
    carom_status status = CAROM_OK;
    for (int a = first; a < 3 && status == CAROM_OK; a++) {
        status = check_size(number, EXTENT_NAMES[a], shape->extent[a], error);
        if (status == CAROM_OK && shape->kind == CAROM_SHAPE_ELLIPSOID && !(shape->extent[a] > 0.0)) {
            status = carom_error_body(error, number, EXTENT_NAMES[a], "%s of shape %" PRIu64 ", an ellipsoid, is 0",
                                      EXTENT_NAMES[a], number);
        }
    }
    return status;
}

static carom_status check_round(uint64_t number, const carom_shape *shape, bool has_height, carom_error *error) {
    const carom_status status = check_size(number, "radius", shape->radius, error);
    return status == CAROM_OK && has_height ? check_extents(number, shape, 2, error) : status;
}

static carom_status check_hull(uint64_t number, const carom_shape *shape, carom_error *error) {
    if (shape->point == NULL) {
        return carom_error_body(error, number, "point", "point of shape %" PRIu64 ", a hull, is NULL", number);
    }
    if (shape->point_count == 0 || shape->point_count > CAROM_HULL_POINTS_MAX) {
        return carom_error_body(error, number, "point_count",
                                "point_count of shape %" PRIu64 " is %" PRIu64 ": a hull has 1 to %d points", number,
                                shape->point_count, CAROM_HULL_POINTS_MAX);
    }
    for (uint64_t n = 0; n < shape->point_count; n++) {
        for (int d = 0; d < 3; d++) {
            if (!is_coordinate(shape->point[n][d])) {
                return carom_error_body(error, number, "point",
                                        "%c of point %" PRIu64 " of shape %" PRIu64
                                        " is %g: its magnitude must be 0, or from 1e-50 to 1e50",
                                        "xyz"[d], n, number, shape -> point[n][d]);
            }
        }
    }
    return CAROM_OK;
}

static bool is_part(carom_shape_kind kind) {
    return kind != CAROM_SHAPE_HALF_SPACE && kind != CAROM_SHAPE_LINE && kind != CAROM_SHAPE_COMPOUND;
}

static carom_status check_child(const carom_shape *shapes, uint64_t number, uint64_t n, carom_error *error) {
    const carom_shape_child *child = &shapes[number].child[n];
    const double square = child->turn[0] * child->turn[0] + child->turn[1] * child->turn[1] +
                          child->turn[2] * child->turn[2] + child->turn[3] * child->turn[3];
    if (child->shape >= number || !is_part(shapes[child->shape].kind)) {
        return carom_error_body(error, number, "child",
                                "child %" PRIu64 " of shape %" PRIu64 " is shape %" PRIu32
                                ", which is no convex shape before it",
                                n, number, child->shape);
    }
    if (child->reserved != 0) {
        return carom_error_body(error, number, "child", "reserved of child %" PRIu64 " of shape %" PRIu64 " is not 0",
                                n, number);
    }
    if (!(square >= TURN_LEAST && square <= TURN_MOST)) {
        return carom_error_body(error, number, "child",
                                "turn of child %" PRIu64 " of shape %" PRIu64 " has length %.17g, not 0.5 to 2", n,
                                number, carom_shape_wrong_length(square));
    }
    for (int d = 0; d < 3; d++) {
        if (!is_coordinate(child->at[d])) {
            return carom_error_body(error, number, "child",
                                    "at_%c of child %" PRIu64 " of shape %" PRIu64
                                    " is %g: its magnitude must be 0, or from 1e-50 to 1e50",
                                    "xyz"[d], n, number, child -> at[d]);
        }
    }
    return CAROM_OK;
}

static carom_status check_compound(const carom_shape *shapes, uint64_t number, carom_error *error) {
    const carom_shape *shape = &shapes[number];
    if (shape->child == NULL || shape->child_count == 0 || shape->child_count > CAROM_COMPOUND_CHILDREN_MAX) {
        return carom_error_body(error, number, "child", "shape %" PRIu64 ", a compound, must have 1 to %d children",
                                number, CAROM_COMPOUND_CHILDREN_MAX);
    }
    carom_status status = CAROM_OK;
    for (uint64_t n = 0; n < shape->child_count && status == CAROM_OK; n++) {
        status = check_child(shapes, number, n, error);
    }
    return status;
}

static carom_status check_one(const carom_shape *shapes, uint64_t number, carom_error *error) {
    const carom_shape *shape = &shapes[number];
    if (shape->reserved != 0) {
        return carom_error_body(error, number, "reserved", "reserved of shape %" PRIu64 " is not 0", number);
    }
    switch (shape->kind) {
    case CAROM_SHAPE_SPHERE:
        return check_round(number, shape, false, error);
    case CAROM_SHAPE_CAPSULE:
    case CAROM_SHAPE_CYLINDER:
    case CAROM_SHAPE_CONE:
        return check_round(number, shape, true, error);
    case CAROM_SHAPE_BOX:
    case CAROM_SHAPE_ELLIPSOID:
        return check_extents(number, shape, 0, error);
    case CAROM_SHAPE_HULL:
        return check_hull(number, shape, error);
    case CAROM_SHAPE_HALF_SPACE:
    case CAROM_SHAPE_LINE:
        return CAROM_OK;
    case CAROM_SHAPE_COMPOUND:
        return check_compound(shapes, number, error);
    }
    return carom_error_body(error, number, "kind", "kind of shape %" PRIu64 " is %d, which is none", number,
                            (int)shape->kind);
}

carom_status carom_shape_check(const carom_shape *shape, uint64_t count, carom_error *error) {
    carom_status status = CAROM_OK;
    for (uint64_t n = 0; n < count && status == CAROM_OK; n++) {
        status = check_one(shape, n, error);
    }
    return status;
}
