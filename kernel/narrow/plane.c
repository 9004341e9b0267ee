/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two moving shapes, and a normal that rotates with the rotation vector v. Out: the gap along it, and a bound of
 * how fast its slope can change.
 *
 * For a point r of a body with spin w, n.r has the second derivative n.((A - B)^2 - [A, B]) r with A = [v] and B = [w]:
 * at most (|v - w|^2 + |v x w|) |r|. For v = 0 it is at most |w|^2 |n x w / |w|| times r's distance from the axis. For
 * the bodies' relative position x(t) = p + t u, n.x has the second derivative n''.x + 2 n'.u, with |n'| = |v x n| and
 * |n''| = |v| |v x n|. */
#include "kernel/narrow/plane.h"

#include <math.h>
#include <string.h>

#include "simd/ref/heights.h"
#include "simd/vector.h"

/* Rounding of bounds of second derivatives, and of the sine of the angle between two unit vectors. */
static const double BEND_ERROR = 0x1p-46;

void carom_plane_make(const double n[3], double from, const double spin[3], carom_plane *plane) {
    *plane = (carom_plane){.normal = {n[0], n[1], n[2]}, .from = from, .axis = {1.0, 0.0, 0.0}};
    if (carom_vector_unit(spin, plane->axis)) {
        plane->angle = carom_vector_dot(spin, plane->axis);
    }
}

void carom_plane_ask(const carom_plane *plane, const carom_approach *pair, double t, uint32_t number,
                     carom_height_query *query) {
    if (number == 0) {
        query->shape_i = pair->i.shape;
        query->shape_k = pair->k.shape;
        query->i = &pair->i.swing;
        query->k = &pair->k.swing;
        query->t = t;
        carom_vector_add(pair->p, t, pair->u, query->between);
        memcpy(query->normal, plane->normal, sizeof query->normal);
    }
    memcpy(query->axis[number], plane->axis, sizeof query->axis[number]);
    query->angle[number] = plane->angle > 0.0 ? (t - plane->from) * plane->angle : 0.0;
}

double carom_plane_answer(const carom_approach *pair, uint32_t number, const carom_height_query *query) {
    return query->height[number] - pair->radius - carom_approach_height_error(pair, query->between);
}

double carom_plane_height(const carom_plane *plane, const carom_approach *pair, double t) {
    carom_height_query query;
    carom_plane_ask(plane, pair, t, 0, &query);
    carom_heights_answer(&query, 1);
    return carom_plane_answer(pair, 0, &query);
}

/* The sine of the angle between two unit vectors, rounded up. */
static double sine_between(const double a[3], const double b[3]) {
    double across[3];
    carom_vector_cross(a, b, across);
    return fmin(carom_vector_length(across) + BEND_ERROR, 1.0);
}

static double bend_of(const carom_plane *plane, const carom_track *track) {
    const double spin = track->swing.angle;
    if (!(plane->angle > 0.0)) {
        const double around = track->around;
        return spin > 0.0 && around > 0.0 ? sine_between(plane->normal, track->swing.axis) * spin * spin * around : 0.0;
    }
    const double reach = track->core_reach;
    if (!(reach > 0.0)) {
        return 0.0;
    }
    double apart[3];
    for (int d = 0; d < 3; d++) {
        apart[d] = plane->angle * plane->axis[d] - spin * track->swing.axis[d];
    }
    const double rounding = BEND_ERROR * (plane->angle + spin);
    const double difference = carom_vector_length(apart) + rounding;
    return (difference * difference + sine_between(plane->axis, track->swing.axis) * plane->angle * spin) * reach;
}

/* Of the relative position. */
static double bend_of_path(const carom_plane *plane, const carom_approach *pair, double t) {
    if (!(plane->angle > 0.0)) {
        return 0.0;
    }
    double now[3];
    double last[3];
    carom_vector_add(pair->p, t, pair->u, now);
    carom_vector_add(pair->p, 1.0, pair->u, last);
    const double far_most = fmax(carom_vector_length(now), carom_vector_length(last));
    const double rate = plane->angle * sine_between(plane->normal, plane->axis);
    const double rounding = BEND_ERROR * (carom_vector_length(pair->p) + carom_vector_length(pair->u));
    return rate * (plane->angle * (far_most + rounding) + 2.0 * carom_vector_length(pair->u));
}

double carom_plane_bend(const carom_plane *plane, const carom_approach *pair, double t) {
    const double sum = bend_of(plane, &pair->i) + bend_of(plane, &pair->k) + bend_of_path(plane, pair, t);
    return sum * (1.0 + BEND_ERROR);
}
