/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Groups that take as long as many others together: those of giants among dust. Of the groups of a stage workers take
 * them before all others, one at a time and the largest first. A worker that began one last would keep all others
 * waiting. */
#ifndef CAROM_IMPACTS_LARGE_GROUPS_H
#define CAROM_IMPACTS_LARGE_GROUPS_H

#include "kernel/impacts/window.h"

/* Whether a root's group is large: a member's row has some eight times as many entries as make a row long. */
static inline bool carom_large_groups_is_large(const carom_window *window, uint32_t root) {
    const uint8_t row = atomic_load_explicit(&carom_window_active(window)[root].row, memory_order_relaxed);
    return row > 3 && row - 3 >= 64 - __builtin_clzll(window->rows->long_above | 1);
}

/* Places in window->dirty of large groups, in the order in which workers take them. */
typedef struct carom_large_groups {
    uint64_t *at; /* the lower 32 bits: the place */
    uint64_t count;
} carom_large_groups;

/* The large groups among [begin, end) of window->dirty. None if there is no memory to list them, or if one worker takes
 * all groups. The list is good until the next call. */
carom_large_groups carom_large_groups_find(carom_window *window, uint32_t workers, uint64_t begin, uint64_t end);

#endif
