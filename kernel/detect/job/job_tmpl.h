/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* One detection while it runs. In: the call's arguments. Out: the detection, or a status and an error. Each subsystem
 * keeps its own state in its own struct; the functions here are the bookkeeping that all of them share: time, memory
 * and its errors. Included once for each precision. */
#ifndef CAROM_DETECT_JOB_JOB_TMPL_H
#define CAROM_DETECT_JOB_JOB_TMPL_H

#include "kernel/detect/job/part_tmpl.h"
#include "kernel/detect/job/states.h"
#include "kernel/detect/job/task_queue.h"
#include "kernel/detect/job/worker_tmpl.h"
#include "kernel/store/context.h"

typedef CAROM_REAL(carom_detection) carom_detection;
typedef CAROM_REAL(carom_detect_output) carom_detect_output;

typedef struct carom_detect_job {
    carom_context *context;
    const carom_bodies *bodies; /* the bodies that are searched: the caller's, or those of periodic.images */
    uint64_t owned;             /* how many of them are the caller's; the rest are images */
    const carom_detect_config *config;
    const carom_detect_output *output; /* may be NULL */
    carom_detection *detection;
    carom_error *error;
    carom_headroom headroom;
    double clock; /* when the last phase ended, in seconds */
    carom_worker *workers;
    carom_part scene; /* the scene as a part of depth 0 */
    carom_search_state search;
    carom_task_queue queue;
    carom_row_state rows;
    carom_periodic_state periodic;
    carom_filter_state filter;
    carom_sink_state sink;
    carom_group_state groups;
} carom_detect_job;

#define carom_job_start_workers CAROM_REAL(carom_job_start_workers)
#define carom_job_lap CAROM_REAL(carom_job_lap)
#define carom_job_worker_lap CAROM_REAL(carom_job_worker_lap)
#define carom_job_share_time CAROM_REAL(carom_job_share_time)
#define carom_job_sum_workers CAROM_REAL(carom_job_sum_workers)
#define carom_job_reserve CAROM_REAL(carom_job_reserve)
#define carom_job_no_memory CAROM_REAL(carom_job_no_memory)

/* Makes job->workers, all zero. Errors: MEMORY. */
carom_status carom_job_start_workers(carom_detect_job *job);

/* Adds the time since the last phase ended to `phase`. */
void carom_job_lap(carom_detect_job *job, carom_phase phase);

/* Adds the time since `since` to the worker's share of `phase`; returns the time now. */
double carom_job_worker_lap(carom_worker *worker, carom_phase phase, double since);

/* Divides the wall time since the last phase ended among the phases in the ratio of the workers' times, and sets these
 * to zero. */
void carom_job_share_time(carom_detect_job *job);

/* Adds the workers' counts to the summary, and sets required_pairs. */
void carom_job_sum_workers(carom_detect_job *job);

/* Makes buffers of the context large enough. Errors: MEMORY, with what would have been enough. */
carom_status carom_job_reserve(carom_detect_job *job, const carom_work_need *need, uint32_t count);

/* Sets required_bytes and the error; returns MEMORY. */
carom_status carom_job_no_memory(carom_detect_job *job, uint64_t required);

static inline bool carom_job_wants_groups(const carom_detect_job *job) {
    return job->config->until >= CAROM_UNTIL_GROUPS;
}

#endif
