/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A tree over the boxes that pairs are listed by, in order of slots. In: the boxes. Out: the slots of those that a
 * given box overlaps. Slots follow the order in space, so sixteen consecutive ones share a small box around them. Boxes
 * only grow between rebuilds; nothing is ever moved. */
#ifndef CAROM_COHERENT_INDEX_H
#define CAROM_COHERENT_INDEX_H

#include "kernel/broad/box_tree.h"
#include "kernel/coherent/state.h"

typedef struct carom_coherent_index {
    uint64_t count;      /* slots */
    carom_box_tree tree; /* level 0: of each slot, what contains the fat box of the body in it */
} carom_coherent_index;

/* Bytes of an index, and an index in so many bytes of memory. */
uint64_t carom_coherent_index_bytes(uint64_t count);
carom_coherent_index carom_coherent_index_view(void *memory, uint64_t count);

/* The box of a slot. */
static inline void carom_coherent_index_put(const carom_coherent_index *index, uint64_t slot,
                                            const carom_slot_box *box) {
    carom_box_blocks_put(&index->tree.level[0], slot, box->lo, box->hi);
}
static inline carom_slot_box carom_coherent_index_get(const carom_coherent_index *index, uint64_t slot) {
    carom_slot_box box = {.lo = {0}};
    carom_box_blocks_get(&index->tree.level[0], slot, box.lo, box.hi);
    return box;
}

/* Fetches into the cache the boxes around that of a slot: most of what growing it reads. */
static inline __attribute__((always_inline)) void carom_coherent_index_prefetch(const carom_coherent_index *index,
                                                                                uint64_t slot) {
    for (uint32_t l = 0; l < index->tree.levels; l++, slot /= CAROM_BOX_TREE_WIDTH) {
        carom_box_blocks_prefetch(&index->tree.level[l], slot / CAROM_BOX_TREE_WIDTH * CAROM_BOX_TREE_WIDTH);
    }
}

/* Makes the tree once all slots have their boxes. */
void carom_coherent_index_build(const carom_team *team, const carom_coherent_index *index);
/* A box around all; there is at least one slot. */
carom_slot_box carom_coherent_index_all(const carom_coherent_index *index);
/* Whether some fat box is more than FLT_MAX / 4 from the centre. Relative to another centre, up to FLT_MAX / 2 away,
 * its body's box might then lie beyond the range of floats. There all boxes look alike, and no allowance for rounding
 * would be enough. Ask this of a new list only: a box that grows later still contains its old box, and so overlaps all
 * others that reach as far. */
bool carom_coherent_index_is_far(const carom_coherent_index *index);
/* Grows the fat box of `slot` to contain `box`. Writes the slots of the fat boxes that it overlaps now and did not
 * before, at most `capacity`. Returns how many there are; if they are more than capacity, nothing has grown. */
uint64_t carom_coherent_index_grow(const carom_coherent_index *index, const carom_simd *simd, uint32_t slot,
                                   const carom_slot_box *box, uint32_t *found, uint64_t capacity);

#endif
