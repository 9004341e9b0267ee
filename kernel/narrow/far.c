/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two shapes very far apart. Out: a bracket of their distance.
 *
 * Shapes of finite size become points. A half-space and a line stay what they are. Positions are scaled by a power of
 * two, so that the ordinary search takes them, and its bracket is scaled back and widened by the reaches. */
#include "kernel/narrow/far.h"

#include <float.h>
#include <math.h>

#include "simd/compare.h"

/* Covers the sum of the reaches and the difference. */
static const double ROUNDING = 0x1p-50;

bool carom_far_is(const double between[3]) {
    return !(fabs(between[0]) <= CAROM_NEAR_MOST && fabs(between[1]) <= CAROM_NEAR_MOST &&
             fabs(between[2]) <= CAROM_NEAR_MOST);
}

static bool is_bounded(const carom_posed *posed) {
    return isfinite(posed->shape->reach);
}

/* The binary exponent of the greatest coordinate: positions are scaled by its negative, to at most 1. */
static int exponent_of(const carom_posed *i, const carom_posed *k) {
    int exponent = 0;
    double most = 0.0;
    for (int d = 0; d < 3; d++) {
        most = carom_greater(most, carom_greater(fabs(i->at[d]), fabs(k->at[d])));
    }
    (void)frexp(most, &exponent);
    return exponent;
}

/* The shape without its size, and where it is relative to k. */
static carom_posed shrink(const carom_posed *posed, const carom_posed *k, int exponent) {
    static const carom_shape_entry point = {.kind = CAROM_SHAPE_SPHERE};
    carom_posed small = *posed;
    small.shape = is_bounded(posed) ? &point : posed->shape;
    for (int d = 0; d < 3; d++) {
        small.at[d] = ldexp(posed->at[d], -exponent) - ldexp(k->at[d], -exponent);
    }
    return small;
}

/* A shape of finite size is where its origin is; the others have a point that was found. */
static void set_point(const carom_posed *posed, const carom_posed *k, const double found[3], int exponent,
                      double point[3]) {
    for (int d = 0; d < 3; d++) {
        point[d] = is_bounded(posed) ? posed->at[d] : k->at[d] + ldexp(found[d], exponent);
    }
}

void carom_far_find(const carom_posed *i, const carom_posed *k, const carom_gap_task *task, carom_gap *gap) {
    const int exponent = exponent_of(i, k);
    const carom_gap_task points = {.detail = CAROM_GAP_DISTANCE, .tolerance = task->tolerance};
    const carom_posed small_i = shrink(i, k, exponent);
    const carom_posed small_k = shrink(k, k, exponent);
    carom_gap scaled;
    carom_gap_find(&small_i, &small_k, &points, &scaled);
    const double reach = (is_bounded(i) ? i->shape->reach : 0.0) + (is_bounded(k) ? k->shape->reach : 0.0);
    const double width = reach + ROUNDING * reach;
    const double lower = carom_lesser(ldexp(scaled.lower, exponent), DBL_MAX);
    const double upper = carom_greater(ldexp(scaled.upper, exponent), -DBL_MAX);
    *gap = scaled;
    gap->lower = lower - width - ROUNDING * fabs(lower);
    gap->upper = upper + width + ROUNDING * fabs(upper);
    set_point(i, k, scaled.point_i, exponent, gap->point_i);
    set_point(k, k, scaled.point_k, exponent, gap->point_k);
}
