/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Scenes whose answer is known without a computer: the two classic mistakes of swept-sphere detection, lattices,
 * chains, bullets, everything in one place; and the mean number of pairs in a random box. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "tests/support/check.h"
#include "tests/support/check_detection.h"
#include "tests/support/note.h"
#include "tests/support/random_scene.h"

static carom_context *context;
static json_t *cases;

static int start(void **state) {
    (void)state;
    json_error_t error;
    context = any_context(2, NULL);
    cases = json_load_file(CAROM_TEST_DATA "/scenes_and_pair_counts.json", 0, &error);
    return cases != NULL ? 0 : -1;
}

static int finish(void **state) {
    (void)state;
    json_decref(cases);
    carom_context_destroy(context);
    return 0;
}

static void place(random_scene *scene, uint64_t n, const double prev[3], const double motion[3], double radius) {
    for (int a = 0; a < 3; a++) {
        scene->field[a][n] = prev[a];
        scene->field[a + 3][n] = prev[a] + motion[a];
    }
    scene->field[6][n] = radius;
}

/* A body at rest at (x, y, z). */
static void rest(random_scene *scene, uint64_t n, double x, double y, double z, double radius) {
    place(scene, n, (double[3]){x, y, z}, (double[3]){0, 0, 0}, radius);
}

static any_result detect(const random_scene *scene, any_precision precision, bool count_only) {
    carom_detect_config config = any_config_full();
    config.count_only = count_only;
    any_result r = any_detect(context, precision, &scene->bodies, &config);
    note_check(r.status == CAROM_OK, "%s", r.error.message);
    return r;
}

static void expect_counts(const any_result *r, uint64_t pairs, uint64_t groups, uint64_t largest) {
    note_check(r->summary.touching_pairs == pairs, "%" PRIu64 " pairs, not %" PRIu64, r->summary.touching_pairs, pairs);
    note_check(r->summary.groups == groups, "%" PRIu64 " groups, not %" PRIu64, r->summary.groups, groups);
    note_check(r->summary.largest_group == largest, "largest group %" PRIu64 ", not %" PRIu64, r->summary.largest_group,
               largest);
}

/* Detects in both precisions and checks the counts, then against brute force where that is no work. */
static void expect_scene(random_scene *scene, const char *name, uint64_t pairs, uint64_t groups, uint64_t largest) {
    for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
        note_case(0, "%s, %" PRIu64 " bodies, %s", name, scene->bodies.count, any_precision_name(p));
        any_result r = detect(scene, p, false);
        expect_counts(&r, pairs, groups, largest);
        any_result_release(&r);
        r = detect(scene, p, true);
        expect_counts(&r, pairs, groups, largest);
        any_result_release(&r);
        if (scene->bodies.count <= 400) {
            truth known = truth_of(&scene->bodies);
            check_detection(context, p, &known);
            truth_release(&known);
        }
    }
    random_scene_release(scene);
}

static void expect_pair(const double prev[3], const double motion[3], double r0, double r1, uint64_t pairs,
                        const char *name) {
    for (int swapped = 0; swapped < 2; swapped++) {
        random_scene scene = random_scene_blank(2);
        place(&scene, (uint64_t)swapped, prev, motion, r0);
        rest(&scene, (uint64_t)(1 - swapped), 0, 0, 0, r1);
        expect_scene(&scene, name, pairs, pairs, 2 * pairs);
    }
}

/* Classic mistake 1: testing the distance only when 0 <= t* <= 1. With t* before or after the step the bodies can still
 * touch at its start or its end. */
