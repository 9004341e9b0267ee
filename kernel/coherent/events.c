/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/coherent/events.h"

static uint64_t words_of(const carom_coherent *state) {
    return (state->list.pairs + 63) / 64;
}

/* Where the events of a step are written: i and k of those begun, then of those ended. */
typedef struct event_lists {
    const uint32_t *body;
    const uint32_t *pair_i;
    const uint32_t *pair_k;
} event_lists;

static uint64_t list_events(const event_lists *lists, uint64_t bits, uint64_t word_number, uint32_t *i, uint32_t *k) {
    uint64_t count = 0;
    for (; bits != 0; bits &= bits - 1) {
        uint64_t n = word_number * 64 + (uint64_t)__builtin_ctzll(bits);
        uint32_t a = lists->body[lists->pair_i[n]];
        uint32_t b = lists->body[lists->pair_k[n]];
        i[count] = a < b ? a : b;
        k[count] = a < b ? b : a;
        count++;
    }
    return count;
}

static void fill_events(const carom_coherent *state, const carom_coherent_report *report, uint32_t *block) {
    const uint64_t *now = carom_coherent_data(state, CAROM_COHERENT_TOUCHING);
    const uint64_t *before = carom_coherent_data(state, CAROM_COHERENT_TOUCHING_BEFORE);
    const uint32_t *carried = carom_coherent_data(state, CAROM_COHERENT_CARRIED);
    const event_lists lists = {carom_coherent_data(state, CAROM_COHERENT_BODY),
                               carom_coherent_data(state, CAROM_COHERENT_PAIR_I),
                               carom_coherent_data(state, CAROM_COHERENT_PAIR_K)};
    uint32_t *begun_i = block;
    uint32_t *begun_k = begun_i + report->begun;
    uint32_t *ended_i = begun_k + report->begun;
    uint32_t *ended_k = ended_i + report->ended;
    uint64_t begun = 0;
    uint64_t ended = 0;
    for (; ended < state->list.carried_ended; ended++) {
        uint32_t a = carried[2 * ended];
        uint32_t b = carried[2 * ended + 1];
        ended_i[ended] = a < b ? a : b;
        ended_k[ended] = a < b ? b : a;
    }
    for (uint64_t w = 0; w < words_of(state); w++) {
        begun += list_events(&lists, now[w] & ~before[w], w, begun_i + begun, begun_k + begun);
        ended += list_events(&lists, before[w] & ~now[w], w, ended_i + ended, ended_k + ended);
    }
}

static carom_status reserve_events(carom_coherent *state, uint64_t events, uint64_t *required) {
    const carom_coherent_need need = {CAROM_COHERENT_EVENTS, (events + 1) * 2 * sizeof(uint32_t)};
    return state->config.events ? carom_coherent_reserve(state, &need, 1, required) : CAROM_OK;
}

/* A pair of the list begins or ends, not both. What the list may grow to counts: steps that only extend it then ask for
 * nothing. */
carom_status carom_events_reserve(carom_coherent *state, uint64_t *required) {
    return reserve_events(state, state->list.room + state->list.carried_ended, required);
}

carom_status carom_events_find(carom_coherent *state, uint64_t touching, carom_coherent_report *report,
                               uint64_t *required) {
    const uint64_t *now = carom_coherent_data(state, CAROM_COHERENT_TOUCHING);
    const uint64_t *before = carom_coherent_data(state, CAROM_COHERENT_TOUCHING_BEFORE);
    uint64_t begun = 0;
    uint64_t ended = state->list.carried_ended;
    for (uint64_t w = 0; w < words_of(state); w++) {
        begun += (uint64_t)__builtin_popcountll(now[w] & ~before[w]);
        ended += (uint64_t)__builtin_popcountll(before[w] & ~now[w]);
    }
    report->begun = begun;
    report->ended = ended;
    report->persisted = touching - begun;
    if (!state->config.events) {
        return CAROM_OK;
    }
    carom_status status = reserve_events(state, begun + ended, required);
    if (status == CAROM_OK) {
        uint32_t *block = carom_coherent_data(state, CAROM_COHERENT_EVENTS);
        fill_events(state, report, block);
        report->begun_i = block;
        report->begun_k = block + begun;
        report->ended_i = block + 2 * begun;
        report->ended_k = block + 2 * begun + ended;
    }
    return status;
}
