/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies in every layout give what packed ones do, to the bit: arrays of points and of structs, bodies at rest without
 * curr, one radius for all. Every stage that a call may stop after, counts alone, sinks, periodic boxes, filters, step
 * after step; all instruction sets, one thread and three. Guards, too, that nothing before the first value or beyond
 * the last is read, that errors name the same body and field, and that bad strides are refused. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "tests/support/any_coherent.h"
#include "tests/support/basket.h"
#include "tests/support/check.h"
#include "tests/support/isa_contexts.h"
#include "tests/support/layouts.h"
#include "tests/support/note.h"
#include "tests/support/random_scene.h"

enum { CASES = 69, STEP_CASES = 16, STEPS = 12, BAD_CASES = 60, FIELDS = 7 };

/* A scene and what of it a layout may leave out. */
typedef struct subject {
    random_scene scene;
    any_bodies packed;
    bool rest;
    bool common;
} subject;

static subject make_subject(uint64_t number, uint64_t count, carom_random *random) {
    const any_precision precision = number % 2 == 0 ? ANY_F32 : ANY_F64;
    subject s = {.rest = carom_random_next(random) % 4 == 0, .common = carom_random_next(random) % 4 == 0};
    s.scene = random_scene_make((random_scene_kind)(number % RANDOM_KINDS), count, precision == ANY_F32, random);
    const double radius = count > 0 && s.scene.field[6][0] > 0 ? s.scene.field[6][0] : 0.5;
    for (uint64_t n = 0; n < count; n++) {
        for (int a = 0; a < 3 && s.rest; a++) {
            s.scene.field[a + 3][n] = s.scene.field[a][n];
        }
        s.scene.field[6][n] = s.common ? radius : s.scene.field[6][n];
    }
    s.packed = any_bodies_make(precision, &s.scene.bodies);
    return s;
}

static void release_subject(subject *s) {
    any_bodies_release(&s->packed);
    random_scene_release(&s->scene);
}

/* Small scenes of every size near that of a vector, some of thousands, and a few whose records are written past the
 * cache. */
static uint64_t draw_count(uint64_t number, carom_random *random) {
    return number % 37 == 7 ? 40000 : number % 5 == 0 ? 3000 : carom_random_next(random) % 150;
}

static bool accepts(void *user, uint32_t i, uint32_t k) {
    (void)user;
    return (i ^ k) % 5 != 3;
}

static carom_detect_config draw_config(carom_random *random, const carom_filter *filter) {
    carom_detect_config config = any_config_full();
    const uint64_t bits = carom_random_next(random);
    config.until = (carom_until)(bits % 4);
    config.count_only = bits / 4 % 4 == 0;
    config.method = (carom_method)(bits / 16 % 5);
    config.filter = bits / 128 % 4 == 0 ? filter : NULL;
    config.neighbours = bits / 512 % 4 == 0 && !config.count_only ? CAROM_NEIGHBOURS_HALF : CAROM_NEIGHBOURS_NONE;
    return config;
}

/* A box around the range of the bodies, with room for the largest. */
static carom_periodic box_of(const subject *s) {
    carom_periodic box = carom_periodic_default();
    for (int a = 0; a < 3; a++) {
        double most = 1;
        for (uint64_t n = 0; n < s->scene.bodies.count; n++) {
            most = fmax(most, fabs(s->scene.field[a][n]) + fabs(s->scene.field[a + 3][n]) + s->scene.field[6][n]);
        }
        box.along[a] = a != 1;
        box.edge[a][a] = 2.5 * most;
    }
    return box;
}

/* Every layout, in every context, against the packed bodies in the first. */
static void check_layouts(const subject *s, const carom_detect_config *config, bool sink) {
    any_result expected = any_detect_bodies(isa_contexts[0], &s->packed, config, NULL);
    for (layout_form form = LAYOUT_PACKED; form < LAYOUT_FORMS; form++) {
        layout l = layout_make(&s->packed, form, s->rest, s->common, form % 3 != 0);
        for (uint64_t c = 0; c < isa_context_count; c++) {
            any_result r = any_detect_bodies(isa_contexts[c], &l.bodies, config, NULL);
            note_check(r.status == expected.status && any_result_same(&r, &expected), "%s%s%s, %s: other results (%s)",
                       layout_name(form), s->rest ? ", at rest" : "", s->common ? ", one radius" : "",
                       carom_context_isa(isa_contexts[c]), carom_status_name(r.status));
            if (sink && expected.status == CAROM_OK) {
                basket_check_call(isa_contexts[c], &l.bodies, config, &expected);
            }
            any_result_release(&r);
        }
        layout_release(&l);
    }
    any_result_release(&expected);
}

