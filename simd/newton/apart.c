/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two cores that are apart, and a direction. Out: their distance. */
#include "simd/newton/apart.h"

#include <math.h>

#include "simd/newton/newton.h"

/* The last of Newton's steps is less than this part of the bracket that is asked for, relative to the difference's
 * size. */
static const double STEP_PART = 0.0625;

void carom_apart_prove(const carom_posed *i, const carom_posed *k, const carom_goal *goal, carom_bracket *bracket) {
    const carom_difference difference = carom_difference_make(i, k);
    const double *back = bracket->normal;
    const double u[3] = {-back[0], -back[1], -back[2]};
    const double step = STEP_PART * goal->width * (goal->reach / difference.size);
    carom_support_model model;
    if (!carom_model_fits(difference.size) || !carom_newton_least(&model, i, k, u, step)) {
        return;
    }
    carom_difference_point point;
    const double normal[3] = {-model.u[0], -model.u[1], -model.u[2]};
    const double least = carom_difference_support(&difference, normal, &point);
    const double lower = least / carom_vector_length(normal) - difference.error;
    carom_model_answer(&model, &point);
    const double upper = carom_vector_length(point.w) + difference.error;
    if (carom_goal_reached(goal, lower, upper)) {
        carom_bracket_prove(bracket, lower, upper, normal, &point);
    }
}
