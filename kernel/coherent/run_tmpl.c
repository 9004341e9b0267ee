/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/coherent/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/coherent/build_tmpl.h"
#include "kernel/coherent/choose_tmpl.h"
#include "kernel/coherent/cold_tmpl.h"
#include "kernel/coherent/compare_tmpl.h"
#include "kernel/coherent/escape_tmpl.h"
#include "kernel/coherent/events.h"
#include "kernel/coherent/follow_tmpl.h"
#include "kernel/coherent/list.h"
#include "kernel/coherent/memory_tmpl.h"
#include "kernel/coherent/motion_tmpl.h"
#include "kernel/coherent/regroup.h"
#include "kernel/coherent/validate_list.h"
#include "kernel/coherent/walk_tmpl.h"
#include "kernel/detect/need_tmpl.h"
#include "kernel/detect/results/collect_tmpl.h"
#include "kernel/detect/results/hash_tmpl.h"
#include "kernel/detect/results/members_tmpl.h"
#include "kernel/detect/results/shortage_tmpl.h"
#include "kernel/detect/search/filter_tmpl.h"
#include "kernel/detect/search/survey_tmpl.h"
#include "kernel/detect/shaped/shape_source.h"
#include "kernel/detect/stages_tmpl.h"
#include "kernel/sys/clock.h"
#include "kernel/sys/error.h"

/* Looks at all bodies. Only the centre, the length and bad bodies matter: the list takes the place of a plan. */
static carom_status survey(carom_coherent_step *step) {
    carom_part scene = {.bodies = carom_coherent_step_bodies(step)};
    carom_status status = carom_survey_part(step->job, &scene, CAROM_METHOD_SWEEP);
    if (status != CAROM_OK) {
        return status;
    }
    step->job->detection->summary.method = "coherent";
    step->length = (double)scene.plan.sweep_hi - (double)scene.plan.sweep_lo;
    memcpy(step->centre, step->job->search.centre, sizeof step->centre);
    return status;
}

/* Keeps the list of the step before, if that is possible and worth it: then *followed is true, the bodies are in their
 * slots, and the list holds all pairs whose boxes can overlap. */
static carom_status follow(carom_coherent_step *step, bool *followed) {
    carom_coherent *state = step->state;
    *followed = false;
    if (!state->built || state->count != step->job->bodies->count || state->owned != step->job->owned) {
        return CAROM_OK;
    }
    const bool centred = sizeof(carom_real) == sizeof(double);
    if (centred && !step->unplaced && !carom_follow_centre(step)) {
        return CAROM_OK;
    }
    const bool placed = !step->unplaced;
    /* Looking for bad values among the escaped bodies alone spares a pass over all. */
    uint64_t escaped = carom_follow_bodies(step);
    if (carom_job_stopped(step->job)) {
        return CAROM_ERROR_CANCELLED;
    }
    if (step->cold || (!placed && !carom_follow_centre(step))) {
        return CAROM_OK;
    }
    if (step->hooks == NULL && carom_follow_any_bad(step, escaped)) {
        return survey(step); /* names the first */
    }
    *followed = escaped == 0 || (escaped <= step->escape_limit && carom_escape_grow(step, escaped));
    step->report->escapes = *followed ? escaped : 0;
    carom_job_lap(step->job, CAROM_PHASE_BOUNDS);
    return CAROM_OK;
}

/* Makes another list, and moves the bodies to their new slots; or finds that it would not pay. */
static carom_status rebuild(carom_coherent_step *step) {
    carom_status status = survey(step);
    if (status == CAROM_OK && !carom_choose_list(step)) {
        step->cold = true;
        return CAROM_OK;
    }
    if (status == CAROM_OK) {
        status = carom_build_list(step);
    }
    if (status == CAROM_OK && step->cold) {
        return CAROM_OK;
    }
    if (status == CAROM_OK) {
        carom_choose_learn(step);
        status = carom_job_start_workers(step->job); /* the build used their memory */
    }
    if (status != CAROM_OK) {
        return status;
    }
    step->report->rebuilt = true;
    step->job->headroom = CAROM_HEADROOM_AHEAD;
    carom_job_lap(step->job, CAROM_PHASE_PARTITION);
    /* A body whose extension overflows may be outside its fat box at once. */
    uint64_t escaped = carom_follow_bodies(step);
    if (carom_job_stopped(step->job)) {
        return CAROM_ERROR_CANCELLED;
    }
    if (escaped > 0 && !carom_escape_grow(step, escaped)) {
        return carom_error_set(step->job->error, CAROM_ERROR_ARGUMENT, "fat boxes do not hold their bodies");
    }
    return CAROM_OK;
}

