/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Answers of a block of pairs in the caller's precision, one by one. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/ref/round.h"

#define carom_round_gaps_twin CAROM_TWIN(round_gaps)

static void round_points(const carom_pair_block *block, uint32_t n, bool hidden, carom_gap_columns *columns) {
    for (int d = 0; d < 3; d++) {
        const double origin = block->origin[d][n];
        columns->normal[d][n] = carom_round_near(hidden ? 0.0 : block->normal[d][n]);
        columns->point_i[d][n] = carom_round_near(hidden ? 0.0 : block->point_i[d][n] + origin);
        columns->point_k[d][n] = carom_round_near(hidden ? 0.0 : block->point_k[d][n] + origin);
    }
}

void carom_round_gaps_twin(carom_pair_block *block, uint32_t begin, uint32_t end, const carom_gap_limits *limits,
                           carom_gap_columns *columns) {
    for (uint32_t n = begin; n < end; n++) {
        const double lower = block->lower[n];
        const double upper = block->upper[n];
        const double distance = carom_gap_middle(lower, upper);
        const double width = limits->tolerance * carom_greater(block->reach[n], fabs(distance));
        const uint64_t bit = (uint64_t)1 << n;
        columns->apart |= lower > limits->margin ? bit : 0;
        columns->touching |= lower <= limits->margin && upper <= limits->margin ? bit : 0;
        columns->wide |= upper - lower > width ? bit : 0;
        columns->distance[n] = carom_round_near(distance);
        columns->lower[n] = carom_round_down(lower);
        columns->upper[n] = carom_round_up(upper);
        if (limits->apart || limits->touching) {
            round_points(block, n, !(lower > limits->margin ? limits->apart : limits->touching), columns);
        }
    }
}
