/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Posed shapes of pairs of a block, in vectors: columns that become structs. */
#include <stddef.h>

#include "simd/check.h"
#include "simd/declare.h"
#include "simd/gather_lanes.h"

#define carom_pose_pairs CAROM_KERNEL_OF(pose_pairs)

/* Positions and rotations are twelve numbers side by side: eight are transposed at once, and then the last eight. */
enum { NUMBERS = 12 };

_Static_assert(offsetof(carom_posed, turn) == offsetof(carom_posed, at) + 3 * sizeof(double) &&
                   sizeof(((carom_posed *)NULL)->turn) == 9 * sizeof(double),
               "numbers lie side by side");

static inline void store(const vd number[NUMBERS], carom_posed *const to[CAROM_PAIRS]) {
    for (int begin = 0; begin <= NUMBERS - 8; begin += NUMBERS - 8) {
        double *row[CAROM_PAIRS];
        for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
            row[l] = to[l]->at + begin;
        }
        vd_store_rows(row, number + begin);
    }
}

void carom_pose_pairs(const carom_pair_block *block, uint32_t side, const uint32_t *place, uint32_t count,
                      carom_posed *posed) {
    CAROM_ASSERT(count <= CAROM_BLOCK_PAIRS && carom_check_slots(place, 0, count, CAROM_BLOCK_PAIRS));
    const carom_block_side *from = &block->side[side];
    uint32_t list[CAROM_BLOCK_ROOM];
    carom_lanes_list(place, count, list);
    for (uint32_t n = 0; n < count; n += CAROM_PAIRS) {
        const carom_lanes_at at = carom_lanes_at_of(block, list + n);
        carom_posed spare;
        carom_posed *to[CAROM_PAIRS];
        vd q[4];
        vd number[NUMBERS];
        vd turn[3][3];
        for (int d = 0; d < 4; d++) {
            q[d] = carom_lanes_gather(from->turn[d], &at);
        }
        carom_lanes_gather_vector(from->at, &at, number);
        carom_lanes_turn(q, turn);
        for (int e = 0; e < 9; e++) {
            number[3 + e] = turn[e / 3][e % 3];
        }
        for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
            to[l] = n + l < count ? &posed[n + l] : &spare;
            to[l]->shape = from->shape[list[n + l]];
        }
        store(number, to);
    }
}
