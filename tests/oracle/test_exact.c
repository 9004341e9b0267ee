/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The judge itself: exact arithmetic against the reference cases, against 113-bit brute force where that is exact, and
 * against itself on the same pair in other units, the other way round and backwards in time. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include <jansson.h>

#include "tests/oracle/judge.h"
#include "tests/oracle/pair_kinds.h"
#include "tests/support/brute_force.h"
#include "tests/support/check.h"
#include "tests/support/note.h"
#include "tests/support/random_scene.h"

enum { CASES_LEAST = 150, PAIRS = 4000 };

static double text_at(json_t *entry, const char *key, size_t n) {
    return strtod(json_string_value(json_array_get(json_object_get(entry, key), n)), NULL);
}

/* False if c + v is no double. */
static bool read_case(json_t *entry, exact_pair *pair) {
    static const char *const keys[2][3] = {{"c1", "v1", "r1"}, {"c2", "v2", "r2"}};
    bool held = true;
    for (int body = 0; body < 2; body++) {
        for (size_t a = 0; a < 3; a++) {
            double prev = text_at(entry, keys[body][0], a);
            double motion = text_at(entry, keys[body][1], a);
            double curr = prev + motion;
            held = held && curr - prev == motion && curr - motion == prev;
            pair->prev[body][a] = prev;
            pair->curr[body][a] = curr;
        }
        pair->radius[body] = strtod(json_string_value(json_object_get(entry, keys[body][2])), NULL);
    }
    return held;
}

/* t is the exact time rounded: it is right, and two steps of double more or less are seen as late and early. */
static void check_first(double t) {
    double step = nextafter(t, 2) - t;
    exact_time time = exact_time_of(&judge, t);
    note_check(fabs(time.behind) <= step && fabs(time.exact - t) <= step, "%a is %g behind", t, time.behind);
    note_check(time.residual <= 0x1p-50, "residual %g", time.residual);
    note_check(t == 0 || !exact_time_of(&judge, t - 2 * step).late, "%a - 2 steps is late", t);
    note_check(exact_time_of(&judge, t + 2 * step).late, "%a + 2 steps is not late", t);
}

static void test_reference_cases(void **state) {
    (void)state;
    json_error_t error;
    json_t *root = json_load_file(CAROM_TEST_DATA "/swept_sphere_exact.json", 0, &error);
    json_t *cases = json_object_get(root, "cases");
    int held = 0;
    for (size_t n = 0; n < json_array_size(cases); n++) {
        json_t *entry = json_array_get(cases, n);
        exact_pair pair;
        if (!read_case(entry, &pair)) {
            continue;
        }
        held++;
        note_case((uint64_t)json_integer_value(json_object_get(entry, "id")), "reference");
        bool touches = json_is_true(json_object_get(entry, "touch"));
        note_check(exact_decide(&judge, &pair).touches == touches, "should be %d", touches);
        if (touches) {
            check_first(strtod(json_string_value(json_object_get(entry, "t_first")), NULL));
        }
    }
    json_decref(root);
    assert_true(held >= CASES_LEAST);
}

static bool brute_decides(const exact_pair *pair) {
    random_scene scene = random_scene_blank(2);
    for (int n = 0; n < 14; n++) {
        int body = n % 2;
        scene.field[n / 2][body] = n < 6    ? pair->prev[body][n / 2]
                                   : n < 12 ? pair->curr[body][n / 2 - 3]
                                            : pair->radius[body];
    }
    bool touches = brute_force_touches(&scene.bodies, 0, 1);
    random_scene_release(&scene);
    return touches;
}

/* Floats of like size: 113 bits are enough, but for the last digits that only tangents would feel. */
static void test_brute_force(void **state) {
    (void)state;
    static const pair_kind kinds[] = {PAIR_UNIFORM, PAIR_GAP_7,   PAIR_END,  PAIR_OFFSET_6,
                                      PAIR_START,   PAIR_LATTICE, PAIR_REST, PAIR_POINTS};
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
        carom_random random = carom_random_seeded(note_case_seed(kind));
        for (int n = 0; n < PAIRS; n++) {
            exact_pair pair = pair_draw(kinds[kind], true, &random);
            note_case(kind, "%s, pair %d", pair_kind_name(kinds[kind]), n);
            note_check(exact_decide(&judge, &pair).touches == brute_decides(&pair), "brute force disagrees");
        }
    }
}

