/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The list of pairs whose fat boxes overlap. Each is filed under the larger of its slots, in order of it: when a step
 * walks the list, the other's record has been read not long before. */
#include "kernel/coherent/list.h"

#include <string.h>

/* How far ahead the slots of a pair's bodies are fetched. */
enum { AHEAD = 16 };

/* Slots of the pairs, the larger in `high`, and in row[s + 1] how many there are of each larger slot. */
static void translate(const carom_coherent *state, uint64_t pairs, const uint32_t *i, const uint32_t *k, uint32_t *high,
                      uint32_t *low, uint32_t *row) {
    const uint32_t *slot = carom_coherent_data(state, CAROM_COHERENT_SLOT);
    for (uint64_t n = 0; n < pairs; n++) {
        if (n + AHEAD < pairs) {
            __builtin_prefetch(&slot[i[n + AHEAD]]);
            __builtin_prefetch(&slot[k[n + AHEAD]]);
        }
        uint32_t a = slot[i[n]];
        uint32_t b = slot[k[n]];
        high[n] = a > b ? a : b;
        low[n] = a > b ? b : a;
        row[high[n] + 1]++;
    }
}

void carom_coherent_list_build(carom_coherent *state, uint64_t pairs, const uint32_t *i, const uint32_t *k,
                               uint32_t *high, uint32_t *low) {
    uint32_t *pair_i = carom_coherent_data(state, CAROM_COHERENT_PAIR_I);
    uint32_t *pair_k = carom_coherent_data(state, CAROM_COHERENT_PAIR_K);
    uint32_t *row = carom_coherent_data(state, CAROM_COHERENT_ROW);
    memset(row, 0, (state->count + 2) * sizeof *row);
    translate(state, pairs, i, k, high, low, row + 1);
    for (uint64_t s = 0; s < state->count; s++) {
        row[s + 1] += row[s];
    }
    /* row[s + 1] is now where the pairs of s begin, and becomes where they end. */
    for (uint64_t n = 0; n < pairs; n++) {
        uint32_t at = row[high[n] + 1]++;
        pair_i[at] = high[n];
        pair_k[at] = low[n];
    }
    state->list.pairs = pairs;
    state->list.ordered = pairs;
}

carom_status carom_coherent_list_carry(carom_coherent *state, uint64_t *required) {
    const uint64_t *touching = carom_coherent_data(state, CAROM_COHERENT_TOUCHING_BEFORE);
    const uint32_t *pair_i = carom_coherent_data(state, CAROM_COHERENT_PAIR_I);
    const uint32_t *pair_k = carom_coherent_data(state, CAROM_COHERENT_PAIR_K);
    const uint32_t *body = carom_coherent_data(state, CAROM_COHERENT_BODY);
    const uint64_t words = (state->list.pairs + 63) / 64;
    uint64_t count = 0;
    for (uint64_t w = 0; w < words; w++) {
        count += (uint64_t)__builtin_popcountll(touching[w]);
    }
    /* Those a step that did not succeed had found to have ended are still to be told of. */
    const uint64_t pair = 2 * sizeof(uint32_t);
    const uint64_t kept = state->list.carried_ended;
    carom_memory *memory = &state->context->memory;
    carom_status status =
        carom_buffer_grow(memory, &state->buffer[CAROM_COHERENT_CARRIED], (kept + count + 1) * pair, kept * pair);
    if (status != CAROM_OK) {
        *required = carom_size_add(memory->held, (kept + count + 1) * pair);
        return status;
    }
    uint32_t *carried = (uint32_t *)carom_coherent_data(state, CAROM_COHERENT_CARRIED) + 2 * kept;
    for (uint64_t w = 0; w < words; w++) {
        for (uint64_t bits = touching[w]; bits != 0; bits &= bits - 1) {
            uint64_t n = w * 64 + (uint64_t)__builtin_ctzll(bits);
            *carried++ = body[pair_i[n]];
            *carried++ = body[pair_k[n]];
        }
    }
    state->list.carried = kept + count;
    state->list.carried_ended = 0;
    return CAROM_OK;
}

/* Where the pair of two bodies is on the list, or UINT64_MAX. */
static uint64_t find_pair(const carom_coherent *state, uint32_t i, uint32_t k) {
    if (i >= state->count || k >= state->count) {
        return UINT64_MAX;
    }
    const uint32_t *slot = carom_coherent_data(state, CAROM_COHERENT_SLOT);
    const uint32_t *row = carom_coherent_data(state, CAROM_COHERENT_ROW);
    const uint32_t *pair_k = carom_coherent_data(state, CAROM_COHERENT_PAIR_K);
    uint32_t high = slot[i] > slot[k] ? slot[i] : slot[k];
    uint32_t low = slot[i] > slot[k] ? slot[k] : slot[i];
    for (uint64_t n = row[high]; n < row[high + 1]; n++) {
        if (pair_k[n] == low) {
            return n;
        }
    }
    return UINT64_MAX;
}

/* What finding a pair reads: its bodies' slots, then where the pairs of either begin. */
static inline __attribute__((always_inline)) void fetch_ahead(const carom_coherent *state, const uint32_t *carried,
                                                              uint64_t n) {
    const uint32_t *slot = carom_coherent_data(state, CAROM_COHERENT_SLOT);
    const uint32_t *row = carom_coherent_data(state, CAROM_COHERENT_ROW);
    for (uint64_t side = 0; side < 2; side++) {
        if (n + 2 * AHEAD < state->list.carried && carried[2 * (n + 2 * AHEAD) + side] < state->count) {
            __builtin_prefetch(&slot[carried[2 * (n + 2 * AHEAD) + side]]);
        }
        if (n + AHEAD < state->list.carried && carried[2 * (n + AHEAD) + side] < state->count) {
            __builtin_prefetch(&row[slot[carried[2 * (n + AHEAD) + side]]]);
        }
    }
}

void carom_coherent_list_restore(carom_coherent *state) {
    uint64_t *touching = carom_coherent_data(state, CAROM_COHERENT_TOUCHING_BEFORE);
    uint32_t *carried = carom_coherent_data(state, CAROM_COHERENT_CARRIED);
    uint64_t ended = 0;
    for (uint64_t n = 0; n < state->list.carried; n++) {
        fetch_ahead(state, carried, n);
        uint64_t at = find_pair(state, carried[2 * n], carried[2 * n + 1]);
        if (at != UINT64_MAX) {
            touching[at / 64] |= UINT64_C(1) << at % 64;
            continue;
        }
        carried[2 * ended] = carried[2 * n];
        carried[2 * ended + 1] = carried[2 * n + 1];
        ended++;
    }
    state->list.carried = 0;
    state->list.carried_ended = ended;
}
