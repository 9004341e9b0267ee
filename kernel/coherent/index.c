/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/coherent/index.h"

#include <float.h>

#include "kernel/check/assert.h"

uint64_t carom_coherent_index_bytes(uint64_t count) {
    uint64_t blocks = carom_coherent_index_blocks(count);
    return (count + CAROM_SIMD_PAD + blocks + carom_coherent_index_blocks(blocks)) * sizeof(carom_slot_box);
}

carom_coherent_index carom_coherent_index_view(void *memory, uint64_t count) {
    carom_coherent_index index = {.count = count, .fat_box = memory};
    index.block = index.fat_box + count + CAROM_SIMD_PAD;
    index.super = index.block + carom_coherent_index_blocks(count);
    return index;
}

/* Bits in place of branches: which comparison fails cannot be predicted. A NaN counts as apart. */
static bool overlap(const carom_slot_box *a, const carom_slot_box *b) {
    uint32_t apart = 0;
    for (int n = 0; n < 3; n++) {
        apart |= (uint32_t) !(a->lo[n] <= b->hi[n]) | (uint32_t) !(b->lo[n] <= a->hi[n]);
    }
    return apart == 0;
}

/* Grows `into` to contain `box`. */
static void include(carom_slot_box *into, const carom_slot_box *box) {
    for (int n = 0; n < 3; n++) {
        into->lo[n] = box->lo[n] < into->lo[n] ? box->lo[n] : into->lo[n];
        into->hi[n] = box->hi[n] > into->hi[n] ? box->hi[n] : into->hi[n];
    }
}

/* Makes the boxes of the next level. */
static void wrap(const carom_team *team, const carom_slot_box *box, uint64_t count, carom_slot_box *around) {
    carom_walk walk = carom_team_walk_alone(team, count);
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin, end = walk.end; n < end; n++) {
            if (n % CAROM_INDEX_BLOCK == 0) {
                around[n / CAROM_INDEX_BLOCK] = box[n];
            } else {
                include(&around[n / CAROM_INDEX_BLOCK], &box[n]);
            }
        }
    }
}

void carom_coherent_index_build(const carom_team *team, const carom_coherent_index *index) {
    wrap(team, index->fat_box, index->count, index->block);
    wrap(team, index->block, carom_coherent_index_blocks(index->count), index->super);
}

carom_slot_box carom_coherent_index_all(const carom_coherent_index *index) {
    const uint64_t supers = carom_coherent_index_blocks(carom_coherent_index_blocks(index->count));
    CAROM_ASSERT(index->count > 0);
    carom_slot_box all = index->super[0];
    for (uint64_t s = 1; s < supers; s++) {
        include(&all, &index->super[s]);
    }
    return all;
}

bool carom_coherent_index_is_far(const carom_coherent_index *index) {
    static const float most = FLT_MAX / 4;
    const carom_slot_box all = carom_coherent_index_all(index);
    bool near = true;
    for (int n = 0; n < 3; n++) {
        near = near && all.lo[n] >= -most && all.hi[n] <= most;
    }
    return !near;
}

/* A search for the boxes that have come to overlap one. */
typedef struct query {
    const carom_coherent_index *index;
    const carom_slot_box *before; /* the box of `slot`, */
    const carom_slot_box *now;    /* and what it has grown to */
    uint32_t slot;
    uint32_t *found;
    uint64_t capacity; /* of found */
    uint64_t count;    /* all that were found, also those beyond capacity */
} query;

/* A box that overlapped before is on the list with the slot already. */
static void search_block(query *q, uint64_t block) {
    uint64_t end = (block + 1) * CAROM_INDEX_BLOCK;
    end = end < q->index->count ? end : q->index->count;
    for (uint64_t n = block * CAROM_INDEX_BLOCK; n < end; n++) {
        const carom_slot_box *fat_box = &q->index->fat_box[n];
        if (overlap(fat_box, q->now) && !overlap(fat_box, q->before) && n != q->slot) {
            if (q->count < q->capacity) {
                q->found[q->count] = (uint32_t)n;
            }
            q->count++;
        }
    }
}

/* Super-blocks in turn, then the blocks of those that overlap. A third level would save little: escapes are rare. */
static void search(query *q) {
    uint64_t blocks = carom_coherent_index_blocks(q->index->count);
    uint64_t supers = carom_coherent_index_blocks(blocks);
    for (uint64_t s = 0; s < supers; s++) {
        if (!overlap(&q->index->super[s], q->now)) {
            continue;
        }
        uint64_t end = (s + 1) * CAROM_INDEX_BLOCK;
        for (uint64_t b = s * CAROM_INDEX_BLOCK; b < end && b < blocks; b++) {
            if (overlap(&q->index->block[b], q->now)) {
                search_block(q, b);
            }
        }
    }
}

uint64_t carom_coherent_index_grow(const carom_coherent_index *index, uint32_t slot, const carom_slot_box *box,
                                   uint32_t *found, uint64_t capacity) {
    CAROM_ASSERT(slot < index->count);
    CAROM_ASSERT(found != NULL || capacity == 0);
    /* The search comes first: if there are too many, the box must stay as it was. */
    const carom_slot_box before = index->fat_box[slot];
    carom_slot_box now = before;
    include(&now, box);
    query q = {index, &before, &now, slot, found, capacity, 0};
    search(&q);
    if (q.count <= capacity) {
        index->fat_box[slot] = now;
        include(&index->block[slot / CAROM_INDEX_BLOCK], &now);
        include(&index->super[slot / CAROM_INDEX_BLOCK / CAROM_INDEX_BLOCK], &now);
    }
    return q.count;
}
