/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Answers of a block of pairs as rows in the caller's precision, one by one. */
#include <string.h>

#include "simd/check.h"
#include "simd/declare.h"
#include "simd/ref/round.h"

#define carom_gap_rows_write_twin CAROM_TWIN(gap_rows)

static void round_points(const carom_pair_block *block, uint32_t n, carom_gap_row *row) {
    for (int d = 0; d < 3; d++) {
        const double origin = block->origin[d][n];
        row->normal[d] = carom_round_near(block->normal[d][n]);
        row->point_i[d] = carom_round_near(block->point_i[d][n] + origin);
        row->point_k[d] = carom_round_near(block->point_k[d][n] + origin);
    }
}

static void write_row(const carom_pair_block *block, uint32_t n, carom_gap_state state, const carom_gap_limits *limits,
                      carom_gap_row *row) {
    const double lower = block->lower[n];
    const double upper = block->upper[n];
    const double distance = carom_gap_middle(lower, upper);
    const double width = limits->tolerance * carom_greater(block->reach[n], fabs(distance));
    const bool shown = state == CAROM_GAP_SEPARATED ? limits->apart : limits->touching;
    memset(row, 0, sizeof *row);
    row->state = state;
    row->capped = upper - lower > width && (shown || state == CAROM_GAP_CLOSE);
    row->iterations = block->iterations[n];
    row->distance = carom_round_near(distance);
    row->lower = carom_round_down(lower);
    row->upper = carom_round_up(upper);
    if (shown) {
        round_points(block, n, row);
    }
}

void carom_gap_rows_write_twin(carom_pair_block *block, uint32_t begin, uint32_t end, const carom_gap_limits *limits,
                               carom_gap_rows *rows) {
    CAROM_ASSERT(begin <= end && end <= CAROM_BLOCK_PAIRS);
    for (uint32_t n = begin; n < end; n++) {
        const bool apart = block->lower[n] > limits->margin;
        const bool touching = !apart && block->upper[n] <= limits->margin;
        rows->apart |= (uint64_t)apart << n;
        rows->touching |= (uint64_t)touching << n;
        if (limits->rows) {
            write_row(block, n,
                      apart      ? CAROM_GAP_SEPARATED
                      : touching ? CAROM_GAP_TOUCHING
                                 : CAROM_GAP_CLOSE,
                      limits, rows->row[n]);
        }
    }
}
