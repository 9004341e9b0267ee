/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What steps of a world cost, beside detection of the same bodies right after each step. In: a standard scene, whose
 * bodies have mass 1 and bounce off one another without loss. Out: a line for each step, in nanoseconds a body, of
 * processor time on one thread and of the clock on several; and the energy, which stays.
 *
 *     carom_impacts SCENE BODIES STEPS [THREADS]
 *
 * THREADS: else 1. The world gets its bodies in the scene's order, which is random, and detection has them in it too. A
 * detection of bodies that lie in the order of space may be faster: both are measured. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "carom/carom.h"
#include "kernel/scene/scene.h"

/* Length of the cells in whose order bodies are sorted, in radii of a common body. */
static const double CELL = 0.25;

/* Bits of a cell's number along an axis. */
enum { CELL_BITS = 20 };

/* Motion through the next step, in units of length. */
typedef struct motion {
    double *prev[3];
    double *curr[3];
    double *radius;
} motion;

/* A body, and the place of its cell in Morton's order. */
typedef struct place {
    uint64_t code;
    uint32_t body;
} place;

typedef struct run {
    carom_context *context;
    carom_world_f64 *world;
    uint64_t count;
    place *place; /* of all bodies, in the order of space */
    motion added; /* in the order in which the world got the bodies */
    motion sorted;
} run;

static clockid_t stopwatch = CLOCK_PROCESS_CPUTIME_ID;

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(stopwatch, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void check(carom_status status, const carom_error *error) {
    if (status != CAROM_OK) {
        fprintf(stderr, "%s\n", error->message);
        exit(1);
    }
}

static void *array(uint64_t count, size_t size) {
    void *block = calloc(count + 1, size);
    if (block == NULL) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }
    return block;
}

static void make_motion(motion *m, uint64_t count) {
    m->radius = array(count, sizeof(double));
    for (int a = 0; a < 3; a++) {
        m->prev[a] = array(count, sizeof(double));
        m->curr[a] = array(count, sizeof(double));
    }
}

/* Cells begin at half their range below zero. */
static uint64_t code_of(const motion *m, uint64_t body) {
    uint64_t code = 0;
    for (int a = 0; a < 3; a++) {
        const uint64_t cell = (uint64_t)((m->prev[a][body] + CELL * (1 << (CELL_BITS - 1))) / CELL);
        for (int bit = 0; bit < CELL_BITS; bit++) {
            code |= (cell >> bit & 1) << (3 * bit + a);
        }
    }
    return code;
}

static int compare_places(const void *a, const void *b) {
    const uint64_t x = ((const place *)a)->code;
    const uint64_t y = ((const place *)b)->code;
    return (x > y) - (x < y);
}

/* Gives the world a scene's bodies. */
static void add_bodies(run *r, const carom_scene_f32 *scene) {
    carom_error error;
    for (uint64_t n = 0; n < r->count; n++) {
        r->added.radius[n] = (double)scene->radius[n];
        for (int a = 0; a < 3; a++) {
            r->added.prev[a][n] = (double)scene->prev[a][n];
            r->added.curr[a][n] = (double)scene->curr[a][n] - (double)scene->prev[a][n];
        }
        r->place[n] = (place){code_of(&r->added, n), (uint32_t)n};
    }
    const carom_world_bodies_f64 bodies = {.size = sizeof bodies,
                                           .count = r->count,
                                           .position = {r->added.prev[0], r->added.prev[1], r->added.prev[2]},
                                           .velocity = {r->added.curr[0], r->added.curr[1], r->added.curr[2]},
                                           .radius = r->added.radius};
    check(carom_world_add_f64(r->world, &bodies, NULL, &error), &error);
    qsort(r->place, r->count, sizeof *r->place, compare_places);
}

