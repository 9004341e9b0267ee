/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two moving shapes. Out: their poses relative to each other, and bounds that hold for a time or all times.
 *
 * Bounding spheres: |p + t u| = r is a quadratic equation, a = u.u, b = p.u, c = p.p - r^2, whose first root is
 * c / (-b + sqrt(b^2 - a c)). c is made smaller by 2^-46 of p.p and r^2. This raises b^2 - a c by 2^-46 a p.p, more
 * than it rounds by (2^-49 a p.p), and its root by 2^-47 |u| |p|, more than b rounds by (2^-51 |u| |p|). So a root is
 * never found later than it is, nor lost, but for the last roundings, which the final factor covers. */
#include "kernel/narrow/approach.h"

#include <math.h>

#include "simd/ref/support.h"
#include "simd/vector.h"

/* Rounding of a relative position, p + t u, relative to the sum of all that is in it: those of positions and ways
 * before they got here, of their differences, of the product and of the sum are 2^-53 each. */
static const double POSITION_ERROR = 0x1p-51;

/* Rounding of radii and margin, relative to them. */
static const double RADIUS_ERROR = 0x1p-50;

/* See above. */
static const double SPHERE_ERROR = 0x1p-46;
static const double ROOT_ERROR = 0x1p-48;

/* Lengths between these need not be scaled. */
static const double EXTREME_LEAST = 0x1p-200;
static const double EXTREME_MOST = 0x1p200;

static double sum_of_sides(const double v[3]) {
    return fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
}

void carom_approach_set(carom_approach *pair, double margin) {
    pair->course.i = &pair->i.swing;
    pair->course.k = &pair->k.swing;
    const carom_moving *i = pair->i.body;
    const carom_moving *k = pair->k.body;
    for (int d = 0; d < 3; d++) {
        pair->course.p[d] = i->at[d] - k->at[d];
        pair->course.u[d] = i->move[d] - k->move[d];
    }
    const double sides = sum_of_sides(i->at) + sum_of_sides(k->at) + sum_of_sides(i->move) + sum_of_sides(k->move);
    const double sizes = pair->i.reach + pair->k.reach;
    pair->course.radius = pair->i.swing.shape->radius + pair->k.swing.shape->radius + margin;
    pair->margin = margin;
    const double position_error = POSITION_ERROR * (sides + sizes);
    pair->reach = sizes + margin + position_error;
    if (isinf(pair->i.swing.shape->reach) || isinf(pair->k.swing.shape->reach)) {
        pair->reach = HUGE_VAL;
    }
    pair->pose_error = pair->i.error + pair->k.error + position_error;
    pair->course.height_error = pair->pose_error + CAROM_HEIGHT_ERROR * sizes + RADIUS_ERROR * pair->course.radius;
}

/* A power of two that makes the greatest component's square, and that of the sizes, one that doubles hold: 1, but for
 * lengths that are extreme. */
static double scale_of(const double p[3], const double u[3]) {
    double most = 0.0;
    for (int d = 0; d < 3; d++) {
        const double size = fabs(p[d]) > fabs(u[d]) ? fabs(p[d]) : fabs(u[d]);
        most = size > most ? size : most;
    }
    if (most > EXTREME_LEAST && most < EXTREME_MOST) {
        return 1.0;
    }
    int exponent = 0;
    (void)frexp(most, &exponent);
    return ldexp(1.0, exponent < -1000 ? 1000 : -exponent);
}

/* The first t at which p + t u is within `reach`. */
static double time_within(const double from[3], const double way[3], double reach) {
    const double scale = scale_of(from, way);
    double p[3];
    double u[3];
    for (int d = 0; d < 3; d++) {
        p[d] = from[d] * scale;
        u[d] = way[d] * scale;
    }
    const double r = reach * scale;
    const double a = carom_vector_dot(u, u);
    const double b = carom_vector_dot(p, u);
    const double c = carom_vector_dot(p, p) * (1.0 - SPHERE_ERROR) - r * r * (1.0 + SPHERE_ERROR);
    if (!(c > 0.0)) {
        return 0.0;
    }
    const double square = b * b - a * c;
    if (b >= 0.0 || square < 0.0) {
        return 2.0;
    }
    const double t = c / (sqrt(square) - b) * (1.0 - ROOT_ERROR);
    return t <= 1.0 ? t : 2.0;
}

/* How a child's origin moves about its body's: adds the straight way between its ends to p and u, and returns how far
 * it may be from there. */
static double add_arm(const carom_track *track, double sign, double p[3], double u[3]) {
    carom_posed end;
    double way[3];
    carom_track_pose(track, 1.0, &end);
    carom_vector_add(end.at, -1.0, track->swing.arm, way);
    carom_vector_add(p, sign, track->swing.arm, p);
    carom_vector_add(u, sign, way, u);
    const double bend = fmin(0.125 * track->swing.angle * track->swing.angle, 2.0);
    return bend > 0.0 ? bend * carom_vector_length(track->swing.arm) * (1.0 + ROOT_ERROR) : 0.0;
}

double carom_approach_spheres(const carom_approach *pair) {
    const double bodies = time_within(pair->course.p, pair->course.u, pair->reach);
    if (bodies > 1.0 || (pair->i.child == NULL && pair->k.child == NULL) || !(pair->reach < HUGE_VAL)) {
        return bodies;
    }
    double p[3] = {pair->course.p[0], pair->course.p[1], pair->course.p[2]};
    double u[3] = {pair->course.u[0], pair->course.u[1], pair->course.u[2]};
    double reach = pair->i.swing.shape->reach + pair->k.swing.shape->reach + pair->margin + pair->pose_error;
    reach += add_arm(&pair->i, 1.0, p, u) + add_arm(&pair->k, -1.0, p, u);
    return fmax(bodies, time_within(p, u, reach));
}
