/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What a caller can get wrong in a filter, a sink or a list of neighbours: a status that says so, the body and the
 * field named, output untouched, the sink never called, the context as good as before. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/any_detect.h"
#include "tests/support/check.h"
#include "tests/support/guarded_output.h"
#include "tests/support/note.h"
#include "tests/support/random_scene.h"

enum { BODIES = 5000 };

static any_bodies some_bodies(any_precision precision) {
    carom_random random = carom_random_seeded(note_case_seed(BODIES));
    random_scene scene = random_scene_make(RANDOM_UNIFORM_DENSE, BODIES, true, &random);
    any_bodies bodies = any_bodies_make(precision, &scene.bodies);
    random_scene_release(&scene);
    return bodies;
}

/* A context and bodies in each precision, with one and with two threads. */
typedef struct bench {
    carom_context *context;
    any_bodies bodies;
} bench;

static bench bench_make(int setting) {
    return (bench){any_context((uint32_t)setting / 2 + 1, NULL), some_bodies((any_precision)(setting % 2))};
}

static void bench_release(bench *b) {
    any_bodies_release(&b->bodies);
    carom_context_destroy(b->context);
}

/* The call fails, and writes to none of the caller's arrays: those of `output`, or, if NULL, all there are. */
static any_result detect(const bench *b, const carom_detect_config *config, const any_output *output) {
    guarded_output g = guarded_make(b->bodies.precision, 4 * BODIES, BODIES);
    any_output given = output != NULL ? *output : g.arrays;
    given.label = g.arrays.label;
    any_result r = any_detect_bodies(b->context, &b->bodies, config, &given);
    guarded_check_untouched(&g);
    guarded_release(&g);
    return r;
}

static void expect_argument(const bench *b, const carom_detect_config *config, const any_output *output,
                            const char *word) {
    any_result r = detect(b, config, output);
    note_check(r.status == CAROM_ERROR_ARGUMENT && r.error.status == CAROM_ERROR_ARGUMENT, "%s: status %s", word,
               carom_status_name(r.status));
    note_check(r.error.body == UINT64_MAX && strcmp(r.error.field, "") == 0, "%s: a body is blamed", word);
    note_check(strstr(r.error.message, word) != NULL, "message \"%s\" without %s", r.error.message, word);
    any_result_release(&r);
}

static void test_filter_size(void **state) {
    (void)state;
    static const size_t sizes[] = {0, sizeof(carom_filter) - 1, 1 << 20, SIZE_MAX};
    for (int setting = 0; setting < 4; setting++) {
        bench b = bench_make(setting);
        for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
            carom_filter filter = carom_filter_default();
            carom_detect_config config = carom_detect_config_default();
            config.filter = &filter;
            filter.size = sizes[n];
            expect_argument(&b, &config, NULL, "carom_filter.size");
        }
        bench_release(&b);
    }
}

/* Rows of exclusions: two to a body, itself and the next. */
typedef struct rows {
    uint64_t offset[BODIES + 1];
    uint32_t excluded[2 * BODIES];
    carom_filter filter;
} rows;

static void rows_make(rows *r) {
    for (uint32_t n = 0; n < BODIES; n++) {
        r->offset[n] = 2 * (uint64_t)n;
        r->excluded[2 * n] = n;
        r->excluded[2 * n + 1] = n + 1 < BODIES ? n + 1 : 0;
    }
    r->offset[BODIES] = 2 * (uint64_t)BODIES;
    r->filter = carom_filter_default();
    r->filter.exclusion_offset = r->offset;
    r->filter.excluded = r->excluded;
}

static void expect_row(const bench *b, const rows *lists, carom_until until, uint64_t body, const char *field) {
    carom_detect_config config = any_config_full();
    config.until = until;
    config.filter = &lists->filter;
    any_result r = detect(b, &config, NULL);
    char number[32];
    snprintf(number, sizeof number, "body %" PRIu64 ":", body);
    note_check(r.status == CAROM_ERROR_BODY && r.error.status == CAROM_ERROR_BODY, "%s: status %s", field,
               carom_status_name(r.status));
    note_check(r.error.body == body, "body %" PRIu64 ", not %" PRIu64, r.error.body, body);
    note_check(strcmp(r.error.field, field) == 0, "another field is named in \"%s\"", r.error.message);
    note_check(strstr(r.error.message, number) != NULL && strstr(r.error.message, field) != NULL, "message \"%s\"",
               r.error.message);
    any_result_release(&r);
}

