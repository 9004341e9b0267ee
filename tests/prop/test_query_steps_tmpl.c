/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Queries after coherent steps against a detection of all: with a list and without, just rebuilt or not, in open space
 * and in periodic boxes whose bodies cross faces or are moved by whole edges. Compiled once for each precision. */
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

enum { CASES = 300, STEPS = 16, BODIES_MOST = 150 };

/* What all cases have done, so that none of it is left out. */
static struct done {
    uint64_t followed; /* steps with a list of an earlier step */
    uint64_t rebuilt;
    uint64_t cold;
    uint64_t rows;
} done;

static int make_contexts(void **state) {
    static const uint32_t threads[] = {1, 2, 3};
    (void)state;
    return isa_contexts_make(threads, sizeof threads / sizeof threads[0]);
}

/* Bodies and probes that move on. */
typedef struct gas {
    carom_random *random;
    carom_periodic box;
    random_scene scene;
    uint64_t count;
    double speed;
} gas;

static double unit(gas *g) {
    return carom_random_u01(g->random);
}

static gas gas_make(carom_random *random, uint64_t number) {
    gas g = {.random = random, .box = carom_periodic_default(), .count = carom_random_next(random) % (BODIES_MOST + 1)};
    const uint32_t axes = number % 3 == 0 ? 0 : 1 + periodic_case_below(random, 7);
    g.scene = random_scene_blank(g.count);
    g.speed = number % 2 == 0 ? 0.02 : 0.3;
    for (int a = 0; a < 3; a++) {
        g.box.along[a] = (axes >> a & 1U) != 0;
    }
    periodic_case_edges(random, (uint32_t)(number % PERIODIC_TILTS), 8.0, g.box.edge);
    for (uint64_t n = 0; n < g.count; n++) {
        for (int j = 0; j < 3; j++) {
            g.scene.field[j][n] = 8.0 * unit(&g);
            g.scene.field[j + 3][n] = g.scene.field[j][n] + g.speed * (2.0 * unit(&g) - 1.0);
        }
        g.scene.field[6][n] = 0.2 + 0.4 * unit(&g);
    }
    return g;
}

/* Some turn, and some are moved by an edge. */
static void go_on(gas *g) {
    for (uint64_t n = 0; n < g->count; n++) {
        const double turns = unit(g);
        const uint32_t axis = periodic_case_below(g->random, 3);
        const bool moves = g->box.along[axis] && unit(g) < 0.03;
        for (int j = 0; j < 3; j++) {
            const double way = g->scene.field[j + 3][n] - g->scene.field[j][n];
            g->scene.field[j][n] = g->scene.field[j + 3][n] + (moves ? g->box.edge[axis][j] : 0.0);
            g->scene.field[j + 3][n] = g->scene.field[j][n] + (turns < 0.1 ? -way : way);
        }
    }
}

static void run_step(gas *g, query_trial *t, uint64_t step) {
    t->all = any_bodies_make(PRECISION, &g->scene.bodies);
    note_check(query_trial_run(t, g->random, step % 4 == 1), "a step is refused");
    done.followed += !t->report.cold && !t->report.rebuilt;
    done.rebuilt += t->report.rebuilt;
    done.cold += t->report.cold;
    done.rows += t->rows;
    any_bodies_release(&t->all);
}

static void run_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    gas g = gas_make(&random, number);
    query_trial t = {.box = number % 3 == 0 ? NULL : &g.box};
    carom_coherent_config config = carom_coherent_config_default();
    config.steps_ahead = number % 4 != 0 ? 1 + periodic_case_below(&random, 12) : 0;
    config.events = number % 5 == 0;
    t.probes = carom_random_next(&random) % (g.count + 1) / 2;
    t.bodies = g.count - t.probes;
    query_trial_choose_contexts(&t, &random);
    assert_int_equal(CREATE(t.context, &config, &t.coherent, NULL), CAROM_OK);
    for (uint64_t step = 0; step < STEPS; step++) {
        note_case(number, "%" PRIu64 " bodies, %" PRIu64 " probes, step %" PRIu64 ", %s, %u threads, steps ahead %u",
                  t.bodies, t.probes, step, carom_context_isa(t.context), carom_context_threads(t.context),
                  config.steps_ahead);
        go_on(&g);
        run_step(&g, &t, step);
    }
    DESTROY(t.coherent);
    random_scene_release(&g.scene);
}

static void test_random_steps(void **state) {
    (void)state;
    note_each_case(CASES, run_case);
    printf("%" PRIu64 " steps followed a list, %" PRIu64 " rebuilt it, %" PRIu64 " were cold, %" PRIu64 " rows\n",
           done.followed, done.rebuilt, done.cold, done.rows);
    note_check(note_only_case() != UINT64_MAX || (done.followed > 0 && done.rebuilt > 0 && done.cold > 0),
               "the test is empty");
}

