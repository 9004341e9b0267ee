/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What a config says of pairs, boxes and responses, on two bodies that meet head-on: filters, a negative restitution,
 * a face of a periodic box, reports only, budgets, many impacts in one moment. Guards the way from the config to the
 * impacts. */
#include <math.h>
#include <string.h>

#include <carom/carom.h>

#include "tests/support/check.h"
#include "tests/support/fault_allocator.h"

enum { COUNT = 2 };

static carom_context *context;
static double x[3][COUNT];
static double v[3][COUNT];
static carom_motion_f64 motion;
static carom_step_config config;
static carom_filter filter;
static carom_periodic box;

/* Two bodies of radius 1/2 that collide at t = 1/2, at 1.5, and exchange velocities. */
static void make(void) {
    memset(x, 0, sizeof x);
    memset(v, 0, sizeof v);
    x[0][0] = 0.5;
    x[0][1] = 2.5;
    v[0][0] = 1.0;
    v[0][1] = -1.0;
    motion = (carom_motion_f64){
        .count = COUNT, .common_radius = 0.5, .position = {x[0], x[1], x[2]}, .velocity = {v[0], v[1], v[2]}};
    config = carom_step_config_default();
    config.events = true;
    filter = carom_filter_default();
    config.filter = &filter;
}

static carom_step_report step(void) {
    carom_step_report report = {0};
    carom_error error = {.message = ""};
    if (carom_step_f64(context, &motion, &config, &report, &error) != CAROM_OK) {
        fail_msg("%s", error.message);
    }
    return report;
}

static bool refuse(void *user, uint32_t i, uint32_t k) {
    assert_true(i == 0 && k == 1);
    *(int *)user += 1;
    return false;
}

static double negative(void *user, uint64_t i, uint64_t k) {
    (void)user;
    assert_true(i == 0 && k == 1);
    return -0.5;
}

static double nothing(void *user, uint64_t i, uint64_t k) {
    (void)user;
    (void)i;
    (void)k;
    return NAN;
}

static int asked;

static void by_category(void) {
    static const uint32_t category[COUNT] = {1, 2};
    static const uint32_t mask[COUNT] = {3, 2};
    filter.category = category;
    filter.mask = mask;
}

static void by_group(void) {
    static const uint32_t group[COUNT] = {7, 7};
    filter.group = group;
}

static void by_fixed(void) {
    static const uint8_t fixed[COUNT] = {1, 2};
    filter.fixed = fixed;
}

/* The list of body 1 names 0, in no order. */
static void by_list(void) {
    static const uint64_t offset[COUNT + 1] = {0, 0, 3};
    static const uint32_t excluded[3] = {1, 0, 1};
    filter.exclusion_offset = offset;
    filter.excluded = excluded;
}

/* Both lists are in order, that of body 0 a long one. */
static void by_ascending_list(void) {
    static const uint64_t offset[COUNT + 1] = {0, 40, 40};
    static uint32_t excluded[40];
    memset(excluded, 0, sizeof excluded);
    excluded[39] = 1;
    filter.exclusion_offset = offset;
    filter.excluded = excluded;
}

static void by_predicate(void) {
    filter.accepts = refuse;
    filter.user = &asked;
}

static void by_pair(void) {
    config.pair = negative;
}

static void by_nan(void) {
    config.pair = nothing;
}

static void test_pairs(void **state) {
    (void)state;
    static void (*const ways[])(void) = {by_category,       by_group,     by_fixed, by_list,
                                         by_ascending_list, by_predicate, by_pair,  by_nan};
    make();
    assert_true(step().impacts == 1);
    assert_true(x[0][0] == 0.5 && v[0][0] == -1.0 && x[0][1] == 2.5 && v[0][1] == 1.0);
    for (size_t n = 0; n < sizeof ways / sizeof *ways; n++) {
        make();
        ways[n]();
        const carom_step_report report = step();
        if (report.impacts != 0 || x[0][0] != 1.5 || v[0][0] != 1.0) {
            fail_msg("way %zu: %g impacts", n, (double)report.impacts);
        }
    }
    assert_true(asked > 0);
}

static void test_report(void **state) {
    (void)state;
    make();
    config.response = CAROM_RESPONSE_REPORT;
    config.dt = 2.0;
    const carom_step_report report = step();
    assert_true(report.impacts == 1 && report.event_count == 1 && report.held == 0);
    assert_true(report.event[0].t == 0.25 && report.event[0].impulse == 0.0 && report.event[0].normal[0] == -1.0);
    assert_true(x[0][0] == 2.5 && x[0][1] == 0.5 && v[0][0] == 1.0 && v[0][1] == -1.0);
}