static void test_closest_approach_outside_step(void **state) {
    (void)state;
    expect_pair((double[3]){1.5, 0, 0}, (double[3]){3, 0, 0}, 1, 1, 1, "t* = -1/2, apart from a start in touch");
    expect_pair((double[3]){2, 0, 0}, (double[3]){1, 0, 0}, 1, 1, 1, "t* = -2, apart from the very surface");
    expect_pair((double[3]){4, 0, 0}, (double[3]){-2.5, 0, 0}, 1, 1, 1, "t* = 1.6, in touch at the end");
    expect_pair((double[3]){4, 0, 0}, (double[3]){-2, 0, 0}, 1, 1, 1, "t* = 2, in touch at the very end");
    expect_pair((double[3]){4, 1, 0}, (double[3]){-2.5, 0, 0}, 1, 1, 1, "t* = 1.6, in touch at the end, offset");
    expect_pair((double[3]){4, 0, 0}, (double[3]){-1.75, 0, 0}, 1, 1, 0, "t* > 1, not yet in touch");
    expect_pair((double[3]){2.25, 0, 0}, (double[3]){1, 0, 0}, 1, 1, 0, "t* < 0, no longer in touch");
    expect_pair((double[3]){0, 2, 0}, (double[3]){0, 0, 0}, 1, 1, 1, "no motion, in touch");
    expect_pair((double[3]){0, 2.25, 0}, (double[3]){0, 0, 0}, 1, 1, 0, "no motion, apart");
    expect_pair((double[3]){0, 0, 0}, (double[3]){0, 0, 0}, 0, 0, 1, "two points in one place");
}

/* Classic mistake 2: comparing a box's upper bound with the other's upper bound instead of its lower one. On every
 * combination of axes the one's upper bound is now above, now below the other's while the boxes overlap. */
static void test_upper_bound_compared_with_upper_bound(void **state) {
    (void)state;
    for (int combination = 0; combination < 27; combination++) {
        double at[3] = {combination % 3 - 1, combination / 3 % 3 - 1, combination / 9 - 1};
        expect_pair(at, (double[3]){0, 0, 0}, 1, 1, 1, "equal bodies, shifted");
        expect_pair(at, (double[3]){0.5, -0.25, 0.125}, 0.25, 3, 1, "a small body in a large one");
        double far[3] = {4 * at[0], 4 * at[1], 4 * at[2]};
        expect_pair(far, (double[3]){0, 0, 0}, 1, 1, combination == 13, "equal bodies, apart");
    }
}

static void fill_lattice(random_scene *scene, uint64_t side, double offset, double radius) {
    for (uint64_t n = 0; n < scene->bodies.count; n++) {
        rest(scene, n, offset + (double)(n % side), offset + (double)(n / side % side),
             offset + (double)(n / (side * side)), radius);
    }
}

static void check_lattice(json_t *entry, const char *key, double radius) {
    uint64_t side = (uint64_t)json_integer_value(json_object_get(entry, "n"));
    uint64_t pairs = (uint64_t)json_integer_value(json_object_get(entry, key));
    uint64_t count = side * side * side;
    random_scene scene = random_scene_blank(count);
    fill_lattice(&scene, side, 0, (double)(float)radius);
    expect_scene(&scene, key, pairs, pairs > 0, pairs > 0 ? count : 0);
}

/* Neighbours at distance 1 with radius 1/2 touch exactly: the test is closed. */
static void test_lattice_counts(void **state) {
    (void)state;
    json_t *lattices = json_object_get(json_object_get(cases, "cubic_lattice_exact_counts"), "cases");
    assert_int_equal(json_array_size(lattices), 5);
    for (size_t n = 0; n < json_array_size(lattices); n++) {
        json_t *entry = json_array_get(lattices, n);
        if (json_integer_value(json_object_get(entry, "n")) <= 50 || note_long()) {
            check_lattice(entry, "r_0_5_closed", 0.5);
            check_lattice(entry, "r_0_499_open", 0.499);
            check_lattice(entry, "r_0_72", 0.72);
            check_lattice(entry, "r_0_87", 0.87);
        }
    }
}

