/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* State of one detection while it runs, shared by the files of the pipeline. Included once for each precision. */
#ifndef CAROM_STEP_JOB_TMPL_H
#define CAROM_STEP_JOB_TMPL_H

#include <stdatomic.h>

#include "kernel/broad/cell.h"
#include "kernel/broad/groups.h"
#include "kernel/broad/partition.h"
#include "kernel/step/detect.h"
#include "simd/isa.h"

typedef CAROM_REAL(carom_record) carom_record;
typedef CAROM_REAL(carom_bodies) carom_bodies;
typedef CAROM_REAL(carom_detection) carom_detection;
typedef CAROM_REAL(carom_detect_output) carom_detect_output;
typedef CAROM_REAL(carom_contact_rows) carom_contact_rows;

/* What one worker finds; on cache lines of its own. */
typedef struct carom_worker {
    _Alignas(CAROM_CACHE_LINE) uint64_t box_pairs;
    uint64_t touching_pairs;
    uint64_t touching_hash;
    uint64_t result_hash;
    double seconds[CAROM_PHASE_COUNT];
    carom_survey survey;
    carom_cell cell;
    carom_cell_space space;
} carom_worker;

/* Consecutive cells worked through by one worker, and the rows it found there. The same for any number of
 * workers, and so is the order of the rows. */
typedef struct carom_cell_task {
    uint32_t cell_begin;
    uint32_t cell_end;
    uint64_t rows;
    uint64_t first_row;
    carom_chunk *head; /* NULL where one worker writes straight to the final rows */
    carom_chunk *tail;
} carom_cell_task;

typedef struct carom_detect_job {
    carom_context *context;
    const carom_bodies *bodies;
    const carom_detect_config *config;
    const carom_detect_output *output;
    carom_detection *detection;
    carom_error *error;
    carom_worker *workers;
    carom_plan plan;
    carom_record *records;
    const uint32_t *start;
    carom_union_find_parent *parent;
    _Atomic uint32_t *least;
    _Atomic uint32_t *others;
    uint32_t *body;
    carom_cell_task *tasks;
    uint64_t task_count;
    _Atomic uint64_t next_task;
    uint64_t entries; /* boxes in all cells, borrowed ones too */
    carom_row_shape shape;
    bool store_rows;
    _Atomic uint32_t rows_lost; /* memory gave out: rows are only counted from here on */
    double clock;               /* end of the last phase */
} carom_detect_job;

/* Adds the time since the last phase ended to `phase`. */
void CAROM_REAL(carom_detect_lap)(carom_detect_job *job, carom_phase phase);

/* Makes job->workers, all zero. */
carom_status CAROM_REAL(carom_detect_start_workers)(carom_detect_job *job);

/* Samples and surveys the bodies: job->plan is made, or the first bad body is named. */
carom_status CAROM_REAL(carom_detect_survey)(carom_detect_job *job);

/* Works through all cells: counts, rows and unions. */
carom_status CAROM_REAL(carom_detect_cells)(carom_detect_job *job);

/* Parts of that stage: job->shape and room for rows; rows of `count` pairs of slots, stored at the end of the task's;
 * touching_hash, the sum over touching pairs of a mixed (i, k); the stage's wall time, shared out among its phases as
 * the workers' time was. */
void CAROM_REAL(carom_detect_prepare_rows)(carom_detect_job *job);
void CAROM_REAL(carom_detect_store_pairs)(carom_detect_job *job, carom_cell_task *task, uint32_t count,
                                          const uint32_t *slot_i, const uint32_t *slot_k);
uint64_t CAROM_REAL(carom_detect_hash_pairs)(const carom_record *records, uint32_t count, const uint32_t *slot_i,
                                             const uint32_t *slot_k);
void CAROM_REAL(carom_detect_share_time)(carom_detect_job *job, double wall);

/* Joins, orders and hands out what the cells found. */
carom_status CAROM_REAL(carom_detect_collect)(carom_detect_job *job);

/* Labels and lists from the unions. */
carom_status CAROM_REAL(carom_detect_groups)(carom_detect_job *job);

/* The members of each of `groups` groups, from their labels. */
carom_status CAROM_REAL(carom_detect_list_members)(carom_detect_job *job, uint64_t groups);

/* Order-free hashes of all results. */
void CAROM_REAL(carom_detect_hash)(carom_detect_job *job);

/* MEMORY once the rows are counted: every buffer that rows and member lists pass through is given back, and what they
 * all need is added to what the context then still holds. */
carom_status CAROM_REAL(carom_detect_no_room)(carom_detect_job *job);

/* MEMORY, with what would have been enough. */
carom_status CAROM_REAL(carom_detect_no_memory)(carom_detect_job *job, uint64_t required);

#endif
