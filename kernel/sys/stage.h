/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A stage: tasks that several threads claim, one at a time, and one thread waits for. The thread that publishes it owns
 * the stage; others may look at it at any time, also long after it is over.
 *
 * Each stage has a number, and each task a word with the number of the last stage in which it was claimed. A claim is a
 * compare-and-swap from a lower number. A stage is over when all its tasks are claimed and done, so a thread that knows
 * an old number finds no word below it, claims nothing, and does not touch what belongs to the stage after. */
#ifndef CAROM_SYS_STAGE_H
#define CAROM_SYS_STAGE_H

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "carom/context.h"
#include "kernel/sys/clock.h"

/* One task, 0 <= index < tasks. */
typedef void carom_stage_task(void *data, uint32_t index);

enum {
    /* Polls, each with a pause of the processor, before a thread that waits goes to sleep. Pauses take 20 to 60 ns. */
    CAROM_STAGE_SPINS = 4096,
    CAROM_STAGE_LOOKS = 64, /* polls between looks at the clock */
    CAROM_STAGE_LINE = 64   /* bytes: no two of these share a cache line */
};

typedef struct carom_stage {
    alignas(CAROM_STAGE_LINE) _Atomic uint64_t ticket; /* number and tasks of the last stage that was published */
    carom_stage_task *task;                            /* of that stage; read only by who has claimed a task of it */
    void *data;
    _Atomic int core;          /* the core that the owner was on when it published, for those who help; -1: not known */
    _Atomic uint32_t asked;    /* threads that may help */
    _Atomic uint64_t *claimed; /* CAROM_THREADS_MAX words: the last stage in which the task was claimed */
    alignas(CAROM_STAGE_LINE) _Atomic uint32_t done; /* tasks that have returned */
    atomic_bool in_the_way;                          /* a thread that came was on the owner's core, and left */
    atomic_bool awaited;                             /* the owner sleeps until all have */
    _Atomic double lost; /* seconds, the most that a helper was without a core in a task that is done */
    pthread_mutex_t lock;
    pthread_cond_t finished;
} carom_stage;

/* Makes a stage of which nothing is published. `stage` is all zero, as are the CAROM_THREADS_MAX words `claimed`, or
 * they are those of an earlier call in a process that was forked since. */
void carom_stage_init(carom_stage *stage, _Atomic uint64_t *claimed);

/* Publishes `tasks` tasks, 1 to CAROM_THREADS_MAX, and returns their ticket. `asked`: threads that may
 * help. The stage before must be over. */
uint64_t carom_stage_publish(carom_stage *stage, uint32_t tasks, uint32_t asked, carom_stage_task *task, void *data);

/* Runs the tasks of a ticket that nobody else claims, looking at task `first` first; returns how many. A ticket of a
 * stage that is over has none. `meter` measures a thread that helps, and was started not long before; NULL: the owner,
 * who knows when it waits. */
uint32_t carom_stage_help(carom_stage *stage, uint64_t ticket, uint32_t first, carom_core_meter *meter);

/* Number of tasks of a ticket that nobody has claimed yet. */
uint32_t carom_stage_unclaimed(const carom_stage *stage, uint64_t ticket);

/* Whether a thread that has polled `spins` times since the time `begun` should go to sleep: after CAROM_STAGE_SPINS
 * polls or 80 microseconds, the time in which a sleeping thread would be awake again. */
bool carom_stage_is_tired(uint32_t spins, double begun);

/* Seconds without a core in a task that the owner notices: as long as threads without one wait for one. Less is not
 * measured. */
#define CAROM_STAGE_LATE 200e-6

/* Returns true if all tasks of the stage are done before the thread is tired. For the owner. */
bool carom_stage_spin(carom_stage *stage, uint64_t ticket);

/* Sleeps until all tasks of the stage are done. For the owner. */
void carom_stage_await(carom_stage *stage, uint64_t ticket);

/* Tells the processor that the thread polls. */
static inline void carom_stage_pause(void) {
#if defined(__SSE2__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

#endif
