/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The batch calls for pairs of shapes (bench/shape_pairs.h), on one thread: shapes/<kind>/<question>/<precision>, and
 * for floats with each instruction set: shapes_isa/<kind>/<question>/<isa>. Items are pairs, `hits` is the share of them
 * that is not proved apart, and `looks` how often a time of impact looked at its pair. */
#include <stdio.h>

#include "bench/shape_pairs.h"
#include "bench/shim.h"
#include "bench/suite.h"

enum { PAIRS = 100000, SHAPES = 64 };

typedef enum question { STATE, CLEARANCE, DISTANCE, MANIFOLD, TOI, QUESTIONS } question;

static const char *const QUESTION_NAMES[QUESTIONS] = {"state", "clearance", "distance", "manifold", "toi"};
static const carom_gap_detail DETAILS[QUESTIONS] = {CAROM_GAP_STATE, CAROM_GAP_CLEARANCE, CAROM_GAP_DISTANCE,
                                                    CAROM_GAP_CONTACT, CAROM_GAP_DISTANCE};

typedef struct run {
    const carom_pair_kind *kind;
    question what;
    bool wide;
    const char *isa; /* NULL: the best */
} run;

/* What a call reads and writes. */
typedef struct work {
    carom_context *context;
    carom_shapes *shapes;
    const carom_shape_pairs *pairs;
    carom_distance_config config;
    void *rows; /* gaps or impacts */
    void *manifolds;
} work;

/* The pairs last asked for, made again only when others are wanted. */
static const carom_shape_pairs *shared_pairs(const carom_pair_kind *kind, bool moving) {
    static carom_shape_pairs pairs;
    if (pairs.kind.name != kind->name || pairs.config.moving != moving) {
        const carom_shape_pairs_config config = {.count = PAIRS, .shapes = SHAPES, .seed = 1, .moving = moving};
        carom_shape_pairs_release(&pairs);
        carom_shape_pairs_make(kind, &config, &pairs);
    }
    return &pairs;
}

/* Memory for rows of any kind, as large as the largest, kept from run to run. */
static void lend_rows(work *w) {
    static void *rows;
    static void *manifolds;
    if (rows == NULL) {
        rows = carom_bench_allocate(PAIRS * (sizeof(carom_gap_f64) + sizeof(carom_toi_f64)));
        manifolds = carom_bench_allocate(PAIRS * sizeof(carom_manifold_f64));
    }
    w->rows = rows;
    w->manifolds = manifolds;
}

static carom_status ask_f32(const work *w, question what) {
    const carom_bodies_f32 bodies = carom_shape_pairs_bodies_f32(w->pairs, w->shapes);
    if (what == TOI) {
        return carom_toi_pairs_f32(w->context, &bodies, w->pairs->i, w->pairs->k, PAIRS, NULL, w->rows, NULL);
    }
    return carom_distance_pairs_f32(w->context, &bodies, w->pairs->i, w->pairs->k, PAIRS, &w->config, w->rows,
                                    w->manifolds, NULL);
}

static carom_status ask_f64(const work *w, question what) {
    const carom_bodies_f64 bodies = carom_shape_pairs_bodies_f64(w->pairs, w->shapes);
    if (what == TOI) {
        return carom_toi_pairs_f64(w->context, &bodies, w->pairs->i, w->pairs->k, PAIRS, NULL, w->rows, NULL);
    }
    return carom_distance_pairs_f64(w->context, &bodies, w->pairs->i, w->pairs->k, PAIRS, &w->config, w->rows,
                                    w->manifolds, NULL);
}

static carom_status ask(const work *w, const run *r) {
    return r->wide ? ask_f64(w, r->what) : ask_f32(w, r->what);
}

/* Of the last call. */
static double hits(const work *w, const run *r) {
    const carom_gap_f32 *gap = w->rows;
    const carom_gap_f64 *wide_gap = w->rows;
    const carom_toi_f32 *impact = w->rows;
    const carom_toi_f64 *wide_impact = w->rows;
    uint64_t count = 0;
    for (uint64_t n = 0; n < PAIRS; n++) {
        if (r->what == TOI) {
            count += (r->wide ? wide_impact[n].state : impact[n].state) != CAROM_TOI_NONE;
        } else {
            count += (r->wide ? wide_gap[n].state : gap[n].state) != CAROM_GAP_SEPARATED;
        }
    }
    return (double)count / PAIRS;
}

/* Looks a pair that the times of impact of the last call took. */
static double looks(const work *w, const run *r) {
    const carom_toi_f32 *impact = w->rows;
    const carom_toi_f64 *wide_impact = w->rows;
    uint64_t count = 0;
    for (uint64_t n = 0; n < PAIRS; n++) {
        count += r->wide ? wide_impact[n].iterations : impact[n].iterations;
    }
    return (double)count / PAIRS;
}

static void measure(carom_bench_state *state, const work *w, const run *r) {
    carom_status status = ask(w, r);
    while (carom_bench_next(state) && status == CAROM_OK) {
        status = ask(w, r);
        carom_bench_keep(w->rows);
    }
    if (status != CAROM_OK) {
        carom_bench_fail(state, carom_status_name(status));
    } else {
        carom_bench_counter(state, "hits", hits(w, r));
        if (r->what == TOI) {
            carom_bench_counter(state, "looks", looks(w, r));
        }
        carom_bench_items(state, PAIRS);
    }
}

static void bench_shapes(carom_bench_state *state, void *data) {
    const run *r = data;
    carom_context_config config = carom_context_config_default();
    carom_error error;
    work w = {.pairs = shared_pairs(r->kind, r->what == TOI), .config = carom_distance_config_default()};
    config.threads = 1;
    config.isa = r->isa;
    w.config.detail = DETAILS[r->what];
    lend_rows(&w);
    if (carom_context_create(&config, &w.context, &error) != CAROM_OK) {
        carom_bench_fail(state, error.message);
        return;
    }
    if (carom_shapes_create(w.pairs->shape, w.pairs->shape_count, NULL, &w.shapes, &error) != CAROM_OK) {
        carom_bench_fail(state, error.message);
    } else {
        measure(state, &w, r);
        carom_shapes_destroy(w.shapes);
    }
    carom_context_destroy(w.context);
}

static void add(run r) {
    char name[96];
    run *kept = carom_bench_allocate(sizeof *kept);
    *kept = r;
    snprintf(name, sizeof name, "%s/%s/%s/%s", r.isa != NULL ? "shapes_isa" : "shapes", r.kind->name,
             QUESTION_NAMES[r.what],
             r.isa != NULL ? r.isa
             : r.wide      ? "f64"
                           : "f32");
    carom_bench_register(name, bench_shapes, kept);
}

void carom_bench_register_shapes(void) {
    const char *isas[8];
    const carom_pair_kind *kinds;
    const size_t isa_count = carom_isa_available(isas, 8);
    const size_t kind_count = carom_pair_kinds(&kinds);
    for (size_t n = 0; n < kind_count; n++) {
        for (int what = 0; what < QUESTIONS; what++) {
            run r = {.kind = &kinds[n], .what = (question)what};
            add(r);
            for (size_t isa = 0; isa < isa_count && isa < 8; isa++) {
                add((run){.kind = &kinds[n], .what = (question)what, .isa = isas[isa]});
            }
            r.wide = true;
            add(r);
        }
    }
}
