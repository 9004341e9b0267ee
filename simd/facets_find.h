/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The depth of one pair of hulls by separating axes (simd/facets_pair.h), for the kernel and its twin. They differ in
 * how they go through faces, vertices and edges. */
#ifndef CAROM_SIMD_FACETS_FIND_H
#define CAROM_SIMD_FACETS_FIND_H

#include "simd/facets_points.h"

/* What the kernel and its twin do each in their way. */
typedef struct carom_facets_steps {
    /* Moves the vertices of k. */
    void (*move)(carom_facets *f);
    /* Sets the faces of side s. Returns the number of the one with the least height, the first of several. */
    uint32_t (*measure)(carom_facets *f, uint32_t s);
    /* Finds the edges of side s that count. */
    void (*choose)(carom_facets *f, uint32_t s);
    /* How far the difference reaches along a direction. */
    double (*reach)(const carom_facets *f, const double normal[3]);
} carom_facets_steps;

/* The answer: false if it is not within the goal, or the points do not lie opposite each other, as they may where
 * several facets are as near. Then the bracket stays as it is. */
static inline bool carom_facets_answer(const carom_facets *f, const carom_facets_steps *steps, const carom_goal *goal,
                                       carom_bracket *bracket) {
    const carom_difference *difference = &f->difference;
    const double error = CAROM_FACETS_ERROR * difference->size;
    const double slack = f->parallel ? CAROM_FACETS_PARALLEL * difference->size : 0.0;
    const double height = f->nearest.side < 2 ? f->nearest.height : steps->reach(f, f->nearest.normal);
    const double lower = -(height + error);
    const double upper = error + slack - f->least;
    double point[2][3];
    if (!(upper < 0.0 && carom_goal_reached(goal, lower, upper)) ||
        !(f->nearest.side == 2 ? carom_facets_points_of_arcs(f, point) : carom_facets_points_of_face(f, point))) {
        return false;
    }
    const double back[3] = {-f->nearest.normal[0], -f->nearest.normal[1], -f->nearest.normal[2]};
    double normal[3];
    double between[3];
    carom_difference_point at;
    for (int d = 0; d < 3; d++) {
        between[d] = point[0][d] - point[1][d];
    }
    carom_pose_from_local(difference->i->turn, back, normal);
    carom_pose_from_local(difference->i->turn, point[0], at.a);
    carom_pose_from_local(difference->i->turn, between, at.w);
    for (int d = 0; d < 3; d++) {
        at.a[d] += difference->i->at[d];
    }
    carom_bracket_set(bracket, lower, upper, normal, &at);
    bracket->known = true;
    return true;
}

/* Answers a pair that overlaps. False, and the bracket stays as it is, if that needs a polytope. */
static inline __attribute__((always_inline)) bool carom_facets_find(const carom_posed *i, const carom_posed *k,
                                                                    const carom_goal *goal, carom_bracket *bracket,
                                                                    const carom_facets_steps *steps, carom_facets *f) {
    carom_facets_place(i, k, f);
    steps->move(f);
    const uint32_t of_i = steps->measure(f, 0);
    const uint32_t of_k = steps->measure(f, 1);
    carom_facets_take_face(f, of_i, of_k);
    steps->choose(f, 0);
    f->side[1].edges = 0;
    if (f->side[0].edges > 0) {
        steps->choose(f, 1);
    }
    return carom_facets_try_edges(f) && carom_facets_answer(f, steps, goal, bracket);
}

#endif