/* How many pairs of the list began or ended: in a periodic box that is no more than a hint, because another image of
 * the same body may touch. */
static void count_changes(carom_coherent_step *step) {
    const carom_coherent_list list = carom_coherent_list_of(step->state);
    for (uint64_t w = 0; w < list.words; w++) {
        step->changed += (uint64_t)__builtin_popcountll(list.touching[w] ^ list.before[w]);
    }
}

/* Compares with the step before, by touching bits and saved pairs. */
static carom_status find_events(carom_coherent_step *step) {
    carom_coherent *state = step->state;
    uint64_t required = 0;
    if (carom_events_find(state, step->job->detection->summary.touching_pairs, step->report, &required) != CAROM_OK) {
        return carom_job_no_memory(step->job, required);
    }
    step->report->compared = state->compared;
    return carom_job_stopped(step->job) ? CAROM_ERROR_CANCELLED : CAROM_OK;
}

/* In a periodic box events are found last, by sets. */
static carom_status find_changes(carom_coherent_step *step) {
    if (step->hooks == NULL) {
        return find_events(step);
    }
    count_changes(step);
    return CAROM_OK;
}

/* Updates the groups of the step before, or labels all bodies anew if there are none or the update is too dear. */
static void update_groups(carom_coherent_step *step) {
    carom_coherent *state = step->state;
    const uint64_t changed = step->hooks != NULL ? step->changed : step->report->begun + step->report->ended;
    step->relabelled =
        step->united || !state->groups.known || !carom_regroup_update(state, changed, &state->groups.counts);
    if (step->relabelled && !carom_job_stopped(step->job)) {
        state->groups.counts = step->united ? carom_regroup_label(state) : carom_regroup_all(state);
        carom_regroup_forget(state);
        state->groups.unites = !carom_regroup_is_promising(state, changed);
    }
}

static carom_status find_groups(carom_coherent_step *step) {
    carom_coherent *state = step->state;
    carom_detect_job *job = step->job;
    update_groups(step);
    if (carom_job_stopped(job)) {
        return CAROM_ERROR_CANCELLED;
    }
    state->groups.known = false; /* until the step has succeeded */
    job->detection->summary.groups = state->groups.counts.groups;
    job->detection->summary.largest_group = state->groups.counts.largest;
    job->detection->groups.count = state->groups.counts.groups;
    job->detection->groups.label = carom_coherent_data(state, CAROM_COHERENT_LABEL);
    carom_status status = job->config->group_members
                              ? carom_shortage_report(job, carom_members_list(job, state->groups.counts.groups))
                              : CAROM_OK;
    job->detection->summary.phase_bytes[CAROM_PHASE_GROUPS] = (double)state->list.pairs / 4;
    return status;
}

/* After success: the touching bits of this step become those of the step before. */
static void finish_step(carom_coherent_step *step) {
    carom_coherent *state = step->state;
    carom_until until = step->job->config->until;
    state->compared = until >= CAROM_UNTIL_APPROACH;
    state->groups.known = until >= CAROM_UNTIL_GROUPS;
    state->list.saved_ended = 0;
    if (step->hooks != NULL) {
        carom_compare_finish(step);
    }
    if (until >= CAROM_UNTIL_APPROACH) {
        carom_buffer now = state->buffer[CAROM_COHERENT_TOUCHING];
        state->buffer[CAROM_COHERENT_TOUCHING] = state->buffer[CAROM_COHERENT_TOUCHING_BEFORE];
        state->buffer[CAROM_COHERENT_TOUCHING_BEFORE] = now;
    }
    CAROM_VALIDATE(carom_coherent_touching_validate(state));
    carom_choose_account(step);
}

static carom_status start_workers(carom_coherent_step *step) {
    return carom_job_start_workers(step->job);
}

static carom_status place(carom_coherent_step *step) {
    return step->hooks != NULL ? step->hooks->place(step) : CAROM_OK;
}

/* A list that has too many bodies in cells that they have left is made anew. */
static carom_status set_apart(carom_coherent_step *step) {
    if (step->hooks == NULL) {
        return CAROM_OK;
    }
    carom_status status = step->hooks->set_apart(step);
    if (status != CAROM_OK || !step->crowded) {
        return status;
    }
    step->report->escapes = 0;
    status = rebuild(step);
    return status == CAROM_OK && !step->cold ? step->hooks->set_apart(step) : status;
}

