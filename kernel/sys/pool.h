/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The process's pool of threads. Calls of all contexts share it: each borrows the members that are free.
 *
 * The calling thread publishes a stage, works through its tasks itself, and returns when all tasks are done. Members
 * claim tasks of any published stage. The caller waits for a member only while that member holds a task, so a member
 * that gets no core, or comes late, delays nobody. Whoever waits spins for some microseconds and then sleeps.
 *
 * Members are started when a call first wants them, and end with the process or when the library is unloaded. */
#ifndef CAROM_SYS_POOL_H
#define CAROM_SYS_POOL_H

#include <stdint.h>

#include "kernel/sys/stage.h"

/* Calls task(data, index) exactly once for every index in [0, tasks), and returns when all are done; tasks at most
 * CAROM_THREADS_MAX. The calling thread runs what no member claims. Tasks must not wait for one another. A task may
 * call this, too. Any number of threads may call at once. In a forked child the pool is empty and fills again. */
void carom_pool_run(uint32_t tasks, carom_stage_task *task, void *data);

/* What the pool has done in this process: for tests. */
typedef struct carom_pool_counts {
    uint32_t members;    /* threads asked for */
    uint32_t asleep;     /* members that sleep now */
    uint32_t resting;    /* those of them that are not asked */
    uint32_t spins_most; /* most polls in a row of any member that found no work */
    uint64_t starts;     /* times that members were started */
    uint64_t helped;     /* tasks that members ran */
    uint64_t late;       /* stages whose caller slept until a member was done that had been without a core */
    uint64_t alone;      /* stages whose caller asked no member, mostly because one was late not long before */
    uint32_t asked_most; /* members that a stage may ask now */
} carom_pool_counts;

carom_pool_counts carom_pool_count(void);

/* Forgets that members were late. For tests. */
void carom_pool_forget(void);

#endif
