/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The task queue: workers take tasks in order, and the rows of a task are written once the counts of all earlier tasks
 * are final. In: tasks without rows. Out: their rows in the context's table, in the order of the tasks, the same for
 * any number of workers.
 *
 * With one worker, which does the tasks in order, rows are written where they stay. With several workers a task stores
 * pairs in chunks. Whoever ends a task then looks how far the tasks are final, places their rows and writes them. */
#ifndef CAROM_DETECT_RESULTS_TASKS_TMPL_H
#define CAROM_DETECT_RESULTS_TASKS_TMPL_H

#include "kernel/detect/job/job_tmpl.h"

#define carom_tasks_start CAROM_REAL(carom_tasks_start)
#define carom_tasks_take CAROM_REAL(carom_tasks_take)
#define carom_tasks_resume CAROM_REAL(carom_tasks_resume)
#define carom_tasks_begin CAROM_REAL(carom_tasks_begin)
#define carom_tasks_append CAROM_REAL(carom_tasks_append)
#define carom_tasks_end CAROM_REAL(carom_tasks_end)
#define carom_tasks_count_rows CAROM_REAL(carom_tasks_count_rows)
#define carom_tasks_join CAROM_REAL(carom_tasks_join)
#define carom_tasks_chunk_bytes CAROM_REAL(carom_tasks_chunk_bytes)
#define carom_tasks_keep_chunks CAROM_REAL(carom_tasks_keep_chunks)
#define carom_tasks_chunk_bound CAROM_REAL(carom_tasks_chunk_bound)

/* Before a team starts on the tasks from `first` to the last. */
void carom_tasks_start(carom_detect_job *job, uint64_t first);

/* Gives a worker its next task. Returns false if there is none, if the call is to stop, or if the window is full: then
 * all workers return, and carom_tasks_resume says that tasks are left. Without that bound a worker that the host
 * keeps from its core would let the others fill chunks with all the rows there are. */
bool carom_tasks_take(carom_detect_job *job, uint64_t *task);

/* After all workers have returned: writes the rows that wait. Returns true if tasks are left and the team must run
 * again. */
bool carom_tasks_resume(carom_detect_job *job);

/* A worker calls these before, during and after its task. The second stores pairs, at most CAROM_HITS_MAX; the caller
 * then adds them to task->rows. It keeps none once memory has given out. */
void carom_tasks_begin(carom_detect_job *job, carom_task *task);
void carom_tasks_append(carom_detect_job *job, carom_task *task, const carom_hits *hits);
void carom_tasks_end(carom_detect_job *job, carom_worker *worker, carom_task *task);

/* After the last run: sets the first row of each task; returns the number of rows. */
uint64_t carom_tasks_count_rows(carom_detect_job *job);

/* After that: writes the rows that are still in chunks. Errors: MEMORY (a larger table), CANCELLED. */
carom_status carom_tasks_join(carom_detect_job *job);

/* Bytes of the chunks that hold the pairs of all tasks at once. */
uint64_t carom_tasks_chunk_bytes(const carom_detect_job *job);

/* After the join: makes the pool hold as many chunks as another such call can need. */
void carom_tasks_keep_chunks(carom_detect_job *job);

/* Upper bound of the bytes of all chunks in use at once, for `rows` rows of `tasks` tasks however they are spread, once
 * the table has room for all rows. */
uint64_t carom_tasks_chunk_bound(const carom_detect_job *job, uint64_t tasks, uint64_t rows);

#endif
