/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The heart of a detection: each cell is sorted, swept, decided and united while its bodies are in cache. A part with
 * one large cell is sorted once and swept by all workers, each taking ranges of its entries. */
#include <assert.h>
#include <float.h>
#include <string.h>

#include "kernel/step/job_tmpl.h"
#include "kernel/sys/clock.h"

/* Boxes in a task: enough tasks to share out evenly, large enough to cost nothing, the same for any number of threads.
 */
enum { TASK_SHARE = 128, TASK_LEAST = 512, TASK_MOST = 16384 };
/* Entries above which the only cell of a part is swept by all workers. */
enum { SHARED_LEAST = 4096 };
/* The same as for tasks, of ranges of one cell, in tests. */
enum { RANGE_SHARE = 256 };
static const uint64_t RANGE_LEAST = UINT64_C(1) << 17;

static uint64_t task_size(uint64_t bodies) {
    uint64_t size = bodies / TASK_SHARE;
    size = size > TASK_LEAST ? size : TASK_LEAST;
    return size < TASK_MOST ? size : TASK_MOST;
}

static bool is_crowded(const carom_part *part, uint64_t entries) {
    return part->plan.cell_count > 1 && entries > CAROM_CROWDED;
}

/* Room for `more` tasks after those of earlier parts. */
static carom_status reserve_tasks(carom_detect_job *job, uint64_t more) {
    carom_context *context = job->context;
    carom_buffer *buffer = &context->work[CAROM_WORK_TASKS];
    uint64_t bytes = carom_size_multiply(carom_size_add(job->task_count, more), sizeof(carom_cell_task));
    if (bytes > buffer->bytes &&
        carom_buffer_grow(&context->memory, buffer, bytes, job->task_count * sizeof(carom_cell_task)) != CAROM_OK) {
        return CAROM_REAL(carom_detect_no_memory)(job, carom_size_add(context->memory.held, bytes));
    }
    job->tasks = buffer->data;
    return CAROM_OK;
}

static void end_task(carom_detect_job *job, uint64_t first, uint32_t end) {
    if (job->task_count > first) {
        job->tasks[job->task_count - 1].end = end;
    }
}

/* Cuts the cells into tasks; crowded ones are listed for later and passed over when their task is run. */
static void make_cell_tasks(carom_detect_job *job, carom_part *part) {
    carom_cell *cell = &job->workers[0].cell;
    uint64_t size = task_size(part->bodies.count);
    uint64_t first = job->task_count;
    uint64_t in_task = size;
    for (uint32_t c = 0; c < part->plan.cell_count; c++) {
        carom_cell_spans(&part->plan, part->start, &part->guests, c, cell);
        job->entries += cell->count;
        if (is_crowded(part, cell->count)) {
            part->crowded[part->crowded_count++] = c;
            continue;
        }
        if (in_task >= size) {
            end_task(job, first, c);
            job->tasks[job->task_count++] = (carom_cell_task){.begin = c};
            in_task = 0;
        }
        in_task += cell->count;
        part->most_entries = cell->count > part->most_entries ? cell->count : part->most_entries;
    }
    end_task(job, first, part->plan.cell_count);
}

/* Only the cells of depth 0 own slots. */
void CAROM_REAL(carom_detect_name_slots)(const carom_detect_job *job, uint64_t begin, uint64_t end) {
    for (uint64_t slot = begin; slot < end; slot++) {
        __builtin_prefetch(&job->records[slot + 1024]);
        job->body[slot] = (uint32_t)job->records[slot].body;
    }
}

static void name_cell_slots(const carom_detect_job *job, const carom_part *part, uint32_t cell) {
    if (part->depth == 0 && job->config->until >= CAROM_UNTIL_GROUPS) {
        CAROM_REAL(carom_detect_name_slots)
        (job, part->start[(uint64_t)cell << part->plan.bits], part->start[(uint64_t)(cell + 1) << part->plan.bits]);
    }
}

/* Entries of a part of a part: their slots in the scene, and what the cells around have told of them. */
static void rename_entries(const carom_part *part, const carom_boxes *boxes) {
    for (uint32_t n = 0; n < boxes->count; n++) {
        uint32_t body = (uint32_t)part->records[boxes->slot[n]].body;
        boxes->slot[n] = part->slot[body];
        boxes->missing[n] = boxes->missing[n] << (CAROM_CELL_BITS * part->depth) | part->missing[body];
    }
}

