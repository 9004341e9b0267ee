/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Impacts whose results are known exactly: single ones in rational numbers, Newton's cradles, chains of unequal masses,
 * and G. Galperin's billiard, whose impacts count the digits of pi. They run through the tests' own event queue, which
 * has prediction and response in common with steps. Guards the response formula, its masses and restitution, and the
 * order of impacts in the queue; tests/cli/test_run.py has cradles and billiards in steps. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "tests/support/check.h"
#include "tests/support/event_queue.h"
#include "tests/support/note.h"

enum { CASES_LEAST = 15, EVENTS_MOST = 64 };

static json_t *root;
static queue_world world;

/* "-93/13", "0.5" or a number. */
static double number_of(const json_t *value) {
    if (!json_is_string(value)) {
        return json_number_value(value);
    }
    char *end = NULL;
    const double numerator = strtod(json_string_value(value), &end);
    return *end == '/' ? numerator / strtod(end + 1, NULL) : numerator;
}

static double field(const json_t *entry, const char *key) {
    return number_of(json_object_get(entry, key));
}

static void vector(const json_t *entry, const char *key, double v[3]) {
    for (size_t a = 0; a < 3; a++) {
        v[a] = number_of(json_array_get(json_object_get(entry, key), a));
    }
}

static void check_near(const char *what, double is, double expected, double scale) {
    note_check(fabs(is - expected) <= 1e-14 * scale, "%s is %.17g, exactly %.17g", what, is, expected);
}

static void begin_world(uint32_t budget) {
    memset(&world, 0, sizeof world);
    world.rules.budget = budget;
}

static void keep_event(void *user, const queue_event *event) {
    queue_event *events = user;
    if (world.impacts <= EVENTS_MOST) {
        events[world.impacts - 1] = *event;
    }
}

/* Two bodies that touch with the normal of the case and the radius 1 in a step of 1: whatever their velocities are, one
 * approaches the other or nothing happens. */
static void run_single(const json_t *entry) {
    static queue_event events[EVENTS_MOST];
    double n[3];
    double v[2][3];
    double after[2][3];
    vector(entry, "n_1to2", n);
    vector(entry, "v1", v[0]);
    vector(entry, "v2", v[1]);
    vector(entry, "v1_after", after[0]);
    vector(entry, "v2_after", after[1]);
    const double apart[2][3] = {{0.0, 0.0, 0.0}, {2.0 * n[0], 2.0 * n[1], 2.0 * n[2]}};
    begin_world(100);
    world.on_event = keep_event;
    world.user = events;
    const double e = field(entry, "e");
    const double mass[2] = {field(entry, "m1"), field(entry, "m2")};
    for (int body = 0; body < 2; body++) {
        queue_add(&world, apart[body], v[body], 1.0 + 1e-15, mass[body], e);
    }
    queue_step(&world);
    const double j = field(entry, "impulse");
    note_check(world.impacts == (j > 0), "%g impacts", (double)world.impacts);
    if (j > 0) {
        note_check(events[0].t == 0.0 && events[0].i == 0 && events[0].k == 1, "another event");
        check_near("impulse", events[0].impact.impulse, j, 10 * j);
    }
    for (int a = 0; a < 3; a++) {
        check_near("v1", world.piece[0].v[a], after[0][a], 100);
        check_near("v2", world.piece[1].v[a], after[1][a], 100);
        check_near("momentum", mass[0] * world.piece[0].v[a] + mass[1] * world.piece[1].v[a],
                   mass[0] * v[0][a] + mass[1] * v[1][a], 100 * (mass[0] + mass[1]));
    }
}

static void test_single_impacts(void **state) {
    (void)state;
    const json_t *cases = json_object_get(root, "two_body_exact");
    assert_true(json_array_size(cases) >= CASES_LEAST);
    for (size_t n = 0; n < json_array_size(cases); n++) {
        note_case(n, "two bodies");
        run_single(json_array_get(cases, n));
    }
}

