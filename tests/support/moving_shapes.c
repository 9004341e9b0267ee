/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/support/moving_shapes.h"

#include <math.h>
#include <string.h>

#include "kernel/shape/measure.h"

static const double ROUND_UP = 1.0 + 0x1p-50;

static double between(carom_random *random, double lo, double hi) {
    return lo + (hi - lo) * carom_random_u01(random);
}

static void set_core(carom_shape_entry *entry, const double h[3]) {
    for (int d = 0; d < 3; d++) {
        entry->extent[d] = h[d];
    }
    entry->core_reach = sqrt(h[0] * h[0] + h[1] * h[1] + h[2] * h[2]) * ROUND_UP;
}

static void set_reach(carom_shape_entry *entry) {
    entry->reach = (entry->core_reach + entry->radius) * ROUND_UP;
    for (int d = 0; d < 3; d++) {
        entry->lo[d] = -entry->reach;
        entry->hi[d] = entry->reach;
    }
}

void moving_shapes_set(carom_shape_entry *entry, carom_shape_kind kind, double radius, const double extent[3]) {
    memset(entry, 0, sizeof *entry);
    entry->kind = kind;
    entry->dimensions = 3;
    switch (kind) {
    case CAROM_SHAPE_SPHERE:
        entry->radius = radius;
        break;
    case CAROM_SHAPE_CAPSULE:
        entry->radius = radius;
        set_core(entry, (const double[3]){0.0, 0.0, extent[2]});
        break;
    case CAROM_SHAPE_CYLINDER:
    case CAROM_SHAPE_CONE:
        set_core(entry, (const double[3]){radius, radius, extent[2]});
        entry->core_reach = sqrt(radius * radius + extent[2] * extent[2]) * ROUND_UP;
        break;
    case CAROM_SHAPE_ELLIPSOID:
        set_core(entry, extent);
        entry->core_reach = fmax(extent[0], fmax(extent[1], extent[2]));
        set_reach(entry);
        entry->radius = carom_shape_rolling_ball(extent);
        return;
    default:
        set_core(entry, extent);
    }
    set_reach(entry);
}

void moving_shapes_set_hull(moving_shape *shape, uint32_t number, const double (*point)[3], uint32_t count) {
    carom_hull *hull = &shape->hull[number];
    carom_shape_entry *entry = &shape->entry[number];
    memset(hull, 0, sizeof *hull);
    memset(entry, 0, sizeof *entry);
    hull->vertex_count = count;
    hull->padded = (count + CAROM_HULL_PAD - 1) / CAROM_HULL_PAD * CAROM_HULL_PAD;
    hull->dimensions = count > 3 ? 3 : count - 1;
    entry->kind = CAROM_SHAPE_HULL;
    entry->dimensions = hull->dimensions;
    for (int d = 0; d < 3; d++) {
        hull->vertex[d] = shape->vertex[number][d];
        for (uint32_t n = 0; n < hull->padded; n++) {
            shape->vertex[number][d][n] = point[n < count ? n : 0][d];
        }
    }
    carom_rounded_fill(hull->vertex, count, hull->padded, shape->rounded[number]);
    hull->rounded = shape->rounded[number];
    for (uint32_t n = 0; n < count; n++) {
        const double *p = point[n];
        entry->core_reach = fmax(entry->core_reach, sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) * ROUND_UP);
    }
    hull->reach = (float)(entry->core_reach * (1.0 + 0x1p-22));
    entry->hull = hull;
    set_reach(entry);
}

void moving_shapes_direction(carom_random *random, double n[3]) {
    double length = 0.0;
    while (!(length > 0.1 && length < 1.0)) {
        for (int d = 0; d < 3; d++) {
            n[d] = between(random, -1.0, 1.0);
        }
        length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    }
    for (int d = 0; d < 3; d++) {
        n[d] /= length;
    }
}

