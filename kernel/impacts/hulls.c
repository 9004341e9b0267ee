/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: pieces. Out: boxes in float that hold them. */
#include "kernel/impacts/hulls.h"

#include <float.h>
#include <math.h>

#include "kernel/response/vector.h"

/* A hull's room beyond the path, over the length of the path. */
static const double ROOM = 0.5;

/* Rounding of a place that is predicted, over the coordinates it is made of. */
static const double ROUNDING = 0x1p-40;

/* Rounding of a coarse path, over the numbers it is made of. */
static const double COARSE_ROUNDING = 0x1p-19;

/* Exponent of the largest lengths in coarse paths, and a reach whose square, times that of a speed that matters, does
 * not underflow. */
enum { COARSE_EXPONENT = 25, SAMPLE = 1024, EXPONENT_MOST = 1000 };
static const float COARSE_LEAST = 0x1p-30F;

/* More than rounding to float moves a value: without a branch, as loops over bodies want it. */
static double float_rounding(double x) {
    return 0x1p-22 * fabs(x) + 0x1p-147;
}

static float round_down(double x) {
    return (float)(x - float_rounding(x));
}

static float round_up(double x) {
    return (float)(x + float_rounding(x));
}

/* Coordinates of a body's surface on an axis. */
typedef struct span {
    double lo;
    double hi;
} span;

/* On axis a, from the piece's start or the window's beginning to the window's end. */
static span span_of(const carom_hulls *hulls, const carom_piece *piece, double radius, int a) {
    const double begin = piece->start > hulls->begin ? piece->start : hulls->begin;
    const double from = piece->x[a] + piece->v[a] * (begin - piece->start);
    const double to = piece->x[a] + piece->v[a] * (hulls->end - piece->start);
    const double margin = radius + ROUNDING * (fabs(from) + fabs(to) + radius + hulls->reach);
    return (span){(from < to ? from : to) - margin, (from < to ? to : from) + margin};
}

static carom_box hull_of(const carom_hulls *hulls, const carom_piece *piece, double radius) {
    const double begin = piece->start > hulls->begin ? piece->start : hulls->begin;
    const double room = ROOM * (hulls->end - begin) * sqrt(carom_vector_dot(piece->v, piece->v));
    carom_box box;
    for (int a = 0; a < 3; a++) {
        const span s = span_of(hulls, piece, radius, a);
        box.lo[a] = round_down(s.lo - room);
        box.hi[a] = round_up(s.hi + room);
    }
    return box;
}

static bool is_finite(const carom_box *box) {
    bool finite = true;
    for (int a = 0; a < 3; a++) {
        finite = finite && box->lo[a] >= -FLT_MAX && box->hi[a] <= FLT_MAX;
    }
    return finite;
}

void carom_hulls_set_unit(carom_hulls *hulls, const carom_impacts_bodies *bodies) {
    double most = 0.0;
    for (uint64_t slot = 0; slot < bodies->count; slot += bodies->count / SAMPLE + 1) {
        most = fmax(most, bodies->body[slot].radius);
        for (int a = 0; a < 3; a++) {
            most = fmax(most, fmax(fabs(bodies->piece[slot].x[a]), fabs(bodies->piece[slot].v[a])));
        }
    }
    int exponent = 0;
    (void)frexp(most, &exponent);
    exponent = COARSE_EXPONENT - exponent;
    hulls->unit = ldexp(1.0, exponent > EXPONENT_MOST ? EXPONENT_MOST : exponent);
}

carom_coarse_path carom_hulls_coarse(const carom_hulls *hulls, const carom_impacts_bodies *bodies, uint32_t slot,
                                     const carom_piece *piece) {
    const double radius = bodies->body[slot].radius;
    carom_coarse_path path = {.spare = 0.0F};
    double rounding = radius + hulls->reach;
    for (int a = 0; a < 3; a++) {
        const double x = piece->x[a] + piece->v[a] * (hulls->begin - piece->start);
        path.x[a] = (float)(x * hulls->unit);
        path.v[a] = (float)(piece->v[a] * hulls->unit);
        rounding += fabs(piece->x[a]) + fabs(x) + fabs(piece->v[a]);
    }
    path.reach = (float)((radius + COARSE_ROUNDING * rounding) * hulls->unit) + COARSE_LEAST;
    return path;
}

uint32_t carom_hulls_make(const carom_hulls *hulls, const carom_impacts_bodies *bodies, uint64_t begin, uint64_t end) {
    uint32_t beyond = CAROM_IMPACTS_NONE;
    for (uint64_t slot = begin; slot < end; slot++) {
        const carom_box box = hull_of(hulls, &bodies->piece[slot], bodies->body[slot].radius);
        carom_box_array_put(&hulls->boxes, slot, &box);
        hulls->coarse[slot] = carom_hulls_coarse(hulls, bodies, (uint32_t)slot, &bodies->piece[slot]);
        if (!is_finite(&box) && bodies->number[slot] < beyond) {
            beyond = bodies->number[slot];
        }
    }
    return beyond;
}

bool carom_hulls_hold(const carom_hulls *hulls, const carom_impacts_bodies *bodies, uint32_t slot,
                      const carom_piece *piece) {
    bool held = true;
    for (int a = 0; a < 3; a++) {
        const span s = span_of(hulls, piece, bodies->body[slot].radius, a);
        held = held && s.lo >= (double)hulls->boxes.lo[a][slot] && s.hi <= (double)hulls->boxes.hi[a][slot];
    }
    return held;
}

void carom_hulls_widen(const carom_hulls *hulls, const carom_impacts_bodies *bodies, uint32_t slot,
                       const carom_piece *piece) {
    const carom_box more = hull_of(hulls, piece, bodies->body[slot].radius);
    carom_box box = carom_box_array_get(&hulls->boxes, slot);
    carom_box_widen(&box, &more);
    carom_box_array_put(&hulls->boxes, slot, &box);
}
