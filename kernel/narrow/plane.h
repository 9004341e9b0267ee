/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Planes that hold two moving shapes apart. Their normal rotates evenly, as a face does that spins with its body. */
#ifndef CAROM_NARROW_PLANE_H
#define CAROM_NARROW_PLANE_H

#include "kernel/narrow/approach.h"

typedef struct carom_plane {
    double normal[3]; /* from k to i at the time `from`; a unit vector */
    double from;
    double axis[3]; /* of its rotation, a unit vector */
    double angle;   /* by which it rotates in a step, >= 0 */
} carom_plane;

/* A plane whose normal is n at the time `from` and rotates as the vector `spin` says. */
void carom_plane_make(const double n[3], double from, const double spin[3], carom_plane *plane);

/* Asks for the height at t over plane `number` of the query, of planes that have one normal and `from`; those before it
 * have been asked for. */
void carom_plane_ask(const carom_plane *plane, const carom_approach *pair, double t, uint32_t number,
                     carom_height_query *query);

/* The height, from what carom_simd's `heights` made of the query. */
double carom_plane_answer(const carom_approach *pair, uint32_t number, const carom_height_query *query);

/* The height at t of the gap along the normal n(t),
 *
 *     g(t) = min over a in i of n(t).a - max over b in k of n(t).b - margin
 *
 * rounded down by all that its rounding may be. Against a half-space n is its normal, against a line at right angles to it, and
 * does not rotate. As by both functions above. */
double carom_plane_height(const carom_plane *plane, const carom_approach *pair, double t);

/* Bounds the second derivative of n(t).(a(t) - b(t)) for all points a of i and b of k, from t on. */
double carom_plane_bend(const carom_plane *plane, const carom_approach *pair, double t);

#endif