void moving_shapes_turn(carom_random *random, double turn[4]) {
    double length = 0.0;
    while (!(length > 0.1 && length < 1.0)) {
        for (int d = 0; d < 4; d++) {
            turn[d] = between(random, -1.0, 1.0);
        }
        length = sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]);
    }
    const double scale = between(random, 0.6, 1.8) / length;
    for (int d = 0; d < 4; d++) {
        turn[d] *= scale;
    }
}

static void draw_hull(carom_random *random, double size, moving_shape *shape, uint32_t number) {
    double point[MOVING_SHAPES_VERTICES][3];
    const uint32_t count = 4 + (uint32_t)(carom_random_next(random) % 37);
    double axis[3];
    for (int d = 0; d < 3; d++) {
        axis[d] = size * between(random, 0.4, 1.0);
    }
    for (uint32_t n = 0; n < count; n++) {
        moving_shapes_direction(random, point[n]);
        for (int d = 0; d < 3; d++) {
            point[n][d] *= axis[d];
        }
    }
    moving_shapes_set_hull(shape, number, (const double(*)[3])point, count);
}

static void draw_convex(carom_random *random, carom_shape_kind kind, double size, moving_shape *shape,
                        uint32_t number) {
    const double extent[3] = {size * between(random, 0.25, 1.0), size * between(random, 0.25, 1.0),
                              size * between(random, 0.25, 1.0)};
    if (kind == CAROM_SHAPE_HULL) {
        draw_hull(random, size, shape, number);
    } else {
        moving_shapes_set(&shape->entry[number], kind, size * between(random, 0.1, 0.8), extent);
    }
}

static void draw_compound(carom_random *random, double size, moving_shape *shape) {
    carom_shape_entry *whole = &shape->entry[0];
    memset(whole, 0, sizeof *whole);
    whole->kind = CAROM_SHAPE_COMPOUND;
    whole->dimensions = 3;
    whole->child = shape->child;
    whole->child_count = 1 + (uint32_t)(carom_random_next(random) % MOVING_SHAPES_CHILDREN);
    whole->table = shape->entry;
    for (uint32_t n = 0; n < whole->child_count; n++) {
        carom_shape_child *child = &shape->child[n];
        const carom_shape_kind kind = (carom_shape_kind)(carom_random_next(random) % (CAROM_SHAPE_HULL + 1));
        draw_convex(random, kind, 0.5 * size, shape, n + 1);
        memset(child, 0, sizeof *child);
        child->shape = n + 1;
        moving_shapes_turn(random, child->turn);
        double length = 0.0;
        for (int d = 0; d < 3; d++) {
            child->at[d] = size * between(random, -0.7, 0.7);
            length += child->at[d] * child->at[d];
        }
        whole->core_reach = fmax(whole->core_reach, (sqrt(length) + shape->entry[n + 1].reach) * ROUND_UP);
    }
    set_reach(whole);
}

void moving_shapes_draw(carom_random *random, carom_shape_kind kind, double size, moving_shape *shape) {
    if (kind == CAROM_SHAPE_COMPOUND) {
        draw_compound(random, size, shape);
    } else {
        draw_convex(random, kind, size, shape, 0);
    }
}

/* Rotation of a quaternion of any length. */
static void rotation_of(const long double q[4], long double turn[3][3]) {
    const long double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            const int other = 3 - r - c;
            const long double sign = (c + 3 - r) % 3 == 1 ? -1.0L : 1.0L;
            turn[r][c] = r == c ? 1.0L - 2.0L * (square - q[3] * q[3] - q[r] * q[r]) / square
                                : 2.0L * (q[r] * q[c] + sign * q[3] * q[other]) / square;
        }
    }
}

static void multiply(const long double a[3][3], const long double b[3][3], long double product[3][3]) {
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            product[r][c] = a[r][0] * b[0][c] + a[r][1] * b[1][c] + a[r][2] * b[2][c];
        }
    }
}