static carom_status update_list(carom_coherent_step *step) {
    bool followed = false;
    carom_status status = follow(step, &followed);
    if (status == CAROM_OK && !followed && !step->cold) {
        status = rebuild(step);
    }
    if (status == CAROM_OK && !step->cold && !step->state->compared && step->hooks == NULL) {
        void *before = carom_coherent_data(step->state, CAROM_COHERENT_TOUCHING_BEFORE);
        memset(before, 0, carom_coherent_touching_bytes(step->state)); /* every pair will have begun */
    }
    return status;
}

/* After a rebuild, which may give the filter's memory back. */
static carom_status start_filter(carom_coherent_step *step) {
    carom_status status = carom_filter_check(step->job);
    const uint32_t *slot_of = carom_coherent_data(step->state, CAROM_COHERENT_SLOT);
    return status == CAROM_OK ? carom_filter_start(step->job, slot_of) : status;
}

/* What is left of the time since the walk went into events and groups. */
static carom_status collect(carom_coherent_step *step) {
    carom_job_lap(step->job, CAROM_PHASE_GROUPS);
    return carom_collect_results(step->job);
}

typedef carom_status stage(carom_coherent_step *step);

/* The stages of a step, in order. A call runs those up to config->until. When memory gives out, the stages that use the
 * list run again; those that find it do not. */
static const struct {
    stage *run;
    carom_until first;
    carom_phase phase; /* as the host is told */
} stages[] = {
    /* a struct for each worker */
    {start_workers, CAROM_UNTIL_PAIRS, CAROM_PHASE_BOUNDS},
    /* periodic box: bodies into the cell, images */
    {place, CAROM_UNTIL_PAIRS, CAROM_PHASE_BOUNDS},
    /* bodies to their slots; the list extended or rebuilt if some have escaped */
    {update_list, CAROM_UNTIL_PAIRS, CAROM_PHASE_PARTITION},
    /* periodic box: pairs of bodies that have changed cells */
    {set_apart, CAROM_UNTIL_PAIRS, CAROM_PHASE_PARTITION},
    /* bad exclusion lists; what the filter tests, in order of slots */
    {start_filter, CAROM_UNTIL_PAIRS, CAROM_PHASE_PARTITION},
    /* overlaps, touching bits, rows */
    {carom_walk_list, CAROM_UNTIL_PAIRS, CAROM_PHASE_SWEEP},
    /* pairs that began, persisted or ended */
    {find_changes, CAROM_UNTIL_APPROACH, CAROM_PHASE_COLLECT},
    /* labels, member lists */
    {find_groups, CAROM_UNTIL_GROUPS, CAROM_PHASE_GROUPS},
    /* rows in order, neighbours, output */
    {collect, CAROM_UNTIL_PAIRS, CAROM_PHASE_COLLECT},
};
enum { STAGES = sizeof stages / sizeof stages[0], FIRST_USE = 4 };

/* Runs stages [begin, end), or until one finds that the step is cold. */
static carom_status run_some(carom_coherent_step *step, int begin, int end) {
    carom_status status = CAROM_OK;
    for (int s = begin; s < end && status == CAROM_OK && !step->cold; s++) {
        if (stages[s].first <= step->job->config->until) {
            carom_control_enter(step->job->context->team.control, stages[s].phase);
            status = carom_job_cancelled(step->job, stages[s].run(step));
        }
    }
    return status;
}

/* The job as it is when the list has been found; the number of rows, if it is known, is what room is made for. */
static carom_status start_over(carom_detect_job *job) {
    carom_detect_summary *summary = &job->detection->summary;
    const bool stored = job->rows.destination == CAROM_ROWS_STORED;
    job->context->expected_rows = stored ? summary->required_pairs : 0;
    summary->box_pairs = 0;
    summary->touching_pairs = 0;
    summary->touching_hash = 0;
    summary->required_pairs = 0;
    *job = (carom_detect_job){.context = job->context,
                              .bodies = job->bodies,
                              .owned = job->owned,
                              .config = job->config,
                              .output = job->output,
                              .detection = job->detection,
                              .error = job->error,
                              .headroom = job->headroom,
                              .clock = job->clock,
                              .search = job->search,
                              .periodic = job->periodic,
                              .log = job->log};
    if (job->log != NULL) {
        carom_pair_log_restart(job->log);
    }
    carom_context_release_work(job->context);
    return carom_job_start_workers(job);
}

