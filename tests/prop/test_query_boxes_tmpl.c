/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Queries in periodic boxes against a detection of all: boxes of any tilt, repeated along one to three axes, bodies and
 * probes inside and outside, of any size. Guards that a pair has the bits of a detection whichever of its bodies that
 * takes an image of, and that no image is missing. Compiled once for each precision. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/prop/query_trial_tmpl.h"
#include "tests/support/check.h"
#include "tests/support/fault_allocator.h"
#include "tests/support/isa_contexts.h"
#include "tests/support/note.h"
#include "tests/support/periodic_case.h"

enum { CASES = 6000, BODIES_MOST = 120, CROWDED_MOST = 10, LARGE_CASES = 12, LARGE = 4000 };

/* What all cases have done, so that the test is not empty. */
static uint64_t all_rows;
static uint64_t all_refused;

static int make_contexts(void **state) {
    static const uint32_t threads[] = {1, 2, 3};
    (void)state;
    return isa_contexts_make(threads, sizeof threads / sizeof threads[0]);
}

/* Anywhere in the box or some edges beside it; not on a grid, so that every sum is rounded. */
static void place_anywhere(carom_random *random, const periodic_case *r, random_scene *scene) {
    for (uint64_t n = 0; n < r->count; n++) {
        double at[3] = {0.0, 0.0, 0.0};
        for (int a = 0; a < 3; a++) {
            const double share =
                carom_random_u01(random) + (double)periodic_case_below(random, 2 * (uint32_t)r->away + 1) - r->away;
            for (int j = 0; j < 3; j++) {
                at[j] += r->box.along[a] ? share * r->box.edge[a][j] : j == a ? 6.0 * share : 0.0;
            }
        }
        for (int j = 0; j < 3; j++) {
            scene->field[j][n] = at[j];
            scene->field[j + 3][n] = at[j] + r->motion * (2.0 * carom_random_u01(random) - 1.0);
        }
        scene->field[6][n] = r->radius * carom_random_u01(random);
    }
}

static periodic_case choose_case(carom_random *random, uint64_t number) {
    static const double radius[] = {0.5, 0.1, 1.5, 4.0, 0.0};
    static const double motion[] = {0.5, 0.0, 2.0, 9.0};
    periodic_case r = {.box = carom_periodic_default(), .away = (int32_t)periodic_case_below(random, 4)};
    const uint32_t axes = 1 + periodic_case_below(random, 7);
    for (int a = 0; a < 3; a++) {
        r.box.along[a] = (axes >> a & 1U) != 0;
    }
    periodic_case_edges(random, (uint32_t)(number % PERIODIC_TILTS), number % 5 == 0 ? 2.0 : 8.0, r.box.edge);
    r.box.self_images = periodic_case_below(random, 2) == 0;
    r.radius = radius[periodic_case_below(random, 5)];
    r.motion = motion[periodic_case_below(random, 4)];
    const bool crowded = r.radius + r.motion > 3.0; /* thousands of images each */
    r.count = carom_random_next(random) % (uint64_t)((crowded ? CROWDED_MOST : BODIES_MOST) + 1);
    return r;
}

static void run_trial(uint64_t number, const periodic_case *r, const random_scene *scene, carom_random *random) {
    query_trial t = {.all = any_bodies_make(PRECISION, &scene->bodies), .box = &r->box};
    t.probes = carom_random_next(random) % (r->count + 1);
    t.bodies = r->count - t.probes;
    query_trial_choose_contexts(&t, random);
    note_case(number,
              "%" PRIu64 " bodies, %" PRIu64 " probes, radius %g, motion %g, %d away, self images %d, %s, %u threads",
              t.bodies, t.probes, r->radius, r->motion, (int)r->away, (int)r->box.self_images,
              carom_context_isa(t.context), carom_context_threads(t.context));
    all_refused += !query_trial_run(&t, random, number % 3 == 0);
    all_rows += t.rows;
    any_bodies_release(&t.all);
}

