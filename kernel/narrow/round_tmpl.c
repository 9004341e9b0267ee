/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: an answer. Out: the same in the caller's precision. */
#include "kernel/narrow/round_tmpl.h"

#include <string.h>

#include "simd/ref/round.h"

/* Of a manifold: coordinates and separations, side by side in both forms. */
enum { NUMBERS = 16 };

_Static_assert(sizeof(carom_manifold_points) == NUMBERS * sizeof(double), "a manifold is its numbers");
_Static_assert(sizeof(carom_manifold_row) == NUMBERS * sizeof(carom_real), "so it is when rounded");

static void round_vector(const double from[3], carom_real to[3]) {
    for (int d = 0; d < 3; d++) {
        to[d] = carom_round_near(from[d]);
    }
}

void carom_round_gap(const carom_pair_answer *answer, carom_gap_row *row) {
    memset(row, 0, sizeof *row);
    row->state = answer->state;
    row->capped = answer->capped;
    row->point_count = (uint8_t)answer->point_count;
    row->iterations = answer->gap.iterations;
    row->child_i = answer->child_i;
    row->child_k = answer->child_k;
    row->distance = carom_round_near(answer->distance);
    row->lower = carom_round_down(answer->gap.lower);
    row->upper = carom_round_up(answer->gap.upper);
    round_vector(answer->gap.normal, row->normal);
    round_vector(answer->gap.point_i, row->point_i);
    round_vector(answer->gap.point_k, row->point_k);
}

void carom_round_manifold(const carom_manifold_points *points, carom_manifold_row *row) {
    double from[NUMBERS];
    carom_real to[NUMBERS];
    memcpy(from, points, sizeof from);
    for (int n = 0; n < NUMBERS; n++) {
        to[n] = carom_round_near(from[n]);
    }
    memcpy(row, to, sizeof to);
}

void carom_round_impact(const carom_toi_found *found, carom_toi_row *row) {
    memset(row, 0, sizeof *row);
    row->state = found->state;
    row->iterations = found->iterations;
    row->child_i = found->child_i;
    row->child_k = found->child_k;
    row->t = carom_round_down(found->t);
    row->gap = carom_round_up(found->gap);
    round_vector(found->normal, row->normal);
    round_vector(found->point_i, row->point_i);
    round_vector(found->point_k, row->point_k);
}