static void run_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    carom_filter filter = carom_filter_default();
    filter.accepts = accepts;
    subject s = make_subject(number, draw_count(number, &random), &random);
    carom_detect_config config = draw_config(&random, &filter);
    const carom_periodic box = box_of(&s);
    config.periodic = carom_random_next(&random) % 3 == 0 ? &box : NULL;
    const bool sink = number % 4 == 1 && !config.count_only && config.until != CAROM_UNTIL_BOUNDS;
    if (sink) {
        config.sort_pairs = false;
        config.neighbours = CAROM_NEIGHBOURS_NONE;
    }
    note_case(number, "%s, %" PRIu64 " bodies, %s, until %d, method %d%s",
              random_scene_name((random_scene_kind)(number % RANDOM_KINDS)), s.scene.bodies.count,
              any_precision_name(s.packed.precision), (int)config.until, (int)config.method,
              config.periodic != NULL ? ", in a box" : "");
    check_layouts(&s, &config, sink);
    release_subject(&s);
}

static bool is_asked_for(uint64_t number) {
    return note_only_case() == UINT64_MAX || note_only_case() == number;
}

static void test_layouts(void **state) {
    (void)state;
    for (uint64_t number = 0; number < note_cases(CASES); number++) {
        if (is_asked_for(number)) {
            run_case(number);
        }
    }
}

/* The next step: bodies go on, and now and then one jumps out of its fat box. */
static void move_on(subject *s, carom_random *random) {
    for (uint64_t n = 0; n < s->scene.bodies.count; n++) {
        const bool jumps = carom_random_next(random) % 400 == 0;
        for (int a = 0; a < 3; a++) {
            const double prev = s->scene.field[a][n];
            const double curr = s->scene.field[a + 3][n];
            const double next = (double)(float)(curr + 0.2 * (curr - prev) + (jumps ? 1.5 : 0.0));
            s->scene.field[a][n] = s->rest ? next : curr;
            s->scene.field[a + 3][n] = next;
        }
    }
    const any_precision precision = s->packed.precision;
    any_bodies_release(&s->packed);
    s->packed = any_bodies_make(precision, &s->scene.bodies);
}

static bool same_report(const carom_coherent_report *a, const carom_coherent_report *b) {
    return a->rebuilt == b->rebuilt && a->escapes == b->escapes && a->candidates == b->candidates &&
           a->begun == b->begun && a->ended == b->ended;
}

/* The same steps, kept from packed bodies and from others; layouts may change from step to step. */
static void run_steps(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(CASES + number));
    carom_context *context = isa_contexts[number % isa_context_count];
    subject s = make_subject(number, 600 + carom_random_next(&random) % 600, &random);
    any_coherent packed = any_coherent_start(isa_contexts[0], s.packed.precision);
    any_coherent other = any_coherent_start(context, s.packed.precision);
    const carom_detect_config config = any_config_full();
    uint64_t followed = 0;
    note_case(CASES + number, "steps, %s, %s, %s", random_scene_name((random_scene_kind)(number % RANDOM_KINDS)),
              any_precision_name(s.packed.precision), carom_context_isa(context));
    for (uint64_t step = 0; step < STEPS; step++) {
        const layout_form form = (layout_form)((number + step / 4) % LAYOUT_FORMS);
        layout l = layout_make(&s.packed, form, s.rest, s.common, step % 2 == 0);
        carom_coherent_report reports[2] = {{.size = 0}};
        any_result expected = any_coherent_step(&packed, &s.packed, &config, &reports[0]);
        any_result r = any_coherent_step(&other, &l.bodies, &config, &reports[1]);
        note_check(r.status == expected.status && any_result_same(&r, &expected), "step %" PRIu64 ", %s: other results",
                   step, layout_name(form));
        note_check(same_report(&reports[0], &reports[1]), "step %" PRIu64 ", %s: another report", step,
                   layout_name(form));
        followed += !reports[1].rebuilt;
        any_result_release(&expected);
        any_result_release(&r);
        layout_release(&l);
        move_on(&s, &random);
    }
    note_check(followed > 0 || number % RANDOM_KINDS != RANDOM_UNIFORM_DENSE, "no step follows: the test is empty");
    any_coherent_stop(&packed);
    any_coherent_stop(&other);
    release_subject(&s);
}

static void test_steps(void **state) {
    (void)state;
    for (uint64_t number = 0; number < STEP_CASES; number++) {
        if (is_asked_for(CASES + number)) {
            run_steps(number);
        }
    }
}

/* A bad value anywhere: the same words as for packed bodies. */
static void run_bad(uint64_t number) {
    static const double values[] = {NAN, INFINITY, -INFINITY, -1};
    carom_random random = carom_random_seeded(note_case_seed(2 * CASES + number));
    const uint64_t count = 1 + carom_random_next(&random) % 80;
    subject s = make_subject(2 * (number % 2) + number / 2 % 2, count, &random);
    const uint64_t body = carom_random_next(&random) % count;
    const int field = (int)(carom_random_next(&random) % FIELDS);
    const double value = values[carom_random_next(&random) % (field == 6 ? 4 : 3)];
    note_case(2 * CASES + number, "body %" PRIu64 " of %" PRIu64 ", field %d is %g", body, count, field, value);
    any_bodies_set(&s.packed, field, body, value);
    any_result expected = any_detect_bodies(isa_contexts[0], &s.packed, NULL, NULL);
    note_check(expected.status == CAROM_ERROR_BODY, "a bad body is accepted");
    for (layout_form form = LAYOUT_PACKED; form < LAYOUT_FORMS; form++) {
        layout l = layout_make(&s.packed, form, false, false, form % 2 == 0);
        for (uint64_t c = 0; c < isa_context_count; c++) {
            any_result r = any_detect_bodies(isa_contexts[c], &l.bodies, NULL, NULL);
            note_check(r.status == CAROM_ERROR_BODY && r.error.body == body &&
                           strcmp(r.error.field, expected.error.field) == 0 &&
                           strcmp(r.error.message, expected.error.message) == 0,
                       "%s: \"%s\", not \"%s\"", layout_name(form), r.error.message, expected.error.message);
        }
        layout_release(&l);
    }
    release_subject(&s);
}

