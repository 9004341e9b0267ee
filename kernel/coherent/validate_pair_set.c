/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include <stddef.h>

#include "kernel/coherent/pair_set.h"

const char *carom_pair_set_validate(const carom_pair_set *set, uint64_t count) {
    uint64_t keys = 0;
    for (uint64_t at = 0; at < set->size; at++) {
        const uint64_t key = atomic_load_explicit(&set->key[at], memory_order_relaxed);
        if (key != 0 && !carom_pair_set_has(set, key)) {
            return "a pair of the set cannot be found";
        }
        keys += key != 0;
    }
    return keys == count ? NULL : "the set has another number of pairs";
}
