/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: an answer. Out: the same in the caller's precision. A bound that floats cannot hold is rounded away from the
 * distance; a coordinate beyond the largest number becomes that. */
#include "kernel/narrow/round_tmpl.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "simd/compare.h"

#if CAROM_REAL_BITS == 32
#define REAL_MOST FLT_MAX
#else
#define REAL_MOST DBL_MAX
#endif

static carom_real next_after(carom_real x, carom_real to) {
#if CAROM_REAL_BITS == 32
    return nextafterf(x, to);
#else
    return nextafter(x, to);
#endif
}

static carom_real round_down(double x) {
    const carom_real near = (carom_real)x;
    return (double)near > x ? next_after(near, -(carom_real)HUGE_VAL) : near;
}

static carom_real round_up(double x) {
    const carom_real near = (carom_real)x;
    return (double)near < x ? next_after(near, (carom_real)HUGE_VAL) : near;
}

static carom_real round_near(double x) {
    return (carom_real)carom_lesser(carom_greater(x, -(double)REAL_MOST), (double)REAL_MOST);
}

static void round_vector(const double from[3], carom_real to[3]) {
    for (int d = 0; d < 3; d++) {
        to[d] = round_near(from[d]);
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
    row->distance = round_near(answer->distance);
    row->lower = round_down(answer->gap.lower);
    row->upper = round_up(answer->gap.upper);
    round_vector(answer->gap.normal, row->normal);
    round_vector(answer->gap.point_i, row->point_i);
    round_vector(answer->gap.point_k, row->point_k);
}

void carom_round_manifold(const carom_pair_answer *answer, carom_manifold_row *row) {
    memset(row, 0, sizeof *row);
    for (uint32_t n = 0; n < answer->point_count; n++) {
        round_vector(answer->point[n], row->point[n]);
        row->gap[n] = round_near(answer->separation[n]);
    }
}

void carom_round_impact(const carom_toi_found *found, carom_toi_row *row) {
    memset(row, 0, sizeof *row);
    row->state = found->state;
    row->iterations = found->iterations;
    row->child_i = found->child_i;
    row->child_k = found->child_k;
    row->t = round_down(found->t);
    row->gap = round_up(found->gap);
    round_vector(found->normal, row->normal);
    round_vector(found->point_i, row->point_i);
    round_vector(found->point_k, row->point_k);
}
