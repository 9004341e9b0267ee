/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/narrow/seek.h"

#include <float.h>
#include <math.h>

#include "kernel/check/assert.h"
#include "kernel/narrow/seek_place.h"
#include "simd/dispatch.h"
#include "simd/ref/apart_pair.h"

/* Of finer brackets none holds 0 where floats know the state: they know no more than others do. */
static const double FLOATS_TOLERANCE = 0x1p-20;

/* A limit is rounded to float by less, relative to itself. */
static const double ROUNDING = 0x1p-22;

bool carom_seek_is_asked(const carom_gap_task *task) {
    return task->axes == NULL && task->tolerance <= FLOATS_TOLERANCE;
}

static float difference(double a, double b) {
    return (float)carom_lesser(carom_greater(a - b, -(double)FLT_MAX), (double)FLT_MAX);
}

/* The rotation of one body, as simd/quick_tmpl.c finds it. Returns whether it is a usual one. */
static bool turn_of(const carom_block_side *side, uint32_t n, float turn[3][3]) {
    float q[4];
    for (int a = 0; a < 4; a++) {
        q[a] = (float)side->turn[a][n];
    }
    const float square = ((q[0] * q[0] + q[1] * q[1]) + q[2] * q[2]) + q[3] * q[3];
    carom_apart_turn(q, turn);
    return square >= CAROM_QUICK_TURN_LEAST && square <= CAROM_QUICK_TURN_MOST;
}

/* Where k is in the frame of i. */
static bool set_frame(const carom_pair_block *block, uint32_t n, carom_seek_pairs *pairs) {
    const carom_block_side *i = &block->side[0];
    const carom_block_side *k = &block->side[1];
    float turn_i[3][3];
    float turn_k[3][3];
    float way[3];
    const bool is_usual_i = turn_of(i, n, turn_i);
    const bool is_usual_k = turn_of(k, n, turn_k);
    for (int d = 0; d < 3; d++) {
        way[d] = difference(k->at[d][n], i->at[d][n]);
    }
    for (int a = 0; a < 3; a++) {
        pairs->between[a][n] = (turn_i[0][a] * way[0] + turn_i[1][a] * way[1]) + turn_i[2][a] * way[2];
        for (int b = 0; b < 3; b++) {
            pairs->turn[3 * a + b][n] =
                (turn_i[0][a] * turn_k[0][b] + turn_i[1][a] * turn_k[1][b]) + turn_i[2][a] * turn_k[2][b];
        }
    }
    return is_usual_i && is_usual_k;
}

static void set_limits(const carom_gap_task *task, carom_seek_pairs *pairs) {
    const double margin = carom_lesser(task->margin, 0.5 * (double)FLT_MAX);
    const float above = (float)(task->margin * (1.0 + ROUNDING));
    pairs->above = carom_gap_wants_apart(task->detail) ? HUGE_VALF : above;
    pairs->below = carom_gap_wants_touching(task->detail) ? -HUGE_VALF : (float)(margin * (1.0 - ROUNDING));
}

void carom_seek_block(const carom_pair_block *block, uint32_t begin, uint32_t end, const carom_gap_task *task,
                      carom_seek_pairs *pairs) {
    uint64_t open = 0;
    CAROM_ASSERT(end <= CAROM_BLOCK_PAIRS);
    set_limits(task, pairs);
    for (uint32_t n = begin; n < end; n++) {
        pairs->hull[0][n] = block->side[0].shape[n]->hull;
        pairs->hull[1][n] = block->side[1].shape[n]->hull;
        const bool is_usual = set_frame(block, n, pairs);
        open |= (uint64_t)(carom_seek_set(pairs, n) && is_usual) << n;
    }
    carom_simd_or_best(task->simd)->seek(pairs, open);
}

void carom_seek_take(const carom_posed *i, const carom_posed *k, const carom_seek_pairs *pairs, uint32_t n,
                     carom_bracket *bracket) {
    if (pairs->lower[n] > pairs->above || pairs->upper[n] <= pairs->below) {
        bracket->lower = (double)pairs->lower[n];
        bracket->upper = (double)pairs->upper[n];
        bracket->iterations = (uint32_t)pairs->steps[n];
        bracket->known = true;
        return;
    }
    const carom_seek_place place = carom_seek_place_of(pairs, n);
    carom_seek_place_take(i, k, &place, bracket);
}
