/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bytes as a scene of up to 64 bodies (scene.h): coordinates a few ulps apart, on lattices, of any bits at all. Guards
 * that detection finds the very pairs that touch by exact arithmetic, with times that are never late, groups and counts
 * to match; that this does not depend on the instruction set, the number of workers, the method or what else is asked
 * for; that it is the same step after step, in blocks for a sink and in a periodic box (ways.h); and that GMP and the
 * library's own integers agree, and brute force wherever that can tell.
 *
 * The fuzzer holds the scalar instruction set with one worker against one other context, which the input names, and
 * asks long doubles first, so that it gets through as many scenes as it can; a replay of stored inputs tries all
 * contexts, and all pairs exactly. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "simd/exact/exact.h"
#include "tests/fuzz/contexts.h"
#include "tests/fuzz/scene.h"
#include "tests/fuzz/target.h"
#include "tests/fuzz/ways.h"
#include "tests/oracle/exact.h"
#include "tests/oracle/sure.h"
#include "tests/support/brute_force.h"
#include "tests/support/check_detection.h"
#include "tests/support/note.h"

/* Of pairs that long doubles are sure of, one in this many is looked at exactly all the same. */
enum { EXACT_SHARE = 16 };

static exact judge;

static void end_judge(void) {
    exact_end(&judge);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    fuzz_contexts_start();
    exact_start(&judge);
    atexit(end_judge);
    return 0;
}

static exact_pair pair_of(const fuzz_scene *scene, uint32_t i, uint32_t k) {
    exact_pair pair;
    for (int side = 0; side < 2; side++) {
        const uint32_t n = side == 0 ? i : k;
        for (int a = 0; a < 3; a++) {
            pair.prev[side][a] = scene->bodies.prev[a][n];
            pair.curr[side][a] = scene->bodies.curr[a][n];
        }
        pair.radius[side] = scene->bodies.radius[n];
    }
    return pair;
}

/* In the order of the library's own records. */
static void body_of(const exact_pair *pair, int side, double body[7]) {
    for (int a = 0; a < 3; a++) {
        body[a] = pair->prev[side][a];
        body[a + 4] = pair->curr[side][a];
    }
    body[3] = pair->radius[side];
}

/* Brute force has to agree where its numbers are exact, and where the least distance is this share of all lengths away
 * from the sum of the radii. */
static void check_brute_force(const fuzz_scene *scene, uint32_t i, uint32_t k, bool touch) {
    const brute_contact c = brute_force_contact(&scene->bodies, i, k);
    const long double margin = 1e-11L * (c.length_p + c.length_v + c.sum_radius);
    note_check(touch == c.touches || !(fuzz_scene_tame(scene, i, k) || fabsl(c.distance - c.sum_radius) > margin),
               "(%u, %u): exact arithmetic says %d, brute force %d", i, k, touch, c.touches);
}

/* By GMP, with which the library's integers agree. */
static bool exactly_touch(const exact_pair *pair, uint32_t i, uint32_t k) {
    const bool touch = exact_decide(&judge, pair).touches;
    double body[2][7];
    body_of(pair, 0, body[0]);
    body_of(pair, 1, body[1]);
    note_check(carom_exact_touches(body[0], body[1]) == touch, "(%u, %u): carom_exact_touches does not say %d", i, k,
               touch);
    return touch;
}

/* Long doubles are asked first. Where they are not sure neither is brute force, unless its numbers are exact. */
static bool pair_touches(const fuzz_scene *scene, uint32_t i, uint32_t k) {
    const exact_pair pair = pair_of(scene, i, k);
    const sure known = sure_of(&pair);
    const sure_verdict verdict = sure_decide(&known);
    if (!fuzz_thorough && verdict != SURE_OF_NOTHING && (i + k + scene->pick) % EXACT_SHARE != 0) {
        return verdict == SURE_TOUCHING;
    }
    const bool touch = exactly_touch(&pair, i, k);
    note_check(verdict == SURE_OF_NOTHING || (verdict == SURE_TOUCHING) == touch,
               "(%u, %u): long doubles are sure, and wrong", i, k);
    if (verdict != SURE_OF_NOTHING || fuzz_scene_tame(scene, i, k)) {
        check_brute_force(scene, i, k, touch);
    }
    return touch;
}

/* Which pairs touch, by exact arithmetic, of all there are. */
static truth exact_truth(const fuzz_scene *scene) {
    truth known = {.bodies = &scene->bodies, .filter = scene->config.filter};
    brute_pairs boxes = brute_force_box_pairs(&scene->bodies);
    known.boxes = brute_force_filtered(known.filter, &boxes);
    const uint32_t count = (uint32_t)scene->bodies.count;
    brute_pairs all = {.capacity = (uint64_t)count * count + 1};
    all.i = calloc(all.capacity, sizeof *all.i);
    all.k = calloc(all.capacity, sizeof *all.k);
    if (all.i == NULL || all.k == NULL) {
        abort();
    }
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = i + 1; k < count; k++) {
            all.i[all.count] = i;
            all.k[all.count] = k;
            all.count += pair_touches(scene, i, k);
        }
    }
    known.touching = brute_force_filtered(known.filter, &all);
    known.groups = brute_force_groups(count, &known.touching);
    brute_force_release_pairs(&all);
    brute_force_release_pairs(&boxes);
    return known;
}

