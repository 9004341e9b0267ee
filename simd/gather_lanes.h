/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Pairs that lie anywhere in a block, brought into lanes and back. */
#ifndef CAROM_SIMD_GATHER_LANES_H
#define CAROM_SIMD_GATHER_LANES_H

#include <stddef.h>

#include "simd/pose_lanes.h"

/* All lanes. */
enum { CAROM_LANES_ALL = (1 << CAROM_PAIRS) - 1 };

/* Copies a list of places, at most CAROM_BLOCK_PAIRS; its last vector is filled by repeating the last place. */
static inline void carom_lanes_list(const uint32_t *place, uint32_t count, uint32_t list[CAROM_BLOCK_ROOM]) {
    for (uint32_t n = 0; n < count; n++) {
        list[n] = place[n];
    }
    for (uint32_t n = count; n < CAROM_BLOCK_ROOM; n++) {
        list[n] = count > 0 ? place[count - 1] : 0;
    }
}

/* The pairs of a vector: where each has its value of the block's first column. Those of other columns are as far from
 * there in all pairs. */
typedef struct carom_lanes_at {
    const char *pair[CAROM_PAIRS];
    const char *block;
} carom_lanes_at;

static inline carom_lanes_at carom_lanes_at_of(const carom_pair_block *block, const uint32_t *list) {
    carom_lanes_at at = {.block = (const char *)block};
    for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
        at.pair[l] = at.block + list[l] * sizeof(double);
    }
    return at;
}

static inline vd carom_lanes_gather(const double *values, const carom_lanes_at *at) {
    const ptrdiff_t offset = (const char *)values - at->block;
    const double *from[CAROM_PAIRS];
    for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
        from[l] = (const double *)(const void *)(at->pair[l] + offset);
    }
    return vd_load_each(from);
}

static inline void carom_lanes_gather_vector(const double (*values)[CAROM_BLOCK_ROOM], const carom_lanes_at *at,
                                             vd v[3]) {
    for (int d = 0; d < 3; d++) {
        v[d] = carom_lanes_gather(values[d], at);
    }
}

static inline void carom_lanes_scatter_vector(const vd v[3], const uint32_t *list, double (*values)[CAROM_BLOCK_ROOM]) {
    for (int d = 0; d < 3; d++) {
        double lane[CAROM_PAIRS];
        vd_store(lane, v[d]);
        for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
            values[d][list[l]] = lane[l];
        }
    }
}

/* carom_lanes_pose. Of boxes: they have no radius. */
static inline void carom_lanes_gather_box(const carom_block_side *side, const carom_lanes_at *at,
                                          carom_pose_lanes *pose) {
    vd q[4];
    for (int d = 0; d < 4; d++) {
        q[d] = carom_lanes_gather(side->turn[d], at);
    }
    carom_lanes_gather_vector(side->at, at, pose->at);
    carom_lanes_gather_vector(side->extent, at, pose->extent);
    carom_lanes_turn(q, pose->turn);
}

static inline void carom_lanes_choose(vdm of_a, const carom_pose_lanes *a, const carom_pose_lanes *b,
                                      carom_pose_lanes *chosen) {
    for (int d = 0; d < 3; d++) {
        chosen->at[d] = vd_select(of_a, a->at[d], b->at[d]);
        chosen->extent[d] = vd_select(of_a, a->extent[d], b->extent[d]);
        for (int c = 0; c < 3; c++) {
            chosen->turn[d][c] = vd_select(of_a, a->turn[d][c], b->turn[d][c]);
        }
    }
}

#endif
