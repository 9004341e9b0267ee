/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The only file that uses OpenMP. In: how many threads shall run what. Out: that many, or those that the system gives.
 */
#include "kernel/sys/threads.h"

#ifdef _OPENMP
#include <omp.h>
#endif
#include <dlfcn.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "carom/context.h"
#include "kernel/check/assert.h"

/* What a trial thread is told once it is known how many there are. */
typedef enum verdict { VERDICT_OPEN, VERDICT_SERVE, VERDICT_LEAVE } verdict;

/* POSIX threads that wait for the verdict. */
typedef struct trial {
    carom_threads *threads;
    pthread_mutex_t lock;
    pthread_cond_t decided;
    verdict verdict;
    uint32_t started;
    uint32_t serving; /* threads that found that they are to serve */
    pthread_t id[CAROM_THREADS_MAX];
} trial;

#ifdef _OPENMP

/* OpenMP may be set to more threads than there are cores for this process: they would only wait for one another. */
uint32_t carom_threads_allowed(void) {
    const int allowed = omp_get_max_threads();
    const int cores = omp_get_num_procs();
    const int threads = allowed < cores ? allowed : cores;
    return threads < 1 ? 1 : (uint32_t)threads;
}

#else

uint32_t carom_threads_allowed(void) {
#ifdef CPU_COUNT
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores) == 0 && CPU_COUNT(&cores) > 0) {
        return (uint32_t)CPU_COUNT(&cores);
    }
#endif
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : (uint32_t)online;
}

#endif

int carom_threads_core(void) {
#ifdef __linux__
    return sched_getcpu();
#else
    return -1;
#endif
}

bool carom_threads_leave_core(int core) {
#ifdef __linux__
    cpu_set_t allowed;
    if (core < 0 || core >= CPU_SETSIZE || sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
        return false;
    }
    cpu_set_t others = allowed;
    CPU_CLR((size_t)core, &others);
    if (CPU_COUNT(&others) == 0 || sched_setaffinity(0, sizeof others, &others) != 0) {
        return false;
    }
    return sched_setaffinity(0, sizeof allowed, &allowed) == 0;
#else
    (void)core;
    return false;
#endif
}

static void mark_settled(carom_threads *threads) {
    pthread_mutex_lock(&threads->lock);
    threads->settled = true;
    pthread_cond_broadcast(&threads->changed);
    pthread_mutex_unlock(&threads->lock);
}

static void *await_verdict(void *data) {
    trial *t = data;
    pthread_mutex_lock(&t->lock);
    while (t->verdict == VERDICT_OPEN) {
        pthread_cond_wait(&t->decided, &t->lock);
    }
    const bool serve = t->verdict == VERDICT_SERVE && ++t->serving < t->threads->count;
    pthread_mutex_unlock(&t->lock);
    if (serve) {
        t->threads->body(t->threads->data);
    }
    return NULL;
}

static void start_trial(trial *t, uint32_t wanted) {
    while (t->started < wanted && pthread_create(&t->id[t->started], NULL, await_verdict, t) == 0) {
        t->started++;
    }
}

static void decide(trial *t, verdict decision) {
    pthread_mutex_lock(&t->lock);
    t->verdict = decision;
    pthread_cond_broadcast(&t->decided);
    pthread_mutex_unlock(&t->lock);
}

static void join_trial(const trial *t) {
    for (uint32_t n = 0; n < t->started; n++) {
        pthread_join(t->id[n], NULL);
    }
}

/* The keeper serves too, so that one thread serves even if the system gives no other. Of the rest, those leave that are
 * more than were asked for. */
static void serve_as_posix(trial *t) {
    mark_settled(t->threads);
    decide(t, VERDICT_SERVE);
    t->threads->body(t->threads->data);
    join_trial(t);
}

#ifdef _OPENMP

static void count_one(carom_threads *threads, uint32_t *members) {
    pthread_mutex_lock(&threads->lock);
    (*members)++;
    pthread_cond_broadcast(&threads->changed);
    pthread_mutex_unlock(&threads->lock);
}

static void await_all(carom_threads *threads, const uint32_t *members, uint32_t all) {
    pthread_mutex_lock(&threads->lock);
    while (*members < all) {
        pthread_cond_wait(&threads->changed, &threads->lock);
    }
    pthread_mutex_unlock(&threads->lock);
}

/* Thread 0 of the region: it must not wait at the region's end, where runtimes spin. */
static void await_members(carom_threads *threads, uint32_t members) {
    await_all(threads, &threads->entered, members);
    mark_settled(threads);
    await_all(threads, &threads->left, members);
}

static void serve_as_member(carom_threads *threads) {
    count_one(threads, &threads->entered);
    threads->body(threads->data);
    count_one(threads, &threads->left);
}

/* The keeper is thread 0 and only sleeps: runtimes bind that one to the first place, where the host's own thread is. */
static void serve_as_openmp(carom_threads *threads) {
    omp_set_dynamic(0);
#pragma omp parallel num_threads((int)threads->count + 1)
    {
        if (omp_get_thread_num() == 0) {
            await_members(threads, (uint32_t)omp_get_num_threads() - 1);
        } else {
            serve_as_member(threads);
        }
    }
}

/* Threads that have ended still count against limits for a moment, and the runtime is about to start as many again. */
enum { LINGERING = 16 };

static uint32_t trial_size(uint32_t count) {
    const uint32_t more = count < LINGERING ? count : LINGERING;
    return count + more < CAROM_THREADS_MAX ? count + more : CAROM_THREADS_MAX;
}

static void serve(trial *t) {
    carom_threads *threads = t->threads;
    start_trial(t, trial_size(threads->count));
    if (t->started < trial_size(threads->count)) {
        serve_as_posix(t);
        return;
    }
    decide(t, VERDICT_LEAVE);
    join_trial(t);
    serve_as_openmp(threads);
}

#else

static void serve(trial *t) {
    start_trial(t, t->threads->count - 1);
    serve_as_posix(t);
}

#endif

/* Its threads inherit the keeper's name, for those who look at a host from outside. */
static void *keep(void *data) {
#ifdef __linux__
    pthread_setname_np(pthread_self(), "carom");
#endif
    trial t = {.threads = data, .lock = PTHREAD_MUTEX_INITIALIZER, .decided = PTHREAD_COND_INITIALIZER};
    serve(&t);
    return NULL;
}

/* Code that threads run, the runtime's included, must not be unmapped by dlclose. The shared library is linked so that
 * it never is; the plugin of a host may have the static one in it. */
static void stay_mapped(void) {
    static const char inside = 0;
    Dl_info object;
    if (dladdr(&inside, &object) != 0 && object.dli_fname != NULL) {
        (void)dlopen(object.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    }
}

bool carom_threads_start(carom_threads *threads) {
    CAROM_ASSERT(threads->count >= 1 && threads->count < CAROM_THREADS_MAX);
    sigset_t all;
    sigset_t before;
    stay_mapped();
    pthread_mutex_init(&threads->lock, NULL);
    pthread_cond_init(&threads->changed, NULL);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool started = pthread_create(&threads->keeper, NULL, keep, threads) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

void carom_threads_settle(carom_threads *threads) {
    pthread_mutex_lock(&threads->lock);
    while (!threads->settled) {
        pthread_cond_wait(&threads->changed, &threads->lock);
    }
    pthread_mutex_unlock(&threads->lock);
}

void carom_threads_join(carom_threads *threads) {
    pthread_join(threads->keeper, NULL);
}
