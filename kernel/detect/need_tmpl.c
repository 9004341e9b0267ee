/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/detect/need_tmpl.h"

#include "kernel/detect/results/members_tmpl.h"
#include "kernel/detect/results/neighbours_tmpl.h"
#include "kernel/detect/results/order_tmpl.h"
#include "kernel/detect/results/rows_tmpl.h"
#include "kernel/detect/results/slot_order_tmpl.h"
#include "kernel/detect/results/tasks_tmpl.h"
#include "kernel/detect/search/cells_tmpl.h"
#include "kernel/detect/shaped/shape_boxes_tmpl.h"
#include "kernel/detect/shaped/shape_source.h"

/* The plan makes no more cells than one for so many bodies, and a cell has this many codes at most. */
enum { BODIES_A_CELL = 256, CODES_A_CELL = 8 };
/* A job as far as sizes depend on it. */
typedef struct sizing {
    carom_context context;
    carom_images images;
    carom_bodies bodies;
    carom_shape_source source;
    carom_detect_job job;
} sizing;

static void start_sizing(sizing *s, const carom_need *need) {
    *s = (sizing){.context = {.threads = need->context->threads,
                              .bodies_per_thread = need->context->bodies_per_thread,
                              .team = need->context->team},
                  .bodies = {.count = need->owned + need->images}};
    carom_context_use_workers(&s->context, need->owned);
    const bool periodic = need->config->periodic != NULL;
    s->job =
        (carom_detect_job){.context = &s->context,
                           .bodies = &s->bodies,
                           .owned = need->owned,
                           .config = need->config,
                           .periodic = {.images = periodic ? &s->images : NULL, .float_results = need->float_results}};
    s->job.shapes.source = need->shaped ? &s->source : NULL;
    s->job.shapes.compounds = need->shaped;
    carom_rows_prepare_output(&s->job);
}

static uint64_t filter_bytes(const carom_detect_job *job) {
    const carom_filter *filter = job->config->filter;
    if (filter == NULL) {
        return 0;
    }
    const uint64_t count = job->bodies->count;
    const uint64_t lists = job->owned * sizeof(uint64_t) + count * sizeof(carom_filter_trace);
    const uint64_t bits = filter->part != NULL ? count * sizeof *filter->part : 0;
    return count * sizeof(carom_filter_values) + bits + (filter->exclusion_offset != NULL ? lists : 0);
}

/* Codes, starts, cells, tasks. */
static uint64_t partition_bytes(const carom_detect_job *job) {
    const uint64_t workers = job->context->team.workers;
    const uint64_t count = job->bodies->count;
    const uint64_t cells = count / BODIES_A_CELL + 1;
    const uint64_t codes = cells * CODES_A_CELL + CAROM_CACHE_LINE / sizeof(uint32_t);
    const uint64_t body = sizeof(uint32_t) + sizeof(carom_record);
    const uint64_t of_cells = cells * (sizeof(uint32_t) + sizeof(carom_task));
    return (count + CAROM_SIMD_PAD) * body + codes * (workers + 1) * sizeof(uint32_t) + of_cells;
}

/* A block of rows a worker, for a sink. */
static uint64_t block_bytes(const carom_need *need, const carom_detect_job *job) {
    const uint64_t rows = carom_row_table_bytes(job->rows.shape, CAROM_BLOCK_ROWS);
    const uint64_t floats = carom_row_table_bytes(carom_rows_float_shape(job), CAROM_BLOCK_ROWS);
    const uint64_t each = rows + (need->float_results ? floats : 0);
    return need->to_sink ? job->context->team.workers * each : 0;
}

static uint64_t group_bytes(const carom_detect_job *job) {
    const uint64_t arrays = job->context->team.workers > 1 ? 6 : 5;
    return carom_job_wants_groups(job) ? arrays * job->bodies->count * sizeof(uint32_t) : 0;
}

