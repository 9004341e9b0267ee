/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Posed shapes of pairs of a block, one by one. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/pair_block.h"

#define carom_pose_pairs_twin CAROM_TWIN_OF(pose_pairs)

void carom_pose_pairs_twin(const carom_pair_block *block, uint32_t side, const uint32_t *place, uint32_t count,
                           carom_posed *posed) {
    CAROM_ASSERT(count <= CAROM_BLOCK_PAIRS && carom_check_slots(place, 0, count, CAROM_BLOCK_PAIRS));
    for (uint32_t n = 0; n < count; n++) {
        carom_block_posed(block, (int)side, place[n], &posed[n]);
    }
}
