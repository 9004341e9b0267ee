/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/coherent/cold_tmpl.h"

#include "kernel/check/assert.h"
#include "kernel/coherent/events.h"
#include "kernel/coherent/list.h"
#include "kernel/coherent/trial_tmpl.h"
#include "kernel/detect/need_tmpl.h"
#include "kernel/detect/stages_tmpl.h"
#include "kernel/sys/clock.h"

/* Cold steps after a trial that was soon over, before the next one. */
enum { PAUSE = 4, SOON = 3 };
/* Pairs are inserted, and places cleared, by so many. */
enum { GRAIN = 4096 };

/* The log of a step becomes a set. */
typedef struct gathering {
    const carom_detect_job *job;
    carom_pair_set now;
    carom_pair_set before;
} gathering;

static void clear_set(void *data, uint32_t worker) {
    const gathering *g = data;
    const carom_range own = carom_team_range(&g->job->context->team, worker, g->now.size, GRAIN);
    carom_pair_set_clear(&g->now, own.begin, own.end);
}

static void insert_logged(void *data, uint32_t worker) {
    const gathering *g = data;
    const bool alone = g->job->context->team.workers == 1;
    uint64_t persisted = 0;
    for (const carom_chunk *chunk = g->job->workers[worker].touched; chunk != NULL; chunk = chunk->next) {
        persisted += carom_pair_set_insert(&g->now, &g->before, chunk->count, chunk->slot_i, chunk->slot_k, alone);
    }
    g->job->workers[worker].persisted = persisted;
}

/* Room for a set of so many pairs, and a quarter more where there is no memory limit. Errors: MEMORY. */
static carom_status reserve_set(carom_coherent *state, carom_coherent_buffer which, uint64_t pairs,
                                uint64_t *required) {
    carom_coherent_need need = {which, carom_pair_set_size(pairs) * sizeof(uint64_t)};
    if (state->context->memory.limit == 0 && state->buffer[which].bytes < need.bytes) {
        carom_coherent_need more = {which, carom_context_more(need.bytes)};
        if (carom_coherent_reserve(state, &more, 1, required) == CAROM_OK) {
            return CAROM_OK;
        }
    }
    return carom_coherent_reserve(state, &need, 1, required);
}

/* The pairs in SAVED become the set of the step before. */
static void fill_before(carom_coherent *state) {
    const uint64_t places = carom_pair_set_size(state->list.saved);
    const carom_pair_set set = carom_coherent_set(state, CAROM_COHERENT_SET_BEFORE, places);
    const carom_pair_set none = {NULL, 0};
    const uint32_t *saved = carom_coherent_data(state, CAROM_COHERENT_SAVED);
    carom_pair_set_clear(&set, 0, places);
    for (uint64_t n = 0; n < state->list.saved; n++) {
        carom_pair_set_insert(&set, &none, 1, &saved[2 * n], &saved[2 * n + 1], true);
    }
    CAROM_VALIDATE(carom_pair_set_validate(&set, state->list.saved));
    state->cold.in_set = true;
    state->cold.places = places;
    state->cold.pairs = state->list.saved;
}

/* From the pairs on the list, and those that an earlier failure has left in SAVED. */
static carom_status take_over(carom_coherent_step *step) {
    carom_coherent *state = step->state;
    const uint64_t kept = state->list.saved_ended;
    uint64_t required = 0;
    if (carom_coherent_list_save(state, &required) != CAROM_OK) {
        return carom_job_no_memory(step->job, required);
    }
    if (reserve_set(state, CAROM_COHERENT_SET_BEFORE, state->list.saved, &required) != CAROM_OK) {
        state->list.saved = 0;
        state->list.saved_ended = kept;
        return carom_job_no_memory(step->job, required);
    }
    fill_before(state);
    return CAROM_OK;
}

/* Whether the step looks for pairs that began and ended. */
static bool compares(const carom_coherent_step *step) {
    return step->state->config.events && step->job->config->until >= CAROM_UNTIL_APPROACH;
}

/* The list goes: the bodies will have moved on when there is another. Under a memory limit its memory goes too, which
 * must be enough for one kind of step only. */
static carom_status enter(carom_coherent_step *step) {
    carom_coherent *state = step->state;
    if (!state->config.events) {
        state->compared = false;
    }
    if (state->compared && !state->cold.in_set && take_over(step) != CAROM_OK) {
        return CAROM_ERROR_MEMORY;
    }
    state->list = (carom_coherent_pairs){0};
    state->built = false;
    state->grouped = false;
    state->linked = false;
    if (state->context->memory.limit != 0) {
        carom_coherent_release_list(state);
    }
    return CAROM_OK;
}

