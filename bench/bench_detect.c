/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The whole detect call, cold each time but for its buffers: detect/<scene>/<bodies>/threads:<T>, the same in double
 * (detect_f64), with each instruction set (detect_isa), and the broad phase alone (pairs: bounds to pairs, counted).
 * Phases are reported in ns per body. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench/shim.h"
#include "bench/suite.h"

typedef struct run {
    char scene;
    uint64_t bodies;
    uint32_t threads;
    const char *isa;
    bool wide;
    bool pairs;
} run;

static carom_status detect(carom_context *context, const run *r, const carom_detect_config *config,
                           carom_detect_summary *summary) {
    carom_status status;
    if (r->wide) {
        carom_bodies_f64 bodies = carom_bench_bodies_f64(r->scene, r->bodies);
        carom_detection_f64 found = {0};
        status = carom_detect_f64(context, &bodies, config, NULL, &found, NULL);
        *summary = found.summary;
    } else {
        carom_bodies_f32 bodies = carom_scene_bodies(carom_bench_scene(r->scene, r->bodies));
        carom_detection_f32 found = {0};
        status = carom_detect_f32(context, &bodies, config, NULL, &found, NULL);
        *summary = found.summary;
    }
    return status;
}

static void report(carom_bench_state *state, const run *r, const double phase[CAROM_PHASE_COUNT], uint64_t rounds,
                   const carom_detect_summary *summary) {
    for (int p = 0; p < CAROM_PHASE_COUNT; p++) {
        carom_bench_counter(state, carom_phase_name((carom_phase)p),
                            1e9 * phase[p] / (double)rounds / (double)r->bodies);
    }
    carom_bench_counter(state, "box_pairs", (double)summary->box_pairs);
    carom_bench_counter(state, "touching_pairs", (double)summary->touching_pairs);
    carom_bench_items(state, r->bodies);
}

static void measure(carom_bench_state *state, carom_context *context, const run *r) {
    carom_detect_config config = carom_detect_config_default();
    config.until = r->pairs ? CAROM_UNTIL_PAIRS : CAROM_UNTIL_GROUPS;
    config.count_only = r->pairs;
    carom_detect_summary summary;
    double phase[CAROM_PHASE_COUNT] = {0};
    uint64_t rounds = 0;
    carom_status status = detect(context, r, &config, &summary);
    while (carom_bench_next(state) && status == CAROM_OK) {
        status = detect(context, r, &config, &summary);
        for (int p = 0; p < CAROM_PHASE_COUNT; p++) {
            phase[p] += summary.phase_seconds[p];
        }
        rounds++;
    }
    if (status != CAROM_OK) {
        carom_bench_fail(state, carom_status_name(status));
    } else {
        report(state, r, phase, rounds, &summary);
    }
}

static void bench_detect(carom_bench_state *state, void *data) {
    const run *r = data;
    carom_context_config config = carom_context_config_default();
    config.threads = r->threads;
    config.isa = r->isa;
    carom_context *context;
    carom_error error;
    if (carom_context_create(&config, &context, &error) != CAROM_OK) {
        carom_bench_fail(state, error.message);
        return;
    }
    measure(state, context, r);
    carom_context_destroy(context);
}

static void add(run r) {
    char name[96];
    const char *suite = r.pairs ? "pairs" : r.isa != NULL ? "detect_isa" : r.wide ? "detect_f64" : "detect";
    snprintf(name, sizeof name, "%s/%c/%" PRIu64 "/%s%sthreads:%u", suite, r.scene, r.bodies,
             r.isa != NULL ? r.isa : "", r.isa != NULL ? "/" : "", r.threads);
    run *kept = carom_bench_allocate(sizeof *kept);
    *kept = r;
    carom_bench_register(name, bench_detect, kept);
}

static void add_isas(void) {
    const char *isas[8];
    size_t count = carom_isa_available(isas, 8);
    for (size_t n = 0; n < count && n < 8; n++) {
        for (int s = 0; s < CAROM_BENCH_SIZES; s++) {
            add((run){.scene = 'u', .bodies = carom_bench_sizes[s], .threads = 1, .isa = isas[n]});
        }
    }
}

void carom_bench_register_detect(void) {
    uint32_t threads[16];
    size_t thread_counts = carom_bench_threads(threads);
    for (const char *scene = carom_scene_letters(); *scene != '\0'; scene++) {
        for (int s = 0; s < CAROM_BENCH_SIZES; s++) {
            for (size_t t = 0; t < thread_counts; t++) {
                run r = {.scene = *scene, .bodies = carom_bench_sizes[s], .threads = threads[t]};
                add(r);
                r.wide = true;
                add(r);
                r.wide = false;
                r.pairs = true;
                add(r);
            }
        }
    }
    add_isas();
}