/* Moving the lattice by a power of two is exact: the same pairs in the same order of numbers. */
static void test_lattice_translation(void **state) {
    (void)state;
    for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
        random_scene scene = random_scene_blank(1000);
        fill_lattice(&scene, 10, 0, 0.5);
        any_result first = detect(&scene, p, false);
        for (int k = 0; k <= 20; k++) {
            note_case((uint64_t)k, "lattice moved by 2^%d, %s", k, any_precision_name(p));
            fill_lattice(&scene, 10, ldexp(k % 2 == 0 ? 1 : -1, k), 0.5);
            any_result moved = detect(&scene, p, false);
            note_check(moved.pair_count == first.pair_count, "%" PRIu64 " pairs", moved.pair_count);
            assert_memory_equal(moved.i, first.i, first.pair_count * sizeof *first.i);
            assert_memory_equal(moved.k, first.k, first.pair_count * sizeof *first.k);
            assert_memory_equal(moved.label, first.label, 1000 * sizeof *first.label);
            any_result_release(&moved);
        }
        any_result_release(&first);
        random_scene_release(&scene);
    }
}

/* N^2 pairs, all keys equal: 4,498,500 contacts are stored, and none is lost. */
static void test_identical_bodies(void **state) {
    (void)state;
    for (uint64_t count = 2; count <= 3000; count = count < 100 ? count + 7 : count * 3) {
        random_scene scene = random_scene_blank(count);
        for (uint64_t n = 0; n < count; n++) {
            rest(&scene, n, 3, -7, 11, 1);
        }
        expect_scene(&scene, "identical", count * (count - 1) / 2, 1, count);
    }
    random_scene scene = random_scene_blank(3000);
    expect_scene(&scene, "identical points", UINT64_C(3000) * 2999 / 2, 1, 3000);
}

/* Counts beyond 2^31 and 2^32, without storing a pair. */
static void test_count_beyond_32_bits(void **state) {
    (void)state;
    if (!note_long()) {
        skip();
    }
    static const uint64_t counts[] = {46342, 65537, 92683};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        random_scene scene = random_scene_blank(counts[c]);
        any_result r = detect(&scene, ANY_F32, true);
        note_case(c, "%" PRIu64 " identical bodies", counts[c]);
        expect_counts(&r, counts[c] * (counts[c] - 1) / 2, 1, counts[c]);
        any_result_release(&r);
        random_scene_release(&scene);
    }
}

static random_scene chain(uint64_t count, double radius, int axis) {
    random_scene scene = random_scene_blank(count);
    for (uint64_t n = 0; n < count; n++) {
        double at[3] = {0, 0, 0};
        at[axis] = (double)n;
        rest(&scene, n, at[0], at[1], at[2], radius);
    }
    return scene;
}

/* The longest path a union-find can be given, and the same chain with the smallest gap there is. */
static void test_chains(void **state) {
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        random_scene scene = chain(20000, 0.5, axis);
        expect_scene(&scene, "chain", 19999, 1, 20000);
        scene = chain(20000, (double)nextafterf(0.5F, 0), axis);
        expect_scene(&scene, "chain with gaps", 0, 0, 0);
    }
    random_scene scene = random_scene_blank(20000);
    for (uint64_t n = 0; n < 20000; n++) {
        rest(&scene, n, 0, 3 * (double)n, 0, 0.5);
    }
    expect_scene(&scene, "one x for all", 0, 0, 0);
}

static void test_giant_and_clusters(void **state) {
    (void)state;
    random_scene scene = random_scene_blank(1001);
    rest(&scene, 0, 0, 0, 0, 1e6);
    for (uint64_t n = 0; n < 1000; n++) {
        rest(&scene, n + 1, 2 * (double)(n % 10), 2 * (double)(n / 10 % 10), 2 * (double)(n / 100), 0.5);
    }
    expect_scene(&scene, "giant and 1000", 1000, 1, 1001);
    scene = random_scene_blank(1000);
    for (uint64_t n = 0; n < 1000; n++) {
        rest(&scene, n, n < 500 ? 0 : 10, 0, 0, 1);
    }
    expect_scene(&scene, "two clusters", UINT64_C(500) * 499, 2, 500);
}

