/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Pairs of moving spheres with exactly known answers: tangent to the last bit, an ulp more or less, at the ends of the
 * step, at the ends of the range of floats. Inputs are floats: centre c, displacement v, radius r. Guards that every
 * decision is that of exact arithmetic in both precisions on every instruction set, and that no time is late. Where
 * c + v has to be rounded the answer is GMP's on the rounded numbers; where it has not, the file's and GMP's. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "tests/oracle/exact.h"
#include "tests/support/any_detect.h"
#include "tests/support/check.h"
#include "tests/support/note.h"
#include "tests/support/random_scene.h"

enum { CASES = 189, COPIES = 6, OF_BOTH = COPIES * COPIES, OF_ONE = COPIES * (COPIES - 1) };

/* A time is never late, and early by at most this share of itself: in float by the rounding that detect.h has, in
 * double, where paths all but graze, by up to 5e-13. */
static const double TIME_TOLERANCE[ANY_PRECISIONS] = {0x1p-23, 1e-12};

typedef struct exact_case {
    double prev[2][3];
    double curr[2][3];
    double radius[2];
    bool touches;
    double t_first;
    int64_t id;
    const char *category;
    bool exact_in[ANY_PRECISIONS]; /* c, c + v and r are numbers of that precision */
} exact_case;

static exact_case exact_cases[CASES];
static exact judge;
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
        bool held = curr - prev == motion && curr - motion == prev;
        c->prev[body][a] = prev;
        c->curr[body][a] = curr;
        c->exact_in[ANY_F64] &= held;
        c->exact_in[ANY_F32] &= held && (double)(float)curr == curr && (double)(float)prev == prev;
    }
    c->radius[body] = number(entry, keys[body][2]);
    c->exact_in[ANY_F32] &= (double)(float)c->radius[body] == c->radius[body];
}

static int read_cases(void **state) {
    (void)state;
    json_error_t error;
    exact_start(&judge);
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
    exact_end(&judge);
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

/* Bodies 0, 2, 4, ... are copies of one, 1, 3, 5, ... of the other: pairs enough for vectors of every length. */
static any_result run_case(carom_context *context, any_precision precision, const exact_case *c, bool swapped) {
    random_scene scene = random_scene_blank(2 * COPIES);
    for (uint64_t n = 0; n < COPIES; n++) {
        put_case(&scene, 2 * n, c, 0, swapped);
    }
    carom_detect_config config = any_config_full();
    any_result r = any_detect(context, precision, &scene.bodies, &config);
    random_scene_release(&scene);
    note_case((uint64_t)c->id, "%s, %s, %s%s", c->category, any_precision_name(precision), carom_context_isa(context),
              swapped ? ", swapped" : "");
    note_check(r.status == CAROM_OK, "%s", r.error.message);
    return r;
}

static double held_in(any_precision precision, double x) {
    return precision == ANY_F32 ? (double)(float)x : x;
}

/* The numbers as a precision holds them. Whatever the file says of c, v and r, it says of them if they are no others.
 */
static exact_pair pair_in(any_precision precision, const exact_case *c) {
    exact_pair pair;
    for (int body = 0; body < 2; body++) {
        for (int a = 0; a < 3; a++) {
            pair.prev[body][a] = held_in(precision, c->prev[body][a]);
            pair.curr[body][a] = held_in(precision, c->curr[body][a]);
        }
        pair.radius[body] = held_in(precision, c->radius[body]);
    }
    return pair;
}

/* Returns by what share of itself the time is early. */
static double check_time(any_precision precision, const exact_case *c, double t) {
    const exact_time time = exact_time_of(&judge, t);
    note_check(!time.late, "t_toi %.17g is late, exactly %.17g", t, time.exact);
    note_check(time.behind <= TIME_TOLERANCE[precision] * time.exact, "t_toi %.17g, exactly %.17g", t, time.exact);
    note_check(!c->exact_in[precision] || fabs(time.exact - c->t_first) <= 0x1p-51 * c->t_first,
               "GMP has %.17g, the file %.17g", time.exact, c->t_first);
    return time.exact > 0 ? time.behind / time.exact : 0;
}

/* Copies of one body touch from the start; of the two, all pairs or none, all at one time. Returns how early that is.
 */
static double check_pairs(any_precision precision, const exact_case *c, const any_result *r, bool touches) {
    double early = 0;
    note_check(r->summary.touching_pairs == (touches ? OF_BOTH + OF_ONE : OF_ONE),
               "%" PRIu64 " rows; the two touch: %d", r->summary.touching_pairs, touches);
    for (uint64_t n = 0; n < r->pair_count; n++) {
        const double t = r->field[ANY_T_TOI][n];
        if (r->i[n] % 2 == r->k[n] % 2) {
            note_check(t == 0, "copies touch at %g", t);
        } else {
            early = fmax(early, check_time(precision, c, t));
        }
    }
    return early;
}

/* One case on one instruction set, either body first. Returns how early its time is. */
static double check_case(carom_context *context, any_precision precision, const exact_case *c, bool swapped) {
    any_result r = run_case(context, precision, c, swapped);
    const exact_pair pair = pair_in(precision, c);
    const bool touches = exact_decide(&judge, &pair).touches;
    note_check(!c->exact_in[precision] || touches == c->touches, "GMP says %d, the file %d", touches, c->touches);
    const double early = check_pairs(precision, c, &r, touches);
    any_result_release(&r);
    return early;
}

/* How many cases are rounded, and of how many of these the answer is another for it. */
static void print_rounded(any_precision precision, double earliest) {
    int rounded = 0;
    int turned = 0;
    for (int n = 0; n < CASES; n++) {
        const exact_pair pair = pair_in(precision, &exact_cases[n]);
        rounded += !exact_cases[n].exact_in[precision];
        turned += exact_decide(&judge, &pair).touches != exact_cases[n].touches;
    }
    printf("# %s: all %d cases right; in %d c + v is rounded, which turns %d; times at most %.2g early\n",
           any_precision_name(precision), CASES, rounded, turned, earliest);
    assert_true(precision == ANY_F32 || turned == 0);
}

static void check_all(any_precision precision) {
    const char *isas[8];
    size_t isa_count = carom_isa_available(isas, 8);
    double earliest = 0;
    for (size_t isa = 0; isa < isa_count; isa++) {
        carom_context *context = any_context(1, isas[isa]);
        for (int n = 0; n < 2 * CASES; n++) {
            earliest = fmax(earliest, check_case(context, precision, &exact_cases[n / 2], n % 2 == 1));
        }
        carom_context_destroy(context);
    }
    print_rounded(precision, earliest);
}

static void test_all_in_f64(void **state) {
    (void)state;
    check_all(ANY_F64);
}

static void test_all_in_f32(void **state) {
    (void)state;
    check_all(ANY_F32);
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
        cmocka_unit_test(test_all_in_f64),
        cmocka_unit_test(test_all_in_f32),
        cmocka_unit_test(test_all_in_one_scene),
    };
    return cmocka_run_group_tests_name("swept sphere", tests, read_cases, release_cases);
}
