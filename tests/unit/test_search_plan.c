/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* For how long a time a search is, and whether its hulls are tight. Guards that few bodies which have nearly all
 * neighbours are seen, among very many others; that images count in a periodic box; that calm bodies are searched for
 * at once for all of a step; and that hulls are tight where room alone would let them meet, but not where most bodies
 * have impacts. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernel/impacts/findings.h"
#include "kernel/impacts/search_plan.h"
#include "kernel/scene/random.h"
#include "simd/hull_paths.h"
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

/* The plan of a search that was to be for a whole step. `impacts`: of a body in a step. */
static carom_search_plan plan_of(double impacts) {
    double spent = 0.0;
    carom_hulls_set_frame(&hulls, &bodies);
    return carom_search_plan_choose(&window, 1.0, 0.4 / impacts, &spent);
}

static double end_of(double impacts) {
    return plan_of(impacts).end;
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

/* Two swarms that fly through each other along one line: with room each hull would meet nearly all others. */
static void test_one_line(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        make(seed, 0.0, 0);
        for (uint32_t n = 0; n < BODIES; n++) {
            piece[n].v[0] = n % 2 == 0 ? 1e4 : -1e4;
            body[n].radius = 0.05;
        }
        const carom_search_plan plan = plan_of(1e-5);
        assert_true(plan.tight && plan.end == 1.0);
    }
}

/* A gas whose bodies collide several times while they go from neighbour to neighbour: each impact would end with a
 * search of two new hulls. */
static void test_many_impacts(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        make(seed, 0.0, 0);
        for (uint32_t n = 0; n < BODIES; n++) {
            for (int a = 0; a < 3; a++) {
                piece[n].v[a] *= 600.0;
            }
        }
        assert_false(plan_of(30.0).tight);
    }
}

/* What nothing leaves gets no room. */
static void test_no_response(void **state) {
    (void)state;
    make(1, 0.0, 0);
    double spent = 0.0;
    carom_hulls_set_frame(&hulls, &bodies);
    assert_true(carom_search_plan_choose(&window, 1.0, INFINITY, &spent).tight);
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

enum { SOME = 2000 };

static float lo[SOME][3];
static float hi[SOME][3];
static double met[SOME];

/* What a search for `length` finds, with all pairs looked at. */
static carom_findings count_all(double length, bool tight) {
    double pairs = 0.0;
    double others = 0.0;
    carom_hulls made = hulls;
    made.tight = tight;
    carom_hulls_set_time(&made, &bodies, 0.0, length);
    for (uint32_t n = 0; n < SOME; n++) {
        const double values[2] = {body[n].radius, body[n].inverse_mass};
        carom_hull_around(&made.frame, carom_impacts_motion(&piece[n]), values, lo[n], hi[n]);
        met[n] = 0.0;
    }
    for (uint32_t n = 0; n < SOME; n++) {
        for (uint32_t k = 0; k < SOME; k++) {
            bool meet = n != k;
            for (int a = 0; a < 3; a++) {
                meet = meet && lo[n][a] <= hi[k][a] && lo[k][a] <= hi[n][a];
            }
            met[n] += meet ? 1.0 : 0.0;
        }
        pairs += met[n];
        others += met[n] * (met[n] - 1.0);
    }
    return (carom_findings){pairs / SOME, others / pairs, 0.0};
}

/* Estimates, on the average of samples, are near what there is: where all bodies are alike, and where few are fast.
 * Tight hulls meet few others, of which the sample has some. */
static void check_estimates(bool tight, double most, double most_of_met) {
    for (uint32_t few = 0; few <= 40; few += 40) {
        carom_findings estimated = {0.0, 0.0, 0.0};
        carom_findings counted = {0.0, 0.0, 0.0};
        for (uint64_t seed = 1; seed <= 20; seed++) {
            carom_random random = carom_random_seeded(seed);
            make(seed, 0.0, 0);
            bodies.count = SOME;
            for (uint32_t n = 0; n < SOME; n++) {
                const double faster = few == 0 ? 600.0 : carom_random_u01(&random) * SOME < few ? 3000.0 : 1.0;
                for (int a = 0; a < 3; a++) {
                    piece[n].v[a] *= faster;
                }
            }
            carom_findings_sample sample;
            carom_hulls_set_frame(&hulls, &bodies);
            carom_findings_draw(&sample, &window, 2);
            const carom_findings one = carom_findings_in(&sample, &window, 1.0, tight);
            const carom_findings all = count_all(1.0, tight);
            estimated.neighbours += one.neighbours;
            estimated.of_met += one.of_met;
            counted.neighbours += all.neighbours;
            counted.of_met += all.of_met;
        }
        printf("%g neighbours, %g of who is met; estimated %g and %g\n", counted.neighbours / 20.0,
               counted.of_met / 20.0, estimated.neighbours / 20.0, estimated.of_met / 20.0);
        assert_true(fabs(estimated.neighbours - counted.neighbours) <= most * counted.neighbours);
        assert_true(fabs(estimated.of_met - counted.of_met) <= most_of_met * counted.of_met);
    }
}

static void test_estimates(void **state) {
    (void)state;
    check_estimates(false, 0.15, 0.25);
    check_estimates(true, 0.35, 0.5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calm),        cmocka_unit_test(test_one_line),    cmocka_unit_test(test_many_impacts),
        cmocka_unit_test(test_no_response), cmocka_unit_test(test_few_at_rest), cmocka_unit_test(test_impacts_of_few),
        cmocka_unit_test(test_images),      cmocka_unit_test(test_edges_away),  cmocka_unit_test(test_estimates)};
    return cmocka_run_group_tests_name("search plan", tests, NULL, NULL);
}
