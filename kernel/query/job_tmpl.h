/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* One query while it runs: what its stages hand to one another. */
#ifndef CAROM_QUERY_JOB_TMPL_H
#define CAROM_QUERY_JOB_TMPL_H

#include "carom/query.h"
#include "kernel/broad/box_tree.h"
#include "kernel/query/space.h"
#include "kernel/store/context.h"
#include "simd/precision.h"

typedef CAROM_REAL(carom_query_answer) carom_query_answer;
typedef struct carom_query_job carom_query_job;
typedef struct carom_query_batch carom_query_batch;

/* What a query does otherwise in a periodic box. Only queries in double have these. */
typedef struct carom_query_hooks {
    carom_status (*take)(carom_query_job *job, uint64_t *required, carom_error *error); /* sets own and the views */
    void (*box)(const carom_query_job *job, uint64_t view, carom_slot_box *box);        /* that a view searches */
    bool (*meets)(const carom_query_job *job, uint64_t view, uint64_t slot); /* whether the boxes of the pair overlap */
    void (*pair)(const carom_query_job *job, uint64_t view, uint64_t slot, carom_record pair[2]);
    void (*shift)(const carom_query_job *job, uint64_t view, uint32_t body, int32_t shift[3]); /* of a contact row */
    void (*name)(const carom_query_job *job, const carom_query_batch *batch,
                 const carom_contacts *rows); /* rows of a batch become those of bodies and probes */
    carom_status (*finish)(carom_query_job *job, uint64_t rows, uint64_t *required); /* all rows are there */
} carom_query_hooks;

struct carom_query_job {
    carom_context *context;           /* threads, instruction set, buffers */
    const carom_bodies *given;        /* the caller's probes; in a periodic box space->probes */
    uint64_t probes;                  /* how many they are */
    const carom_query_config *config; /* checked */
    const carom_query_hooks *hooks;   /* NULL: open space, where view q is probe q */
    carom_query_space *space;         /* of the hooks */
    const carom_record *records;      /* of the bodies, by slot, and of their images */
    uint64_t slots;                   /* how many records there are */
    uint64_t bodies;                  /* and how many bodies: these are searched */
    carom_record *own;                /* of the views; numbered after the bodies */
    carom_box_tree tree;              /* over the boxes of the bodies, */
    const uint32_t *order;            /* whose slots are in this order */
    uint64_t *first;                  /* first candidate of each probe; probes + 1 */
    uint64_t *kept;                   /* how many of its candidates are left */
    uint64_t *offset;                 /* first row of each probe; probes + 1 */
    uint32_t *body;                   /* of each candidate: the body */
    uint64_t *place;                  /* and its view and slot, the view in the upper half */
    uint64_t *passed;                 /* of each worker: candidates that passed the filters */
};

/* The views of a probe: from the first to the one before those of the next. */
static inline uint64_t carom_query_first_view(const carom_query_job *job, uint64_t probe) {
    return job->hooks != NULL ? job->space->first[probe] : probe;
}

static inline uint64_t carom_query_place(uint64_t view, uint64_t slot) {
    return view << 32 | slot;
}
static inline uint64_t carom_query_view_of(const carom_query_job *job, uint64_t at) {
    return job->place[at] >> 32;
}
static inline uint64_t carom_query_slot_of(const carom_query_job *job, uint64_t at) {
    return job->place[at] & UINT32_MAX;
}

/* Pairs that are decided together: their records are copied side by side, on the stack. */
enum { CAROM_QUERY_BATCH = 64 };

struct carom_query_batch {
    uint32_t count;
    uint32_t probe[CAROM_QUERY_BATCH];          /* of each pair */
    uint64_t at[CAROM_QUERY_BATCH];             /* and its candidate */
    carom_record record[2 * CAROM_QUERY_BATCH]; /* of pair n: 2 n is the body's, 2 n + 1 the probe's */
};

static inline void carom_query_batch_add(const carom_query_job *job, carom_query_batch *batch, uint32_t probe,
                                         uint64_t at) {
    const uint32_t n = batch->count++;
    carom_record *pair = &batch->record[2 * (uint64_t)n];
    batch->probe[n] = probe;
    batch->at[n] = at;
    if (job->hooks != NULL) {
        job->hooks->pair(job, carom_query_view_of(job, at), carom_query_slot_of(job, at), pair);
        return;
    }
    pair[0] = job->records[carom_query_slot_of(job, at)];
    pair[1] = job->own[probe];
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

#define carom_query_stages CAROM_REAL(carom_query_stages)
#define carom_query_check_probe CAROM_REAL(carom_query_check_probe)
#define carom_query_order CAROM_REAL(carom_query_order)
#define carom_query_search CAROM_REAL(carom_query_search)
#define carom_query_decide CAROM_REAL(carom_query_decide)
#define carom_query_write CAROM_REAL(carom_query_write)

/* Runs a job of which context, given, probes, config and, in a periodic box, hooks and space are set. */
carom_status carom_query_stages(carom_query_job *job, carom_query_answer *answer, carom_error *error);

/* Says what is wrong with a probe, as a detection says it of a body. Errors: BODY. */
carom_status carom_query_check_probe(const carom_record *probe, uint64_t q, carom_error *error);

/* The slots of the bodies in the order of the tree, to CAROM_WORK_QUERY_ORDER. Errors: MEMORY, with *required,
 * CANCELLED. */
carom_status carom_query_order(carom_query_job *job, uint64_t *required);

/* The candidates of every probe: bodies whose boxes overlap that of a view, in ascending order, and of a body in that
 * of the views. Makes the tree, unless an earlier query has. Errors: MEMORY, with *required, CANCELLED. */
carom_status carom_query_search(carom_query_job *job, uint64_t *required);

/* Which candidates are left: those that pass the filters, and touch if that is asked for. Errors: BODY, CANCELLED. */
carom_status carom_query_decide(carom_query_job *job, carom_error *error);

/* The rows of the `rows` candidates that are left. Errors: MEMORY, CANCELLED. */
carom_status carom_query_write(carom_query_job *job, uint64_t rows, carom_query_answer *answer, uint64_t *required);

#endif
