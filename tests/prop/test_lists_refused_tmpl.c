/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What neighbour lists refuse, and what they say of it. Compiled once for each precision. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "carom/lists.h"
#include "kernel/scene/random.h"
#include "simd/precision.h"
#include "tests/support/check.h"
#include "tests/support/isa_contexts.h"
#include "tests/support/note.h"

#define LISTS CAROM_REAL(carom_lists)

static int make_contexts(void **state) {
    static const uint32_t threads[] = {1, 2, 5};
    (void)state;
    return isa_contexts_make(threads, sizeof threads / sizeof threads[0]);
}

static void expect(carom_status status, carom_status wanted, const carom_error *error, const char *part) {
    note_check(status == wanted && strstr(error->message, part) != NULL, "%s: '%s' without '%s'",
               carom_status_name(status), error->message, part);
}

static void test_arguments(void **state) {
    (void)state;
    carom_real x[3] = {0, 1, 2};
    carom_bodies bodies = {.size = sizeof bodies, .count = 3, .prev = {x, x, x}, .common_radius = 1};
    carom_context *context = isa_contexts[0];
    carom_list_config config = carom_list_config_default();
    carom_lists lists = {0};
    carom_error error;
    const carom_status null = LISTS(context, &bodies, &config, NULL, &error);
    expect(null, CAROM_ERROR_ARGUMENT, &error, "lists is NULL");
    expect(LISTS(NULL, &bodies, &config, &lists, &error), CAROM_ERROR_ARGUMENT, &error, "context is NULL");
    expect(LISTS(context, NULL, &config, &lists, &error), CAROM_ERROR_ARGUMENT, &error, "bodies");
    config.neighbours = CAROM_NEIGHBOURS_NONE;
    expect(LISTS(context, &bodies, &config, &lists, &error), CAROM_ERROR_ARGUMENT, &error, "config.neighbours is 0");
    config.pairs = true;
    assert_int_equal(LISTS(context, &bodies, &config, &lists, &error), CAROM_OK);
    assert_true(lists.count == 2 && lists.i != NULL && lists.k != NULL && lists.offset == NULL);
    config.pairs = false;
    config.neighbours = CAROM_NEIGHBOURS_HALF;
    const double cutoffs[] = {-1.0, (double)INFINITY, (double)NAN};
    for (int n = 0; n < 3; n++) {
        config.cutoff = cutoffs[n];
        expect(LISTS(context, &bodies, &config, &lists, &error), CAROM_ERROR_ARGUMENT, &error, "config.cutoff is");
    }
    config.cutoff = 0.0;
    config.reserved[1] = 1;
    expect(LISTS(context, &bodies, &config, &lists, &error), CAROM_ERROR_ARGUMENT, &error, "config.reserved[1]");
    config.reserved[1] = 0;
    x[2] = (carom_real)NAN;
    expect(LISTS(context, &bodies, &config, &lists, &error), CAROM_ERROR_BODY, &error, "body 2: prev_x");
    x[2] = 2;
    bodies.common_radius = -1;
    expect(LISTS(context, &bodies, &config, &lists, &error), CAROM_ERROR_BODY, &error, "body 0: radius");
    bodies.common_radius = 1;
    carom_cancel flag;
    carom_cancel_clear(&flag);
    carom_cancel_raise(&flag);
    config.cancel = &flag;
    expect(LISTS(context, &bodies, &config, &lists, &error), CAROM_ERROR_CANCELLED, &error, "cancelled");
    config.cancel = NULL;
    assert_int_equal(LISTS(context, &bodies, &config, &lists, &error), CAROM_OK);
    assert_true(lists.count == 2 && lists.body[0] == 1 && lists.body[1] == 2);
}

/* The first body, which the floats of a call for doubles are relative to, among so many that there are cells. Builds
 * with assertions check that these floats are. */
static void test_bad_first_body(void **state) {
    enum { COUNT = 3000 };
    static carom_real x[3][COUNT];
    (void)state;
    carom_random random = carom_random_seeded(note_case_seed(0));
    for (int n = 0; n < 3 * COUNT; n++) {
        x[n % 3][n / 3] = (carom_real)(20.0 * carom_random_u01(&random));
    }
    const carom_bodies bodies = {
        .size = sizeof bodies, .count = COUNT, .prev = {x[0], x[1], x[2]}, .common_radius = (carom_real)0.5};
    const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    const carom_list_config config = carom_list_config_default();
    for (int n = 0; n < 9; n++) {
        static const char *const says[] = {"body 0: prev_x", "body 0: prev_y", "body 0: prev_z"};
        carom_lists lists = {0};
        carom_error error = {.message = ""};
        const carom_real kept = x[n % 3][0];
        x[n % 3][0] = (carom_real)bad[n / 3];
        expect(LISTS(isa_contexts[0], &bodies, &config, &lists, &error), CAROM_ERROR_BODY, &error, says[n % 3]);
        x[n % 3][0] = kept;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_arguments), cmocka_unit_test(test_bad_first_body)};
    note_start("test_lists_refused");
    return cmocka_run_group_tests(tests, make_contexts, isa_contexts_destroy);
}
