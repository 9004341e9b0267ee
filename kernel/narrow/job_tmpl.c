/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: pairs of a caller's bodies. Out: their answers, or the first fault. Bodies that no pair names are not read. After
 * a fault pairs go on being checked, so that the lowest one is found; what they receive means nothing. */
#include "kernel/narrow/job_tmpl.h"

#include <inttypes.h>

#include "kernel/narrow/pair.h"
#include "kernel/sys/error.h"

/* A pair is worth so many bodies of a detection: a context uses a thread for each of some thousand bodies. */
enum { BODIES_A_PAIR = 8 };

/* Bodies are fetched so many pairs ahead: those of a pair lie anywhere. */
enum { AHEAD = 8 };

static const carom_body_names names_of_poses = {
    .at = {"at_x", "at_y", "at_z"},
    .turn = {"turn_x", "turn_y", "turn_z", "turn_w"},
    .whole_turn = "turn",
    .end = {"move_x", "move_y", "move_z"},
    .spin = {"spin_x", "spin_y", "spin_z"},
    .whole_spin = "spin",
};

static const char *kind_name(carom_shape_kind kind) {
    static const char *const names[] = {"sphere",    "capsule", "box",        "cylinder", "cone",
                                        "ellipsoid", "hull",    "half-space", "line",     "compound"};
    return names[kind];
}

static carom_status explain_untested(const carom_shape_entry *i, const carom_shape_entry *k, uint64_t body,
                                     carom_error *error) {
    return carom_error_body(error, body, "shape", "body %" PRIu64 ": there is no test for a %s and a %s", body,
                            kind_name(i->kind), kind_name(k->kind));
}

/* Gathers a body; false, and notes it, if it is invalid. */
static bool load_body(carom_job *job, uint32_t body, carom_job_body *to) {
    carom_gather_body(job->pairs->bodies, body, job->moving, &to->numbers);
    if (!carom_body_is_valid(&to->numbers, job->pairs->bodies->shapes)) {
        carom_faults_note(&job->faults.body, body);
        return false;
    }
    carom_body_pose(&to->numbers, job->pairs->bodies->shapes, &to->body);
    return true;
}

static void load_pair(carom_job *job, uint64_t n, carom_job_body *i, carom_job_body *k) {
    const carom_job_pairs *pairs = job->pairs;
    if (pairs->i[n] >= pairs->bodies->count || pairs->k[n] >= pairs->bodies->count) {
        carom_faults_note(&job->faults.stray, n);
        return;
    }
    const bool valid_i = load_body(job, pairs->i[n], i);
    const bool valid_k = load_body(job, pairs->k[n], k);
    if (valid_i && valid_k && !carom_pair_has(i->body.posed.shape, k->body.posed.shape)) {
        carom_faults_note(&job->faults.untested, n);
    }
}

void carom_job_answer_pair(carom_job *job, carom_job_block *block, uint64_t n) {
    load_pair(job, n, &block->i[0], &block->k[0]);
    if (!carom_faults_any(&job->faults)) {
        job->answer(job, &block->i[0], &block->k[0], n);
    }
}

static inline __attribute__((always_inline)) void fetch_pair(const carom_job_pairs *pairs, uint64_t n) {
    if (n < pairs->count && pairs->i[n] < pairs->bodies->count && pairs->k[n] < pairs->bodies->count) {
        carom_gather_fetch(pairs->bodies, pairs->i[n]);
        carom_gather_fetch(pairs->bodies, pairs->k[n]);
    }
}

bool carom_job_load(carom_job *job, carom_job_block *block, uint64_t begin, uint32_t count) {
    for (uint32_t n = 0; n < count; n++) {
        fetch_pair(job->pairs, begin + n + AHEAD);
        load_pair(job, begin + n, &block->i[n], &block->k[n]);
    }
    return !carom_faults_any(&job->faults);
}

static void run_worker(void *data, uint32_t worker) {
    carom_job *job = data;
    carom_walk walk = carom_team_walk(&job->context->team, worker, job->pairs->count, CAROM_JOB_BLOCK);
    walk.step = job->chunk;
    while (carom_walk_next(&walk)) {
        job->answer_block(job, &job->blocks[worker], walk.begin, (uint32_t)(walk.end - walk.begin));
    }
}

static carom_status explain_stray(const carom_job_pairs *pairs, uint64_t n, carom_error *error) {
    const bool first = pairs->i[n] >= pairs->bodies->count;
    return carom_error_set(error, CAROM_ERROR_ARGUMENT, "%s[%" PRIu64 "] is %" PRIu32 "; there are %" PRIu64 " bodies",
                           first ? "i" : "k", n, first ? pairs->i[n] : pairs->k[n], pairs->bodies->count);
}

/* Says what is wrong with the lowest body or pair. */
static carom_status explain(carom_job *job, carom_error *error) {
    const carom_job_pairs *pairs = job->pairs;
    const uint64_t stray = job->faults.stray;
    const uint64_t body = job->faults.body;
    const uint64_t untested = job->faults.untested;
    carom_job_body *i = &job->blocks->i[0];
    carom_job_body *k = &job->blocks->k[0];
    if (stray != CAROM_FAULT_NONE) {
        return explain_stray(pairs, stray, error);
    }
    if (body != CAROM_FAULT_NONE) {
        carom_gather_body(pairs->bodies, body, job->moving, &i->numbers);
        return carom_body_explain(&i->numbers, pairs->bodies->shapes, &carom_body_array_names, body, error);
    }
    if (untested != CAROM_FAULT_NONE) {
        load_pair(job, untested, i, k);
        return explain_untested(i->body.posed.shape, k->body.posed.shape, pairs->i[untested], error);
    }
    return CAROM_OK;
}

static carom_status reserve(carom_job *job, carom_error *error) {
    uint64_t required = 0;
    const carom_work_need need = {CAROM_WORK_PAIR_BLOCKS, job->context->team.workers * sizeof *job->blocks};
    if (carom_context_reserve(job->context, &need, 1, &required) != CAROM_OK) {
        return carom_error_set(error, CAROM_ERROR_MEMORY,
                               "no memory for the pairs: %" PRIu64 " bytes in all would be enough", required);
    }
    job->blocks = carom_context_work(job->context, CAROM_WORK_PAIR_BLOCKS);
    return CAROM_OK;
}

carom_status carom_job_run(carom_job *job, carom_error *error) {
    carom_team *team = &job->context->team;
    carom_context_use_workers(job->context, carom_size_multiply(job->pairs->count, BODIES_A_PAIR));
    carom_faults_init(&job->faults);
    const carom_status status = reserve(job, error);
    if (status != CAROM_OK) {
        return status;
    }
    carom_team_run(team, run_worker, job);
    return carom_team_stopped(team) ? carom_error_set(error, CAROM_ERROR_CANCELLED, "the call was cancelled")
                                    : explain(job, error);
}

carom_status carom_job_one(carom_job *job, const carom_shapes *shapes, carom_job_body *i, carom_job_body *k,
                           carom_error *error) {
    carom_job_body *const pair[] = {i, k};
    for (uint64_t n = 0; n < 2; n++) {
        if (!carom_body_is_valid(&pair[n]->numbers, shapes)) {
            return carom_body_explain(&pair[n]->numbers, shapes, &names_of_poses, n, error);
        }
        carom_body_pose(&pair[n]->numbers, shapes, &pair[n]->body);
    }
    if (!carom_pair_has(i->body.posed.shape, k->body.posed.shape)) {
        return explain_untested(i->body.posed.shape, k->body.posed.shape, 0, error);
    }
    job->answer(job, i, k, 0);
    return CAROM_OK;
}
