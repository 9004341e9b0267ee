/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a search's points, the poses that they were found in, and new poses. Out: the same points in these.
 *
 * A search adds points to a simplex until that is as close to the origin as can be. Between two looks shapes move
 * little: the points are mostly those that it will end with. The weights are not right any more, but the first step
 * finds the closest part of the points and the new one, as all steps do, and makes it the simplex. */
#include "kernel/narrow/warm.h"

#include <math.h>
#include <string.h>

#include "simd/vector.h"

/* Rotations to a shape's frame and back round by less than 2^-48 of a length, and the matrix is off by 2^-49. */
static const double WARM_ERROR = 0x1p-46;

/* Where the core's point a, seen in one pose, is in another. */
static void carry(const carom_posed *from, const carom_posed *to, const double a[3], double b[3]) {
    const double arm[3] = {a[0] - from->at[0], a[1] - from->at[1], a[2] - from->at[2]};
    double local[3];
    carom_pose_to_local(from->turn, arm, local);
    carom_pose_from_local(to->turn, local, b);
    for (int d = 0; d < 3; d++) {
        b[d] += to->at[d];
    }
}

void carom_warm_start(const carom_view *seen, const carom_posed *i, const carom_posed *k, const double direction[3],
                      carom_bracket *bracket) {
    const carom_simplex *old = &seen->bracket->simplex;
    carom_simplex *simplex = &bracket->simplex;
    for (int n = 0; n < 3; n++) {
        const carom_difference_point *point = &old->point[n];
        simplex->weight[n] = old->weight[n];
        if (old->weight[n] > 0.0) {
            const double a[3] = {point->a[0], point->a[1], point->a[2]};
            const double b[3] = {a[0] - point->w[0], a[1] - point->w[1], a[2] - point->w[2]};
            double now[3];
            carry(seen->i, i, a, simplex->point[n].a);
            carry(seen->k, k, b, now);
            carom_vector_add(simplex->point[n].a, -1.0, now, simplex->point[n].w);
        } else {
            memset(&simplex->point[n], 0, sizeof simplex->point[n]);
        }
        simplex->direction[n] = direction[n];
    }
    memset(&simplex->point[3], 0, sizeof simplex->point[3]);
    simplex->closest[0] = HUGE_VAL;
    simplex->closest[1] = 0.0;
    simplex->closest[2] = 0.0;
    bracket->lower = -HUGE_VAL;
    bracket->upper = HUGE_VAL;
    bracket->iterations = 1;
    bracket->overlap = false;
}

double carom_warm_error(const carom_posed *i, const carom_posed *k) {
    const double sizes = i->shape->core_reach + k->shape->core_reach;
    return WARM_ERROR * (sizes + fabs(i->at[0]) + fabs(i->at[1]) + fabs(i->at[2]));
}
