/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/coherent/cold_tmpl.h"

#include "kernel/check/assert.h"
#include "kernel/coherent/compare_tmpl.h"
#include "kernel/coherent/list.h"
#include "kernel/coherent/trial_tmpl.h"
#include "kernel/detect/need_tmpl.h"
#include "kernel/detect/stages_tmpl.h"
#include "kernel/sys/clock.h"

/* Cold steps after a trial that was soon over, before the next one. */
enum { PAUSE = 4, SOON = 3 };
/* The pairs in SAVED become the set of the step before. */
static void fill_before(carom_coherent *state) {
    const uint64_t places = carom_pair_set_size(state->list.saved);
    const carom_pair_set set = carom_coherent_set(state, CAROM_COHERENT_SET_BEFORE, places);
    const uint32_t *saved = carom_coherent_data(state, CAROM_COHERENT_SAVED);
    const carom_team *team = &state->context->team;
    carom_walk walk = carom_team_walk_alone(team, places);
    while (carom_walk_next(&walk)) {
        carom_pair_set_clear(&set, walk.begin, walk.end);
    }
    walk = carom_team_walk_alone(team, state->list.saved);
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin; n < walk.end; n++) {
            carom_pair_set_insert(&set, 1, &saved[2 * n], &saved[2 * n + 1], true);
        }
    }
    CAROM_VALIDATE(carom_team_stopped(team) ? NULL : carom_pair_set_validate(&set, state->list.saved));
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
    if (carom_compare_reserve(state, CAROM_COHERENT_SET_BEFORE, state->list.saved, &required) != CAROM_OK) {
        state->list.saved = 0;
        state->list.saved_ended = kept;
        return carom_job_no_memory(step->job, required);
    }
    fill_before(state);
    return carom_job_stopped(step->job) ? CAROM_ERROR_CANCELLED : CAROM_OK;
}

/* The list goes: the bodies will have moved on when there is another. Under a memory limit its memory goes too, which
 * must be enough for one kind of step only. */
static carom_status enter(carom_coherent_step *step) {
    carom_coherent *state = step->state;
    if (!state->config.events) {
        state->compared = false;
    }
    if (state->compared && !state->cold.in_set) {
        const carom_status status = take_over(step);
        if (status != CAROM_OK) {
            return status;
        }
    }
    state->list = (carom_coherent_pairs){0};
    state->built = false;
    state->groups.known = false;
    state->groups.linked = false;
    if (state->context->memory.limit != 0) {
        carom_coherent_release_list(state);
        carom_coherent_release_placed(state);
    }
    return CAROM_OK;
}

/* A cold step in a periodic box has images of its own. */
static void set_images(const carom_coherent_step *step, carom_detect_job *job) {
    if (step->hooks != NULL) {
        job->periodic = step->job->periodic;
        job->periodic.images = step->cold_images;
        job->bodies = (const void *)&step->cold_images->bodies;
    }
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
                            .log = carom_compare_wanted(step) ? &log : NULL};
    job.shapes.source = own->shapes.source;
    set_images(step, &job);
    status = carom_detect_stages(&job, own->error);
    own->shapes = job.shapes;
    own->bodies = status == CAROM_OK ? job.bodies : own->bodies;
    own->sink = job.sink;
    *delivered = job.sink.delivered != 0;
    if (status != CAROM_OK || own->config->until < CAROM_UNTIL_APPROACH) {
        return status;
    }
    carom_compare_step(step, &job);
    return carom_job_stopped(own) ? CAROM_ERROR_CANCELLED : CAROM_OK;
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
                             !carom_coherent_lookahead_afford(&state->lookahead, escaped));
}

/* Goes on with the trial or starts another. Returns whether there is one in this step. */
static bool follow_trial(carom_coherent *state, const carom_bodies *bodies, const carom_prices *prices,
                         double box_pairs) {
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
    carom_trial_start(state, bodies, prices, box_pairs);
    return true;
}

/* Counts what a list would have cost, and whether it would have been worth it. */
static void count_trial(carom_coherent_step *step, const carom_bodies *bodies, const carom_detect_summary *summary) {
    carom_coherent *state = step->state;
    const double boxes = (double)summary->box_pairs;
    carom_coherent_work work = {.prices = carom_coherent_step_prices(step),
                                .bodies = (double)bodies->count,
                                .box_pairs = boxes,
                                .touching = (double)summary->touching_pairs,
                                .relabelled = state->lookahead.relabelled};
    state->cold.box_pairs = work.box_pairs;
    state->cold.touching = work.touching;
    carom_coherent_lookahead_repay(&state->lookahead, &work);
    if (follow_trial(state, bodies, work.prices, boxes)) {
        work.pairs = carom_trial_pairs(&state->cold.trial, boxes);
        carom_coherent_lookahead_step(&state->lookahead, &work);
        state->cold.resuming = carom_coherent_lookahead_pays(&state->lookahead);
    }
}

void carom_cold_finish(carom_coherent_step *step) {
    carom_coherent *state = step->state;
    const carom_detect_summary *summary = &step->job->detection->summary;
    carom_compare_finish(step);
    const carom_bodies bodies = carom_coherent_step_bodies(step);
    state->count = bodies.count;
    if (state->config.steps_ahead == 0 && step->job->shapes.source == NULL) {
        count_trial(step, &bodies, summary);
    }
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
