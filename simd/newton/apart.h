/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The end of a search for the distance of cores that are apart, of which one is round: where rounding leaves the search
 * no progress, or its steps are spent. Points of a round core come closer to the nearest one by a part of the way in
 * each step, while Newton's method doubles the digits that are right. Its last direction proves a bound from below, as
 * any does, and its point, which is one of the difference, one from above. */
#ifndef CAROM_SIMD_NEWTON_APART_H
#define CAROM_SIMD_NEWTON_APART_H

#include "simd/newton/model.h"
#include "simd/ref/difference.h"

/* Whether there is something to prove when the search has ended with this bracket: the distance of round cores, if it
 * is not as narrow as the goal asks for. */
static inline bool carom_apart_is_open(const carom_posed *i, const carom_posed *k, const carom_goal *goal,
                                       const carom_bracket *bracket) {
    return bracket->lower > -HUGE_VAL && !carom_goal_reached(goal, bracket->lower, bracket->upper) &&
           !carom_goal_is_state(goal) && (carom_model_is_round(i) || carom_model_is_round(k));
}

/* Makes the bracket what the goal asks for, if that can be proved. */
void carom_apart_prove(const carom_posed *i, const carom_posed *k, const carom_goal *goal, carom_bracket *bracket);

#endif
