/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Fat boxes in order of slots, in blocks with a box around each, and blocks of blocks: to find the fat boxes that one
 * overlaps.
 */
#ifndef CAROM_COHERENT_INDEX_H
#define CAROM_COHERENT_INDEX_H

#include "kernel/coherent/state.h"

typedef struct carom_coherent_index {
    uint64_t count;
    carom_slot_box *fat_box;
    carom_slot_box *block; /* around CAROM_INDEX_BLOCK fat boxes */
    carom_slot_box *super; /* around as many blocks */
} carom_coherent_index;

enum { CAROM_INDEX_BLOCK = 32 };

uint64_t carom_coherent_index_bytes(uint64_t count);
carom_coherent_index carom_coherent_index_view(void *block, uint64_t count);
/* Fills block and super from the fat boxes. */
void carom_coherent_index_build(const carom_coherent_index *index);
/* A box around all fat boxes. */
carom_slot_box carom_coherent_index_all(const carom_coherent_index *index);
/* Whether some fat box is so far from its centre that another one, up to FLT_MAX / 2 away, might have boxes in it
 * beyond floats' range: there all look alike, and no room would be enough. To be asked of a new list only: a fat box
 * that grows to there still holds where it was, and so overlaps all others that do. */
bool carom_coherent_index_is_far(const carom_coherent_index *index);
/* Grows the fat box of `slot` to hold `box` too, and writes the slots of the fat boxes that it overlaps now and did
 * not before, at most `capacity`. Returns how many there are; if more than capacity nothing is changed. */
uint64_t carom_coherent_index_grow(const carom_coherent_index *index, uint32_t slot, const carom_slot_box *box,
                                   uint32_t *found, uint64_t capacity);

#endif
