/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Lists in compressed form, by a parallel counting sort, and each list in order. As no two entries have both neighbour
 * and pair in common, but for two of a body and its own image, which are equal, that order makes the result the same
 * for any number of workers. Linear, but for the ordering of long lists. */
#include "kernel/detect/results/neighbours_tmpl.h"

#include "kernel/check/assert.h"
#include "kernel/detect/results/neighbour_buckets_tmpl.h"
#include "kernel/detect/results/neighbours_alone_tmpl.h"
#include "kernel/sort/list_sort.h"
#include "kernel/store/row_table_tmpl.h"

static uint64_t entries_of(const carom_detect_job *job, uint64_t rows) {
    return job->config->neighbours == CAROM_NEIGHBOURS_FULL ? carom_size_multiply(rows, 2) : rows;
}

/* Offsets, and what buckets need beside them. */
static uint64_t offset_bytes(const carom_detect_job *job, uint64_t entries) {
    const uint64_t beside = carom_neighbour_buckets_numbers(job->owned, entries, job->context->team.workers);
    return carom_size_multiply(job->owned + 1 + beside, sizeof(uint64_t));
}

uint64_t carom_neighbours_bytes(const carom_detect_job *job, uint64_t rows) {
    if (job->config->neighbours == CAROM_NEIGHBOURS_NONE) {
        return 0;
    }
    const uint64_t entries = entries_of(job, rows);
    const uint64_t lists = carom_size_multiply(entries, sizeof(uint32_t) + sizeof(uint64_t));
    return carom_size_add(lists, offset_bytes(job, entries));
}

static carom_status reserve_lists(carom_detect_job *job, uint64_t entries) {
    carom_work_need need[] = {
        {CAROM_WORK_NEIGHBOUR_OFFSET, offset_bytes(job, entries)},
        {CAROM_WORK_NEIGHBOUR_BODY, carom_size_multiply(entries, sizeof(uint32_t))},
        {CAROM_WORK_NEIGHBOUR_PAIR, carom_size_multiply(entries, sizeof(uint64_t))},
    };
    carom_context_reserve_more(job->context, need, sizeof need / sizeof need[0], job->headroom);
    return carom_context_reserve(job->context, need, sizeof need / sizeof need[0], NULL);
}

static carom_neighbour_lists lists_of(carom_detect_job *job, uint64_t rows) {
    carom_context *context = job->context;
    const carom_row_table *table = &context->rows;
    carom_neighbour_lists lists = {.job = job,
                                   .rows = rows,
                                   .from = carom_row_table_view(job->rows.shape, table->block.data, table->capacity, 0),
                                   .full = job->config->neighbours == CAROM_NEIGHBOURS_FULL,
                                   .offset = carom_context_work(context, CAROM_WORK_NEIGHBOUR_OFFSET),
                                   .body = carom_context_work(context, CAROM_WORK_NEIGHBOUR_BODY),
                                   .pair = carom_context_work(context, CAROM_WORK_NEIGHBOUR_PAIR),
                                   .body_bits = carom_list_sort_bits(job->owned)};
    lists.offset[0] = 0;
    return lists;
}

carom_status carom_neighbours_list(carom_detect_job *job, uint64_t rows) {
    const uint64_t entries = entries_of(job, rows);
    CAROM_ASSERT(job->config->neighbours != CAROM_NEIGHBOURS_NONE);
    CAROM_ASSERT(rows <= job->context->rows.capacity);
    if (reserve_lists(job, entries) != CAROM_OK) {
        return CAROM_ERROR_MEMORY;
    }
    carom_neighbour_lists lists = lists_of(job, rows);
    if (carom_neighbours_alone_suits(&lists)) {
        carom_neighbours_alone_fill(&lists);
    } else {
        carom_neighbour_buckets_fill(&lists, entries, lists.offset + job->owned + 1);
    }
    if (carom_job_stopped(job)) {
        return CAROM_ERROR_CANCELLED;
    }
    CAROM_ASSERT(lists.offset[job->owned] == entries);
    job->detection->neighbours = (carom_neighbours){.offset = lists.offset, .body = lists.body, .pair = lists.pair};
    job->detection->summary.phase_bytes[CAROM_PHASE_COLLECT] +=
        16.0 * (double)rows + 48.0 * (double)entries + 8.0 * (double)job->owned;
    return CAROM_OK;
}
