/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Lists by cells while they are made: what the stages hand to one another.
 *
 *   place    bodies into the cells of a grid: slots, which are in the order of the cells
 *   search   the candidates of each cell, a bit for each candidate of each body, and how many are set
 *   fill     rows of neighbours, from the bits */
#ifndef CAROM_LISTS_JOB_TMPL_H
#define CAROM_LISTS_JOB_TMPL_H

#include <stdatomic.h>

#include "carom/lists.h"
#include "kernel/lists/grid.h"
#include "simd/precision.h"
#include "kernel/store/context.h"

/* A body in its slot: steps along each axis, of which the low bits are kept. */
typedef struct carom_lists_record {
    uint32_t step[3];
    uint32_t body;
} carom_lists_record;

/* What one worker finds out about the bodies. */
typedef struct carom_lists_range {
    _Alignas(CAROM_CACHE_LINE) carom_survey survey;
    double least_radius;
    double most_radius;
    double sum_radius;
    uint64_t most; /* candidates of a cell, at most */
} carom_lists_range;

/* The candidates of a cell. */
typedef struct carom_lists_candidates {
    float *at[4]; /* the last: squares of distances from the centre */
    float *radius;
    uint32_t *body;
} carom_lists_candidates;

/* Rows of about one length that wait to be sorted together: the longest one says what all of them cost. Batch 0 has
 * lengths from 1 to CAROM_LISTS_UNIT, and so on. */
enum { CAROM_LISTS_UNIT = 8, CAROM_LISTS_BATCHES = CAROM_HIT_ROW_MOST / CAROM_LISTS_UNIT };

typedef struct carom_lists_rows {
    uint32_t packed[CAROM_HIT_ROWS * CAROM_HIT_ROW_ROOM];
    uint32_t length[CAROM_HIT_ROWS];
    uint32_t *row[CAROM_HIT_ROWS];
    uint32_t rows;
} carom_lists_rows;

/* The bodies in the order of their cells. */
typedef struct carom_lists_slots {
    uint32_t *slot_of;          /* of each body: its cell, then its slot */
    uint32_t *start;            /* of each cell, and one more: its first slot */
    uint32_t *next;             /* of each worker and cell: bodies, then the slot of the next one */
    carom_lists_record *record; /* of each slot */
    uint32_t *step[3];          /* the same, field by field */
    uint32_t *body;
    float *radius; /* in steps; NULL: all are the same */
} carom_lists_slots;

typedef struct carom_lists_job {
    carom_context *context;
    const carom_bodies *bodies; /* at rest; radii are those that decide */
    const carom_list_config *config;
    uint64_t *required; /* on MEMORY */

    carom_lists_grid grid;
    carom_lists_range *ranges; /* of each worker */
    bool same_radius;
    float square;       /* same_radius: of every sum of two radii */
    double mean_reach; /* twice the mean radius, in widths of a cell */
    carom_lists_slots slots;

    uint64_t *word; /* of each cell, and one more: the first word of its bodies' bits */
    uint64_t most;  /* candidates of a cell, at most */
    uint16_t *bits;
    uint32_t *length;          /* of each slot: entries of its row */
    char *scratch;             /* of each worker: batches of rows, candidates, open bodies */
    uint64_t scratch_bytes;    /* of one */
    uint64_t *offset;          /* of each body, and one more: its row */
    uint32_t *row;             /* of all bodies */
    _Atomic uint64_t next_run; /* of cells, to be claimed */
} carom_lists_job;

/* Cells are claimed by so many. */
enum { CAROM_LISTS_RUN = 32 };

#define carom_lists_runs_of CAROM_REAL(carom_lists_runs_of)

/* Sets the runs of slots that hold a cell's candidates: three cells along z each. Returns how many candidates there are.
 * *first: which of them is the cell's first body. The cell is in no empty layer. */
static inline uint64_t carom_lists_runs_of(const carom_lists_job *job, uint64_t cell, carom_gather_in *gather,
                                           uint64_t *first) {
    const uint64_t across = job->grid.cells[1] * job->grid.cells[2];
    uint64_t count = 0;
    int r = 0;
    for (uint64_t x = cell - across; x <= cell + across; x += across) {
        for (uint64_t y = x - job->grid.cells[2]; y <= x + job->grid.cells[2]; y += job->grid.cells[2]) {
            gather->begin[r] = job->slots.start[y - 1];
            gather->end[r] = job->slots.start[y + 2];
            *first = y == cell ? count + job->slots.start[cell] - gather->begin[r] : *first;
            count += gather->end[r] - gather->begin[r];
            r++;
        }
    }
    return count;
}

#define carom_lists_claim CAROM_REAL(carom_lists_claim)

/* The next run of cells that no worker has claimed. False if there is none, or if the call is to stop. */
static inline bool carom_lists_claim(carom_lists_job *job, carom_range *range) {
    const uint64_t begin = carom_team_claim(&job->next_run) * CAROM_LISTS_RUN;
    const uint64_t left = begin < job->grid.count ? job->grid.count - begin : 0;
    *range = (carom_range){begin, begin + (left < CAROM_LISTS_RUN ? left : CAROM_LISTS_RUN)};
    return left > 0 && !carom_control_look(job->context->team.control);
}

#define carom_lists_batches CAROM_REAL(carom_lists_batches)

/* The batches of a worker. */
static inline carom_lists_rows *carom_lists_batches(const carom_lists_job *job, uint32_t worker) {
    return (carom_lists_rows *)(void *)(job->scratch + worker * job->scratch_bytes);
}

#define carom_lists_scratch CAROM_REAL(carom_lists_scratch)

/* The candidates' arrays of a worker. */
static inline carom_lists_candidates carom_lists_scratch(const carom_lists_job *job, uint32_t worker) {
    float *block = (float *)(void *)(carom_lists_batches(job, worker) + CAROM_LISTS_BATCHES);
    const uint64_t stride = job->most + CAROM_GATHER_PAD;
    return (carom_lists_candidates){{block, block + stride, block + 2 * stride, block + 3 * stride},
                                    job->same_radius ? NULL : block + 4 * stride,
                                    (uint32_t *)(void *)(block + 5 * stride)};
}

#endif