/* The lowest bad row is named, offsets first; a row is not read beyond what good offsets say. */
static void test_bad_rows(void **state) {
    (void)state;
    static rows r;
    for (int setting = 0; setting < 4; setting++) {
        bench b = bench_make(setting);
        for (int until = CAROM_UNTIL_BOUNDS; until <= CAROM_UNTIL_GROUPS; until++) {
            note_case((uint64_t)(setting * 4 + until), "bad exclusions");
            rows_make(&r);
            r.excluded[2 * 4999 + 1] = BODIES;
            expect_row(&b, &r, (carom_until)until, 4999, "excluded");
            r.excluded[2 * 17] = UINT32_MAX;
            expect_row(&b, &r, (carom_until)until, 17, "excluded");
            r.offset[4321] = UINT64_MAX;
            expect_row(&b, &r, (carom_until)until, 4321, "exclusion_offset");
            r.offset[5] = 3;
            expect_row(&b, &r, (carom_until)until, 4, "exclusion_offset");
            r.offset[0] = UINT64_MAX / 2;
            expect_row(&b, &r, (carom_until)until, 0, "exclusion_offset");
        }
        rows_make(&r);
        carom_detect_config config = carom_detect_config_default();
        config.filter = &r.filter;
        any_result good = any_detect_bodies(b.context, &b.bodies, &config, NULL);
        note_check(good.status == CAROM_OK && good.pair_count > 0, "%s", good.error.message);
        any_result_release(&good);
        bench_release(&b);
    }
}

/* A bad body goes before a bad row. */
static void test_body_before_row(void **state) {
    (void)state;
    static rows r;
    for (int setting = 0; setting < 4; setting++) {
        bench b = bench_make(setting);
        rows_make(&r);
        r.excluded[0] = BODIES + 7;
        any_bodies_set(&b.bodies, 6, 4000, -1);
        note_case((uint64_t)setting, "a bad body and a bad row");
        expect_row(&b, &r, CAROM_UNTIL_GROUPS, 4000, "radius");
        any_bodies_set(&b.bodies, 6, 4000, 1);
        expect_row(&b, &r, CAROM_UNTIL_GROUPS, 0, "excluded");
        bench_release(&b);
    }
}

static void test_half_an_exclusion_list(void **state) {
    (void)state;
    static rows r;
    for (int setting = 0; setting < 4; setting++) {
        bench b = bench_make(setting);
        carom_detect_config config = carom_detect_config_default();
        config.filter = &r.filter;
        rows_make(&r);
        r.filter.exclusion_offset = NULL;
        expect_argument(&b, &config, NULL, "filter.excluded");
        rows_make(&r);
        r.filter.excluded = NULL;
        expect_argument(&b, &config, NULL, "filter.excluded");
        memset(r.offset, 0, sizeof r.offset); /* no row has a member: nothing to read */
        any_result good = any_detect_bodies(b.context, &b.bodies, &config, NULL);
        note_check(good.status == CAROM_OK, "%s", good.error.message);
        any_result_release(&good);
        bench_release(&b);
    }
}

static uint64_t blocks_seen;

static bool see_f32(void *user, const carom_block_f32 *block) {
    (void)user;
    (void)block;
    blocks_seen++;
    return true;
}

static bool see_f64(void *user, const carom_block_f64 *block) {
    (void)user;
    (void)block;
    blocks_seen++;
    return true;
}

static void test_neighbours(void **state) {
    (void)state;
    for (int setting = 0; setting < 4; setting++) {
        bench b = bench_make(setting);
        carom_detect_config config = carom_detect_config_default();
        config.neighbours = (carom_neighbour_list)(CAROM_NEIGHBOURS_FULL + 1);
        expect_argument(&b, &config, NULL, "config.neighbours");
        config.neighbours = CAROM_NEIGHBOURS_HALF;
        config.count_only = true;
        expect_argument(&b, &config, NULL, "config.neighbours");
        config.count_only = false;
        config.until = CAROM_UNTIL_BOUNDS; /* no pairs yet: no lists, no error */
        any_result r = any_detect_bodies(b.context, &b.bodies, &config, NULL);
        note_check(r.status == CAROM_OK && r.neighbour_offset == NULL, "neighbours after the bounds");
        any_result_release(&r);
        bench_release(&b);
    }
}

/* Each of the pair arrays, and all options that need pairs stored. */
static void test_sink(void **state) {
    (void)state;
    for (int setting = 0; setting < 4; setting++) {
        bench b = bench_make(setting);
        const any_output sink = {.sink_f32 = see_f32, .sink_f64 = see_f64};
        double array[1] = {0};
        carom_detect_config config = carom_detect_config_default();
        blocks_seen = 0;
        for (int n = -2; n < ANY_FIELDS + 3; n++) {
            any_output output = sink;
            output.pair_capacity = UINT64_MAX;
            output.rows.i = n == -2 ? (uint32_t *)(void *)array : NULL;
            output.rows.k = n == -1 ? (uint32_t *)(void *)array : NULL;
            if (n >= ANY_FIELDS) {
                output.rows.shift[n - ANY_FIELDS] = (int32_t *)(void *)array;
            } else if (n >= 0) {
                output.rows.field[n] = array;
            }
            note_case((uint64_t)setting, "a sink and pair array %d", n + 2);
            expect_argument(&b, &config, &output, "output.sink");
        }
        config.sort_pairs = true;
        expect_argument(&b, &config, &sink, "sort_pairs");
        config = carom_detect_config_default();
        config.count_only = true;
        expect_argument(&b, &config, &sink, "count_only");
        config = carom_detect_config_default();
        config.neighbours = CAROM_NEIGHBOURS_HALF;
        expect_argument(&b, &config, &sink, "neighbours");
        config = carom_detect_config_default();
        any_bodies_set(&b.bodies, 6, 3, -1);
        any_result bad = detect(&b, &config, &sink);
        note_check(bad.status == CAROM_ERROR_BODY, "status %s", carom_status_name(bad.status));
        any_result_release(&bad);
        any_bodies_set(&b.bodies, 6, 3, 1);
        config.until = CAROM_UNTIL_BOUNDS;
        any_result bounds = any_detect_bodies(b.context, &b.bodies, &config, &sink);
        note_check(bounds.status == CAROM_OK && blocks_seen == 0, "the sink was called");
        any_result_release(&bounds);
        assert_float_equal(array[0], 0, 0);
        bench_release(&b);
    }
}

