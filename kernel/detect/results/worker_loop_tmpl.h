/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Runs the tasks of a search on all workers. In: tasks, and the function that searches one. Out: the pairs that it
 * finds, stored as rows, delivered to the sink or counted. The search needs to know nothing of tables and chunks. */
#ifndef CAROM_DETECT_RESULTS_WORKER_LOOP_TMPL_H
#define CAROM_DETECT_RESULTS_WORKER_LOOP_TMPL_H

#include "kernel/detect/job/job_tmpl.h"

#define carom_worker_loop_run CAROM_REAL(carom_worker_loop_run)
#define carom_worker_loop_ended CAROM_REAL(carom_worker_loop_ended)
#define carom_worker_loop_store CAROM_REAL(carom_worker_loop_store)

/* Searches one task; calls carom_worker_loop_store for what it finds. */
typedef void carom_task_search(void *data, carom_worker *worker, carom_task *task);

/* Calls search(data, worker, task) once for every task from `first` on, and shares out the time. Errors: CANCELLED,
 * with tasks left out. */
carom_status carom_worker_loop_run(carom_detect_job *job, uint64_t first, carom_task_search *search, void *data);

/* For searches of long tasks, now and then: whether the sink wants no more, or the call is to stop. */
bool carom_worker_loop_ended(const carom_detect_job *job);

/* Stores pairs, at most CAROM_HITS_MAX, as rows of the task, or delivers them, or only counts them. Where job->rows says
 * so they have answers. */
void carom_worker_loop_store(carom_detect_job *job, carom_worker *worker, carom_task *task, const carom_hits *hits);

#endif
