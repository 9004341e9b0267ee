/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The only file that uses OpenMP. The host's settings decide how many threads there are; the number of logical workers
 * is fixed. So the loop below is right for any number of threads that the runtime gives. Without OpenMP
 * (-Dopenmp=disabled) it runs on one. */
#include "kernel/sys/team.h"

#ifdef _OPENMP
#include <omp.h>
#endif
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/types.h>
#include <unistd.h>

#include "kernel/check/assert.h"
#include "kernel/sys/arithmetic.h"

/* The process that loaded the library: set before main and never again. A forked child inherits the value and sees by
 * its own pid that it is one. */
static pid_t loading_process;

__attribute__((constructor)) static void remember_process(void) {
    loading_process = getpid();
}

/* OpenMP may be set to more threads than there are cores for this process: they would only wait for one another. */
static uint32_t host_threads(void) {
#ifdef _OPENMP
    const int allowed = omp_get_max_threads();
    const int cores = omp_get_num_procs();
    const int threads = allowed < cores ? allowed : cores;
    return threads < 1 ? 1 : (uint32_t)threads;
#else
    return 1;
#endif
}

void carom_team_init(carom_team *team, uint32_t threads, const carom_executor *executor) {
    const uint32_t wanted = threads != 0 ? threads : host_threads();
    team->workers = wanted < CAROM_THREADS_MAX ? wanted : CAROM_THREADS_MAX;
    team->each = 0;
    team->executor = executor != NULL ? *executor : (carom_executor){.user = NULL, .parallel_for = NULL};
}

static void run_serial(uint32_t workers, carom_team_task *task, void *data) {
    for (uint32_t worker = 0; worker < workers; worker++) {
        task(data, worker);
    }
}

/* Iteration w runs on thread w, the same in every call, which finds in its core's cache what it left there. */
static void run_openmp(uint32_t workers, carom_team_task *task, void *data) {
#ifdef _OPENMP
#pragma omp parallel for schedule(static, 1) num_threads((int)workers)
#endif
    for (uint32_t worker = 0; worker < workers; worker++) {
        task(data, worker);
    }
}

typedef struct fresh_start {
    uint32_t workers;
    carom_team_task *task;
    void *data;
} fresh_start;

static void *run_fresh(void *start) {
    const fresh_start *s = start;
    run_openmp(s->workers, s->task, s->data);
    return NULL;
}

/* In a forked child the OpenMP threads of the thread that forked are gone, and the runtime would wait for them for
 * ever. A thread that was created after the fork has no such threads: the runtime starts new ones for it. */
static void run_in_child(uint32_t workers, carom_team_task *task, void *data) {
    fresh_start start = {workers, task, data};
    pthread_t thread;
    if (pthread_create(&thread, NULL, run_fresh, &start) == 0) {
        pthread_join(thread, NULL);
    } else {
        run_serial(workers, task, data);
    }
}

typedef struct plain_task {
    carom_team_task *task;
    void *data;
} plain_task;

/* The host may have set a thread to another rounding or to flushing. */
static void run_plainly(void *start, uint32_t worker) {
    const plain_task *plain = start;
    const carom_arithmetic before = carom_arithmetic_enter();
    plain->task(plain->data, worker);
    carom_arithmetic_leave(before);
}

void carom_team_run(const carom_team *team, carom_team_task *task, void *data) {
    CAROM_ASSERT(team->workers >= 1 && team->workers <= CAROM_THREADS_MAX);
    plain_task plain = {task, data};
    if (team->workers == 1) {
        run_plainly(&plain, 0);
    } else if (team->executor.parallel_for != NULL) {
        team->executor.parallel_for(team->executor.user, team->workers, run_plainly, &plain);
    } else if (getpid() == loading_process) {
        run_openmp(team->workers, run_plainly, &plain);
    } else {
        run_in_child(team->workers, run_plainly, &plain);
    }
}

void carom_team_run_alone(const carom_team *team, carom_team_task *task, void *data) {
    CAROM_ASSERT(team->workers >= 1 && team->workers <= CAROM_THREADS_MAX);
    plain_task plain = {task, data};
    run_serial(team->workers, run_plainly, &plain);
}

void carom_team_run_over(const carom_team *team, uint64_t items, carom_team_task *task, void *data) {
    if (items / 2 < team->each) {
        carom_team_run_alone(team, task, data);
    } else {
        carom_team_run(team, task, data);
    }
}

carom_range carom_team_range(const carom_team *team, uint32_t worker, uint64_t count, uint64_t grain) {
    CAROM_ASSERT(worker < team->workers && grain >= 1);
    const uint64_t grains = count / grain + (count % grain != 0);
    const uint64_t each = grains / team->workers;
    const uint64_t extra = grains % team->workers; /* the first `extra` workers take one grain more */
    const uint64_t first = worker * each + (worker < extra ? worker : extra);
    const uint64_t last = first + each + (worker < extra);
    return (carom_range){first < grains ? first * grain : count, last < grains ? last * grain : count};
}

/* Relaxed: what a task reads was written before the parallel stage began. */
uint64_t carom_team_claim(_Atomic uint64_t *next) {
    return atomic_fetch_add_explicit(next, 1, memory_order_relaxed);
}