/* With a wall, which body 1 reaches; and where nobody wants to know but how many they are. */
static void test_counts_of_report(void **state) {
    (void)state;
    const carom_surface wall = {
        .kind = CAROM_SURFACE_PLANE, .restitution = 1.0, .at = {0.25, 0.0, 0.0}, .axis = {{1.0, 0.0, 0.0}}};
    for (int n = 0; n < 2; n++) {
        make();
        config.response = CAROM_RESPONSE_REPORT;
        config.surface = &wall;
        config.surface_count = 1;
        config.dt = 2.0;
        config.events = n == 0;
        const carom_step_report report = step();
        assert_true(report.impacts == 2 && report.surface_impacts == 1);
        assert_true(report.event_count == (n == 0 ? 2 : 0));
    }
}

/* The same where space repeats along x, with an edge of 4. */
static void make_in_box(void) {
    make();
    box = carom_periodic_default();
    box.along[0] = true;
    box.edge[0][0] = 4.0;
    config.periodic = &box;
}

/* They meet across the face at 0 and 4: body 1's image is one edge lower. */
static void test_periodic(void **state) {
    (void)state;
    make_in_box();
    x[0][1] = 3.0;
    v[0][0] = -1.0;
    v[0][1] = 1.0;
    carom_step_report report = step();
    assert_true(report.impacts == 1 && report.event_count == 1);
    const carom_event *e = report.event;
    assert_true(e->t == 0.25 && e->shift[0] == -1 && e->shift[1] == 0 && e->normal[0] == 1.0 && e->impulse == 2.0);
    assert_true(e->point[0] == -0.25);
    assert_true(x[0][0] == 1.0 && v[0][0] == 1.0 && x[0][1] == 2.5 && v[0][1] == -1.0);
    make_in_box(); /* out of the box on one side, into it on the other */
    v[0][0] = v[0][1] = -1.0;
    report = step();
    assert_true(report.impacts == 0 && x[0][0] == 3.5 && x[0][1] == 1.5 && v[0][0] == -1.0);
}

/* The bodies meet at two images in one moment: the lower shift comes first, and the pair at the other image is another
 * one. */
static void test_two_images(void **state) {
    (void)state;
    make_in_box();
    motion.common_radius = 1.25;
    x[0][0] = 1.0;
    x[0][1] = 3.0;
    x[1][1] = 3.0;
    v[0][0] = v[0][1] = 0.0;
    v[1][0] = 1.0;
    v[1][1] = -1.0;
    const carom_step_report report = step();
    assert_true(report.impacts >= 2 && report.event[0].t == 0.75 && report.event[1].t == 0.75);
    assert_true(report.event[0].shift[0] == -1 && report.event[1].shift[0] == 0);
    assert_true(report.event[0].normal[0] > 0.0 && report.event[1].normal[0] < 0.0);
}

/* Far outside the box, each elsewhere, bodies collide as their images in it do. */
static void test_periodic_outside(void **state) {
    (void)state;
    make_in_box();
    x[0][0] = 0.5 + 4e8;
    x[0][1] = 3.0 - 2.8e8;
    v[0][0] = -1.0;
    v[0][1] = 1.0;
    const carom_step_report report = step();
    assert_true(report.impacts == 1 && report.event[0].t == 0.25 && report.event[0].shift[0] == -1);
    assert_true(report.event[0].point[0] == -0.25);
    assert_true(x[0][0] == 1.0 && v[0][0] == 1.0 && x[0][1] == 2.5 && v[0][1] == -1.0);
}

/* Once the buffers have grown, a step allocates nothing. */
static void test_warm(void **state) {
    (void)state;
    fault_allocator faults;
    fault_allocator_init(&faults);
    carom_context_config own = carom_context_config_default();
    own.threads = 1;
    own.allocator = fault_allocator_get(&faults);
    carom_context *kept = context;
    assert_int_equal(carom_context_create(&own, &context, NULL), CAROM_OK);
    for (int n = 0; n < 4; n++) {
        make();
        const uint64_t before = faults.requests;
        (void)step();
        assert_true(n < 2 || faults.requests == before);
    }
    carom_context_destroy(context);
    context = kept;
}

/* A light body between a heavy one and a wall spends its budget at the wall, after it last met the heavy one: that one
 * must not go through it. */
