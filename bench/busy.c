/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Calls on several threads against calls on one, in turns on the same bodies, each call timed by itself: on a machine
 * whose cores other programs use, medians hide what every tenth call costs. scripts/measure --busy runs it.
 *
 * usage: carom_busy SCENE BODIES CALLS THREADS detect|coherent
 *
 * Prints a line for each number of threads: threads, median, 90th percentile, longest and mean, in milliseconds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <carom/carom.h>

#include "kernel/scene/scene.h"

/* Calls that are not counted: they grow buffers, start threads and build lists. */
enum { WARM_CALLS = 5, CONTESTANTS = 2 };

/* Displacement of coherent steps, in that of the scene. */
static const double DISPLACEMENT = 0.05;

typedef struct contestant {
    uint32_t threads;
    carom_context *context;
    carom_coherent_f32 *coherent;
    double *seconds; /* of each call */
} contestant;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void must(carom_status status, const carom_error *error) {
    if (status != CAROM_OK) {
        fprintf(stderr, "%s\n", error->message);
        exit(EXIT_FAILURE);
    }
}

static contestant make_contestant(uint32_t threads, size_t calls) {
    contestant c = {.threads = threads, .seconds = calloc(calls, sizeof(double))};
    carom_error error = {.message = "no memory"};
    carom_context_config config = carom_context_config_default();
    config.threads = threads;
    must(c.seconds != NULL ? CAROM_OK : CAROM_ERROR_MEMORY, &error);
    must(carom_context_create(&config, &c.context, &error), &error);
    must(carom_coherent_create_f32(c.context, NULL, &c.coherent, &error), &error);
    return c;
}

static void release_contestant(contestant *c) {
    carom_coherent_destroy_f32(c->coherent);
    carom_context_destroy(c->context);
    free(c->seconds);
}

static double time_call(const contestant *c, const carom_bodies_f32 *bodies, bool coherent) {
    carom_error error;
    carom_detection_f32 found = {0};
    const double begun = now();
    must(coherent ? carom_coherent_detect_f32(c->coherent, bodies, NULL, NULL, &found, NULL, &error)
                  : carom_detect_f32(c->context, bodies, NULL, NULL, &found, &error),
         &error);
    return now() - begun;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_line(contestant *c, size_t calls) {
    double sum = 0.0;
    for (size_t n = 0; n < calls; n++) {
        sum += c->seconds[n];
    }
    qsort(c->seconds, calls, sizeof(double), ascending);
    printf("%u %.4f %.4f %.4f %.4f\n", c->threads, 1e3 * c->seconds[calls / 2], 1e3 * c->seconds[calls * 9 / 10],
           1e3 * c->seconds[calls - 1], 1e3 * sum / (double)calls);
}

static void take_turns(contestant c[CONTESTANTS], carom_scene_f32 *scene, size_t calls, char letter, bool coherent) {
    carom_scene_motion motion = {.count = 0};
    if (coherent && carom_scene_motion_start(letter, DISPLACEMENT, scene, &motion) != CAROM_OK) {
        exit(EXIT_FAILURE);
    }
    for (size_t n = 0; n < WARM_CALLS + calls; n++) {
        const carom_bodies_f32 bodies = carom_scene_bodies(scene);
        for (int k = 0; k < CONTESTANTS; k++) {
            const double seconds = time_call(&c[k], &bodies, coherent);
            c[k].seconds[n < WARM_CALLS ? 0 : n - WARM_CALLS] = seconds;
        }
        if (coherent) {
            carom_scene_motion_step(&motion, scene);
        }
    }
    carom_scene_motion_end(&motion);
}

int main(int argc, char **argv) {
    if (argc != 6) {
        fprintf(stderr, "usage: carom_busy SCENE BODIES CALLS THREADS detect|coherent\n");
        return 2;
    }
    const size_t calls = strtoul(argv[3], NULL, 10);
    carom_scene_f32 scene;
    if (calls == 0 || carom_scene_make(argv[1][0], strtoul(argv[2], NULL, 10), 1, &scene) != CAROM_OK) {
        fprintf(stderr, "no such scene\n");
        return EXIT_FAILURE;
    }
    contestant c[CONTESTANTS] = {make_contestant(1, calls),
                                 make_contestant((uint32_t)strtoul(argv[4], NULL, 10), calls)};
    take_turns(c, &scene, calls, argv[1][0], strcmp(argv[5], "coherent") == 0);
    for (int k = 0; k < CONTESTANTS; k++) {
        print_line(&c[k], calls);
        release_contestant(&c[k]);
    }
    carom_scene_release(&scene);
    return EXIT_SUCCESS;
}
