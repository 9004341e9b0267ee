/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* For how long a time a search is. Guards that few bodies which have nearly all neighbours are seen, among very many
 * others; that images count in a periodic box; and that calm bodies are searched for at once for all of a step. */
#include <string.h>

#include "kernel/impacts/search_length.h"
#include "kernel/scene/random.h"
#include "tests/support/check.h"

enum { BODIES = 20000 };

static const double EDGE = 300.0;

static carom_piece piece[BODIES];
static carom_response_body body[BODIES];
static carom_periodic cube;
static carom_impacts_bodies bodies;
static carom_hulls hulls;
static const carom_window window = {.bodies = &bodies, .hulls = &hulls};

/* Bodies of radius 1, all but the last `slow` of which move at `speed` along y, and these hardly at all. */
static void make(uint64_t seed, double speed, uint32_t slow) {
    carom_random random = carom_random_seeded(seed);
    for (uint32_t n = 0; n < BODIES; n++) {
        memset(&piece[n], 0, sizeof piece[n]);
        for (int a = 0; a < 3; a++) {
            piece[n].x[a] = EDGE * carom_random_u01(&random);
            piece[n].v[a] = 0.1 * carom_random_u01(&random) - 0.05;
        }
        body[n] = (carom_response_body){1.0, 1.0, 1.0, -1.0};
    }
    for (uint32_t n = 0; n < BODIES - slow; n++) {
        piece[n].v[1] += speed;
    }
    bodies = (carom_impacts_bodies){.count = BODIES, .piece = piece, .body = body};
}

static void repeat_space(void) {
    cube = carom_periodic_default();
    for (int a = 0; a < 3; a++) {
        cube.along[a] = true;
        cube.edge[a][a] = EDGE;
    }
    bodies.periodic = &cube;
}

/* The end of a search that was to be for a whole step. `impacts`: of a body in a step. */
static double end_of(double impacts) {
    double spent = 0.0;
    carom_hulls_set_frame(&hulls, &bodies);
    return carom_search_length_end(&window, 1.0, 0.4 / impacts, &spent);
}

static void test_calm(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        make(seed, 0.0, 0);
        assert_true(end_of(0.4) == 1.0);
        repeat_space();
        assert_true(end_of(0.4) == 1.0);
    }
}

/* One in 400 bodies, past which all others fly: their hulls meet half of these. */
static void test_few_at_rest(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        make(seed, 1500.0, BODIES / 400);
        assert_true(end_of(0.1) <= 0.25);
    }
}

/* Impacts are of those that have many neighbours: with some, a search is shorter than with none. If they cost as much
 * as with the mean of all neighbours, it would not be. */
static void test_impacts_of_few(void **state) {
    (void)state;
    double some = 0.0;
    double none = 0.0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        make(seed, 300.0, BODIES / 100);
        some += end_of(0.1);
        none += end_of(0.001);
    }
    assert_true(some <= 0.75 * none);
}

/* One in 400 that pass through the box several times: images of all bodies are looked at for these. */
static void test_images(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        make(seed, 0.0, 0);
        for (uint32_t n = 0; n < BODIES; n += 400) {
            piece[n].v[n / 400 % 3] = 4.0 * EDGE;
            body[n].radius = 0.01;
        }
        repeat_space();
        assert_true(end_of(0.001) <= 0.5);
    }
}

/* Fast bodies, each some edges away from where the box has it: they meet as those in the box do. */
static void test_edges_away(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        carom_random random = carom_random_seeded(seed);
        make(seed, 0.0, 0);
        for (uint32_t n = 0; n < BODIES; n++) {
            for (int a = 0; a < 3; a++) {
                piece[n].v[a] = 120.0 * carom_random_u01(&random) - 60.0;
                piece[n].x[a] += EDGE * (double)(carom_random_next(&random) % 7);
            }
        }
        repeat_space();
        assert_true(end_of(0.001) <= 0.5);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_calm), cmocka_unit_test(test_few_at_rest),
                                       cmocka_unit_test(test_impacts_of_few), cmocka_unit_test(test_images),
                                       cmocka_unit_test(test_edges_away)};
    return cmocka_run_group_tests_name("search length", tests, NULL, NULL);
}
