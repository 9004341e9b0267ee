/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A step of coherent detection: bodies are held against their fat boxes and moved to their slots; the list is extended
 * or rebuilt if some have left; it is walked; what changed is told; groups, rows and hashes as in cold detection. */
#include "kernel/coherent/run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernel/broad/partition.h"
#include "kernel/coherent/build_tmpl.h"
#include "kernel/coherent/escape_tmpl.h"
#include "kernel/coherent/events.h"
#include "kernel/coherent/list.h"
#include "kernel/coherent/memory_tmpl.h"
#include "kernel/coherent/regroup.h"
#include "kernel/coherent/walk_tmpl.h"
#include "kernel/detect/need_tmpl.h"
#include "kernel/detect/results/collect_tmpl.h"
#include "kernel/detect/results/hash_tmpl.h"
#include "kernel/detect/results/members_tmpl.h"
#include "kernel/detect/results/room_tmpl.h"
#include "kernel/detect/search/filter_tmpl.h"
#include "kernel/detect/search/survey_tmpl.h"
#include "kernel/sys/clock.h"
#include "kernel/sys/error.h"

/* Bodies outside their fat boxes, as a share of all, from which on the rest are not looked at: there will be a rebuild.
 */
enum { ESCAPED_SHARE = 64, ESCAPED_LEAST = 16 };

/* What the workers that move bodies share. */
typedef struct move {
    carom_coherent_step *step;
    uint64_t escaped[CAROM_THREADS_MAX]; /* bodies that each worker found outside their fat boxes */
} move;

/* A worker's finds begin where its bodies do. */
static void move_bodies(void *data, uint32_t w) {
    move *m = data;
    carom_coherent_step *step = m->step;
    const carom_coherent *state = step->state;
    const carom_simd *simd = state->context->simd;
    const carom_fat_box_set fat_boxes = carom_coherent_fat_box_set(state);
    const uint32_t *slot = carom_coherent_data(state, CAROM_COHERENT_SLOT);
    uint32_t *out = carom_coherent_data(state, CAROM_COHERENT_ESCAPED);
    const bool past_cache = state->count * sizeof(carom_record) > CAROM_PAST_CACHE;
    const double clock = carom_clock_seconds();
    const carom_range own = carom_team_range(&state->context->team, w, state->count, CAROM_COHERENT_BLOCK);
    uint64_t found = own.begin;
    for (uint64_t at = own.begin; at < own.end && found - own.begin <= step->escaped_most; at += CAROM_COHERENT_BLOCK) {
        uint64_t stop = at + CAROM_COHERENT_BLOCK < own.end ? at + CAROM_COHERENT_BLOCK : own.end;
        const carom_follow_in moved = {step->job->bodies, at, stop, &fat_boxes, slot, past_cache};
        carom_follow_out to = {.records = step->job->search.records, .escaped = out + found};
        carom_kernels_of(simd)->follow(&moved, &to);
        found += to.escaped_count;
    }
    m->escaped[w] = found - own.begin;
    carom_job_worker_lap(&step->job->workers[w], CAROM_PHASE_PARTITION, clock);
}

/* Joins the workers' finds; returns how many there are. */
static uint64_t join_escaped(const move *m) {
    const carom_coherent *state = m->step->state;
    const carom_team *team = &state->context->team;
    uint32_t *escaped = carom_coherent_data(state, CAROM_COHERENT_ESCAPED);
    uint64_t count = 0;
    for (uint32_t w = 0; w < team->workers; w++) {
        const carom_range own = carom_team_range(team, w, state->count, CAROM_COHERENT_BLOCK);
        memmove(escaped + count, escaped + own.begin, m->escaped[w] * sizeof *escaped);
        count += m->escaped[w];
    }
    return count;
}

