/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Assigns a part's bodies to cells and searches these. A crowded cell costs more than its share: its entries become a
 * part of their own, copied together, planned afresh and searched in the same way. So do the oversized bodies, which
 * the cells have not paired with one another. Parts are searched one after another, each by all workers. An entry takes
 * along its `earlier` bits from the cells around, so that each pair is still found once. */
#include "kernel/detect/search/part_tmpl.h"

#include <string.h>

#include "kernel/broad/oversized_tmpl.h"
#include "kernel/broad/partition_tmpl.h"
#include "kernel/check/assert.h"
#include "kernel/detect/search/adjacent_tmpl.h"
#include "kernel/detect/search/cells_tmpl.h"
#include "kernel/detect/search/filter_tmpl.h"
#include "kernel/detect/search/survey_tmpl.h"

/* A plan is given up for plain cells if oversized bodies pay more visits to cells than so many a body, and some. */
static const uint64_t VISITS_A_BODY = 64;
static const uint64_t VISITS_MORE = UINT64_C(1) << 20;

static void *work_of(const carom_detect_job *job, const carom_part *part, carom_part_work which) {
    return carom_context_work(job->context, carom_context_part_work(part->depth, which));
}

/* A buffer of the part, for a list of needs. */
#define PART_WORK(which) carom_context_part_work(part->depth, which)

/* The scene's groups are reserved here too: once the partition stands, only the search itself needs memory. */
static carom_status reserve_partition(carom_detect_job *job, const carom_part *part) {
    uint64_t count = part->bodies.count;
    uint64_t codes = part->plan.code_count;
    uint64_t workers = job->context->team.workers;
    uint64_t group_bytes = part->depth == 0 && carom_job_wants_groups(job) ? count * sizeof(uint32_t) : 0;
    carom_work_need need[] = {
        {PART_WORK(CAROM_PART_CODE), (count + CAROM_SIMD_PAD) * sizeof(uint32_t)},
        {PART_WORK(CAROM_PART_NEXT), carom_partition_next_count(&job->context->team, &part->plan) * sizeof(uint32_t)},
        {PART_WORK(CAROM_PART_START), (codes + 1) * sizeof(uint32_t)},
        {PART_WORK(CAROM_PART_RECORDS), (count + CAROM_SIMD_PAD) * sizeof(carom_record)},
        {PART_WORK(CAROM_PART_CROWDED), (uint64_t)part->plan.cell_count * sizeof(uint32_t)},
        {CAROM_WORK_PARENT, group_bytes},
        {CAROM_WORK_LEAST, group_bytes},
        {CAROM_WORK_GROUP_SIZE, group_bytes},
        {CAROM_WORK_BODY, group_bytes},
        {CAROM_WORK_LABEL, group_bytes},
        {CAROM_WORK_GROUP_SPARE, workers > 1 ? group_bytes : 0},
    };
    return carom_job_reserve(job, need, sizeof need / sizeof need[0]);
}

/* Brings the bodies into the order of their cells. */
static carom_status partition_bodies(carom_detect_job *job, carom_part *part) {
    carom_status status = reserve_partition(job, part);
    if (status != CAROM_OK) {
        return status;
    }
    carom_partition_workspace workspace = {.code = work_of(job, part, CAROM_PART_CODE),
                                           .next = work_of(job, part, CAROM_PART_NEXT),
                                           .start = work_of(job, part, CAROM_PART_START)};
    part->records = work_of(job, part, CAROM_PART_RECORDS);
    part->crowded = work_of(job, part, CAROM_PART_CROWDED);
    part->start = workspace.start;
    carom_partition_run(&job->context->team, job->context->simd, &part->plan, &part->bodies, &workspace, part->records);
    double bytes = 14.0 * sizeof(carom_real) + 2.0 * sizeof(uint32_t) + sizeof(carom_record);
    job->detection->summary.phase_bytes[CAROM_PHASE_PARTITION] += bytes * (double)part->bodies.count;
    carom_job_lap(job, CAROM_PHASE_PARTITION);
    return carom_job_stopped(job) ? CAROM_ERROR_CANCELLED : CAROM_OK;
}

