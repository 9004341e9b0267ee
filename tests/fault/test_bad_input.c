/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What a caller can get wrong in its bodies and arguments: each time a status that says so, the body and the field
 * named, the arrays untouched and the context as good as before. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/any_detect.h"
#include "tests/support/check.h"
#include "tests/support/guarded_output.h"
#include "tests/support/note.h"
#include "tests/support/random_scene.h"

enum { FIELDS = 7, ISAS_MOST = 8 };

static const char *const FIELD_NAMES[FIELDS] = {"prev_x", "prev_y", "prev_z", "curr_x", "curr_y", "curr_z", "radius"};

static any_bodies some_bodies(any_precision precision, uint64_t count) {
    carom_random random = carom_random_seeded(note_case_seed(count));
    random_scene scene = random_scene_make(RANDOM_UNIFORM_DENSE, count, true, &random);
    any_bodies bodies = any_bodies_make(precision, &scene.bodies);
    random_scene_release(&scene);
    return bodies;
}

/* The call with arrays of the caller's that have room for all it could find; on an error they are untouched. */
static any_result detect(carom_context *context, const any_bodies *bodies, const carom_detect_config *config) {
    guarded_output g = guarded_make(bodies->precision, 8 * bodies->f32.count, bodies->f32.count);
    any_result r = any_detect_bodies(context, bodies, config, &g.arrays);
    if (r.status == CAROM_OK) {
        guarded_check_filled(&g, &r);
    } else {
        guarded_check_untouched(&g);
    }
    guarded_release(&g);
    return r;
}

static void expect_body(carom_context *context, const any_bodies *bodies, carom_until until, uint64_t body,
                        const char *field) {
    carom_detect_config config = any_config_full();
    config.until = until;
    any_result r = detect(context, bodies, &config);
    char number[32];
    snprintf(number, sizeof number, "body %" PRIu64 ":", body);
    note_check(r.status == CAROM_ERROR_BODY && r.error.status == CAROM_ERROR_BODY, "status %s",
               carom_status_name(r.status));
    note_check(r.error.body == body, "body %" PRIu64 ", not %" PRIu64, r.error.body, body);
    note_check(strcmp(r.error.field, field) == 0, "another field is named in \"%s\"", r.error.message);
    note_check(strstr(r.error.message, number) != NULL && strstr(r.error.message, field) != NULL, "message \"%s\"",
               r.error.message);
    note_check(strchr(r.error.message, '\n') == NULL, "the message has a newline");
    note_check(r.summary.required_bytes == 0 && r.summary.required_pairs == 0, "sizes are asked for");
    any_result_release(&r);
}

static double value_of(const any_bodies *bodies, int field, uint64_t body) {
    uint64_t at = (uint64_t)field * bodies->f32.count + body;
    return bodies->precision == ANY_F32 ? (double)((const float *)bodies->memory)[at]
                                        : ((const double *)bodies->memory)[at];
}

static void spoil_each_field(carom_context *context, any_bodies *bodies, uint64_t body) {
    static const double values[] = {NAN, INFINITY, -INFINITY, -1e-30, -5};
    for (int field = 0; field < FIELDS; field++) {
        double before = value_of(bodies, field, body);
        for (size_t v = 0; v < (field == 6 ? 5 : 3); v++) {
            carom_until until = (carom_until)((v + (size_t)field) % 4);
            note_case(body, "%s: %s = %g", any_precision_name(bodies->precision), FIELD_NAMES[field], values[v]);
            any_bodies_set(bodies, field, body, values[v]);
            expect_body(context, bodies, until, body, FIELD_NAMES[field]);
        }
        any_bodies_set(bodies, field, body, before);
    }
}

/* Every field of the first, a middle and the last body, in vectors full and not. */
static void test_bad_body(void **state) {
    (void)state;
    static const uint64_t counts[] = {1, 2, 7, 16, 33, 100, 3001};
    for (uint32_t setting = 0; setting < 4; setting++) {
        any_precision precision = (any_precision)(setting % 2);
        carom_context *context = any_context(setting / 2 + 1, NULL);
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            any_bodies bodies = some_bodies(precision, counts[c]);
            spoil_each_field(context, &bodies, 0);
            spoil_each_field(context, &bodies, counts[c] / 2);
            spoil_each_field(context, &bodies, counts[c] - 1);
            any_result r = detect(context, &bodies, NULL);
            assert_int_equal(r.status, CAROM_OK);
            any_result_release(&r);
            any_bodies_release(&bodies);
        }
        carom_context_destroy(context);
    }
}