static uint64_t move_all(carom_coherent_step *step) {
    carom_detect_job *job = step->job;
    move m;
    m.step = step;
    job->search.records = carom_coherent_data(step->state, CAROM_COHERENT_RECORDS);
    step->escaped_most = step->state->count / ESCAPED_SHARE + ESCAPED_LEAST;
    carom_team_run(&job->context->team, move_bodies, &m);
    double *bytes = job->detection->summary.phase_bytes;
    const double fat_box = 6.0 * (step->state->has_inner ? sizeof(uint16_t) : sizeof(float));
    bytes[CAROM_PHASE_PARTITION] =
        (double)job->bodies->count * (7.0 * sizeof(carom_real) + fat_box + sizeof(uint32_t) + sizeof(carom_record));
    carom_job_share_time(job);
    return join_escaped(&m);
}

/* Of what a survey finds only the centre, the length and bad bodies matter: the list takes the place of a plan. */
static carom_status survey(carom_coherent_step *step) {
    carom_part scene = {.bodies = *step->job->bodies};
    carom_status status = carom_survey_part(step->job, &scene, CAROM_METHOD_SWEEP);
    step->job->detection->summary.method = "coherent";
    step->length = (double)scene.plan.sweep_hi - (double)scene.plan.sweep_lo;
    memcpy(step->centre, step->job->search.centre, sizeof step->centre);
    return status;
}

/* Doubles' boxes are relative to the centre that cold detection would use; whether the fat boxes still serve it. Bad
 * bodies are found as they leave their fat boxes. */
static bool is_centre_near(carom_coherent_step *step) {
    const carom_coherent *state = step->state;
    bool near = true;
    carom_survey_centre(step->job->bodies, step->centre);
    for (int a = 0; a < 3; a++) {
        near = near && fabs(step->centre[a] - state->centre[a]) <= state->drift;
    }
    return near;
}

static bool is_any_bad(const carom_coherent_step *step, uint64_t escaped) {
    const uint32_t *who = carom_coherent_data(step->state, CAROM_COHERENT_ESCAPED);
    const carom_bodies *bodies = step->job->bodies;
    bool bad = false;
    for (uint64_t n = 0; n < escaped && !bad; n++) {
        bad = !(bodies->radius[who[n]] >= 0) || !isfinite(bodies->radius[who[n]]);
        for (int a = 0; a < 3; a++) {
            bad = bad || !isfinite(bodies->prev[a][who[n]]) || !isfinite(bodies->curr[a][who[n]]);
        }
    }
    return bad;
}

/* True: the bodies are in their slots and the list holds all pairs that could overlap. */
static carom_status follow(carom_coherent_step *step, bool *followed) {
    carom_coherent *state = step->state;
    *followed = false;
    if (!state->built || state->count != step->job->bodies->count) {
        return CAROM_OK;
    }
    if (sizeof(carom_real) == sizeof(double) && !is_centre_near(step)) {
        return CAROM_OK;
    }
    uint64_t escaped = move_all(step);
    if (is_any_bad(step, escaped)) {
        return survey(step); /* names the first */
    }
    *followed = escaped == 0 || (escaped <= step->escaped_most && carom_escape_grow(step, escaped));
    step->report->escapes = *followed ? escaped : 0;
    carom_job_lap(step->job, CAROM_PHASE_BOUNDS);
    return CAROM_OK;
}

static carom_status rebuild(carom_coherent_step *step) {
    carom_status status = survey(step);
    if (status == CAROM_OK) {
        status = carom_build_list(step);
    }
    if (status == CAROM_OK) {
        status = carom_job_start_workers(step->job); /* the build used their memory */
    }
    if (status != CAROM_OK) {
        return status;
    }
    step->report->rebuilt = true;
    step->job->headroom = CAROM_HEADROOM_AHEAD;
    carom_job_lap(step->job, CAROM_PHASE_PARTITION);
    uint64_t escaped = move_all(step);
    if (escaped > 0 && !carom_escape_grow(step, escaped)) {
        return carom_error_set(step->job->error, CAROM_ERROR_ARGUMENT, "fat boxes do not hold their bodies");
    }
    return CAROM_OK;
}

static carom_status find_changes(carom_coherent_step *step) {
    carom_coherent *state = step->state;
    uint64_t required = 0;
    if (carom_events_find(state, step->job->detection->summary.touching_pairs, step->report, &required) != CAROM_OK) {
        return carom_job_no_memory(step->job, required);
    }
    return CAROM_OK;
}