static uint64_t worker_bytes(const carom_need *need, const carom_detect_job *job) {
    const carom_team *team = &job->context->team;
    const uint64_t workers = carom_job_workers_bytes(team->workers) + carom_radix_sort_bytes(team);
    const uint64_t boxes = need->shaped ? carom_shape_boxes_bytes(job->owned, job->context->team.workers) : 0;
    return workers + boxes + filter_bytes(job) + block_bytes(need, job);
}

uint64_t carom_need_workers(const carom_need *need) {
    sizing s;
    start_sizing(&s, need);
    return worker_bytes(need, &s.job);
}

static bool is_swept(const carom_need *need) {
    return need->swept || need->config->method == CAROM_METHOD_SWEEP;
}

uint64_t carom_need_search(const carom_need *need) {
    sizing s;
    start_sizing(&s, need);
    const uint64_t workers = s.context.team.workers;
    uint64_t bytes = worker_bytes(need, &s.job);
    if (need->config->until == CAROM_UNTIL_BOUNDS) {
        return bytes + 6 * (s.bodies.count + CAROM_SIMD_PAD) * sizeof(float);
    }
    if (s.job.periodic.images != NULL) {
        bytes += carom_images_bytes(s.context.team.workers, need->owned, need->images);
    }
    bytes += partition_bytes(&s.job) + group_bytes(&s.job);
    bytes += is_swept(need) ? carom_cells_ranges() * sizeof(carom_task) : 0;
    return bytes + carom_cells_bytes(workers, s.bodies.count, is_swept(need));
}

static uint64_t lesser(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* Member lists and ordered rows pass through the same keys and payloads. */
static uint64_t lists_bytes(const carom_detect_job *job, uint64_t rows) {
    const uint64_t members = carom_members_bytes(job);
    const uint64_t order = carom_order_bytes(job, rows);
    const uint64_t of_body = sizeof(uint32_t);
    const uint64_t of_row = carom_size_multiply(rows, sizeof(uint32_t));
    const uint64_t keys = 2 * lesser(job->bodies->count * of_body, carom_size_multiply(of_row, 2));
    const uint64_t payload = lesser(job->bodies->count * of_body, of_row);
    const bool both = members > 0 && order > 0 && order != UINT64_MAX;
    return carom_size_add(order, members) - (both ? keys + payload : 0);
}

uint64_t carom_need_results(const carom_need *need, uint64_t tasks) {
    sizing s;
    start_sizing(&s, need);
    const uint64_t rows = s.job.rows.destination == CAROM_ROWS_STORED && !need->to_sink ? need->pairs : 0;
    const uint64_t capacity = carom_row_table_round(rows);
    if (need->config->until == CAROM_UNTIL_BOUNDS) {
        return 0;
    }
    uint64_t bytes = carom_row_table_bytes(s.job.rows.shape, capacity);
    if (need->float_results) {
        bytes = carom_size_add(bytes, carom_row_table_bytes(carom_rows_float_shape(&s.job), capacity));
    }
    if (rows > 0) {
        bytes = carom_size_add(bytes, carom_tasks_chunk_bound(&s.job, tasks, rows));
    }
    bytes = carom_size_add(bytes, carom_neighbours_bytes(&s.job, rows));
    bytes = carom_size_add(bytes, carom_slot_order_bytes(&s.job));
    return carom_size_add(bytes, lists_bytes(&s.job, rows));
}

uint64_t carom_need_detect(const carom_need *need) {
    const uint64_t tasks = carom_cells_tasks(need->owned + need->images);
    return carom_size_add(carom_need_search(need), carom_need_results(need, tasks));
}

carom_status carom_need_explain(carom_detect_job *job, uint64_t least) {
    const uint64_t limit = job->context->memory.limit;
    uint64_t required = job->detection->summary.required_bytes;
    required = required > least ? required : least;
    if (limit != 0 && required <= limit) {
        required = carom_size_add(limit, limit / 8 + 1);
    }
    return carom_job_no_memory(job, required);
}
