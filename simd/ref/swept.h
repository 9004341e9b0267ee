/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* One moving shape of a block (simd/swept.h), in scalar form. */
#ifndef CAROM_SIMD_REF_SWEPT_H
#define CAROM_SIMD_REF_SWEPT_H

#include <math.h>

#include "simd/compare.h"
#include "simd/ref/extent.h"
#include "simd/ref/turn.h"
#include "simd/swept.h"

typedef struct carom_swept {
    const carom_shape_entry *shape;
    double at[3];
    double move[3];
    double turn[4];
    double end_turn[4]; /* p q: as long as both are */
    double half[3];     /* of the core: its half extents; of an ellipsoid, the shape's semi-axes */
    double core_reach; /* no point of the core is farther from its origin */
    double rotation[4]; /* p */
    double square; /* of v */
    double length; /* n */
    double ratio;  /* (a / |v|)^2, rounded up */
    double sum;    /* of the sizes of position and way */
    bool valid;
    bool rests;
} carom_swept;

/* p of a rotation vector. */
static inline bool carom_swept_along(const double w[3], double p[4]) {
    const double x = 0.25 * ((w[0] * w[0] + w[1] * w[1]) + w[2] * w[2]);
    const double sine =
        1.0 + x * (-1.0 / 6.0 +
                   x * (1.0 / 120.0 + x * (-1.0 / 5040.0 + x * (1.0 / 362880.0 + x * (-1.0 / 39916800.0)))));
    const double cosine =
        1.0 + x * (-0.5 + x * (1.0 / 24.0 +
                               x * (-1.0 / 720.0 + x * (1.0 / 40320.0 + x * (-1.0 / 3628800.0)))));
    for (int d = 0; d < 3; d++) {
        p[d] = (0.5 * sine) * w[d];
    }
    p[3] = cosine;
    return x <= CAROM_SWEPT_ANGLE_MOST;
}

/* p between two quaternions. */
static inline void carom_swept_between(const double from[4], const double to[4], double p[4]) {
    carom_turn_between(from, to, p);
    for (int d = 0; d < 3 && p[3] < 0.0; d++) {
        p[d] = -p[d];
    }
    p[3] = fabs(p[3]);
}

static inline void carom_swept_measure(carom_swept *s) {
    const double *p = s->rotation;
    s->square = (p[0] * p[0] + p[1] * p[1]) + p[2] * p[2];
    const double whole = s->square + p[3] * p[3];
    const double sine_square = s->square / whole;
    const double series = 1.0 + sine_square * (1.0 / 3.0 + sine_square * (8.0 / 45.0 + sine_square * 0.125));
    s->ratio = ((4.0 / whole) * series) * (1.0 + CAROM_SWEPT_RATIO_ERROR);
    s->length = sqrt(whole);
    s->valid = s->valid && sine_square <= CAROM_SWEPT_SINE_MOST;
}

/* A shape whose core has corners reaches as far as they do; the cores of others no farther than the shapes. */
static inline double carom_swept_core_reach(const carom_swept *s, double reach) {
    return s->shape->kind <= CAROM_SHAPE_BOX
               ? sqrt((s->half[0] * s->half[0] + s->half[1] * s->half[1]) + s->half[2] * s->half[2])
               : reach;
}

/* Whether the body's rotation at the end, or its rotation vector, is the one at the start. */
static inline bool carom_swept_keeps_turn(const carom_swept *s, const carom_block_motion *motion, uint32_t n) {
    bool keeps = true;
    for (int d = 0; d < (motion->along ? 3 : 4); d++) {
        keeps = keeps && motion->end_turn[d][n] == (motion->along ? 0.0 : s->turn[d]);
    }
    return keeps;
}

/* `reach`: that of the shape. */
static inline void carom_swept_take(const carom_block_side *side, const carom_block_motion *motion, double reach,
                                    uint32_t n, carom_swept *s) {
    double end[4];
    for (int d = 0; d < 4; d++) {
        s->turn[d] = side->turn[d][n];
        end[d] = motion->end_turn[d][n];
    }
    s->valid = true;
    s->shape = side->shape[n];
    s->rests = carom_swept_keeps_turn(s, motion, n);
    s->sum = 0.0;
    for (int d = 0; d < 3; d++) {
        s->half[d] = side->extent[d][n];
        s->at[d] = side->at[d][n];
        s->move[d] = motion->end[d][n] - s->at[d];
        s->sum += fabs(s->at[d]) + fabs(s->move[d]);
        s->rests = s->rests && s->move[d] == 0.0;
    }
    s->core_reach = carom_swept_core_reach(s, reach);
    if (motion->along) {
        s->valid = carom_swept_along(end, s->rotation);
    } else {
        const double square = ((end[0] * end[0] + end[1] * end[1]) + end[2] * end[2]) + end[3] * end[3];
        s->valid = square >= CAROM_TURN_SQUARE_LEAST && square <= CAROM_TURN_SQUARE_MOST;
        carom_swept_between(s->turn, end, s->rotation);
    }
    carom_turn_product(s->rotation, s->turn, s->end_turn);
    carom_swept_measure(s);
}

