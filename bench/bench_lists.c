/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Neighbour lists of the dense scene at rest, its radii times 2.154 or 3.2: some 30 or 110 neighbours a body. Half and
 * full lists, lengths alone, full lists of bodies that move by a tenth of their radii, full lists in a periodic box,
 * pairs without lists, counted and stored, full lists with a filter: a third of the bodies are fixed, or each excludes
 * an eighth of its neighbours, and for comparison a detection that makes full lists. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/shim.h"
#include "bench/suite.h"

typedef enum kind {
    COUNTED,
    HALF,
    FULL,
    MOVING,
    PERIODIC,
    PAIRS,
    PAIRS_COUNTED,
    FIXED,
    EXCLUDED,
    DETECTED,
    KINDS
} kind;

static const char *const KIND_NAMES[KINDS] = {"count", "half",          "full",  "moving",   "periodic",
                                              "pairs", "pairs-counted", "fixed", "excluded", "detect"};

typedef struct run {
    kind what;
    uint64_t bodies;
    double scale; /* of radii */
    uint32_t threads;
} run;

/* A box around the places of all bodies. */
static carom_periodic box_of(const carom_bodies_f32 *bodies) {
    carom_periodic box = carom_periodic_default();
    for (int a = 0; a < 3; a++) {
        float lo = bodies->prev[a][0];
        float hi = lo;
        for (uint64_t n = 0; n < bodies->count; n++) {
            lo = fminf(lo, bodies->prev[a][n]);
            hi = fmaxf(hi, bodies->prev[a][n]);
        }
        box.along[a] = true;
        box.edge[a][a] = 1.0001 * (double)(hi - lo);
    }
    return box;
}