/* A row of bodies along x. `steps` steps of the duration T / steps. */
static void run_row(const json_t *entry, const double *mass, double duration, uint32_t steps) {
    static queue_event events[EVENTS_MOST];
    begin_world(1000);
    world.on_event = keep_event;
    world.user = events;
    const json_t *x = json_object_get(entry, "x0");
    const double dt = duration / steps;
    for (size_t n = 0; n < json_array_size(x); n++) {
        const double at[3] = {number_of(json_array_get(x, n)), 0.0, 0.0};
        const double v[3] = {number_of(json_array_get(json_object_get(entry, "v0"), n)) * dt, 0.0, 0.0};
        queue_add(&world, at, v, field(entry, "radius"), mass[n], 1.0);
    }
    for (uint32_t step = 0; step < steps; step++) {
        queue_step(&world);
    }
    note_check((double)world.impacts == field(entry, "collisions"), "%g impacts in %u steps", (double)world.impacts,
               steps);
    const json_t *first = json_object_get(entry, "first_events");
    for (size_t n = 0; n < json_array_size(first) && n < world.impacts && steps == 1; n++) {
        const json_t *event = json_array_get(first, n);
        check_near("time", events[n].t * duration, number_of(json_array_get(event, 0)), duration);
        note_check(events[n].i == json_integer_value(json_array_get(event, 1)) &&
                       events[n].k == json_integer_value(json_array_get(event, 2)),
                   "event %zu is of %u and %u", n, events[n].i, events[n].k);
    }
    for (size_t n = 0; n < json_array_size(x); n++) {
        check_near("velocity", world.piece[n].v[0] / dt,
                   number_of(json_array_get(json_object_get(entry, "v_final"), n)), 10);
        const json_t *places = json_object_get(entry, "x_final");
        if (places != NULL) {
            check_near("place", world.piece[n].x[0], number_of(json_array_get(places, n)), 10 * duration);
        }
    }
}

static void test_cradles(void **state) {
    (void)state;
    const double mass[] = {1, 1, 1, 1, 1, 1, 1, 1};
    const json_t *cases = json_object_get(root, "newtons_cradle");
    assert_true(json_array_size(cases) >= 4);
    for (size_t n = 0; n < json_array_size(cases); n++) {
        for (uint32_t steps = 1; steps <= 128; steps *= 8) {
            note_case(n, "cradle in %u steps", steps);
            const json_t *entry = json_array_get(cases, n);
            run_row(entry, mass, field(entry, "T"), steps);
        }
    }
}

static void test_chains(void **state) {
    (void)state;
    const json_t *cases = json_object_get(root, "unequal_mass_chain");
    assert_true(json_array_size(cases) >= 4);
    for (size_t n = 0; n < json_array_size(cases); n++) {
        double mass[8];
        note_case(n, "chain");
        const json_t *entry = json_array_get(cases, n);
        for (size_t k = 0; k < json_array_size(json_object_get(entry, "mass")); k++) {
            mass[k] = number_of(json_array_get(json_object_get(entry, "mass"), k));
        }
        run_row(entry, mass, 64.0, 1);
    }
}

/* The wall is a sphere of infinite mass, then a plane. All impacts happen in one step. */
static void count_digits_of_pi(double ratio, double expected, bool plane) {
    const double speed = 1e4; /* the last impacts come late, when both bodies have nearly the same speed */
    begin_world(100000);
    if (plane) {
        world.surface[0] =
            (carom_surface){CAROM_SURFACE_PLANE, 0, 1.0, {0.5, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0}};
        world.surfaces = 1;
    } else {
        queue_add(&world, (double[3]){0, 0, 0}, (double[3]){0, 0, 0}, 0.5, INFINITY, 1.0);
    }
    queue_add(&world, (double[3]){2, 0, 0}, (double[3]){0, 0, 0}, 0.5, 1.0, 1.0);
    queue_add(&world, (double[3]){4, 0, 0}, (double[3]){-speed, 0, 0}, 0.5, ratio, 1.0);
    queue_step(&world);
    note_check((double)world.impacts == expected, "%g impacts, not %g", (double)world.impacts, expected);
}

static void test_galperin(void **state) {
    (void)state;
    const json_t *cases = json_object_get(json_object_get(root, "galperin_pi_billiard"), "cases");
    assert_true(json_array_size(cases) >= 5);
    for (size_t n = 0; n < json_array_size(cases); n++) {
        const json_t *entry = json_array_get(cases, n);
        for (int plane = 0; plane < 2; plane++) {
            note_case(n, "Galperin, %s", plane ? "plane" : "sphere");
            count_digits_of_pi(field(entry, "mass_ratio"), field(entry, "collisions"), plane);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_single_impacts),
        cmocka_unit_test(test_cradles),
        cmocka_unit_test(test_chains),
        cmocka_unit_test(test_galperin),
    };
    note_start("test_impact_cases");
    json_error_t error;
    root = json_load_file(CAROM_TEST_DATA "/response_and_gas_oracles.json", 0, &error);
    if (root == NULL) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    const int failed = cmocka_run_group_tests_name("impact cases", tests, NULL, NULL);
    json_decref(root);
    return failed;
}