/* Lists the visits to each cell. */
static carom_status list_visits(carom_detect_job *job, carom_part *part, uint64_t visits,
                                carom_visit_workspace *workspace) {
    carom_context *context = job->context;
    carom_work_need need[] = {
        {PART_WORK(CAROM_PART_VISIT_CELL), visits * sizeof(uint32_t)},
        {PART_WORK(CAROM_PART_VISIT), visits * sizeof(uint32_t)},
        {PART_WORK(CAROM_PART_VISIT_SPARE_CELL), visits * sizeof(uint32_t)},
        {PART_WORK(CAROM_PART_VISIT_SPARE), visits * sizeof(uint32_t)},
    };
    carom_status status = carom_job_reserve(job, need, sizeof need / sizeof need[0]);
    if (status != CAROM_OK) {
        return status;
    }
    workspace->cell = work_of(job, part, CAROM_PART_VISIT_CELL);
    workspace->visit = work_of(job, part, CAROM_PART_VISIT);
    workspace->spare_cell = work_of(job, part, CAROM_PART_VISIT_SPARE_CELL);
    workspace->spare_visit = work_of(job, part, CAROM_PART_VISIT_SPARE);
    part->oversized.start = workspace->start;
    part->oversized.visit = workspace->visit;
    status = carom_oversized_list(&context->team, context->simd, &context->memory, &context->sort, &part->plan,
                                  part->records + part->oversized.first, part->oversized.count, visits, workspace);
    return status == CAROM_ERROR_MEMORY
               ? carom_job_no_memory(job, context->memory.held + carom_radix_sort_bytes(&context->team))
               : status;
}

/* Counts the visits of the oversized bodies, and lists them. *too_many: there are so many that the plan is not worth
 * it, and there are no lists. */
static carom_status visit_cells(carom_detect_job *job, carom_part *part, bool *too_many) {
    carom_context *context = job->context;
    carom_work_need need[] = {
        {PART_WORK(CAROM_PART_OVERSIZED_LOW), part->oversized.count * sizeof(float)},
        {PART_WORK(CAROM_PART_VISIT_START), ((uint64_t)part->plan.cell_count + 1) * sizeof(uint32_t)},
    };
    carom_status status = carom_job_reserve(job, need, sizeof need / sizeof need[0]);
    if (status != CAROM_OK) {
        return status;
    }
    carom_visit_workspace workspace = {.low = work_of(job, part, CAROM_PART_OVERSIZED_LOW),
                                       .start = work_of(job, part, CAROM_PART_VISIT_START),
                                       .visits = carom_context_shares(context)};
    part->oversized.low = workspace.low;
    uint64_t visits = carom_oversized_count(&context->team, context->simd, &part->plan,
                                            part->records + part->oversized.first, part->oversized.count, &workspace);
    if (carom_job_stopped(job)) {
        return CAROM_ERROR_CANCELLED;
    }
    *too_many = visits > VISITS_A_BODY * part->bodies.count + VISITS_MORE || visits > UINT32_MAX;
    return *too_many ? CAROM_OK : list_visits(job, part, visits, &workspace);
}

static carom_status place_oversized(carom_detect_job *job, carom_part *part, bool *too_many) {
    const uint32_t *start = part->start + part->plan.wide_code;
    *too_many = false;
    part->oversized.first = start[0];
    part->oversized.count = start[1] - start[0];
    if (part->oversized.count == 0) {
        return CAROM_OK;
    }
    carom_status status = visit_cells(job, part, too_many);
    carom_job_lap(job, CAROM_PHASE_PARTITION);
    return status;
}

/* Parts within parts nest up to eight deep on the stack: what a part has done before it is searched stays out of the
 * frames that nest. */
#define NOT_INLINED __attribute__((noinline))

/* Plans the part again, and partitions it by that. */
static carom_status assign_again(carom_detect_job *job, carom_part *part, carom_method method) {
    const carom_status status = carom_survey_part(job, part, method);
    return status == CAROM_OK ? partition_bodies(job, part) : status;
}

/* Partitions the part by its plan. If cells that are not to be swept have too many bodies, the part is planned again.
 */
static carom_status assign_first(carom_detect_job *job, carom_part *part) {
    const carom_status status = partition_bodies(job, part);
    if (status != CAROM_OK || !part->plan.adjacent) {
        return status;
    }
    if (carom_adjacent_fits(job, part)) {
        return carom_adjacent_reserve(job, part);
    }
    part->swept = true;
    part->most_entries = 0;
    return assign_again(job, part, job->config->method);
}

/* The same; with too many visits the part is planned again, for plain cells. */
static NOT_INLINED carom_status assign_cells(carom_detect_job *job, carom_part *part) {
    bool too_many = false;
    carom_status status = assign_first(job, part);
    if (status == CAROM_OK) {
        status = place_oversized(job, part, &too_many);
    }
    if (status != CAROM_OK || !too_many) {
        return status;
    }
    part->oversized = (carom_oversized){.count = 0};
    part->swept = true; /* nobody looks again how many candidates cells have */
    return assign_again(job, part, CAROM_METHOD_CELLS);
}