static void sort_cell(const carom_detect_job *job, const carom_part *part, const carom_cell *cell,
                      carom_cell_space *space) {
    const carom_simd *simd = job->context->simd;
    const carom_plan *plan = &part->plan;
    float range[2] = {FLT_MAX, -FLT_MAX};
    float *low = space->low;
    for (uint32_t s = 0; s < cell->span_count; s++) {
        uint32_t count = cell->span[s].end - cell->span[s].begin;
        carom_kernels_of(simd)->cell_lows(part->records + cell->span[s].begin, count, &plan->grid, plan->sweep_axis,
                                          low, range);
        low += count;
    }
    carom_cell_guest_lows(plan, cell, low, range);
    carom_bins bins = carom_cell_sort(plan, simd, cell, range, space);
    carom_kernels_of(simd)->cell_boxes(part->records, 0, &plan->grid, &bins, space->bin_end, &space->boxes);
    if (part->depth > 0) {
        rename_entries(part, &space->boxes);
    }
}

static double lap(carom_worker *worker, carom_phase phase, double since) {
    return CAROM_REAL(carom_detect_worker_lap)(worker, phase, since);
}

static double sweep_entries(carom_detect_job *job, carom_worker *worker, carom_cell_task *task,
                            const carom_boxes *boxes, carom_sweep_cursor cursor, double clock) {
    while (cursor.i < cursor.stop && !CAROM_REAL(carom_detect_stopped)(job)) {
        uint32_t hits =
            job->context->simd->sweep(boxes, &cursor, worker->space.hit_i, worker->space.hit_k, CAROM_HITS_MAX);
        clock = lap(worker, CAROM_PHASE_SWEEP, clock);
        clock = CAROM_REAL(carom_detect_pairs)(job, worker, task, hits, clock);
    }
    return clock;
}

static double run_cell(carom_detect_job *job, carom_worker *worker, carom_cell_task *task, uint32_t c, double clock) {
    const carom_part *part = job->part;
    carom_cell *cell = &worker->cell;
    carom_cell_spans(&part->plan, part->start, &part->guests, c, cell);
    if (cell->count == 0 || is_crowded(part, cell->count) || CAROM_REAL(carom_detect_stopped)(job)) {
        return clock;
    }
    name_cell_slots(job, part, c);
    clock = lap(worker, CAROM_PHASE_GROUPS, clock);
    sort_cell(job, part, cell, &worker->space);
    clock = lap(worker, CAROM_PHASE_SORT, clock);
    return sweep_entries(job, worker, task, &worker->space.boxes, (carom_sweep_cursor){0, 1, cell->count}, clock);
}

static void run_task(carom_detect_job *job, carom_worker *worker, carom_cell_task *task) {
    double clock = carom_clock_seconds();
    if (job->shared_cell != NULL) {
        carom_sweep_cursor cursor = {task->begin, task->begin + 1, task->end};
        sweep_entries(job, worker, task, &job->shared_cell->boxes, cursor, clock);
        return;
    }
    for (uint32_t c = task->begin; c < task->end; c++) {
        clock = run_cell(job, worker, task, c, clock);
    }
}

static void run_tasks(void *data, uint32_t w) {
    carom_detect_job *job = data;
    uint64_t t;
    while (CAROM_REAL(carom_detect_claim_task)(job, &t)) {
        carom_cell_task *task = &job->tasks[t];
        CAROM_REAL(carom_detect_begin_task)(job, task);
        run_task(job, &job->workers[w], task);
        CAROM_REAL(carom_detect_blocks_flush)(job, &job->workers[w], task);
        CAROM_REAL(carom_detect_end_task)(job, &job->workers[w], task);
    }
}

/* The workers' spaces for the largest cell, or only for their hits. */
static carom_status reserve_cells(carom_detect_job *job, uint64_t entries) {
    carom_context *context = job->context;
    uint64_t workers = context->team.workers;
    uint64_t each = carom_cell_space_bytes(entries);
    uint64_t required = 0;
    carom_work_need need = {CAROM_WORK_CELL_SPACE, carom_size_multiply(workers, each)};
    if (carom_context_reserve(context, &need, 1, &required) != CAROM_OK) {
        return CAROM_REAL(carom_detect_no_memory)(job, required);
    }
    char *block = carom_context_work(context, CAROM_WORK_CELL_SPACE);
    for (uint64_t w = 0; w < workers; w++) {
        carom_cell_space_lay_out(block + w * each, entries, &job->workers[w].space);
    }
    return CAROM_OK;
}

