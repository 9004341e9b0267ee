/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Grains fall into a box and come to lie on one another. Guards that config.contact_time keeps a heap from colliding
 * without end, alone and beside config.rest_speed; and that a single ball comes to rest by config.rest_speed. */
#include <math.h>

#include <carom/carom.h>

#include "kernel/scene/random.h"
#include "tests/support/check.h"

enum { SIDE = 6, GRAINS = SIDE * SIDE * SIDE, WALLS = 5, STEPS = 800, SETTLED = 600, EACH_MOST = 10 };

static const double GRAVITY = 9.81;
static const double DT = 0.005;
static const double RADIUS = 0.1;
static const double WIDTH = 1.5;

static carom_context *context;
static double x[3][GRAINS];
static double radius[GRAINS];

static carom_world_f64 *make_world(const carom_step_config *config, uint64_t count) {
    carom_world_f64 *world = NULL;
    const carom_world_bodies_f64 bodies = {
        .size = sizeof bodies, .count = count, .position = {x[0], x[1], x[2]}, .radius = radius};
    assert_int_equal(carom_world_create_f64(context, config, &world, NULL), CAROM_OK);
    assert_int_equal(carom_world_add_f64(world, &bodies, NULL, NULL), CAROM_OK);
    return world;
}

static carom_step_config rules(const carom_surface *wall, uint64_t walls) {
    carom_step_config config = carom_step_config_default();
    config.dt = DT;
    config.acceleration[2] = -GRAVITY;
    config.restitution = 0.5;
    config.surface = wall;
    config.surface_count = walls;
    return config;
}

/* In a lattice above the floor, each a little off its place. */
static void place_grains(void) {
    carom_random random = carom_random_seeded(1);
    for (int n = 0; n < GRAINS; n++) {
        const int place[3] = {n % SIDE, n / SIDE % SIDE, n / (SIDE * SIDE)};
        radius[n] = RADIUS * (0.8 + 0.2 * carom_random_u01(&random));
        for (int a = 0; a < 3; a++) {
            x[a][n] = 0.15 + 0.24 * place[a] + 0.02 * carom_random_u01(&random);
        }
    }
}

static void check_heap(double rest_speed) {
    const carom_surface wall[WALLS] = {
        {.kind = CAROM_SURFACE_PLANE, .restitution = 1.0, .axis = {{0, 0, 1}}},
        {.kind = CAROM_SURFACE_PLANE, .restitution = 1.0, .axis = {{1, 0, 0}}},
        {.kind = CAROM_SURFACE_PLANE, .restitution = 1.0, .axis = {{0, 1, 0}}},
        {.kind = CAROM_SURFACE_PLANE, .restitution = 1.0, .axis = {{-1, 0, 0}}, .at = {WIDTH, 0, 0}},
        {.kind = CAROM_SURFACE_PLANE, .restitution = 1.0, .axis = {{0, -1, 0}}, .at = {0, WIDTH, 0}}};
    carom_step_config config = rules(wall, WALLS);
    config.contact_time = DT;
    config.rest_speed = rest_speed;
    place_grains();
    carom_world_f64 *world = make_world(&config, GRAINS);
    uint64_t impacts = 0;
    for (int step = 0; step < STEPS; step++) {
        carom_step_report report = {0};
        assert_int_equal(carom_world_step_f64(world, &report, NULL, NULL), CAROM_OK);
        assert_int_equal(report.held, 0);
        impacts += step >= SETTLED ? report.impacts : 0;
    }
    carom_world_totals totals = {0};
    assert_int_equal(carom_world_total_f64(world, &totals, NULL), CAROM_OK);
    if (impacts > (uint64_t)EACH_MOST * GRAINS * (STEPS - SETTLED) || totals.energy > 0.1 * GRAINS) {
        fail_msg("%g impacts in the last %d steps, energy %g", (double)impacts, STEPS - SETTLED, totals.energy);
    }
    carom_world_destroy_f64(world);
}

static void test_heap(void **state) {
    (void)state;
    check_heap(0.0);
    check_heap(GRAVITY * DT);
    check_heap(3.0 * GRAVITY * DT);
}

/* It stays where it lies, and has an impact a step: it gains speed, and loses it at the floor. */
static void test_ball(void **state) {
    (void)state;
    const carom_surface wall = {.kind = CAROM_SURFACE_PLANE, .restitution = 1.0, .axis = {{0, 0, 1}}};
    carom_step_config config = rules(&wall, 1);
    config.rest_speed = 3.0 * GRAVITY * DT;
    place_grains();
    carom_world_f64 *world = make_world(&config, 1);
    carom_step_report report = {0};
    for (int step = 0; step < STEPS; step++) {
        assert_int_equal(carom_world_step_f64(world, &report, NULL, NULL), CAROM_OK);
    }
    double height = 0.0;
    double speed = 1.0;
    const carom_world_bodies_f64 bodies = {
        .size = sizeof bodies, .count = 1, .position = {NULL, NULL, &height}, .velocity = {NULL, NULL, &speed}};
    assert_int_equal(carom_world_get_f64(world, NULL, &bodies, NULL), CAROM_OK);
    assert_true(report.impacts == 1 && speed == 0.0 && fabs(height - radius[0]) < 1e-12);
    carom_world_destroy_f64(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_heap), cmocka_unit_test(test_ball)};
    assert_int_equal(carom_context_create(NULL, &context, NULL), CAROM_OK);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    carom_context_destroy(context);
    return failed;
}
