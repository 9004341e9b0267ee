/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Pairs of moving spheres with exactly known answers: tangent to the last bit, an ulp more or less, at the ends of the
 * step, at the ends of the range of floats. Inputs are floats: centre c, displacement v, radius r. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "tests/support/any_detect.h"
#include "tests/support/check.h"
#include "tests/support/note.h"
#include "tests/support/random_scene.h"

enum { CASES = 189 };

/* Relative error of the time of impact in f64. Where the paths all but graze, the discriminant is 5e-8 of its terms and
 * less, and its root magnifies their rounding: in two cases the time is a little farther off. They may become fewer,
 * never more, and none may be farther off than TIME_LOOSE. */
static const double TIME_TOLERANCE = 1e-12;
static const double TIME_LOOSE = 4e-12;
enum { TIME_LOOSE_MOST = 2 };

/* Decisions that the f32 path gets wrong. It may become fewer, never more. */
enum { F32_MISSES_MOST = 0 };

typedef struct exact_case {
    double prev[2][3];
    double curr[2][3];
    double radius[2];
    bool touches;
    double t_first;
    int64_t id;
    const char *category;
    bool exact_in[ANY_PRECISIONS]; /* c + v is a number of that precision */
} exact_case;

static exact_case exact_cases[CASES];
static json_t *root;

static double number(json_t *object, const char *key) {
    return strtod(json_string_value(json_object_get(object, key)), NULL);
}

static void read_body(json_t *entry, int body, exact_case *c) {
    static const char *const keys[2][3] = {{"c1", "v1", "r1"}, {"c2", "v2", "r2"}};
    for (size_t a = 0; a < 3; a++) {
        double prev = strtod(json_string_value(json_array_get(json_object_get(entry, keys[body][0]), a)), NULL);
        double motion = strtod(json_string_value(json_array_get(json_object_get(entry, keys[body][1]), a)), NULL);
        double curr = prev + motion;
        /* The sum is exact iff both parts can be had back from it. */
        bool exact = curr - prev == motion && curr - motion == prev;
        c->prev[body][a] = prev;
        c->curr[body][a] = curr;
        c->exact_in[ANY_F64] &= exact;
        c->exact_in[ANY_F32] &= exact && (double)(float)curr == curr;
    }
    c->radius[body] = number(entry, keys[body][2]);
}

static int read_cases(void **state) {
    (void)state;
    json_error_t error;
    root = json_load_file(CAROM_TEST_DATA "/swept_sphere_exact.json", 0, &error);
    json_t *list = json_object_get(root, "cases");
    if (json_array_size(list) != CASES) {
        return -1;
    }
    for (size_t n = 0; n < CASES; n++) {
        json_t *entry = json_array_get(list, n);
        exact_case *c = &exact_cases[n];
        c->exact_in[ANY_F32] = c->exact_in[ANY_F64] = true;
        read_body(entry, 0, c);
        read_body(entry, 1, c);
        c->id = json_integer_value(json_object_get(entry, "id"));
        c->category = json_string_value(json_object_get(entry, "category"));
        c->touches = json_is_true(json_object_get(entry, "touch"));
        c->t_first = c->touches ? number(entry, "t_first") : NAN;
    }
    return 0;
}

static int release_cases(void **state) {
    (void)state;
    json_decref(root);
    return 0;
}

static void put_case(random_scene *scene, uint64_t at, const exact_case *c, double shift, bool swapped) {
    for (uint64_t body = 0; body < 2; body++) {
        uint64_t to = at + (swapped ? 1 - body : body);
        for (int a = 0; a < 3; a++) {
            double by = a == 0 ? shift : 0;
            scene->field[a][to] = c->prev[body][a] + by;
            scene->field[a + 3][to] = c->curr[body][a] + by;
        }
        scene->field[6][to] = c->radius[body];
    }
}

static any_result run_case(carom_context *context, any_precision precision, const exact_case *c, bool swapped) {
    random_scene scene = random_scene_blank(2);
    put_case(&scene, 0, c, 0, swapped);
    carom_detect_config config = any_config_full();
    any_result r = any_detect(context, precision, &scene.bodies, &config);
    random_scene_release(&scene);
    note_case((uint64_t)c->id, "%s, %s, %s%s", c->category, any_precision_name(precision), carom_context_isa(context),
              swapped ? ", swapped" : "");
    note_check(r.status == CAROM_OK, "%s", r.error.message);
    return r;
}

/* Returns 1 if the time is less exact than TIME_TOLERANCE. */
static int check_time(const exact_case *c, const any_result *r) {
    double t = r->field[ANY_T_TOI][0];
    double error = fabs(t - c->t_first);
    note_check(error <= TIME_LOOSE * c->t_first, "t_toi %.17g, not %.17g", t, c->t_first);
    return error > TIME_TOLERANCE * c->t_first;
}