/* Never NaN, never late. */
static void check_time(const fuzz_scene *scene, const any_result *r, uint64_t n) {
    const exact_pair pair = pair_of(scene, r->i[n], r->k[n]);
    const double t = r->field[ANY_T_TOI][n];
    const double t_ca = r->field[ANY_T_CA][n];
    note_check(t >= 0 && t <= 1 && t_ca >= 0 && t_ca <= 1, "(%u, %u): t_toi is %g, t_ca %g", r->i[n], r->k[n], t, t_ca);
    const sure known = sure_of(&pair);
    if (!fuzz_thorough && ((sure_at_start(&known) && t == 0) || sure_not_late(&known, t))) {
        return;
    }
    exact_decide(&judge, &pair);
    const exact_time time = exact_time_of(&judge, t);
    note_check(!time.late, "(%u, %u): t_toi is %.17g, exactly %.17g", r->i[n], r->k[n], t, time.exact);
}

static void check_groups(const truth *known, const any_result *r) {
    note_check(r->summary.groups == known->groups.count && r->summary.largest_group == known->groups.largest,
               "%" PRIu64 " groups of at most %" PRIu64 ", not %" PRIu64 " of %" PRIu64, r->summary.groups,
               r->summary.largest_group, known->groups.count, known->groups.largest);
    for (uint64_t n = 0; n < r->bodies; n++) {
        note_check(r->label[n] == known->groups.label[n], "body %" PRIu64 " has label %u, not %u", n, r->label[n],
                   known->groups.label[n]);
    }
}

/* Everything asked for, touching pairs in order. */
static void check_full(const fuzz_scene *scene, const truth *known, const any_result *r) {
    note_check(r->status == CAROM_OK, "status %s: %s", carom_status_name(r->status), r->error.message);
    note_check(r->pair_count == known->touching.count && r->summary.touching_pairs == r->pair_count,
               "%" PRIu64 " pairs, not %" PRIu64, r->pair_count, known->touching.count);
    note_check(r->summary.box_pairs >= known->boxes.count, "%" PRIu64 " box pairs, not %" PRIu64, r->summary.box_pairs,
               known->boxes.count);
    note_check(r->summary.touching_hash == brute_force_hash(&known->touching), "touching_hash is wrong");
    for (uint64_t n = 0; n < r->pair_count; n++) {
        note_check(r->i[n] == known->touching.i[n] && r->k[n] == known->touching.k[n], "(%u, %u) instead of (%u, %u)",
                   r->i[n], r->k[n], known->touching.i[n], known->touching.k[n]);
        check_time(scene, r, n);
        if (fuzz_scene_tame(scene, r->i[n], r->k[n])) {
            check_contact(known, scene->precision, r, n);
        }
    }
    check_groups(known, r);
}

/* The lowest bad body is named, whatever is asked for. */
static void check_refused(const any_result *r, uint64_t bad) {
    note_check(r->status == CAROM_ERROR_BODY && r->error.body == bad, "status %s, body %" PRIu64 ", not %" PRIu64,
               carom_status_name(r->status), r->error.body, bad);
}

/* What was asked for against the full result. */
static void check_asked(const fuzz_contexts *contexts, const fuzz_scene *scene, const any_result *full) {
    const carom_until until = scene->config.until;
    any_result r = fuzz_detect_on(contexts, scene, &scene->config);
    note_check(r.status == CAROM_OK, "status %s: %s", carom_status_name(r.status), r.error.message);
    note_check(until < CAROM_UNTIL_PAIRS || r.summary.box_pairs == full->summary.box_pairs, "other box pairs");
    note_check(until < CAROM_UNTIL_APPROACH || r.summary.touching_pairs == full->summary.touching_pairs,
               "other touching pairs");
    note_check(until < CAROM_UNTIL_GROUPS || r.summary.groups == full->summary.groups, "other groups");
    any_result_release(&r);
}

static void check_good(const fuzz_contexts *contexts, fuzz_scene *scene, const any_result *full) {
    truth known = exact_truth(scene);
    check_full(scene, &known, full);
    truth_release(&known);
    if (scene->way == FUZZ_WAY_ASKED) {
        check_asked(contexts, scene, full);
    } else {
        fuzz_check_way(contexts, scene);
    }
}

static void check_bad(const fuzz_contexts *contexts, const fuzz_scene *scene, const any_result *full, uint64_t bad) {
    any_result asked = fuzz_detect_on(contexts, scene, &scene->config);
    check_refused(full, bad);
    check_refused(&asked, bad);
    any_result_release(&asked);
}

static void try_on(const fuzz_contexts *contexts, fuzz_scene *scene) {
    const uint64_t bad = fuzz_scene_bad_body(scene);
    carom_detect_config config = any_config_full();
    config.method = scene->config.method;
    config.filter = scene->config.filter;
    any_result full = fuzz_detect_on(contexts, scene, &config);
    if (bad < scene->bodies.count) {
        check_bad(contexts, scene, &full, bad);
    } else {
        check_good(contexts, scene, &full);
    }
    any_result_release(&full);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static fuzz_scene scene;
    for (size_t n = 0; n < fuzz_contexts_count(); n++) {
        fuzz_scene_make(data, size, &scene);
        const fuzz_contexts contexts = fuzz_contexts_of(scene.pick, n);
        note_case(size, "%s, %" PRIu64 " bodies, method %d, until %d, %s with %u workers",
                  any_precision_name(scene.precision), scene.bodies.count, (int)scene.config.method,
                  (int)scene.config.until, carom_context_isa(contexts.tried), carom_context_threads(contexts.tried));
        try_on(&contexts, &scene);
    }
    return 0;
}
