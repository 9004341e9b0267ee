/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* How long a call goes on after its flag was raised. Another thread raises the flag at a random moment of each call;
 * the latency is the time from then to the return of the call.
 *
 * usage: carom_cancel SCENE BODIES CALLS THREADS detect|all|first|coherent [SEED]
 *
 *   detect     carom_detect; one uncancelled call before has grown the buffers
 *   all        the same with order, members of groups, hashes and neighbours
 *   first      in a new context for each call, so that all memory is touched for the first time
 *   coherent   a step that builds a list, and in turns one that follows a list
 *
 * Prints the seed, the uncancelled time, and median, 99th percentile and longest latency, all in milliseconds. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <carom/carom.h>

#include "kernel/scene/random.h"
#include "kernel/scene/scene.h"

/* What is called. */
typedef struct subject {
    carom_scene_f32 scene;
    bool coherent;
    bool first;
    uint32_t threads;
    carom_detect_config config;
    carom_context *context;
    carom_coherent_f32 *steps;
} subject;

/* The thread that raises the flag. */
typedef struct raiser {
    carom_cancel flag;
    double delay;  /* seconds after `started` */
    double raised; /* when it was */
    pthread_barrier_t barrier;
    atomic_bool over;
} raiser;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void sleep_until(double moment) {
    const double left = moment - now();
    if (left > 0.0) {
        const struct timespec span = {(time_t)left, (long)(1e9 * (left - (double)(time_t)left))};
        nanosleep(&span, NULL);
    }
}

static void *raise_flags(void *data) {
    raiser *r = data;
    for (;;) {
        pthread_barrier_wait(&r->barrier);
        if (atomic_load(&r->over)) {
            return NULL;
        }
        sleep_until(now() + r->delay);
        r->raised = now();
        carom_cancel_raise(&r->flag);
        pthread_barrier_wait(&r->barrier);
    }
}

static void must(carom_status status, const carom_error *error) {
    if (status != CAROM_OK) {
        fprintf(stderr, "%s\n", error->message);
        exit(EXIT_FAILURE);
    }
}

static void open_context(subject *s) {
    carom_error error = {.message = "no memory"};
    carom_context_config config = carom_context_config_default();
    carom_coherent_config steps = carom_coherent_config_default();
    config.threads = s->threads;
    steps.steps_ahead = 1;
    must(carom_context_create(&config, &s->context, &error), &error);
    must(carom_coherent_create_f32(s->context, &steps, &s->steps, &error), &error);
}

static void close_context(subject *s) {
    carom_coherent_destroy_f32(s->steps);
    carom_context_destroy(s->context);
}

static carom_status call(const subject *s, carom_error *error) {
    const carom_bodies_f32 bodies = carom_scene_bodies(&s->scene);
    carom_detection_f32 found = {0};
    return s->coherent ? carom_coherent_detect_f32(s->steps, &bodies, &s->config, NULL, &found, NULL, error)
                       : carom_detect_f32(s->context, &bodies, &s->config, NULL, &found, error);
}

/* The time of a call that nobody cancels. */
static double time_call(subject *s) {
    carom_error error;
    s->config.cancel = NULL;
    must(call(s, &error), &error);
    if (s->first) {
        close_context(s);
        open_context(s);
    }
    carom_coherent_reset_f32(s->steps);
    const double begun = now();
    must(call(s, &error), &error);
    return now() - begun;
}

/* Cancels one call; returns the latency, or a negative number if the call was over before. */
static double cancel_call(subject *s, raiser *r, bool follows) {
    carom_error error;
    if (s->first) {
        close_context(s);
        open_context(s);
    }
    if (follows) {
        s->config.cancel = NULL;
        must(call(s, &error), &error);
    }
    carom_cancel_clear(&r->flag);
    s->config.cancel = &r->flag;
    pthread_barrier_wait(&r->barrier);
    const carom_status status = call(s, &error);
    const double returned = now();
    pthread_barrier_wait(&r->barrier);
    must(status == CAROM_ERROR_CANCELLED ? CAROM_OK : status, &error);
    return status == CAROM_ERROR_CANCELLED ? returned - r->raised : -1.0;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_latencies(double *latency, size_t count, double whole, uint64_t seed) {
    size_t cancelled = 0;
    for (size_t n = 0; n < count; n++) {
        if (latency[n] >= 0.0) {
            latency[cancelled++] = latency[n];
        }
    }
    qsort(latency, cancelled, sizeof *latency, ascending);
    printf("seed %llu: %zu of %zu calls of %.1f ms cancelled", (unsigned long long)seed, cancelled, count, 1e3 * whole);
    if (cancelled > 0) {
        printf("; latency median %.2f, p99 %.2f, worst %.2f ms", 1e3 * latency[cancelled / 2],
               1e3 * latency[cancelled * 99 / 100], 1e3 * latency[cancelled - 1]);
    }
    printf("\n");
}

static void measure(subject *s, size_t calls, uint64_t seed) {
    raiser r = {.delay = 0.0};
    double *latency = calloc(calls, sizeof *latency);
    const double whole = time_call(s);
    carom_random random = carom_random_seeded(seed);
    pthread_t thread;
    pthread_barrier_init(&r.barrier, NULL, 2);
    if (latency == NULL || pthread_create(&thread, NULL, raise_flags, &r) != 0) {
        exit(EXIT_FAILURE);
    }
    for (size_t n = 0; n < calls; n++) {
        r.delay = whole * carom_random_u01(&random);
        latency[n] = cancel_call(s, &r, s->coherent && n % 2 == 1);
    }
    atomic_store(&r.over, true);
    pthread_barrier_wait(&r.barrier);
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&r.barrier);
    print_latencies(latency, calls, whole, seed);
    free(latency);
}

static void choose(subject *s, const char *threads, const char *kind) {
    s->threads = (uint32_t)strtoul(threads, NULL, 10);
    s->coherent = strcmp(kind, "coherent") == 0;
    s->first = strcmp(kind, "first") == 0;
    s->config = carom_detect_config_default();
    if (strcmp(kind, "all") == 0) {
        s->config.sort_pairs = true;
        s->config.group_members = true;
        s->config.hash = true;
        s->config.neighbours = CAROM_NEIGHBOURS_FULL;
    }
}

int main(int argc, char **argv) {
    if (argc < 6) {
        fprintf(stderr, "usage: carom_cancel SCENE BODIES CALLS THREADS detect|all|first|coherent [SEED]\n");
        return 2;
    }
    subject s = {.threads = 1};
    choose(&s, argv[4], argv[5]);
    if (carom_scene_make(argv[1][0], strtoul(argv[2], NULL, 10), 1, &s.scene) != CAROM_OK) {
        fprintf(stderr, "no such scene\n");
        return EXIT_FAILURE;
    }
    open_context(&s);
    measure(&s, strtoul(argv[3], NULL, 10), argc > 6 ? strtoul(argv[6], NULL, 10) : (uint64_t)(now() * 1e6));
    close_context(&s);
    carom_scene_release(&s.scene);
    return EXIT_SUCCESS;
}