static exact_pair pair_turned(const exact_pair *pair, int exponent, bool swapped, bool backwards) {
    exact_pair turned;
    for (int body = 0; body < 2; body++) {
        int from = swapped ? 1 - body : body;
        for (int a = 0; a < 3; a++) {
            turned.prev[body][a] = ldexp(backwards ? pair->curr[from][a] : pair->prev[from][a], exponent);
            turned.curr[body][a] = ldexp(backwards ? pair->prev[from][a] : pair->curr[from][a], exponent);
        }
        turned.radius[body] = ldexp(pair->radius[from], exponent);
    }
    return turned;
}

/* Subnormal, ordinary or all but infinite, the same integers are the same pair. */
static void test_units_and_order(void **state) {
    (void)state;
    static const int exponents[] = {-1074, -1030, 0, 600, 1008};
    carom_random random = carom_random_seeded(note_case_seed(100));
    for (int n = 0; n < PAIRS; n++) {
        exact_pair lattice = pair_draw(PAIR_LATTICE, false, &random);
        lattice = pair_turned(&lattice, 24, false, false);
        exact_pair pair = pair_turned(&lattice, 0, false, false);
        exact_verdict plain = exact_decide(&judge, &pair);
        double behind = plain.touches ? exact_time_of(&judge, 0.25).behind : 0;
        for (int way = 0; way < 20; way++) {
            bool backwards = way / 2 % 2 != 0;
            int exponent = exponents[way / 4] - (way >= 12 ? 50 : 0);
            pair = pair_turned(&lattice, exponent, way % 2 != 0, backwards);
            exact_verdict other = exact_decide(&judge, &pair);
            note_case(100, "pair %d, way %d", n, way);
            note_check(other.touches == plain.touches, "another decision");
            note_check(backwards || !plain.touches || exact_time_of(&judge, 0.25).behind == behind, "another time");
        }
    }
}

/* By hand: the unit sphere met head on from 4 at t = 2/5, then grazed at 4/5, and by an epsilon not. */
static void test_by_hand(void **state) {
    (void)state;
    exact_pair pair = {.prev = {{4, 0, 0}}, .curr = {{-1, 0, 0}}, .radius = {1, 1}};
    exact_verdict verdict = exact_decide(&judge, &pair);
    assert_true(verdict.touches && verdict.rule == EXACT_WITHIN);
    exact_time time = exact_time_of(&judge, 0.25);
    assert_true(!time.late && fabs(time.behind - 0.15) < 1e-15 && fabs(time.exact - 0.4) < 1e-15);
    assert_true(fabs(time.residual - 0.75 / 6) < 1e-15);
    assert_true(exact_time_of(&judge, 0.75).late);
    pair.prev[0][1] = pair.curr[0][1] = 2;
    assert_true(exact_decide(&judge, &pair).touches);
    time = exact_time_of(&judge, 0.8);
    assert_true(time.late == (0.8 > 4.0L / 5) && fabs(time.behind) < 1e-16);
    pair.prev[0][1] = pair.curr[0][1] = nextafter(2, 3);
    assert_false(exact_decide(&judge, &pair).touches);
    pair.radius[0] = pair.radius[1] = nextafter(1, 2);
    assert_true(exact_decide(&judge, &pair).touches);
    pair = (exact_pair){.prev = {{0x1p-1074, 0, 0}}, .curr = {{0x1p-1074, 0, 0}}, .radius = {0, 0}};
    assert_false(exact_decide(&judge, &pair).touches);
    pair.radius[1] = 0x1p-1074;
    assert_true(exact_decide(&judge, &pair).touches);
}

static void test_sums(void **state) {
    (void)state;
    assert_int_equal(exact_sum_sign(&judge, (double[]){0x1p1000, 0x1p-1074, -0x1p1000}, 3), 1);
    assert_int_equal(exact_sum_sign(&judge, (double[]){1, -0x1p-60, -1}, 3), -1);
    assert_int_equal(exact_sum_sign(&judge, (double[]){0.25, -0.5, 0, 0.25}, 4), 0);
    assert_int_equal(exact_sum_sign(&judge, (double[]){0, -0.0}, 2), 0);
}

int main(void) {
    note_start("tests/oracle/test_exact");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),         cmocka_unit_test(test_sums),
        cmocka_unit_test(test_reference_cases), cmocka_unit_test(test_brute_force),
        cmocka_unit_test(test_units_and_order),
    };
    return cmocka_run_group_tests_name("exact", tests, start_judge, finish_judge);
}
