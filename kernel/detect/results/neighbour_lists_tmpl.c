/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/detect/results/neighbour_lists_tmpl.h"

#include "kernel/sort/list_sort.h"

/* Lists of middling length go to a kernel, which takes them unless a neighbour is there twice. */
static void sort_list(const carom_neighbour_lists *lists, uint64_t begin, uint64_t count) {
    uint32_t *body = lists->body + begin;
    uint64_t *pair = lists->pair + begin;
    const bool middling = count > CAROM_LIST_SORT_FEW && count <= CAROM_RANK_MOST;
    if (!middling || !lists->job->context->simd->rank_sort(body, pair, (uint32_t)count)) {
        carom_list_sort(body, pair, count, lists->body_bits);
    }
}

void carom_neighbour_lists_sort(const carom_neighbour_lists *lists, uint64_t first, uint64_t last, uint64_t begin) {
    for (uint64_t body = first; body < last; body++) {
        const uint64_t end = lists->offset[body + 1];
        if (end - begin > 1) { /* without entries there may be no arrays */
            sort_list(lists, begin, end - begin);
        }
        begin = end;
    }
}