/* The root of a square that is what is left of the square `whole`, rounded up. */
static inline double carom_swept_root(double left, double whole) {
    return sqrt(carom_greater(0.0, left) + CAROM_SWEPT_SQUARE_ERROR * whole);
}

/* |v| A_d */
static inline double carom_swept_across(const carom_swept *s, int d) {
    return carom_swept_root(s->square - s->rotation[d] * s->rotation[d], s->square);
}

/* The least |v.s| of the corners s of a box; v is given in its frame, times the half extents. */
static inline double carom_swept_least_corner(const double v[3]) {
    const double both = v[0] + v[1];
    const double other = v[0] - v[1];
    const double first = carom_lesser(fabs(both + v[2]), fabs(both - v[2]));
    const double second = carom_lesser(fabs(other + v[2]), fabs(other - v[2]));
    return carom_lesser(first, second);
}

/* Likewise of the rims of a cylinder, or the one of a cone, which is farther from any axis than the apex. */
static inline double carom_swept_least_rim(const double v[3]) {
    return carom_greater(0.0, fabs(v[2]) - sqrt(v[0] * v[0] + v[1] * v[1]));
}

/* The greatest |v|^2 B^2 of an ellipsoid; v is given in its frame. */
static inline double carom_swept_around_ellipsoid(const double half[3], const double v[3], double square,
                                                  double whole) {
    const double e[3] = {half[0] * half[0], half[1] * half[1], half[2] * half[2]};
    const double m[3] = {v[0] * v[0], v[1] * v[1], v[2] * v[2]};
    const double trace = (e[0] * (square - m[0]) + e[1] * (square - m[1])) + e[2] * (square - m[2]);
    const double minors = ((e[1] * e[2]) * m[0] + (e[0] * e[2]) * m[1]) + (e[0] * e[1]) * m[2];
    const double split = carom_greater(0.0, trace * trace - 4.0 * (square * minors));
    return 0.5 * (trace + sqrt(split + CAROM_SWEPT_SPLIT_ERROR * (whole * whole)));
}

static inline double carom_swept_around_hull(const carom_hull *hull, const double v[3], double square) {
    double most = 0.0;
    for (uint32_t n = 0; n < hull->vertex_count; n++) {
        const double x = hull->vertex[0][n];
        const double y = hull->vertex[1][n];
        const double z = hull->vertex[2][n];
        const double along = (v[0] * x + v[1] * y) + v[2] * z;
        most = carom_greater(square * ((x * x + y * y) + z * z) - along * along, most);
    }
    return most;
}

/* |v| B, of the farthest point. `start`: the rotation at the start. */
static inline double carom_swept_around(const carom_swept *s, double start[3][3]) {
    const carom_shape_kind kind = s->shape->kind;
    const double whole = s->square * (s->core_reach * s->core_reach);
    double v[3];
    double stretched[3];
    for (int c = 0; c < 3; c++) {
        v[c] = (start[0][c] * s->rotation[0] + start[1][c] * s->rotation[1]) + start[2][c] * s->rotation[2];
        stretched[c] = s->half[c] * v[c];
    }
    if (kind == CAROM_SHAPE_HULL) {
        return carom_swept_root(carom_swept_around_hull(s->shape->hull, v, s->square), whole);
    }
    if (kind == CAROM_SHAPE_ELLIPSOID) {
        return carom_swept_root(carom_swept_around_ellipsoid(s->half, v, s->square, whole), whole);
    }
    const double least =
        kind <= CAROM_SHAPE_BOX ? carom_swept_least_corner(stretched) : carom_swept_least_rim(stretched);
    return carom_swept_root(whole - least * least, whole);
}

/* False if floats do not hold it. */
static inline bool carom_swept_path(const carom_swept *s, double reach, carom_path_numbers *path) {
    const double spread = (0.5 * s->core_reach) * sqrt(s->ratio * s->square);
    const double size = reach + s->sum;
    for (int d = 0; d < 3; d++) {
        path->middle[d] = s->at[d] + 0.5 * s->move[d];
        path->half_way[d] = 0.5 * s->move[d];
    }
    for (int d = 0; d < 4; d++) {
        path->turn[d] = s->turn[d] + s->end_turn[d] / s->length;
    }
    path->spread = carom_path_widen(spread, size);
    path->rests = s->rests ? 1.0 : 0.0;
    return size < CAROM_PATH_MOST && path->spread < CAROM_PATH_MOST;
}

#endif
