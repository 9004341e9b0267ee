/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Heights of the gap between two cores that turn, over planes that turn: what kernel/narrow/plane.h asks for, without
 * radii, margins and errors. */
#ifndef CAROM_SIMD_HEIGHT_H
#define CAROM_SIMD_HEIGHT_H

#include <stdint.h>

#include "simd/posed.h"

/* A core that turns about its body's origin. */
typedef struct carom_swing {
    double angle;       /* of the whole step's rotation, >= 0. Where t times it is infinite or beyond
                           CAROM_TURN_MOST, it does not turn */
    double axis[3];     /* a unit vector */
    double start[3][3]; /* rotation of the shape at t = 0 */
    double arm[3];      /* from the body's origin to the shape's, at t = 0 */
} carom_swing;

/* The most planes of one query. */
enum { CAROM_HEIGHT_PLANES = 4 };

/* Planes through the gap of one pair. All have the same normal at one time, and turn from there. */
typedef struct carom_height_query {
    const carom_shape_entry *shape_i; /* a half-space or line counts as its origin */
    const carom_shape_entry *shape_k;
    const carom_swing *i;
    const carom_swing *k;
    double t;
    double between[3]; /* from body k's origin to body i's, at t */
    double normal[3];  /* before the planes turn */
    double axis[CAROM_HEIGHT_PLANES][3];
    double angle[CAROM_HEIGHT_PLANES]; /* by which each has turned at t; like carom_swing's where it is great */

    /* The answers: the turned normal, and the least of its products with a - b for points a of i and b of k. */
    double turned[CAROM_HEIGHT_PLANES][3];
    double height[CAROM_HEIGHT_PLANES];
} carom_height_query;

#endif
