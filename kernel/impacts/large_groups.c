/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: groups. Out: the large ones among them, those with the longest rows first: how long a giant's simulation takes,
 * and how many impacts it has, grows with its row. */
#include "kernel/impacts/large_groups.h"

#include "kernel/sort/list_sort.h"

/* The largest value of carom_row_size, and the bits of a key up to it. */
enum { SIZES = 64, SIZE_BITS = 7 };

/* Lists them, with as much room again to sort. False: there is no memory. */
static bool list_large(const carom_window *window, uint64_t begin, uint64_t end, carom_list *list) {
    const carom_active *active = carom_window_active(window);
    const uint32_t *root = window->dirty.buffer.data;
    bool done = true;
    list->count = 0;
    for (uint64_t n = begin; n < end && done; n++) {
        if (carom_large_groups_is_large(window, root[n])) {
            const uint8_t row = atomic_load_explicit(&active[root[n]].row, memory_order_relaxed);
            const uint64_t entry = (uint64_t)(SIZES - row) << 32 | n;
            done = carom_list_append(window->memory, list, &entry, sizeof entry);
        }
    }
    return done && carom_list_reserve(window->memory, list, list->count, sizeof(uint64_t));
}

carom_large_groups carom_large_groups_find(carom_window *window, uint32_t workers, uint64_t begin, uint64_t end) {
    carom_list *list = &window->sets.large;
    if (workers == 1 || window->rows->longs.count == 0 || !list_large(window, begin, end, list) || list->count == 0) {
        return (carom_large_groups){NULL, 0};
    }
    uint64_t *entry = list->buffer.data;
    return (carom_large_groups){carom_list_sort_packed(entry, entry + list->count, list->count, SIZE_BITS),
                                list->count};
}
