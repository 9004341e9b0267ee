/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A tree over boxes that are in an order of space: a node is the box around sixteen boxes, or nodes, that follow one
 * another. In: the boxes. Out: which of them a box overlaps. */
#ifndef CAROM_BROAD_BOX_TREE_H
#define CAROM_BROAD_BOX_TREE_H

#include "kernel/sys/team.h"
#include "simd/dispatch.h"

/* 16^8 is the number of bodies that there may be. */
enum { CAROM_BOX_TREE_WIDTH = 16, CAROM_BOX_TREE_LEVELS = 9 };

/* Boxes in blocks of sixteen, which a search reads as a whole: six sides, lo before hi, sixteen values each. Boxes of
 * NaN, which overlap nothing, fill the last block. */
typedef struct carom_box_blocks {
    uint64_t count;
    float *block;
} carom_box_blocks;

/* Where a side of a box is: 0 to 2 of lo, 3 to 5 of hi. */
static inline float *carom_box_blocks_side(const carom_box_blocks *boxes, uint64_t n, int side) {
    return boxes->block + n / CAROM_BOX_TREE_WIDTH * (6 * CAROM_BOX_TREE_WIDTH) + side * CAROM_BOX_TREE_WIDTH +
           n % CAROM_BOX_TREE_WIDTH;
}

static inline void carom_box_blocks_put(const carom_box_blocks *boxes, uint64_t n, const float lo[3],
                                        const float hi[3]) {
    for (int a = 0; a < 3; a++) {
        *carom_box_blocks_side(boxes, n, a) = lo[a];
        *carom_box_blocks_side(boxes, n, 3 + a) = hi[a];
    }
}

static inline void carom_box_blocks_get(const carom_box_blocks *boxes, uint64_t n, float lo[3], float hi[3]) {
    for (int a = 0; a < 3; a++) {
        lo[a] = *carom_box_blocks_side(boxes, n, a);
        hi[a] = *carom_box_blocks_side(boxes, n, 3 + a);
    }
}

/* Fetches the sixteen boxes from `first` on into the cache. */
static inline __attribute__((always_inline)) void carom_box_blocks_prefetch(const carom_box_blocks *boxes,
                                                                            uint64_t first) {
    for (int side = 0; side < 6; side++) {
        __builtin_prefetch(carom_box_blocks_side(boxes, first, side));
    }
}

/* Which of the sixteen boxes from `first`, a multiple of sixteen, on have a point in common with the box of corners
 * `low` and `high`: a bit each. */
static inline uint32_t carom_box_blocks_meet(const carom_box_blocks *boxes, const carom_simd *simd, uint64_t first,
                                             const float low[3], const float high[3]) {
    const float *lo[3];
    const float *hi[3];
    for (int a = 0; a < 3; a++) {
        lo[a] = carom_box_blocks_side(boxes, first, a);
        hi[a] = carom_box_blocks_side(boxes, first, 3 + a);
    }
    return simd->sixteen_boxes(lo, hi, low, high);
}

typedef struct carom_box_tree {
    uint32_t levels;                               /* at least 1; the last has at most sixteen boxes */
    carom_box_blocks level[CAROM_BOX_TREE_LEVELS]; /* level 0 has the boxes that are searched for */
} carom_box_tree;

/* Bytes of a tree over `count` boxes, at least 1, and such a tree in memory of that size. Its boxes are not set. */
uint64_t carom_box_tree_bytes(uint64_t count);
carom_box_tree carom_box_tree_view(void *memory, uint64_t count);

/* Makes the nodes, once the boxes of level 0 are set. May leave them unmade if the call is to stop. */
void carom_box_tree_build(const carom_team *team, const carom_box_tree *tree);

/* Widens box n of level 0, and the nodes over it, to hold the box of corners `low` and `high`. */
void carom_box_tree_widen(const carom_box_tree *tree, uint64_t n, const float low[3], const float high[3]);

/* Takes boxes of level 0 that are met: a bit for each of the sixteen from `first` on, at least one of them set. */
typedef void carom_box_tree_take(void *data, uint64_t first, uint32_t met);

/* Hands over, in ascending order, the boxes that have a point in common with the box of corners `low` and `high`. */
void carom_box_tree_walk(const carom_box_tree *tree, const carom_simd *simd, const float low[3], const float high[3],
                         carom_box_tree_take *take, void *data);

/* Finds the boxes that have a point in common with the box of corners `low` and `high`, in ascending order. Writes
 * their numbers to `found`, unless it is NULL. Returns how many there are. */
uint64_t carom_box_tree_find(const carom_box_tree *tree, const carom_simd *simd, const float low[3],
                             const float high[3], uint32_t *found);

#endif
