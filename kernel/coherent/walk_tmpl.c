/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/coherent/walk_tmpl.h"

#include "kernel/check/assert.h"
#include "kernel/coherent/events.h"
#include "kernel/coherent/regroup.h"
#include "kernel/detect/results/hash_tmpl.h"
#include "kernel/detect/results/log_tmpl.h"
#include "kernel/detect/results/rows_tmpl.h"
#include "kernel/detect/results/sink_tmpl.h"
#include "kernel/detect/results/worker_loop_tmpl.h"
#include "kernel/detect/search/filter_tmpl.h"
#include "kernel/sys/clock.h"

/* Pairs of a task, and pairs of a batch: few enough that their records stay in L1. Multiples of 8, so that batches do
 * not share a byte of touching bits. */
enum { TASK = 16384, BATCH = 1024 };

/* Copies the pairs whose bits are set; returns how many. Branch-free: it writes every pair, and keeps some. */
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

/* Pairs of a batch: those of the list, or those that a periodic box sets apart, whose records lie after all slots. */
typedef struct batch {
    uint32_t count;
    uint64_t after;    /* pairs that follow, whose records may be fetched */
    const uint32_t *i; /* slots of their records */
    const uint32_t *k;
    const uint32_t *filter_i; /* slots by which they are filtered */
    const uint32_t *filter_k;
    uint8_t *touching; /* bits, written */
} batch;

/* Pairs [at, at + count) of the list; beyond it, pairs apart. */
static batch batch_of(const carom_coherent *state, uint64_t at, uint32_t count) {
    const uint64_t pairs = state->list.pairs;
    if (at < pairs) {
        const uint32_t *i = (const uint32_t *)carom_coherent_data(state, CAROM_COHERENT_PAIR_I) + at;
        const uint32_t *k = (const uint32_t *)carom_coherent_data(state, CAROM_COHERENT_PAIR_K) + at;
        uint8_t *touching = (uint8_t *)carom_coherent_data(state, CAROM_COHERENT_TOUCHING) + at / 8;
        CAROM_ASSERT(at % 8 == 0 && at + count <= pairs);
        return (batch){count, pairs - at - count, i, k, i, k, touching};
    }
    const carom_coherent_apart apart = carom_coherent_apart_of(state);
    const uint64_t n = at - pairs;
    CAROM_ASSERT(n % 8 == 0 && n + count <= state->space.apart);
    return (batch){count,
                   state->space.apart - n - count,
                   apart.i + n,
                   apart.k + n,
                   apart.slot_i + n,
                   apart.slot_k + n,
                   apart.touching + n / 8};
}

/* Clears the bits of the overlapping pairs that do not pass the filter. The filter keeps the order, so one merge pass
 * matches the pairs that pass to their bits. out_i and out_k are workspaces for the pairs. */
static carom_recheck_counts drop_filtered(const carom_detect_job *job, const carom_worker *worker, const batch *b,
                                          uint32_t *out_i, uint32_t *out_k, uint8_t *overlapping) {
    uint32_t overlaps = pick(overlapping, b->count, b->filter_i, b->filter_k, out_i, out_k);
    carom_recheck_counts left = {.overlapping = carom_filter_pairs(job, worker, overlaps, out_i, out_k)};
    uint32_t seen = 0;
    for (uint32_t n = 0; n < b->count; n += 8) {
        uint32_t pass = 0;
        for (uint32_t bit = 0; bit < 8 && n + bit < b->count; bit++) {
            const bool is_i = seen < left.overlapping && out_i[seen] == b->filter_i[n + bit];
            uint32_t same = is_i && out_k[seen] == b->filter_k[n + bit];
            pass |= same << bit;
            seen += same;
        }
        overlapping[n / 8] = (uint8_t)pass;
        b->touching[n / 8] &= (uint8_t)pass;
        left.touching += (uint32_t)__builtin_popcount(b->touching[n / 8]);
    }
    return left;
}

/* Keeps, of the touching pairs in out_i and out_k, those that approach, and clears the bits of the others. One merge
 * pass, as above. Returns how many are left. */
