/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two cores. Out: a bracket of their distance, or points of their difference around the origin.
 *
 * Each step finds the difference's point farthest against the direction of the closest point so far, which gives a
 * lower bound of the distance, and adds it to the simplex, whose closest point gives an upper bound. Both bounds are
 * the best of all steps, so the bracket is valid wherever the search ends. */
#include "kernel/narrow/gjk.h"

#include <math.h>

#include "kernel/sys/vector.h"

/* The most steps of one search. Polyhedra take 5 to 10, curved shapes 10 to 40. */
enum { STEPS_MAX = 96 };

bool carom_goal_reached(const carom_goal *goal, double lower, double upper) {
    if (goal->only_side && (lower > goal->limit + goal->slack || upper <= goal->limit - goal->slack)) {
        return true;
    }
    const double least = fmin(fabs(lower - goal->radius), fabs(upper - goal->radius));
    return upper - lower <= goal->width * fmax(goal->reach, least);
}

void carom_bracket_raise(carom_bracket *bracket, const carom_difference *difference, const double n[3], double least) {
    const double length = carom_vector_length(n);
    if (!(length > 0.0)) {
        return;
    }
    const double lower = least / length - difference->error;
    if (lower > bracket->lower) {
        bracket->lower = lower;
        for (int d = 0; d < 3; d++) {
            bracket->lower_normal[d] = n[d] / length;
        }
    }
}

static void drop(carom_bracket *bracket, const carom_difference *difference, const carom_simplex *simplex) {
    const double upper = carom_vector_length(simplex->closest) + difference->error;
    if (upper < bracket->upper) {
        bracket->upper = upper;
        bracket->closest = *simplex;
    }
}

static bool has(const carom_simplex *simplex, const double w[3]) {
    for (uint32_t n = 0; n < simplex->count; n++) {
        const double *p = simplex->point[n].w;
        if (p[0] == w[0] && p[1] == w[1] && p[2] == w[2]) {
            return true;
        }
    }
    return false;
}

/* Starts from a point in the middle of things: the direction between the origins. */
static void start(const carom_difference *difference, carom_simplex *simplex) {
    double n[3];
    for (int d = 0; d < 3; d++) {
        n[d] = difference->i->at[d] - difference->k->at[d];
    }
    if (!(carom_vector_dot(n, n) > 0.0)) {
        n[0] = 1.0;
    }
    (void)carom_difference_support(difference, n, &simplex->point[0]);
    simplex->count = 1;
}

/* Whether the simplex is so close to the origin that its direction says nothing: a face has one all the same. */
static bool at_origin(const carom_difference *difference, const carom_simplex *simplex) {
    return simplex->count < 3 ? carom_vector_length(simplex->closest) <= difference->error
                              : !(carom_vector_dot(simplex->direction, simplex->direction) > 0.0);
}

void carom_gjk(const carom_difference *difference, const carom_goal *goal, carom_bracket *bracket) {
    carom_simplex simplex = bracket->closest;
    if (simplex.count == 0) {
        start(difference, &simplex);
    }
    carom_simplex_reduce(&simplex);
    double square = HUGE_VAL;
    for (uint32_t step = 0; step < STEPS_MAX; step++) {
        if (simplex.holds_origin || at_origin(difference, &simplex)) {
            bracket->overlap = true;
            bracket->closest = simplex;
            return;
        }
        drop(bracket, difference, &simplex);
        carom_difference_point next;
        const double least = carom_difference_support(difference, simplex.direction, &next);
        carom_bracket_raise(bracket, difference, simplex.direction, least);
        bracket->iterations++;
        const double reached = carom_vector_dot(simplex.closest, simplex.closest);
        if (carom_goal_reached(goal, bracket->lower, bracket->upper) || has(&simplex, next.w) || !(reached < square)) {
            return;
        }
        square = reached;
        simplex.point[simplex.count++] = next;
        carom_simplex_reduce(&simplex);
    }
}
