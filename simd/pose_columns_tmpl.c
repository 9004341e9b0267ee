/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Poses of pairs, in vectors: rows that become columns. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/pair_block.h"
#include "simd/real.h"
#include "simd/vector_lanes.h"

#define carom_pose_columns CAROM_KERNEL(pose_columns)

/* A row's numbers: a position, what is no number, a quaternion. */
enum { AT = 0, TURN = 4, ROW = 8 };

static inline void load(const carom_real *rows, const uint32_t *one, const uint32_t *other, vd field[2][ROW]) {
#if CAROM_REAL_BITS == 32
    vf both[ROW];
    vf_rows_of_two(rows, one, other, both);
    for (int f = 0; f < ROW; f++) {
        field[0][f] = vd_from_low(both[f]);
        field[1][f] = vd_from_high(both[f]);
    }
#else
    vd_rows_f64(rows, one, field[0]);
    vd_rows_f64(rows, other, field[1]);
#endif
}

void carom_pose_columns(const carom_real *rows, const uint32_t *const pose[2], uint32_t count,
                        carom_pair_block *block) {
    for (uint32_t n = 0; n < count; n += CAROM_PAIRS) {
        vd field[2][ROW];
        load(rows, pose[0] + n, pose[1] + n, field);
        for (int s = 0; s < 2; s++) {
            carom_block_side *side = &block->side[s];
            for (int d = 0; d < 3; d++) {
                vd_store(side->at[d] + n, field[s][AT + d]);
            }
            for (int d = 0; d < 4; d++) {
                vd_store(side->turn[d] + n, field[s][TURN + d]);
            }
        }
    }
}
