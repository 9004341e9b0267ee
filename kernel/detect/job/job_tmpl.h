/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* One detection while it runs: what the stages hand to one another. Each subsystem keeps its own state in its own
 * struct. The functions here are the bookkeeping that all
 * stages share: time, memory and its errors. */
#ifndef CAROM_DETECT_JOB_JOB_TMPL_H
#define CAROM_DETECT_JOB_JOB_TMPL_H

#include "kernel/detect/job/hits_tmpl.h"
#include "kernel/detect/job/part_tmpl.h"
#include "kernel/detect/job/search_state_tmpl.h"
#include "kernel/detect/job/shape_state_tmpl.h"
#include "kernel/detect/job/states.h"
#include "kernel/detect/job/task_queue.h"
#include "kernel/detect/job/worker_tmpl.h"
#include "kernel/store/context.h"
#include "kernel/store/pair_log.h"

typedef CAROM_REAL(carom_detection) carom_detection;
typedef CAROM_REAL(carom_detect_output) carom_detect_output;

/* The caller sets context, bodies, config, output, detection, search.given_centre, periodic, shapes.source, headroom and log.
 * carom_detect_stages sets owned, error and clock, and zeroes the rest. Each other member is set by the
 * stage that makes it, and the stages after it read it. */
typedef struct carom_detect_job {
    carom_context *context;            /* threads, instruction set, buffers */
    const carom_bodies *bodies;        /* that are searched: the caller's, or of periodic.images, or shapes.boxes */
    uint64_t owned;                    /* how many of them are the caller's; the rest are images */
    const carom_detect_config *config; /* checked; as the caller gave it */
    const carom_detect_output *output; /* the caller's arrays and sink; may be NULL */
    carom_detection *detection;        /* the result */
    carom_error *error;                /* where a failure is described */
    carom_headroom headroom;           /* how much room buffers get beyond the need */
    double clock;                      /* when the last phase ended, in seconds */
    carom_worker *workers;             /* context->team.workers of them */
    carom_part scene;                  /* the scene as a part of depth 0 */
    carom_search_state search;         /* records, and the cells in work */
    carom_task_queue queue;            /* tasks of all parts, in the order of their rows */
    carom_row_state rows;              /* what a row holds, and where rows go */
    carom_periodic_state periodic;     /* images NULL: open space */
    carom_filter_state filter;         /* what pairs are filtered by */
    carom_sink_state sink;             /* rows that go to the caller's function */
    carom_group_state groups;          /* unions of slots */
    carom_shape_state shapes;          /* source NULL: all bodies are spheres */
    carom_pair_log *log;               /* where touching pairs are logged for a coherent step; NULL: nowhere */
} carom_detect_job;

#define carom_job_start_workers CAROM_REAL(carom_job_start_workers)
#define carom_job_workers_bytes CAROM_REAL(carom_job_workers_bytes)
#define carom_job_lap CAROM_REAL(carom_job_lap)
#define carom_job_worker_lap CAROM_REAL(carom_job_worker_lap)
#define carom_job_share_time CAROM_REAL(carom_job_share_time)
#define carom_job_sum_workers CAROM_REAL(carom_job_sum_workers)
#define carom_job_reserve CAROM_REAL(carom_job_reserve)
#define carom_job_no_memory CAROM_REAL(carom_job_no_memory)
#define carom_job_cancelled CAROM_REAL(carom_job_cancelled)

/* Makes job->workers, all zero, their shares, and room for samples. Errors: MEMORY. */
carom_status carom_job_start_workers(carom_detect_job *job);

/* How many bytes that takes. */
uint64_t carom_job_workers_bytes(uint64_t workers);

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

/* `status`, or CANCELLED with its message if the call is to stop: whatever a stage says of incomplete data. */
carom_status carom_job_cancelled(const carom_detect_job *job, carom_status status);

/* Whether the call is to stop, so that what a stage has made may be incomplete. */
static inline bool carom_job_stopped(const carom_detect_job *job) {
    return carom_team_stopped(&job->context->team);
}

/* Whether the call asks for groups. */
static inline bool carom_job_wants_groups(const carom_detect_job *job) {
    return job->config->until >= CAROM_UNTIL_GROUPS;
}

#endif
