/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The heart of a detection: each cell is sorted, swept, decided and united while its bodies are in cache. */
#include <assert.h>
#include <float.h>
#include <string.h>

#include "kernel/step/job_tmpl.h"
#include "kernel/step/mix.h"
#include "kernel/sys/clock.h"

/* Boxes in a task: enough tasks to share out evenly, large enough to cost nothing, the same for any number of threads.
 */
enum { TASK_SHARE = 128, TASK_LEAST = 512, TASK_MOST = 16384 };

static uint64_t task_size(uint64_t bodies) {
    uint64_t size = bodies / TASK_SHARE;
    size = size > TASK_LEAST ? size : TASK_LEAST;
    return size < TASK_MOST ? size : TASK_MOST;
}

/* Cuts the cells into tasks; returns the boxes in the largest cell. */
static uint64_t make_tasks(carom_detect_job *job) {
    carom_cell *cell = &job->workers[0].cell;
    uint64_t size = task_size(job->bodies->count);
    uint64_t largest = 0;
    uint64_t in_task = size;
    for (uint32_t c = 0; c < job->plan.cell_count; c++) {
        carom_cell_spans(&job->plan, job->start, c, cell);
        if (in_task >= size) {
            job->tasks[job->task_count++] = (carom_cell_task){.cell_begin = c};
            in_task = 0;
        }
        job->tasks[job->task_count - 1].cell_end = c + 1;
        in_task += cell->count;
        job->entries += cell->count;
        largest = cell->count > largest ? cell->count : largest;
    }
    return largest;
}

/* Singletons for the cell's own bodies. */
static void start_groups(const carom_detect_job *job, uint32_t cell) {
    uint64_t begin = job->start[(uint64_t)cell << job->plan.bits];
    uint64_t end = job->start[(uint64_t)(cell + 1) << job->plan.bits];
    for (uint64_t slot = begin; slot < end; slot++) {
        uint32_t body = (uint32_t)job->records[slot].body;
        job->body[slot] = body;
        atomic_store_explicit(&job->least[slot], body, memory_order_relaxed);
    }
}

static void sort_cell(const carom_detect_job *job, carom_worker *worker) {
    const carom_simd *simd = job->context->simd;
    const carom_cell *cell = &worker->cell;
    carom_cell_space *space = &worker->space;
    float range[2] = {FLT_MAX, -FLT_MAX};
    float *low = space->low;
    for (uint32_t s = 0; s < cell->span_count; s++) {
        uint32_t count = cell->span[s].end - cell->span[s].begin;
        simd->CAROM_REAL(cell_lows)(job->records + cell->span[s].begin, count, &job->plan.grid, job->plan.sweep_axis,
                                    low, range);
        low += count;
    }
    carom_bins bins = carom_cell_sort(&job->plan, simd, cell, range, space);
    simd->CAROM_REAL(cell_boxes)(job->records, 0, &job->plan.grid, &bins, space->bin_end, &space->boxes);
}

static void put_rows(const carom_detect_job *job, void *block, uint64_t capacity, uint64_t at, uint32_t count,
                     const uint32_t *slot_i, const uint32_t *slot_k) {
    carom_contact_rows rows = CAROM_REAL(carom_rows_view)(job->shape, block, capacity, at);
    if (job->shape.fields == CAROM_ROW_FIELDS) {
        job->context->simd->CAROM_REAL(contact)(job->records, 0, count, slot_i, slot_k, &rows);
        return;
    }
    for (uint32_t n = 0; n < count; n++) {
        uint32_t a = (uint32_t)job->records[slot_i[n]].body;
        uint32_t b = (uint32_t)job->records[slot_k[n]].body;
        rows.i[n] = a < b ? a : b;
        rows.k[n] = a < b ? b : a;
    }
}

static void lose_rows(carom_detect_job *job) {
    atomic_store_explicit(&job->rows_lost, 1, memory_order_relaxed);
}

/* One worker: straight to the end of the final rows. */
static void append_rows(carom_detect_job *job, uint64_t at, uint32_t count, const uint32_t *slot_i,
                        const uint32_t *slot_k) {
    carom_rows *rows = &job->context->rows;
    if (carom_rows_grow(rows, &job->context->memory, job->shape, at + count, at) != CAROM_OK) {
        lose_rows(job);
        return;
    }
    put_rows(job, rows->block.data, rows->capacity, at, count, slot_i, slot_k);
}

