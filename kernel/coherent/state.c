/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/coherent/state.h"

#include <string.h>

#include "kernel/check/assert.h"

/* A buffer that has become too small gets more than it needs, as the next list may be longer still. Without a limit
 * only: it might need that memory elsewhere. */
static void grow_more(carom_memory *memory, carom_buffer *buffer, uint64_t bytes) {
    if (buffer->bytes > 0 && buffer->bytes < bytes && memory->limit == 0) {
        (void)carom_buffer_reserve(memory, buffer, carom_context_more(bytes));
    }
}

/* Goes on after a failure, to sum up what is missing for all. */
carom_status carom_coherent_reserve(carom_coherent *state, const carom_coherent_need *need, uint32_t count,
                                    uint64_t *required) {
    CAROM_ASSERT(need != NULL && count <= CAROM_COHERENT_BUFFERS);
    carom_memory *memory = &state->context->memory;
    carom_status status = CAROM_OK;
    uint64_t missing = 0;
    for (uint32_t n = 0; n < count; n++) {
        carom_buffer *buffer = &state->buffer[need[n].which];
        if (status == CAROM_OK) {
            grow_more(memory, buffer, need[n].bytes);
            status = carom_buffer_reserve(memory, buffer, need[n].bytes);
        }
        if (status != CAROM_OK && buffer->bytes < need[n].bytes) {
            missing = carom_size_add(missing, need[n].bytes - buffer->bytes);
        }
    }
    if (status != CAROM_OK) {
        *required = carom_size_add(memory->held, missing);
    }
    return status;
}

/* Pairs that a list may grow by between rebuilds: a share, and a least number. */
enum { GROWTH_SHARE = 8, GROWTH_LEAST = 1024 };

uint64_t carom_coherent_room(uint64_t pairs) {
    return carom_size_add(carom_size_add(pairs, pairs / GROWTH_SHARE), GROWTH_LEAST);
}

/* Buffers that a step fills before it builds a list. */
static bool is_placed(int which) {
    return which == CAROM_COHERENT_PLACED || which == CAROM_COHERENT_WRAP || which == CAROM_COHERENT_IMAGE ||
           which == CAROM_COHERENT_IMAGE_BY;
}

void carom_coherent_release_list(carom_coherent *state) {
    for (int n = 0; n < CAROM_COHERENT_BUFFERS; n++) {
        const bool kept = n == CAROM_COHERENT_SET_BEFORE && state->cold.in_set;
        if (n != CAROM_COHERENT_EXTENDED && n != CAROM_COHERENT_SAVED && !kept && !is_placed(n)) {
            carom_buffer_release(&state->context->memory, &state->buffer[n]);
        }
    }
}

void carom_coherent_release_placed(carom_coherent *state) {
    for (int n = 0; n < CAROM_COHERENT_BUFFERS; n++) {
        if (is_placed(n)) {
            carom_buffer_release(&state->context->memory, &state->buffer[n]);
        }
    }
}

void carom_coherent_release_cold(carom_coherent *state) {
    carom_memory *memory = &state->context->memory;
    carom_chunk_pool_release(&state->cold.logged, memory);
    carom_buffer_release(memory, &state->buffer[CAROM_COHERENT_SET]);
    if (!state->cold.in_set) {
        carom_buffer_release(memory, &state->buffer[CAROM_COHERENT_SET_BEFORE]);
    }
}

static void release_all(carom_coherent *state) {
    for (int n = 0; n < CAROM_COHERENT_BUFFERS; n++) {
        carom_buffer_release(&state->context->memory, &state->buffer[n]);
    }
    carom_chunk_pool_release(&state->cold.logged, &state->context->memory);
}

/* Forgets the steps before, but not what they taught, nor their memory. */
static void drop(carom_coherent *state) {
    state->built = false;
    state->compared = false;
    state->groups.known = false;
    state->groups.linked = false;
    state->groups.unites = false;
    state->list = (carom_coherent_pairs){0};
    state->count = 0;
    state->owned = 0;
    state->lookahead.before.bodies = 0;
    state->cold.in_set = false;
    state->cold.active = false;
    state->cold.leaving = false;
    state->cold.resuming = false;
}

static void unlearn(carom_coherent *state) {
    carom_coherent_lookahead_init(&state->lookahead);
    state->groups.members_a_change = 0.0;
    state->cold.box_pairs = -1.0;
    state->cold.touching = 0.0;
    state->cold.trial.estimate = 0.0;
}

void carom_coherent_forget(carom_coherent *state) {
    release_all(state);
    drop(state);
}

void carom_coherent_start(carom_coherent *state) {
    carom_coherent_forget(state);
    unlearn(state);
}

void carom_coherent_restart(carom_coherent *state) {
    if (state->context->memory.limit != 0) {
        release_all(state);
    }
    drop(state);
    unlearn(state);
}

void carom_coherent_space_leave(carom_coherent *state) {
    if (state->space.periodic) {
        carom_coherent_forget(state);
        memset(&state->space, 0, sizeof state->space);
    }
}

/* Edges along which space is open are ignored. */
static bool is_same_box(const carom_periodic *a, const carom_periodic *b) {
    bool same = true;
    for (int n = 0; n < 3; n++) {
        same = same && a->along[n] == b->along[n];
        for (int j = 0; j < 3 && a->along[n]; j++) {
            same = same && a->edge[n][j] == b->edge[n][j];
        }
    }
    return same;
}

void carom_coherent_space_enter(carom_coherent *state, const carom_periodic *box, const carom_lattice *lattice) {
    carom_coherent_space *space = &state->space;
    if (!space->periodic) {
        carom_coherent_forget(state);
    } else if (!is_same_box(&space->box, box)) {
        state->built = false;
        state->groups.known = false;
        state->cold.trial.count = 0;
    } else {
        return;
    }
    memset(space, 0, sizeof *space);
    space->periodic = true;
    space->box = *box;
    space->lattice = *lattice;
}
