/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Positions of pairs relative to those of their second bodies, in vectors. The last vector of a run may not reach into
 * the next one, whose positions are still to be read: the twin does what is left. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/pose_lanes.h"

#define carom_relative CAROM_KERNEL_OF(relative)
#define carom_relative_twin CAROM_TWIN_OF(relative)

uint64_t carom_relative(carom_pair_block *block, uint32_t begin, uint32_t end, bool swapped) {
    carom_block_side *i = &block->side[swapped ? 1 : 0];
    carom_block_side *k = &block->side[swapped ? 0 : 1];
    uint64_t unusual = 0;
    uint32_t n = begin;
    for (; n + CAROM_PAIRS <= end; n += CAROM_PAIRS) {
        vdm usual = vdm_and(carom_lanes_are_valid(i, n), carom_lanes_are_valid(k, n));
        for (int d = 0; d < 3; d++) {
            const vd at_k = vd_load(k->at[d] + n);
            const vd between = vd_sub(vd_load(i->at[d] + n), at_k);
            usual = vdm_and(usual, vd_le(vd_abs(between), vd_set1(CAROM_NEAR_MOST)));
            vd_store(block->origin[d] + n, at_k);
            vd_store(i->at[d] + n, between);
            vd_store(k->at[d] + n, vd_set1(0.0));
        }
        const uint64_t odd = vdm_bits(usual) ^ ((1U << CAROM_PAIRS) - 1);
        unusual |= odd << (n - begin);
    }
    return n == end ? unusual : unusual | carom_relative_twin(block, n, end, swapped) << (n - begin);
}