/* A bullet through n bodies: n impacts of one body, each at the time that a pencil gives. */
static void test_bullet(void **state) {
    (void)state;
    enum { BODIES = 1000 };
    random_scene scene = random_scene_blank(BODIES + 1);
    for (uint64_t n = 0; n < BODIES; n++) {
        rest(&scene, n, 3 * (double)n, 0, 0, 1);
    }
    place(&scene, BODIES, (double[3]){-10, 0, 0}, (double[3]){3 * BODIES + 20, 0, 0}, 1);
    for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
        note_case(0, "bullet, %s", any_precision_name(p));
        any_result r = detect(&scene, p, false);
        expect_counts(&r, BODIES, 1, BODIES + 1);
        for (uint64_t n = 0; n < r.pair_count; n++) {
            double t = (3 * (double)n + 8) / (3 * BODIES + 20);
            note_check(r.i[n] == n && r.k[n] == BODIES, "pair (%u, %u)", r.i[n], r.k[n]);
            double early = t - r.field[ANY_T_TOI][n];
            note_check(early >= -0x1p-53 * t && early <= (p == ANY_F32 ? 0x1p-23 : 0x1p-40) * t,
                       "t_toi %.17g, not %.17g", r.field[ANY_T_TOI][n], t);
            note_check(r.field[ANY_NORMAL][n] == 1, "normal");
            note_check(fabs(r.field[ANY_POINT][n] - (3 * (double)n - 1)) <= (p == ANY_F32 ? 2e-4 : 1e-9), "point");
        }
        any_result_release(&r);
    }
    random_scene_release(&scene);
}

/* Many impacts at one instant: all at exactly 1/2, in order of (i, k). */
static void test_opposed_pairs(void **state) {
    (void)state;
    enum { PAIRS = 200 };
    random_scene scene = random_scene_blank(2 * PAIRS);
    for (uint64_t n = 0; n < PAIRS; n++) {
        place(&scene, n, (double[3]){0, 10 * (double)n, 0}, (double[3]){4, 0, 0}, 1);
        place(&scene, n + PAIRS, (double[3]){6, 10 * (double)n, 0}, (double[3]){-4, 0, 0}, 1);
    }
    any_result r = detect(&scene, ANY_F32, false);
    for (uint64_t n = 0; n < r.pair_count; n++) {
        assert_true(r.i[n] == n && r.k[n] == n + PAIRS);
        assert_true(r.field[ANY_T_TOI][n] == 0.5 && r.field[ANY_POINT][n] == 3 && r.field[ANY_NORMAL][n] == -1);
    }
    any_result_release(&r);
    expect_scene(&scene, "opposed pairs", PAIRS, PAIRS, 2);
}

/* Six bodies that reach the seventh at exactly t = 1, where their partners' ends are apart. */
static void test_star(void **state) {
    (void)state;
    random_scene scene = random_scene_blank(7);
    rest(&scene, 6, 0, 0, 0, 1);
    for (uint64_t n = 0; n < 6; n++) {
        double at[3] = {0, 0, 0};
        double motion[3] = {0, 0, 0};
        at[n / 2] = n % 2 == 0 ? 5 : -5;
        motion[n / 2] = n % 2 == 0 ? -3 : 3;
        place(&scene, n, at, motion, 1);
    }
    any_result r = detect(&scene, ANY_F64, false);
    for (uint64_t n = 0; n < r.pair_count; n++) {
        assert_true(r.k[n] == 6 && r.field[ANY_T_TOI][n] == 1 && r.field[ANY_T_CA][n] == 1);
    }
    any_result_release(&r);
    expect_scene(&scene, "star", 6, 1, 7);
}