static carom_status find_groups(carom_coherent_step *step) {
    carom_coherent *state = step->state;
    carom_detect_job *job = step->job;
    uint64_t changed = step->report->begun + step->report->ended;
    if (!state->grouped || !carom_regroup_update(state, changed, &state->groups)) {
        state->groups = carom_regroup_all(state);
    }
    state->grouped = false; /* until the step has succeeded */
    job->detection->summary.groups = state->groups.groups;
    job->detection->summary.largest_group = state->groups.largest;
    job->detection->groups.count = state->groups.groups;
    job->detection->groups.label = carom_coherent_data(state, CAROM_COHERENT_LABEL);
    carom_status status =
        job->config->group_members ? carom_room_explain(job, carom_members_list(job, state->groups.groups)) : CAROM_OK;
    job->detection->summary.phase_bytes[CAROM_PHASE_GROUPS] = (double)state->list.pairs / 4;
    return status;
}

/* The marks of this step become those of the step before. */
static void turn_page(carom_coherent_step *step) {
    carom_coherent *state = step->state;
    carom_until until = step->job->config->until;
    state->compared = until >= CAROM_UNTIL_APPROACH;
    state->grouped = until >= CAROM_UNTIL_GROUPS;
    state->list.carried_ended = 0;
    if (state->compared) {
        carom_buffer now = state->buffer[CAROM_COHERENT_TOUCHING];
        state->buffer[CAROM_COHERENT_TOUCHING] = state->buffer[CAROM_COHERENT_TOUCHING_BEFORE];
        state->buffer[CAROM_COHERENT_TOUCHING_BEFORE] = now;
    }
    carom_coherent_reach_step(&state->reach, state->count, state->list.pairs);
}

static void forget_marks(carom_coherent *state) {
    memset(carom_coherent_data(state, CAROM_COHERENT_TOUCHING_BEFORE), 0, state->list.room / 8 + 64);
}

/* The bodies in their slots, and a list that holds all pairs that could overlap. */
static carom_status find_list(carom_coherent_step *step) {
    bool followed = false;
    carom_status status = carom_job_start_workers(step->job);
    if (status == CAROM_OK) {
        status = follow(step, &followed);
    }
    if (status == CAROM_OK && !followed) {
        status = rebuild(step);
    }
    if (status == CAROM_OK && !step->state->compared) {
        forget_marks(step->state);
    }
    return status;
}

/* What the list tells: pairs, changes, groups, rows. */
static carom_status use_list(carom_coherent_step *step) {
    carom_detect_job *job = step->job;
    carom_status status = carom_filter_check(job); /* after a rebuild, which may give its memory back */
    if (status == CAROM_OK) {
        status = carom_filter_start(job);
    }
    if (status == CAROM_OK) {
        status = carom_walk_list(step);
    }
    if (status == CAROM_OK && job->config->until >= CAROM_UNTIL_APPROACH) {
        status = find_changes(step);
    }
    if (status == CAROM_OK && job->config->until >= CAROM_UNTIL_GROUPS) {
        status = find_groups(step);
    }
    carom_job_lap(job, CAROM_PHASE_GROUPS);
    return status == CAROM_OK ? carom_collect_results(job) : status;
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
                              .search = job->search};
    carom_context_release_work(job->context);
    return carom_job_start_workers(job);
}

/* The list is walked again if memory gives out: without the buffers of the rebuild and of earlier calls, and once more
 * when the number of rows is known, which a growing table needs more memory for than one of that size. */
static carom_status use_list_with_room(carom_coherent_step *step) {
    carom_detect_job *job = step->job;
    carom_detect_summary *summary = &job->detection->summary;
    carom_room_counted counted = {0};
    bool known = false;
    carom_status status = use_list(step);
    for (int more = 2; status == CAROM_ERROR_MEMORY && job->sink.delivered == 0 && more > 0 && !known; more--) {
        carom_room_note(summary, &counted);
        status = start_over(job);
        known = job->context->expected_rows != 0;
        status = status == CAROM_OK ? use_list(step) : status;
    }
    if (status == CAROM_ERROR_MEMORY) {
        carom_room_recall(&counted, summary);
    }
    return status;
}

