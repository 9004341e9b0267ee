/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Contacts of approaching pairs alone: random scenes of every kind, both precisions, every instruction set, against
 * brute force with the sign of p.v; and periodic boxes, whose images approach by their own p. Guards that a pair that
 * separates is in no count, row, group or hash, and that one that approaches is in all of them. */
#include <inttypes.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/check_detection.h"
#include "tests/support/isa_contexts.h"
#include "tests/support/note.h"
#include "tests/support/periodic_case.h"

enum { CASES = 1500, PERIODIC_CASES = 600, BODIES_MOST = 150, CROWDED_MOST = 50, BOXED_MOST = 60 };

/* Pairs of all cases, so that none of the tests is empty. */
static uint64_t all_touching;
static uint64_t all_approaching;

static int make_contexts(void **state) {
    static const uint32_t threads[] = {1, 3};
    (void)state;
    return isa_contexts_make(threads, sizeof threads / sizeof threads[0]);
}

static bool is_crowded(random_scene_kind kind) {
    return kind == RANDOM_FAST || kind == RANDOM_POINT || kind == RANDOM_COPIES || kind == RANDOM_GRAZING;
}

/* Counts alone, and rows without order, tell the same. */
static void check_other_ways(carom_context *context, any_precision precision, const truth *known,
                             const any_result *full) {
    carom_detect_config config = carom_detect_config_default();
    config.approaching = true;
    config.hash = true;
    config.until = CAROM_UNTIL_APPROACH;
    any_result unsorted = any_detect(context, precision, known->bodies, &config);
    note_check(unsorted.status == CAROM_OK && unsorted.summary.result_hash != 0, "no hash: %s", unsorted.error.message);
    note_check(unsorted.pair_count == known->touching.count &&
                   unsorted.summary.touching_hash == full->summary.touching_hash,
               "other pairs without order");
    any_result_release(&unsorted);
    config.until = CAROM_UNTIL_GROUPS;
    config.count_only = true;
    any_result counted = any_detect(context, precision, known->bodies, &config);
    note_check(counted.pair_count == 0 && counted.summary.touching_pairs == known->touching.count &&
                   counted.summary.touching_hash == full->summary.touching_hash &&
                   counted.summary.groups == known->groups.count,
               "counted otherwise");
    any_result_release(&counted);
}

static void run_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const random_scene_kind kind = (random_scene_kind)(number % RANDOM_KINDS);
    const bool for_f32 = number / RANDOM_KINDS % 2 == 0;
    const uint64_t most = is_crowded(kind) ? CROWDED_MOST : BODIES_MOST;
    random_scene scene = random_scene_make(kind, 1 + carom_random_next(&random) % most, for_f32, &random);
    truth all = truth_of(&scene.bodies);
    truth known = truth_approaching(&all);
    carom_context *context = isa_contexts[carom_random_next(&random) % isa_context_count];
    all_touching += all.touching.count;
    all_approaching += known.touching.count;
    for (any_precision p = for_f32 ? ANY_F32 : ANY_F64; p < ANY_PRECISIONS; p++) {
        note_case(number, "%s, %" PRIu64 " bodies, %s, %s, %u threads", random_scene_name(kind), scene.bodies.count,
                  any_precision_name(p), carom_context_isa(context), carom_context_threads(context));
        carom_detect_config config = any_config_full();
        config.approaching = true;
        any_result full = any_detect(context, p, &scene.bodies, &config);
        check_full_result(&known, p, &full);
        check_other_ways(context, p, &known, &full);
        any_result_release(&full);
    }
    truth_release(&known);
    truth_release(&all);
    random_scene_release(&scene);
}

static void test_random_scenes(void **state) {
    (void)state;
    all_touching = 0;
    all_approaching = 0;
    note_each_case(CASES, run_case);
    note_check(note_only_case() != UINT64_MAX ||
                   (all_approaching > all_touching / 10 && all_approaching < all_touching - all_touching / 10),
               "%" PRIu64 " of %" PRIu64 " pairs approach: the test is empty", all_approaching, all_touching);
}

