/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/coherent/list.h"

#include <string.h>

#include "kernel/check/assert.h"

/* How many pairs ahead the slots of their bodies are fetched. */
enum { AHEAD = 16 };

/* Slots of the pairs, the larger in `high`; adds to count[s] the pairs whose larger slot is s. */
static void translate(const carom_coherent *state, uint64_t pairs, const uint32_t *i, const uint32_t *k, uint32_t *high,
                      uint32_t *low, uint32_t *count) {
    const uint32_t *slot = carom_coherent_data(state, CAROM_COHERENT_SLOT);
    carom_walk walk = carom_team_walk_alone(&state->context->team, pairs);
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin, end = walk.end; n < end; n++) {
            if (n + AHEAD < pairs) {
                __builtin_prefetch(&slot[i[n + AHEAD]]);
                __builtin_prefetch(&slot[k[n + AHEAD]]);
            }
            uint32_t a = slot[i[n]];
            uint32_t b = slot[k[n]];
            high[n] = a > b ? a : b;
            low[n] = a > b ? b : a;
            count[high[n]]++;
        }
    }
}

/* start[s + 1], the number of pairs of s and all before it, becomes where those of s begin. */
static void add_up(const carom_coherent *state, uint32_t *start) {
    carom_walk walk = carom_team_walk_alone(&state->context->team, state->count);
    while (carom_walk_next(&walk)) {
        for (uint64_t s = walk.begin, end = walk.end; s < end; s++) {
            start[s + 1] += start[s];
        }
    }
}

/* Counts of s were added to start[s + 2], one further than usual, so that no second array is needed: start[s + 1] is
 * where the pairs of s begin, and becomes where they end. */
static void place(const carom_coherent *state, const carom_coherent_list *list, uint64_t pairs, const uint32_t *high,
                  const uint32_t *low) {
    carom_walk walk = carom_team_walk_alone(&state->context->team, pairs);
    walk.step = CAROM_WALK_SCATTERED;
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin, end = walk.end; n < end; n++) {
            uint32_t at = list->start[high[n] + 1]++;
            list->i[at] = high[n];
            list->k[at] = low[n];
        }
    }
}

static void clear_starts(const carom_coherent *state, uint32_t *start) {
    carom_walk walk = carom_team_walk_alone(&state->context->team, state->count + 2);
    while (carom_walk_next(&walk)) {
        memset(start + walk.begin, 0, (walk.end - walk.begin) * sizeof *start);
    }
}

/* A counting sort by the larger slot. It is stable, so the list's order follows from the order of i and k. Once the
 * call is to stop, the passes that are left do nothing. */
void carom_coherent_list_build(carom_coherent *state, uint64_t pairs, const uint32_t *i, const uint32_t *k,
                               uint32_t *high, uint32_t *low) {
    const carom_coherent_list list = carom_coherent_list_of(state);
    CAROM_ASSERT(pairs <= state->list.capacity && state->list.capacity < UINT32_MAX);
    CAROM_ASSERT(pairs == 0 || (i != NULL && k != NULL && high != NULL && low != NULL));
    clear_starts(state, list.start);
    translate(state, pairs, i, k, high, low, list.start + 2);
    add_up(state, list.start);
    place(state, &list, pairs, high, low);
    state->list.pairs = pairs;
    state->list.ordered = pairs;
}

/* Pairs of the step before: on the list, or in the set that a cold step made. */
static uint64_t count_before(const carom_coherent *state, const carom_coherent_list *list) {
    if (state->cold.in_set) {
        return state->cold.pairs;
    }
    uint64_t count = 0;
    for (uint64_t w = 0; w < list->words; w++) {
        count += (uint64_t)__builtin_popcountll(list->before[w]);
    }
    return count;
}

static void save_listed(const carom_team *team, const carom_coherent_list *list, uint32_t *saved) {
    carom_walk walk = carom_team_walk_alone(team, list->words);
    walk.step = CAROM_COHERENT_WORDS;
    while (carom_walk_next(&walk)) {
        for (uint64_t w = walk.begin; w < walk.end; w++) {
            for (uint64_t bits = list->before[w]; bits != 0;) {
                uint64_t n = carom_coherent_take_pair(&bits, w);
                *saved++ = list->body[list->i[n]];
                *saved++ = list->body[list->k[n]];
            }
        }
    }
}

