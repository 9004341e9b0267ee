/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Few bodies, and many worlds of few. One iteration of few/<scene>/<bodies>/<until> detects in each of SCENES scenes of
 * other seeds in turn: who detects in one again and again measures a branch predictor that knows it by heart. One of
 * worlds/<scene>/<worlds>x<bodies> detects in all worlds at once. Items are bodies. */
#include <inttypes.h>
#include <stdio.h>

#include "bench/shim.h"
#include "bench/suite.h"

enum { SCENES = 256 };

/* Bodies of scenes of the same kind, of seeds that follow one another. */
typedef struct crowd {
    uint64_t scenes;
    uint64_t each;
    carom_bodies_f32 bodies;
} crowd;

typedef struct run {
    char scene;
    uint64_t scenes;
    uint64_t each;
    carom_until until; /* of calls of few bodies */
    uint32_t threads;
} run;

/* The crowd last asked for, made again only when another is wanted. */
static carom_status make_crowd(const run *r, crowd *c) {
    static float *values;
    static run made;
    const uint64_t count = r->scenes * r->each;
    if (values == NULL) {
        values = carom_bench_allocate(7 * UINT64_C(1000000) * sizeof *values);
    }
    *c = (crowd){r->scenes, r->each, {.count = count, .radius = values + 6 * count}};
    for (int a = 0; a < 3; a++) {
        c->bodies.prev[a] = values + (uint64_t)a * count;
        c->bodies.curr[a] = values + (uint64_t)(3 + a) * count;
    }
    if (made.scene == r->scene && made.scenes == r->scenes && made.each == r->each) {
        return CAROM_OK;
    }
    for (uint64_t s = 0; s < r->scenes; s++) {
        carom_scene_f32 scene;
        const carom_status status = carom_scene_make(r->scene, r->each, s + 1, &scene);
        if (status != CAROM_OK) {
            return status;
        }
        for (uint64_t n = 0; n < r->each; n++) {
            float *to = values + s * r->each + n;
            for (int a = 0; a < 3; a++) {
                to[(uint64_t)a * count] = scene.prev[a][n];
                to[(uint64_t)(3 + a) * count] = scene.curr[a][n];
            }
            to[6 * count] = scene.radius[n];
        }
        carom_scene_release(&scene);
    }
    made = *r;
    return CAROM_OK;
}

static carom_status detect_one(carom_context *context, const crowd *c, uint64_t scene, carom_until until,
                               carom_detection_f32 *found) {
    const uint64_t first = scene * c->each;
    carom_bodies_f32 bodies = {.count = c->each, .radius = c->bodies.radius + first};
    carom_detect_config config = carom_detect_config_default();
    for (int a = 0; a < 3; a++) {
        bodies.prev[a] = c->bodies.prev[a] + first;
        bodies.curr[a] = c->bodies.curr[a] + first;
    }
    config.until = until;
    return carom_detect_f32(context, &bodies, &config, NULL, found, NULL);
}

static carom_status detect_in_turn(carom_context *context, const crowd *c, const run *r) {
    carom_status status = CAROM_OK;
    carom_detection_f32 found = {0};
    for (uint64_t scene = 0; scene < c->scenes && status == CAROM_OK; scene++) {
        status = detect_one(context, c, scene, r->until, &found);
    }
    return status;
}

static carom_status detect_at_once(carom_context *context, const crowd *c, const run *r) {
    static uint64_t *offset;
    carom_worlds_result_f32 result = {0};
    (void)r;
    if (offset == NULL) {
        offset = carom_bench_allocate((UINT64_C(100000) + 1) * sizeof *offset);
    }
    for (uint64_t w = 0; w <= c->scenes; w++) {
        offset[w] = w * c->each;
    }
    return carom_worlds_f32(context, &c->bodies, c->scenes, offset, NULL, &result, NULL);
}

static void measure(carom_bench_state *state, const run *r,
                    carom_status detect(carom_context *context, const crowd *c, const run *r)) {
    carom_context_config config = carom_context_config_default();
    carom_context *context = NULL;
    carom_error error;
    crowd c;
    config.threads = r->threads;
    carom_status status = carom_context_create(&config, &context, &error);
    status = status == CAROM_OK ? make_crowd(r, &c) : status;
    status = status == CAROM_OK ? detect(context, &c, r) : status;
    while (carom_bench_next(state) && status == CAROM_OK) {
        status = detect(context, &c, r);
    }
    if (status != CAROM_OK) {
        carom_bench_fail(state, carom_status_name(status));
    }
    carom_bench_items(state, r->scenes * r->each);
    carom_context_destroy(context);
}

static void bench_few(carom_bench_state *state, void *data) {
    measure(state, data, detect_in_turn);
}

static void bench_worlds(carom_bench_state *state, void *data) {
    measure(state, data, detect_at_once);
}

static void register_few(char scene, uint64_t each, carom_until until) {
    char name[96];
    run *r = carom_bench_allocate(sizeof *r);
    *r = (run){scene, SCENES, each, until, 1};
    snprintf(name, sizeof name, "few/%c/%" PRIu64 "/%s", scene, each, until == CAROM_UNTIL_PAIRS ? "pairs" : "groups");
    carom_bench_register(name, bench_few, r);
}

static void register_worlds(char scene, uint64_t worlds, uint64_t each, uint32_t threads) {
    char name[96];
    run *r = carom_bench_allocate(sizeof *r);
    *r = (run){scene, worlds, each, CAROM_UNTIL_GROUPS, threads};
    snprintf(name, sizeof name, "worlds/%c/%" PRIu64 "x%" PRIu64 "/threads:%u", scene, worlds, each, threads);
    carom_bench_register(name, bench_worlds, r);
}

void carom_bench_register_few(void) {
    static const uint64_t sizes[] = {10, 30, 100, 200, 300, 1000};
    uint32_t threads[16];
    const size_t thread_counts = carom_bench_threads(threads);
    for (const char *scene = "udp"; *scene != '\0'; scene++) {
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            register_few(*scene, sizes[s], CAROM_UNTIL_PAIRS);
            register_few(*scene, sizes[s], CAROM_UNTIL_GROUPS);
        }
        for (size_t t = 0; t < thread_counts; t++) {
            register_worlds(*scene, 100000, 10, threads[t]);
            register_worlds(*scene, 4096, 100, threads[t]);
        }
    }
}
