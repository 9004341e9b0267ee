/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a convex shape, and a half-space or a line. Out: a bracket of their signed distance. Both are one formula with a
 * bound of its rounding, so lower and upper are as far apart as that. */
#include "kernel/narrow/endless.h"

#include <math.h>

#include "simd/ref/support.h"
#include "simd/vector.h"

/* Rounding of a height or a distance, relative to the lengths that it is computed from: the direction of the plane or
 * line is off by 2^-49 in all, the support by CAROM_SUPPORT_ERROR, sums and roots by 2^-50. */
static const double ENDLESS_ERROR = 0x1p-46;

/* Column z of the rotation: the normal of a half-space, the direction of a line. */
static void axis_of(const carom_posed *posed, double axis[3]) {
    for (int d = 0; d < 3; d++) {
        axis[d] = posed->turn[d][2];
    }
}

static double length_between(const carom_posed *i, const carom_posed *k, double between[3]) {
    for (int d = 0; d < 3; d++) {
        between[d] = i->at[d] - k->at[d];
    }
    return carom_vector_length(between);
}

static void set_bracket(double s, double error, carom_gap *gap) {
    gap->lower = s - error;
    gap->upper = s + error;
    gap->iterations = 0;
}

void carom_endless_half_space(const carom_posed *i, const carom_posed *k, carom_gap *gap) {
    double between[3];
    double back[3];
    double *n = gap->normal;
    axis_of(k, n);
    for (int d = 0; d < 3; d++) {
        back[d] = -n[d];
    }
    const double apart = length_between(i, k, between);
    (void)carom_support(i, back, gap->point_i);
    carom_vector_add(gap->point_i, -i->shape->radius, n, gap->point_i);
    for (int d = 0; d < 3; d++) {
        between[d] = gap->point_i[d] - k->at[d];
    }
    const double height = carom_vector_dot(n, between);
    carom_vector_add(gap->point_i, -height, n, gap->point_k);
    set_bracket(height, ENDLESS_ERROR * (i->shape->reach + apart), gap);
}

/* A unit vector at right angles to the axis: along v, without its part along the axis, if that is more than rounding;
 * else some other. */
static double set_across(const double axis[3], const double v[3], double least, double across[3]) {
    carom_vector_add(v, -carom_vector_dot(v, axis), axis, across);
    const double length = carom_vector_length(across);
    if (length > least) {
        (void)carom_vector_unit(across, across);
        return length;
    }
    const int d = fabs(axis[0]) < 0.5 ? 0 : 1;
    const double other[3] = {d == 0 ? 1.0 : 0.0, d == 1 ? 1.0 : 0.0, 0.0};
    carom_vector_cross(axis, other, across);
    (void)carom_vector_unit(across, across);
    return 0.0;
}

/* Where, in [-h, h], the core's segment comes closest to the line: the least of |q + t m|, both at right angles to the
 * line. */
static double closest_time(const double q[3], const double m[3], double h) {
    const double square = carom_vector_dot(m, m);
    const double t = square > 0.0 ? -carom_vector_dot(q, m) / square : 0.0;
    return fmax(-h, fmin(h, t));
}

void carom_endless_line(const carom_posed *i, const carom_posed *k, carom_gap *gap) {
    double axis[3];
    double core[3];
    double q[3];
    double m[3];
    double to_core[3];
    axis_of(k, axis);
    axis_of(i, core);
    const double h = i->shape->extent[2];
    const double error = ENDLESS_ERROR * (i->shape->reach + length_between(i, k, q));
    carom_vector_add(core, -carom_vector_dot(core, axis), axis, m);
    carom_vector_add(q, -carom_vector_dot(q, axis), axis, to_core);
    const double t = closest_time(to_core, m, h);
    carom_vector_add(i->at, t, core, gap->point_i);
    for (int d = 0; d < 3; d++) {
        to_core[d] = gap->point_i[d] - k->at[d];
    }
    const double along = carom_vector_dot(to_core, axis);
    carom_vector_add(k->at, along, axis, gap->point_k);
    double distance = set_across(axis, to_core, error, gap->normal);
    if (!(distance > 0.0)) { /* the line meets the core: out of it sideways, if it has sides */
        double sideways[3];
        carom_vector_cross(axis, core, sideways);
        (void)set_across(axis, sideways, ENDLESS_ERROR, gap->normal);
    }
    carom_vector_add(gap->point_i, -i->shape->radius, gap->normal, gap->point_i);
    set_bracket(distance - i->shape->radius, 2.0 * error, gap);
}
