/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Poses of pairs, one by one. */
#include "simd/declare.h"
#include "simd/pair_block.h"

#define carom_pose_columns_twin CAROM_TWIN(pose_columns)

void carom_pose_columns_twin(const carom_real *rows, const uint32_t *const pose[2], uint32_t count,
                             carom_pair_block *block) {
    for (int s = 0; s < 2; s++) {
        carom_block_side *side = &block->side[s];
        for (uint32_t n = 0; n < count; n++) {
            const carom_real *row = rows + 8 * (uint64_t)pose[s][n];
            for (int d = 0; d < 3; d++) {
                side->at[d][n] = (double)row[d];
            }
            for (int d = 0; d < 4; d++) {
                side->turn[d][n] = (double)row[4 + d];
            }
        }
    }
}
