/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A set of pairs of bodies. In: pairs, from several workers at once. Out: whether a pair is in it. The set is an
 * ordered hash table: along the way that a search takes, keys fall. So every set has one layout, whoever inserted what
 * first, and the order of its pairs is the same for every number of workers.
 *
 * Sources: ordered hash tables after Amble and Knuth (1974); concurrent insertion after Shun and Blelloch (2014). */
#ifndef CAROM_COHERENT_PAIR_SET_H
#define CAROM_COHERENT_PAIR_SET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernel/sys/mix.h"
#include "kernel/sys/team.h"

/* A pair as a number: the lower body in the high half. No pair is 0, which marks a free place. */
static inline uint64_t carom_pair_key(uint32_t a, uint32_t b) {
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

typedef struct carom_pair_set {
    _Atomic uint64_t *key; /* `size` places */
    uint64_t size;         /* more than there are keys, at most 2^32; 0: no set */
} carom_pair_set;

/* Least places beyond those that pairs need. */
enum { CAROM_PAIR_SET_LEAST = 64 };

/* Places of a set of so many pairs, at most 2^32 - 2: twice as many, so that ways are short. */
uint64_t carom_pair_set_size(uint64_t pairs);

/* Where the search for a key begins. */
static inline uint64_t carom_pair_set_home(const carom_pair_set *set, uint64_t key) {
    return (carom_mix64(key) >> 32) * set->size >> 32;
}

/* Whether the key is in the set. Not while others insert. */
static inline bool carom_pair_set_has(const carom_pair_set *set, uint64_t key) {
    if (set->size == 0) {
        return false;
    }
    uint64_t at = carom_pair_set_home(set, key);
    uint64_t there = atomic_load_explicit(&set->key[at], memory_order_relaxed);
    while (there > key) {
        at = at + 1 < set->size ? at + 1 : 0;
        there = atomic_load_explicit(&set->key[at], memory_order_relaxed);
    }
    return there == key;
}

/* Empties places [begin, end). */
void carom_pair_set_clear(const carom_pair_set *set, uint64_t begin, uint64_t end);

/* Inserts the pairs i[n], k[n]. `alone`: no other worker inserts at the same time. A pair may come more than once. */
void carom_pair_set_insert(const carom_pair_set *set, uint64_t count, const uint32_t *i, const uint32_t *k, bool alone);

/* Writes the pairs that `set` has and `other` has not, in the order of their places: the lower bodies to i, the higher
 * to k, from one another `stride` apart. Returns how many there are. */
uint64_t carom_pair_set_difference(const carom_team *team, const carom_pair_set *set, const carom_pair_set *other,
                                   uint32_t *i, uint32_t *k, uint64_t stride);

/* Checked builds, while nobody inserts: every key can be found, and there are `count`. Returns NULL or what is wrong.
 */
const char *carom_pair_set_validate(const carom_pair_set *set, uint64_t count);

#endif
