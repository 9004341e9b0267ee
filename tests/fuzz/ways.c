/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/fuzz/ways.h"

#include <inttypes.h>
#include <math.h>

#include "tests/support/any_coherent.h"
#include "tests/support/basket.h"
#include "tests/support/note.h"
#include "tests/support/periodic_truth.h"

enum { STEPS_MOST = 5 };

any_result fuzz_detect_on(const fuzz_contexts *contexts, const fuzz_scene *scene, const carom_detect_config *config) {
    any_bodies bodies = any_bodies_make(scene->precision, &scene->bodies);
    any_result first = any_detect_bodies(contexts->reference, &bodies, config, NULL);
    any_result other = any_detect_bodies(contexts->tried, &bodies, config, NULL);
    note_check(any_result_same(&first, &other), "%s with %u workers has another result",
               carom_context_isa(contexts->tried), carom_context_threads(contexts->tried));
    any_result_release(&other);
    any_bodies_release(&bodies);
    return first;
}

/* Every result, in order, of the pairs that pass the scene's filter. */
static carom_detect_config full_config(const fuzz_scene *scene) {
    carom_detect_config config = any_config_full();
    config.method = scene->config.method;
    config.filter = scene->config.filter;
    return config;
}

static void check_sink(carom_context *context, const fuzz_scene *scene, const carom_periodic *box) {
    carom_detect_config config = scene->config;
    config.count_only = false;
    config.sort_pairs = false;
    config.neighbours = CAROM_NEIGHBOURS_NONE;
    config.periodic = box;
    any_bodies bodies = any_bodies_make(scene->precision, &scene->bodies);
    any_result stored = any_detect_bodies(context, &bodies, &config, NULL);
    if (stored.status == CAROM_OK && config.until >= CAROM_UNTIL_PAIRS) {
        basket_check_call(context, &bodies, &config, &stored);
    }
    any_result_release(&stored);
    any_bodies_release(&bodies);
}

/* Refused with reason: as large as its distance from its own image, or many boxes away. */
static bool may_refuse(const fuzz_scene *scene, const carom_periodic *box, uint64_t n) {
    static const double away = 1e8;
    const double shortest = periodic_shortest(box);
    bool far = false;
    for (int f = 0; f < FUZZ_FIELDS - 1; f++) {
        far = far || fabs(scene->field[f][n]) > away * shortest;
    }
    return far || 2 * scene->bodies.radius[n] >= shortest;
}

static bool same_row(const periodic_row *row, const any_result *r, uint64_t n) {
    return row->i == r->i[n] && row->k == r->k[n] && row->shift[0] == r->shift[0][n] &&
           row->shift[1] == r->shift[1][n] && row->shift[2] == r->shift[2][n];
}

/* Both are in order. */
static void check_rows(const fuzz_scene *scene, const periodic_truth *known, const any_result *r) {
    uint64_t at = 0;
    for (uint64_t n = 0; n < known->count; n++) {
        const periodic_row *row = &known->row[n];
        if (!row->touches || !brute_force_passes(scene->config.filter, row->i, row->k)) {
            continue;
        }
        note_check(at < r->pair_count && same_row(row, r, at), "(%u, %u) with (%d, %d, %d) is missing", row->i, row->k,
                   row->shift[0], row->shift[1], row->shift[2]);
        at++;
    }
    note_check(at == r->pair_count, "%" PRIu64 " rows in the box, not %" PRIu64, r->pair_count, at);
}

static void check_periodic(const fuzz_contexts *contexts, const fuzz_scene *scene, const carom_periodic *box) {
    static const int32_t wrap[FUZZ_BODIES_MOST][3];
    carom_detect_config config = full_config(scene);
    config.periodic = box;
    any_result r = fuzz_detect_on(contexts, scene, &config);
    if (r.status != CAROM_OK) {
        note_check(r.status == CAROM_ERROR_BODY && may_refuse(scene, box, r.error.body), "%s", r.error.message);
    } else if (fuzz_scene_on_grid(scene)) {
        periodic_truth known = periodic_truth_of(&scene->bodies, wrap, box);
        check_rows(scene, &known, &r);
        periodic_truth_release(&known);
    }
    any_result_release(&r);
}

/* One step against cold detection; returns how many pairs touch. */
static uint64_t check_step(any_coherent *coherent, carom_context *cold, const fuzz_scene *scene, uint64_t before) {
    const carom_detect_config config = full_config(scene);
    carom_coherent_report report = {0};
    any_bodies bodies = any_bodies_make(scene->precision, &scene->bodies);
    any_result wanted = any_detect_bodies(cold, &bodies, &config, NULL);
    any_result got = any_coherent_step(coherent, &bodies, &config, &report);
    const uint64_t touching = wanted.summary.touching_pairs;
    note_check(any_result_same(&wanted, &got), "%" PRIu64 " pairs, cold %" PRIu64 ", or other results", got.pair_count,
               touching);
    note_check(report.begun + report.persisted == touching && report.ended + report.persisted == before,
               "%" PRIu64 " pairs begun, %" PRIu64 " persisted, %" PRIu64 " ended", report.begun, report.persisted,
               report.ended);
    any_result_release(&wanted);
    any_result_release(&got);
    any_bodies_release(&bodies);
    return touching;
}

/* As many moves as the input has bytes for. */
static void check_steps(const fuzz_contexts *contexts, fuzz_scene *scene) {
    any_coherent coherent = any_coherent_start(contexts->tried, scene->precision);
    uint64_t touching = check_step(&coherent, contexts->reference, scene, 0);
    for (int step = 1; step < STEPS_MOST && fuzz_scene_move_on(scene); step++) {
        touching = check_step(&coherent, contexts->reference, scene, touching);
    }
    any_coherent_stop(&coherent);
}

void fuzz_check_way(const fuzz_contexts *contexts, fuzz_scene *scene) {
    const carom_periodic box = fuzz_scene_box(scene);
    const bool fits = fuzz_scene_fits_box(scene);
    switch (scene->way) {
    case FUZZ_WAY_STEPS:
        check_steps(contexts, scene);
        break;
    case FUZZ_WAY_PERIODIC:
        if (fits) {
            check_periodic(contexts, scene, &box);
        }
        break;
    case FUZZ_WAY_SINK:
    case FUZZ_WAY_PERIODIC_SINK:
        check_sink(contexts->tried, scene, fits && scene->way == FUZZ_WAY_PERIODIC_SINK ? &box : NULL);
        break;
    default:
        break;
    }
}
