/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What one worker of a detection finds and works with. Workers never share one of these, nor a cache line of it; what
 * they find is added up when all have returned. */
#ifndef CAROM_DETECT_JOB_WORKER_TMPL_H
#define CAROM_DETECT_JOB_WORKER_TMPL_H

#include "carom/detect.h"
#include "kernel/broad/cell.h"
#include "kernel/store/chunk_pool.h"

/* A block of contact rows that one worker fills for the caller's sink. */
typedef struct carom_sink_block {
    void *rows;       /* CAROM_BLOCK_ROWS rows of the job's shape; NULL without a sink */
    void *float_rows; /* the same number of float rows, where a periodic call rounds to float; else NULL */
    uint32_t count;   /* rows filled, at most CAROM_BLOCK_ROWS */
    uint64_t hash;    /* sum of the hashes of all rows that the worker has delivered */
} carom_sink_block;

typedef struct carom_worker {
    _Alignas(CAROM_CACHE_LINE) uint64_t box_pairs; /* pairs of overlapping boxes that passed the filter */
    uint64_t touching_pairs;                       /* how many of these touch */
    uint64_t touching_hash;                        /* sum of their hashes, if the call asks for one */
    double seconds[CAROM_PHASE_COUNT];             /* time in each phase since the last carom_job_share_time */
    carom_sink_block block;                        /* rows of the task in work, for the sink */
    carom_chunk *touched;                          /* touching pairs of bodies, if the call logs them (pair_log.h) */
    carom_survey survey;                           /* of the worker's bodies, when a part is surveyed */
    carom_census census;                           /* likewise, when a part needs a census */
    carom_cell cell;                               /* the cell being searched */
    bool part_bits_swept;                          /* its sweep leaves out pairs with part bits in common */
    carom_cell_workspace workspace;                /* its arrays, and the pairs found in it */
} carom_worker;

#endif
