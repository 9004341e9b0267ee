/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Half-spaces. In: a shape and a half-space. Out: the height of the shape's lowest point over the plane, which is the
 * signed distance; of shapes that never end, their height if they are parallel to the plane. */
#include <float.h>

#include "kernel/narrow/closed_half_space.h"
#include "simd/ref/closed_work.h"
#include "simd/ref/support.h"

static void set_back(const double n[3], double back[3]) {
    for (int d = 0; d < 3; d++) {
        back[d] = -n[d];
    }
}

/* The point's foot on the plane through k's origin: `height` below it. */
static void set_foot(const double point[3], double height, const double n[3], double foot[3]) {
    carom_vector_add(point, -height, n, foot);
}

void carom_closed_half_space_convex(const carom_posed *i, const carom_posed *k, carom_gap *gap) {
    double between[3];
    double back[3];
    double low[3];
    carom_posed centred = *i;
    carom_closed_between(i, k, between);
    carom_closed_axis(k, gap->normal);
    set_back(gap->normal, back);
    for (int d = 0; d < 3; d++) {
        centred.at[d] = 0.0;
    }
    (void)carom_support(&centred, back, low);
    carom_vector_add(low, -i->shape->radius, gap->normal, low);
    for (int d = 0; d < 3; d++) {
        gap->point_i[d] = i->at[d] + low[d];
        low[d] += between[d];
    }
    const double height = carom_vector_dot(gap->normal, low);
    set_foot(gap->point_i, height, gap->normal, gap->point_k);
    carom_closed_bracket(height, height, i->shape->reach + carom_closed_sum(between), gap);
}

/* Infinitely deep: both points are one that the shapes share. */
static void set_endless(const double point[3], carom_gap *gap) {
    gap->lower = -HUGE_VAL;
    gap->upper = -DBL_MAX;
    gap->iterations = 0;
    for (int d = 0; d < 3; d++) {
        gap->point_i[d] = point[d];
        gap->point_k[d] = point[d];
    }
}

/* A point deep in both half-spaces, whose normals do not add up to 0. */
static void set_shared(const carom_posed *k, const double between[3], const double sum[3], double point[3]) {
    const double deep = 4.0 * carom_closed_sum(between) / carom_vector_dot(sum, sum);
    carom_vector_add(k->at, -deep, sum, point);
}

void carom_closed_half_space_pair(const carom_posed *i, const carom_posed *k, carom_gap *gap) {
    double between[3];
    double sum[3];
    carom_closed_between(i, k, between);
    carom_closed_axis(i, sum);
    carom_closed_axis(k, gap->normal);
    carom_vector_add(sum, 1.0, gap->normal, sum);
    if (carom_vector_length(sum) > CAROM_CLOSED_PARALLEL) {
        double point[3];
        set_shared(k, between, sum, point);
        set_endless(point, gap);
        return;
    }
    const double height = carom_vector_dot(gap->normal, between);
    for (int d = 0; d < 3; d++) {
        gap->point_i[d] = i->at[d];
    }
    set_foot(gap->point_i, height, gap->normal, gap->point_k);
    carom_closed_bracket(height, height, carom_closed_sum(between), gap);
}

void carom_closed_half_space_line(const carom_posed *i, const carom_posed *k, carom_gap *gap) {
    double between[3];
    double axis[3];
    double n[3];
    carom_closed_between(i, k, between);
    carom_closed_axis(i, n);
    carom_closed_axis(k, axis);
    set_back(n, gap->normal);
    const double height = carom_vector_dot(gap->normal, between);
    const double sine = carom_vector_dot(n, axis);
    if (fabs(sine) > CAROM_CLOSED_PARALLEL) {
        double point[3];
        carom_vector_add(k->at, -height / sine, axis, point);
        set_endless(point, gap);
        return;
    }
    for (int d = 0; d < 3; d++) {
        gap->point_k[d] = k->at[d];
    }
    set_foot(gap->point_k, height, n, gap->point_i);
    carom_closed_bracket(height, height, carom_closed_sum(between), gap);
}