static void run_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const periodic_case r = choose_case(&random, number);
    random_scene scene = random_scene_blank(r.count);
    int32_t wrap[BODIES_MOST + 1][3];
    if (number % 8 < 4) {
        periodic_case_place(&random, &r, &scene, wrap);
    } else {
        place_anywhere(&random, &r, &scene);
    }
    run_trial(number, &r, &scene, &random);
    random_scene_release(&scene);
}

static void test_random_boxes(void **state) {
    (void)state;
    note_each_case(CASES, run_case);
    printf("%" PRIu64 " rows, %" PRIu64 " cases refused\n", all_rows, all_refused);
    note_check(note_only_case() != UINT64_MAX || (all_rows > note_cases(CASES) && all_refused > 0),
               "%" PRIu64 " rows: the test is empty", all_rows);
}

/* Trees of several levels, and images of many bodies. */
static void run_large(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number) + 1);
    periodic_case r = choose_case(&random, number);
    periodic_case_edges(&random, (uint32_t)(number % PERIODIC_TILTS), 24.0, r.box.edge);
    r.count = LARGE;
    r.radius = 0.6;
    r.motion = 0.5;
    random_scene scene = random_scene_blank(r.count);
    place_anywhere(&random, &r, &scene);
    run_trial(number, &r, &scene, &random);
    random_scene_release(&scene);
}

static void test_large_boxes(void **state) {
    (void)state;
    note_each_case(LARGE_CASES, run_large);
}

/* Two bodies at the faces of a box that reaches from 0 to 10 along x, and a probe that meets both through a face. */
static carom_real places[3] = {1, 9, 5};
static carom_real nowhere[3] = {0, 0, 0};
static const carom_bodies TWO = {
    .count = 2, .prev = {places, nowhere, nowhere}, .curr = {places, nowhere, nowhere}, .common_radius = 1};
static carom_real probe_place[1] = {30};
static const carom_bodies PROBE = {
    .count = 1, .prev = {probe_place, nowhere, nowhere}, .curr = {probe_place, nowhere, nowhere}, .common_radius = 1};

static carom_periodic ten_along_x(void) {
    carom_periodic box = carom_periodic_default();
    box.along[0] = true;
    box.edge[0][0] = 10;
    return box;
}

static carom_status detect_two(carom_context *context, const carom_periodic *box) {
    carom_detect_config config = carom_detect_config_default();
    detection found = {0};
    config.periodic = box;
    return DETECT(context, &TWO, &config, NULL, &found, NULL);
}

/* The shifts, point and normal by hand. */
static void test_shifts(void **state) {
    (void)state;
    const carom_periodic box = ten_along_x();
    answer got = {0};
    assert_int_equal(detect_two(isa_contexts[0], &box), CAROM_OK);
    assert_int_equal(QUERY(isa_contexts[0], &PROBE, NULL, &got, NULL), CAROM_OK);
    assert_int_equal(got.pair_count, 2);
    assert_true(got.contacts.i[0] == 0 && got.contacts.k[0] == 0 && got.contacts.shift[0][0] == -3);
    assert_true(got.contacts.i[1] == 1 && got.contacts.k[1] == 0 && got.contacts.shift[0][1] == -2);
    assert_true(got.contacts.shift[1][0] == 0 && got.contacts.shift[2][1] == 0);
    assert_true(got.contacts.normal[0][0] == 1 && got.contacts.normal[0][1] == -1);
    assert_true(got.contacts.point[0][0] == (carom_real)0.5 && got.contacts.point[0][1] == (carom_real)9.5);
}

