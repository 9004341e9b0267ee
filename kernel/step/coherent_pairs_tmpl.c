/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Walks the list: which boxes overlap now, who touches, the rows of those that do. Tasks are runs of the list, the same
 * for any number of workers. */
#include <string.h>

#include "kernel/step/coherent_tmpl.h"
#include "kernel/sys/clock.h"

/* Pairs of a task, and those handled at a time: few enough that their records stay in L1. */
enum { TASK = 16384, BLOCK = 512 };

static double lap(carom_worker *worker, carom_phase phase, double since) {
    double now = carom_clock_seconds();
    worker->seconds[phase] += now - since;
    return now;
}

static void make_boxes(const carom_coherent_step *step, uint64_t begin, uint64_t end) {
    const carom_coherent *state = step->state;
    state->context->simd->CAROM_REAL(slot_boxes)(step->job->records, begin, end, step->centre,
                                                 carom_coherent_data(state, CAROM_COHERENT_BOXES));
}

static void make_all_boxes(void *data, uint32_t w) {
    carom_coherent_step *step = data;
    uint64_t begin;
    uint64_t end;
    double clock = carom_clock_seconds();
    carom_team_range(&step->state->context->team, w, step->state->count, BLOCK, &begin, &end);
    make_boxes(step, begin, end);
    lap(&step->job->workers[w], CAROM_PHASE_SORT, clock);
}

/* One worker makes boxes shortly before they are used: up to the largest slot of the pairs before `end`. */
static void make_boxes_for(carom_coherent_step *step, uint64_t end) {
    const carom_coherent *state = step->state;
    const uint32_t *pair_i = carom_coherent_data(state, CAROM_COHERENT_PAIR_I);
    uint64_t to = end <= state->ordered && end < state->pairs ? (uint64_t)pair_i[end - 1] + 1 : state->count;
    to = (to + CAROM_SIMD_PAD - 1) / CAROM_SIMD_PAD * CAROM_SIMD_PAD;
    to = to < state->count ? to : state->count;
    if (to > step->boxes_done) {
        make_boxes(step, step->boxes_done, to);
        step->boxes_done = to;
    }
}

static uint32_t overlapping(const carom_slot_box *boxes, uint32_t count, const uint32_t *i, const uint32_t *k,
                            uint32_t *out_i, uint32_t *out_k) {
    uint32_t kept = 0;
    for (uint32_t n = 0; n < count; n++) {
        const carom_slot_box *a = &boxes[i[n]];
        const carom_slot_box *b = &boxes[k[n]];
        bool overlap = true;
        for (int x = 0; x < 3; x++) {
            overlap = overlap && a->lo[x] <= b->hi[x] && b->lo[x] <= a->hi[x];
        }
        out_i[kept] = i[n];
        out_k[kept] = k[n];
        kept += overlap;
    }
    return kept;
}

static double run_block(carom_coherent_step *step, carom_worker *worker, carom_cell_task *task, uint64_t at,
                        uint32_t count, double clock) {
    carom_detect_job *job = step->job;
    const carom_coherent *state = step->state;
    const carom_slot_box *boxes = carom_coherent_data(state, CAROM_COHERENT_BOXES);
    const uint32_t *i = (const uint32_t *)carom_coherent_data(state, CAROM_COHERENT_PAIR_I) + at;
    const uint32_t *k = (const uint32_t *)carom_coherent_data(state, CAROM_COHERENT_PAIR_K) + at;
    uint8_t *touching = (uint8_t *)carom_coherent_data(state, CAROM_COHERENT_TOUCHING) + at / 8;
    uint32_t *out_i = worker->space.hit_i;
    uint32_t *out_k = worker->space.hit_k;
    uint32_t box_pairs = 0;
    bool only_pairs = job->config->until == CAROM_UNTIL_PAIRS;
    if (only_pairs || job->config->all_pairs) {
        box_pairs = overlapping(boxes, count, i, k, out_i, out_k);
        CAROM_REAL(carom_detect_store_pairs)(job, task, box_pairs, out_i, out_k);
        worker->box_pairs += box_pairs;
        clock = lap(worker, CAROM_PHASE_APPROACH, clock);
    }
    if (only_pairs) {
        return clock;
    }
    box_pairs = 0;
    uint32_t kept =
        state->context->simd->CAROM_REAL(recheck)(job->records, boxes, count, i, k, out_i, out_k, touching, &box_pairs);
    clock = lap(worker, CAROM_PHASE_SWEEP, clock);
    worker->touching_pairs += kept;
    if (!job->config->all_pairs) {
        worker->box_pairs += box_pairs;
        CAROM_REAL(carom_detect_store_pairs)(job, task, kept, out_i, out_k);
    }
    if (job->config->hash) {
        worker->touching_hash += CAROM_REAL(carom_detect_hash_pairs)(job->records, kept, out_i, out_k);
    }
    return lap(worker, CAROM_PHASE_APPROACH, clock);
}

