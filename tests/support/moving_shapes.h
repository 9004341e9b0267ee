/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Shapes and motions for tests, without a table: entries as the library has them. */
#ifndef CAROM_TESTS_MOVING_SHAPES_H
#define CAROM_TESTS_MOVING_SHAPES_H

#include "kernel/scene/random.h"
#include "kernel/shape/motion.h"
#include "simd/rounded.h"

enum { MOVING_SHAPES_VERTICES = 48, MOVING_SHAPES_CHILDREN = 3 };

/* A shape and all that its entry points to. It must stay where it is. Entry 0 is the shape, the others its children. */
typedef struct moving_shape {
    carom_shape_entry entry[1 + MOVING_SHAPES_CHILDREN];
    carom_shape_child child[MOVING_SHAPES_CHILDREN];
    carom_hull hull[1 + MOVING_SHAPES_CHILDREN];
    double vertex[1 + MOVING_SHAPES_CHILDREN][3][MOVING_SHAPES_VERTICES] __attribute__((aligned(64)));
    float rounded[1 + MOVING_SHAPES_CHILDREN][CAROM_ROUNDED_ALL * MOVING_SHAPES_VERTICES] __attribute__((aligned(64)));
} moving_shape;

/* Fills in an entry from its kind, radius and extents: what a table computes of them. */
void moving_shapes_set(carom_shape_entry *entry, carom_shape_kind kind, double radius, const double extent[3]);

/* Makes entry `number` a hull of the points, all of which are its corners. It has no faces. */
void moving_shapes_set_hull(moving_shape *shape, uint32_t number, const double (*point)[3], uint32_t count);

/* A random shape of about the given size; a hull has 4 to 40 points of an ellipsoid, a compound 1 to 3 children. */
void moving_shapes_draw(carom_random *random, carom_shape_kind kind, double size, moving_shape *shape);

/* A random quaternion of length 0.6 to 1.8. */
void moving_shapes_turn(carom_random *random, double turn[4]);

/* A random direction. */
void moving_shapes_direction(carom_random *random, double n[3]);

/* The rotation at t in long double, from the formulas. */
void moving_shapes_rotation(const carom_moving *moving, double t, long double turn[3][3]);

/* The box of a moving shape at t in long double: lo and hi of each axis. */
void moving_shapes_box(const carom_moving *moving, double t, long double lo[3], long double hi[3]);

#endif
