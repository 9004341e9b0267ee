/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A tree over boxes that lie in memory in the order of space, more or less: each node holds sixteen that follow one
 * another, of boxes or of nodes. It finds the boxes that something meets. Their order decides how fast, not what. */
#ifndef CAROM_IMPACTS_TREE_H
#define CAROM_IMPACTS_TREE_H

#include "kernel/impacts/boxes.h"
#include "kernel/sys/memory.h"
#include "kernel/sys/team.h"
#include "simd/dispatch.h"

enum { CAROM_TREE_WIDTH = 16, CAROM_TREE_LEVELS = 9 };

typedef struct carom_tree {
    uint32_t count;                    /* boxes */
    uint32_t levels;                   /* of nodes; the last has one */
    uint32_t nodes[CAROM_TREE_LEVELS]; /* of each level */
    const carom_box_array *leaves;     /* the boxes, with room for a multiple of sixteen */
    carom_box_array level[CAROM_TREE_LEVELS];
    carom_buffer buffer;
} carom_tree;

/* Boxes that there must be room for where `count` go into a tree. */
static inline uint64_t carom_tree_room(uint64_t count) {
    return (count + CAROM_TREE_WIDTH - 1) / CAROM_TREE_WIDTH * CAROM_TREE_WIDTH;
}

/* Builds the tree over leaves [0, count). It fills the room after them with boxes that meet nothing. The leaves must
 * stay where they are. Errors: MEMORY. */
carom_status carom_tree_build(carom_tree *tree, carom_memory *memory, const carom_team *team,
                              const carom_box_array *leaves, uint32_t count);

/* A leaf has been widened: widens the nodes above it. */
void carom_tree_widen(const carom_tree *tree, uint32_t leaf);

/* Fetches into the cache what a search around a leaf reads first. */
static inline __attribute__((always_inline)) void carom_tree_ahead(const carom_tree *tree, uint32_t leaf) {
    const carom_box_array *boxes = tree->leaves;
    uint32_t first = leaf;
    for (uint32_t l = 0; l < 2 && l < tree->levels; l++) {
        first = first / CAROM_TREE_WIDTH * CAROM_TREE_WIDTH;
        for (int a = 0; a < 3; a++) {
            __builtin_prefetch(boxes->lo[a] + first);
            __builtin_prefetch(boxes->hi[a] + first);
        }
        first /= CAROM_TREE_WIDTH;
        boxes = &tree->level[l];
    }
}

/* Whether something meets a box; it meets all boxes that hold one that it meets. */
typedef bool carom_tree_meets(const void *shape, const carom_box *box);

/* Takes a leaf that is met. */
typedef void carom_tree_take(void *data, uint32_t leaf);

/* Finds the leaves that a box meets. */
void carom_tree_find(const carom_tree *tree, const carom_simd *simd, const carom_box *box, carom_tree_take *take,
                     void *data);

/* Finds the leaves that a shape meets. */
void carom_tree_find_shape(const carom_tree *tree, carom_tree_meets *meets, const void *shape, carom_tree_take *take,
                           void *data);

void carom_tree_release(carom_tree *tree, carom_memory *memory);

#endif