/* The list is walked again if memory gives out: without the buffers of the rebuild and of earlier calls, and once more
 * when the number of rows is known, which a growing table needs more memory for than one of that size. */
static carom_status use_list_with_room(carom_coherent_step *step) {
    carom_detect_job *job = step->job;
    carom_detect_summary *summary = &job->detection->summary;
    carom_shortage_counted counted = {0};
    bool known = false;
    carom_status status = run_some(step, FIRST_USE, STAGES);
    for (int more = 2; status == CAROM_ERROR_MEMORY && job->sink.delivered == 0 && more > 0 && !known; more--) {
        carom_shortage_note(summary, &counted);
        status = start_over(job);
        known = job->context->expected_rows != 0;
        status = status == CAROM_OK ? run_some(step, FIRST_USE, STAGES) : status;
    }
    if (status == CAROM_ERROR_MEMORY) {
        carom_shortage_recall(&counted, summary);
    }
    return status;
}

/* Where there is to be a list and it would not pay, the step turns cold after all. Bodies with shapes have no lists. */
static carom_status run_stages(carom_coherent_step *step) {
    carom_detect_job *job = step->job;
    carom_control_look(job->context->team.control);
    carom_status status = carom_job_cancelled(job, CAROM_OK);
    if (status != CAROM_OK) {
        return status;
    }
    step->cold = job->shapes.source != NULL || carom_choose_cold(step->state);
    status = step->cold ? CAROM_OK : run_some(step, 0, FIRST_USE);
    if (status == CAROM_OK) {
        status = carom_job_cancelled(job, step->cold ? carom_cold_step(step) : use_list_with_room(step));
    }
    job->context->expected_rows = 0;
    return status == CAROM_ERROR_MEMORY ? carom_coherent_memory_explain(step) : status;
}

/* The margin is a mean: along the path and all around, for a body of mean displacement. Of a cold step there is none.
 */
static void fill_report(const carom_coherent *state, carom_coherent_report *report) {
    report->rebuilds = state->rebuilds;
    if (report->cold) {
        return;
    }
    report->candidates = state->list.pairs;
    report->steps_ahead = (uint32_t)state->lookahead.steps_ahead;
    report->margin = state->lookahead.margin + state->lookahead.steps_ahead * state->lookahead.displacement;
}

/* A cold step's line is that of its detection. */
static void explain(const carom_coherent_report *report, carom_detect_summary *summary) {
    if (report->cold) {
        char plan[CAROM_REASON_MAX];
        memcpy(plan, summary->reason, sizeof plan);
        snprintf(summary->reason, sizeof summary->reason, "a step without a list: %.*s", CAROM_REASON_MAX - 32, plan);
        return;
    }
    snprintf(summary->reason, sizeof summary->reason,
             "coherent: a list of %" PRIu64 " pairs%s, fat boxes reaching %" PRIu32 " steps ahead", report->candidates,
             report->rebuilt ? ", made anew" : "", report->steps_ahead);
}

/* After a failure the detection holds nothing but the sizes that are needed. After BODY, CAPACITY and STOPPED the next
 * step compares with the last one that succeeded; after all else it starts afresh. After CANCELLED, the entry point
 * sees to that. */
static carom_status fail(carom_coherent_step *step, carom_status status) {
    carom_detection *detection = step->job->detection;
    const bool counted = status != CAROM_ERROR_CANCELLED;
    uint64_t pairs = counted ? detection->summary.required_pairs : 0;
    uint64_t bytes = counted ? detection->summary.required_bytes : 0;
    memset(detection, 0, sizeof *detection);
    memset(step->report, 0, sizeof *step->report);
    detection->summary.required_pairs = pairs;
    detection->summary.required_bytes = bytes;
    if (!counted) {
        return status;
    }
    if (status != CAROM_ERROR_CAPACITY && status != CAROM_ERROR_BODY && status != CAROM_ERROR_STOPPED) {
        carom_coherent_forget(step->state);
    } else if (step->state->list.saved_ended > 0) {
        step->state->built = false; /* pairs that ended and are on no list: a rebuild saves them for the next step */
    }
    return status;
}

