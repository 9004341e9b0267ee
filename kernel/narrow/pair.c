/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two posed shapes where they are in the scene. Out: what a caller learns of them. Searches work relative to body
 * k's position. */
#include "kernel/narrow/pair.h"

#include <math.h>
#include <string.h>

#include "kernel/narrow/compound.h"
#include "kernel/narrow/far.h"
#include "kernel/narrow/manifold.h"
#include "simd/vector.h"

/* Whether each shape of a compound, or the shape itself, has a test against a kind. */
static bool all_have(const carom_shape_entry *shape, carom_shape_kind kind) {
    if (shape->kind != CAROM_SHAPE_COMPOUND) {
        return carom_gap_has(shape->kind, kind);
    }
    for (uint32_t n = 0; n < shape->child_count; n++) {
        if (!carom_gap_has(shape->table[shape->child[n].shape].kind, kind)) {
            return false;
        }
    }
    return true;
}

bool carom_pair_has(const carom_shape_entry *i, const carom_shape_entry *k) {
    if (k->kind != CAROM_SHAPE_COMPOUND) {
        return all_have(i, k->kind);
    }
    /* Children are convex: two compounds always have a test. */
    return i->kind == CAROM_SHAPE_COMPOUND || all_have(k, i->kind);
}

void carom_pair_manifold(const carom_posed *i, const carom_posed *k, const double origin[3], double margin,
                         carom_pair_answer *answer) {
    answer->point_count = carom_manifold_find(i, k, &answer->gap, margin, &answer->manifold);
    for (uint32_t n = 0; n < answer->point_count; n++) {
        for (int d = 0; d < 3; d++) {
            answer->manifold.point[n][d] += origin[d];
        }
    }
}

/* The poses relative to k's position. */
static void bring_near(const carom_posed *i, const carom_posed *k, const double between[3], carom_posed *near_i,
                       carom_posed *near_k) {
    *near_i = *i;
    *near_k = *k;
    for (int d = 0; d < 3; d++) {
        near_i->at[d] = between[d];
        near_k->at[d] = 0.0;
    }
}

/* The answer from that of the nearest children. */
static void take_nearest(const carom_nearest *nearest, const double origin[3], const carom_gap_task *task,
                         carom_pair_answer *answer) {
    answer->gap = nearest->gap;
    answer->state = carom_gap_state_of(&nearest->gap, task->margin);
    answer->distance = carom_gap_middle(nearest->gap.lower, nearest->gap.upper);
    answer->capped =
        nearest->gap.upper - nearest->gap.lower > carom_gap_width(&nearest->i, &nearest->k, task, answer->distance);
    answer->child_i = nearest->child_i;
    answer->child_k = nearest->child_k;
    if (task->manifold && answer->state != CAROM_GAP_SEPARATED) {
        carom_pair_manifold(&nearest->i, &nearest->k, origin, task->margin, answer);
    }
    carom_vector_add(nearest->gap.point_i, 1.0, origin, answer->gap.point_i);
    carom_vector_add(nearest->gap.point_k, 1.0, origin, answer->gap.point_k);
}

/* The ordinary case. */
static void find_near(const carom_posed *i, const carom_posed *k, const double between[3], const carom_gap_task *task,
                      carom_pair_answer *answer) {
    carom_posed near_i;
    carom_posed near_k;
    carom_nearest nearest;
    bring_near(i, k, between, &near_i, &near_k);
    carom_nearest_find(&near_i, &near_k, task, &nearest);
    take_nearest(&nearest, k->at, task, answer);
}

static void find_far(const carom_posed *i, const carom_posed *k, const carom_gap_task *task,
                     carom_pair_answer *answer) {
    carom_far_find(i, k, task, &answer->gap);
    answer->state = carom_gap_state_of(&answer->gap, task->margin);
    answer->distance = carom_gap_middle(answer->gap.lower, answer->gap.upper);
    answer->capped = !(answer->gap.upper - answer->gap.lower <= carom_gap_width(i, k, task, answer->distance));
}

/* What the detail STATE leaves out. Its bracket need not be narrow, unless the state is not known. */
static void keep_state_alone(carom_pair_answer *answer) {
    memset(answer->gap.normal, 0, sizeof answer->gap.normal);
    memset(answer->gap.point_i, 0, sizeof answer->gap.point_i);
    memset(answer->gap.point_k, 0, sizeof answer->gap.point_k);
    answer->capped = answer->capped && answer->state == CAROM_GAP_CLOSE;
}

void carom_pair_find(const carom_posed *i, const carom_posed *k, const carom_gap_task *task,
                     carom_pair_answer *answer) {
    double between[3];
    memset(answer, 0, sizeof *answer);
    carom_vector_add(i->at, -1.0, k->at, between);
    if (carom_far_is(between)) {
        find_far(i, k, task, answer);
    } else {
        find_near(i, k, between, task, answer);
    }
    const bool is_wanted = answer->state == CAROM_GAP_SEPARATED ? carom_gap_wants_apart(task->detail)
                                                                : carom_gap_wants_touching(task->detail);
    if (!is_wanted) {
        keep_state_alone(answer);
    }
}
