/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/detect/direct/block_tmpl.h"

#include "kernel/check/assert.h"
#include "kernel/sys/memory.h"

/* Pairs that arrays have room for: the last vector is filled up. */
enum { PAIR_ROOM = CAROM_DIRECT_HITS + CAROM_SIMD_PAD };

uint64_t carom_direct_block_bytes(uint64_t room) {
    const uint64_t words = 7 * (room + CAROM_SIMD_PAD) + 2 * PAIR_ROOM;
    return (words * sizeof(uint32_t) + CAROM_CACHE_LINE - 1) / CAROM_CACHE_LINE * CAROM_CACHE_LINE;
}

void carom_direct_block_set(carom_direct_block *block, const carom_simd *simd, uint64_t room, carom_record *records,
                            void *memory) {
    CAROM_ASSERT(room % CAROM_SIMD_PAD == 0);
    const uint64_t stride = room + CAROM_SIMD_PAD;
    float *sides = memory;
    uint32_t *words = (uint32_t *)memory + 6 * stride;
    *block = (carom_direct_block){
        .simd = simd,
        .room = room,
        .records = records,
        .lo = {sides, sides + stride, sides + 2 * stride},
        .hi = {sides + 3 * stride, sides + 4 * stride, sides + 5 * stride},
        .size = words,
        .slot_i = words + stride,
        .slot_k = words + stride + PAIR_ROOM,
    };
}

/* Repeats the last pair until the last vector is full: what is left over would be decided one by one. Returns how many
 * pairs have been added. */
static uint32_t fill_vector(const carom_direct_block *block, uint32_t count) {
    const uint32_t lanes = block->simd->lanes;
    const uint32_t added = (lanes - count % lanes) % lanes;
    for (uint32_t n = count; n < count + added; n++) {
        block->slot_i[n] = block->slot_i[count - 1];
        block->slot_k[n] = block->slot_k[count - 1];
    }
    return added;
}

uint32_t carom_direct_block_touching(const carom_direct_block *block, uint32_t hits) {
    uint32_t *i = block->slot_i;
    uint32_t *k = block->slot_k;
    CAROM_ASSERT(hits <= CAROM_DIRECT_HITS);
    if (hits == 0) {
        return 0;
    }
    const uint32_t last_i = i[hits - 1];
    const uint32_t last_k = k[hits - 1];
    const uint32_t added = fill_vector(block, hits);
    const uint32_t touching = carom_kernels_of(block->simd)->touch(block->records, hits + added, i, k, i, k);
    const bool last = touching > 0 && i[touching - 1] == last_i && k[touching - 1] == last_k;
    return last ? touching - added : touching;
}

void carom_direct_block_contacts(const carom_direct_block *block, uint32_t count, bool all_touch,
                                 const carom_contacts *rows) {
    if (count > 0) {
        const uint32_t added = fill_vector(block, count);
        const carom_contact_in pairs = {block->records, 0, count + added, block->slot_i, block->slot_k, all_touch};
        carom_kernels_of(block->simd)->contact(&pairs, rows);
    }
}
