/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: pairs that were found, and rows. Out: the pairs that the rows do not have. */
#include "kernel/impacts/known.h"

#include "kernel/sort/list_sort.h"

static uint64_t key_of(uint32_t other, uint32_t image) {
    return (uint64_t)other << 32 | image;
}

/* Where the key is among `count` in order; `count`: nowhere. */
static uint64_t find(const uint64_t *key, uint64_t count, uint64_t wanted) {
    uint64_t begin = 0;
    for (uint64_t end = count; begin < end;) {
        const uint64_t middle = begin + (end - begin) / 2;
        if (key[middle] < wanted) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return begin < count && key[begin] == wanted ? begin : count;
}

/* Marks with NONE those of the pairs [0, count) of body a, whose keys are in order, that its row has. */
static void mark_known(const carom_impacts_rows *rows, uint32_t a, uint32_t *mark, const uint64_t *key,
                       uint64_t count) {
    carom_row_walk row = carom_row_begin(rows, a);
    while (carom_row_next(rows, &row)) {
        const uint64_t n = find(key, count, key_of(row.other, row.image));
        if (n < count) {
            mark[n] = CAROM_IMPACTS_NONE;
        }
    }
}

bool carom_known_drop(const carom_impacts_rows *rows, carom_memory *memory, carom_list *found, carom_buffer *room) {
    const uint64_t count = found->count;
    if (count == 0) {
        return true;
    }
    if (carom_buffer_reserve(memory, room, count * (sizeof(uint64_t) + sizeof(uint32_t))) != CAROM_OK) {
        return false;
    }
    carom_contact_pair *pair = found->buffer.data;
    uint64_t *key = room->data;
    uint32_t *a = (uint32_t *)(void *)(key + count);
    for (uint64_t n = 0; n < count; n++) {
        a[n] = pair[n].a;
        key[n] = key_of(pair[n].other, pair[n].image);
    }
    carom_list_sort(a, key, count, 32);
    found->count = 0;
    for (uint64_t begin = 0, end = 0; begin < count; begin = end) {
        const uint32_t slot = a[begin];
        while (end < count && a[end] == slot) {
            end++;
        }
        mark_known(rows, slot, a + begin, key + begin, end - begin);
        for (uint64_t n = begin; n < end; n++) {
            pair[found->count] = (carom_contact_pair){slot, (uint32_t)(key[n] >> 32), (uint32_t)key[n]};
            found->count += a[n] != CAROM_IMPACTS_NONE;
        }
    }
    return true;
}
