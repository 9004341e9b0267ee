/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/coherent/index.h"

#include <float.h>

#include "kernel/check/assert.h"

uint64_t carom_coherent_index_bytes(uint64_t count) {
    return carom_box_tree_bytes(count);
}

carom_coherent_index carom_coherent_index_view(void *memory, uint64_t count) {
    return (carom_coherent_index){.count = count, .tree = carom_box_tree_view(memory, count)};
}

/* Grows `into` to contain `box`. */
static void include(carom_slot_box *into, const carom_slot_box *box) {
    for (int n = 0; n < 3; n++) {
        into->lo[n] = box->lo[n] < into->lo[n] ? box->lo[n] : into->lo[n];
        into->hi[n] = box->hi[n] > into->hi[n] ? box->hi[n] : into->hi[n];
    }
}

void carom_coherent_index_build(const carom_team *team, const carom_coherent_index *index) {
    carom_box_tree_build(team, &index->tree);
}

carom_slot_box carom_coherent_index_all(const carom_coherent_index *index) {
    const carom_box_blocks *top = &index->tree.level[index->tree.levels - 1];
    CAROM_ASSERT(index->count > 0);
    carom_slot_box all = {.lo = {0}};
    carom_box_blocks_get(top, 0, all.lo, all.hi);
    for (uint64_t n = 1; n < top->count; n++) {
        carom_slot_box box = {.lo = {0}};
        carom_box_blocks_get(top, n, box.lo, box.hi);
        include(&all, &box);
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
    const carom_simd *simd;
    uint32_t slot;
    carom_slot_box before; /* of the slot */
    uint32_t *found;
    uint64_t capacity; /* of found */
    uint64_t count;    /* all that were found, also those beyond capacity */
} query;

/* A box that overlapped before is on the list with the slot already. */
static void take_slots(void *data, uint64_t first, uint32_t met) {
    query *q = data;
    met &= ~carom_box_blocks_meet(&q->index->tree.level[0], q->simd, first, q->before.lo, q->before.hi);
    for (; met != 0; met &= met - 1) {
        const uint32_t slot = (uint32_t)first + (uint32_t)__builtin_ctz(met);
        if (slot == q->slot) {
            continue;
        }
        if (q->count < q->capacity) {
            q->found[q->count] = slot;
        }
        q->count++;
    }
}

uint64_t carom_coherent_index_grow(const carom_coherent_index *index, const carom_simd *simd, uint32_t slot,
                                   const carom_slot_box *box, uint32_t *found, uint64_t capacity) {
    CAROM_ASSERT(slot < index->count);
    CAROM_ASSERT(found != NULL || capacity == 0);
    /* The search comes first: if there are too many, the box must stay as it was. */
    query q = {index, simd, slot, carom_coherent_index_get(index, slot), found, capacity, 0};
    carom_slot_box now = q.before;
    include(&now, box);
    carom_box_tree_walk(&index->tree, simd, now.lo, now.hi, take_slots, &q);
    if (q.count <= capacity) {
        carom_box_tree_widen(&index->tree, slot, now.lo, now.hi);
    }
    return q.count;
}
