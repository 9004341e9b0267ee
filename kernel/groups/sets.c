/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/groups/sets.h"

#include <string.h>

#include "kernel/check/assert.h"

void carom_sets_init(uint32_t *parent, uint32_t count) {
    for (uint32_t n = 0; n < count; n++) {
        parent[n] = n;
    }
}

/* Halves the path on the way. */
static inline uint32_t root_of(uint32_t *parent, uint32_t n) {
    while (parent[n] != n) {
        parent[n] = parent[parent[n]];
        n = parent[n];
    }
    return n;
}

void carom_sets_unite(uint32_t *parent, uint32_t count, const uint32_t *a, const uint32_t *b) {
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t first = root_of(parent, a[n]);
        const uint32_t second = root_of(parent, b[n]);
        const uint32_t root = first < second ? first : second;
        parent[first] = root;
        parent[second] = root;
    }
}

/* A parent is before its child, so it points at the root already. */
carom_set_counts carom_sets_label(uint32_t *parent, uint32_t begin, uint32_t end, uint32_t *size) {
    carom_set_counts counts = {0, 0};
    memset(size, 0, (end - begin) * sizeof *size);
    for (uint32_t n = begin; n < end; n++) {
        const uint32_t root = parent[parent[n]];
        CAROM_ASSERT(root >= begin && root <= n);
        parent[n] = root;
        const uint32_t members = ++size[root - begin];
        counts.groups += members == 2;
        counts.largest = members > counts.largest ? members : counts.largest;
    }
    counts.largest = counts.groups > 0 ? counts.largest : 0;
    return counts;
}
