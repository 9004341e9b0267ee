/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Rows for the caller's sink. Each worker gathers the rows of its task in one block and delivers the block when it is
 * full and when the task ends. In a periodic box it first turns them into rows of the caller's bodies, and into floats
 * if these are floats. Tasks are the same for any number of workers, so the blocks are too. Once a block is delivered
 * the call cannot start over: all memory is reserved before, but for what crowded cells and oversized bodies need. */
#ifndef CAROM_DETECT_RESULTS_SINK_TMPL_H
#define CAROM_DETECT_RESULTS_SINK_TMPL_H

#include "kernel/detect/job/job_tmpl.h"

#define carom_sink_start CAROM_REAL(carom_sink_start)
#define carom_sink_append CAROM_REAL(carom_sink_append)
#define carom_sink_flush CAROM_REAL(carom_sink_flush)
#define carom_sink_stopped CAROM_REAL(carom_sink_stopped)
#define carom_sink_end CAROM_REAL(carom_sink_end)

/* Reserves the blocks and all that comes after the cells. Does nothing without a sink. Errors: MEMORY. */
carom_status carom_sink_start(carom_detect_job *job);

/* Appends the rows of pairs to the worker's block, and delivers it when it is full. */
void carom_sink_append(carom_detect_job *job, carom_worker *worker, carom_task *task, const carom_hits *hits);

/* Delivers what a task has left in the worker's block. */
void carom_sink_flush(carom_detect_job *job, carom_worker *worker, carom_task *task);

/* Whether the sink gets no more: it wants none, or the call is to stop. */
bool carom_sink_stopped(const carom_detect_job *job);

/* Adds up the workers' hashes. Errors: STOPPED if the sink said so. */
carom_status carom_sink_end(carom_detect_job *job);

#endif