/* Some of a part's records on their way into a part of their own. */
typedef struct gather_job {
    const carom_detect_job *job;
    const carom_part *from;               /* the part that they leave */
    const carom_cell *cell;               /* the cell whose entries they are */
    carom_real *field[CAROM_BODY_FIELDS]; /* where they go: prev, curr, radius */
    uint32_t *slot;                       /* their slots in the scene */
    uint32_t *earlier;                    /* their `earlier` bits in the cells around */
    uint64_t count;                       /* how many they are */
} gather_job;

/* Record and bits of a cell's entry: of its spans in order, then of the oversized bodies that visit it. *span and
 * *before (the entries of the spans before that one) are where the entry before was found. */
static uint32_t entry_of(const gather_job *g, uint32_t *span, uint32_t *before, uint32_t n, uint32_t *earlier) {
    const carom_cell *cell = g->cell;
    while (*span < cell->span_count && n - *before >= cell->span[*span].end - cell->span[*span].begin) {
        *before += cell->span[*span].end - cell->span[*span].begin;
        *span += 1;
    }
    if (*span < cell->span_count) {
        *earlier = cell->span[*span].earlier;
        return cell->span[*span].begin + (n - *before);
    }
    uint32_t visit = cell->oversized->visit[cell->visit_begin + (n - *before)];
    *earlier = visit >> CAROM_VISIT_SHIFT | cell->visit_mark;
    return cell->oversized->first + (visit & CAROM_VISIT_NUMBER);
}

/* Copies records back into arrays. Slots are those of the scene, `earlier` bits those of all depths so far. In a
 * deeper part, record->body indexes the part's own slot and earlier arrays. */
static inline void gather_entry(const gather_job *g, uint64_t n, uint32_t at, uint32_t earlier) {
    const carom_record *record = &g->from->records[at];
    for (int a = 0; a < 3; a++) {
        g->field[a][n] = record->prev[a];
        g->field[a + 3][n] = record->curr[a];
    }
    g->field[6][n] = record->radius;
    const bool scene = g->from->depth == 0;
    g->slot[n] = scene ? at : g->from->slot[record->body];
    g->earlier[n] = earlier << (CAROM_CELL_BITS * g->from->depth) | (scene ? 0 : g->from->earlier[record->body]);
}

static void gather_entries(void *data, uint32_t worker) {
    const gather_job *g = data;
    uint32_t span = 0;
    uint32_t before = 0;
    carom_walk walk = carom_team_walk(&g->job->context->team, worker, g->count, CAROM_SIMD_PAD);
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin; n < walk.end; n++) {
            uint32_t earlier = 0;
            uint32_t at = entry_of(g, &span, &before, (uint32_t)n, &earlier);
            gather_entry(g, n, at, earlier);
        }
    }
}

/* The part's own arrays. */
static carom_status reserve_entries(carom_detect_job *job, carom_part *part, gather_job *gather) {
    const uint64_t padded = part->bodies.count + CAROM_SIMD_PAD;
    carom_work_need need[] = {
        {PART_WORK(CAROM_PART_BODIES), CAROM_BODY_FIELDS * padded * sizeof(carom_real)},
        {PART_WORK(CAROM_PART_SLOT), padded * sizeof(uint32_t)},
        {PART_WORK(CAROM_PART_EARLIER), padded * sizeof(uint32_t)},
    };
    carom_status status = carom_job_reserve(job, need, sizeof need / sizeof need[0]);
    if (status != CAROM_OK) {
        return status;
    }
    carom_real *fields = work_of(job, part, CAROM_PART_BODIES);
    for (uint64_t f = 0; f < CAROM_BODY_FIELDS; f++) {
        gather->field[f] = fields + f * padded;
    }
    gather->slot = work_of(job, part, CAROM_PART_SLOT);
    gather->earlier = work_of(job, part, CAROM_PART_EARLIER);
    for (int a = 0; a < 3; a++) {
        part->bodies.prev[a] = gather->field[a];
        part->bodies.curr[a] = gather->field[a + 3];
    }
    part->bodies.radius = gather->field[6];
    part->slot = gather->slot;
    part->earlier = gather->earlier;
    return CAROM_OK;
}

/* The deepest part is swept: its entries have no bits left for cells of another depth. */
static carom_method method_within(const carom_detect_job *job, const carom_part *part) {
    const bool deepest = part->depth + 1 == CAROM_PART_DEPTHS;
    return deepest || job->config->method == CAROM_METHOD_SWEEP ? CAROM_METHOD_SWEEP : CAROM_METHOD_AUTO;
}

