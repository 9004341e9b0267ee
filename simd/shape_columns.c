/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What a block's pairs need of their shapes, in vectors: entries are rows that become columns. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/pair_block.h"
#include "simd/vector_lanes.h"

#define carom_shape_columns CAROM_KERNEL_OF(shape_columns)

/* Doubles of an entry from its radius on. */
enum { RADIUS, EXTENT, CORE_REACH = 4, REACH, ROW = 8 };
_Static_assert(offsetof(carom_shape_entry, extent) == offsetof(carom_shape_entry, radius) + EXTENT * sizeof(double) &&
                   offsetof(carom_shape_entry, reach) == offsetof(carom_shape_entry, radius) + REACH * sizeof(double) &&
                   sizeof(carom_shape_entry) >= offsetof(carom_shape_entry, radius) + ROW * sizeof(double),
               "a shape's numbers lie side by side");

/* Returns the reaches. */
static inline vd fill(carom_block_side *side, uint32_t n) {
    const double *row[CAROM_PAIRS];
    vd field[ROW];
    for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
        row[l] = &side->shape[n + l]->radius;
    }
    vd_load_rows(row, field);
    vd_store(side->radius + n, field[RADIUS]);
    for (int d = 0; d < 3; d++) {
        vd_store(side->extent[d] + n, field[EXTENT + d]);
    }
    return field[REACH];
}

void carom_shape_columns(carom_pair_block *block, uint32_t count) {
    for (uint32_t n = 0; n < count; n += CAROM_PAIRS) {
        const vd one = fill(&block->side[0], n);
        const vd other = fill(&block->side[1], n);
        const vd least = vd_min(one, other);
        const vdm has_reach = vd_lt(vd_set1(0.0), least);
        vd_store(block->reach + n, vd_select(has_reach, least, vd_max(one, other)));
    }
}