/* Every decision is right in double, whichever body comes first, on every instruction set. */
static void test_f64_decides_all(void **state) {
    (void)state;
    const char *isas[8];
    size_t isa_count = carom_isa_available(isas, 8);
    int inexact = 0;
    for (size_t isa = 0; isa < isa_count; isa++) {
        int loose = 0;
        carom_context *context = any_context(1, isas[isa]);
        for (int n = 0; n < 2 * CASES; n++) {
            const exact_case *c = &exact_cases[n / 2];
            any_result r = run_case(context, ANY_F64, c, n % 2 == 1);
            note_check((r.summary.touching_pairs == 1) == c->touches, "touches: %" PRIu64 ", should be %d",
                       r.summary.touching_pairs, c->touches);
            if (c->touches) {
                loose += check_time(c, &r);
            }
            inexact += isa == 0 && n % 2 == 0 && !c->exact_in[ANY_F64];
            any_result_release(&r);
        }
        carom_context_destroy(context);
        assert_true(loose <= 2 * TIME_LOOSE_MOST); /* each case came twice */
    }
    printf("# f64: %d cases right, %d of them with c + v rounded\n", CASES, inexact);
}

/* In float, of one instruction set: how many decisions are wrong. */
static int count_f32_misses(carom_context *context) {
    int misses = 0;
    for (int n = 0; n < 2 * CASES; n++) {
        const exact_case *c = &exact_cases[n / 2];
        if (!c->exact_in[ANY_F32]) {
            continue;
        }
        any_result r = run_case(context, ANY_F32, c, n % 2 == 1);
        if ((r.summary.touching_pairs == 1) != c->touches) {
            misses++;
            printf("# f32 misses case %" PRId64 " (%s) on %s\n", c->id, c->category, carom_context_isa(context));
        } else if (c->touches) {
            double t = r.field[ANY_T_TOI][0];
            note_check(fabs(t - c->t_first) <= 0x1p-23 * c->t_first, "t_toi %.9g, not %.17g", t, c->t_first);
        }
        any_result_release(&r);
    }
    return misses;
}

/* The same in float, where c + v is one. */
static void test_f32_misses(void **state) {
    (void)state;
    const char *isas[8];
    size_t isa_count = carom_isa_available(isas, 8);
    int misses = 0;
    int skipped = 0;
    for (size_t isa = 0; isa < isa_count; isa++) {
        carom_context *context = any_context(1, isas[isa]);
        misses += count_f32_misses(context);
        carom_context_destroy(context);
    }
    for (int n = 0; n < CASES; n++) {
        skipped += !exact_cases[n].exact_in[ANY_F32];
    }
    printf("# f32: %d misses of %d cases; %d cases whose c + v is no float are left out\n", misses, CASES - skipped,
           skipped);
    assert_true(misses <= F32_MISSES_MOST);
}

/* Can the case be moved along x by `shift` without rounding? */
static bool can_move(const exact_case *c, double shift) {
    bool can = c->exact_in[ANY_F64];
    for (int body = 0; body < 2; body++) {
        for (int a = 0; a < 3; a++) {
            double prev = c->prev[body][a];
            double curr = c->curr[body][a];
            can = can && fabs(prev) + fabs(curr) + c->radius[body] < 0x1p12;
            can = can && (a > 0 || ((prev + shift) - shift == prev && (curr + shift) - shift == curr));
        }
    }
    return can;
}

/* All cases that bear moving in one scene, far apart: the broad phase loses none of them and invents none. */
static void test_all_in_one_scene(void **state) {
    (void)state;
    random_scene scene = random_scene_blank(2 * CASES);
    const exact_case *held[CASES];
    uint64_t count = 0;
    for (int n = 0; n < CASES; n++) {
        double shift = 0x1p14 * (double)count;
        if (can_move(&exact_cases[n], shift)) {
            put_case(&scene, 2 * count, &exact_cases[n], shift, n % 2 == 0);
            held[count++] = &exact_cases[n];
        }
    }
    scene.bodies.count = 2 * count;
    assert_true(count > CASES / 2);
    carom_context *context = any_context(2, NULL);
    carom_detect_config config = any_config_full();
    any_result r = any_detect(context, ANY_F64, &scene.bodies, &config);
    assert_int_equal(r.status, CAROM_OK);
    uint64_t at = 0;
    for (uint64_t n = 0; n < count; n++) {
        note_case((uint64_t)held[n]->id, "%s, among others", held[n]->category);
        bool found = at < r.pair_count && r.i[at] == 2 * n && r.k[at] == 2 * n + 1;
        note_check(found == held[n]->touches, "touches: %d", found);
        at += found;
    }
    assert_int_equal(at, r.pair_count);
    printf("# %" PRIu64 " cases in one scene\n", count);
    any_result_release(&r);
    carom_context_destroy(context);
    random_scene_release(&scene);
}

int main(void) {
    note_start("tests/oracle/test_swept_sphere");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_f64_decides_all),
        cmocka_unit_test(test_f32_misses),
        cmocka_unit_test(test_all_in_one_scene),
    };
    return cmocka_run_group_tests_name("swept sphere", tests, read_cases, release_cases);
}