/* Three bodies in a row that touch. */
static carom_real places[3] = {0, 2, 4};
static carom_real nowhere[3] = {0, 0, 0};
static const carom_bodies THREE = {
    .count = 3, .prev = {places, nowhere, nowhere}, .curr = {places, nowhere, nowhere}, .common_radius = 1};

static carom_status step_three(CAROM_REAL(carom_coherent) * coherent, carom_until until) {
    carom_detect_config config = carom_detect_config_default();
    detection found = {0};
    carom_coherent_report report = {0};
    config.until = until;
    return STEP(coherent, &THREE, &config, NULL, &found, &report, NULL);
}

static void expect_rows(carom_context *context, uint64_t rows) {
    answer got = {0};
    assert_int_equal(QUERY(context, &THREE, NULL, &got, NULL), CAROM_OK);
    assert_int_equal(got.pair_count, rows);
}

static void expect_nothing(carom_context *context) {
    answer got = {0};
    carom_error error;
    assert_int_equal(QUERY(context, &THREE, NULL, &got, &error), CAROM_ERROR_ARGUMENT);
    note_check(strstr(error.message, "in this context") != NULL, "%s", error.message);
}

/* The records of a step with a list are the state's: they end with it. */
static void test_how_long(void **state) {
    (void)state;
    carom_context *context = isa_contexts[0];
    carom_coherent_config config = carom_coherent_config_default();
    CAROM_REAL(carom_coherent) *coherent = NULL;
    CAROM_REAL(carom_coherent) *second = NULL;
    config.steps_ahead = 4;
    assert_int_equal(CREATE(context, &config, &coherent, NULL), CAROM_OK);
    assert_int_equal(CREATE(context, &config, &second, NULL), CAROM_OK);
    assert_int_equal(step_three(coherent, CAROM_UNTIL_PAIRS), CAROM_OK);
    expect_rows(context, 7);
    assert_int_equal(step_three(coherent, CAROM_UNTIL_GROUPS), CAROM_OK);
    expect_rows(context, 7);
    RESET(coherent);
    expect_nothing(context);
    assert_int_equal(step_three(coherent, CAROM_UNTIL_BOUNDS), CAROM_OK);
    expect_nothing(context);
    assert_int_equal(step_three(second, CAROM_UNTIL_GROUPS), CAROM_OK);
    DESTROY(coherent);
    expect_rows(context, 7);
    DESTROY(second);
    expect_nothing(context);
    assert_int_equal(CREATE(context, NULL, &coherent, NULL), CAROM_OK);
    detection found = {0};
    carom_coherent_report report = {0};
    const carom_bodies none = {.count = 0};
    assert_int_equal(STEP(coherent, &none, NULL, NULL, &found, &report, NULL), CAROM_OK);
    expect_rows(context, 0);
    assert_int_equal(DETECT(context, &THREE, NULL, NULL, &found, NULL), CAROM_OK);
    DESTROY(coherent);
    expect_rows(context, 7);
}

/* A step that fails for want of memory cannot be queried, and the next one can. */
static void test_every_request_fails(void **state) {
    (void)state;
    uint64_t n = 1;
    for (bool reached = true; reached; n++) {
        fault_allocator faults;
        fault_allocator_init(&faults);
        carom_context_config config = carom_context_config_default();
        carom_coherent_config steps = carom_coherent_config_default();
        CAROM_REAL(carom_coherent) *coherent = NULL;
        carom_context *context = NULL;
        answer got = {0};
        steps.steps_ahead = 4;
        config.allocator = fault_allocator_get(&faults);
        assert_int_equal(carom_context_create(&config, &context, NULL), CAROM_OK);
        assert_int_equal(CREATE(context, &steps, &coherent, NULL), CAROM_OK);
        const uint64_t before = faults.requests;
        fault_allocator_fail(&faults, n, true);
        const bool stepped = step_three(coherent, CAROM_UNTIL_GROUPS) == CAROM_OK;
        const carom_status status = QUERY(context, &THREE, NULL, &got, NULL);
        reached = faults.requests - before >= n;
        note_check(status == (!stepped  ? CAROM_ERROR_ARGUMENT
                              : reached ? CAROM_ERROR_MEMORY
                                        : CAROM_OK),
                   "request %" PRIu64 ": status %d", n, (int)status);
        fault_allocator_fail(&faults, 0, false);
        assert_int_equal(step_three(coherent, CAROM_UNTIL_GROUPS), CAROM_OK);
        expect_rows(context, 7);
        DESTROY(coherent);
        carom_context_destroy(context);
        assert_true(faults.live_blocks == 0 && faults.damages == 0);
    }
    note_check(n > 12, "only %" PRIu64 " requests", n);
}

int main(void) {
    note_start("test_query_steps");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_steps), cmocka_unit_test(test_how_long),
                                       cmocka_unit_test(test_every_request_fails)};
    return cmocka_run_group_tests_name("query_steps", tests, make_contexts, isa_contexts_destroy);
}
