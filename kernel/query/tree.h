/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A tree over boxes that are in an order of space: a node is the box around sixteen boxes, or nodes, that follow one
 * another. In: the boxes. Out: which of them a box overlaps. */
#ifndef CAROM_QUERY_TREE_H
#define CAROM_QUERY_TREE_H

#include "kernel/sys/team.h"
#include "simd/dispatch.h"

/* 16^8 is the number of bodies that there may be. */
enum { CAROM_QUERY_WIDTH = 16, CAROM_QUERY_LEVELS = 9 };

/* Boxes in blocks of sixteen, which a search reads as a whole: six sides, lo before hi, sixteen values each. Boxes of
 * NaN, which overlap nothing, fill the last block. */
typedef struct carom_query_boxes {
    uint64_t count;
    float *block;
} carom_query_boxes;

/* Where a side of a box is: 0 to 2 of lo, 3 to 5 of hi. */
static inline float *carom_query_boxes_side(const carom_query_boxes *boxes, uint64_t n, int side) {
    return boxes->block + n / CAROM_QUERY_WIDTH * (6 * CAROM_QUERY_WIDTH) + side * CAROM_QUERY_WIDTH +
           n % CAROM_QUERY_WIDTH;
}

static inline void carom_query_boxes_put(const carom_query_boxes *boxes, uint64_t n, const float lo[3],
                                         const float hi[3]) {
    for (int a = 0; a < 3; a++) {
        *carom_query_boxes_side(boxes, n, a) = lo[a];
        *carom_query_boxes_side(boxes, n, 3 + a) = hi[a];
    }
}

typedef struct carom_query_tree {
    uint32_t levels;                             /* at least 1; the last has at most sixteen boxes */
    carom_query_boxes level[CAROM_QUERY_LEVELS]; /* level 0 has the boxes that are searched for */
} carom_query_tree;

/* Bytes of a tree over `count` boxes, at least 1, and such a tree in memory of that size. Its boxes are not set. */
uint64_t carom_query_tree_bytes(uint64_t count);
carom_query_tree carom_query_tree_view(void *memory, uint64_t count);

/* Makes the nodes, once the boxes of level 0 are set. May leave them unmade if the call is to stop. */
void carom_query_tree_build(const carom_team *team, const carom_query_tree *tree);

/* Finds the boxes that have a point in common with the box of corners `low` and `high`, in ascending order. Writes
 * their numbers to `found`, unless it is NULL. Returns how many there are. */
uint64_t carom_query_tree_find(const carom_query_tree *tree, const carom_simd *simd, const float low[3],
                               const float high[3], uint32_t *found);

#endif