/* Several workers: into the task's chunks, each filled to the last row. */
static void append_to_chunks(carom_detect_job *job, carom_cell_task *task, uint32_t count, const uint32_t *slot_i,
                             const uint32_t *slot_k) {
    const uint64_t capacity = carom_chunk_rows(job->shape);
    while (count > 0) {
        carom_chunk *chunk = task->tail;
        if (chunk == NULL || chunk->count == capacity) {
            chunk = carom_chunk_take(&job->context->chunks, &job->context->memory);
            if (chunk == NULL) {
                lose_rows(job);
                return;
            }
            *(task->tail == NULL ? &task->head : &task->tail->next) = chunk;
            task->tail = chunk;
        }
        uint64_t room = capacity - chunk->count;
        uint32_t part = count < room ? count : (uint32_t)room;
        put_rows(job, chunk->rows, capacity, chunk->count, part, slot_i, slot_k);
        chunk->count += part;
        slot_i += part;
        slot_k += part;
        count -= part;
    }
}

void CAROM_REAL(carom_detect_store_pairs)(carom_detect_job *job, carom_cell_task *task, uint32_t count,
                                          const uint32_t *slot_i, const uint32_t *slot_k) {
    if (job->store_rows && atomic_load_explicit(&job->rows_lost, memory_order_relaxed) == 0) {
        if (job->context->team.workers == 1) {
            append_rows(job, task->first_row + task->rows, count, slot_i, slot_k);
        } else {
            append_to_chunks(job, task, count, slot_i, slot_k);
        }
    }
    task->rows += count;
}

uint64_t CAROM_REAL(carom_detect_hash_pairs)(const carom_record *records, uint32_t count, const uint32_t *slot_i,
                                             const uint32_t *slot_k) {
    uint64_t sum = 0;
    for (uint32_t n = 0; n < count; n++) {
        uint64_t a = records[slot_i[n]].body;
        uint64_t b = records[slot_k[n]].body;
        sum += carom_mix64(((a < b ? a : b) << 32 | (a < b ? b : a)) + UINT64_C(0x9E3779B97F4A7C15));
    }
    return sum;
}

static double lap(carom_worker *worker, carom_phase phase, double since) {
    double now = carom_clock_seconds();
    worker->seconds[phase] += now - since;
    return now;
}

/* Takes the pairs of overlapping boxes as far as the call goes. */
static double follow_pairs(carom_detect_job *job, carom_worker *worker, carom_cell_task *task, uint32_t hits,
                           double clock) {
    uint32_t *i = worker->space.hit_i;
    uint32_t *k = worker->space.hit_k;
    bool only_pairs = job->config->until == CAROM_UNTIL_PAIRS;
    worker->box_pairs += hits;
    if (only_pairs || job->config->all_pairs) {
        CAROM_REAL(carom_detect_store_pairs)(job, task, hits, i, k);
        clock = lap(worker, CAROM_PHASE_APPROACH, clock);
    }
    if (only_pairs) {
        return clock;
    }
    uint32_t touching = job->context->simd->CAROM_REAL(touch)(job->records, hits, i, k, i, k);
    worker->touching_pairs += touching;
    if (!job->config->all_pairs) {
        CAROM_REAL(carom_detect_store_pairs)(job, task, touching, i, k);
    }
    if (job->config->hash) {
        worker->touching_hash += CAROM_REAL(carom_detect_hash_pairs)(job->records, touching, i, k);
    }
    clock = lap(worker, CAROM_PHASE_APPROACH, clock);
    if (job->config->until >= CAROM_UNTIL_GROUPS) {
        carom_union_find_unite_pairs(job->parent, touching, i, k);
        clock = lap(worker, CAROM_PHASE_GROUPS, clock);
    }
    return clock;
}

static void run_cell(carom_detect_job *job, carom_worker *worker, carom_cell_task *task, uint32_t c) {
    carom_cell_spans(&job->plan, job->start, c, &worker->cell);
    if (worker->cell.count == 0) {
        return;
    }
    double clock = carom_clock_seconds();
    if (job->config->until >= CAROM_UNTIL_GROUPS) {
        start_groups(job, c);
        clock = lap(worker, CAROM_PHASE_GROUPS, clock);
    }
    sort_cell(job, worker);
    clock = lap(worker, CAROM_PHASE_SORT, clock);
    carom_sweep_cursor cursor = {0, 1};
    while (cursor.i < worker->cell.count) {
        uint32_t hits = job->context->simd->sweep(&worker->space.boxes, &cursor, worker->space.hit_i,
                                                  worker->space.hit_k, CAROM_HITS_MAX);
        clock = lap(worker, CAROM_PHASE_SWEEP, clock);
        clock = follow_pairs(job, worker, task, hits, clock);
    }
}

static void run_tasks(void *data, uint32_t w) {
    carom_detect_job *job = data;
    carom_worker *worker = &job->workers[w];
    uint64_t done = 0;
    for (uint64_t t = carom_team_claim(&job->next_task); t < job->task_count; t = carom_team_claim(&job->next_task)) {
        carom_cell_task *task = &job->tasks[t];
        task->first_row = done; /* true for one worker, which does all tasks in order; else set when they are joined */
        for (uint32_t c = task->cell_begin; c < task->cell_end; c++) {
            run_cell(job, worker, task, c);
        }
        done += task->rows;
    }
}

