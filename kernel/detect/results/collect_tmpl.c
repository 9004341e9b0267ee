/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/detect/results/collect_tmpl.h"

#include "kernel/check/assert.h"
#include "kernel/detect/results/neighbours_tmpl.h"
#include "kernel/detect/results/order_tmpl.h"
#include "kernel/detect/results/output_tmpl.h"
#include "kernel/detect/results/shortage_tmpl.h"
#include "kernel/detect/results/tasks_tmpl.h"
#include "kernel/periodic/image_rows.h"
#include "kernel/store/row_table_tmpl.h"

/* Rows of owned bodies and images become rows of the caller's bodies. */
static void map_rows(carom_detect_job *job, uint64_t rows) {
    const carom_row_table *table = &job->context->rows;
    const carom_image_rows mapped = {job->rows.shape, table->block.data, table->capacity, rows};
    carom_image_rows_map(&job->context->team, job->periodic.images, &mapped);
}

/* Inline: builds without checks do not have it, whether they optimise or not. */
static inline const char *check_rows(const carom_detect_job *job, uint64_t rows) {
    const carom_row_table *table = &job->context->rows;
    const carom_contacts view = carom_row_table_view(job->rows.shape, table->block.data, table->capacity, 0);
    const bool self_images = job->periodic.images != NULL && job->periodic.images->self_images;
    const bool shapes = job->shapes.source != NULL;
    return carom_row_table_validate_rows(&view, rows, job->owned, self_images, shapes,
                                         shapes && job->periodic.float_results);
}

/* All rows of the call, in their final order, in the context's table. */
static carom_status finish_rows(carom_detect_job *job, uint64_t rows) {
    carom_status status = carom_tasks_join(job);
    carom_tasks_keep_chunks(job);
    if (status == CAROM_OK && job->periodic.images != NULL) {
        map_rows(job, rows);
    }
    if (status == CAROM_OK && carom_job_stopped(job)) {
        return CAROM_ERROR_CANCELLED;
    }
    if (status == CAROM_OK) {
        carom_order_headroom(job, rows);
    }
    if (status == CAROM_OK && job->config->sort_pairs) {
        status = carom_order_rows(job, rows);
    }
    CAROM_VALIDATE(status == CAROM_OK ? check_rows(job, rows) : NULL);
    return status;
}

/* The order matters: rows must be complete before their images are mapped, mapped before they are ordered, and ordered
 * before neighbour lists point to them. */
static carom_status collect(carom_detect_job *job) {
    const bool stored = job->rows.destination == CAROM_ROWS_STORED;
    const uint64_t rows = stored ? carom_tasks_count_rows(job) : 0;
    if (job->rows.overflowed != 0 && rows > 0) {
        return CAROM_ERROR_MEMORY;
    }
    carom_status status = rows > 0 ? finish_rows(job, rows) : CAROM_OK;
    CAROM_ASSERT(status != CAROM_OK || !stored || rows == job->detection->summary.required_pairs);
    if (status == CAROM_OK && stored && job->config->neighbours != CAROM_NEIGHBOURS_NONE) {
        status = carom_neighbours_list(job, rows);
    }
    if (status != CAROM_OK) {
        return status;
    }
    return job->periodic.float_results ? carom_output_round_rows(job, rows)
                                       : carom_output_rows(job, &job->context->rows, rows);
}

carom_status carom_collect_results(carom_detect_job *job) {
    CAROM_ASSERT(job->config->until >= CAROM_UNTIL_PAIRS);
    job->detection->summary.phase_bytes[CAROM_PHASE_COLLECT] = 0.0;
    carom_status status = carom_shortage_report(job, collect(job));
    carom_job_lap(job, CAROM_PHASE_COLLECT);
    return status;
}
