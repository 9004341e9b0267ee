/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/detect/results/shortage_tmpl.h"

#include "kernel/detect/results/members_tmpl.h"
#include "kernel/detect/results/neighbours_tmpl.h"
#include "kernel/detect/results/order_tmpl.h"
#include "kernel/detect/results/rows_tmpl.h"
#include "kernel/detect/results/tasks_tmpl.h"

/* Bytes of every buffer that is taken once the cells are searched: upper bounds that depend on the numbers of rows and
 * bodies alone. The list of tasks is there twice while it grows for a further part. */
static uint64_t bytes_after_cells(const carom_detect_job *job, uint64_t rows) {
    const uint64_t capacity = carom_row_table_round(rows);
    uint64_t bytes = carom_row_table_bytes(job->rows.shape, capacity);
    bytes = carom_size_add(bytes, carom_size_multiply(job->queue.count, sizeof(carom_task)));
    if (job->context->team.workers > 1) {
        bytes = carom_size_add(bytes, carom_tasks_chunk_bytes(job));
    }
    if (job->periodic.float_results) {
        bytes = carom_size_add(bytes, carom_row_table_bytes(carom_rows_float_shape(job), capacity));
    }
    bytes = carom_size_add(bytes, carom_order_bytes(job, rows));
    bytes = carom_size_add(bytes, carom_members_bytes(job));
    bytes = carom_size_add(bytes, carom_neighbours_bytes(job, rows));
    return carom_size_add(bytes, carom_radix_sort_bytes(&job->context->team));
}

static void release_results(carom_context *context) {
    static const carom_work passed_through[] = {
        CAROM_WORK_SORT_KEY,       CAROM_WORK_SORT_SPARE_KEY, CAROM_WORK_SORT_PAYLOAD, CAROM_WORK_SORT_SPARE_PAYLOAD,
        CAROM_WORK_MEMBER,         CAROM_WORK_OFFSET,         CAROM_WORK_GROUPED,      CAROM_WORK_NEIGHBOUR_OFFSET,
        CAROM_WORK_NEIGHBOUR_BODY, CAROM_WORK_NEIGHBOUR_PAIR};
    carom_row_table_release(&context->rows, &context->memory);
    carom_row_table_release(&context->spare_rows, &context->memory);
    carom_row_table_release(&context->float_rows, &context->memory);
    carom_chunk_pool_release(&context->chunks, &context->memory);
    carom_radix_sort_release(&context->sort, &context->memory);
    for (size_t n = 0; n < sizeof passed_through / sizeof passed_through[0]; n++) {
        carom_buffer_release(&context->memory, &context->work[passed_through[n]]);
    }
}

carom_status carom_shortage_report(carom_detect_job *job, carom_status status) {
    if (status != CAROM_ERROR_MEMORY) {
        return status;
    }
    const bool stored = job->rows.destination == CAROM_ROWS_STORED;
    const uint64_t rows = stored ? job->detection->summary.required_pairs : 0;
    release_results(job->context);
    job->context->expected_rows = rows;
    return carom_job_no_memory(job, carom_size_add(job->context->memory.held, bytes_after_cells(job, rows)));
}
