/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two moving cores, a time, and the look before. Out: their poses, and the bracket that a search begins with.
 *
 * A search adds points to a simplex until that is as close to the origin as can be. Between two looks cores move little:
 * the points are mostly those that it will end with. So they are carried to the new poses. The weights are not right any
 * more, but the first step finds the closest part of the points and the new one, as all steps do, and makes it the
 * simplex. */
#ifndef CAROM_SIMD_REF_AIM_H
#define CAROM_SIMD_REF_AIM_H

#include <string.h>

#include "simd/view.h"
#include "simd/ref/turn.h"

/* The matrix of a rotation about a unit vector, by Rodrigues' formula. */
static inline void carom_turn_matrix(const double axis[3], double sine, double cosine, double matrix[3][3]) {
    for (int r = 0; r < 3; r++) {
        const int s = (r + 1) % 3;
        const int q = (r + 2) % 3;
        const double part = axis[r] * (1.0 - cosine);
        matrix[r][r] = part * axis[r] + cosine;
        matrix[r][s] = part * axis[s] - sine * axis[q];
        matrix[r][q] = part * axis[q] + sine * axis[s];
    }
}

/* The pose at t, relative to the body's position then. */
static inline void carom_swing_pose(const carom_swing *swing, double t, carom_posed *posed) {
    double way[3][3];
    double sine;
    double cosine;
    carom_turn_sine_cosine(t * swing->angle, &sine, &cosine);
    carom_turn_matrix(swing->axis, sine, cosine, way);
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            posed->turn[r][c] =
                way[r][0] * swing->start[0][c] + way[r][1] * swing->start[1][c] + way[r][2] * swing->start[2][c];
        }
        posed->at[r] = carom_vector_dot(way[r], swing->arm);
    }
    posed->shape = swing->shape;
}

/* Where the core's point a, seen in one pose, is in another. */
static inline void carom_aim_carry(const carom_posed *from, const carom_posed *to, const double a[3], double b[3]) {
    const double arm[3] = {a[0] - from->at[0], a[1] - from->at[1], a[2] - from->at[2]};
    double local[3];
    carom_pose_to_local(from->turn, arm, local);
    for (int d = 0; d < 3; d++) {
        b[d] = carom_vector_dot(to->turn[d], local) + to->at[d];
    }
}

static inline void carom_aim_carry_points(const carom_aim *aim, const carom_posed *i, const carom_posed *k) {
    for (int n = 0; n < 3; n++) {
        const carom_difference_point seen = aim->seen->simplex.point[n];
        carom_difference_point *point = &aim->bracket->simplex.point[n];
        const double b[3] = {seen.a[0] - seen.w[0], seen.a[1] - seen.w[1], seen.a[2] - seen.w[2]};
        double now[3];
        carom_aim_carry(aim->seen_i, i, seen.a, point->a);
        carom_aim_carry(aim->seen_k, k, b, now);
        carom_vector_add(point->a, -1.0, now, point->w);
        aim->bracket->simplex.weight[n] = aim->seen->simplex.weight[n];
    }
}

/* What is the same for all searches that begin with points. */
static inline void carom_aim_begin(const carom_aim *aim) {
    carom_bracket *bracket = aim->bracket;
    memcpy(bracket->simplex.direction, aim->direction, sizeof bracket->simplex.direction);
    memset(&bracket->simplex.point[3], 0, sizeof bracket->simplex.point[3]);
    bracket->simplex.closest[0] = HUGE_VAL;
    bracket->simplex.closest[1] = 0.0;
    bracket->simplex.closest[2] = 0.0;
    bracket->lower = -HUGE_VAL;
    bracket->upper = HUGE_VAL;
    bracket->iterations = 1;
    bracket->overlap = false;
}

static inline void carom_aim_find(carom_aim *aim) {
    const carom_course *course = aim->course;
    carom_posed i;
    carom_posed k;
    carom_swing_pose(course->i, aim->t, &i);
    carom_swing_pose(course->k, aim->t, &k);
    for (int d = 0; d < 3; d++) {
        aim->shift[d] = k.at[d];
        i.at[d] += (course->p[d] + aim->t * course->u[d]) - k.at[d];
        k.at[d] = 0.0;
    }
    if (aim->seen != NULL) {
        carom_aim_carry_points(aim, &i, &k);
        carom_aim_begin(aim);
    } else {
        memset(aim->bracket, 0, sizeof *aim->bracket);
    }
    *aim->i = i;
    *aim->k = k;
}

#endif
