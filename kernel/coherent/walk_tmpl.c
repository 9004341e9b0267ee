/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Walks the list: which boxes overlap now, which of those pairs pass the filter, who touches, the rows of those that
 * do. Tasks are runs of the list, the same for any number of workers. */
#include "kernel/coherent/walk_tmpl.h"

#include "kernel/coherent/events.h"
#include "kernel/detect/results/hash_tmpl.h"
#include "kernel/detect/results/rows_tmpl.h"
#include "kernel/detect/results/run_tmpl.h"
#include "kernel/detect/results/sink_tmpl.h"
#include "kernel/detect/search/filter_tmpl.h"
#include "kernel/sys/clock.h"

/* Pairs of a task, and those handled at a time: few enough that their records stay in L1. */
enum { TASK = 16384, BLOCK = 1024 };

/* The pairs whose bits are set. */
static uint32_t pick(const uint8_t *bits, uint32_t count, const uint32_t *i, const uint32_t *k, uint32_t *out_i,
                     uint32_t *out_k) {
    uint32_t kept = 0;
    for (uint32_t n = 0; n < count; n++) {
        out_i[kept] = i[n];
        out_k[kept] = k[n];
        kept += (uint32_t)bits[n / 8] >> n % 8 & 1U;
    }
    return kept;
}

/* Clears the bits of the overlapping pairs that do not pass the filter. Those that do are a part of them in their
 * order, so that one walk finds them again. out_i and out_k are room for the pairs. */
static carom_recheck_counts drop_filtered(const carom_detect_job *job, uint32_t count, const uint32_t *i,
                                          const uint32_t *k, uint32_t *out_i, uint32_t *out_k, uint8_t *overlapping,
                                          uint8_t *touching) {
    uint32_t overlaps = pick(overlapping, count, i, k, out_i, out_k);
    carom_recheck_counts left = {.overlapping = carom_filter_pairs(job, overlaps, out_i, out_k)};
    uint32_t seen = 0;
    for (uint32_t n = 0; n < count; n += 8) {
        uint32_t pass = 0;
        for (uint32_t bit = 0; bit < 8 && n + bit < count; bit++) {
            uint32_t same = (seen < left.overlapping) & (out_i[seen] == i[n + bit]) & (out_k[seen] == k[n + bit]);
            pass |= same << bit;
            seen += same;
        }
        overlapping[n / 8] = (uint8_t)pass;
        touching[n / 8] &= (uint8_t)pass;
        left.touching += (uint32_t)__builtin_popcount(touching[n / 8]);
    }
    return left;
}

static double run_block(carom_coherent_step *step, carom_worker *worker, carom_task *task, uint64_t at, uint32_t count,
                        double clock) {
    carom_detect_job *job = step->job;
    const carom_coherent *state = step->state;
    const uint32_t *i = (const uint32_t *)carom_coherent_data(state, CAROM_COHERENT_PAIR_I) + at;
    const uint32_t *k = (const uint32_t *)carom_coherent_data(state, CAROM_COHERENT_PAIR_K) + at;
    uint8_t *touching = (uint8_t *)carom_coherent_data(state, CAROM_COHERENT_TOUCHING) + at / 8;
    uint8_t overlapping[BLOCK / 8];
    uint32_t *out_i = worker->workspace.hit_i;
    uint32_t *out_k = worker->workspace.hit_k;
    const carom_recheck_in pairs = {job->search.records, step->centre, count, state->list.pairs - at - count, i, k};
    carom_recheck_out kept = {out_i, out_k, overlapping, touching, {0, 0}};
    carom_kernels_of(state->context->simd)->recheck(&pairs, &kept);
    carom_recheck_counts found = kept.counts;
    if (job->config->filter != NULL) {
        found = drop_filtered(job, count, i, k, out_i, out_k, overlapping, touching);
        pick(touching, count, i, k, out_i, out_k);
    }
    clock = carom_job_worker_lap(worker, CAROM_PHASE_SWEEP, clock);
    bool only_pairs = job->config->until == CAROM_UNTIL_PAIRS;
    worker->box_pairs += found.overlapping;
    worker->touching_pairs += only_pairs ? 0 : found.touching;
    if (job->config->hash && !only_pairs) {
        worker->touching_hash += carom_hash_pairs(job, found.touching, out_i, out_k);
    }
    if (only_pairs || job->config->all_pairs) {
        pick(overlapping, count, i, k, out_i, out_k);
        carom_run_store_pairs(job, worker, task, found.overlapping, out_i, out_k);
    } else {
        carom_run_store_pairs(job, worker, task, found.touching, out_i, out_k);
    }
    return carom_job_worker_lap(worker, CAROM_PHASE_APPROACH, clock);
}

