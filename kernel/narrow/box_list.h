/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Places of pairs of boxes that go through a kernel together. Those whose axis is a face's normal come first, so that
 * the others fill vectors of their own, which take less time. */
#ifndef CAROM_NARROW_BOX_LIST_H
#define CAROM_NARROW_BOX_LIST_H

#include <string.h>

#include "simd/pair_block.h"
#include "simd/ref/closed_boxes.h"

typedef struct carom_box_list {
    uint32_t faces;
    uint32_t edges;
    uint32_t place[CAROM_BLOCK_PAIRS]; /* faces from the front, edges from the back */
} carom_box_list;

/* Without a branch: which it is is as good as random. There is room for the place, of which it may take either end. */
static inline void carom_box_list_add(const carom_pair_block *block, uint32_t place, carom_box_list *list) {
    const uint32_t forth = (uint32_t)block->axis[place] % CAROM_CLOSED_BOXES_BACK;
    const uint32_t is_face = forth < CAROM_CLOSED_BOXES_EDGES;
    list->place[list->faces] = place;
    list->place[CAROM_BLOCK_PAIRS - 1 - list->edges] = place;
    list->faces += is_face;
    list->edges += is_face ^ 1;
}

/* The places, side by side. Returns how many there are. */
static inline uint32_t carom_box_list_close(carom_box_list *list) {
    memmove(list->place + list->faces, list->place + CAROM_BLOCK_PAIRS - list->edges,
            list->edges * sizeof list->place[0]);
    return list->faces + list->edges;
}

/* All places of a set. */
static inline uint32_t carom_box_list_make(const carom_pair_block *block, uint64_t set, carom_box_list *list) {
    list->faces = 0;
    list->edges = 0;
    for (uint64_t rest = set; rest != 0; rest &= rest - 1) {
        carom_box_list_add(block, (uint32_t)__builtin_ctzll(rest), list);
    }
    return carom_box_list_close(list);
}

#endif