static void test_held(void **state) {
    (void)state;
    static const double mass[COUNT] = {1.0, 10.0};
    const carom_surface wall = {
        .kind = CAROM_SURFACE_PLANE, .restitution = 1.0, .at = {-1.0, 0.0, 0.0}, .axis = {{1.0, 0.0, 0.0}}};
    make();
    motion.mass = mass;
    x[0][0] = 0.0;
    x[0][1] = 1.5;
    v[0][0] = 0.0;
    v[0][1] = -1.0;
    config.surface = &wall;
    config.surface_count = 1;
    config.budget = 2;
    config.dt = 3.0;
    const carom_step_report report = step();
    assert_true(report.held == 2 && report.impacts == 3 && report.surface_impacts == 1);
    assert_true(fabs(x[0][0] + 0.5) < 1e-12 && x[0][1] >= 0.5 - 1e-12 && v[0][1] > 0.0);
}

/* A body that is thrown along the wall of an upright pipe circles there and falls as it would alone: it is never held,
 * whatever the wall takes. */
static void test_sliding(void **state) {
    static const double restitutions[] = {0.0, 0.5, 1.0};
    enum { STEPS = 60 };
    (void)state;
    const double dt = 0.05;
    for (int n = 0; n < 3; n++) {
        const carom_surface pipe = {
            .kind = CAROM_SURFACE_PIPE, .restitution = restitutions[n], .axis = {{0.0, 0.0, 1.0}}, .extent = {10.0}};
        make();
        motion.count = 1;
        x[0][0] = 9.5;
        v[0][0] = n == 2 ? 0.0 : 3.0;
        v[1][0] = 20.0;
        config.dt = dt;
        config.acceleration[2] = -9.8;
        config.surface = &pipe;
        config.surface_count = 1;
        for (int s = 0; s < STEPS; s++) {
            const carom_step_report report = step();
            assert_true(report.held == 0 && report.impacts <= 16);
        }
        const double t = STEPS * dt;
        assert_true(fabs(x[2][0] - -0.5 * 9.8 * t * (t + dt)) < 1e-9 && fabs(v[2][0] - -9.8 * t) < 1e-9);
        assert_true(hypot(x[0][0], x[1][0]) <= 9.5 + 1e-9 && hypot(v[0][0], v[1][0]) > 19.0);
    }
}

/* More impacts in one moment than a window should have, at times at which windows were once cut to nothing. */
static void test_one_moment(void **state) {
    (void)state;
    enum { POINTS = 1000 };
    static const double height[] = {0x1.1534040096d04p-1, 0x1.2cd75d7e4d071p-1, 0x1.b428ab449c4c8p-3, 0.5};
    static double at[3][POINTS];
    static double speed[3][POINTS];
    static double radius[POINTS];
    const carom_surface floor = {.kind = CAROM_SURFACE_PLANE, .restitution = 1.0, .axis = {{0.0, 0.0, 1.0}}};
    for (size_t h = 0; h < sizeof height / sizeof *height; h++) {
        for (int n = 0; n < POINTS; n++) {
            at[0][n] = n % 32;
            at[1][n] = n / 32;
            at[2][n] = height[h];
            speed[2][n] = -1.0;
        }
        make();
        motion = (carom_motion_f64){.count = POINTS,
                                    .radius = radius,
                                    .position = {at[0], at[1], at[2]},
                                    .velocity = {speed[0], speed[1], speed[2]}};
        config.surface = &floor;
        config.surface_count = 1;
        config.filter = NULL;
        const carom_step_report report = step();
        assert_true(report.impacts == POINTS && report.surface_impacts == POINTS);
        assert_true(at[2][0] == 1.0 - height[h] && speed[2][POINTS - 1] == 1.0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_held),       cmocka_unit_test(test_sliding),
                                       cmocka_unit_test(test_one_moment), cmocka_unit_test(test_pairs),
                                       cmocka_unit_test(test_report),     cmocka_unit_test(test_counts_of_report),
                                       cmocka_unit_test(test_periodic),   cmocka_unit_test(test_periodic_outside),
                                       cmocka_unit_test(test_two_images), cmocka_unit_test(test_warm)};
    carom_context_config own = carom_context_config_default();
    own.threads = 1;
    if (carom_context_create(&own, &context, NULL) != CAROM_OK) {
        return 1;
    }
    const int failed = cmocka_run_group_tests_name("rules of steps", tests, NULL, NULL);
    carom_context_destroy(context);
    return failed;
}