/* Every instruction set sees every kind of bad value in every lane. */
static void test_bad_body_on_every_isa(void **state) {
    (void)state;
    const char *isas[ISAS_MOST];
    size_t count = carom_isa_available(isas, ISAS_MOST);
    for (size_t isa = 0; isa < count; isa++) {
        carom_context *context = any_context(1, isas[isa]);
        for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
            any_bodies bodies = some_bodies(p, 37);
            for (uint64_t body = 0; body < 37; body++) {
                spoil_each_field(context, &bodies, body);
            }
            any_bodies_release(&bodies);
        }
        carom_context_destroy(context);
    }
}

/* Of several bad bodies the lowest is named, of its fields the first in the order prev, curr, radius. */
static void test_lowest_bad_body(void **state) {
    (void)state;
    carom_context *context = any_context(2, NULL);
    for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
        any_bodies bodies = some_bodies(p, 20000);
        note_case(0, "several bad bodies, %s", any_precision_name(p));
        any_bodies_set(&bodies, 0, 19999, NAN);
        any_bodies_set(&bodies, 6, 12345, -1);
        expect_body(context, &bodies, CAROM_UNTIL_GROUPS, 12345, "radius");
        any_bodies_set(&bodies, 5, 12345, INFINITY);
        expect_body(context, &bodies, CAROM_UNTIL_PAIRS, 12345, "curr_z");
        any_bodies_set(&bodies, 1, 12345, NAN);
        expect_body(context, &bodies, CAROM_UNTIL_BOUNDS, 12345, "prev_y");
        any_bodies_set(&bodies, 6, 3, NAN);
        expect_body(context, &bodies, CAROM_UNTIL_APPROACH, 3, "radius");
        any_bodies_release(&bodies);
    }
    carom_context_destroy(context);
}

/* Not bad: a radius of -0, the largest numbers there are, the smallest. */
static void test_unusual_but_good(void **state) {
    (void)state;
    carom_context *context = any_context(1, NULL);
    for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
        any_bodies bodies = some_bodies(p, 50);
        any_bodies_set(&bodies, 6, 0, -0.0);
        any_bodies_set(&bodies, 0, 1, 0x1.fffffep127);
        any_bodies_set(&bodies, 3, 2, -0x1.fffffep127);
        any_bodies_set(&bodies, 6, 3, 0x1.fffffep127);
        any_bodies_set(&bodies, 6, 4, 0x1p-149);
        any_result r = detect(context, &bodies, NULL);
        assert_int_equal(r.status, CAROM_OK);
        any_result_release(&r);
        any_bodies_release(&bodies);
    }
    carom_context_destroy(context);
}

static void expect_argument(carom_status status, const carom_error *error, const char *word) {
    note_case(0, "%s", word);
    note_check(status == CAROM_ERROR_ARGUMENT && error->status == CAROM_ERROR_ARGUMENT, "status %s",
               carom_status_name(status));
    note_check(error->body == UINT64_MAX && strcmp(error->field, "") == 0, "a body is blamed");
    note_check(strstr(error->message, word) != NULL, "message \"%s\"", error->message);
}

/* The message says which array is missing. */
static const char *const ARRAYS[FIELDS] = {"bodies.prev[0] is NULL", "bodies.prev[1] is NULL", "bodies.prev[2] is NULL",
                                           "bodies.curr[0] is NULL", "bodies.curr[1] is NULL", "bodies.curr[2] is NULL",
                                           "bodies.radius is NULL"};

static void test_null_arguments_f32(void **state) {
    (void)state;
    carom_context *context = any_context(1, NULL);
    any_bodies made = some_bodies(ANY_F32, 10);
    carom_detection_f32 d = {0};
    carom_error e;
    guarded_output g = guarded_make(ANY_F32, 100, 10);
    const carom_detect_output_f32 output = any_output_f32(&g.arrays);
    expect_argument(carom_detect_f32(NULL, &made.f32, NULL, &output, &d, &e), &e, "context");
    expect_argument(carom_detect_f32(context, NULL, NULL, &output, &d, &e), &e, "bodies");
    expect_argument(carom_detect_f32(context, &made.f32, NULL, &output, NULL, &e), &e, "detection");
    assert_int_equal(carom_detect_f32(NULL, NULL, NULL, NULL, NULL, NULL), CAROM_ERROR_ARGUMENT);
    for (int field = 0; field < FIELDS; field++) {
        carom_bodies_f32 bodies = made.f32;
        *(field < 3 ? &bodies.prev[field] : field < 6 ? &bodies.curr[field - 3] : &bodies.radius) = NULL;
        expect_argument(carom_detect_f32(context, &bodies, NULL, &output, &d, &e), &e, ARRAYS[field]);
    }
    assert_int_equal(carom_detect_f32(context, &made.f32, NULL, NULL, &d, NULL), CAROM_OK);
    carom_bodies_f32 none = {0};
    assert_int_equal(carom_detect_f32(context, &none, NULL, NULL, &d, &e), CAROM_OK);
    none.count = CAROM_BODIES_MAX + 1;
    expect_argument(carom_detect_f32(context, &none, NULL, &output, &d, &e), &e, "at most");
    guarded_check_untouched(&g);
    guarded_release(&g);
    any_bodies_release(&made);
    carom_context_destroy(context);
}