/* No bodies: every pair has ended. */
static carom_status run_empty(carom_coherent_step *step) {
    carom_coherent *state = step->state;
    uint64_t required = 0;
    carom_control_look(state->context->team.control);
    if (carom_job_stopped(step->job)) {
        return carom_job_cancelled(step->job, CAROM_OK);
    }
    if (state->compared && carom_coherent_list_save(state, &required) != CAROM_OK) {
        carom_job_no_memory(step->job, required);
        return carom_need_explain(step->job, 0);
    }
    if (carom_job_stopped(step->job)) {
        return carom_job_cancelled(step->job, CAROM_OK); /* not all pairs were saved */
    }
    state->list.saved_ended = state->list.saved;
    state->list.saved = 0;
    state->list.pairs = 0;
    state->count = 0;
    state->built = false;
    state->groups.known = false;
    state->cold.in_set = false;
    carom_status status = step->job->config->until >= CAROM_UNTIL_APPROACH ? find_events(step) : CAROM_OK;
    status = carom_job_cancelled(step->job, status);
    state->compared = false;
    state->list.saved_ended = 0;
    return status == CAROM_ERROR_MEMORY ? carom_need_explain(step->job, 0) : status;
}

/* What queries search after a step with a list; a cold one has left it. */
static void keep_records(carom_coherent_step *step) {
    const carom_coherent *state = step->state;
    step->job->search.records = carom_coherent_data(state, CAROM_COHERENT_RECORDS);
    memcpy(step->job->search.centre, step->centre, sizeof step->centre);
    if (step->hooks != NULL) {
        step->hooks->show(step);
    }
    carom_detect_keep(step->job);
    state->context->partition.count = state->count;
}

/* What is left to do when the results are there. */
static carom_status complete(carom_coherent_step *step) {
    carom_detect_job *job = step->job;
    if (!step->cold && job->config->hash && !job->periodic.float_results) {
        carom_hash_results(job);
        carom_job_lap(job, CAROM_PHASE_COLLECT);
    }
    if (carom_job_stopped(job)) {
        return carom_job_cancelled(job, CAROM_OK);
    }
    if (!step->cold && step->hooks != NULL && job->config->until >= CAROM_UNTIL_APPROACH) {
        carom_compare_step(step, job);
    }
    carom_status status = step->hooks != NULL ? step->hooks->deliver(step) : CAROM_OK;
    status = carom_job_cancelled(job, status);
    if (status == CAROM_OK) {
        const carom_bodies owned = carom_coherent_step_bodies(step);
        (step->cold ? carom_cold_finish : finish_step)(step);
        carom_motion_keep(step->state, &owned);
        if (!step->cold) {
            keep_records(step);
        }
    }
    return status;
}

carom_status carom_coherent_step_run(carom_coherent_step *step) {
    carom_coherent *state = step->state;
    const bool any = step->job->owned > 0;
    step->job->detection->summary.method = "coherent";
    carom_context_use_workers(state->context, step->job->owned);
    carom_status status = any ? run_stages(step) : run_empty(step);
    if (status == CAROM_OK && any) {
        status = complete(step);
    } else if (status == CAROM_OK) {
        carom_detect_keep(step->job);
    }
    if (status != CAROM_OK) {
        return fail(step, status);
    }
    fill_report(state, step->report);
    explain(step->report, &step->job->detection->summary);
    return CAROM_OK;
}

#define carom_coherent_run CAROM_REAL(carom_coherent_run)
#define carom_shape_source_of CAROM_REAL(carom_shape_source_of)

carom_status carom_coherent_run(carom_coherent *state, const carom_bodies *bodies, const carom_detect_config *config,
                                const carom_detect_output *output, carom_detection *detection,
                                carom_coherent_report *report, carom_error *error) {
    CAROM_ASSERT(config->until >= CAROM_UNTIL_PAIRS && config->periodic == NULL);
    CAROM_ASSERT(bodies->count <= CAROM_BODIES_MAX);
    const double begin = carom_clock_seconds();
    carom_detect_job job = {.context = state->context,
                            .bodies = bodies,
                            .config = config,
                            .output = output,
                            .detection = detection,
                            .error = error,
                            .owned = bodies->count,
                            .headroom = CAROM_HEADROOM_GROW,
                            .clock = begin};
    carom_shape_source shaped;
    job.shapes.source = carom_shape_source_of(bodies, &shaped);
    carom_coherent_step step = {.job = &job, .state = state, .report = report};
    carom_coherent_space_leave(state);
    carom_status status = carom_coherent_step_run(&step);
    detection->summary.seconds = status == CAROM_OK ? carom_clock_seconds() - begin : 0.0;
    return status;
}
