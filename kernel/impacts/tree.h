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

enum { CAROM_TREE_WIDTH = CAROM_CHILDREN, CAROM_TREE_LEVELS = 9 };

typedef struct carom_tree {
    uint32_t count;                    /* boxes */
    uint32_t levels;                   /* of nodes; the last has one */
    uint32_t nodes[CAROM_TREE_LEVELS]; /* of each level */
    carom_hull_box *leaves;            /* the boxes, with room for a multiple of sixteen */
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
                              carom_hull_box *leaves, uint32_t count);

/* A leaf has been widened: widens the nodes above it. */
void carom_tree_widen(const carom_tree *tree, uint32_t leaf);

/* Fetches into the cache what is read when a leaf has been widened. */
static inline __attribute__((always_inline)) void carom_tree_ahead(const carom_tree *tree, uint32_t leaf) {
    __builtin_prefetch(&tree->leaves[leaf]);
    for (int a = 0; a < 3; a++) {
        __builtin_prefetch(&tree->level[0].lo[a][leaf / CAROM_TREE_WIDTH]);
        __builtin_prefetch(&tree->level[0].hi[a][leaf / CAROM_TREE_WIDTH]);
    }
}

/* Whether something meets a box; it meets all boxes that hold one that it meets. */
typedef bool carom_tree_meets(const void *shape, const carom_box *box);

/* Takes a leaf that is met. */
typedef void carom_tree_take(void *data, uint32_t leaf);

/* What to look for. */
typedef struct carom_tree_boxes {
    const carom_box *box;
    const carom_box *known;        /* a box each: leaves that it meets count only if marked; NULL: all count */
    const uint64_t *marks; /* a bit for each leaf, which nobody changes meanwhile */
    uint32_t count;
} carom_tree_boxes;

/* Boxes, and nodes or leaves that they meet. */
typedef struct carom_tree_hits {
    uint64_t count;
    carom_buffer box; /* of uint32_t */
    carom_buffer node;
} carom_tree_hits;

/* A search's result, and what it needs to be used again. Zero-initialise before the first use. */
typedef struct carom_tree_search {
    carom_tree_hits leaf; /* those that boxes meet */
    carom_tree_hits spare;
} carom_tree_search;

/* Finds the leaves that each box meets. All boxes go down the tree level by level, so that what is read next can be
 * fetched. False if there is no memory. */
bool carom_tree_find(const carom_tree *tree, carom_memory *memory, const carom_simd *simd,
                     const carom_tree_boxes *boxes, carom_tree_search *search);

void carom_tree_search_release(carom_tree_search *search, carom_memory *memory);

/* Finds the leaves that a shape meets. */
void carom_tree_find_shape(const carom_tree *tree, carom_tree_meets *meets, const void *shape, carom_tree_take *take,
                           void *data);

void carom_tree_release(carom_tree *tree, carom_memory *memory);

#endif