static void test_null_arguments_f64(void **state) {
    (void)state;
    carom_context *context = any_context(1, NULL);
    any_bodies made = some_bodies(ANY_F64, 10);
    carom_detection_f64 d = {0};
    carom_error e;
    guarded_output g = guarded_make(ANY_F64, 100, 10);
    const carom_detect_output_f64 output = any_output_f64(&g.arrays);
    expect_argument(carom_detect_f64(NULL, &made.f64, NULL, &output, &d, &e), &e, "context");
    expect_argument(carom_detect_f64(context, NULL, NULL, &output, &d, &e), &e, "bodies");
    expect_argument(carom_detect_f64(context, &made.f64, NULL, &output, NULL, &e), &e, "detection");
    for (int field = 0; field < FIELDS; field++) {
        carom_bodies_f64 bodies = made.f64;
        *(field < 3 ? &bodies.prev[field] : field < 6 ? &bodies.curr[field - 3] : &bodies.radius) = NULL;
        expect_argument(carom_detect_f64(context, &bodies, NULL, &output, &d, &e), &e, ARRAYS[field]);
    }
    carom_bodies_f64 none = {0};
    assert_int_equal(carom_detect_f64(context, &none, NULL, NULL, &d, &e), CAROM_OK);
    none.count = UINT64_MAX;
    expect_argument(carom_detect_f64(context, &none, NULL, &output, &d, &e), &e, "at most");
    guarded_check_untouched(&g);
    guarded_release(&g);
    any_bodies_release(&made);
    carom_context_destroy(context);
}

static void test_detect_config(void **state) {
    (void)state;
    carom_context *context = any_context(1, NULL);
    for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
        any_bodies bodies = some_bodies(p, 10);
        /* The members from margin on came later: a program that does not know them is right. */
        static const size_t sizes[] = {0, 1, offsetof(carom_detect_config, margin) - 1, 1 << 20, SIZE_MAX};
        for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
            carom_detect_config config = carom_detect_config_default();
            config.size = sizes[n];
            any_result r = detect(context, &bodies, &config);
            expect_argument(r.status, &r.error, "carom_detect_config.size");
        }
        carom_detect_config config = carom_detect_config_default();
        config.until = (carom_until)(CAROM_UNTIL_GROUPS + 1);
        any_result r = detect(context, &bodies, &config);
        expect_argument(r.status, &r.error, "config.until");
        config = carom_detect_config_default();
        config.reserved = 1;
        r = detect(context, &bodies, &config);
        expect_argument(r.status, &r.error, "config.reserved");
        config = carom_detect_config_default();
        config.reserved_bytes[5] = 1;
        r = detect(context, &bodies, &config);
        expect_argument(r.status, &r.error, "config.reserved_bytes[5]");
        any_bodies_release(&bodies);
    }
    carom_context_destroy(context);
}

static void in_turn(void *user, uint32_t count, carom_executor_task *task, void *task_data) {
    (void)user;
    for (uint32_t n = 0; n < count; n++) {
        task(task_data, n);
    }
}

static void *no_allocate(void *user, size_t bytes, size_t alignment) {
    (void)user;
    (void)bytes;
    (void)alignment;
    return NULL;
}

static void expect_no_context(const carom_context_config *config, const char *word) {
    int dummy = 0;
    carom_context *context = (carom_context *)(void *)&dummy;
    carom_error error;
    carom_status status = carom_context_create(config, &context, &error);
    expect_argument(status, &error, word);
    assert_null(context);
    assert_int_equal(carom_context_create(config, &context, NULL), CAROM_ERROR_ARGUMENT);
}

static void test_context_config(void **state) {
    (void)state;
    carom_error error;
    expect_argument(carom_context_create(NULL, NULL, &error), &error, "context");
    carom_context_config config = carom_context_config_default();
    config.size = 4;
    expect_no_context(&config, "carom_context_config.size");
    config = carom_context_config_default();
    config.threads = CAROM_THREADS_MAX + 1;
    expect_no_context(&config, "config.threads");
    config = carom_context_config_default();
    config.allocator.allocate = no_allocate;
    expect_no_context(&config, "allocator");
    carom_context_destroy(NULL);
}