static carom_status list_events(carom_coherent_step *step, const gathering *g) {
    carom_coherent *state = step->state;
    carom_coherent_report *report = step->report;
    uint64_t required = 0;
    const carom_coherent_need need = {CAROM_COHERENT_EVENTS,
                                      (report->begun + report->ended + 1) * 2 * sizeof(uint32_t)};
    if (carom_coherent_reserve(state, &need, 1, &required) != CAROM_OK) {
        return CAROM_ERROR_MEMORY;
    }
    uint32_t *begun_i = carom_coherent_data(state, CAROM_COHERENT_EVENTS);
    uint32_t *ended_i = begun_i + 2 * report->begun;
    carom_pair_set_difference(&g->now, &g->before, begun_i, begun_i + report->begun, 1);
    carom_pair_set_difference(&g->before, &g->now, ended_i, ended_i + report->ended, 1);
    report->begun_i = begun_i;
    report->begun_k = begun_i + report->begun;
    report->ended_i = ended_i;
    report->ended_k = ended_i + report->ended;
    return CAROM_OK;
}

/* Compares with the step before. MEMORY: there is none for that, or the pairs are too many for a set. */
static carom_status find_changes(carom_coherent_step *step, const carom_detect_job *job) {
    carom_coherent *state = step->state;
    const uint64_t touching = job->detection->summary.touching_pairs;
    const carom_team *team = &job->context->team;
    uint64_t required = 0;
    gathering g;
    *step->report = (carom_coherent_report){0};
    if (touching >= UINT32_MAX || reserve_set(state, CAROM_COHERENT_SET, touching, &required) != CAROM_OK) {
        return CAROM_ERROR_MEMORY;
    }
    g.job = job;
    g.now = carom_coherent_set(state, CAROM_COHERENT_SET, carom_pair_set_size(touching));
    g.before = carom_coherent_set(state, CAROM_COHERENT_SET_BEFORE, state->compared ? state->cold.places : 0);
    carom_team_run_over(team, touching, clear_set, &g);
    carom_team_run_over(team, touching, insert_logged, &g);
    for (uint32_t w = 0; w < team->workers; w++) {
        step->report->persisted += g.job->workers[w].persisted;
    }
    CAROM_VALIDATE(carom_pair_set_validate(&g.now, touching));
    step->report->begun = touching - step->report->persisted;
    step->report->ended = (state->compared ? state->cold.pairs : 0) - step->report->persisted;
    step->report->compared = state->compared;
    return list_events(step, &g);
}

/* Every pair counts as begun. */
static carom_status skip_changes(carom_coherent_step *step) {
    *step->report = (carom_coherent_report){.begun = step->job->detection->summary.touching_pairs};
    return CAROM_OK;
}

/* The results are complete, and the caller may have them already. So the step must not fail for want of memory: if
 * there is none without the memory of lists either, it does without the comparison. */
static carom_status compare(carom_coherent_step *step, const carom_detect_job *job) {
    const double clock = carom_clock_seconds();
    carom_status status = job->log->failed == 0 ? find_changes(step, job) : CAROM_ERROR_MEMORY;
    if (status == CAROM_ERROR_MEMORY && job->log->failed == 0) {
        carom_coherent_release_list(step->state);
        status = find_changes(step, job);
    }
    step->in_set = status == CAROM_OK;
    if (status == CAROM_ERROR_MEMORY) {
        status = skip_changes(step);
    }
    step->job->detection->summary.phase_seconds[CAROM_PHASE_COLLECT] += carom_clock_seconds() - clock;
    return status;
}

static carom_status try_step(carom_coherent_step *step, bool *delivered) {
    carom_detect_job *own = step->job;
    carom_pair_log log = {.pool = &step->state->cold.logged, .memory = &own->context->memory};
    carom_status status = enter(step);
    if (status != CAROM_OK) {
        return status;
    }
    carom_detect_job job = {.context = own->context,
                            .bodies = own->bodies,
                            .config = own->config,
                            .output = own->output,
                            .detection = own->detection,
                            .headroom = CAROM_HEADROOM_AHEAD,
                            .log = compares(step) ? &log : NULL};
    status = carom_detect_stages(&job, own->error);
    *delivered = job.sink.delivered != 0;
    if (status != CAROM_OK || own->config->until < CAROM_UNTIL_APPROACH) {
        return status;
    }
    return compares(step) ? compare(step, &job) : skip_changes(step);
}

