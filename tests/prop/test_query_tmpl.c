/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Queries against a detection of all: random scenes of every kind are cut into bodies and probes, and the answer must
 * have the rows of a detection in which the probes follow the bodies, bit by bit and in order; with filters, with every
 * method of the broad phase, with pairs alone and with approaching pairs alone. Compiled once for each precision. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/scene/scene.h"
#include "tests/prop/query_trial_tmpl.h"
#include "tests/support/check.h"
#include "tests/support/fault_allocator.h"
#include "tests/support/isa_contexts.h"
#include "tests/support/note.h"
#include "tests/support/random_scene.h"

enum { CASES = 1500, BODIES_MOST = 300, CROWDED_MOST = 60, LARGE_CASES = 24, LARGE = 6000 };
enum { METHODS = CAROM_METHOD_SHARED + 1 };

/* Rows of all cases, so that the test is not empty. */
static uint64_t all_rows;

static int make_contexts(void **state) {
    static const uint32_t threads[] = {1, 2, 5};
    (void)state;
    return isa_contexts_make(threads, sizeof threads / sizeof threads[0]);
}

static bool is_crowded(random_scene_kind kind) {
    return kind == RANDOM_FAST || kind == RANDOM_POINT || kind == RANDOM_COPIES || kind == RANDOM_GRAZING;
}

static void run_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const random_scene_kind kind = (random_scene_kind)(number % RANDOM_KINDS);
    const uint64_t most = is_crowded(kind) ? CROWDED_MOST : BODIES_MOST;
    const uint64_t count = carom_random_next(&random) % (most + 1);
    random_scene scene = random_scene_make(kind, count, CAROM_REAL_BITS == 32, &random);
    query_trial t = {.all = any_bodies_make(PRECISION, &scene.bodies)};
    t.probes = carom_random_next(&random) % (count + 1);
    t.bodies = count - t.probes;
    t.method = (carom_method)(carom_random_next(&random) % METHODS);
    query_trial_choose_contexts(&t, &random);
    note_case(number, "%s, %" PRIu64 " bodies, %" PRIu64 " probes, method %d, %s, %u threads", random_scene_name(kind),
              t.bodies, t.probes, (int)t.method, carom_context_isa(t.context), carom_context_threads(t.context));
    (void)query_trial_run(&t, &random, number % 3 == 0);
    all_rows += t.rows;
    any_bodies_release(&t.all);
    random_scene_release(&scene);
}

static void test_random_scenes(void **state) {
    (void)state;
    all_rows = 0;
    note_each_case(CASES, run_case);
    note_check(note_only_case() != UINT64_MAX || all_rows > note_cases(CASES), "%" PRIu64 " rows: the test is empty",
               all_rows);
}

/* Trees of several levels, oversized bodies, crowded cells. */
static void run_large_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number) + 1);
    const char letter = "udpcla"[number % 6];
    carom_scene_f32 scene;
    assert_int_equal(carom_scene_make(letter, LARGE, number + 1, &scene), CAROM_OK);
    const carom_bodies_f32 made = carom_scene_bodies(&scene);
    random_scene blank = random_scene_blank(LARGE);
    for (uint64_t n = 0; n < LARGE; n++) {
        for (int a = 0; a < 3; a++) {
            blank.field[a][n] = (double)made.prev[a][n];
            blank.field[a + 3][n] = (double)made.curr[a][n];
        }
        blank.field[6][n] = (double)made.radius[n];
    }
    query_trial t = {.all = any_bodies_make(PRECISION, &blank.bodies), .probes = 1 + carom_random_next(&random) % 500};
    t.bodies = LARGE - t.probes;
    t.method = (carom_method)(number / 6 % METHODS);
    query_trial_choose_contexts(&t, &random);
    note_case(number, "scene %c, %" PRIu64 " probes, method %d, %s", letter, t.probes, (int)t.method,
              carom_context_isa(t.context));
    (void)query_trial_run(&t, &random, number % 2 == 0);
    any_bodies_release(&t.all);
    random_scene_release(&blank);
    carom_scene_release(&scene);
}

static void test_large_scenes(void **state) {
    (void)state;
    note_each_case(LARGE_CASES, run_large_case);
}

/* Three bodies in a row that touch, and what is asked of them. */
static carom_real places[3] = {0, 2, 4};
static carom_real nowhere[3] = {0, 0, 0};
static const carom_bodies THREE = {
    .count = 3, .prev = {places, nowhere, nowhere}, .curr = {places, nowhere, nowhere}, .common_radius = 1};

static carom_context *limited_context(uint64_t limit) {
    carom_context_config config = carom_context_config_default();
    carom_context *context = NULL;
    config.memory_limit = limit;
    config.threads = 2;
    assert_int_equal(carom_context_create(&config, &context, NULL), CAROM_OK);
    return context;
}

static void expect_nothing_to_query(carom_context *context) {
    answer got = {.pair_count = 7};
    carom_error error;
    note_check(QUERY(context, &THREE, NULL, &got, &error) == CAROM_ERROR_ARGUMENT, "a query of nothing");
    note_check(strstr(error.message, "in this context") != NULL, "%s", error.message);
    note_check(got.pair_count == 0 && got.offset == NULL, "an answer beside an error");
}