static void test_bad_bodies(void **state) {
    (void)state;
    for (uint64_t number = 0; number < note_cases(BAD_CASES); number++) {
        if (is_asked_for(2 * CASES + number)) {
            run_bad(number);
        }
    }
}

/* One radius that no body may have is the first body's fault, as in an array of them. */
static void test_bad_common_radius(void **state) {
    (void)state;
    static const float values[] = {NAN, INFINITY, -2};
    const float x[3] = {0, 5, 9};
    for (size_t n = 0; n < sizeof values / sizeof values[0]; n++) {
        const carom_bodies_f32 bodies = {.count = 3, .prev = {x, x, x}, .common_radius = values[n]};
        carom_detection_f32 d = {0};
        carom_error e;
        note_case(0, "all radii are %g", (double)values[n]);
        assert_int_equal(carom_detect_f32(isa_contexts[0], &bodies, NULL, NULL, &d, &e), CAROM_ERROR_BODY);
        assert_true(e.body == 0);
        assert_string_equal(e.field, "radius");
    }
}

static void expect_refusal(const carom_bodies_f32 *bodies, const char *word) {
    carom_detection_f32 d = {0};
    carom_error e;
    note_case(0, "%s", word);
    note_check(carom_detect_f32(isa_contexts[0], bodies, NULL, NULL, &d, &e) == CAROM_ERROR_ARGUMENT, "not refused");
    note_check(strstr(e.message, word) != NULL, "message \"%s\"", e.message);
}

/* Each is refused with words that name the field, in cold detection; steps share the check. */
static void test_arguments(void **state) {
    (void)state;
    static const uint64_t strides[] = {1, 2, 3, 6, 13, (uint64_t)-12, (uint64_t)PTRDIFF_MAX / 4 * 4, UINT64_MAX};
    static const char *const names[3] = {"bodies.prev_stride", "bodies.curr_stride", "bodies.radius_stride"};
    const float x[12] = {0};
    const carom_bodies_f32 good = {.count = 2, .prev = {x, x + 1, x + 2}, .curr = {x, x, x}, .radius = x};
    for (int which = 0; which < 3; which++) {
        for (size_t n = 0; n < sizeof strides / sizeof strides[0]; n++) {
            carom_bodies_f32 bodies = good;
            *(which == 0 ? &bodies.prev_stride : which == 1 ? &bodies.curr_stride : &bodies.radius_stride) = strides[n];
            expect_refusal(&bodies, names[which]);
        }
    }
    carom_bodies_f32 bodies = good;
    bodies.common_radius = 1;
    expect_refusal(&bodies, "bodies.radius and bodies.common_radius");
    bodies.radius = NULL;
    bodies.common_radius = 0;
    expect_refusal(&bodies, "bodies.common_radius is 0");
    bodies = good;
    bodies.curr[2] = NULL;
    expect_refusal(&bodies, "bodies.curr[2] is NULL, but");
    bodies.curr[1] = NULL;
    expect_refusal(&bodies, "but bodies.curr[0] is not");
    bodies.prev[0] = NULL;
    expect_refusal(&bodies, "bodies.prev[0] is NULL");
}

/* Whatever the strides of arrays are that are not given. */
static void test_unused_strides(void **state) {
    (void)state;
    const float x[3] = {0, 3, 4};
    const carom_bodies_f32 bodies = {
        .count = 3, .prev = {x, x, x}, .curr_stride = 13, .radius_stride = UINT64_MAX, .common_radius = 1};
    carom_detection_f32 d = {0};
    for (uint64_t c = 0; c < isa_context_count; c++) {
        assert_int_equal(carom_detect_f32(isa_contexts[c], &bodies, NULL, NULL, &d, NULL), CAROM_OK);
        assert_int_equal(d.pair_count, 1);
        assert_int_equal(d.contacts.i[0], 1);
        assert_int_equal(d.contacts.k[0], 2);
    }
}

static int start(void **state) {
    static const uint32_t threads[] = {1, 3};
    (void)state;
    return isa_contexts_make(threads, 2);
}

int main(void) {
    note_start("tests/prop/test_layouts");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_layouts),    cmocka_unit_test(test_steps),
                                       cmocka_unit_test(test_bad_bodies), cmocka_unit_test(test_bad_common_radius),
                                       cmocka_unit_test(test_arguments),  cmocka_unit_test(test_unused_strides)};
    return cmocka_run_group_tests_name("layouts", tests, start, isa_contexts_destroy);
}