/* If memory gives out, once more without that of the last list. */
carom_status carom_cold_step(carom_coherent_step *step) {
    bool delivered = false;
    carom_status status = try_step(step, &delivered);
    if (status == CAROM_ERROR_MEMORY && !delivered) {
        *step->report = (carom_coherent_report){0};
        if (!step->state->compared || step->state->cold.in_set) {
            carom_coherent_release_list(step->state);
            step->state->built = false;
        }
        carom_context_release_work(step->state->context);
        status = try_step(step, &delivered);
    }
    step->report->cold = status == CAROM_OK;
    return status;
}

/* Whether a list would have to be rebuilt for the bodies that have left their boxes. */
static bool is_over(carom_coherent *state, const carom_bodies *bodies) {
    const double escaped = carom_trial_escape(state, bodies);
    return escaped > 0.0 && (escaped > (double)carom_coherent_escape_limit(bodies->count) ||
                             !carom_coherent_lookahead_afford(&state->lookahead, (double)bodies->count, escaped));
}

/* Goes on with the trial or starts another. Returns whether there is one in this step. */
static bool follow_trial(carom_coherent *state, const carom_bodies *bodies, double box_pairs) {
    carom_coherent_trial *trial = &state->cold.trial;
    if (trial->pause > 0) {
        trial->pause--;
        return false;
    }
    const bool any = trial->count > 0;
    const bool same = any && trial->bodies == bodies->count;
    const bool slowed = same && carom_trial_has_slowed(state, bodies);
    if (same && !slowed && !is_over(state, bodies)) {
        return true;
    }
    const bool soon = any && !slowed && state->lookahead.steps <= SOON;
    if (soon) {
        trial->count = 0;
        trial->pause = PAUSE;
        return false;
    }
    carom_trial_start(state, bodies, box_pairs);
    return true;
}

/* Counts what a list would have cost, and whether it would have been worth it. */
static void count_trial(carom_coherent *state, const carom_bodies *bodies, const carom_detect_summary *summary) {
    const double boxes = (double)summary->box_pairs;
    carom_coherent_work work = {.bodies = (double)bodies->count,
                                .box_pairs = boxes,
                                .touching = (double)summary->touching_pairs,
                                .relabelled = state->lookahead.relabelled};
    state->cold.box_pairs = work.box_pairs;
    state->cold.touching = work.touching;
    carom_coherent_lookahead_repay(&state->lookahead, &work);
    if (follow_trial(state, bodies, boxes)) {
        work.pairs = carom_trial_pairs(&state->cold.trial, boxes);
        carom_coherent_lookahead_step(&state->lookahead, &work);
        state->cold.resuming = carom_coherent_lookahead_pays(&state->lookahead);
    }
}

void carom_cold_finish(carom_coherent_step *step) {
    carom_coherent *state = step->state;
    const carom_detect_summary *summary = &step->job->detection->summary;
    state->compared = step->in_set;
    state->cold.in_set = step->in_set;
    state->count = step->job->bodies->count;
    if (state->compared) {
        const carom_buffer now = state->buffer[CAROM_COHERENT_SET];
        state->buffer[CAROM_COHERENT_SET] = state->buffer[CAROM_COHERENT_SET_BEFORE];
        state->buffer[CAROM_COHERENT_SET_BEFORE] = now;
        state->cold.pairs = summary->touching_pairs;
        state->cold.places = carom_pair_set_size(summary->touching_pairs);
    }
    count_trial(state, step->job->bodies, summary);
}

/* Both sets, the log, and what they are made of. */
uint64_t carom_cold_bound(const carom_need *need, bool events) {
    const uint64_t pair = 2 * sizeof(uint32_t);
    const uint64_t pairs = carom_size_add(need->pairs, 1);
    const uint64_t places = carom_size_add(carom_size_multiply(2, pairs), CAROM_PAIR_SET_LEAST);
    const uint64_t set = carom_size_multiply(places, sizeof(uint64_t));
    const uint64_t saved = carom_size_multiply(pair, pairs);
    const uint64_t told = events ? carom_size_multiply(2, saved) : 0;
    uint64_t bytes = carom_size_add(carom_need_detect(need), carom_size_multiply(2, set));
    bytes = carom_size_add(bytes, carom_pair_log_bytes(need->context->threads, need->pairs));
    return carom_size_add(bytes, carom_size_add(saved, told));
}
