/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/narrow/seek_start.h"

#include <math.h>

#include "simd/vector.h"

/* More than the sum below is rounded by, relative to itself. */
static const double ROUNDING = 0x1p-48;

/* The cores are no farther apart than the sum of their origins' distance and reaches. */
static double most_of(const carom_posed *i, const carom_posed *k) {
    double most = i->shape->core_reach + k->shape->core_reach;
    for (int d = 0; d < 3; d++) {
        most += fabs(i->at[d] - k->at[d]);
    }
    return most * (1.0 + ROUNDING);
}

/* A point of the difference: carom_support without a direction. */
static void set_point(const carom_posed *i, const carom_posed *k, uint32_t number, carom_difference_point *point) {
    const carom_posed *const posed[2] = {i, k};
    const uint32_t vertex[2] = {number / CAROM_SEEK_HULL, number % CAROM_SEEK_HULL};
    double at[2][3];
    for (int s = 0; s < 2; s++) {
        const carom_hull *hull = posed[s]->shape->hull;
        const double local[3] = {hull->vertex[0][vertex[s]], hull->vertex[1][vertex[s]], hull->vertex[2][vertex[s]]};
        carom_pose_from_local(posed[s]->turn, local, at[s]);
        for (int d = 0; d < 3; d++) {
            at[s][d] += posed[s]->at[d];
        }
    }
    for (int d = 0; d < 3; d++) {
        point->a[d] = at[0][d];
        point->w[d] = at[0][d] - at[1][d];
    }
}

/* The simplex, all of whose points count. Its closest point is not known before the first step. Returns whether it has
 * any point. */
static bool set_simplex(const carom_posed *i, const carom_posed *k, const carom_seek_start *start,
                        carom_simplex *simplex) {
    bool any = false;
    for (int p = 0; p < 3; p++) {
        const float number = start->number[p];
        if (number >= 0.0F && number < CAROM_SEEK_ORIGINS) {
            set_point(i, k, (uint32_t)number, &simplex->point[p]);
            simplex->weight[p] = 1.0;
            any = true;
        }
    }
    simplex->closest[0] = HUGE_VAL;
    return any;
}

/* The upper side must not make the bracket narrow before the search in double has a point of its own. */
void carom_seek_start_take(const carom_posed *i, const carom_posed *k, const carom_seek_start *start,
                           carom_bracket *bracket) {
    const double local[3] = {(double)start->direction[0], (double)start->direction[1], (double)start->direction[2]};
    carom_simplex *simplex = &bracket->simplex;
    bracket->overlap = start->steps > 0.0F && start->overlap;
    if (!(start->steps > 0.0F && carom_vector_dot(local, local) >= (double)CAROM_SEEK_SHORT)) {
        return;
    }
    carom_pose_from_local(i->turn, local, simplex->direction);
    if (set_simplex(i, k, start, simplex)) {
        bracket->lower = -HUGE_VAL;
        bracket->upper = 2.0 * most_of(i, k);
        bracket->iterations = (uint32_t)start->steps;
    }
}
