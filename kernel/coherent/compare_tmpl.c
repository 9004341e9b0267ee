/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/coherent/compare_tmpl.h"

#include "kernel/check/assert.h"
#include "kernel/sys/clock.h"

/* Pairs are inserted, and places cleared, by so many. */
enum { GRAIN = 4096 };

/* The log of a step becomes a set. */
typedef struct gathering {
    const carom_detect_job *job;
    carom_pair_set now;
    carom_pair_set before;
} gathering;

bool carom_compare_wanted(const carom_coherent_step *step) {
    return step->state->config.events && step->job->config->until >= CAROM_UNTIL_APPROACH;
}

/* Steps that follow one another need a little more each time: where there is no limit there is room for a quarter more.
 */
static carom_status reserve(carom_coherent *state, carom_coherent_buffer which, uint64_t bytes, uint64_t *required) {
    const carom_coherent_need need = {which, bytes};
    const carom_coherent_need more = {which, carom_context_more(bytes)};
    const bool ahead = state->context->memory.limit == 0 && state->buffer[which].bytes < bytes;
    if (ahead && carom_coherent_reserve(state, &more, 1, required) == CAROM_OK) {
        return CAROM_OK;
    }
    return carom_coherent_reserve(state, &need, 1, required);
}

static uint64_t event_bytes(uint64_t touching, uint64_t before) {
    return (touching + before + 1) * 2 * sizeof(uint32_t);
}

carom_status carom_compare_reserve(carom_coherent *state, carom_coherent_buffer which, uint64_t pairs,
                                   uint64_t *required) {
    return reserve(state, which, carom_pair_set_size(pairs) * sizeof(uint64_t), required);
}

/* A step that has rebuilt its list, and a cold one, make room for those that follow, if memory allows. */
static bool reserves_ahead(const carom_coherent_step *step) {
    const bool often = !step->report->rebuilt && !step->cold;
    return !often && step->state->context->memory.limit == 0 &&
           step->job->detection->summary.touching_pairs < UINT32_MAX / 2;
}

/* The set that this step, or the next one, fills. */
static void reserve_set_ahead(const carom_coherent_step *step) {
    uint64_t required = 0;
    if (reserves_ahead(step)) {
        const uint64_t pairs = carom_context_nearly(step->job->detection->summary.touching_pairs);
        (void)carom_compare_reserve(step->state, CAROM_COHERENT_SET, pairs, &required);
    }
}

static void reserve_events_ahead(const carom_coherent_step *step) {
    carom_coherent *state = step->state;
    uint64_t required = 0;
    if (reserves_ahead(step)) {
        const uint64_t pairs = carom_context_nearly(step->job->detection->summary.touching_pairs);
        (void)reserve(state, CAROM_COHERENT_EVENTS, event_bytes(pairs, pairs), &required);
        carom_chunk_pool_reserve(&state->cold.logged, &state->context->memory,
                                 carom_chunk_count(pairs) + state->context->team.workers, 0);
    }
}

static void clear_set(void *data, uint32_t worker) {
    const gathering *g = data;
    carom_walk walk = carom_team_walk(&g->job->context->team, worker, g->now.size, GRAIN);
    while (carom_walk_next(&walk)) {
        carom_pair_set_clear(&g->now, walk.begin, walk.end);
    }
}

static void insert_logged(void *data, uint32_t worker) {
    const gathering *g = data;
    const bool alone = g->job->context->team.workers == 1;
    const carom_chunk *chunk = g->job->workers[worker].touched;
    for (; chunk != NULL && !carom_control_look(g->job->context->team.control); chunk = chunk->next) {
        carom_pair_set_insert(&g->now, chunk->count, chunk->slot_i, chunk->slot_k, alone);
    }
}

/* In a periodic box two bodies may touch by several images: contacts are then more than pairs. So there is room for as
 * many events as there can be, and those found are counted. */
