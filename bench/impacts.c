/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What steps with impacts cost, beside detection of the same bodies right after each step. In: a standard scene, whose
 * bodies have mass 1 and bounce off one another without loss. Out: a line for each step, in nanoseconds, of processor
 * time on one thread and of the clock on several; and the energy, which stays.
 *
 *     carom_impacts SCENE BODIES STEPS [THREADS [WINDOWS]]
 *
 * THREADS: else 1. WINDOWS: of each step; else as many as it needs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "carom/carom.h"
#include "kernel/impacts/step.h"
#include "kernel/scene/scene.h"

/* Length of the cells in whose order bodies lie in memory, in radii of a common body: a world too has them as fine. */
static const double CELL = 0.25;

/* Bits of a cell's number along an axis. */
enum { CELL_BITS = 20 };

typedef struct world {
    carom_impacts_bodies bodies;
    carom_response_body *body;
    uint32_t *number;
    double *prev[3]; /* for detection */
    double *curr[3];
    double *radius;
} world;

/* A body's number and the place of its cell in Morton's order. */
typedef struct place {
    uint64_t code;
    uint32_t number;
} place;

static clockid_t stopwatch = CLOCK_PROCESS_CPUTIME_ID;

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(stopwatch, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* As the library allocates what a world has. */
static void *array(uint64_t count, size_t size) {
    static carom_memory memory;
    carom_memory_init(&memory, NULL, 0);
    void *block = carom_memory_allocate(&memory, (count + 1) * size);
    if (block == NULL) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }
    memset(block, 0, (count + 1) * size);
    return block;
}

static uint64_t code_of(const carom_scene_f32 *scene, uint64_t n) {
    uint64_t code = 0;
    for (int a = 0; a < 3; a++) {
        const uint64_t cell = (uint64_t)(((double)scene->prev[a][n] + CELL * (1 << (CELL_BITS - 1))) / CELL);
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

static void put_body(world *w, const carom_scene_f32 *scene, uint64_t slot, uint32_t n) {
    carom_piece piece = {.last = CAROM_PIECE_FRESH};
    for (int a = 0; a < 3; a++) {
        piece.x[a] = (double)scene->prev[a][n];
        piece.v[a] = (double)scene->curr[a][n] - piece.x[a];
    }
    w->number[slot] = n;
    w->radius[slot] = (double)scene->radius[n];
    w->bodies.piece[slot] = piece;
    w->body[slot] = (carom_response_body){(double)scene->radius[n], 1.0, 1.0, -INFINITY};
}

static void make_world(world *w, const carom_scene_f32 *scene) {
    const uint64_t count = scene->count;
    place *places = array(count, sizeof *places);
    for (uint32_t n = 0; n < count; n++) {
        places[n] = (place){code_of(scene, n), n};
    }
    qsort(places, count, sizeof *places, compare_places);
    w->body = array(count, sizeof *w->body);
    w->number = array(count, sizeof *w->number);
    w->radius = array(count, sizeof *w->radius);
    for (int a = 0; a < 3; a++) {
        w->prev[a] = array(count, sizeof(double));
        w->curr[a] = array(count, sizeof(double));
    }
    w->bodies = (carom_impacts_bodies){.count = (uint32_t)count,
                                       .rules = {.budget = 10000},
                                       .all_movable = true,
                                       .piece = array(count, sizeof(carom_piece)),
                                       .body = w->body,
                                       .kept = array(count, sizeof(double[3])),
                                       .number = w->number};
    for (uint64_t slot = 0; slot < count; slot++) {
        put_body(w, scene, slot, places[slot].number);
    }
}

/* Begins the next step; returns twice the energy. */
static double begin_step(world *w) {
    double energy = 0.0;
    for (uint32_t slot = 0; slot < w->bodies.count; slot++) {
        carom_piece *piece = &w->bodies.piece[slot];
        carom_piece next = {.last = CAROM_PIECE_FRESH};
        carom_piece_at(piece, 1.0, next.x);
        for (int a = 0; a < 3; a++) {
            next.v[a] = piece->v[a];
            energy += piece->v[a] * piece->v[a];
            w->prev[a][slot] = next.x[a];
            w->curr[a][slot] = next.x[a] + next.v[a];
        }
        *piece = next;
    }
    return energy;
}

/* The better of two calls. */
static double detection_seconds(const world *w, carom_context *context) {
    const carom_bodies_f64 bodies = {.count = w->bodies.count,
                                     .prev = {w->prev[0], w->prev[1], w->prev[2]},
                                     .curr = {w->curr[0], w->curr[1], w->curr[2]},
                                     .radius = w->radius};
    double best = INFINITY;
    for (int n = 0; n < 2; n++) {
        carom_detection_f64 found = {0};
        const double begun = seconds_now();
        if (carom_detect_f64(context, &bodies, NULL, NULL, &found, NULL) != CAROM_OK) {
            exit(1);
        }
        best = fmin(best, seconds_now() - begun);
    }
    return best;
}

static void run_step(world *w, carom_impacts_step *step, carom_memory *memory, carom_context *context, int number) {
    carom_error error = {.message = ""};
    const double begun = seconds_now();
    if (carom_impacts_step_run(step, memory, context, &w->bodies, &error) != CAROM_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    const double took = seconds_now() - begun;
    const double energy = begin_step(w);
    const double detection = detection_seconds(w, context);
    const double count = w->bodies.count;
    const double impacts = (double)step->work.impacts;
    const double *phase = step->work.seconds;
    printf("| %d | %.3f | %u | %u | %.1f |", number, impacts / count, step->work.windows, step->work.rounds,
           (double)step->search.rows.start[w->bodies.count] / count);
    for (int p = CAROM_STEP_PHASE_NEIGHBOURS; p <= CAROM_STEP_PHASE_END; p++) {
        printf(" %.0f |", 1e9 * phase[p] / count);
    }
    printf(" %.0f | %.0f | %.1f | %.0f | %.15g |\n", 1e9 * detection / count, 1e9 * took / count, took / detection,
           1e9 * took / impacts, energy / 2.0);
}

int main(int count, char **arguments) {
    if (count < 4) {
        fprintf(stderr, "usage: carom_impacts SCENE BODIES STEPS [THREADS [WINDOWS]]\n");
        return 2;
    }
    carom_scene_f32 scene;
    carom_context *context = NULL;
    carom_memory memory;
    carom_context_config config = carom_context_config_default();
    config.threads = count > 4 ? (uint32_t)strtoul(arguments[4], NULL, 10) : 1;
    stopwatch = config.threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
    carom_impacts_step step = {.windows = count > 5 ? (uint32_t)strtoul(arguments[5], NULL, 10) : 0};
    if (carom_scene_make(arguments[1][0], (uint64_t)strtod(arguments[2], NULL), 1, &scene) != CAROM_OK ||
        carom_context_create(&config, &context, NULL) != CAROM_OK) {
        fprintf(stderr, "no such scene\n");
        return 1;
    }
    world w;
    make_world(&w, &scene);
    carom_memory_init(&memory, NULL, 0);
    printf("| step | impacts a body | windows | rounds | neighbours | search | predict | simulate | verify | end | "
           "detection | "
           "step, ns a body | over detection | ns an impact | energy |\n"
           "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (int n = 0; n < (int)strtol(arguments[3], NULL, 10); n++) {
        run_step(&w, &step, &memory, context, n + 1);
    }
    return 0;
}