/* -0 and +0 are one place, and the order of floats holds from the least to the greatest. */
static void test_sort_key_extremes(void **state) {
    (void)state;
    random_scene scene = random_scene_blank(100);
    for (uint64_t n = 0; n < 100; n++) {
        rest(&scene, n, n % 2 == 0 ? 0.0 : -0.0, 0, 0, 0);
    }
    expect_scene(&scene, "signed zeros", 4950, 1, 100);
    static const double values[] = {0.0, 0x1p-149, 0x1p-126, 1, 0x1p127, (double)FLT_MAX};
    scene = random_scene_blank(12);
    for (uint64_t n = 0; n < 12; n++) {
        rest(&scene, n, n % 2 == 0 ? values[n / 2] : -values[n / 2], 0, 0, 0);
    }
    expect_scene(&scene, "extremes", 1, 1, 2);
}

static uint64_t random_box_pairs(uint64_t count, double radius, uint64_t seed) {
    carom_random random = carom_random_seeded(note_case_seed(seed));
    random_scene scene = random_scene_blank(count);
    for (uint64_t n = 0; n < count; n++) {
        double x = carom_random_u01(&random);
        double y = carom_random_u01(&random);
        rest(&scene, n, x, y, carom_random_u01(&random), radius);
    }
    any_result r = detect(&scene, ANY_F32, true);
    uint64_t pairs = r.summary.touching_pairs;
    any_result_release(&r);
    random_scene_release(&scene);
    return pairs;
}

static void check_statistics(json_t *entry, uint64_t seeds) {
    uint64_t count = (uint64_t)json_integer_value(json_object_get(entry, "N"));
    double radius = json_real_value(json_object_get(entry, "r"));
    double expected = json_real_value(json_object_get(entry, "expected_touching_pairs_nonperiodic"));
    double sum = 0;
    for (uint64_t seed = 0; seed < seeds; seed++) {
        double pairs = (double)random_box_pairs(count, radius, seed);
        note_case(seed, "random box, %" PRIu64 " bodies", count);
        note_check(fabs(pairs - expected) < 5 * sqrt(expected), "%g pairs, expected %g", pairs, expected);
        sum += pairs;
    }
    double total = expected * (double)seeds;
    note_check(fabs(sum - total) < 4 * sqrt(total), "%g pairs in all seeds, expected %g", sum, total);
}

/* The number of pairs in a random box is its expectation within five standard deviations (sqrt of it: pairs are
 * independent), and the sum over seeds within four. A systematic loss of 1 % would show. */
static void test_random_box_statistics(void **state) {
    (void)state;
    json_t *entries = json_object_get(json_object_get(cases, "random_uniform_periodic"), "cases");
    int checked = 0;
    for (size_t n = 0; n < json_array_size(entries); n++) {
        json_t *entry = json_array_get(entries, n);
        uint64_t count = (uint64_t)json_integer_value(json_object_get(entry, "N"));
        if (json_object_get(entry, "expected_touching_pairs_nonperiodic") != NULL &&
            (count <= 1000000 || note_long())) {
            check_statistics(entry, count <= 1000 ? 100 : 1);
            checked++;
        }
    }
    assert_true(checked >= 2);
}

int main(void) {
    note_start("tests/prop/test_known_scenes");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closest_approach_outside_step),
        cmocka_unit_test(test_upper_bound_compared_with_upper_bound),
        cmocka_unit_test(test_lattice_counts),
        cmocka_unit_test(test_lattice_translation),
        cmocka_unit_test(test_identical_bodies),
        cmocka_unit_test(test_count_beyond_32_bits),
        cmocka_unit_test(test_chains),
        cmocka_unit_test(test_giant_and_clusters),
        cmocka_unit_test(test_bullet),
        cmocka_unit_test(test_opposed_pairs),
        cmocka_unit_test(test_star),
        cmocka_unit_test(test_sort_key_extremes),
        cmocka_unit_test(test_random_box_statistics),
    };
    return cmocka_run_group_tests_name("known scenes", tests, start, finish);
}