static uint32_t drop_separating(const carom_detect_job *job, const batch *b, uint32_t touching, uint32_t *out_i,
                                uint32_t *out_k) {
    const uint32_t left =
        carom_kernels_of(job->context->simd)->approaching(job->search.records, touching, out_i, out_k, out_i, out_k);
    uint32_t seen = 0;
    for (uint32_t n = 0; n < b->count; n++) {
        const bool kept = seen < left && out_i[seen] == b->i[n] && out_k[seen] == b->k[n];
        b->touching[n / 8] &= (uint8_t) ~((uint32_t)!kept << n % 8);
        seen += kept;
    }
    CAROM_ASSERT(seen == left);
    return left;
}

/* Hashes, and the log of the events of a periodic box. */
static void note_touching(const carom_detect_job *job, carom_worker *worker, uint32_t count, const uint32_t *i,
                          const uint32_t *k) {
    worker->touching_pairs += count;
    if (job->config->hash) {
        worker->touching_hash += carom_hash_pairs(job, count, i, k);
    }
    if (job->log != NULL) {
        carom_log_touching(job, worker, count, i, k);
    }
}

/* One batch: overlaps, filter, touches, and the pairs to keep. Returns the clock. */
static double run_batch(carom_coherent_step *step, carom_worker *worker, carom_task *task, const batch *b,
                        double clock) {
    carom_detect_job *job = step->job;
    CAROM_ASSERT_ALIGNED(job->search.records, CAROM_CACHE_LINE);
    CAROM_ASSERT(b->count <= BATCH);
    uint8_t overlapping[BATCH / 8];
    /* The kernel leaves the touching pairs in out_i and out_k. Other pairs are picked by their bits when needed. */
    uint32_t *out_i = worker->workspace.hit_i;
    uint32_t *out_k = worker->workspace.hit_k;
    const carom_recheck_in pairs = {job->search.records, step->centre, b->count, b->after, b->i, b->k};
    carom_recheck_out kept = {out_i, out_k, overlapping, b->touching, {0, 0}};
    carom_kernels_of(step->state->context->simd)->recheck(&pairs, &kept);
    carom_recheck_counts found = kept.counts;
    if (job->config->filter != NULL) {
        found = drop_filtered(job, worker, b, out_i, out_k, overlapping);
        pick(b->touching, b->count, b->i, b->k, out_i, out_k);
    }
    if (job->config->approaching) {
        found.touching = drop_separating(job, b, found.touching, out_i, out_k);
    }
    clock = carom_job_worker_lap(worker, CAROM_PHASE_SWEEP, clock);
    bool only_pairs = job->config->until == CAROM_UNTIL_PAIRS;
    worker->box_pairs += found.overlapping;
    if (!only_pairs) {
        note_touching(job, worker, found.touching, out_i, out_k);
    }
    if (step->united) {
        carom_regroup_unite(step->state, found.touching, out_i, out_k);
    }
    const bool every = only_pairs || job->config->all_pairs;
    if (every) {
        pick(overlapping, b->count, b->i, b->k, out_i, out_k);
    }
    const carom_hits hits = {every ? found.overlapping : found.touching, out_i, out_k, NULL};
    carom_worker_loop_store(job, worker, task, &hits);
    return carom_job_worker_lap(worker, CAROM_PHASE_APPROACH, clock);
}

/* A task of the queue, batch by batch, until the sink wants no more or the call is to stop. */
static void search_task(void *data, carom_worker *worker, carom_task *task) {
    carom_coherent_step *step = data;
    double clock = carom_clock_seconds();
    for (uint64_t at = task->begin; at < task->end && !carom_worker_loop_ended(step->job); at += BATCH) {
        uint32_t count = task->end - at < BATCH ? (uint32_t)(task->end - at) : BATCH;
        const batch b = batch_of(step->state, at, count);
        clock = run_batch(step, worker, task, &b, clock);
    }
}