/* Only a detection that found pairs can be queried, and only until the next call. */
static void test_what_can_be_queried(void **state) {
    (void)state;
    carom_context *context = limited_context(0);
    detection found = {0};
    answer got = {0};
    carom_detect_config config = carom_detect_config_default();
    expect_nothing_to_query(context);
    for (uint32_t until = CAROM_UNTIL_PAIRS; until <= CAROM_UNTIL_GROUPS; until++) {
        config.until = (carom_until)until;
        assert_int_equal(DETECT(context, &THREE, &config, NULL, &found, NULL), CAROM_OK);
        assert_int_equal(QUERY(context, &THREE, NULL, &got, NULL), CAROM_OK);
        assert_int_equal(got.pair_count, 7);
    }
    config.until = CAROM_UNTIL_BOUNDS;
    assert_int_equal(DETECT(context, &THREE, &config, NULL, &found, NULL), CAROM_OK);
    expect_nothing_to_query(context);
    assert_int_equal(DETECT(context, &THREE, NULL, NULL, &found, NULL), CAROM_OK);
    const CAROM_REAL(carom_motion) still = {.count = 0};
    carom_step_report report = {0};
    assert_int_equal(CAROM_REAL(carom_step)(context, &still, NULL, &report, NULL), CAROM_OK);
    expect_nothing_to_query(context);
    assert_int_equal(DETECT(context, &THREE, NULL, NULL, &found, NULL), CAROM_OK);
    assert_int_equal(carom_context_check(context, NULL), CAROM_OK); /* it detects bodies of its own */
    expect_nothing_to_query(context);
#if CAROM_REAL_BITS == 32
    carom_detection_f64 other = {0};
    assert_int_equal(carom_detect_f64(context, &(carom_bodies_f64){.count = 0}, NULL, NULL, &other, NULL), CAROM_OK);
#else
    carom_detection_f32 other = {0};
    assert_int_equal(carom_detect_f32(context, &(carom_bodies_f32){.count = 0}, NULL, NULL, &other, NULL), CAROM_OK);
#endif
    expect_nothing_to_query(context);
    const carom_bodies none = {.count = 0};
    assert_int_equal(DETECT(context, &none, NULL, NULL, &found, NULL), CAROM_OK);
    assert_int_equal(QUERY(context, &THREE, NULL, &got, NULL), CAROM_OK);
    assert_true(got.pair_count == 0 && got.offset[3] == 0);
    carom_context_destroy(context);
}

/* The caller's arrays may change after a detection, and its results outlive queries, also queries that fail. */
static void test_what_stays(void **state) {
    (void)state;
    carom_context *context = limited_context(0);
    carom_real x[3] = {0, 2, 4};
    carom_bodies bodies = THREE;
    bodies.prev[0] = bodies.curr[0] = x;
    detection found = {0};
    answer got = {0};
    carom_error error;
    assert_int_equal(DETECT(context, &bodies, NULL, NULL, &found, NULL), CAROM_OK);
    x[0] = x[1] = x[2] = (carom_real)NAN;
    assert_int_equal(QUERY(context, &bodies, NULL, &got, &error), CAROM_ERROR_BODY);
    assert_true(error.body == 0 && strcmp(error.field, "prev_x") == 0);
    x[0] = (carom_real)1;
    x[1] = (carom_real)100;
    x[2] = (carom_real)-3;
    assert_int_equal(QUERY(context, &bodies, NULL, &got, &error), CAROM_OK);
    assert_int_equal(got.pair_count, 2);
    assert_true(got.offset[1] == 2 && got.offset[3] == 2 && got.contacts.i[0] == 0 && got.contacts.i[1] == 1);
    assert_true(found.pair_count == 2 && found.contacts.i[0] + found.contacts.i[1] == 1);
    assert_true(found.groups.label[2] == 0);
    carom_context_destroy(context);
}

