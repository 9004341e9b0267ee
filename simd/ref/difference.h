/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The Minkowski difference of two cores, in scalar form: its points, and a bracket of its distance from the origin. */
#ifndef CAROM_SIMD_REF_DIFFERENCE_H
#define CAROM_SIMD_REF_DIFFERENCE_H

#include <float.h>
#include <math.h>

#include "simd/convex.h"
#include "simd/ref/support.h"
#include "simd/vector.h"

/* Bounds, relative to the difference's size, the rounding of what is computed of it: a support's value over |n|, the
 * length of a point. Beside the errors of both supports: the roundings of a - b, of n's length and of a combination of
 * up to four points, each less than 2^-50. */
#define CAROM_DIFFERENCE_ERROR (CAROM_SUPPORT_ERROR + 0x1p-49)

typedef struct carom_difference {
    const carom_posed *i;
    const carom_posed *k;
    double size;  /* no coordinate of i, k or their difference is greater; > 0 */
    double error; /* bounds the rounding of a support's value over |n| and of the length of a point */
} carom_difference;

static inline carom_difference carom_difference_make(const carom_posed *i, const carom_posed *k) {
    double sum = i->shape->core_reach + k->shape->core_reach;
    for (int d = 0; d < 3; d++) {
        sum += fabs(i->at[d] - k->at[d]) + fabs(k->at[d]);
    }
    const double size = sum > DBL_MIN ? sum : DBL_MIN;
    return (carom_difference){.i = i, .k = k, .size = size, .error = CAROM_DIFFERENCE_ERROR * size};
}

/* carom_support, or a form of it with the same bits. */
typedef double carom_core_support(const carom_posed *posed, const double n[3], double point[3]);

/* The point with the least n.w, by a support function of cores; returns that product. n is finite. */
static inline __attribute__((always_inline)) double carom_difference_support_by(carom_core_support *support,
                                                                                const carom_difference *difference,
                                                                                const double n[3],
                                                                                carom_difference_point *point) {
    const double back[3] = {-n[0], -n[1], -n[2]};
    const double far_i = support(difference->i, back, point->a);
    double b[3];
    const double far_k = support(difference->k, n, b);
    for (int d = 0; d < 3; d++) {
        point->w[d] = point->a[d] - b[d];
    }
    return -far_i - far_k;
}

static inline double carom_difference_support(const carom_difference *difference, const double n[3],
                                              carom_difference_point *point) {
    return carom_difference_support_by(carom_support, difference, n, point);
}

/* Whether the bracket is what the goal asks for. */
static inline bool carom_goal_reached(const carom_goal *goal, double lower, double upper) {
    const double from_lower = fabs(lower - goal->radius);
    const double from_upper = fabs(upper - goal->radius);
    const double least = from_lower < from_upper ? from_lower : from_upper;
    const double length = goal->reach > least ? goal->reach : least;
    return lower > goal->above || upper <= goal->below || upper - lower <= goal->width * length;
}

/* Notes the lower bound that direction n proves, if it is better: `least` is the least n.w over the difference. */
static inline void carom_bracket_raise(carom_bracket *bracket, double error, const double n[3], double least) {
    const double length = carom_vector_length(n);
    const double lower = least / length - error;
    if (lower > bracket->lower) {
        bracket->lower = lower;
        for (int d = 0; d < 3; d++) {
            bracket->normal[d] = n[d] / length;
        }
    }
}

/* The lower bound that a direction proves, and in *point the farthest point. */
static inline double carom_difference_lower(const carom_difference *difference, const double n[3],
                                            carom_difference_point *point) {
    return carom_difference_support(difference, n, point) / carom_vector_length(n) - difference->error;
}

/* Makes a point the bracket's simplex. */
static inline void carom_bracket_take_point(carom_bracket *bracket, const carom_difference_point *point) {
    bracket->simplex = (carom_simplex){.point = {*point}, .weight = {1.0, 0.0, 0.0}};
    for (int d = 0; d < 3; d++) {
        bracket->simplex.closest[d] = point->w[d];
        bracket->simplex.direction[d] = point->w[d];
    }
}

/* Makes the bracket these bounds, the unit vector that proves the lower one, and a point of the difference to which the
 * vector leads. */
static inline void carom_bracket_set(carom_bracket *bracket, double lower, double upper, const double normal[3],
                                     const carom_difference_point *point) {
    bracket->lower = lower;
    bracket->upper = upper;
    for (int d = 0; d < 3; d++) {
        bracket->normal[d] = normal[d];
    }
    carom_bracket_take_point(bracket, point);
}

#endif
