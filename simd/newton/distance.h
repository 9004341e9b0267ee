/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The end of a search for the distance of cores that are apart, of which one is round, where the search has not reached
 * its goal: rounding has left it no progress, or its steps are spent. Newton's method goes on from its direction. The
 * last direction proves a lower bound, and the model's point, which is one of the difference, an upper one. */
#ifndef CAROM_SIMD_NEWTON_DISTANCE_H
#define CAROM_SIMD_NEWTON_DISTANCE_H

#include "simd/newton/model.h"
#include "simd/ref/difference.h"

/* Whether a search that has ended with this bracket is to go on so. */
static inline bool carom_newton_distance_is_due(const carom_posed *i, const carom_posed *k, const carom_goal *goal,
                                                const carom_bracket *bracket) {
    return bracket->lower > -HUGE_VAL && !carom_goal_reached(goal, bracket->lower, bracket->upper) &&
           !carom_goal_is_state(goal) && (carom_model_is_round(i) || carom_model_is_round(k));
}

/* Makes the bracket what the goal asks for, or leaves it as it is. */
void carom_newton_distance(const carom_posed *i, const carom_posed *k, const carom_goal *goal, carom_bracket *bracket);

#endif
