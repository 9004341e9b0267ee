/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The heart of a detection: each cell is sorted, swept, decided and united while its bodies are in cache. Cells are cut
 * into tasks by the number of their entries. A part with one large cell is sorted once and swept by all workers: there
 * a task is a range of its entries. */
#include "kernel/detect/search/cells_tmpl.h"

#include <float.h>

#include "kernel/check/assert.h"
#include "kernel/detect/results/worker_loop_tmpl.h"
#include "kernel/detect/search/adjacent_tmpl.h"
#include "kernel/detect/search/cell_tasks_tmpl.h"
#include "kernel/detect/search/pairs_tmpl.h"
#include "kernel/detect/search/part_bits_tmpl.h"
#include "kernel/sys/clock.h"

/* Entries above which a cell among others is searched as a part of its own. */
enum { CROWDED = 16384 };
/* Entries that there is room for in any case, three pages an array: then hardly a later call needs more. */
enum { ENTRIES_LEAST = 3056 };
/* Entries above which the only cell of a part is swept by all workers. */
enum { SHARED_LEAST = 4096 };
/* Box tests in a range of the only cell: likewise. */
enum { RANGE_SHARE = 256 };
static const uint64_t RANGE_LEAST = UINT64_C(1) << 17;
/* Box tests after which a sweep looks whether the call is to stop, some milliseconds. */
enum { TESTS_AT_ONCE = 1 << 23 };

/* A part of one cell has nothing to gain from being cut out of itself. */
static bool is_crowded(const carom_part *part, uint64_t entries) {
    return part->plan.cell_count > 1 && entries > CROWDED;
}

/* Entries of a cell, which are counted. */
static uint32_t entries_of(carom_detect_job *job, const carom_part *part, uint32_t c) {
    carom_cell cell;
    carom_cell_spans(&part->plan, part->start, &part->oversized, c, &cell);
    job->search.entries += cell.count;
    return cell.count;
}

/* Cuts the cells into tasks; crowded ones are listed for later and passed over when their task is run. */
static void make_cell_tasks(carom_detect_job *job, carom_part *part) {
    uint64_t size = carom_cell_tasks_size(part->bodies.count);
    uint64_t first = job->queue.count;
    uint64_t in_task = size;
    carom_walk walk = carom_team_walk_alone(&job->context->team, part->plan.cell_count);
    while (carom_walk_next(&walk)) {
        for (uint32_t c = (uint32_t)walk.begin; c < walk.end; c++) {
            const uint32_t entries = entries_of(job, part, c);
            if (is_crowded(part, entries)) {
                part->crowded[part->crowded_count++] = c;
                continue;
            }
            if (in_task >= size) {
                carom_cell_tasks_begin(job, first, c);
                in_task = 0;
            }
            in_task += entries;
            part->most_entries = entries > part->most_entries ? entries : part->most_entries;
        }
    }
    carom_cell_tasks_end(job, first, part->plan.cell_count);
}

void carom_cells_store_all(const carom_detect_job *job, const carom_part *part, uint64_t begin, uint64_t end) {
    carom_walk walk = carom_team_walk_alone(&job->context->team, end - begin);
    while (carom_walk_next(&walk)) {
        carom_cell_tasks_store_bodies(job, part, begin + walk.begin, begin + walk.end);
    }
}

/* From here on entries go by their slots in the scene. Two entries that share an `earlier` bit are a pair of another
 * cell, of this part or of one around it: the bits of all depths stand side by side. */
static void use_scene_slots(const carom_part *part, const carom_boxes *boxes) {
    for (uint32_t n = 0; n < boxes->count; n++) {
        uint32_t body = (uint32_t)part->records[boxes->slot[n]].body;
        boxes->slot[n] = part->slot[body];
        boxes->earlier[n] = boxes->earlier[n] << (CAROM_CELL_BITS * part->depth) | part->earlier[body];
    }
}

/* Orders the entries of a cell by their low corners on the sweep axis, and makes their boxes. */
static void sort_cell(const carom_detect_job *job, const carom_part *part, const carom_cell *cell,
                      carom_cell_workspace *workspace) {
    const carom_simd *simd = job->context->simd;
    const carom_plan *plan = &part->plan;
    float range[2] = {FLT_MAX, -FLT_MAX};
    float *low = workspace->low;
    for (uint32_t s = 0; s < cell->span_count; s++) {
        uint32_t count = cell->span[s].end - cell->span[s].begin;
        carom_kernels_of(simd)->cell_lows(part->records + cell->span[s].begin, count, &plan->grid, plan->sweep_axis,
                                          low, range);
        low += count;
    }
    carom_cell_oversized_lows(plan, cell, low, range);
    CAROM_ASSERT((uint64_t)(low - workspace->low) + (cell->visit_end - cell->visit_begin) == cell->count);
    carom_bins bins = carom_cell_sort(plan, simd, cell, range, workspace);
    carom_kernels_of(simd)->cell_boxes(part->records, 0, &plan->grid, &bins, workspace->bin_end, &workspace->boxes);
    if (part->depth > 0) {
        use_scene_slots(part, &workspace->boxes);
    }
}

