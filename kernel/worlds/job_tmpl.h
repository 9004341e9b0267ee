/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Many worlds while they are searched: what the stages hand to one another. Consecutive small worlds make a task, whose
 * bodies fit into a block (kernel/detect/direct/block_tmpl.h); consecutive tasks make a window, whose records stay in
 * the cache.
 *
 *   window   the next worlds, as tasks
 *   search   all workers: pairs, labels and counts of each task; its pairs are kept in chunks
 *   write    all workers: contacts, once it is known where the rows of each task begin
 *   large    in place of a window: one world that is too large for a block, by the stages of a detection */
#ifndef CAROM_WORLDS_JOB_TMPL_H
#define CAROM_WORLDS_JOB_TMPL_H

#include "carom/worlds.h"
#include "kernel/detect/direct/block_tmpl.h"
#include "kernel/store/context.h"
#include "kernel/sys/claims.h"

/* Slots of a task and of a window for each worker; a world begins at a multiple of CAROM_SIMD_PAD. */
enum { CAROM_WORLDS_BLOCK = 512, CAROM_WORLDS_WINDOW = 16384 };

typedef CAROM_REAL(carom_worlds_result) carom_worlds_result;

/* Worlds [begin, end). */
typedef struct carom_worlds_task {
    uint64_t begin;
    uint64_t end;
    uint32_t first_slot; /* of the window */
    uint32_t failed;     /* 1: a body is not valid; 2: there was no memory for pairs */
    uint64_t rows;       /* pairs to be stored */
    uint64_t first_row;  /* where they go */
    carom_chunk *head;   /* chunks, kept from window to window: these pairs, by slots of the window, and unused ones */
    carom_chunk *tail;   /* the last with pairs; NULL: none has any */
} carom_worlds_task;

enum { CAROM_WORLDS_BAD_BODY = 1, CAROM_WORLDS_NO_MEMORY = 2 };

typedef struct carom_worlds_job {
    carom_context *context;
    const carom_bodies *bodies;
    uint64_t worlds;
    const uint64_t *offset; /* the first body of each world */
    const carom_worlds_config *config;
    carom_worlds_result *result;

    carom_worlds_counts *counts; /* of each world */
    uint64_t *pair_offset;       /* of each world, and one more; until the rows are placed, how many rows it has */
    uint32_t *label;             /* of each body; NULL: no groups */
    carom_row_shape shape;

    carom_record *records; /* of each slot of the window */
    carom_worlds_task *tasks;
    uint32_t task_count;
    uint32_t most_tasks; /* of the windows so far: these tasks may hold chunks */
    uint64_t next_world;        /* the first that is in no window yet */
    uint64_t rows;              /* so far */
    carom_claims claims; /* of tasks: the same parts for search and writing, whose slots and chunks stay in cache */
} carom_worlds_job;

#define carom_worlds_slots CAROM_REAL(carom_worlds_slots)
#define carom_worlds_claim CAROM_REAL(carom_worlds_claim)
#define carom_worlds_contacts CAROM_REAL(carom_worlds_contacts)

/* Slots that a world takes. */
static inline uint64_t carom_worlds_slots(const carom_worlds_job *job, uint64_t world) {
    const uint64_t bodies = job->offset[world + 1] - job->offset[world];
    return (bodies + CAROM_SIMD_PAD - 1) / CAROM_SIMD_PAD * CAROM_SIMD_PAD;
}

/* The next task for a worker; NULL if there is none, or if the call is to stop. */
static inline carom_worlds_task *carom_worlds_claim(const carom_worlds_job *job, uint32_t worker) {
    carom_range task;
    return carom_claims_next(&job->claims, worker, &task) ? &job->tasks[task.begin] : NULL;
}

/* Whether rows have contacts. */
static inline bool carom_worlds_contacts(const carom_worlds_job *job) {
    return job->config->until >= CAROM_UNTIL_APPROACH;
}

#endif