/* Reads where bodies are and will be after another step. The order of space is that of the first step. */
static void read_motion(run *r) {
    carom_error error;
    motion *m = &r->added;
    const carom_world_bodies_f64 bodies = {.size = sizeof bodies,
                                           .count = r->count,
                                           .position = {m->prev[0], m->prev[1], m->prev[2]},
                                           .velocity = {m->curr[0], m->curr[1], m->curr[2]}};
    check(carom_world_get_f64(r->world, NULL, &bodies, &error), &error);
    for (int a = 0; a < 3; a++) {
        for (uint64_t n = 0; n < r->count; n++) {
            m->curr[a][n] += m->prev[a][n];
        }
        for (uint64_t n = 0; n < r->count; n++) {
            r->sorted.prev[a][n] = m->prev[a][r->place[n].body];
            r->sorted.curr[a][n] = m->curr[a][r->place[n].body];
        }
    }
    for (uint64_t n = 0; n < r->count; n++) {
        r->sorted.radius[n] = m->radius[r->place[n].body];
    }
}

/* The better of two calls. */
static double detection_seconds(const run *r, const motion *m) {
    const carom_bodies_f64 bodies = {.count = r->count,
                                     .prev = {m->prev[0], m->prev[1], m->prev[2]},
                                     .curr = {m->curr[0], m->curr[1], m->curr[2]},
                                     .radius = m->radius};
    carom_error error;
    double best = INFINITY;
    for (int n = 0; n < 2; n++) {
        carom_detection_f64 found = {0};
        const double begun = seconds_now();
        check(carom_detect_f64(r->context, &bodies, NULL, NULL, &found, &error), &error);
        best = fmin(best, seconds_now() - begun);
    }
    return best;
}

static double energy_of(const run *r) {
    carom_world_totals totals = {0};
    carom_error error;
    check(carom_world_total_f64(r->world, &totals, &error), &error);
    return totals.energy;
}

static void run_step(run *r, int number) {
    carom_step_report report = {0};
    carom_error error;
    const double begun = seconds_now();
    check(carom_world_step_f64(r->world, &report, NULL, &error), &error);
    const double step = seconds_now() - begun;
    read_motion(r);
    const double added = detection_seconds(r, &r->added);
    const double sorted = detection_seconds(r, &r->sorted);
    const double each = 1e9 / (double)r->count;
    printf("| %d | %.3f | %u | %u |", number, (double)report.impacts / (double)r->count, report.windows, report.rounds);
    for (int p = 0; p < CAROM_STEP_PHASE_COUNT; p++) {
        printf(" %.0f |", each * report.phase_seconds[p]);
    }
    printf(" %.1f | %.1f | %.1f | %.2f | %.2f | %.0f | %.15g |\n", each * step, each * added, each * sorted,
           step / added, step / sorted, 1e9 * step / (double)report.impacts, energy_of(r));
}

static void print_head(void) {
    const char *lines[] = {"| step | impacts a body | windows | rounds |",
                           " ns a body | detection | in order | over detection | over that in order | ns an impact | "
                           "energy |\n"};
    printf("%s", lines[0]);
    for (int p = 0; p < CAROM_STEP_PHASE_COUNT; p++) {
        printf(" %s |", carom_step_phase_name((carom_step_phase)p));
    }
    printf("%s|", lines[1]);
    for (int column = 0; column < 11 + CAROM_STEP_PHASE_COUNT; column++) {
        printf("---|");
    }
    printf("\n");
}

int main(int count, char **arguments) {
    if (count < 4) {
        fprintf(stderr, "usage: carom_impacts SCENE BODIES STEPS [THREADS]\n");
        return 2;
    }
    carom_scene_f32 scene;
    carom_error error;
    carom_context_config config = carom_context_config_default();
    config.threads = count > 4 ? (uint32_t)strtoul(arguments[4], NULL, 10) : 1;
    stopwatch = config.threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
    if (carom_scene_make(arguments[1][0], (uint64_t)strtod(arguments[2], NULL), 1, &scene) != CAROM_OK) {
        fprintf(stderr, "no such scene\n");
        return 1;
    }
    run r = {.count = scene.count, .place = array(scene.count, sizeof(place))};
    make_motion(&r.added, r.count);
    make_motion(&r.sorted, r.count);
    check(carom_context_create(&config, &r.context, &error), &error);
    check(carom_world_create_f64(r.context, NULL, &r.world, &error), &error);
    add_bodies(&r, &scene);
    print_head();
    for (int n = 0; n < (int)strtol(arguments[3], NULL, 10); n++) {
        run_step(&r, n + 1);
    }
    carom_world_destroy_f64(r.world);
    carom_context_destroy(r.context);
    return 0;
}