/* Entries that are swept between two looks: each is tested against all others at most. */
static uint32_t entries_at_once(const carom_boxes *boxes) {
    const uint32_t entries = TESTS_AT_ONCE / (boxes->count + 1);
    return entries > 0 ? entries : 1;
}

/* Sweeps entries from cursor.i up to cursor.stop. The sweep stops where the room for hits is full; what it has found is
 * decided while its records are in L1, and then the sweep goes on. */
static double sweep_entries(carom_detect_job *job, carom_worker *worker, carom_task *task, const carom_boxes *boxes,
                            carom_sweep_cursor cursor, double clock) {
    const uint32_t at_once = entries_at_once(boxes);
    const uint32_t stop = cursor.stop;
    cursor.stop = cursor.i;
    while (cursor.i < stop && !carom_worker_loop_ended(job)) {
        if (cursor.i == cursor.stop) {
            cursor.stop = stop - cursor.i < at_once ? stop : cursor.i + at_once;
        }
        uint32_t hits =
            job->context->simd->sweep(boxes, &cursor, worker->workspace.hit_i, worker->workspace.hit_k, CAROM_HITS_MAX);
        CAROM_ASSERT(hits <= CAROM_HITS_MAX);
        clock = carom_job_worker_lap(worker, CAROM_PHASE_SWEEP, clock);
        clock = carom_pairs_process(job, worker, task, (carom_pairs){.hits = hits}, clock);
    }
    return clock;
}

/* Sorts, sweeps and decides one cell. Returns the time when it ends. */
static double run_cell(carom_detect_job *job, carom_worker *worker, carom_task *task, uint32_t c, double clock) {
    const carom_part *part = job->search.part;
    carom_cell *cell = &worker->cell;
    carom_cell_spans(&part->plan, part->start, &part->oversized, c, cell);
    if (cell->count == 0 || is_crowded(part, cell->count) || carom_worker_loop_ended(job)) {
        return clock;
    }
    carom_cell_tasks_store_bodies(job, part, part->start[(uint64_t)c << part->plan.bits],
                                  part->start[(uint64_t)(c + 1) << part->plan.bits]);
    clock = carom_job_worker_lap(worker, CAROM_PHASE_GROUPS, clock);
    sort_cell(job, part, cell, &worker->workspace);
    worker->part_bits_swept = carom_part_bits_sweep(job, part, cell, &worker->workspace.boxes);
    clock = carom_job_worker_lap(worker, CAROM_PHASE_SORT, clock);
    return sweep_entries(job, worker, task, &worker->workspace.boxes, (carom_sweep_cursor){0, 1, cell->count}, clock);
}

/* What a worker does for one task. */
static void search_task(void *data, carom_worker *worker, carom_task *task) {
    carom_detect_job *job = data;
    double clock = carom_clock_seconds();
    if (job->search.shared_cell != NULL) {
        carom_sweep_cursor cursor = {task->begin, task->begin + 1, task->end};
        sweep_entries(job, worker, task, &job->search.shared_cell->boxes, cursor, clock);
        return;
    }
    for (uint32_t c = task->begin; c < task->end; c++) {
        clock = run_cell(job, worker, task, c, clock);
    }
}

/* No cell of `bodies` bodies has more entries than that. */
static uint64_t entries_with_room(uint64_t entries, uint64_t bodies) {
    const uint64_t least = bodies < ENTRIES_LEAST ? bodies : ENTRIES_LEAST;
    return entries > least ? entries : least;
}

uint64_t carom_cells_ranges(void) {
    return RANGE_SHARE + 2;
}

/* Ranges of entries with about as many tests each: of the first `swept` entries. */
static void make_range_tasks(carom_detect_job *job, const carom_boxes *boxes, uint32_t swept) {
    uint64_t tests = 0;
    for (uint32_t n = 0; n < swept; n++) {
        tests += boxes->end[n] - n + CAROM_SIMD_PAD;
    }
    uint64_t size = tests / RANGE_SHARE > RANGE_LEAST ? tests / RANGE_SHARE : RANGE_LEAST;
    uint64_t first = job->queue.count;
    uint64_t in_task = size;
    for (uint32_t n = 0; n < swept; n++) {
        if (in_task >= size) {
            carom_cell_tasks_begin(job, first, n);
            in_task = 0;
        }
        in_task += boxes->end[n] - n + CAROM_SIMD_PAD;
    }
    carom_cell_tasks_end(job, first, swept);
}

