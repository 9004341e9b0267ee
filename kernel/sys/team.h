/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Parallel work by workers.
 *
 * A task runs once for each of a number of logical workers. Algorithms split their work by the worker's number, never
 * by the thread, so results do not depend on how many threads really run. */
#ifndef CAROM_SYS_TEAM_H
#define CAROM_SYS_TEAM_H

#include <stdint.h>

#include "carom/context.h"

typedef struct carom_team {
    uint32_t workers;        /* logical workers, 1 to CAROM_THREADS_MAX */
    uint64_t each;           /* items of little work that are worth a thread; 0: any number is */
    carom_executor executor; /* the host's threads; parallel_for NULL: the library's */
} carom_team;

/* What a worker does, 0 <= worker < team->workers. */
typedef void carom_team_task(void *data, uint32_t worker);

/* A team of `threads` workers, at most CAROM_THREADS_MAX. threads = 0: as many as the host allows this process, by its
 * affinity and OMP_NUM_THREADS. executor NULL, or with parallel_for NULL: the threads of kernel/sys/pool.h. */
void carom_team_init(carom_team *team, uint32_t threads, const carom_executor *executor);

/* Calls task(data, w) exactly once for every w in [0, team->workers), on several threads if there are some, and returns
 * when all are done. Tasks run in the floating-point environment of kernel/sys/arithmetic.h.
 *
 * Workers must not wait for one another: one thread may run several of them in turn, and other calls may keep all
 * threads but the caller's. With one worker everything runs on the calling thread. */
void carom_team_run(const carom_team *team, carom_team_task *task, void *data);

/* The same on the calling thread alone, one worker after the other. */
void carom_team_run_alone(const carom_team *team, carom_team_task *task, void *data);

/* carom_team_run for `items` that are little work each, such as bodies that are looked at once. If there are fewer than
 * two threads are worth, the calling thread runs all workers. */
void carom_team_run_over(const carom_team *team, uint64_t items, carom_team_task *task, void *data);

/* Items [begin, end). */
typedef struct carom_range {
    uint64_t begin;
    uint64_t end;
} carom_range;

/* The range of `count` items that belongs to `worker`. The ranges of all workers are contiguous and in order. Their
 * sizes differ by less than two grains. Every boundary but the last is a multiple of `grain`, at least 1. */
carom_range carom_team_range(const carom_team *team, uint32_t worker, uint64_t count, uint64_t grain);

/* Claims the next task of a queue that all workers share: returns *next and adds one to it. */
uint64_t carom_team_claim(_Atomic uint64_t *next);

#endif