static void rotation_of_doubles(const double q[4], long double turn[3][3]) {
    rotation_of((const long double[4]){q[0], q[1], q[2], q[3]}, turn);
}

void moving_shapes_rotation(const carom_moving *moving, double t, long double turn[3][3]) {
    const long double x = moving->spin[0];
    const long double y = moving->spin[1];
    const long double z = moving->spin[2];
    const long double angle = sqrtl(x * x + y * y + z * z);
    const long double sine = angle > 0.0L ? sinl(0.5L * t * angle) / angle : 0.0L;
    long double way[3][3];
    long double start[3][3];
    rotation_of((const long double[4]){x * sine, y * sine, z * sine, cosl(0.5L * t * angle)}, way);
    rotation_of_doubles(moving->turn, start);
    multiply((const long double(*)[3])way, (const long double(*)[3])start, turn);
}

/* The greatest coordinate of a convex shape along row `n` of its rotation. */
static long double far_along(const carom_shape_entry *shape, const long double n[3]) {
    const double *h = shape->extent;
    long double far = -HUGE_VALL;
    switch (shape->kind) {
    case CAROM_SHAPE_HULL:
        for (uint32_t v = 0; v < shape->hull->vertex_count; v++) {
            far = fmaxl(far, n[0] * shape->hull->vertex[0][v] + n[1] * shape->hull->vertex[1][v] +
                                 n[2] * shape->hull->vertex[2][v]);
        }
        break;
    case CAROM_SHAPE_CYLINDER:
        far = h[0] * sqrtl(n[0] * n[0] + n[1] * n[1]) + h[2] * fabsl(n[2]);
        break;
    case CAROM_SHAPE_CONE:
        far = fmaxl(h[0] * sqrtl(n[0] * n[0] + n[1] * n[1]) - h[2] * n[2], h[2] * n[2]);
        break;
    case CAROM_SHAPE_ELLIPSOID:
        return sqrtl(h[0] * n[0] * h[0] * n[0] + h[1] * n[1] * h[1] * n[1] + h[2] * n[2] * h[2] * n[2]);
    default:
        far = h[0] * fabsl(n[0]) + h[1] * fabsl(n[1]) + h[2] * fabsl(n[2]);
    }
    return far + shape->radius;
}

static void add_box(const carom_shape_entry *shape, const long double at[3], const long double turn[3][3],
                    long double lo[3], long double hi[3]) {
    for (int d = 0; d < 3; d++) {
        const long double back[3] = {-turn[d][0], -turn[d][1], -turn[d][2]};
        lo[d] = fminl(lo[d], at[d] - far_along(shape, back));
        hi[d] = fmaxl(hi[d], at[d] + far_along(shape, turn[d]));
    }
}

void moving_shapes_box(const carom_moving *moving, double t, long double lo[3], long double hi[3]) {
    const carom_shape_entry *shape = moving->shape;
    long double turn[3][3];
    long double at[3];
    moving_shapes_rotation(moving, t, turn);
    for (int d = 0; d < 3; d++) {
        at[d] = (long double)moving->at[d] + (long double)t * moving->move[d];
        lo[d] = HUGE_VALL;
        hi[d] = -HUGE_VALL;
    }
    if (shape->kind != CAROM_SHAPE_COMPOUND) {
        add_box(shape, at, (const long double(*)[3])turn, lo, hi);
        return;
    }
    for (uint32_t n = 0; n < shape->child_count; n++) {
        const carom_shape_child *child = &shape->child[n];
        long double own[3][3];
        long double both[3][3];
        long double place[3];
        rotation_of_doubles(child->turn, own);
        multiply((const long double(*)[3])turn, (const long double(*)[3])own, both);
        for (int d = 0; d < 3; d++) {
            place[d] = at[d] + turn[d][0] * child->at[0] + turn[d][1] * child->at[1] + turn[d][2] * child->at[2];
        }
        add_box(&shape->table[child->shape], place, (const long double(*)[3])both, lo, hi);
    }
}
