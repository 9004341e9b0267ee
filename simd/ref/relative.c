/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Positions of pairs relative to those of their second bodies, one by one. */
#include <math.h>

#include "simd/check.h"
#include "simd/declare.h"
#include "simd/ref/pose.h"

#define carom_relative_twin CAROM_TWIN_OF(relative)

uint64_t carom_relative_twin(carom_pair_block *block, uint32_t begin, uint32_t end, bool swapped) {
    carom_block_side *i = &block->side[swapped ? 1 : 0];
    carom_block_side *k = &block->side[swapped ? 0 : 1];
    uint64_t unusual = 0;
    for (uint32_t n = begin; n < end; n++) {
        bool usual = carom_ref_pose_is_valid(i, n) && carom_ref_pose_is_valid(k, n);
        for (int d = 0; d < 3; d++) {
            const double between = i->at[d][n] - k->at[d][n];
            usual = usual && fabs(between) <= CAROM_NEAR_MOST;
            block->origin[d][n] = k->at[d][n];
            i->at[d][n] = between;
            k->at[d][n] = 0.0;
        }
        unusual |= (uint64_t)!usual << (n - begin);
    }
    return unusual;
}
