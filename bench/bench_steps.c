/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What comes on top of a plain detect call, end to end, on the uniform and the dense scene: filters by values and by
 * rows of exclusions (detect-filter), lists of neighbours (detect-neighbours), blocks to a sink (detect-sink); and
 * coherent steps of a scene in motion (coherent), rebuilds among them, alone and with a filter (coherent-filter). Steps
 * are ns a body like calls; making the next step's bodies is not counted. */
#include <inttypes.h>
#include <stdio.h>

#include "bench/shim.h"
#include "bench/suite.h"

enum { BODIES = 100000, BONDS = 4 };

/* Displacements of coherent steps, in those of the scene: small against radii. */
static const double DISPLACEMENT = 0.05;

typedef enum kind { FILTER, NEIGHBOURS, SINK, COHERENT, COHERENT_FILTER, KINDS } kind;

static const char *const KIND_NAMES[KINDS] = {"detect-filter", "detect-neighbours", "detect-sink", "coherent",
                                              "coherent-filter"};

typedef struct run {
    kind what;
    char scene;
    uint32_t threads;
} run;

/* Two in three categories meet, one body in four is fixed, and each excludes the next four, as along a chain. */
static carom_filter make_filter(void) {
    static uint32_t category[BODIES];
    static uint32_t mask[BODIES];
    static uint8_t fixed[BODIES];
    static uint64_t offset[BODIES + 1];
    static uint32_t excluded[BONDS * BODIES];
    for (uint32_t n = 0; n < BODIES; n++) {
        category[n] = 1U << n % 3;
        mask[n] = 7U & ~(1U << (n + 1) % 3);
        fixed[n] = n % 4 == 0;
        offset[n + 1] = BONDS * (uint64_t)(n + 1);
        for (uint32_t b = 0; b < BONDS; b++) {
            excluded[BONDS * n + b] = (n + b + 1) % BODIES;
        }
    }
    carom_filter filter = carom_filter_default();
    filter.category = category;
    filter.mask = mask;
    filter.fixed = fixed;
    filter.exclusion_offset = offset;
    filter.excluded = excluded;
    return filter;
}

static bool take(void *user, const carom_block_f32 *block) {
    (void)user;
    carom_bench_keep(block->contacts.i);
    return true;
}

static void report(carom_bench_state *state, const carom_detect_summary *summary, carom_status status) {
    if (status != CAROM_OK) {
        carom_bench_fail(state, carom_status_name(status));
        return;
    }
    carom_bench_counter(state, "box_pairs", (double)summary->box_pairs);
    carom_bench_counter(state, "touching_pairs", (double)summary->touching_pairs);
    carom_bench_items(state, BODIES);
}

static void measure_calls(carom_bench_state *state, carom_context *context, const run *r) {
    const carom_filter filter = make_filter();
    const carom_detect_output_f32 output = {.sink = r->what == SINK ? take : NULL};
    const carom_bodies_f32 bodies = carom_scene_bodies(carom_bench_scene(r->scene, BODIES));
    carom_detect_config config = carom_detect_config_default();
    carom_detection_f32 found = {0};
    config.filter = r->what == FILTER ? &filter : NULL;
    config.neighbours = r->what == NEIGHBOURS ? CAROM_NEIGHBOURS_FULL : CAROM_NEIGHBOURS_NONE;
    carom_status status = carom_detect_f32(context, &bodies, &config, &output, &found, NULL);
    while (carom_bench_next(state) && status == CAROM_OK) {
        status = carom_detect_f32(context, &bodies, &config, &output, &found, NULL);
    }
    report(state, &found.summary, status);
}

/* A scene of its own: the shared one stays as it is. */
typedef struct film {
    carom_scene_f32 scene;
    carom_scene_motion motion;
} film;

static carom_status film_start(char letter, film *f) {
    *f = (film){.scene = {.count = 0}};
    carom_status status = carom_scene_make(letter, BODIES, 1, &f->scene);
    return status == CAROM_OK ? carom_scene_motion_start(letter, DISPLACEMENT, &f->scene, &f->motion) : status;
}

static void film_stop(film *f) {
    carom_scene_motion_end(&f->motion);
    carom_scene_release(&f->scene);
}

typedef struct steps {
    carom_coherent_f32 *coherent;
    carom_detect_config config;
    carom_detection_f32 found;
    carom_coherent_report told;
    film f;
} steps;

static carom_status next_step(steps *s) {
    const carom_bodies_f32 bodies = carom_scene_bodies(&s->f.scene);
    return carom_coherent_detect_f32(s->coherent, &bodies, &s->config, NULL, &s->found, &s->told, NULL);
}

/* The first step, which builds the first list, is not counted. */
static void measure_steps(carom_bench_state *state, carom_context *context, const run *r) {
    const carom_filter filter = make_filter();
    steps s = {.config = carom_detect_config_default()};
    uint64_t counted = 0;
    s.config.filter = r->what == COHERENT_FILTER ? &filter : NULL;
    carom_status status = film_start(r->scene, &s.f);
    if (status == CAROM_OK) {
        status = carom_coherent_create_f32(context, NULL, &s.coherent, NULL);
    }
    if (status == CAROM_OK) {
        status = next_step(&s);
    }
    while (carom_bench_next(state) && status == CAROM_OK) {
        carom_bench_pause(state);
        carom_scene_motion_step(&s.f.motion, &s.f.scene);
        carom_bench_resume(state);
        status = next_step(&s);
        counted++;
    }
    report(state, &s.found.summary, status);
    carom_bench_counter(state, "rebuilds", (double)(s.told.rebuilds - 1) / (double)(counted > 0 ? counted : 1));
    carom_coherent_destroy_f32(s.coherent);
    film_stop(&s.f);
}

static void bench_step(carom_bench_state *state, void *data) {
    const run *r = data;
    carom_context_config config = carom_context_config_default();
    carom_context *context;
    carom_error error;
    config.threads = r->threads;
    if (carom_context_create(&config, &context, &error) != CAROM_OK) {
        carom_bench_fail(state, error.message);
        return;
    }
    if (r->what >= COHERENT) {
        measure_steps(state, context, r);
    } else {
        measure_calls(state, context, r);
    }
    carom_context_destroy(context);
}

void carom_bench_register_steps(void) {
    uint32_t threads[16];
    size_t thread_counts = carom_bench_threads(threads);
    for (int what = 0; what < KINDS; what++) {
        for (const char *scene = "ud"; *scene != '\0'; scene++) {
            for (size_t t = 0; t < thread_counts; t++) {
                char name[96];
                run *r = carom_bench_allocate(sizeof *r);
                *r = (run){(kind)what, *scene, threads[t]};
                snprintf(name, sizeof name, "%s/%c/%d/threads:%u", KIND_NAMES[what], *scene, BODIES, threads[t]);
                carom_bench_register(name, bench_step, r);
            }
        }
    }
}
