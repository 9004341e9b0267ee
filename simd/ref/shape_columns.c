/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What a block's pairs need of their shapes, one by one. */
#include "simd/compare.h"
#include "simd/declare.h"
#include "simd/pair_block.h"

#define carom_shape_columns_twin CAROM_TWIN_OF(shape_columns)

void carom_shape_columns_twin(carom_pair_block *block, uint32_t count) {
    for (uint32_t n = 0; n < count; n++) {
        for (int s = 0; s < 2; s++) {
            carom_block_side *side = &block->side[s];
            side->radius[n] = side->shape[n]->radius;
            for (int d = 0; d < 3; d++) {
                side->extent[d][n] = side->shape[n]->extent[d];
            }
        }
        const double one = block->side[0].shape[n]->reach;
        const double other = block->side[1].shape[n]->reach;
        const double least = carom_lesser(one, other);
        block->reach[n] = least > 0.0 ? least : carom_greater(one, other);
    }
}
