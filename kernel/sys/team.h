/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Parallel work by workers.
 *
 * A task runs once for each of a number of logical workers. Algorithms split their work by the worker's number, never
 * by the thread, so results do not depend on how many threads really run. */
#ifndef CAROM_SYS_TEAM_H
#define CAROM_SYS_TEAM_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/context.h"
#include "kernel/sys/control.h"

typedef struct carom_team {
    uint32_t workers;        /* logical workers, 1 to CAROM_THREADS_MAX */
    uint64_t each;           /* items of little work that are worth a thread; 0: any number is */
    carom_executor executor; /* the host's threads; parallel_for NULL: the library's */
    carom_control *control;  /* the host's control of the call under way; NULL: none */
} carom_team;

/* What a worker does, 0 <= worker < team->workers. */
typedef void carom_team_task(void *data, uint32_t worker);

/* A team of `threads` workers, at most CAROM_THREADS_MAX. threads = 0: as many as the host allows this process, by its
 * affinity and OMP_NUM_THREADS. executor NULL, or with parallel_for NULL: the threads of kernel/sys/pool.h. */
void carom_team_init(carom_team *team, uint32_t threads, const carom_executor *executor);

/* Calls task(data, w) exactly once for every w in [0, team->workers), on several threads if there are some, and returns
 * when all are done. Tasks run in the floating-point environment of kernel/sys/arithmetic.h. They run even if the call
 * is to stop: their walks then end at once.
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

/* A walk through a worker's range, slice by slice, with a look at the team's control before each slice:
 *
 *     carom_walk walk = carom_team_walk(team, worker, count, grain);
 *     while (carom_walk_next(&walk)) {
 *         ... items [walk.begin, walk.end)
 *     }
 *
 * A call that is to stop ends the walk early. Then carom_team_stopped, and what the walk makes is incomplete. */
typedef struct carom_walk {
    uint64_t begin; /* of the slice at hand */
    uint64_t end;
    uint64_t last;  /* where the range ends */
    uint64_t noted; /* items up to here have been counted for progress */
    uint64_t count; /* items of all workers */
    uint64_t step;  /* items of a slice at most: CAROM_CONTROL_ITEMS, unless who walks wants fewer */
    carom_control *control;
} carom_walk;

/* Items of a slice where each may touch a page of memory for the first time: some microseconds an item. */
enum { CAROM_WALK_SCATTERED = 2048 };

/* A walk through the range of carom_team_range. `grain` divides CAROM_CONTROL_ITEMS, so slices too begin at multiples
 * of it. */
carom_walk carom_team_walk(const carom_team *team, uint32_t worker, uint64_t count, uint64_t grain);

/* A walk through all of `count` items, for the thread that made the call, outside tasks. */
carom_walk carom_team_walk_alone(const carom_team *team, uint64_t count);

/* Goes on to the next slice. Returns false if there is none, or if the call is to stop. */
bool carom_walk_next(carom_walk *walk);

/* Whether the call is to stop, so that tasks may have left out work. */
static inline bool carom_team_stopped(const carom_team *team) {
    return carom_control_stopped(team->control);
}

/* Claims the next task of a queue that all workers share: returns *next and adds one to it. */
uint64_t carom_team_claim(_Atomic uint64_t *next);

#endif