static void run_tasks(void *data, uint32_t w) {
    carom_coherent_step *step = data;
    carom_detect_job *job = step->job;
    carom_worker *worker = &job->workers[w];
    bool alone = step->state->context->team.workers == 1;
    uint64_t done = 0;
    for (uint64_t t = carom_team_claim(&job->next_task); t < job->task_count; t = carom_team_claim(&job->next_task)) {
        carom_cell_task *task = &job->tasks[t];
        task->first_row = done;
        uint64_t end = (t + 1) * TASK < step->state->pairs ? (t + 1) * TASK : step->state->pairs;
        double clock = carom_clock_seconds();
        for (uint64_t at = t * TASK; at < end; at += BLOCK) {
            uint32_t count = end - at < BLOCK ? (uint32_t)(end - at) : BLOCK;
            if (alone) {
                make_boxes_for(step, at + count);
                clock = lap(worker, CAROM_PHASE_SORT, clock);
            }
            clock = run_block(step, worker, task, at, count, clock);
        }
        done += task->rows;
    }
}

static void sum_workers(carom_detect_job *job) {
    carom_detect_summary *summary = &job->detection->summary;
    for (uint32_t w = 0; w < job->context->team.workers; w++) {
        summary->box_pairs += job->workers[w].box_pairs;
        summary->touching_pairs += job->workers[w].touching_pairs;
        summary->touching_hash += job->workers[w].touching_hash;
    }
    bool touching = job->config->until >= CAROM_UNTIL_APPROACH && !job->config->all_pairs;
    summary->required_pairs = touching ? summary->touching_pairs : summary->box_pairs;
}

static void note_bytes(const carom_coherent_step *step) {
    const carom_detect_job *job = step->job;
    double *bytes = job->detection->summary.phase_bytes;
    double record = sizeof(carom_record);
    double rows = job->store_rows ? (double)job->detection->summary.required_pairs : 0.0;
    bytes[CAROM_PHASE_SORT] = (double)step->state->count * (record + sizeof(carom_slot_box));
    bytes[CAROM_PHASE_SWEEP] = (double)step->state->pairs * (8 + 2 * sizeof(carom_slot_box));
    bytes[CAROM_PHASE_APPROACH] = rows * (2 * record + (double)carom_rows_bytes(job->shape, 16) / 16);
}

carom_status CAROM_REAL(carom_coherent_pairs)(carom_coherent_step *step) {
    carom_detect_job *job = step->job;
    carom_coherent *state = step->state;
    uint64_t tasks = (state->pairs + TASK - 1) / TASK;
    uint64_t room = state->pairs_room / TASK + 1;
    uint64_t required = 0;
    uint64_t workers = state->context->team.workers;
    const uint64_t hits = BLOCK + CAROM_SIMD_PAD;
    const carom_coherent_need need[] = {{CAROM_COHERENT_TASKS, room * sizeof(carom_cell_task)},
                                        {CAROM_COHERENT_HITS, workers * 2 * hits * sizeof(uint32_t)}};
    if (carom_coherent_reserve(state, need, 2, &required) != CAROM_OK) {
        return CAROM_REAL(carom_coherent_no_memory)(step, required);
    }
    for (uint64_t w = 0; w < workers; w++) {
        uint32_t *own = (uint32_t *)carom_coherent_data(state, CAROM_COHERENT_HITS) + w * 2 * hits;
        job->workers[w].space.hit_i = own;
        job->workers[w].space.hit_k = own + hits;
    }
    job->tasks = carom_coherent_data(state, CAROM_COHERENT_TASKS);
    job->task_count = tasks;
    memset(job->tasks, 0, tasks * sizeof *job->tasks);
    CAROM_REAL(carom_detect_prepare_rows)(job);
    if (state->context->team.workers > 1) {
        carom_team_run(&state->context->team, make_all_boxes, step);
    }
    carom_team_run(&state->context->team, run_tasks, step);
    sum_workers(job);
    note_bytes(step);
    double begin = job->clock;
    job->clock = carom_clock_seconds();
    CAROM_REAL(carom_detect_share_time)(job, job->clock - begin);
    return CAROM_OK;
}
