/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* How many pairs touch in random periodic boxes, against the formula: N(N-1)/2 (4/3 pi R^3 + pi R^2 E|d|) / V, R twice
 * the radius and d the difference of two displacements. Pairs on a torus are independent two by two, so the standard
 * deviation is the root of it. Every seed must lie within five of them, the sum over seeds, and over all, within four:
 * a systematic loss of a percent would show, wherever in the box it happens. Also the pairs of overlapping boxes. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "tests/support/any_detect.h"
#include "tests/support/check.h"
#include "tests/support/note.h"
#include "tests/support/random_scene.h"

/* In standard deviations. */
static const double SEED_MOST = 5;
static const double SUM_MOST = 4;
/* Relative error of the figures in the table. */
static const double TABLE_TOLERANCE = 1e-9;
enum { CASES_LEAST = 6 };

typedef enum motion { MOTION_NONE, MOTION_SPEED, MOTION_GAUSS } motion;

typedef struct gas {
    uint64_t count;
    double radius;
    double box;
    motion motion;
    double speed;
    double touching;  /* expected pairs */
    double box_pairs; /* 0: not in the table */
} gas;

static json_t *entries;
static json_t *root;

/* Over all gases and seeds: pairs that touch, and how many were expected. */
static double pooled_found;
static double pooled_expected;

static motion motion_named(const char *name) {
    return strcmp(name, "static") == 0                  ? MOTION_NONE
           : strcmp(name, "fixed_speed_isotropic") == 0 ? MOTION_SPEED
                                                        : MOTION_GAUSS;
}

/* Mean length of the difference of two displacements. */
static double mean_relative(const gas *g) {
    return g->motion == MOTION_NONE ? 0 : g->motion == MOTION_SPEED ? 4 * g->speed / 3 : 4 * g->speed / sqrt(M_PI);
}

static double expected_touching(const gas *g) {
    double reach = 2 * g->radius;
    double pairs = (double)g->count * ((double)g->count - 1) / 2;
    double volume = 4.0 / 3 * M_PI * reach * reach * reach + M_PI * reach * reach * mean_relative(g);
    return pairs * volume / (g->box * g->box * g->box);
}

static gas read_gas(json_t *entry) {
    gas g = {.count = (uint64_t)json_integer_value(json_object_get(entry, "N")),
             .radius = json_number_value(json_object_get(entry, "r")),
             .box = json_number_value(json_object_get(entry, "box")),
             .motion = motion_named(json_string_value(json_object_get(entry, "motion"))),
             .speed = json_number_value(json_object_get(entry, "speed")),
             .box_pairs = json_number_value(json_object_get(entry, "expected_aabb_pairs_periodic"))};
    g.touching = expected_touching(&g);
    double table = json_number_value(json_object_get(entry, "expected_touching_pairs"));
    note_check(fabs(table - g.touching) <= TABLE_TOLERANCE * table, "the formula gives %.12g, the table %.12g",
               g.touching, table);
    return g;
}

/* Normal, by the polar method (Marsaglia): the tails matter here. */
static double normal(carom_random *random) {
    double x;
    double square;
    do {
        x = 2 * carom_random_u01(random) - 1;
        double y = 2 * carom_random_u01(random) - 1;
        square = x * x + y * y;
    } while (square >= 1 || square == 0);
    return x * sqrt(-2 * log(square) / square);
}

static random_scene draw_gas(const gas *g, carom_random *random) {
    random_scene scene = random_scene_blank(g->count);
    for (uint64_t n = 0; n < g->count; n++) {
        double direction[3];
        carom_random_direction(random, direction);
        for (int a = 0; a < 3; a++) {
            double move = g->motion == MOTION_NONE    ? 0
                          : g->motion == MOTION_SPEED ? g->speed * direction[a]
                                                      : g->speed * normal(random);
            scene.field[a][n] = g->box * carom_random_u01(random);
            scene.field[a + 3][n] = scene.field[a][n] + move;
        }
        scene.field[6][n] = g->radius;
    }
    return scene;
}

