/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A bounding volume hierarchy of two levels. In: the boxes that pairs are listed by, in order of slots. Out: the slots
 * of the boxes that a given box overlaps. Slots follow the order in space, so consecutive ones share a block with a
 * small box around it, and consecutive blocks a super-block. Boxes only grow between rebuilds; nothing is ever moved.
 */
#ifndef CAROM_COHERENT_INDEX_H
#define CAROM_COHERENT_INDEX_H

#include "kernel/coherent/state.h"

typedef struct carom_coherent_index {
    uint64_t count;          /* slots */
    carom_slot_box *fat_box; /* of each slot: contains the fat box of the body in it */
    carom_slot_box *block;   /* around CAROM_INDEX_BLOCK fat boxes each */
    carom_slot_box *super;   /* around CAROM_INDEX_BLOCK blocks each */
} carom_coherent_index;

enum { CAROM_INDEX_BLOCK = 32 };

/* Boxes on the next level. */
static inline uint64_t carom_coherent_index_blocks(uint64_t boxes) {
    return (boxes + CAROM_INDEX_BLOCK - 1) / CAROM_INDEX_BLOCK;
}

/* Bytes of an index, and an index in so many bytes of memory. */
uint64_t carom_coherent_index_bytes(uint64_t count);
carom_coherent_index carom_coherent_index_view(void *memory, uint64_t count);
/* Fills block and super from fat_box. */
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
uint64_t carom_coherent_index_grow(const carom_coherent_index *index, uint32_t slot, const carom_slot_box *box,
                                   uint32_t *found, uint64_t capacity);

#endif