/* Bytes that the walk reads and writes, by its data structures. */
static void note_bytes(const carom_coherent_step *step) {
    const carom_detect_job *job = step->job;
    double *bytes = job->detection->summary.phase_bytes;
    double record = sizeof(carom_record);
    double rows = job->rows.destination == CAROM_ROWS_STORED ? (double)job->detection->summary.required_pairs : 0.0;
    bytes[CAROM_PHASE_SWEEP] = (double)step->state->list.pairs * (8 + 2 * record);
    bytes[CAROM_PHASE_APPROACH] = rows * (2 * record + carom_rows_bytes(job));
}

/* Once the sink has had rows, nothing should fail for want of memory. So the room for rows and events is made before.
 */
static carom_status prepare_sink(carom_coherent_step *step) {
    uint64_t required = 0;
    carom_status status = carom_sink_start(step->job);
    if (status == CAROM_OK && step->job->rows.destination == CAROM_ROWS_TO_SINK &&
        step->job->config->until >= CAROM_UNTIL_APPROACH && carom_events_reserve(step->state, &required) != CAROM_OK) {
        status = carom_job_no_memory(step->job, required);
    }
    return status;
}

uint64_t carom_walk_tasks(uint64_t room, uint64_t apart) {
    return room / TASK + 1 + (apart > 0 ? apart / TASK + 1 : 0);
}

static uint64_t hit_bytes(uint64_t workers) {
    return workers * 2 * (BATCH + CAROM_SIMD_PAD) * sizeof(uint32_t);
}

uint64_t carom_walk_bytes(uint64_t workers, uint64_t room, uint64_t apart) {
    return carom_walk_tasks(room, apart) * sizeof(carom_task) + hit_bytes(workers);
}

/* Tasks for pairs [begin, end), after those there are. */
static void add_tasks(carom_task_queue *queue, uint64_t begin, uint64_t end) {
    for (uint64_t at = begin; at < end; at += TASK) {
        const uint64_t stop = at + TASK < end ? at + TASK : end;
        queue->tasks[queue->count++] = (carom_task){.begin = (uint32_t)at, .end = (uint32_t)stop};
    }
}

/* Cuts the list into tasks, and gives each worker room for the pairs of a batch. */
static carom_status prepare_tasks(carom_coherent_step *step) {
    carom_detect_job *job = step->job;
    carom_coherent *state = step->state;
    const uint64_t pairs = state->list.pairs;
    uint64_t room = carom_walk_tasks(state->list.capacity, state->space.most_apart);
    uint64_t required = 0;
    uint64_t workers = state->context->team.workers;
    const uint64_t hits = BATCH + CAROM_SIMD_PAD;
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
    job->queue.count = 0;
    add_tasks(&job->queue, 0, pairs);
    add_tasks(&job->queue, pairs, pairs + state->space.apart);
    return CAROM_OK;
}

/* The list has the touching bits of all its pairs, for the groups. */
static void join_apart(const carom_coherent *state) {
    const carom_coherent_apart apart = carom_coherent_apart_of(state);
    uint64_t *touching = carom_coherent_data(state, CAROM_COHERENT_TOUCHING);
    for (uint64_t n = 0; n < state->space.apart; n++) {
        const uint64_t bit = (uint64_t)apart.touching[n / 8] >> n % 8 & 1U;
        touching[apart.pair[n] / 64] |= bit << apart.pair[n] % 64;
    }
}

/* Where all groups will be labelled anew, slots are united while their pairs are in the cache; in open space, where
 * each is that of a body. */
static void prepare_groups(carom_coherent_step *step) {
    carom_coherent *state = step->state;
    step->united = step->job->config->until >= CAROM_UNTIL_GROUPS && step->hooks == NULL &&
                   (state->groups.unites || !state->groups.known);
    if (step->united) {
        carom_regroup_start(state);
    }
}

carom_status carom_walk_list(carom_coherent_step *step) {
    carom_detect_job *job = step->job;
    carom_status status = prepare_tasks(step);
    prepare_groups(step);
    if (status == CAROM_OK) {
        carom_rows_prepare(job);
        status = prepare_sink(step);
    }
    if (status != CAROM_OK) {
        return status;
    }
    status = carom_worker_loop_run(job, 0, search_task, step);
    if (status != CAROM_OK) {
        return status;
    }
    join_apart(step->state);
    carom_job_sum_workers(job);
    note_bytes(step);
    return carom_sink_end(job);
}
