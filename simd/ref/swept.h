/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* One moving shape of a block (simd/swept.h), in scalar form. */
#ifndef CAROM_SIMD_REF_SWEPT_H
#define CAROM_SIMD_REF_SWEPT_H

#include <float.h>
#include <math.h>

#include "simd/compare.h"
#include "simd/swept.h"

typedef struct carom_swept {
    double at[3];
    double move[3];
    double turn[4];
    double end_turn[4]; /* p q: as long as both are */
    double half[3];     /* of the core: its half extents */
    double radius;
    double core;   /* the length of `half` */
    double way[4]; /* p */
    double square; /* of v */
    double length; /* n */
    double ratio;  /* (a / |v|)^2, rounded up */
    double sum;    /* of the sizes of position and way */
    bool valid;
    bool rests;
} carom_swept;

/* p of a rotation vector. */
static inline bool carom_swept_way_along(const double w[3], double way[4]) {
    const double x = 0.25 * ((w[0] * w[0] + w[1] * w[1]) + w[2] * w[2]);
    const double sine =
        1.0 + x * (-1.0 / 6.0 +
                   x * (1.0 / 120.0 + x * (-1.0 / 5040.0 + x * (1.0 / 362880.0 + x * (-1.0 / 39916800.0)))));
    const double cosine =
        1.0 + x * (-0.5 + x * (1.0 / 24.0 +
                               x * (-1.0 / 720.0 + x * (1.0 / 40320.0 + x * (-1.0 / 3628800.0)))));
    for (int d = 0; d < 3; d++) {
        way[d] = (0.5 * sine) * w[d];
    }
    way[3] = cosine;
    return x <= CAROM_SWEPT_ANGLE_MOST;
}

/* p between two quaternions. */
static inline void carom_swept_way_between(const double from[4], const double to[4], double way[4]) {
    way[0] = ((to[0] * from[3] - to[3] * from[0]) + to[2] * from[1]) - to[1] * from[2];
    way[1] = ((to[1] * from[3] - to[3] * from[1]) + to[0] * from[2]) - to[2] * from[0];
    way[2] = ((to[2] * from[3] - to[3] * from[2]) + to[1] * from[0]) - to[0] * from[1];
    way[3] = ((to[3] * from[3] + to[0] * from[0]) + to[1] * from[1]) + to[2] * from[2];
    for (int d = 0; d < 4 && way[3] < 0.0; d++) {
        way[d] = d < 3 ? -way[d] : way[d];
    }
    way[3] = fabs(way[3]);
}

/* p q */
static inline void carom_swept_product(const double p[4], const double q[4], double product[4]) {
    product[0] = ((p[3] * q[0] + p[0] * q[3]) + p[1] * q[2]) - p[2] * q[1];
    product[1] = ((p[3] * q[1] + p[1] * q[3]) + p[2] * q[0]) - p[0] * q[2];
    product[2] = ((p[3] * q[2] + p[2] * q[3]) + p[0] * q[1]) - p[1] * q[0];
    product[3] = ((p[3] * q[3] - p[0] * q[0]) - p[1] * q[1]) - p[2] * q[2];
}

static inline void carom_swept_measure(carom_swept *s) {
    const double *p = s->way;
    s->square = (p[0] * p[0] + p[1] * p[1]) + p[2] * p[2];
    const double whole = s->square + p[3] * p[3];
    const double x = s->square / whole;
    const double series = 1.0 + x * (1.0 / 3.0 + x * (8.0 / 45.0 + x * 0.125));
    s->ratio = ((4.0 / whole) * series) * (1.0 + CAROM_SWEPT_RATIO_ERROR);
    s->length = sqrt(whole);
    s->core = sqrt((s->half[0] * s->half[0] + s->half[1] * s->half[1]) + s->half[2] * s->half[2]);
    s->valid = s->valid && x <= CAROM_SWEPT_SINE_MOST;
}

/* Whether the body's rotation at the end, or its rotation vector, is the one at the start. */
static inline bool carom_swept_keeps_turn(const carom_swept *s, const carom_block_motion *motion, uint32_t n) {
    bool keeps = true;
    for (int d = 0; d < (motion->along ? 3 : 4); d++) {
        keeps = keeps && motion->turn[d][n] == (motion->along ? 0.0 : s->turn[d]);
    }
    return keeps;
}

static inline void carom_swept_take(const carom_block_side *side, const carom_block_motion *motion, uint32_t n,
                                    carom_swept *s) {
    double turn[4];
    for (int d = 0; d < 4; d++) {
        s->turn[d] = side->turn[d][n];
        turn[d] = motion->turn[d][n];
    }
    s->valid = true;
    s->radius = side->radius[n];
    s->rests = carom_swept_keeps_turn(s, motion, n);
    s->sum = 0.0;
    for (int d = 0; d < 3; d++) {
        s->half[d] = side->extent[d][n];
        s->at[d] = side->at[d][n];
        s->move[d] = motion->end[d][n] - s->at[d];
        s->sum += fabs(s->at[d]) + fabs(s->move[d]);
        s->rests = s->rests && s->move[d] == 0.0;
    }
    if (motion->along) {
        s->valid = carom_swept_way_along(turn, s->way);
    } else {
        const double square = ((turn[0] * turn[0] + turn[1] * turn[1]) + turn[2] * turn[2]) + turn[3] * turn[3];
        s->valid = square >= CAROM_TURN_SQUARE_LEAST && square <= CAROM_TURN_SQUARE_MOST;
        carom_swept_way_between(s->turn, turn, s->way);
    }
    carom_swept_product(s->way, s->turn, s->end_turn);
    carom_swept_measure(s);
}

/* The root of a square that is a difference, rounded up. */
static inline double carom_swept_root(double square, double less) {
    return sqrt(carom_greater(0.0, square - less) + CAROM_SWEPT_SQUARE_ERROR * square);
}

/* |v| A_d */
static inline double carom_swept_across(const carom_swept *s, int d) {
    return carom_swept_root(s->square, s->way[d] * s->way[d]);
}

/* |v| B, of the farthest corner. `start`: the rotation at the start. */
static inline double carom_swept_around(const carom_swept *s, double start[3][3]) {
    double sums[3];
    for (int c = 0; c < 3; c++) {
        sums[c] =
            s->half[c] * ((start[0][c] * s->way[0] + start[1][c] * s->way[1]) + start[2][c] * s->way[2]);
    }
    const double both = sums[0] + sums[1];
    const double other = sums[0] - sums[1];
    const double first = carom_lesser(fabs(both + sums[2]), fabs(both - sums[2]));
    const double second = carom_lesser(fabs(other + sums[2]), fabs(other - sums[2]));
    const double least = carom_lesser(first, second);
    return carom_swept_root(s->square * (s->core * s->core), least * least);
}

/* False if floats do not hold it. */
static inline bool carom_swept_path(const carom_swept *s, double reach, carom_path_numbers *path) {
    const double spread = (0.5 * s->core) * sqrt(s->ratio * s->square);
    const double size = reach + s->sum;
    for (int d = 0; d < 3; d++) {
        path->middle[d] = s->at[d] + 0.5 * s->move[d];
        path->half_way[d] = 0.5 * s->move[d];
    }
    for (int d = 0; d < 4; d++) {
        path->turn[d] = s->turn[d] + s->end_turn[d] / s->length;
    }
    path->spread = spread + CAROM_PATH_ROUNDING * (spread + size);
    path->rests = s->rests ? 1.0 : 0.0;
    return size < CAROM_PATH_MOST && path->spread < CAROM_PATH_MOST;
}

#endif
