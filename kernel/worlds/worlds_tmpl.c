/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/worlds/worlds_tmpl.h"

#include "kernel/check/assert.h"
#include "kernel/detect/search/survey_tmpl.h"
#include "kernel/store/row_table_tmpl.h"
#include "kernel/worlds/hashes_tmpl.h"
#include "kernel/worlds/large_tmpl.h"
#include "kernel/worlds/search_tmpl.h"
#include "kernel/worlds/window_tmpl.h"
#include "kernel/worlds/write_tmpl.h"

/* Room for what is returned, but for the rows. */
static carom_status reserve_results(carom_worlds_job *job) {
    carom_context *context = job->context;
    const bool groups = job->config->until == CAROM_UNTIL_GROUPS;
    const carom_work_need need[] = {
        {CAROM_WORK_WORLDS_COUNTS, carom_size_multiply(job->worlds, sizeof *job->counts)},
        {CAROM_WORK_WORLDS_OFFSET, carom_size_multiply(carom_size_add(job->worlds, 1), sizeof *job->pair_offset)},
        {CAROM_WORK_WORLDS_LABEL, groups ? job->bodies->count * sizeof(uint32_t) : 0}};
    const carom_status status =
        carom_context_reserve(context, need, sizeof need / sizeof *need, &job->result->required_bytes);
    if (status == CAROM_OK) {
        job->counts = carom_context_work(context, CAROM_WORK_WORLDS_COUNTS);
        job->pair_offset = carom_context_work(context, CAROM_WORK_WORLDS_OFFSET);
        job->label = groups ? carom_context_work(context, CAROM_WORK_WORLDS_LABEL) : NULL;
    }
    return status;
}

/* The table may have held rows of another shape: its bytes say how many of this one it holds. */
static void prepare_rows(carom_worlds_job *job) {
    const bool contacts = carom_worlds_contacts(job);
    carom_row_table *table = &job->context->worlds_rows;
    job->shape = (carom_row_shape){contacts ? CAROM_ROW_FIELDS : CAROM_PAIR_FIELDS, sizeof(carom_real), 0, 0};
    table->capacity = table->block.bytes / carom_row_table_bytes(job->shape, CAROM_ROW_MULTIPLE) * CAROM_ROW_MULTIPLE;
    carom_chunk_pool_restart(&job->context->chunks);
}

static carom_status search_window(carom_worlds_job *job) {
    const uint64_t before = job->rows;
    carom_status status = carom_worlds_search(job);
    if (status != CAROM_OK) {
        return status;
    }
    carom_worlds_window_place(job);
    if (job->rows > before) {
        status = carom_worlds_rows_reserve(job, before);
        if (status == CAROM_OK) {
            status = carom_worlds_write(job);
        }
    }
    return status;
}

/* A large world's detection uses the buffers that a window does, so it runs between two windows. It restarts the pool
 * of chunks, and leaves the team with workers of its own number. */
static carom_status search_all(carom_worlds_job *job) {
    carom_status status = CAROM_OK;
    while (status == CAROM_OK && job->next_world < job->worlds) {
        carom_context_use_workers(job->context, job->bodies->count);
        carom_worlds_window_fill(job);
        if (job->task_count > 0) {
            status = search_window(job);
        } else {
            carom_worlds_window_give_chunks(job);
            status = carom_worlds_large(job);
        }
    }
    return status;
}

static void give_results(carom_worlds_job *job) {
    carom_worlds_result *result = job->result;
    const carom_row_table *table = &job->context->worlds_rows;
    result->world = job->worlds > 0 ? job->counts : NULL;
    result->pair_offset = job->pair_offset;
    result->pair_count = job->rows;
    result->label = job->bodies->count > 0 ? job->label : NULL;
    if (!job->config->count_only) {
        result->contacts = carom_row_table_view(job->shape, table->block.data, table->capacity, 0);
    }
}

carom_status carom_worlds_run(carom_worlds_job *job) {
    carom_context_use_workers(job->context, job->bodies->count);
    prepare_rows(job);
    carom_status status = reserve_results(job);
    if (status == CAROM_OK) {
        status = carom_worlds_window_reserve(job);
    }
    if (status == CAROM_OK) {
        status = search_all(job);
        carom_worlds_window_give_chunks(job);
    }
    if (status != CAROM_OK) {
        return status;
    }
    job->pair_offset[job->worlds] = job->rows;
    give_results(job);
    if (job->config->hash) {
        carom_worlds_hashes(job);
    }
    return carom_team_stopped(&job->context->team) ? CAROM_ERROR_CANCELLED : CAROM_OK;
}

carom_status carom_worlds_find_bad(const carom_worlds_job *job, carom_error *error) {
    carom_error ignored;
    carom_detect_job all = {.context = job->context,
                            .bodies = job->bodies,
                            .owned = job->bodies->count,
                            .error = error != NULL ? error : &ignored};
    const carom_status status = carom_survey_find_bad(&all);
    return status == CAROM_OK ? CAROM_ERROR_CANCELLED : status;
}