/* Exact: all numbers lie on a grid of few bits. */
static bool row_approaches(const carom_bodies_f64 *bodies, const carom_periodic *box, const any_result *r, uint64_t n) {
    const uint32_t i = r->i[n];
    const uint32_t k = r->k[n];
    double b = 0;
    for (int j = 0; j < 3; j++) {
        double p = bodies->prev[j][i] - bodies->prev[j][k];
        const double v = (bodies->curr[j][i] - bodies->prev[j][i]) - (bodies->curr[j][k] - bodies->prev[j][k]);
        for (int a = 0; a < 3; a++) {
            p -= r->shift[a][n] != 0 ? r->shift[a][n] * box->edge[a][j] : 0;
        }
        b += p * v;
    }
    return b < 0;
}

/* The rows of `some` are those of `all` that approach, bit by bit. */
static void check_boxed_rows(const carom_bodies_f64 *bodies, const carom_periodic *box, const any_result *all,
                             const any_result *some) {
    uint64_t at = 0;
    for (uint64_t n = 0; n < all->pair_count; n++) {
        if (!row_approaches(bodies, box, all, n)) {
            continue;
        }
        note_check(at < some->pair_count && some->i[at] == all->i[n] && some->k[at] == all->k[n],
                   "row (%u, %u) is missing", all->i[n], all->k[n]);
        for (int a = 0; a < 3; a++) {
            note_check(some->shift[a][at] == all->shift[a][n], "another image of (%u, %u)", all->i[n], all->k[n]);
        }
        for (int f = 0; f < ANY_FIELDS; f++) {
            note_check(some->field[f][at] == all->field[f][n], "another contact of (%u, %u)", all->i[n], all->k[n]);
        }
        at++;
    }
    note_check(at == some->pair_count && at == some->summary.touching_pairs, "rows of pairs that do not approach");
    all_touching += all->pair_count;
    all_approaching += at;
}

static void run_boxed_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    periodic_case r = {.box = carom_periodic_default(), .motion = 2, .away = (int32_t)(number % 3)};
    periodic_case_edges(&random, (uint32_t)(number % PERIODIC_TILTS), 8, r.box.edge);
    const uint32_t along = 1 + periodic_case_below(&random, 7);
    for (int a = 0; a < 3; a++) {
        r.box.along[a] = (along >> a & 1) != 0;
    }
    r.box.self_images = number % 5 == 0;
    r.radius = periodic_shortest(&r.box) / 2.0625;
    r.count = 1 + periodic_case_below(&random, BOXED_MOST);
    random_scene scene = random_scene_blank(r.count);
    int32_t wrap[BOXED_MOST + 1][3];
    periodic_case_place(&random, &r, &scene, wrap);
    carom_context *context = isa_contexts[carom_random_next(&random) % isa_context_count];
    for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
        note_case(number, "boxed, %" PRIu64 " bodies, %s, %s", r.count, any_precision_name(p),
                  carom_context_isa(context));
        carom_detect_config config = any_config_full();
        config.periodic = &r.box;
        any_result all = any_detect(context, p, &scene.bodies, &config);
        config.approaching = true;
        any_result some = any_detect(context, p, &scene.bodies, &config);
        note_check(all.status == CAROM_OK && some.status == CAROM_OK, "%s%s", all.error.message, some.error.message);
        check_boxed_rows(&scene.bodies, &r.box, &all, &some);
        any_result_release(&all);
        any_result_release(&some);
    }
    random_scene_release(&scene);
}

static void test_boxes(void **state) {
    (void)state;
    all_touching = 0;
    all_approaching = 0;
    note_each_case(PERIODIC_CASES, run_boxed_case);
    note_check(note_only_case() != UINT64_MAX ||
                   (all_approaching > all_touching / 10 && all_approaching < all_touching - all_touching / 10),
               "%" PRIu64 " of %" PRIu64 " pairs approach: the test is empty", all_approaching, all_touching);
}

/* What keeps all pairs cannot leave some out. */
static void test_all_pairs_are_refused(void **state) {
    (void)state;
    random_scene scene = random_scene_blank(2);
    carom_detect_config config = any_config_full();
    config.approaching = true;
    config.all_pairs = true;
    any_result r = any_detect(isa_contexts[0], ANY_F64, &scene.bodies, &config);
    assert_int_equal(r.status, CAROM_ERROR_ARGUMENT);
    assert_non_null(strstr(r.error.message, "config.approaching"));
    any_result_release(&r);
    random_scene_release(&scene);
}

int main(void) {
    note_start("tests/prop/test_approaching");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_scenes), cmocka_unit_test(test_boxes),
                                       cmocka_unit_test(test_all_pairs_are_refused)};
    return cmocka_run_group_tests_name("approaching", tests, make_contexts, isa_contexts_destroy);
}
