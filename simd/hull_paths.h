/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The hull and the coarse path of one body: what the kernel `hulls` makes of many. */
#ifndef CAROM_SIMD_HULL_PATHS_H
#define CAROM_SIMD_HULL_PATHS_H

#include <math.h>

#include "simd/kernels.h"

/* Fields of a motion and of a body. */
enum { CAROM_MOTION_X = 0, CAROM_MOTION_V = 3, CAROM_MOTION_START = 6 };
enum { CAROM_BODY_RADIUS = 0, CAROM_BODY_INVERSE_MASS = 1 };

/* Rounding of a place that doubles predict, over the coordinates it is made of. */
#define CAROM_HULL_ROUNDING 0x1p-40

/* More than rounding to float moves a value: a part of it, and a part of the least float. */
#define CAROM_HULL_FLOAT_PART 0x1p-22
#define CAROM_HULL_FLOAT_LEAST 0x1p-147

/* Rounding of a coarse path, over the numbers it is made of: that of floats, of a time at which it is asked for, and of
 * bodies that are floats when steps end. And a reach whose square, times that of a speed that
 * matters, does not underflow. */
#define CAROM_COARSE_ROUNDING 0x1p-19
#define CAROM_COARSE_LEAST 0x1p-30F

/* Coordinates of a body's surface on an axis. */
typedef struct carom_hull_range {
    double lo;
    double hi;
} carom_hull_range;

/* From when on a motion is in the hull. */
static inline double carom_hull_from(const carom_hull_frame *frame, const double *motion) {
    return motion[CAROM_MOTION_START] > frame->begin ? motion[CAROM_MOTION_START] : frame->begin;
}

/* On axis a, from the motion's start or the frame's beginning to its end. Rounding is that of places at rest. */
static inline carom_hull_range carom_hull_span(const carom_hull_frame *frame, const double *motion, double radius,
                                               int a) {
    const double x = motion[CAROM_MOTION_X + a];
    const double v = motion[CAROM_MOTION_V + a];
    const double rest_from = x + v * (carom_hull_from(frame, motion) - motion[CAROM_MOTION_START]);
    const double rest_to = x + v * (frame->end - motion[CAROM_MOTION_START]);
    const double moved_from = frame->drift[a] * (carom_hull_from(frame, motion) - frame->begin);
    const double moved_to = frame->drift[a] * (frame->end - frame->begin);
    const double own = frame->rounding * ((fabs(rest_from) + fabs(rest_to)) + radius);
    const double moved = frame->reach + (fabs(moved_from) + fabs(moved_to));
    const double margin = radius + (own + CAROM_HULL_ROUNDING * moved);
    const double from = rest_from - moved_from;
    const double to = rest_to - moved_to;
    return (carom_hull_range){(from < to ? from : to) - margin, (from < to ? to : from) + margin};
}

/* What the hull has beyond the motion. No impact moves a body of infinite mass. */
static inline double carom_hull_room(const carom_hull_frame *frame, const double *motion, const double *body) {
    double v[3];
    for (int a = 0; a < 3; a++) {
        v[a] = motion[CAROM_MOTION_V + a] - frame->drift[a];
    }
    const double speed = sqrt((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]);
    const double room = (frame->end - carom_hull_from(frame, motion)) * (frame->own_room * speed + frame->room);
    const double some = room < frame->room_most ? room : frame->room_most;
    return body[CAROM_BODY_INVERSE_MASS] > 0.0 ? some : 0.0;
}

/* Rounded outward. */
static inline void carom_hull_around(const carom_hull_frame *frame, const double *motion, const double *body,
                                     float lo[3], float hi[3]) {
    const double room = carom_hull_room(frame, motion, body);
    for (int a = 0; a < 3; a++) {
        const carom_hull_range span = carom_hull_span(frame, motion, body[CAROM_BODY_RADIUS], a);
        const double low = span.lo - room;
        const double high = span.hi + room;
        lo[a] = (float)(low - (CAROM_HULL_FLOAT_PART * fabs(low) + CAROM_HULL_FLOAT_LEAST));
        hi[a] = (float)(high + (CAROM_HULL_FLOAT_PART * fabs(high) + CAROM_HULL_FLOAT_LEAST));
    }
}

/* A body that does not go along with the drift may be faster beside it. The larger speed is what is rounded. */
static inline carom_coarse_path carom_hull_coarse(const carom_hull_frame *frame, const double *motion, double radius) {
    carom_coarse_path path = {.group = 0};
    double rounding = radius + frame->reach;
    for (int a = 0; a < 3; a++) {
        const double v = motion[CAROM_MOTION_V + a];
        const double x = motion[CAROM_MOTION_X + a] + v * (frame->begin - motion[CAROM_MOTION_START]);
        path.x[a] = (float)(x * frame->unit);
        const double apart = v - frame->drift[a];
        const double speed = fabs(v) > fabs(apart) ? fabs(v) : fabs(apart);
        path.v[a] = (float)(apart * frame->unit);
        rounding = rounding + ((fabs(motion[CAROM_MOTION_X + a]) + fabs(x)) + frame->span * speed);
    }
    path.reach = (float)((radius + CAROM_COARSE_ROUNDING * rounding) * frame->unit) + CAROM_COARSE_LEAST;
    return path;
}

#endif
