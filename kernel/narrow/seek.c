/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/narrow/seek.h"

#include <float.h>
#include <math.h>

#include "kernel/check/assert.h"
#include "kernel/narrow/seek_start.h"
#include "simd/dispatch.h"
#include "simd/ref/apart_pair.h"
#include "simd/vector.h"

/* If the tolerance were coarser, a bracket in double might hold 0 where floats have proved that hulls are apart, and
 * pairs that a detection takes for touching would not be in its rows. */
static const double FLOATS_TOLERANCE = 0x1p-20;

/* A margin is rounded to float by less, relative to itself. */
static const double ROUNDING = 0x1p-22;

bool carom_seek_is_asked(const carom_gap_task *task) {
    return task->tolerance <= FLOATS_TOLERANCE;
}

float carom_seek_above(double margin) {
    return (float)(margin * (1.0 + ROUNDING));
}

float carom_seek_below(double margin) {
    const double most = 0.5 * (double)FLT_MAX;
    return (float)((margin < most ? margin : most) * (1.0 - ROUNDING));
}

void carom_seek_set_limits(const carom_gap_task *task, carom_seek_pairs *pairs) {
    pairs->above = carom_gap_wants_apart(task->detail) ? HUGE_VALF : carom_seek_above(task->margin);
    pairs->below = carom_gap_wants_touching(task->detail) ? -HUGE_VALF : carom_seek_below(task->margin);
    pairs->has_axes = false;
}

/* A quaternion in floats. Returns whether it is a usual one, as for simd/quick_tmpl.c. */
static bool round_turn(const double turn[4], float q[4]) {
    for (int a = 0; a < 4; a++) {
        q[a] = (float)turn[a];
    }
    const float square = ((q[0] * q[0] + q[1] * q[1]) + q[2] * q[2]) + q[3] * q[3];
    return square >= CAROM_QUICK_TURN_LEAST && square <= CAROM_QUICK_TURN_MOST;
}

static float round_difference(double a, double b) {
    return (float)carom_lesser(carom_greater(a - b, -(double)FLT_MAX), (double)FLT_MAX);
}

/* Sets where k is in the frame of i. Returns whether the pair may be searched for; its hulls are set. */
static bool set_pair(const double at_i[3], const double turn_i[4], const double at_k[3], const double turn_k[4],
                     uint32_t n, carom_seek_pairs *pairs) {
    float q[2][4];
    float turn[2][3][3];
    float between[3];
    float way[3];
    float frame[3][3];
    const bool is_usual_i = round_turn(turn_i, q[0]);
    const bool is_usual_k = round_turn(turn_k, q[1]);
    for (int d = 0; d < 3; d++) {
        between[d] = round_difference(at_k[d], at_i[d]);
    }
    carom_apart_turn(q[0], turn[0]);
    carom_apart_turn(q[1], turn[1]);
    carom_apart_to_frame((const float(*)[3])turn[0], between, way);
    carom_apart_turn_in_frame((const float(*)[3])turn[0], (const float(*)[3])turn[1], frame);
    for (int a = 0; a < 3; a++) {
        pairs->between[a][n] = way[a];
        for (int b = 0; b < 3; b++) {
            pairs->turn[3 * a + b][n] = frame[a][b];
        }
    }
    return carom_seek_set(pairs, n) && is_usual_i && is_usual_k;
}

/* Of a pair in a block. */
static bool set_column(const carom_pair_block *block, uint32_t n, carom_seek_pairs *pairs) {
    double at[2][3];
    double turn[2][4];
    for (int s = 0; s < 2; s++) {
        const carom_block_side *side = &block->side[s];
        for (int d = 0; d < 3; d++) {
            at[s][d] = side->at[d][n];
        }
        for (int d = 0; d < 4; d++) {
            turn[s][d] = side->turn[d][n];
        }
        pairs->hull[s][n] = side->shape[n]->hull;
    }
    return set_pair(at[0], turn[0], at[1], turn[1], n, pairs);
}

void carom_seek_block(const carom_pair_block *block, uint32_t begin, uint32_t end, const carom_gap_task *task,
                      carom_seek_pairs *pairs) {
    uint64_t open = 0;
    CAROM_ASSERT(end <= CAROM_BLOCK_PAIRS);
    carom_seek_set_limits(task, pairs);
    for (uint32_t n = begin; n < end; n++) {
        open |= (uint64_t)set_column(block, n, pairs) << n;
    }
    carom_simd_or_best(task->simd)->seek(pairs, open);
}

void carom_seek_bodies(const carom_body_numbers *i, const carom_hull *hull_i, const carom_body_numbers *k,
                       const carom_hull *hull_k, const carom_gap_task *task, carom_seek_start *start) {
    carom_seek_pairs pairs;
    pairs.hull[0][0] = hull_i;
    pairs.hull[1][0] = hull_k;
    carom_seek_set_limits(task, &pairs);
    start->steps = 0.0F;
    if (carom_seek_is_asked(task) && set_pair(i->at, i->turn, k->at, k->turn, 0, &pairs)) {
        carom_simd_or_best(task->simd)->seek(&pairs, 1);
        *start = carom_seek_start_of(&pairs, 0);
    }
}

void carom_seek_look_first(const double axis[3], const double turn[3][3], uint32_t n, carom_seek_pairs *pairs) {
    double unit[3] = {0.0, 0.0, 0.0};
    double local[3];
    if (isfinite(axis[0]) && isfinite(axis[1]) && isfinite(axis[2])) {
        (void)carom_vector_unit(axis, unit);
    }
    carom_pose_to_local(turn, unit, local);
    for (int d = 0; d < 3; d++) {
        pairs->look[d][n] = (float)local[d];
    }
}

void carom_seek_give_axis(const carom_seek_pairs *pairs, uint32_t n, const double turn[3][3], double axis[3]) {
    const double local[3] = {(double)pairs->normal[0][n], (double)pairs->normal[1][n], (double)pairs->normal[2][n]};
    carom_pose_from_local(turn, local, axis);
    (void)carom_vector_unit(axis, axis);
}

void carom_seek_take(const carom_posed *i, const carom_posed *k, const carom_seek_pairs *pairs, uint32_t n,
                     carom_bracket *bracket) {
    if (pairs->lower[n] > pairs->above || pairs->upper[n] <= pairs->below) {
        bracket->lower = (double)pairs->lower[n];
        bracket->upper = (double)pairs->upper[n];
        bracket->iterations = (uint32_t)pairs->steps[n];
        bracket->known = true;
        bracket->bounds_only = true;
    } else if (pairs->steps[n] > 0.0F) {
        const carom_seek_start start = carom_seek_start_of(pairs, n);
        carom_seek_start_take(i, k, &start, bracket);
    }
}