void CAROM_REAL(carom_detect_share_time)(carom_detect_job *job) {
    double part[CAROM_PHASE_COUNT] = {0};
    double sum = 0.0;
    for (uint32_t w = 0; w < job->context->team.workers; w++) {
        for (int p = 0; p < CAROM_PHASE_COUNT; p++) {
            part[p] += job->workers[w].seconds[p];
            sum += job->workers[w].seconds[p];
            job->workers[w].seconds[p] = 0.0;
        }
    }
    double wall = carom_clock_seconds() - job->clock;
    job->clock += wall;
    for (int p = 0; p < CAROM_PHASE_COUNT && sum > 0.0; p++) {
        job->detection->summary.phase_seconds[p] += wall * part[p] / sum;
    }
}

static void run_from(carom_detect_job *job, carom_part *part, uint64_t first_task) {
    job->part = part;
    CAROM_REAL(carom_detect_start_tasks)(job, first_task);
    const bool alone = job->task_count - first_task <= 1; /* the others would start for nothing */
    do {
        (alone ? carom_team_run_alone : carom_team_run)(&job->context->team, run_tasks, job);
    } while (CAROM_REAL(carom_detect_tasks_left)(job));
    CAROM_REAL(carom_detect_share_time)(job);
}

/* Ranges of entries with about as many tests each. */
static void make_range_tasks(carom_detect_job *job, const carom_boxes *boxes) {
    uint64_t tests = 0;
    for (uint32_t n = 0; n < boxes->count; n++) {
        tests += boxes->end[n] - n + CAROM_SIMD_PAD;
    }
    uint64_t size = tests / RANGE_SHARE > RANGE_LEAST ? tests / RANGE_SHARE : RANGE_LEAST;
    uint64_t first = job->task_count;
    uint64_t in_task = size;
    for (uint32_t n = 0; n < boxes->count; n++) {
        if (in_task >= size) {
            end_task(job, first, n);
            job->tasks[job->task_count++] = (carom_cell_task){.begin = n};
            in_task = 0;
        }
        in_task += boxes->end[n] - n + CAROM_SIMD_PAD;
    }
    end_task(job, first, boxes->count);
}

/* One cell too large for one worker: sorted once, swept by all. */
static carom_status run_one_cell(carom_detect_job *job, carom_part *part) {
    carom_context *context = job->context;
    carom_cell *cell = &job->workers[0].cell;
    carom_cell_space shared;
    carom_cell_spans(&part->plan, part->start, &part->guests, 0, cell);
    uint64_t required = 0;
    carom_work_need need = {CAROM_WORK_SHARED_CELL, carom_cell_space_bytes(cell->count)};
    if (carom_context_reserve(context, &need, 1, &required) != CAROM_OK) {
        return CAROM_REAL(carom_detect_no_memory)(job, required);
    }
    carom_cell_space_lay_out(carom_context_work(context, CAROM_WORK_SHARED_CELL), cell->count, &shared);
    carom_status status = reserve_cells(job, 0);
    if (status == CAROM_OK) {
        status = reserve_tasks(job, RANGE_SHARE + 2);
    }
    if (status != CAROM_OK) {
        return status;
    }
    name_cell_slots(job, part, 0);
    sort_cell(job, part, cell, &shared);
    uint64_t first_task = job->task_count;
    make_range_tasks(job, &shared.boxes);
    job->entries += cell->count;
    job->shared_cell = &shared;
    CAROM_REAL(carom_detect_lap)(job, CAROM_PHASE_SORT);
    run_from(job, part, first_task);
    job->shared_cell = NULL;
    return CAROM_OK;
}

carom_status CAROM_REAL(carom_detect_cells)(carom_detect_job *job, carom_part *part) {
    if (part->plan.cell_count == 1 && part->bodies.count > SHARED_LEAST) {
        return run_one_cell(job, part);
    }
    carom_status status = reserve_tasks(job, part->plan.cell_count);
    uint64_t first_task = job->task_count;
    if (status == CAROM_OK) {
        make_cell_tasks(job, part);
        status = reserve_cells(job, part->most_entries);
    }
    if (status == CAROM_OK) {
        CAROM_REAL(carom_detect_lap)(job, CAROM_PHASE_PARTITION);
        run_from(job, part, first_task);
    }
    return status;
}
