/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/coherent/pair_set.h"

#include "kernel/check/assert.h"

/* How many pairs ahead their places are fetched. */
enum { AHEAD = 24 };

uint64_t carom_pair_set_size(uint64_t pairs) {
    const uint64_t size = 2 * pairs + CAROM_PAIR_SET_LEAST;
    CAROM_ASSERT(pairs < UINT32_MAX);
    return size < UINT64_C(1) << 32 ? size : UINT64_C(1) << 32;
}

void carom_pair_set_clear(const carom_pair_set *set, uint64_t begin, uint64_t end) {
    CAROM_ASSERT(begin <= end && end <= set->size);
    for (uint64_t at = begin; at < end; at++) {
        atomic_store_explicit(&set->key[at], 0, memory_order_relaxed);
    }
}

/* Puts the key before the first lesser one, which then goes on in its place. The cheaper store is enough for a worker
 * who is alone. */
static inline void insert(const carom_pair_set *set, uint64_t key, bool alone) {
    uint64_t at = carom_pair_set_home(set, key);
    while (key != 0) {
        uint64_t there = atomic_load_explicit(&set->key[at], memory_order_relaxed);
        if (there == key) {
            return;
        }
        if (there > key) {
            at = at + 1 < set->size ? at + 1 : 0;
            continue;
        }
        if (alone) {
            atomic_store_explicit(&set->key[at], key, memory_order_relaxed);
        } else if (!atomic_compare_exchange_weak_explicit(&set->key[at], &there, key, memory_order_relaxed,
                                                          memory_order_relaxed)) {
            continue;
        }
        key = there;
        at = at + 1 < set->size ? at + 1 : 0;
    }
}

void carom_pair_set_insert(const carom_pair_set *set, uint64_t count, const uint32_t *i, const uint32_t *k,
                           bool alone) {
    for (uint64_t n = 0; n < count; n++) {
        if (n + AHEAD < count) {
            const uint64_t next = carom_pair_key(i[n + AHEAD], k[n + AHEAD]);
            __builtin_prefetch((const void *)&set->key[carom_pair_set_home(set, next)], 1);
        }
        insert(set, carom_pair_key(i[n], k[n]), alone);
    }
}

uint64_t carom_pair_set_difference(const carom_team *team, const carom_pair_set *set, const carom_pair_set *other,
                                   uint32_t *i, uint32_t *k, uint64_t stride) {
    uint64_t count = 0;
    carom_walk walk = carom_team_walk_alone(team, set->size);
    while (carom_walk_next(&walk)) {
        for (uint64_t at = walk.begin, end = walk.end; at < end; at++) {
            const uint64_t key = atomic_load_explicit(&set->key[at], memory_order_relaxed);
            if (key != 0 && !carom_pair_set_has(other, key)) {
                i[count * stride] = (uint32_t)(key >> 32);
                k[count * stride] = (uint32_t)key;
                count++;
            }
        }
    }
    return count;
}