static carom_status list_events(carom_coherent_step *step, const gathering *g) {
    carom_coherent *state = step->state;
    carom_coherent_report *report = step->report;
    const carom_team *team = &state->context->team;
    const uint64_t touching = step->job->detection->summary.touching_pairs;
    const uint64_t before = state->compared ? state->cold.pairs : 0;
    uint64_t required = 0;
    if (reserve(state, CAROM_COHERENT_EVENTS, event_bytes(touching, before), &required) != CAROM_OK) {
        return CAROM_ERROR_MEMORY;
    }
    uint32_t *begun = carom_coherent_data(state, CAROM_COHERENT_EVENTS);
    uint32_t *ended = begun + 2 * touching;
    report->begun = carom_pair_set_difference(team, &g->now, &g->before, begun, begun + touching, 1);
    report->ended = carom_pair_set_difference(team, &g->before, &g->now, ended, ended + before, 1);
    report->persisted = before - report->ended;
    report->begun_i = begun;
    report->begun_k = begun + touching;
    report->ended_i = ended;
    report->ended_k = ended + before;
    if (carom_team_stopped(team)) {
        return CAROM_ERROR_CANCELLED;
    }
    CAROM_VALIDATE(carom_pair_set_validate(&g->now, report->begun + report->persisted));
    return CAROM_OK;
}

/* Compares with the step before. MEMORY: there is none for that, or the pairs are too many for a set. */
static carom_status find_changes(carom_coherent_step *step, const carom_detect_job *job) {
    carom_coherent *state = step->state;
    const uint64_t touching = job->detection->summary.touching_pairs;
    const carom_team *team = &job->context->team;
    uint64_t required = 0;
    gathering g = {.job = job};
    if (touching >= UINT32_MAX || carom_compare_reserve(state, CAROM_COHERENT_SET, touching, &required) != CAROM_OK) {
        return CAROM_ERROR_MEMORY;
    }
    g.now = carom_coherent_set(state, CAROM_COHERENT_SET, carom_pair_set_size(touching));
    g.before = carom_coherent_set(state, CAROM_COHERENT_SET_BEFORE, state->compared ? state->cold.places : 0);
    carom_team_run_over(team, touching, clear_set, &g);
    carom_team_run_over(team, touching, insert_logged, &g);
    step->report->compared = state->compared;
    return list_events(step, &g);
}

/* Nothing but the events: a step with a list has filled in the rest. */
static void clear_events(carom_coherent_report *report) {
    report->compared = false;
    report->begun = 0;
    report->persisted = 0;
    report->ended = 0;
    report->begun_i = NULL;
    report->begun_k = NULL;
    report->ended_i = NULL;
    report->ended_k = NULL;
}

/* The results are complete, and the caller may have them already. So the step must not fail for want of memory: if
 * there is none without the memory of lists either, it does without the comparison. */
static bool compare(carom_coherent_step *step, const carom_detect_job *job) {
    if (!carom_compare_wanted(step) || job->log->failed != 0) {
        return false;
    }
    reserve_set_ahead(step);
    reserve_events_ahead(step);
    carom_status status = find_changes(step, job);
    if (status == CAROM_ERROR_MEMORY && step->cold) {
        carom_coherent_release_list(step->state);
        status = find_changes(step, job);
    }
    return status == CAROM_OK;
}

void carom_compare_step(carom_coherent_step *step, const carom_detect_job *job) {
    const double clock = carom_clock_seconds();
    clear_events(step->report);
    step->in_set = compare(step, job);
    if (!step->in_set) {
        clear_events(step->report);
        step->report->begun = job->detection->summary.touching_pairs;
    }
    step->job->detection->summary.phase_seconds[CAROM_PHASE_COLLECT] += carom_clock_seconds() - clock;
}

void carom_compare_finish(carom_coherent_step *step) {
    carom_coherent *state = step->state;
    state->compared = step->in_set;
    state->cold.in_set = step->in_set;
    if (step->in_set) {
        const carom_buffer now = state->buffer[CAROM_COHERENT_SET];
        state->buffer[CAROM_COHERENT_SET] = state->buffer[CAROM_COHERENT_SET_BEFORE];
        state->buffer[CAROM_COHERENT_SET_BEFORE] = now;
        state->cold.pairs = step->report->begun + step->report->persisted;
        state->cold.places = carom_pair_set_size(step->job->detection->summary.touching_pairs);
        reserve_set_ahead(step);
    }
}
