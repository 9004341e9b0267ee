/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: pieces. Out: boxes in float that hold them. */
#include "kernel/impacts/hulls.h"

#include <math.h>

/* A hull's room beyond the path, over the length of the path. */
static const double ROOM = 0.5;

/* Rounding of a place that is predicted, over the coordinates it is made of. */
static const double ROUNDING = 0x1p-40;

typedef struct span {
    double lo;
    double hi;
} span;

/* Coordinates of the body's surface on axis a from the piece's start to the end of the step. */
static span span_of(const carom_piece *piece, double radius, int a) {
    const double from = piece->x[a];
    const double to = from + piece->v[a] * (1.0 - piece->start);
    const double margin = radius + ROUNDING * (fabs(from) + fabs(to) + radius);
    return (span){fmin(from, to) - margin, fmax(from, to) + margin};
}

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

static double room_of(const carom_piece *piece) {
    return ROOM * (1.0 - piece->start) * sqrt(carom_vector_dot(piece->v, piece->v));
}

void carom_hulls_make(const carom_hulls *hulls, const carom_impacts_bodies *bodies, uint32_t begin, uint32_t end) {
    for (uint32_t slot = begin; slot < end; slot++) {
        const double room = room_of(&bodies->piece[slot]);
        for (int a = 0; a < 3; a++) {
            const span s = span_of(&bodies->piece[slot], bodies->body[slot].radius, a);
            hulls->lo[a][slot] = round_down(s.lo - room);
            hulls->hi[a][slot] = round_up(s.hi + room);
        }
    }
}

bool carom_hulls_hold(const carom_hulls *hulls, const carom_impacts_bodies *bodies, uint32_t slot,
                      const carom_piece *piece) {
    bool held = true;
    for (int a = 0; a < 3; a++) {
        const span s = span_of(piece, bodies->body[slot].radius, a);
        held = held && s.lo >= (double)hulls->lo[a][slot] && s.hi <= (double)hulls->hi[a][slot];
    }
    return held;
}

void carom_hulls_widen(const carom_hulls *hulls, const carom_impacts_bodies *bodies, uint32_t slot,
                       const carom_piece *piece) {
    const double room = room_of(piece);
    for (int a = 0; a < 3; a++) {
        const span s = span_of(piece, bodies->body[slot].radius, a);
        hulls->lo[a][slot] = fminf(hulls->lo[a][slot], round_down(s.lo - room));
        hulls->hi[a][slot] = fmaxf(hulls->hi[a][slot], round_up(s.hi + room));
    }
}