static void search_task(void *data, carom_worker *worker, carom_task *task) {
    carom_coherent_step *step = data;
    double clock = carom_clock_seconds();
    for (uint64_t at = task->begin; at < task->end && !carom_sink_stopped(step->job); at += BLOCK) {
        uint32_t count = task->end - at < BLOCK ? (uint32_t)(task->end - at) : BLOCK;
        clock = run_block(step, worker, task, at, count, clock);
    }
}

static void note_bytes(const carom_coherent_step *step) {
    const carom_detect_job *job = step->job;
    double *bytes = job->detection->summary.phase_bytes;
    double record = sizeof(carom_record);
    double rows = job->rows.destination == CAROM_ROWS_STORED ? (double)job->detection->summary.required_pairs : 0.0;
    bytes[CAROM_PHASE_SWEEP] = (double)step->state->list.pairs * (8 + 2 * record);
    bytes[CAROM_PHASE_APPROACH] = rows * (2 * record + carom_rows_bytes(job));
}

/* Once the sink has had a block nothing should fail for want of memory: room for the rows and the events is made
 * before. */
static carom_status prepare_sink(carom_coherent_step *step) {
    uint64_t required = 0;
    carom_status status = carom_sink_start(step->job);
    if (status == CAROM_OK && step->job->rows.destination == CAROM_ROWS_TO_SINK &&
        step->job->config->until >= CAROM_UNTIL_APPROACH && carom_events_reserve(step->state, &required) != CAROM_OK) {
        status = carom_job_no_memory(step->job, required);
    }
    return status;
}

uint64_t carom_walk_tasks(uint64_t room) {
    return room / TASK + 1;
}

static uint64_t hit_bytes(uint64_t workers) {
    return workers * 2 * (BLOCK + CAROM_SIMD_PAD) * sizeof(uint32_t);
}

uint64_t carom_walk_bytes(uint64_t workers, uint64_t room) {
    return carom_walk_tasks(room) * sizeof(carom_task) + hit_bytes(workers);
}

static carom_status prepare_tasks(carom_coherent_step *step) {
    carom_detect_job *job = step->job;
    carom_coherent *state = step->state;
    uint64_t tasks = (state->list.pairs + TASK - 1) / TASK;
    uint64_t room = carom_walk_tasks(state->list.room);
    uint64_t required = 0;
    uint64_t workers = state->context->team.workers;
    const uint64_t hits = BLOCK + CAROM_SIMD_PAD;
    const carom_coherent_need need[] = {{CAROM_COHERENT_TASKS, room * sizeof(carom_task)},
                                        {CAROM_COHERENT_HITS, hit_bytes(workers)}};
    if (carom_coherent_reserve(state, need, 2, &required) != CAROM_OK) {
        return carom_job_no_memory(step->job, required);
    }
    for (uint64_t w = 0; w < workers; w++) {
        uint32_t *own = (uint32_t *)carom_coherent_data(state, CAROM_COHERENT_HITS) + w * 2 * hits;
        job->workers[w].workspace.hit_i = own;
        job->workers[w].workspace.hit_k = own + hits;
    }
    job->queue.tasks = carom_coherent_data(state, CAROM_COHERENT_TASKS);
    job->queue.count = tasks;
    for (uint64_t n = 0; n < tasks; n++) {
        uint64_t end = (n + 1) * TASK < state->list.pairs ? (n + 1) * TASK : state->list.pairs;
        job->queue.tasks[n] = (carom_task){.begin = (uint32_t)(n * TASK), .end = (uint32_t)end};
    }
    return CAROM_OK;
}

carom_status carom_walk_list(carom_coherent_step *step) {
    carom_detect_job *job = step->job;
    carom_status status = prepare_tasks(step);
    if (status == CAROM_OK) {
        carom_rows_prepare(job);
        status = prepare_sink(step);
    }
    if (status != CAROM_OK) {
        return status;
    }
    carom_run_tasks(job, 0, search_task, step);
    carom_job_sum_workers(job);
    note_bytes(step);
    return carom_sink_end(job);
}
