/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A convex shape at its place, in long double: what carom/shapes.h says it is, and nothing of how the library treats
 * it. Of the input only the shape as a caller writes it, its position and its quaternion are read, so the pose is exact
 * but for the rounding of long doubles. */
#ifndef CAROM_TESTS_SOLID_H
#define CAROM_TESTS_SOLID_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/shapes.h"

typedef long double wide;

/* A shape and its pose, as a caller gives them. */
typedef struct solid_input {
    carom_shape shape;
    double at[3];
    double turn[4]; /* all 0: not rotated */
} solid_input;

/* A core and a radius around it. */
typedef struct solid {
    const carom_shape *shape;
    wide radius;
    wide extent[3]; /* half extents, semi-axes, or {radius, radius, half height} */
    wide at[3];
    wide turn[3][3];
    wide reach; /* of the core, about `at` */
} solid;

/* Two shapes, with their places relative to k's. `noise` bounds the error of solid_gap_along, of differences of points
 * and of distances of points, in units of length. */
typedef struct solid_pair {
    solid i;
    solid k;
    wide radii;
    wide size; /* of all coordinates */
    wide noise;
} solid_pair;

solid_pair solid_pair_of(const solid_input *i, const solid_input *k);

/* The point of the core farthest along n, and its distance n.point. */
wide solid_support(const solid *s, const wide n[3], wide point[3]);

/* min n.a over core i less max n.b over core k, with such points; n has length 1. */
wide solid_gap_along(const solid_pair *pair, const wide n[3], wide a[3], wide b[3]);

/* <= 0 if a point lies in the shape; else no more than its distance. Of hulls it knows nothing. */
wide solid_outside(const solid *s, const wide point[3]);

/* Its rotation: I for a quaternion of 0. */
void solid_turn(const double q[4], wide turn[3][3]);

static inline wide wide_dot(const wide a[3], const wide b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void wide_cross(const wide a[3], const wide b[3], wide to[3]) {
    to[0] = a[1] * b[2] - a[2] * b[1];
    to[1] = a[2] * b[0] - a[0] * b[2];
    to[2] = a[0] * b[1] - a[1] * b[0];
}

static inline void wide_minus(const wide a[3], const wide b[3], wide to[3]) {
    for (int d = 0; d < 3; d++) {
        to[d] = a[d] - b[d];
    }
}

/* Makes its length 1; false if it is 0. Lengths whose squares vanish are scaled first. */
bool wide_unit(wide n[3]);

wide wide_length(const wide v[3]);

#endif
