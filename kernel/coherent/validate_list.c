/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/coherent/validate_list.h"

#include <stdlib.h>

static int compare_keys(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a;
    const uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Each pair by itself. */
static const char *check_pairs(const carom_coherent *state, const carom_coherent_list *list) {
    for (uint64_t n = 0; n < state->list.pairs; n++) {
        if (list->i[n] >= state->count) {
            return "a pair on the list has a slot that does not exist";
        }
        if (list->k[n] >= list->i[n]) {
            return "a pair on the list does not have its larger slot first";
        }
        if (!carom_coherent_is_listed(list, list->i[n], list->k[n])) {
            return "a pair on the list is one of two images, or of a body and its own image";
        }
    }
    return NULL;
}

/* The pairs of each slot lie between its start and the next one, so the ordered part ascends. */
static const char *check_starts(const carom_coherent *state, const carom_coherent_list *list) {
    if (list->start[0] != 0 || list->start[state->count] != state->list.ordered) {
        return "the list starts do not span the ordered part of the list";
    }
    for (uint64_t s = 0; s < state->count; s++) {
        if (list->start[s] > list->start[s + 1]) {
            return "the list starts do not ascend";
        }
    }
    for (uint64_t s = 0; s < state->count; s++) {
        for (uint64_t n = list->start[s]; n < list->start[s + 1]; n++) {
            if (list->i[n] != s) {
                return "a pair in the ordered part of the list lies under another slot";
            }
        }
    }
    return NULL;
}

/* Sorts keys of all pairs in memory that the caller's limit does not count. Without memory it checks nothing. */
static const char *check_repeats(const carom_coherent *state, const carom_coherent_list *list) {
    const uint64_t pairs = state->list.pairs;
    const char *reason = NULL;
    carom_memory memory;
    carom_memory_init(&memory, NULL, 0);
    uint64_t *key = carom_memory_allocate(&memory, pairs * sizeof *key);
    if (key == NULL) {
        return NULL;
    }
    for (uint64_t n = 0; n < pairs; n++) {
        key[n] = (uint64_t)list->i[n] << 32 | list->k[n];
    }
    qsort(key, pairs, sizeof *key, compare_keys);
    for (uint64_t n = 1; n < pairs; n++) {
        reason = key[n] == key[n - 1] ? "a pair is on the list twice" : reason;
    }
    carom_memory_release(&memory, key, pairs * sizeof *key);
    return reason;
}

const char *carom_coherent_list_validate(const carom_coherent *state) {
    const carom_coherent_list list = carom_coherent_list_of(state);
    if (state->list.ordered > state->list.pairs || state->list.pairs > state->list.capacity) {
        return "the list has more pairs than places, or more ordered pairs than pairs";
    }
    const char *reason = check_pairs(state, &list);
    reason = reason == NULL ? check_starts(state, &list) : reason;
    return reason == NULL ? check_repeats(state, &list) : reason;
}

/* Whether a bit at or beyond `pairs` is set in the first `words`. */
static bool is_beyond(const uint64_t *bits, uint64_t pairs, uint64_t words) {
    bool any = pairs % 64 != 0 && bits[pairs / 64] >> pairs % 64 != 0;
    for (uint64_t w = (pairs + 63) / 64; w < words; w++) {
        any = any || bits[w] != 0;
    }
    return any;
}

const char *carom_coherent_touching_validate(const carom_coherent *state) {
    const carom_coherent_list list = carom_coherent_list_of(state);
    const uint64_t words = carom_coherent_touching_bytes(state) / sizeof(uint64_t);
    if (is_beyond(list.touching, state->list.pairs, words) || is_beyond(list.before, state->list.pairs, words)) {
        return "a touching bit is set beyond the last pair of the list";
    }
    return NULL;
}