static void expect_step(const bench *b, const carom_detect_config *config, const carom_detect_output_f32 *output,
                        carom_status status, const char *word) {
    carom_coherent_f32 *coherent;
    carom_coherent_report report = {0};
    carom_detection_f32 found = {0};
    carom_error error;
    assert_int_equal(carom_coherent_create_f32(b->context, NULL, &coherent, NULL), CAROM_OK);
    carom_status got = carom_coherent_detect_f32(coherent, &b->bodies.f32, config, output, &found, &report, &error);
    note_check(got == status && error.status == status, "%s: status %s", word, carom_status_name(got));
    note_check(strstr(error.message, word) != NULL, "message \"%s\" without %s", error.message, word);
    note_check(report.candidates == 0 && found.pair_count == 0, "%s: results of a step that failed", word);
    carom_coherent_destroy_f32(coherent);
}

/* Coherent steps refuse the same, and boxes in which bodies meet their own images. */
static void test_coherent_steps(void **state) {
    (void)state;
    for (int setting = 0; setting < 4; setting += 2) {
        bench b = bench_make(setting);
        int32_t shift[1];
        carom_filter filter = carom_filter_default();
        carom_periodic box = {.size = sizeof box, .along = {true}, .edge = {{9, 0, 0}}, .self_images = true};
        const carom_detect_output_f32 sink = {.sink = see_f32};
        const carom_detect_output_f32 both = {.sink = see_f32, .contacts.shift = {shift}};
        carom_detect_config config = carom_detect_config_default();
        note_case((uint64_t)setting, "coherent steps");
        blocks_seen = 0;
        expect_step(&b, &config, &both, CAROM_ERROR_ARGUMENT, "output.sink");
        config.sort_pairs = true;
        expect_step(&b, &config, &sink, CAROM_ERROR_ARGUMENT, "sort_pairs");
        config = carom_detect_config_default();
        config.neighbours = CAROM_NEIGHBOURS_FULL;
        expect_step(&b, &config, &sink, CAROM_ERROR_ARGUMENT, "neighbours");
        config = carom_detect_config_default();
        config.periodic = &box;
        expect_step(&b, &config, &sink, CAROM_ERROR_ARGUMENT, "self_images");
        config.periodic = NULL;
        config.filter = &filter;
        filter.size = 1;
        expect_step(&b, &config, NULL, CAROM_ERROR_ARGUMENT, "filter.size");
        filter = carom_filter_default();
        any_bodies_set(&b.bodies, 6, 3, -1);
        expect_step(&b, &config, &sink, CAROM_ERROR_BODY, "radius");
        note_check(blocks_seen == 0, "the sink was called");
        bench_release(&b);
    }
}

/* No bodies at all: whatever is asked for, nothing is looked at. */
static void test_no_bodies(void **state) {
    (void)state;
    carom_context *context = any_context(1, NULL);
    carom_filter filter = carom_filter_default();
    uint64_t offset = 12;
    filter.exclusion_offset = &offset;
    carom_detect_config config = carom_detect_config_default();
    config.filter = &filter;
    config.neighbours = CAROM_NEIGHBOURS_FULL;
    carom_bodies_f32 none = {0};
    carom_detection_f32 d = {0};
    assert_int_equal(carom_detect_f32(context, &none, &config, NULL, &d, NULL), CAROM_OK);
    assert_null(d.neighbours.offset);
    carom_context_destroy(context);
}

int main(void) {
    note_start("tests/fault/test_consumer_arguments");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_filter_size),     cmocka_unit_test(test_bad_rows),
        cmocka_unit_test(test_body_before_row), cmocka_unit_test(test_half_an_exclusion_list),
        cmocka_unit_test(test_neighbours),      cmocka_unit_test(test_sink),
        cmocka_unit_test(test_coherent_steps),  cmocka_unit_test(test_no_bodies),
    };
    return cmocka_run_group_tests_name("consumer arguments", tests, NULL, NULL);
}