/* Every slot a group of its own, before any cell unites some of another cell's. */
static void start_parents(void *data, uint32_t worker) {
    carom_detect_job *job = data;
    uint64_t begin;
    uint64_t end;
    carom_team_range(&job->context->team, worker, job->bodies->count, CAROM_SIMD_PAD, &begin, &end);
    carom_union_find_init(job->parent, begin, end);
    memset((void *)(job->others + begin), 0, (end - begin) * sizeof(uint32_t));
}

static carom_status reserve_cells(carom_detect_job *job, uint64_t largest_cell) {
    carom_context *context = job->context;
    uint64_t workers = context->team.workers;
    uint64_t each = carom_cell_space_bytes(largest_cell);
    uint64_t required = 0;
    carom_work_need need = {CAROM_WORK_CELL_SPACE, carom_size_multiply(workers, each)};
    if (carom_context_reserve(context, &need, 1, &required) != CAROM_OK) {
        return CAROM_REAL(carom_detect_no_memory)(job, required);
    }
    char *block = carom_context_work(context, CAROM_WORK_CELL_SPACE);
    for (uint64_t w = 0; w < workers; w++) {
        carom_cell_space_lay_out(block + w * each, largest_cell, &job->workers[w].space);
    }
    return CAROM_OK;
}

void CAROM_REAL(carom_detect_prepare_rows)(carom_detect_job *job) {
    carom_context *context = job->context;
    bool contacts = job->config->until >= CAROM_UNTIL_APPROACH;
    job->shape = (carom_row_shape){contacts ? CAROM_ROW_FIELDS : CAROM_PAIR_FIELDS, sizeof(carom_real)};
    job->store_rows = !job->config->count_only;
    if (!job->store_rows) {
        return;
    }
    carom_chunk_pool_restart(&context->chunks);
    /* The block may have held rows of another shape; what it can hold of this one is a matter of its bytes. If the room
     * once needed is not to be had now, rows will be lost below and counted. */
    uint64_t keep = carom_rows_bytes(job->shape, 16);
    context->rows.capacity = context->rows.block.bytes / keep * 16;
    if (context->expected_rows > context->rows.capacity && context->team.workers == 1) {
        (void)carom_rows_reserve(&context->rows, &context->memory, job->shape, context->expected_rows);
    }
    context->expected_rows = 0;
}

void CAROM_REAL(carom_detect_share_time)(carom_detect_job *job, double wall) {
    double part[CAROM_PHASE_COUNT] = {0};
    double sum = 0.0;
    for (uint32_t w = 0; w < job->context->team.workers; w++) {
        for (int p = 0; p < CAROM_PHASE_COUNT; p++) {
            part[p] += job->workers[w].seconds[p];
            sum += job->workers[w].seconds[p];
        }
    }
    for (int p = 0; p < CAROM_PHASE_COUNT && sum > 0.0; p++) {
        job->detection->summary.phase_seconds[p] += wall * part[p] / sum;
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
    double record = sizeof(carom_record);
    double rows = job->store_rows ? (double)summary->required_pairs : 0.0;
    double *bytes = summary->phase_bytes;
    bytes[CAROM_PHASE_SORT] = (double)job->entries * (2 * record + 18.0 * sizeof(uint32_t));
    bytes[CAROM_PHASE_SWEEP] = (double)job->entries * 9 * sizeof(uint32_t) + (double)summary->box_pairs * 8;
    bytes[CAROM_PHASE_APPROACH] = (double)summary->box_pairs * (2 * record + 8) +
                                  rows * (2 * record + (double)carom_rows_bytes(job->shape, 16) / 16);
}

carom_status CAROM_REAL(carom_detect_cells)(carom_detect_job *job) {
    const carom_team *team = &job->context->team;
    carom_status status = reserve_cells(job, make_tasks(job));
    if (status != CAROM_OK) {
        return status;
    }
    CAROM_REAL(carom_detect_lap)(job, CAROM_PHASE_PARTITION);
    if (job->config->until >= CAROM_UNTIL_GROUPS) {
        carom_team_run(team, start_parents, job);
        CAROM_REAL(carom_detect_lap)(job, CAROM_PHASE_GROUPS);
    }
    CAROM_REAL(carom_detect_prepare_rows)(job);
    carom_team_run(team, run_tasks, job);
    sum_workers(job);
    double begin = job->clock;
    job->clock = carom_clock_seconds();
    CAROM_REAL(carom_detect_share_time)(job, job->clock - begin);
    return CAROM_OK;
}