static carom_detect_summary count_pairs(const gas *g, any_precision precision, carom_random *random) {
    random_scene scene = draw_gas(g, random);
    carom_periodic box = carom_periodic_default();
    for (int a = 0; a < 3; a++) {
        box.along[a] = true;
        box.edge[a][a] = g->box;
    }
    carom_detect_config config = carom_detect_config_default();
    config.count_only = true;
    config.until = CAROM_UNTIL_APPROACH;
    config.periodic = &box;
    carom_context *context = any_context(2, NULL);
    any_result r = any_detect(context, precision, &scene.bodies, &config);
    note_check(r.status == CAROM_OK, "%s", r.error.message);
    carom_detect_summary summary = r.summary;
    any_result_release(&r);
    carom_context_destroy(context);
    random_scene_release(&scene);
    return summary;
}

/* Standard deviations from the expected count. */
static double deviation(uint64_t count, double expected) {
    return ((double)count - expected) / sqrt(expected);
}

static void check_seed(const gas *g, const carom_detect_summary *found, double sum[2]) {
    double touching = deviation(found->touching_pairs, g->touching);
    note_check(fabs(touching) < SEED_MOST, "%" PRIu64 " pairs touch, expected %.1f: z = %.2f", found->touching_pairs,
               g->touching, touching);
    sum[0] += touching;
    pooled_found += (double)found->touching_pairs;
    pooled_expected += g->touching;
    if (g->box_pairs > 0) {
        double boxes = deviation(found->box_pairs, g->box_pairs);
        note_check(fabs(boxes) < SEED_MOST, "%" PRIu64 " boxes overlap, expected %.1f: z = %.2f", found->box_pairs,
                   g->box_pairs, boxes);
        sum[1] += boxes;
    }
    printf("# N %" PRIu64 ", r %g, speed %g: z = %.2f\n", g->count, g->radius, g->speed, touching);
}

static uint64_t seeds_for(const gas *g) {
    return g->count <= 1000 ? 100 : g->count <= 100000 ? 80 : g->count <= 1000000 || note_long() ? 2 : 0;
}

static void check_gas(uint64_t number, const gas *g) {
    uint64_t seeds = seeds_for(g);
    double sum[2] = {0, 0};
    for (uint64_t seed = 0; seed < seeds; seed++) {
        carom_random random = carom_random_seeded(note_case_seed(1000 * number + seed));
        any_precision precision = seed % 2 == 0 ? ANY_F32 : ANY_F64;
        note_case(number, "N %" PRIu64 ", r %g, seed %" PRIu64 ", %s", g->count, g->radius, seed,
                  any_precision_name(precision));
        carom_detect_summary found = count_pairs(g, precision, &random);
        check_seed(g, &found, sum);
    }
    double root_seeds = sqrt((double)seeds);
    printf("# N %" PRIu64 ", r %g, speed %g: %" PRIu64 " seeds, z of the sum %.2f, of boxes %.2f\n", g->count,
           g->radius, g->speed, seeds, sum[0] / root_seeds, sum[1] / root_seeds);
    note_check(fabs(sum[0]) < SUM_MOST * root_seeds && fabs(sum[1]) < SUM_MOST * root_seeds, "the sum over seeds");
}

static void test_random_gas(void **state) {
    (void)state;
    int checked = 0;
    for (size_t n = 0; n < json_array_size(entries); n++) {
        note_case(n, "table");
        gas g = read_gas(json_array_get(entries, n));
        if ((note_only_case() == UINT64_MAX || note_only_case() == n) && seeds_for(&g) > 0) {
            check_gas(n, &g);
            checked++;
        }
    }
    assert_true(checked >= CASES_LEAST || note_only_case() != UINT64_MAX);
    double pooled = (pooled_found - pooled_expected) / sqrt(pooled_expected);
    printf("# all: %.0f pairs touch, expected %.1f: z = %.2f\n", pooled_found, pooled_expected, pooled);
    note_check(fabs(pooled) < SUM_MOST, "all gases together: z = %.2f", pooled);
}

static int start(void **state) {
    (void)state;
    json_error_t error;
    root = json_load_file(CAROM_TEST_DATA "/scenes_and_pair_counts.json", 0, &error);
    entries = json_object_get(json_object_get(root, "random_uniform_periodic"), "cases");
    return entries != NULL ? 0 : -1;
}

static int finish(void **state) {
    (void)state;
    json_decref(root);
    return 0;
}

int main(void) {
    note_start("tests/prop/test_statistics");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_gas)};
    return cmocka_run_group_tests_name("statistics", tests, start, finish);
}