/* Makes the entries of a cell a part, and plans it. */
static NOT_INLINED carom_status make_part(carom_detect_job *job, const carom_part *from, const carom_cell *cell,
                                          carom_part *part) {
    *part = (carom_part){.depth = from->depth + 1, .bodies = {.count = cell->count}, .swept = true};
    gather_job gather = {.job = job, .from = from, .cell = cell, .count = cell->count};
    const carom_status status = reserve_entries(job, part, &gather);
    if (status != CAROM_OK) {
        return status;
    }
    carom_team_run_over(&job->context->team, gather.count, gather_entries, &gather);
    carom_job_lap(job, CAROM_PHASE_PARTITION);
    return carom_job_stopped(job) ? CAROM_ERROR_CANCELLED : carom_survey_part(job, part, method_within(job, part));
}

/* The cell that becomes a part. No worker searches one meanwhile, and parts within it may use it in turn. */
static carom_cell *parted_cell(const carom_detect_job *job) {
    return &job->workers[0].cell;
}

/* Searches the entries of parted_cell, a cell of `from` or what looks like one, as a part of their own. */
static carom_status search_entries(carom_detect_job *job, const carom_part *from) {
    CAROM_ASSERT(from->depth + 1 < CAROM_PART_DEPTHS);
    CAROM_ASSERT(parted_cell(job)->count > 0);
    carom_part part;
    const carom_status status = make_part(job, from, parted_cell(job), &part);
    return status == CAROM_OK ? carom_part_search(job, &part) : status;
}

static carom_status search_crowded(carom_detect_job *job, const carom_part *part) {
    carom_status status = CAROM_OK;
    for (uint32_t n = 0; n < part->crowded_count && status == CAROM_OK; n++) {
        uint32_t number = part->crowded[n];
        CAROM_ASSERT(number < part->plan.cell_count);
        carom_cell_spans(&part->plan, part->start, &part->oversized, number, parted_cell(job));
        carom_cells_store_all(job, part, part->start[(uint64_t)number << part->plan.bits],
                              part->start[(uint64_t)(number + 1) << part->plan.bits]);
        status = search_entries(job, part);
    }
    return status;
}

/* The oversized bodies among themselves. Only a plan of levels leaves that to do: in one of shared cells they meet in
 * the cells that they visit. */
static carom_status search_oversized(carom_detect_job *job, const carom_part *part) {
    uint32_t first = part->oversized.first;
    uint32_t count = part->oversized.count;
    carom_cells_store_all(job, part, first, (uint64_t)first + count);
    if (part->plan.method != CAROM_METHOD_LEVELS || count < 2) {
        return CAROM_OK;
    }
    *parted_cell(job) = (carom_cell){.span_count = 1, .count = count, .span = {{first, first + count, 0}}};
    return search_entries(job, part);
}

/* Every slot becomes a group of its own, before any cell unites slots of others. */
static void start_slots(void *data, uint32_t worker) {
    carom_detect_job *job = data;
    carom_walk walk = carom_team_walk(&job->context->team, worker, job->bodies->count, CAROM_SIMD_PAD);
    while (carom_walk_next(&walk)) {
        carom_union_find_init(job->groups.parent, walk.begin, walk.end);
    }
}

static void start_groups(carom_detect_job *job) {
    const carom_context *context = job->context;
    job->groups = (carom_group_state){.parent = carom_context_work(context, CAROM_WORK_PARENT),
                                      .least = carom_context_work(context, CAROM_WORK_LEAST),
                                      .size = carom_context_work(context, CAROM_WORK_GROUP_SIZE),
                                      .spare = carom_context_work(context, CAROM_WORK_GROUP_SPARE),
                                      .body = carom_context_work(context, CAROM_WORK_BODY),
                                      .slot_of = work_of(job, &job->scene, CAROM_PART_CODE),
                                      .label = carom_context_work(context, CAROM_WORK_LABEL)};
    carom_team_run(&job->context->team, start_slots, job);
    carom_job_lap(job, CAROM_PHASE_GROUPS);
}

/* What all parts share, once the scene's records are in order: slots are places in that order. */
static carom_status start_scene(carom_detect_job *job, const carom_part *scene) {
    job->search.records = scene->records;
    if (carom_job_wants_groups(job)) {
        start_groups(job);
    }
    const carom_status status = carom_filter_start(job, work_of(job, scene, CAROM_PART_CODE));
    return carom_job_stopped(job) ? CAROM_ERROR_CANCELLED : status;
}

carom_status carom_part_search(carom_detect_job *job, carom_part *part) {
    CAROM_ASSERT(part->plan.method != CAROM_METHOD_AUTO);
    carom_status status = assign_cells(job, part);
    if (status != CAROM_OK) {
        return status;
    }
    CAROM_VALIDATE(carom_part_validate(part, job->bodies->count));
    if (part->depth == 0) {
        status = start_scene(job, part);
    }
    if (status == CAROM_OK) {
        status = carom_cells_search(job, part);
    }
    if (status == CAROM_OK) {
        status = search_crowded(job, part);
    }
    return status == CAROM_OK ? search_oversized(job, part) : status;
}
