/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/detect/results/worker_loop_tmpl.h"

#include "kernel/check/assert.h"
#include "kernel/detect/results/sink_tmpl.h"
#include "kernel/detect/results/tasks_tmpl.h"

typedef struct run {
    carom_detect_job *job;
    carom_task_search *search;
    void *data;
} run;

static void run_worker(void *data, uint32_t w) {
    const run *r = data;
    carom_detect_job *job = r->job;
    carom_worker *worker = &job->workers[w];
    uint64_t t;
    while (carom_tasks_take(job, &t)) {
        carom_task *task = &job->queue.tasks[t];
        carom_tasks_begin(job, task);
        r->search(r->data, worker, task);
        CAROM_ASSERT(worker->block.count == 0 || job->rows.destination == CAROM_ROWS_TO_SINK);
        carom_sink_flush(job, worker, task);
        carom_tasks_end(job, worker, task);
    }
}

/* Workers all return when one of them reaches the end of the window; the loop then writes rows and starts them again.
 */
carom_status carom_worker_loop_run(carom_detect_job *job, uint64_t first, carom_task_search *search, void *data) {
    run r = {job, search, data};
    const bool alone = job->queue.count - first <= 1; /* the others would start for nothing */
    carom_tasks_start(job, first);
    do {
        (alone ? carom_team_run_alone : carom_team_run)(&job->context->team, run_worker, &r);
    } while (!carom_job_stopped(job) && carom_tasks_resume(job));
    if (carom_job_stopped(job)) {
        return CAROM_ERROR_CANCELLED;
    }
    const bool stored = job->rows.destination == CAROM_ROWS_STORED;
    /* Once memory has given out, chunks no longer hold all that tasks count. */
    CAROM_VALIDATE(job->rows.overflowed != 0 ? NULL : carom_task_queue_validate(&job->queue, stored));
    carom_job_share_time(job);
    return CAROM_OK;
}

bool carom_worker_loop_ended(const carom_detect_job *job) {
    return carom_control_look(job->context->team.control) || carom_sink_stopped(job);
}

void carom_worker_loop_store(carom_detect_job *job, carom_worker *worker, carom_task *task, const carom_hits *hits) {
    CAROM_ASSERT(hits->count <= CAROM_HITS_MAX);
    CAROM_ASSERT(job->rows.answered == (hits->answer != NULL));
    if (job->rows.destination == CAROM_ROWS_TO_SINK) {
        carom_sink_append(job, worker, task, hits);
    } else if (job->rows.destination == CAROM_ROWS_STORED) {
        carom_tasks_append(job, task, hits);
    }
    task->rows += hits->count;
}
