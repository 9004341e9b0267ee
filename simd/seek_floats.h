/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The search for the distance of two hulls in floats, which the search in double begins with. It is that of
 * simd/ref/gjk.c, without points of the hulls: vertices are numbers, and which points a part of the simplex has is all
 * that is kept of weights. What it ends with is only a place to go on from, but for states:
 *
 * Rounding, in units of u = 2^-24 and of the pair's size S, the sum of the components of the positions' difference b
 * and of both reaches. Entries of a rotation, vertices and b are rounded to floats. A direction n, which is taken as it
 * is, is off by 9 u |n| in the frame of a hull, a vertex' product with it by 17 u |n| S there, that of b by 7 u |n| S;
 * with sums, n's length and the division a gap along n is off by 32 u S. A vertex in the scene is off by 9 u S, and a
 * point of the difference, with its sums, by 24 u S: so is a ball about the origin within four of them, whose radius is
 * computed as exactly as a gap. CAROM_SEEK_ERROR S = 64 u S bounds each. Sizes are within limits that keep products of
 * three lengths and of their squares within floats. Directions that are too short for that prove nothing. */
#ifndef CAROM_SIMD_SEEK_FLOATS_H
#define CAROM_SIMD_SEEK_FLOATS_H

#include <math.h>
#include <stdbool.h>

#include "simd/compare.h"
#include "simd/convex.h"
#include "simd/vector.h"

#define CAROM_SEEK_ERROR 0x1p-18F

/* Sizes of pairs that are searched for. */
#define CAROM_SEEK_LEAST 0x1p-20
#define CAROM_SEEK_MOST 0x1p20

/* Squares of directions and edges that count. */
#define CAROM_SEEK_SHORT 0x1p-100F

/* The number of a point is that of i's vertex times this and that of k's. No hull has more vertices. */
enum { CAROM_SEEK_HULL = 256 };

/* A search ends where its bracket is this wide, over the error. */
#define CAROM_SEEK_WIDTH 1.25F

/* Steps at most: searches take 3 to 8. */
enum { CAROM_SEEK_STEPS_MAX = 24 };

/* How a search ends. */
typedef enum carom_seek_end {
    CAROM_SEEK_BEGINS, /* at a place to go on from: points and a direction */
    CAROM_SEEK_APART,  /* the goal is reached: lower > above, */
    CAROM_SEEK_TOUCHES /* or upper <= 0 */
} carom_seek_end;

/* A pair, rounded to floats. */
typedef struct carom_seek_pair {
    float turn[2][3][3];
    float between[3]; /* i's position less k's */
    float error;      /* CAROM_SEEK_ERROR S */
    float above;      /* the goal, rounded up; infinite: it is none */
} carom_seek_pair;

/* Where a search has ended. */
typedef struct carom_seek_place {
    float number[3]; /* of the simplex's points; negative: there is none */
    float direction[3];
    float lower; /* the greatest gap so far, with rounding */
    float upper; /* of those that touch: minus the radius of a ball, with rounding */
    uint32_t steps;
    carom_seek_end end;
} carom_seek_place;

/* Bounds are rounded to floats by less, relative to themselves. */
#define CAROM_SEEK_BOUND 0x1p-22

/* Fills the pair. False if its size is beyond the limits, it has a place to begin at, or depths are asked for: searches
 * for these begin where a search in double ends. */
static inline bool carom_seek_pair_make(const carom_posed *i, const carom_posed *k, const carom_goal *goal,
                                        const carom_bracket *bracket, carom_seek_pair *pair) {
    double size = i->shape->core_reach + k->shape->core_reach;
    for (int r = 0; r < 3; r++) {
        const double between = i->at[r] - k->at[r];
        size += fabs(between);
        pair->between[r] = (float)between;
        for (int c = 0; c < 3; c++) {
            pair->turn[0][r][c] = (float)i->turn[r][c];
            pair->turn[1][r][c] = (float)k->turn[r][c];
        }
    }
    pair->error = CAROM_SEEK_ERROR * (float)size;
    pair->above = goal->above < CAROM_SEEK_MOST ? (float)(goal->above * (1.0 + CAROM_SEEK_BOUND)) : HUGE_VALF;
    const double *given = bracket->simplex.direction;
    const bool begins = bracket->iterations == 0 && !(carom_vector_dot(given, given) > 0.0);
    const bool asked = goal->above >= 0.0 && goal->below >= 0.0;
    return begins && asked && size >= CAROM_SEEK_LEAST && size <= CAROM_SEEK_MOST;
}

/* A point of the difference, in double: carom_support without a direction. */
static inline void carom_seek_point(const carom_posed *i, const carom_posed *k, uint32_t number,
                                    carom_difference_point *point) {
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

/* The cores are no farther apart than the sum of their origins' distance and reaches. */
static inline double carom_seek_most(const carom_posed *i, const carom_posed *k) {
    double most = i->shape->core_reach + k->shape->core_reach;
    for (int d = 0; d < 3; d++) {
        most += fabs(i->at[d] - k->at[d]);
    }
    return most * (1.0 + CAROM_SEEK_BOUND);
}

/* What is known of the pair. */
static inline void carom_seek_give_known(const carom_posed *i, const carom_posed *k, const carom_seek_place *place,
                                         carom_bracket *bracket) {
    const double most = carom_seek_most(i, k);
    bracket->lower = carom_greater((double)place->lower, -most);
    bracket->upper = place->end == CAROM_SEEK_TOUCHES ? (double)place->upper : most;
    bracket->iterations = place->steps;
    bracket->known = true;
}

/* Makes the bracket one of a search in double that goes on from there, unless there is nothing to go on from. Its upper
 * side must not make it narrow before the search has a point of its own. */
static inline void carom_seek_give_place(const carom_posed *i, const carom_posed *k, const carom_seek_place *place,
                                         carom_bracket *bracket) {
    const float *n = place->direction;
    const float square = (n[0] * n[0] + n[1] * n[1]) + n[2] * n[2];
    carom_simplex *simplex = &bracket->simplex;
    if (!(square >= CAROM_SEEK_SHORT) ||
        (place->number[0] < 0.0F && place->number[1] < 0.0F && place->number[2] < 0.0F)) {
        return;
    }
    for (int p = 0; p < 3; p++) {
        if (place->number[p] >= 0.0F) {
            carom_seek_point(i, k, (uint32_t)place->number[p], &simplex->point[p]);
            simplex->weight[p] = 1.0;
        }
        simplex->direction[p] = (double)n[p];
    }
    simplex->closest[0] = HUGE_VAL;
    bracket->lower = -HUGE_VAL;
    bracket->upper = 2.0 * carom_seek_most(i, k);
    bracket->iterations = place->steps;
}

static inline void carom_seek_give(const carom_posed *i, const carom_posed *k, const carom_seek_place *place,
                                   carom_bracket *bracket) {
    if (place->end == CAROM_SEEK_BEGINS) {
        carom_seek_give_place(i, k, place, bracket);
    } else {
        carom_seek_give_known(i, k, place, bracket);
    }
}

#endif
