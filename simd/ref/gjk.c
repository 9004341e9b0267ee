/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Distances of pairs of cores after Gilbert, Johnson and Keerthi (1988), one by one.
 *
 * Each step finds the difference's point farthest against the direction of the closest point so far, which proves a
 * lower bound of the distance, and adds it to the simplex, whose closest point proves an upper bound. The search ends
 * when the goal is reached, when the simplex holds the origin, or when rounding leaves no progress. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/newton/distance.h"
#include "simd/ref/difference.h"
#include "simd/ref/simplex.h"

#define carom_gjk_twin CAROM_TWIN_OF(gjk)

/* No point so far. The first step looks along the direction that is given, or along the way between the shapes'
 * origins. */
static void start(const carom_difference *difference, carom_bracket *bracket) {
    double *n = bracket->simplex.direction;
    const bool is_given = carom_vector_dot(n, n) > 0.0;
    for (int d = 0; d < 3 && !is_given; d++) {
        n[d] = difference->i->at[d] - difference->k->at[d];
    }
    if (!(carom_vector_dot(n, n) > 0.0)) {
        n[0] = 1.0;
    }
    bracket->lower = -HUGE_VAL;
    bracket->upper = HUGE_VAL;
    bracket->simplex.closest[0] = HUGE_VAL;
}

/* Whether the simplex is a point or an edge so close to the origin that its direction says nothing. */
static bool at_origin(const carom_difference *difference, const carom_simplex *simplex) {
    const bool is_face = simplex->weight[0] > 0.0 && simplex->weight[1] > 0.0 && simplex->weight[2] > 0.0;
    return !is_face && carom_vector_length(simplex->closest) <= difference->error;
}

/* A simplex around the origin: its ball may prove the overlap that the goal asks for. Else epa must. */
static void prove_overlap(const carom_difference *difference, const carom_goal *goal, carom_bracket *bracket) {
    const double ball = carom_simplex_ball(&bracket->simplex);
    const double upper = difference->error - ball;
    bracket->overlap = !(ball > 0.0 && upper <= goal->below);
    bracket->upper = bracket->overlap ? bracket->upper : upper;
}

/* One step. False if the search ends. */
static bool advance(const carom_difference *difference, const carom_goal *goal, carom_bracket *bracket) {
    carom_simplex *simplex = &bracket->simplex;
    const double least = carom_difference_support(difference, simplex->direction, &simplex->point[3]);
    carom_bracket_raise(bracket, difference->error, simplex->direction, least);
    bracket->iterations++;
    if (bracket->iterations > 1 && carom_goal_reached(goal, bracket->lower, bracket->upper)) {
        return false;
    }
    carom_simplex_part part;
    if (carom_simplex_find(simplex, &part)) {
        prove_overlap(difference, goal, bracket);
        return false;
    }
    double sum[3];
    carom_simplex_sum(simplex, part.weight, sum);
    if (!(carom_vector_dot(sum, sum) < carom_vector_dot(simplex->closest, simplex->closest))) {
        bracket->overlap = bracket->upper <= 2.0 * difference->error; /* a face through the origin */
        return false;
    }
    carom_simplex_keep(simplex, &part, sum);
    bracket->upper = carom_vector_length(sum) + difference->error;
    bracket->overlap = at_origin(difference, simplex);
    return !bracket->overlap && !carom_goal_reached(goal, bracket->lower, bracket->upper) &&
           bracket->iterations < CAROM_GJK_STEPS_MAX;
}

void carom_gjk_twin(const carom_posed *i, const carom_posed *k, const carom_goal *goals, uint32_t count,
                    carom_bracket *brackets) {
    for (uint32_t n = 0; n < count; n++) {
        const carom_difference difference = carom_difference_make(&i[n], &k[n]);
        carom_bracket *bracket = &brackets[n];
        if (bracket->known) {
            continue;
        }
        if (bracket->iterations == 0) {
            start(&difference, bracket);
        }
        bracket->overlap = false;
        while (advance(&difference, &goals[n], bracket)) {
        }
        if (!bracket->overlap && carom_newton_distance_is_due(&i[n], &k[n], &goals[n], bracket)) {
            carom_newton_distance(&i[n], &k[n], &goals[n], bracket);
        }
        if (carom_goal_is_state(&goals[n]) && !bracket->overlap) {
            memset(&bracket->simplex, 0, sizeof bracket->simplex);
        }
    }
}
