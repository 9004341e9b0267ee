/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A batch of pairs while it runs: bodies are gathered and checked block by block, and what the batch is for answers
 * each block. A pair's answer depends on nothing but its two bodies. */
#ifndef CAROM_NARROW_JOB_TMPL_H
#define CAROM_NARROW_JOB_TMPL_H

#include "kernel/narrow/faults.h"
#include "kernel/narrow/gather_tmpl.h"
#include "kernel/narrow/many.h"
#include "kernel/narrow/quick_tmpl.h"
#include "kernel/narrow/rounds.h"
#include "kernel/store/context.h"

#define carom_job_run CAROM_REAL(carom_job_run)
#define carom_job_one CAROM_REAL(carom_job_one)
#define carom_job_load CAROM_REAL(carom_job_load)
#define carom_job_answer_pair CAROM_REAL(carom_job_answer_pair)

/* Pair n is of bodies i[n] and k[n]. */
typedef struct carom_job_pairs {
    const carom_bodies *bodies; /* of a plain layout */
    const uint32_t *i;
    const uint32_t *k;
    uint64_t count;
} carom_job_pairs;

/* Pairs whose bodies are gathered together, so that the processor fetches many at once. */
enum { CAROM_JOB_BLOCK = CAROM_ROUNDS_PAIRS };

/* Pairs that answer_block is given at most: those of two kinds of shapes can be answered together if there are many. */
enum { CAROM_JOB_CHUNK = 8 * CAROM_JOB_BLOCK };

/* A body of a pair. */
typedef struct carom_job_body {
    carom_body_numbers numbers;
    carom_body_posed body;
} carom_job_body;

typedef struct carom_job_block {
    carom_job_body i[CAROM_JOB_BLOCK];
    carom_job_body k[CAROM_JOB_BLOCK];
    union { /* work space of answer_block */
        struct {
            carom_many many;
            carom_gap_rows gaps;
            carom_many_manifolds manifolds;
            carom_quick_work quick;
            carom_seek_start starts[CAROM_JOB_CHUNK]; /* of the pairs of a chunk */
            uint32_t listed[CAROM_JOB_CHUNK];         /* their numbers, in the order in which they are answered */
            uint32_t open[CAROM_JOB_CHUNK];           /* those of the pairs that floats have left */
            uint8_t run[CAROM_JOB_CHUNK];             /* the two kinds of each pair */
        };
        carom_rounds rounds;
    };
    uint32_t row[CAROM_JOB_BLOCK];
} carom_job_block;

typedef struct carom_job carom_job;

/* Answers one pair, in row `row` of the caller's. */
typedef void carom_job_answer(const carom_job *job, const carom_job_body *i, const carom_job_body *k, uint64_t row);

/* Answers `count` pairs from `begin` on, in their rows, or notes their faults; *block is work space. */
typedef void carom_job_answer_block(carom_job *job, carom_job_block *block, uint64_t begin, uint32_t count);

struct carom_job {
    const carom_job_pairs *pairs; /* NULL: one pair of poses */
    const carom_shapes *shapes;   /* of the bodies; NULL: spheres */
    carom_job_answer *answer;
    carom_job_answer_block *answer_block; /* of a batch */
    const void *task;                     /* what `answer` computes: a carom_gap_task or a carom_toi_task */
    void *rows;                           /* where it goes: the caller's */
    bool moving;                          /* the step's motion is looked at, too */
    uint32_t chunk;                       /* pairs of a call of answer_block at most; to CAROM_JOB_CHUNK */
    carom_context *context;
    carom_job_block *blocks; /* one for each worker */
    carom_faults faults;
};

/* Answers all pairs. Errors: ARGUMENT for a pair of a body that is not there, BODY for the lowest invalid body, or the
 * first pair without a test; MEMORY; CANCELLED if the team's control says so. */
carom_status carom_job_run(carom_job *job, carom_error *error);

/* For answer_block: gathers and checks `count` pairs from `begin` on, into block->i and block->k. False if there is a
 * fault anywhere, so that no answer counts. */
bool carom_job_load(carom_job *job, carom_job_block *block, uint64_t begin, uint32_t count);

/* Likewise: gathers, checks and answers pair n alone. */
void carom_job_answer_pair(carom_job *job, carom_job_block *block, uint64_t n);

/* Answers the pair of two bodies whose numbers are there. Errors: BODY. */
carom_status carom_job_one(carom_job *job, const carom_shapes *shapes, carom_job_body *i, carom_job_body *k,
                           carom_error *error);

#endif