static carom_status run_stages(carom_coherent_step *step) {
    carom_detect_job *job = step->job;
    carom_status status = find_list(step);
    if (status == CAROM_OK) {
        status = use_list_with_room(step);
    }
    job->context->expected_rows = 0;
    return status == CAROM_ERROR_MEMORY ? carom_coherent_memory_explain(step) : status;
}

static void fill_report(const carom_coherent *state, carom_coherent_report *report) {
    report->rebuilds = state->rebuilds;
    report->candidates = state->list.pairs;
    report->steps_ahead = (uint32_t)state->reach.steps_ahead;
    report->margin = state->reach.margin + state->reach.steps_ahead * state->reach.displacement;
}

static void explain(const carom_coherent_report *report, carom_detect_summary *summary) {
    snprintf(summary->reason, sizeof summary->reason,
             "coherent: a list of %" PRIu64 " pairs%s, fat boxes reaching %" PRIu32 " steps ahead", report->candidates,
             report->rebuilt ? ", made anew" : "", report->steps_ahead);
}

static carom_status fail(carom_coherent_step *step, carom_status status) {
    carom_detection *detection = step->job->detection;
    uint64_t pairs = detection->summary.required_pairs;
    uint64_t bytes = detection->summary.required_bytes;
    memset(detection, 0, sizeof *detection);
    memset(step->report, 0, sizeof *step->report);
    detection->summary.required_pairs = pairs;
    detection->summary.required_bytes = bytes;
    if (status != CAROM_ERROR_CAPACITY && status != CAROM_ERROR_BODY && status != CAROM_ERROR_STOPPED) {
        carom_coherent_forget(step->state);
    } else if (step->state->list.carried_ended > 0) {
        step->state->built = false; /* the list knows nothing of them: the next step carries them on to a new one */
    }
    return status;
}

/* No bodies: every pair has ended. */
static carom_status run_empty(carom_coherent_step *step) {
    carom_coherent *state = step->state;
    uint64_t required = 0;
    if (state->compared && carom_coherent_list_carry(state, &required) != CAROM_OK) {
        carom_job_no_memory(step->job, required);
        return carom_need_explain(step->job, 0);
    }
    state->list.carried_ended = state->list.carried;
    state->list.carried = 0;
    state->list.pairs = 0;
    state->count = 0;
    state->built = false;
    state->compared = false;
    state->grouped = false;
    carom_status status = step->job->config->until >= CAROM_UNTIL_APPROACH ? find_changes(step) : CAROM_OK;
    state->list.carried_ended = 0;
    return status == CAROM_ERROR_MEMORY ? carom_need_explain(step->job, 0) : status;
}

#define carom_coherent_run CAROM_REAL(carom_coherent_run)

carom_status carom_coherent_run(carom_coherent *state, const carom_bodies *bodies, const carom_detect_config *config,
                                const carom_detect_output *output, carom_detection *detection,
                                carom_coherent_report *report, carom_error *error) {
    double begin = carom_clock_seconds();
    carom_detect_job job = {.context = state->context,
                            .bodies = bodies,
                            .config = config,
                            .output = output,
                            .detection = detection,
                            .error = error,
                            .owned = bodies->count,
                            .headroom = CAROM_HEADROOM_GROW,
                            .clock = begin};
    carom_coherent_step step = {.job = &job, .state = state, .report = report};
    detection->summary.method = "coherent";
    carom_context_use_workers(state->context, bodies->count);
    carom_status status = bodies->count > 0 ? run_stages(&step) : run_empty(&step);
    if (status != CAROM_OK) {
        return fail(&step, status);
    }
    if (config->hash && bodies->count > 0) {
        carom_hash_results(&job);
        carom_job_lap(&job, CAROM_PHASE_COLLECT);
    }
    if (bodies->count > 0) {
        turn_page(&step);
    }
    fill_report(state, report);
    explain(report, &detection->summary);
    detection->summary.seconds = carom_clock_seconds() - begin;
    return CAROM_OK;
}
