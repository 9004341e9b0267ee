/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The one owner of OpenMP: runs a task once for each of a number of logical workers. Algorithms split their
 * work by worker number, never by thread, so that results do not depend on how many threads really ran. */
#ifndef CAROM_SYS_TEAM_H
#define CAROM_SYS_TEAM_H

#include <stdint.h>

#include "carom/context.h"

typedef struct carom_team {
    uint32_t workers;        /* logical workers, at least 1 */
    uint64_t each;           /* items of little work that are worth a thread; 0: any */
    carom_executor executor; /* parallel_for NULL: OpenMP */
} carom_team;

typedef void carom_team_task(void *data, uint32_t worker);

/* threads = 0: as many as the host allows this process (affinity and OMP_NUM_THREADS respected). At most
 * CAROM_THREADS_MAX. executor NULL, or with parallel_for NULL: OpenMP. */
void carom_team_init(carom_team *team, uint32_t threads, const carom_executor *executor);

/* Calls task(data, w) exactly once for every w in [0, team->workers), concurrently where threads are to be
 * had, and returns when all are done. Tasks run in the floating-point environment of kernel/sys/arithmetic.h. Workers
 * must not wait for one another: one thread may run several in turn, and inside a parallel region of the caller's the
 * runtime may give only one. With one worker everything runs on the calling thread. Works in a forked child, whoever
 * had used OpenMP before the fork: each call then starts threads of its own, some tens of microseconds. */
void carom_team_run(const carom_team *team, carom_team_task *task, void *data);

/* The same on the calling thread alone, one worker after the other. */
void carom_team_run_alone(const carom_team *team, carom_team_task *task, void *data);

/* carom_team_run for `items` that are little work each, such as bodies to look at once; alone if they are fewer than
 * two threads are worth. */
void carom_team_run_over(const carom_team *team, uint64_t items, carom_team_task *task, void *data);

/* Items [begin, end). */
typedef struct carom_range {
    uint64_t begin;
    uint64_t end;
} carom_range;

/* The range of `count` items that belongs to `worker`. Ranges are contiguous and in order, their sizes differ by less
 * than two grains, and every boundary but the last is a multiple of `grain` (>= 1). */
carom_range carom_team_range(const carom_team *team, uint32_t worker, uint64_t count, uint64_t grain);

/* Claims the next of a sequence of tasks shared by the workers: returns *next and adds one. */
uint64_t carom_team_claim(_Atomic uint64_t *next);

#endif