/* Of the structs that a call only writes or only reads the data of. */
static void test_sizes(void **state) {
    (void)state;
    carom_context *context = any_context(1, NULL);
    any_bodies made = some_bodies(ANY_F32, 10);
    carom_bodies_f32 bodies = made.f32;
    carom_detection_f32 d = {.size = 7};
    carom_detect_output_f32 output = {.size = 7};
    carom_error e;
    expect_argument(carom_detect_f32(context, &bodies, NULL, NULL, &d, &e), &e, "carom_detection_f32.size is 7");
    d.size = sizeof d;
    expect_argument(carom_detect_f32(context, &bodies, NULL, &output, &d, &e), &e, "carom_detect_output_f32.size is 7");
    bodies.size = 7;
    expect_argument(carom_detect_f32(context, &bodies, NULL, NULL, &d, &e), &e, "carom_bodies_f32.size is 7");
    bodies.size = sizeof bodies;
    output.size = sizeof output;
    assert_int_equal(carom_detect_f32(context, &bodies, NULL, &output, &d, &e), CAROM_OK);
    assert_true(d.size == sizeof d && d.groups.label != NULL);
    any_bodies_release(&made);
    carom_context_destroy(context);
}

/* An executor says how many workers a context has, unless its config does. */
static void test_concurrency(void **state) {
    (void)state;
    static const uint32_t wanted[][3] = {{0, 3, 3}, {2, 3, 2}, {0, CAROM_THREADS_MAX + 1, CAROM_THREADS_MAX}};
    for (size_t n = 0; n < sizeof wanted / sizeof wanted[0]; n++) {
        carom_context_config config = carom_context_config_default();
        carom_context *context = NULL;
        config.threads = wanted[n][0];
        config.executor.parallel_for = in_turn;
        config.executor.concurrency = wanted[n][1];
        assert_int_equal(carom_context_create(&config, &context, NULL), CAROM_OK);
        assert_int_equal(carom_context_threads(context), wanted[n][2]);
        carom_context_destroy(context);
    }
}

static void expect_isa_error(const char *in_config, const char *name) {
    carom_context_config config = carom_context_config_default();
    config.isa = in_config;
    carom_context *context = (carom_context *)(void *)&config;
    carom_error error;
    note_case(0, "ISA \"%s\"", name);
    note_check(carom_context_create(&config, &context, &error) == CAROM_ERROR_ISA, "no ISA error");
    assert_null(context);
    const char *isas[ISAS_MOST];
    size_t count = carom_isa_available(isas, ISAS_MOST);
    for (size_t n = 0; n < count; n++) {
        note_check(strstr(error.message, isas[n]) != NULL, "%s is not listed in \"%s\"", isas[n], error.message);
    }
    note_check(strstr(error.message, name) != NULL, "the name is not in \"%s\"", error.message);
    note_check(strstr(error.message, in_config != NULL ? "config.isa" : "CAROM_ISA") != NULL, "source: \"%s\"",
               error.message);
}

/* A name that is unknown is an error that lists the known ones, wherever it comes from; never a silent fallback. */
static void test_isa_names(void **state) {
    (void)state;
    const char *isas[ISAS_MOST];
    size_t count = carom_isa_available(isas, ISAS_MOST);
    assert_true(count >= 1 && strcmp(isas[count - 1], "scalar") == 0);
    unsetenv("CAROM_ISA");
    expect_isa_error("sse9", "sse9");
    expect_isa_error("AVX2", "AVX2");
    expect_isa_error("", "");
    setenv("CAROM_ISA", "mmx", 1);
    expect_isa_error(NULL, "mmx");
    expect_isa_error("sse9", "sse9");
    carom_context *context = any_context(1, "scalar"); /* the config's name goes before the environment's */
    assert_string_equal(carom_context_isa(context), "scalar");
    carom_context_destroy(context);
    for (size_t n = 0; n < count; n++) {
        setenv("CAROM_ISA", isas[n], 1);
        context = any_context(1, NULL);
        assert_string_equal(carom_context_isa(context), isas[n]);
        carom_context_destroy(context);
    }
    setenv("CAROM_ISA", "", 1);
    context = any_context(1, NULL);
    assert_string_equal(carom_context_isa(context), isas[0]);
    carom_context_destroy(context);
    unsetenv("CAROM_ISA");
}

int main(void) {
    note_start("tests/fault/test_bad_input");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_body),
        cmocka_unit_test(test_bad_body_on_every_isa),
        cmocka_unit_test(test_lowest_bad_body),
        cmocka_unit_test(test_unusual_but_good),
        cmocka_unit_test(test_null_arguments_f32),
        cmocka_unit_test(test_null_arguments_f64),
        cmocka_unit_test(test_detect_config),
        cmocka_unit_test(test_context_config),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_concurrency),
        cmocka_unit_test(test_isa_names),
    };
    return cmocka_run_group_tests_name("bad input", tests, NULL, NULL);
}