static void *allocate(uint64_t count, uint64_t size) {
    void *memory = malloc((count + 1) * size);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

/* One pair in eight, as if by chance. */
static bool is_chosen(uint32_t a, uint32_t b) {
    const uint32_t mixed = (a * UINT32_C(0x9E3779B1)) ^ (b * UINT32_C(0x9E3779B1));
    return (mixed * UINT32_C(0x85EBCA6B)) >> 29 == 0;
}

/* Exclusion lists: an eighth of the neighbours. */
static void exclude(const carom_lists *lists, uint64_t bodies, carom_filter *filter) {
    uint64_t *offset = allocate(bodies, sizeof *offset);
    uint32_t *excluded = allocate(lists->count, sizeof *excluded);
    uint64_t at = 0;
    for (uint64_t b = 0; b < bodies; b++) {
        offset[b] = at;
        for (uint64_t n = lists->offset[b]; n < lists->offset[b + 1]; n++) {
            if (is_chosen((uint32_t)b, lists->body[n])) {
                excluded[at++] = lists->body[n];
            }
        }
    }
    offset[bodies] = at;
    filter->exclusion_offset = offset;
    filter->excluded = excluded;
}

static void fix(uint64_t bodies, carom_filter *filter) {
    uint8_t *fixed = allocate(bodies, sizeof *fixed);
    for (uint64_t n = 0; n < bodies; n++) {
        fixed[n] = n % 3 == 0;
    }
    filter->fixed = fixed;
}

static carom_filter make_filter(carom_context *context, const carom_bodies_f32 *bodies, kind what) {
    carom_filter filter = carom_filter_default();
    carom_lists lists = {0};
    if (what == FIXED) {
        fix(bodies->count, &filter);
    }
    if (what == EXCLUDED && carom_lists_f32(context, bodies, NULL, &lists, NULL) == CAROM_OK) {
        exclude(&lists, bodies->count, &filter);
    }
    return filter;
}

static void free_filter(carom_filter *filter) {
    free((void *)(uintptr_t)filter->fixed);
    free((void *)(uintptr_t)filter->exclusion_offset);
    free((void *)(uintptr_t)filter->excluded);
}

static carom_status list(carom_context *context, const carom_bodies_f32 *bodies, kind what, const carom_periodic *box,
                         const carom_filter *filter) {
    carom_list_config config = carom_list_config_default();
    config.periodic = what == PERIODIC ? box : NULL;
    config.filter = what == FIXED || what == EXCLUDED ? filter : NULL;
    carom_lists lists = {0};
    config.pairs = what == PAIRS || what == PAIRS_COUNTED;
    config.count_only = what == COUNTED || what == PAIRS_COUNTED;
    config.neighbours = what == HALF ? CAROM_NEIGHBOURS_HALF : CAROM_NEIGHBOURS_FULL;
    return carom_lists_f32(context, bodies, &config, &lists, NULL);
}

static carom_status detect(carom_context *context, const carom_bodies_f32 *bodies) {
    carom_detect_config config = carom_detect_config_default();
    carom_detection_f32 found = {0};
    config.until = CAROM_UNTIL_APPROACH;
    config.neighbours = CAROM_NEIGHBOURS_FULL;
    return carom_detect_f32(context, bodies, &config, NULL, &found, NULL);
}

/* Bodies go a tenth of their radius in the direction that they have. */
static void set_in_motion(carom_bodies_f32 *bodies, const float *const curr[3], float *const to[3]) {
    for (uint64_t n = 0; n < bodies->count; n++) {
        float way[3];
        float square = 0.0F;
        for (int a = 0; a < 3; a++) {
            way[a] = curr[a][n] - bodies->prev[a][n];
            square += way[a] * way[a];
        }
        const float by = square > 0.0F ? 0.1F * bodies->radius[n] / sqrtf(square) : 0.0F;
        for (int a = 0; a < 3; a++) {
            to[a][n] = bodies->prev[a][n] + by * way[a];
        }
    }
    for (int a = 0; a < 3; a++) {
        bodies->curr[a] = to[a];
    }
}

/* The scene's bodies at rest, or in another motion, with other radii. own: radii, and places after the motion. */
static carom_bodies_f32 make_bodies(const run *r, float *const own[4]) {
    carom_bodies_f32 bodies = carom_scene_bodies(carom_bench_scene('d', r->bodies));
    const float *const curr[3] = {bodies.curr[0], bodies.curr[1], bodies.curr[2]};
    for (uint64_t n = 0; n < r->bodies; n++) {
        own[3][n] = (float)(r->scale * (double)bodies.radius[n]);
    }
    bodies.radius = own[3];
    for (int a = 0; a < 3; a++) {
        bodies.curr[a] = NULL;
    }
    if (r->what == MOVING) {
        set_in_motion(&bodies, curr, own);
    }
    return bodies;
}

static void bench_lists(carom_bench_state *state, void *data) {
    static float *own[4];
    const run *r = data;
    for (int a = 0; a < 4 && own[a] == NULL; a++) {
        own[a] = carom_bench_allocate(carom_bench_sizes[CAROM_BENCH_SIZES - 1] * sizeof *own[a]);
    }
    const carom_bodies_f32 bodies = make_bodies(r, own);
    const carom_periodic box = box_of(&bodies);
    carom_context_config config = carom_context_config_default();
    carom_context *context;
    carom_error error;
    config.threads = r->threads;
    carom_filter filter = carom_filter_default();
    carom_status status = carom_context_create(&config, &context, &error);
    if (status == CAROM_OK) {
        filter = make_filter(context, &bodies, r->what);
        status = r->what == DETECTED ? detect(context, &bodies) : list(context, &bodies, r->what, &box, &filter);
    }
    while (carom_bench_next(state) && status == CAROM_OK) {
        status = r->what == DETECTED ? detect(context, &bodies) : list(context, &bodies, r->what, &box, &filter);
    }
    if (status != CAROM_OK) {
        carom_bench_fail(state, carom_status_name(status));
    }
    carom_bench_items(state, r->bodies);
    carom_context_destroy(context);
    free_filter(&filter);
}

void carom_bench_register_lists(void) {
    static const double scales[] = {2.154, 3.2};
    uint32_t threads[16];
    const size_t thread_counts = carom_bench_threads(threads);
    for (int what = 0; what < KINDS; what++) {
        for (int s = 1; s < CAROM_BENCH_SIZES; s++) {
            for (size_t t = 0; t < 2 * thread_counts; t++) {
                char name[96];
                run *r = carom_bench_allocate(sizeof *r);
                *r = (run){(kind)what, carom_bench_sizes[s], scales[t % 2], threads[t / 2]};
                snprintf(name, sizeof name, "lists/%s/d%s/%" PRIu64 "/threads:%u", KIND_NAMES[what],
                         t % 2 == 0 ? "30" : "110", r->bodies, r->threads);
                carom_bench_register(name, bench_lists, r);
            }
        }
    }
}
