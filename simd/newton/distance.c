/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two cores that are apart, and a direction. Out: their distance. */
#include "simd/newton/distance.h"

#include <math.h>

#include "simd/newton/newton.h"

void carom_newton_distance(const carom_posed *i, const carom_posed *k, const carom_goal *goal, carom_bracket *bracket) {
    const carom_difference difference = carom_difference_make(i, k);
    const double *normal = bracket->normal;
    const double u[3] = {-normal[0], -normal[1], -normal[2]};
    carom_support_model model;
    if (!carom_model_fits(difference.size) ||
        !carom_newton_least(&model, i, k, u, carom_newton_tolerance(goal, difference.size))) {
        return;
    }
    carom_difference_point point;
    const double back[3] = {-model.u[0], -model.u[1], -model.u[2]};
    const double lower = carom_difference_lower(&difference, back, &point);
    carom_model_answer(&model, &point);
    const double upper = carom_vector_length(point.w) + difference.error;
    if (lower <= upper && carom_goal_reached(goal, lower, upper)) {
        carom_bracket_set(bracket, lower, upper, back, &point);
    }
}
