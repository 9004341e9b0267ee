/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/coherent/events.h"

#include "kernel/check/assert.h"

/* Event n is the pair of bodies a and b, the lower first. */
static inline void put_event(uint32_t a, uint32_t b, uint32_t *i, uint32_t *k) {
    *i = a < b ? a : b;
    *k = a < b ? b : a;
}

/* The pairs of one word whose bits are set. Returns how many. */
static uint64_t put_events(const carom_coherent_list *list, uint64_t bits, uint64_t word, uint32_t *i, uint32_t *k) {
    uint64_t count = 0;
    while (bits != 0) {
        uint64_t n = carom_coherent_take_pair(&bits, word);
        put_event(list->body[list->i[n]], list->body[list->k[n]], &i[count], &k[count]);
        count++;
    }
    return count;
}

/* The buffer holds i and k of the pairs that began, then of those that ended. */
static void point_at_events(carom_coherent_report *report, const uint32_t *events) {
    report->begun_i = events;
    report->begun_k = report->begun_i + report->begun;
    report->ended_i = report->begun_k + report->begun;
    report->ended_k = report->ended_i + report->ended;
}

/* Pairs that are on no list any more come first among the ended ones. */
static void fill_events(const carom_coherent *state, const carom_coherent_report *report, uint32_t *events) {
    const carom_coherent_list list = carom_coherent_list_of(state);
    const uint32_t *saved = carom_coherent_data(state, CAROM_COHERENT_SAVED);
    uint32_t *begun_i = events;
    uint32_t *begun_k = begun_i + report->begun;
    uint32_t *ended_i = begun_k + report->begun;
    uint32_t *ended_k = ended_i + report->ended;
    uint64_t begun = 0;
    uint64_t ended = 0;
    for (; ended < state->list.saved_ended; ended++) {
        put_event(saved[2 * ended], saved[2 * ended + 1], &ended_i[ended], &ended_k[ended]);
    }
    carom_walk walk = carom_team_walk_alone(&state->context->team, list.words);
    walk.step = CAROM_COHERENT_WORDS;
    while (carom_walk_next(&walk)) {
        for (uint64_t w = walk.begin; w < walk.end; w++) {
            begun += put_events(&list, list.touching[w] & ~list.before[w], w, begun_i + begun, begun_k + begun);
            ended += put_events(&list, list.before[w] & ~list.touching[w], w, ended_i + ended, ended_k + ended);
        }
    }
    CAROM_ASSERT(carom_team_stopped(&state->context->team) || (begun == report->begun && ended == report->ended));
}

/* One more than asked for: the arrays are then never NULL, even if nothing changed. */
static carom_status reserve_events(carom_coherent *state, uint64_t events, uint64_t *required) {
    const carom_coherent_need need = {CAROM_COHERENT_EVENTS, (events + 1) * 2 * sizeof(uint32_t)};
    return state->config.events ? carom_coherent_reserve(state, &need, 1, required) : CAROM_OK;
}

/* A pair of the list begins or ends, not both. The capacity counts, not the pairs, so that steps that only extend the
 * list allocate nothing. */
carom_status carom_events_reserve(carom_coherent *state, uint64_t *required) {
    return reserve_events(state, state->list.capacity + state->list.saved_ended, required);
}

carom_status carom_events_find(carom_coherent *state, uint64_t touching, carom_coherent_report *report,
                               uint64_t *required) {
    const carom_coherent_list list = carom_coherent_list_of(state);
    uint64_t begun = 0;
    uint64_t ended = state->list.saved_ended;
    for (uint64_t w = 0; w < list.words; w++) {
        begun += (uint64_t)__builtin_popcountll(list.touching[w] & ~list.before[w]);
        ended += (uint64_t)__builtin_popcountll(list.before[w] & ~list.touching[w]);
    }
    CAROM_ASSERT(begun <= touching);
    report->begun = begun;
    report->ended = ended;
    report->persisted = touching - begun;
    if (!state->config.events) {
        return CAROM_OK;
    }
    carom_status status = reserve_events(state, begun + ended, required);
    if (status == CAROM_OK) {
        uint32_t *events = carom_coherent_data(state, CAROM_COHERENT_EVENTS);
        fill_events(state, report, events);
        point_at_events(report, events);
    }
    return status;
}
