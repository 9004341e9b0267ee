/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A block of pairs of posed shapes, in columns: value n of a column is of pair n. Vectors read and write past the last
 * pair: columns have room for that. */
#ifndef CAROM_SIMD_PAIR_BLOCK_H
#define CAROM_SIMD_PAIR_BLOCK_H

#include "simd/gap.h"
#include "simd/posed.h"

/* Vectors of floats read up to sixteen places past the last. */
enum { CAROM_BLOCK_PAIRS = 64, CAROM_BLOCK_ROOM = CAROM_BLOCK_PAIRS + 16 };

/* One body of each pair. */
typedef struct carom_block_side {
    const carom_shape_entry *shape[CAROM_BLOCK_ROOM]; /* no compounds */
    double extent[3][CAROM_BLOCK_ROOM];               /* of the shape */
    double radius[CAROM_BLOCK_ROOM];                  /* of the shape */
    double at[3][CAROM_BLOCK_ROOM];
    double turn[4][CAROM_BLOCK_ROOM]; /* quaternion x, y, z, w of length 0.5 to 2 */
} carom_block_side;

/* Pairs that follow each other and are of the same two kinds are a run. */
typedef struct carom_pair_block {
    carom_block_side side[2];           /* of the lower kind, of the other one */
    double origin[3][CAROM_BLOCK_ROOM]; /* what positions are relative to: the second body's of the caller */
    double reach[CAROM_BLOCK_ROOM];     /* of the smaller shape */

    /* The brackets. */
    double lower[CAROM_BLOCK_ROOM];
    double upper[CAROM_BLOCK_ROOM];
    double normal[3][CAROM_BLOCK_ROOM];
    double point_i[3][CAROM_BLOCK_ROOM]; /* relative to the origin */
    double point_k[3][CAROM_BLOCK_ROOM];
    double axis[CAROM_BLOCK_ROOM]; /* of two boxes (simd/ref/closed_boxes.h) */
    uint32_t iterations[CAROM_BLOCK_ROOM];
} carom_pair_block;

/* Body `side` of pair n. */
static inline void carom_block_posed(const carom_pair_block *block, int side, uint32_t n, carom_posed *posed) {
    const carom_block_side *from = &block->side[side];
    const double q[4] = {from->turn[0][n], from->turn[1][n], from->turn[2][n], from->turn[3][n]};
    posed->shape = from->shape[n];
    for (int d = 0; d < 3; d++) {
        posed->at[d] = from->at[d][n];
    }
    carom_pose_turn(q, posed->turn);
}

static inline void carom_block_set_bounds(carom_pair_block *block, uint32_t n, const carom_gap *gap) {
    block->lower[n] = gap->lower;
    block->upper[n] = gap->upper;
    block->iterations[n] = gap->iterations;
}

static inline void carom_block_set_gap(carom_pair_block *block, uint32_t n, const carom_gap *gap) {
    carom_block_set_bounds(block, n, gap);
    for (int d = 0; d < 3; d++) {
        block->normal[d][n] = gap->normal[d];
        block->point_i[d][n] = gap->point_i[d];
        block->point_k[d][n] = gap->point_k[d];
    }
}

static inline void carom_block_get_gap(const carom_pair_block *block, uint32_t n, carom_gap *gap) {
    gap->lower = block->lower[n];
    gap->upper = block->upper[n];
    gap->iterations = block->iterations[n];
    for (int d = 0; d < 3; d++) {
        gap->normal[d] = block->normal[d][n];
        gap->point_i[d] = block->point_i[d][n];
        gap->point_k[d] = block->point_k[d][n];
    }
}

#endif
