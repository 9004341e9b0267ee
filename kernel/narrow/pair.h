/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The whole answer for one pair of posed shapes of any kind, in double: compounds and shapes very far apart too, with
 * state and manifold. Single pairs and batches of both precisions go through here, so that their bits agree. */
#ifndef CAROM_NARROW_PAIR_H
#define CAROM_NARROW_PAIR_H

#include <stdbool.h>

#include "kernel/narrow/gap.h"
#include "simd/manifold.h"

typedef struct carom_pair_answer {
    carom_gap gap; /* its points are in the frame of the poses, as all points here */
    carom_gap_state state;
    bool capped;          /* the bracket is wider than the task asks */
    uint32_t child_i;     /* of a compound the child that answers; else 0 */
    uint32_t child_k;     /* likewise */
    double distance;      /* lower <= distance <= upper */
    uint32_t point_count; /* of the manifold: 0 to 4 */
    carom_manifold_points manifold;
} carom_pair_answer;

/* Whether there is a test for two shapes: for compounds, for all their children. */
bool carom_pair_has(const carom_shape_entry *i, const carom_shape_entry *k);

/* Adds the manifold to an answer, whose gap is still relative to `origin`, as the poses are. */
void carom_pair_manifold(const carom_posed *i, const carom_posed *k, const double origin[3], double margin,
                         carom_pair_answer *answer);

/* The answer, for shapes with a test. Positions are finite. What the detail leaves out is 0. */
void carom_pair_find(const carom_posed *i, const carom_posed *k, const carom_gap_task *task, carom_pair_answer *answer);

#endif
