/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a union-find that no thread changes any more. Out: NULL, or what is wrong with it. Parents that are never larger
 * than their children make every walk end at a root. O(elements). */
#include <stddef.h>

#include "kernel/groups/union_find.h"

const char *carom_union_find_validate(const carom_union_find_parent *parent, uint64_t count) {
    for (uint64_t x = 0; x < count; x++) {
        const uint32_t up = atomic_load_explicit(&parent[x], memory_order_relaxed);
        if (up >= count) {
            return "a parent is out of range";
        }
        if (up > x) {
            return "a parent is larger than its child";
        }
    }
    return NULL;
}
