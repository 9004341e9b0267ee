/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* One query while it runs: what its stages hand to one another. */
#ifndef CAROM_QUERY_JOB_TMPL_H
#define CAROM_QUERY_JOB_TMPL_H

#include "carom/query.h"
#include "kernel/query/tree.h"
#include "kernel/store/context.h"
#include "simd/precision.h"

typedef CAROM_REAL(carom_query_answer) carom_query_answer;

typedef struct carom_query_job {
    carom_context *context;           /* threads, instruction set, buffers */
    const carom_bodies *probes;       /* the caller's */
    const carom_query_config *config; /* checked */
    const carom_record *records;      /* of the bodies, by slot */
    uint64_t bodies;                  /* how many they are */
    carom_record *own;                /* of the probes; numbered from `bodies` on */
    carom_query_tree tree;            /* over the boxes of the records, */
    const uint32_t *order;            /* which are in this order */
    uint64_t *first;                  /* first candidate of each probe; probes + 1 */
    uint64_t *kept;                   /* how many of its candidates are left */
    uint64_t *offset;                 /* first row of each probe; probes + 1 */
    uint32_t *body;                   /* of each candidate: the body */
    uint64_t *slot;                   /* and its record */
    uint64_t *passed;                 /* of each worker: candidates that passed the filters */
} carom_query_job;

/* Pairs that are decided together: their records are copied side by side, on the stack. */
enum { CAROM_QUERY_BATCH = 64 };

typedef struct carom_query_batch {
    uint32_t count;
    uint32_t probe[CAROM_QUERY_BATCH];          /* of each pair */
    uint64_t at[CAROM_QUERY_BATCH];             /* and its candidate */
    carom_record record[2 * CAROM_QUERY_BATCH]; /* of pair n: 2 n is the body's, 2 n + 1 the probe's */
} carom_query_batch;

static inline void carom_query_batch_add(const carom_query_job *job, carom_query_batch *batch, uint32_t probe,
                                         uint64_t at) {
    const uint32_t n = batch->count++;
    batch->probe[n] = probe;
    batch->at[n] = at;
    batch->record[2 * n] = job->records[job->slot[at]];
    batch->record[2 * n + 1] = job->own[probe];
}

/* Slots of the pairs in batch->record, with room for vectors. */
typedef struct carom_query_pairs {
    uint32_t i[CAROM_QUERY_BATCH + CAROM_SIMD_PAD];
    uint32_t k[CAROM_QUERY_BATCH + CAROM_SIMD_PAD];
} carom_query_pairs;

static inline void carom_query_batch_pairs(const carom_query_batch *batch, carom_query_pairs *pairs) {
    for (uint32_t n = 0; n < batch->count; n++) {
        pairs->i[n] = 2 * n;
        pairs->k[n] = 2 * n + 1;
    }
}

#define carom_query_order CAROM_REAL(carom_query_order)
#define carom_query_search CAROM_REAL(carom_query_search)
#define carom_query_decide CAROM_REAL(carom_query_decide)
#define carom_query_write CAROM_REAL(carom_query_write)

/* The slots of the records in the order of the tree, to CAROM_WORK_QUERY_ORDER. Errors: MEMORY, with *required,
 * CANCELLED. */
carom_status carom_query_order(carom_query_job *job, uint64_t *required);

/* The candidates of every probe: bodies whose boxes overlap its box, in ascending order. Makes the tree, unless an
 * earlier query has. Errors: MEMORY, with *required, CANCELLED. */
carom_status carom_query_search(carom_query_job *job, uint64_t *required);

/* Which candidates are left: those that pass the filters, and touch if that is asked for. Errors: BODY, CANCELLED. */
carom_status carom_query_decide(carom_query_job *job, carom_error *error);

/* The rows of the `rows` candidates that are left. Errors: MEMORY, CANCELLED. */
carom_status carom_query_write(carom_query_job *job, uint64_t rows, carom_query_answer *answer, uint64_t *required);

#endif
