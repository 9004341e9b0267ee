/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/coherent/list.h"

#include <string.h>

#include "kernel/check/assert.h"

/* How many pairs ahead the slots of their bodies are fetched. */
enum { AHEAD = 16 };

/* Words of touching bits; workers' shares are multiples of it, so a short list is that of one worker. */
enum { GRAIN = 64 };

/* Pairs that touched, on their way from the list to SAVED. */
typedef struct saving {
    const carom_team *team;
    carom_coherent_list list;
    uint32_t *saved;                   /* bodies */
    uint64_t count[CAROM_THREADS_MAX]; /* pairs of each worker's words */
} saving;

static void count_listed(void *data, uint32_t worker) {
    saving *s = data;
    uint64_t count = 0;
    carom_walk walk = carom_team_walk(s->team, worker, s->list.words, GRAIN);
    walk.step = CAROM_COHERENT_WORDS;
    while (carom_walk_next(&walk)) {
        for (uint64_t w = walk.begin; w < walk.end; w++) {
            count += (uint64_t)__builtin_popcountll(s->list.before[w]);
        }
    }
    s->count[worker] = count;
}

static void save_listed(void *data, uint32_t worker) {
    const saving *s = data;
    uint32_t *saved = s->saved;
    for (uint32_t before = 0; before < worker; before++) {
        saved += 2 * s->count[before];
    }
    carom_walk walk = carom_team_walk(s->team, worker, s->list.words, GRAIN);
    walk.step = CAROM_COHERENT_WORDS;
    while (carom_walk_next(&walk)) {
        for (uint64_t w = walk.begin; w < walk.end; w++) {
            for (uint64_t bits = s->list.before[w]; bits != 0;) {
                const uint64_t n = carom_coherent_take_pair(&bits, w);
                *saved++ = s->list.body[s->list.i[n]];
                *saved++ = s->list.body[s->list.k[n]];
            }
        }
    }
}

/* Pairs of the step before: on the list, or in the set that a cold step made. 0 if the call is to stop. */
static uint64_t count_before(const carom_coherent *state, saving *s) {
    uint64_t count = 0;
    if (state->cold.in_set) {
        return state->cold.pairs;
    }
    carom_team_run(s->team, count_listed, s);
    for (uint32_t w = 0; w < s->team->workers && !carom_team_stopped(s->team); w++) {
        count += s->count[w];
    }
    return count;
}

carom_status carom_coherent_list_save(carom_coherent *state, uint64_t *required) {
    saving s = {.team = &state->context->team, .list = carom_coherent_list_of(state)};
    const uint64_t count = count_before(state, &s);
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
    s.saved = (uint32_t *)carom_coherent_data(state, CAROM_COHERENT_SAVED) + 2 * kept;
    if (state->cold.in_set) {
        const carom_pair_set set = carom_coherent_set(state, CAROM_COHERENT_SET_BEFORE, state->cold.places);
        const carom_pair_set none = {NULL, 0};
        carom_pair_set_difference(s.team, &set, &none, s.saved, s.saved + 1, 2);
    } else if (!carom_team_stopped(s.team)) {
        carom_team_run(s.team, save_listed, &s);
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
fetch_ahead(const carom_coherent *state, const carom_coherent_list *list, const uint32_t *saved, uint64_t n,
            uint64_t end) {
    for (uint64_t side = 0; side < 2; side++) {
        if (n + 2 * AHEAD < end && saved[2 * (n + 2 * AHEAD) + side] < state->count) {
            __builtin_prefetch(&list->slot[saved[2 * (n + 2 * AHEAD) + side]]);
        }
        if (n + AHEAD < end && saved[2 * (n + AHEAD) + side] < state->count) {
            __builtin_prefetch(&list->start[list->slot[saved[2 * (n + AHEAD) + side]]]);
        }
    }
}

/* Saved pairs on their way to a new list. */
typedef struct restoring {
    const carom_coherent *state;
    carom_coherent_list list;
    uint32_t *saved;                   /* bodies */
    uint64_t ended[CAROM_THREADS_MAX]; /* pairs of each worker's share that are not on the list: moved to its front */
} restoring;

/* Bits of one word may belong to pairs of several workers. */
static void set_bit(uint64_t *words, uint64_t n) {
    __atomic_fetch_or(&words[n / 64], UINT64_C(1) << n % 64, __ATOMIC_RELAXED);
}

static void restore_share(void *data, uint32_t worker) {
    restoring *r = data;
    const carom_team *team = &r->state->context->team;
    const uint64_t pairs = r->state->list.saved;
    const uint64_t begin = carom_team_range(team, worker, pairs, 1).begin;
    uint64_t at = begin;
    carom_walk walk = carom_team_walk(team, worker, pairs, 1);
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin; n < walk.end; n++) {
            fetch_ahead(r->state, &r->list, r->saved, n, walk.end);
            const uint32_t i = r->saved[2 * n];
            const uint32_t k = r->saved[2 * n + 1];
            const uint64_t listed = find_pair(&r->list, r->state->count, i, k);
            if (listed != UINT64_MAX) {
                set_bit(r->list.before, listed);
                continue;
            }
            r->saved[2 * at] = i;
            r->saved[2 * at + 1] = k;
            at++;
        }
    }
    r->ended[worker] = at - begin;
}

/* Closes the gaps between the workers' pairs. Returns how many there are. */
static uint64_t join_ended(const restoring *r) {
    const carom_team *team = &r->state->context->team;
    uint64_t ended = 0;
    for (uint32_t w = 0; w < team->workers; w++) {
        const uint64_t begin = carom_team_range(team, w, r->state->list.saved, 1).begin;
        memmove(r->saved + 2 * ended, r->saved + 2 * begin, 2 * r->ended[w] * sizeof *r->saved);
        ended += r->ended[w];
    }
    return ended;
}

void carom_coherent_list_restore(carom_coherent *state) {
    restoring r = {.state = state,
                   .list = carom_coherent_list_of(state),
                   .saved = carom_coherent_data(state, CAROM_COHERENT_SAVED)};
    CAROM_ASSERT(state->list.ordered == state->list.pairs);
    carom_team_run(&state->context->team, restore_share, &r);
    state->list.saved_ended = join_ended(&r);
    state->list.saved = 0;
}