/* Puts owned bodies before images, if only their pairs are wanted. Returns how many entries are to be swept. */
static uint32_t lead_entries(const carom_part *part, carom_cell_workspace *workspace) {
    const carom_boxes *boxes = &workspace->boxes;
    if (part->plan.leading == 0) {
        return boxes->count;
    }
    CAROM_ASSERT(part->depth == 0 && boxes->count == part->bodies.count);
    uint32_t *before = workspace->key;
    before[0] = 0;
    for (uint32_t n = 0; n < boxes->count; n++) {
        before[n + 1] = before[n] + (part->records[boxes->slot[n]].body >= part->plan.leading);
    }
    return carom_cell_lead(workspace);
}

/* What one large cell needs: a workspace for it that all workers share, one each for their hits, and tasks. */
static carom_status reserve_shared_cell(carom_detect_job *job, uint64_t entries, carom_cell_workspace *shared) {
    carom_context *context = job->context;
    carom_work_need need = {CAROM_WORK_SHARED_CELL, carom_cell_workspace_bytes(entries)};
    carom_status status = carom_job_reserve(job, &need, 1);
    if (status == CAROM_OK) {
        carom_cell_workspace_lay_out(carom_context_work(context, CAROM_WORK_SHARED_CELL), entries, shared);
        status = carom_cell_tasks_reserve_space(job, 0);
    }
    return status == CAROM_OK ? carom_cell_tasks_reserve(job, RANGE_SHARE + 2) : status;
}

/* One cell too large for one worker: sorted once, swept by all. */
static carom_status run_one_cell(carom_detect_job *job, carom_part *part) {
    carom_cell cell;
    carom_cell_workspace shared;
    carom_cell_spans(&part->plan, part->start, &part->oversized, 0, &cell);
    carom_status status = reserve_shared_cell(job, cell.count, &shared);
    if (status != CAROM_OK) {
        return status;
    }
    carom_cells_store_all(job, part, part->start[0], part->start[UINT64_C(1) << part->plan.bits]);
    if (carom_job_stopped(job)) {
        return CAROM_ERROR_CANCELLED;
    }
    sort_cell(job, part, &cell, &shared);
    const bool swept = carom_part_bits_sweep(job, part, &cell, &shared.boxes);
    for (uint32_t w = 0; w < job->context->team.workers; w++) {
        job->workers[w].part_bits_swept = swept;
    }
    const uint64_t first_task = job->queue.count;
    make_range_tasks(job, &shared.boxes, lead_entries(part, &shared));
    CAROM_ASSERT(job->queue.count - first_task <= RANGE_SHARE + 2);
    job->search.entries += cell.count;
    carom_job_lap(job, CAROM_PHASE_SORT);
    job->search.part = part;
    job->search.shared_cell = &shared;
    status = carom_worker_loop_run(job, first_task, search_task, job);
    job->search.shared_cell = NULL;
    return status;
}

/* Cells that each fit a worker: every worker sorts and sweeps the cells of its task. */
static carom_status run_cells(carom_detect_job *job, carom_part *part) {
    carom_status status = carom_cell_tasks_reserve(job, part->plan.cell_count);
    const uint64_t first_task = job->queue.count;
    if (status == CAROM_OK) {
        make_cell_tasks(job, part);
        status = carom_cell_tasks_reserve_space(job, entries_with_room(part->most_entries, part->bodies.count));
    }
    if (status != CAROM_OK || carom_job_stopped(job)) {
        return status == CAROM_OK ? CAROM_ERROR_CANCELLED : status;
    }
    carom_job_lap(job, CAROM_PHASE_PARTITION);
    job->search.part = part;
    return carom_worker_loop_run(job, first_task, search_task, job);
}

carom_status carom_cells_search(carom_detect_job *job, carom_part *part) {
    CAROM_ASSERT(job->search.records != NULL);
    if (part->plan.adjacent) {
        return carom_adjacent_search(job, part);
    }
    CAROM_ASSERT(part->crowded_count == 0 && part->most_entries == 0);
    carom_control_enter(job->context->team.control, CAROM_PHASE_SWEEP);
    const bool large = part->bodies.count > SHARED_LEAST || part->plan.leading > 0;
    const bool one = part->plan.cell_count == 1 && large;
    return one ? run_one_cell(job, part) : run_cells(job, part);
}

/* The largest cell grows with the scene: clusters have more places to be dense at. */
static uint64_t most_entries(uint64_t bodies) {
    const uint64_t entries = ENTRIES_LEAST + bodies / 128;
    return bodies <= SHARED_LEAST ? bodies : entries < CROWDED ? entries : CROWDED;
}

uint64_t carom_cells_bytes(uint64_t workers, uint64_t bodies, bool swept) {
    const uint64_t cells = workers * carom_cell_workspace_bytes(most_entries(bodies));
    const uint64_t one = workers * carom_cell_workspace_bytes(0) + carom_cell_workspace_bytes(bodies);
    return swept && one > cells ? one : cells;
}

/* A body is in two cells on the average, at most. */
uint64_t carom_cells_tasks(uint64_t bodies) {
    return 2 * bodies / carom_cell_tasks_size(bodies) + 1;
}
