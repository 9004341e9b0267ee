/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What the kernels gjk and epa share, a pair a lane: the pairs of a call, goals, and the lower bounds that supports of
 * the Minkowski difference prove (simd/ref/difference.h is the scalar form). */
#ifndef CAROM_SIMD_SEARCH_LANES_H
#define CAROM_SIMD_SEARCH_LANES_H

#include "simd/difference_lanes.h"

/* Calls with up to so many pairs search them one by one: vectors of which most lanes are idle take longer. */
enum { CAROM_SEARCH_FEW = CAROM_PAIRS / 4 };

/* The arguments of a call. */
typedef struct carom_search_pairs {
    const carom_posed *i;
    const carom_posed *k;
    const carom_goal *goals;
    carom_bracket *brackets;
    uint32_t count;
    uint32_t next; /* the first that no lane has had */
} carom_search_pairs;

/* A carom_goal in each lane. */
typedef struct carom_goal_lanes {
    double width[CAROM_PAIRS];
    double reach[CAROM_PAIRS];
    double radius[CAROM_PAIRS];
    double above[CAROM_PAIRS];
    double below[CAROM_PAIRS];
} carom_goal_lanes;

static inline void carom_goal_lanes_set(carom_goal_lanes *lanes, uint32_t l, const carom_goal *goal) {
    lanes->width[l] = goal->width;
    lanes->reach[l] = goal->reach;
    lanes->radius[l] = goal->radius;
    lanes->above[l] = goal->above;
    lanes->below[l] = goal->below;
}

/* The lanes whose brackets are what their goals ask for (carom_goal_reached). */
static inline vdm carom_goal_lanes_reached(const carom_goal_lanes *goal, vd lower, vd upper) {
    const vd radius = vd_load(goal->radius);
    const vd least = vd_min(vd_abs(vd_sub(lower, radius)), vd_abs(vd_sub(upper, radius)));
    const vd length = vd_max(vd_load(goal->reach), least);
    const vdm narrow = vd_le(vd_sub(upper, lower), vd_mul(vd_load(goal->width), length));
    return vdm_or(vdm_or(vd_lt(vd_load(goal->above), lower), vd_le(upper, vd_load(goal->below))), narrow);
}

/* Notes the lower bounds that directions n prove, where they are better, in the columns `lower` and `normal`; `least`
 * is the least n.w. Returns these bounds, better or not (carom_bracket_raise). */
static inline vd carom_difference_lanes_raise(const carom_difference_lanes *lanes, const vd n[3], vd least,
                                              double *lower, double normal[][CAROM_PAIRS]) {
    const vd length = vd_sqrt(vd_dot(n, n));
    const vd before = vd_load(lower);
    const vd proved = vd_sub(vd_div(least, length), vd_load(lanes->error));
    const vdm better = vd_lt(before, proved);
    vd_store(lower, vd_select(better, proved, before));
    for (int d = 0; d < 3; d++) {
        vd_store(normal[d], vd_select(better, vd_div(n[d], length), vd_load(normal[d])));
    }
    return proved;
}

#endif
