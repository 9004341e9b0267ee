/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Threads of the library's own, and the one owner of OpenMP.
 *
 * With OpenMP the threads are those of one parallel region that stays open until they end, so the runtime's settings
 * for places, stacks and limits hold. A thread of ours enters that region and sleeps in it, which keeps the region away
 * from the host's threads and from its settings. Without OpenMP (-Dopenmp=disabled), and where the system refuses
 * threads, which OpenMP's runtimes answer by ending the process, they are POSIX threads. */
#ifndef CAROM_SYS_THREADS_H
#define CAROM_SYS_THREADS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* What each thread runs once. */
typedef void carom_threads_body(void *data);

/* Threads that were started together. Its memory must stay where it is until they have ended. */
typedef struct carom_threads {
    uint32_t count;           /* threads wanted, at least 1; fewer may come */
    carom_threads_body *body; /* what each runs; it ends the thread by returning */
    void *data;               /* the argument of body */
    pthread_t keeper;         /* the thread that starts the others and ends after them */
    pthread_mutex_t lock;     /* of what follows */
    pthread_cond_t changed;
    uint32_t entered; /* members of an OpenMP region that have begun */
    uint32_t left;    /* members of an OpenMP region whose body has returned */
    bool settled;     /* all threads that come have been started */
} carom_threads;

/* Number of threads that the host's settings and the process's affinity allow a call, at least 1. */
uint32_t carom_threads_allowed(void);

/* Number of the core that the calling thread is on, now; -1 where the system does not tell. Takes some 10 ns. */
int carom_threads_core(void);

/* Moves the calling thread from that core to any other that it may be on, and then allows it all of them again. Returns
 * false if it has no other, or where the system does not let it choose. An affinity that somebody else gives the thread
 * in these microseconds is lost. */
bool carom_threads_leave_core(int core);

/* Starts threads->count threads, running threads->body with threads->data, and does not wait for them. They block all
 * signals, so that handlers of the host's run on its own threads. Returns false if the system refuses even one. */
bool carom_threads_start(carom_threads *threads);

/* Returns when the threads have been started: a process must not be forked while a runtime is at it. */
void carom_threads_settle(carom_threads *threads);

/* Returns when the body has returned on all of them. */
void carom_threads_join(carom_threads *threads);

#endif