/* Everything that a query cannot work on, by name. */
static void test_bad_arguments(void **state) {
    (void)state;
    carom_context *context = limited_context(0);
    detection found = {0};
    answer got = {0};
    carom_error error;
    carom_cancel flag = {0};
    assert_int_equal(DETECT(context, &THREE, NULL, NULL, &found, NULL), CAROM_OK);
    assert_int_equal(QUERY(context, &THREE, NULL, NULL, &error), CAROM_ERROR_ARGUMENT);
    assert_int_equal(QUERY(NULL, &THREE, NULL, &got, &error), CAROM_ERROR_ARGUMENT);
    assert_int_equal(QUERY(context, NULL, NULL, &got, &error), CAROM_ERROR_ARGUMENT);
    carom_query_config config = carom_query_config_default();
    config.until = CAROM_UNTIL_GROUPS;
    assert_int_equal(QUERY(context, &THREE, &config, &got, &error), CAROM_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "config.until"));
    config = carom_query_config_default();
    config.reserved[2] = 1;
    assert_int_equal(QUERY(context, &THREE, &config, &got, &error), CAROM_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "config.reserved[2]"));
    config = carom_query_config_default();
    config.size = 8;
    assert_int_equal(QUERY(context, &THREE, &config, &got, &error), CAROM_ERROR_ARGUMENT);
    config = carom_query_config_default();
    carom_filter filter = carom_filter_default();
    const uint64_t offset[] = {0, 1, 0, 1};
    const uint32_t excluded[] = {3};
    filter.exclusion_offset = offset;
    config.probe_filter = &filter;
    assert_int_equal(QUERY(context, &THREE, &config, &got, &error), CAROM_ERROR_ARGUMENT);
    filter.excluded = excluded;
    assert_int_equal(QUERY(context, &THREE, &config, &got, &error), CAROM_ERROR_BODY);
    assert_true(error.body == 0 && strcmp(error.field, "excluded") == 0);
    const uint32_t good[] = {2};
    filter.excluded = good;
    assert_int_equal(QUERY(context, &THREE, &config, &got, &error), CAROM_ERROR_BODY);
    assert_true(error.body == 1 && strcmp(error.field, "exclusion_offset") == 0);
    config = carom_query_config_default();
    config.cancel = &flag;
    carom_cancel_raise(&flag);
    assert_int_equal(QUERY(context, &THREE, &config, &got, &error), CAROM_ERROR_CANCELLED);
    assert_int_equal(error.status, CAROM_ERROR_CANCELLED);
    carom_cancel_clear(&flag);
    assert_int_equal(QUERY(context, &THREE, &config, &got, &error), CAROM_OK);
    assert_int_equal(got.pair_count, 7);
    carom_context_destroy(context);
}

/* Under a limit that is raised to what each failure asks for, a query succeeds at last, and each failure leaves the
 * detection to the next query of a context with more. */
static void test_memory(void **state) {
    (void)state;
    carom_context *free_context = limited_context(0);
    detection found = {0};
    answer got = {0};
    assert_int_equal(DETECT(free_context, &THREE, NULL, NULL, &found, NULL), CAROM_OK);
    uint64_t limit = carom_context_memory(free_context);
    carom_context_destroy(free_context);
    uint64_t failures = 0;
    carom_status status = CAROM_ERROR_MEMORY;
    for (; status == CAROM_ERROR_MEMORY && failures < 20; failures++) {
        carom_context *context = limited_context(limit);
        carom_error error;
        assert_int_equal(DETECT(context, &THREE, NULL, NULL, &found, NULL), CAROM_OK);
        status = QUERY(context, &THREE, NULL, &got, &error);
        if (status == CAROM_ERROR_MEMORY) {
            note_check(got.required_bytes > limit, "%" PRIu64 " bytes after a limit of %" PRIu64, got.required_bytes,
                       limit);
            limit = got.required_bytes;
            assert_int_equal(QUERY(context, &(carom_bodies){.count = 0}, NULL, &got, &error), CAROM_OK);
        }
        carom_context_destroy(context);
    }
    note_check(status == CAROM_OK && failures > 1, "%" PRIu64 " failures, status %d", failures, (int)status);
}

/* Every request of a query is refused in turn: MEMORY, nothing leaks, and the next query works. */
static void test_every_request_fails(void **state) {
    (void)state;
    uint64_t n = 1;
    for (bool reached = true; reached; n++) {
        fault_allocator faults;
        fault_allocator_init(&faults);
        carom_context_config config = carom_context_config_default();
        carom_context *context = NULL;
        detection found = {0};
        answer got = {0};
        config.allocator = fault_allocator_get(&faults);
        assert_int_equal(carom_context_create(&config, &context, NULL), CAROM_OK);
        assert_int_equal(DETECT(context, &THREE, NULL, NULL, &found, NULL), CAROM_OK);
        const uint64_t before = faults.requests;
        fault_allocator_fail(&faults, n, n % 2 == 0);
        const carom_status status = QUERY(context, &THREE, NULL, &got, NULL);
        reached = faults.requests - before >= n;
        note_check(status == (reached ? CAROM_ERROR_MEMORY : CAROM_OK), "request %" PRIu64 ": status %d", n,
                   (int)status);
        note_check(reached == (got.required_bytes > 0), "request %" PRIu64 ": required_bytes", n);
        fault_allocator_fail(&faults, 0, false);
        assert_int_equal(QUERY(context, &THREE, NULL, &got, NULL), CAROM_OK);
        assert_int_equal(got.pair_count, 7);
        carom_context_destroy(context);
        assert_true(faults.live_blocks == 0 && faults.damages == 0);
    }
    note_check(n > 8, "only %" PRIu64 " requests", n);
}

int main(void) {
    note_start("test_query");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_scenes),       cmocka_unit_test(test_large_scenes),
                                       cmocka_unit_test(test_what_can_be_queried), cmocka_unit_test(test_what_stays),
                                       cmocka_unit_test(test_bad_arguments),       cmocka_unit_test(test_memory),
                                       cmocka_unit_test(test_every_request_fails)};
    return cmocka_run_group_tests_name("query", tests, make_contexts, isa_contexts_destroy);
}