carom_status carom_coherent_list_save(carom_coherent *state, uint64_t *required) {
    const carom_coherent_list list = carom_coherent_list_of(state);
    const uint64_t count = count_before(state, &list);
    /* A step that failed may have found pairs that had ended, and told nobody: these stay in front. */
    const uint64_t pair = 2 * sizeof(uint32_t);
    const uint64_t kept = state->list.saved_ended;
    carom_memory *memory = &state->context->memory;
    carom_status status =
        carom_buffer_grow(memory, &state->buffer[CAROM_COHERENT_SAVED], (kept + count + 1) * pair, kept * pair);
    if (status != CAROM_OK) {
        *required = carom_size_add(memory->held, (kept + count + 1) * pair);
        return status;
    }
    uint32_t *saved = (uint32_t *)carom_coherent_data(state, CAROM_COHERENT_SAVED) + 2 * kept;
    if (state->cold.in_set) {
        const carom_pair_set set = carom_coherent_set(state, CAROM_COHERENT_SET_BEFORE, state->cold.places);
        const carom_pair_set none = {NULL, 0};
        carom_pair_set_difference(&state->context->team, &set, &none, saved, saved + 1, 2);
    } else {
        save_listed(&state->context->team, &list, saved);
    }
    state->list.saved = kept + count;
    state->list.saved_ended = 0;
    state->cold.in_set = false;
    if (memory->limit != 0) {
        carom_coherent_release_cold(state); /* a limit need not be enough for a list beside it */
    }
    return CAROM_OK;
}

/* Where the pair of two bodies is on a list that has only its ordered part, or UINT64_MAX. A body of the step before
 * may not exist any more. */
static uint64_t find_pair(const carom_coherent_list *list, uint64_t bodies, uint32_t i, uint32_t k) {
    if (i >= bodies || k >= bodies) {
        return UINT64_MAX;
    }
    uint32_t high = list->slot[i] > list->slot[k] ? list->slot[i] : list->slot[k];
    uint32_t low = list->slot[i] > list->slot[k] ? list->slot[k] : list->slot[i];
    for (uint64_t n = list->start[high]; n < list->start[high + 1]; n++) {
        if (list->k[n] == low) {
            return n;
        }
    }
    return UINT64_MAX;
}

/* What find_pair will read: the slots of the bodies of a pair, then where the pairs of either slot begin. */
static inline __attribute__((always_inline)) void
fetch_ahead(const carom_coherent *state, const carom_coherent_list *list, const uint32_t *saved, uint64_t n) {
    for (uint64_t side = 0; side < 2; side++) {
        if (n + 2 * AHEAD < state->list.saved && saved[2 * (n + 2 * AHEAD) + side] < state->count) {
            __builtin_prefetch(&list->slot[saved[2 * (n + 2 * AHEAD) + side]]);
        }
        if (n + AHEAD < state->list.saved && saved[2 * (n + AHEAD) + side] < state->count) {
            __builtin_prefetch(&list->start[list->slot[saved[2 * (n + AHEAD) + side]]]);
        }
    }
}

void carom_coherent_list_restore(carom_coherent *state) {
    const carom_coherent_list list = carom_coherent_list_of(state);
    uint32_t *saved = carom_coherent_data(state, CAROM_COHERENT_SAVED);
    uint64_t ended = 0;
    CAROM_ASSERT(state->list.ordered == state->list.pairs);
    carom_walk walk = carom_team_walk_alone(&state->context->team, state->list.saved);
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin; n < walk.end; n++) {
            fetch_ahead(state, &list, saved, n);
            uint64_t at = find_pair(&list, state->count, saved[2 * n], saved[2 * n + 1]);
            if (at != UINT64_MAX) {
                list.before[at / 64] |= UINT64_C(1) << at % 64;
                continue;
            }
            saved[2 * ended] = saved[2 * n];
            saved[2 * ended + 1] = saved[2 * n + 1];
            ended++;
        }
    }
    state->list.saved = 0;
    state->list.saved_ended = ended;
}