/* Probes that a detection would refuse as bodies. */
static void test_refused_probes(void **state) {
    (void)state;
    carom_periodic box = ten_along_x();
    answer got = {0};
    carom_error error;
    carom_real far[3] = {0, (carom_real)1e30, 0};
    carom_real radius[3] = {1, 1, 5};
    const carom_bodies probes = {
        .count = 3, .prev = {far, nowhere, nowhere}, .curr = {far, nowhere, nowhere}, .radius = radius};
    assert_int_equal(detect_two(isa_contexts[0], &box), CAROM_OK);
    assert_int_equal(QUERY(isa_contexts[0], &probes, NULL, &got, &error), CAROM_ERROR_BODY);
    assert_true(error.body == 1 && strcmp(error.field, "prev_x") == 0);
    far[1] = 0;
    assert_int_equal(QUERY(isa_contexts[0], &probes, NULL, &got, &error), CAROM_ERROR_BODY);
    assert_true(error.body == 2 && strcmp(error.field, "radius") == 0);
    far[2] = (carom_real)NAN;
    radius[1] = 50;
    assert_int_equal(QUERY(isa_contexts[0], &probes, NULL, &got, &error), CAROM_ERROR_BODY);
    assert_true(error.body == 2 && strcmp(error.field, "prev_x") == 0);
    far[2] = 0;
    radius[1] = (carom_real)1e12;
    box.self_images = true;
    assert_int_equal(detect_two(isa_contexts[0], &box), CAROM_OK);
    assert_int_equal(QUERY(isa_contexts[0], &probes, NULL, &got, &error), CAROM_ERROR_BODY);
    assert_true(error.body == 1 && strcmp(error.field, "radius") == 0);
    radius[1] = 50;
    assert_int_equal(QUERY(isa_contexts[0], &probes, NULL, &got, &error), CAROM_OK);
    assert_true(got.offset[2] - got.offset[1] > 20);
    const carom_bodies none = {.count = 0};
    detection found = {0};
    carom_detect_config config = carom_detect_config_default();
    config.periodic = &box;
    assert_int_equal(DETECT(isa_contexts[0], &none, &config, NULL, &found, NULL), CAROM_OK);
    assert_int_equal(QUERY(isa_contexts[0], &PROBE, NULL, &got, &error), CAROM_OK);
    assert_true(got.pair_count == 0 && got.offset[1] == 0);
}

/* Every request of a query is refused in turn: MEMORY, nothing leaks, and the next query works. */
static void test_every_request_fails(void **state) {
    (void)state;
    const carom_periodic box = ten_along_x();
    uint64_t n = 1;
    for (bool reached = true; reached; n++) {
        fault_allocator faults;
        fault_allocator_init(&faults);
        carom_context_config config = carom_context_config_default();
        carom_context *context = NULL;
        answer got = {0};
        config.allocator = fault_allocator_get(&faults);
        assert_int_equal(carom_context_create(&config, &context, NULL), CAROM_OK);
        assert_int_equal(detect_two(context, &box), CAROM_OK);
        const uint64_t before = faults.requests;
        fault_allocator_fail(&faults, n, n % 2 == 0);
        const carom_status status = QUERY(context, &PROBE, NULL, &got, NULL);
        reached = faults.requests - before >= n;
        note_check(status == (reached ? CAROM_ERROR_MEMORY : CAROM_OK), "request %" PRIu64 ": status %d", n,
                   (int)status);
        note_check(reached == (got.required_bytes > 0), "request %" PRIu64 ": required_bytes", n);
        fault_allocator_fail(&faults, 0, false);
        assert_int_equal(QUERY(context, &PROBE, NULL, &got, NULL), CAROM_OK);
        assert_int_equal(got.pair_count, 2);
        carom_context_destroy(context);
        assert_true(faults.live_blocks == 0 && faults.damages == 0);
    }
    note_check(n > 12, "only %" PRIu64 " requests", n);
}

int main(void) {
    note_start("test_query_boxes");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_boxes), cmocka_unit_test(test_large_boxes),
                                       cmocka_unit_test(test_shifts), cmocka_unit_test(test_refused_probes),
                                       cmocka_unit_test(test_every_request_fails)};
    return cmocka_run_group_tests_name("query_boxes", tests, make_contexts, isa_contexts_destroy);
}
