/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Why relaxed atomic operations are enough. An element is a root until one successful compare-and-swap gives it its
 * first parent, a smaller element, and is never a root again; these first links form the forest F. Every value ever
 * stored in parent[x] afterwards was read from the entry of an F-ancestor of x, so it is an F-ancestor of x itself.
 * Hence:
 *   - A stale read yields an older ancestor, which costs a step and never a wrong set: x leads to the same root
 *     by any of the values parent[x] has held, because F only grows.
 *   - A link can only be made on the newest value (a compare-and-swap reads it), so no link is lost.
 *   - Parents are smaller than children, whatever the interleaving, so every walk ends.
 *   - Two elements with a common ancestor are in one set, however old the view.
 * No other memory is published through the array. The barrier after a parallel stage makes all unions visible to those
 * who read the labels. */
#include "kernel/groups/union_find.h"

#include <stdbool.h>

#include "kernel/check/assert.h"

/* Entries are prefetched this many pairs ahead, so that a pair's two cache misses overlap with the work on others. 8 to
 * 32 measured alike. */
enum { PREFETCH_PAIRS = 16 };

static inline uint32_t load(const carom_union_find_parent *parent, uint32_t x) {
    return atomic_load_explicit(&parent[x], memory_order_relaxed);
}

static inline void store(carom_union_find_parent *parent, uint32_t x, uint32_t value) {
    atomic_store_explicit(&parent[x], value, memory_order_relaxed);
}

static inline bool swap_if(carom_union_find_parent *parent, uint32_t x, uint32_t expected, uint32_t value) {
    return atomic_compare_exchange_strong_explicit(&parent[x], &expected, value, memory_order_relaxed,
                                                   memory_order_relaxed);
}

void carom_union_find_init(carom_union_find_parent *parent, uint64_t begin, uint64_t end) {
    uint32_t *plain = (uint32_t *)parent; /* plain stores become vector code */
    for (uint64_t x = begin; x < end; x++) {
        plain[x] = (uint32_t)x;
    }
}

/* Halving by compare-and-swap, not by a store: another thread may just have flattened x, and an older ancestor must
 * not replace the root. */
uint32_t carom_union_find_root(carom_union_find_parent *parent, uint32_t x) {
    for (;;) {
        const uint32_t up = load(parent, x);
        const uint32_t upper = load(parent, up);
        CAROM_ASSERT(upper <= up && up <= x);
        if (upper == up) {
            return up;
        }
        swap_if(parent, x, up, upper);
        x = upper;
    }
}

/* Both paths are climbed together, always the one whose parent is larger (Rem's order): it stops where they
 * meet, not at the root, and when it reaches a root that root is the larger one, the one to be linked. Here
 * halving is a plain store: it can at worst undo another thread's halving, and saves a locked instruction. */
static inline uint32_t unite(carom_union_find_parent *parent, uint32_t a, uint32_t b) {
    for (;;) {
        const uint32_t above_a = load(parent, a);
        const uint32_t above_b = load(parent, b);
        if (above_a == above_b) {
            return 0;
        }
        /* Nothing predicts which one is larger, so a branch would often be mispredicted: they are exchanged by masks.
         */
        const uint32_t exchange = 0 - (uint32_t)(above_a < above_b);
        const uint32_t both = (above_a ^ above_b) & exchange;
        const uint32_t above = above_a ^ both;
        const uint32_t other = above_b ^ both;
        const uint32_t side = (a ^ b) & exchange;
        a ^= side;
        b ^= side;
        CAROM_ASSERT(other < above && above <= a);
        if (above == a) {
            /* b's root is at most `other` < a, so a root a is in another set than b at this instant. */
            if (swap_if(parent, a, a, other)) {
                return 1;
            }
        } else {
            const uint32_t upper = load(parent, above);
            if (upper != above) {
                store(parent, a, upper);
            }
            a = upper;
        }
    }
}

/* The same while no other thread unites any. Both paths are climbed to their roots, of which the greater is linked to
 * the lesser, and both elements point there, too. Nothing predicts which root is the lesser, nor whether the two
 * differ, so neither is a branch. */
static inline void unite_alone(carom_union_find_parent *parent, uint32_t a, uint32_t b) {
    uint32_t root_a = load(parent, a);
    uint32_t root_b = load(parent, b);
    uint32_t next_a = load(parent, root_a);
    uint32_t next_b = load(parent, root_b);
    while (((next_a ^ root_a) | (next_b ^ root_b)) != 0) {
        root_a = next_a;
        root_b = next_b;
        next_a = load(parent, root_a);
        next_b = load(parent, root_b);
    }
    const uint32_t root = root_a < root_b ? root_a : root_b;
    store(parent, root_a, root);
    store(parent, root_b, root);
    store(parent, a, root);
    store(parent, b, root);
}

uint32_t carom_union_find_unite(carom_union_find_parent *parent, uint32_t a, uint32_t b) {
    return unite(parent, a, b);
}

void carom_union_find_unite_alone(carom_union_find_parent *parent, uint32_t a, uint32_t b) {
    unite_alone(parent, a, b);
}

void carom_union_find_unite_pairs(carom_union_find_parent *parent, uint64_t count, const uint32_t *a,
                                  const uint32_t *b) {
    uint64_t n = 0;
    for (; n + PREFETCH_PAIRS < count; n++) {
        __builtin_prefetch((const void *)&parent[a[n + PREFETCH_PAIRS]]);
        __builtin_prefetch((const void *)&parent[b[n + PREFETCH_PAIRS]]);
        unite(parent, a[n], b[n]);
    }
    for (; n < count; n++) {
        unite(parent, a[n], b[n]);
    }
}

void carom_union_find_unite_pairs_alone(carom_union_find_parent *parent, uint64_t count, const uint32_t *a,
                                        const uint32_t *b) {
    uint64_t n = 0;
    for (; n + PREFETCH_PAIRS < count; n++) {
        __builtin_prefetch((const void *)&parent[a[n + PREFETCH_PAIRS]]);
        __builtin_prefetch((const void *)&parent[b[n + PREFETCH_PAIRS]]);
        unite_alone(parent, a[n], b[n]);
    }
    for (; n < count; n++) {
        unite_alone(parent, a[n], b[n]);
    }
}

void carom_union_find_flatten(carom_union_find_parent *parent, uint64_t begin, uint64_t end) {
    for (uint64_t x = begin; x < end; x++) {
        store(parent, (uint32_t)x, carom_union_find_root(parent, (uint32_t)x));
    }
}
