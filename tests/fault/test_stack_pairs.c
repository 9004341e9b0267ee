/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Distances and times of impact on threads whose stacks have the size that carom/context.h names. Guards that nothing
 * overflows, and that calls use no more of a stack than the header says. Shapes of every kind, apart and overlapping,
 * lead through all searches; the table is built there, too. */
#include <math.h>
#include <stdio.h>

#include "carom/carom.h"
#include "kernel/scene/random.h"
#include "tests/support/check.h"
#include "tests/support/note.h"
#include "tests/support/small_stack.h"

/* What the header says of the library's own functions. */
enum { STACK_USED_MOST = 27 << 10 };

/* Compounds of so many children have ways of their own (kernel/shape/balls.h), and so have hulls of so few points
 * (kernel/shape/hull_axes.h). */
enum { CHILDREN = 20, KINDS = 9, PLACES = 5, SMALL_HULL = 20, ISAS_MOST = 8 };

static double points[CAROM_HULL_POINTS_MAX][3];
static carom_shape_child children[CHILDREN];
static carom_shapes *shapes;
static carom_error error;

/* Points on a sphere: all are corners. */
static void draw_points(void) {
    carom_random random = carom_random_seeded(note_seed());
    for (int n = 0; n < CAROM_HULL_POINTS_MAX; n++) {
        carom_random_direction(&random, points[n]);
    }
    for (uint32_t n = 0; n < CHILDREN; n++) {
        children[n] = (carom_shape_child){
            .shape = 2 + 2 * (n % 3), .at = {0.5 * (n % 3), 0.1 * (n / 3), 0}, .turn = {0, 0, 0.5, 1}};
    }
}

static void make_table(void *data) {
    const carom_shape made[KINDS] = {
        {.kind = CAROM_SHAPE_SPHERE, .radius = 0.7},
        {.kind = CAROM_SHAPE_CAPSULE, .radius = 0.3, .extent = {0, 0, 0.6}},
        {.kind = CAROM_SHAPE_BOX, .extent = {0.4, 0.6, 0.8}},
        {.kind = CAROM_SHAPE_CYLINDER, .radius = 0.5, .extent = {0, 0, 0.4}},
        {.kind = CAROM_SHAPE_CONE, .radius = 0.6, .extent = {0, 0, 0.7}},
        {.kind = CAROM_SHAPE_ELLIPSOID, .extent = {0.3, 0.5, 0.9}},
        {.kind = CAROM_SHAPE_HULL, .point = (const double(*)[3])points, .point_count = CAROM_HULL_POINTS_MAX},
        {.kind = CAROM_SHAPE_HULL, .point = (const double(*)[3])points, .point_count = SMALL_HULL},
        {.kind = CAROM_SHAPE_COMPOUND, .child = children, .child_count = CHILDREN},
    };
    (void)data;
    if (carom_shapes_create(made, KINDS, NULL, &shapes, &error) != CAROM_OK) {
        shapes = NULL;
    }
}

/* All pairs of kinds, k at some places. */
static void ask_single(void *data) {
    carom_status *status = data;
    carom_distance_config config = carom_distance_config_default();
    config.detail = CAROM_GAP_MANIFOLD;
    const carom_sweep_f64 sweep = {.move = {-2, 0, 0}, .spin = {1, 2, 3}};
    for (uint32_t n = 0; n < KINDS * KINDS * PLACES && *status == CAROM_OK; n++) {
        const carom_pose_f64 i = {.shape = n % KINDS, .turn = {0.1, 0.2, 0.3, 0.9}};
        const carom_pose_f64 k = {.shape = n / KINDS % KINDS, .at = {0.5 * (n / KINDS / KINDS), 0.1, 0}};
        carom_gap_f64 gap;
        carom_manifold_f64 manifold;
        carom_toi_f64 impact;
        *status = carom_distance_pair_f64(shapes, &i, &k, &config, &gap, &manifold, &error);
        if (*status == CAROM_OK) {
            *status = carom_toi_pair_f64(shapes, &i, &sweep, &k, NULL, NULL, &impact, &error);
        }
    }
}

static const char *isa;

/* Bodies of all kinds, close together. */
enum { BODIES = 160, BATCH = 200 };

typedef struct crowd {
    uint32_t shape[BODIES];
    double at[3][BODIES];
    double end[3][BODIES];
    double spin[3][BODIES];
    uint32_t i[BATCH];
    uint32_t k[BATCH];
    carom_bodies_f64 bodies;
} crowd;

static crowd all;

static void draw_crowd(void) {
    carom_random random = carom_random_seeded(note_seed());
    for (uint32_t n = 0; n < BODIES; n++) {
        all.shape[n] = n % KINDS;
        for (int a = 0; a < 3; a++) {
            all.at[a][n] = 7.0 * carom_random_u01(&random);
            all.end[a][n] = all.at[a][n] + carom_random_u01(&random) - 0.5;
            all.spin[a][n] = carom_random_u01(&random) - 0.5;
        }
    }
    for (uint32_t n = 0; n < BATCH; n++) {
        all.i[n] = (uint32_t)(carom_random_next(&random) % BODIES);
        all.k[n] = (uint32_t)(carom_random_next(&random) % BODIES);
    }
    all.bodies = (carom_bodies_f64){.size = sizeof all.bodies, .count = BODIES, .shapes = shapes, .shape = all.shape};
    for (int a = 0; a < 3; a++) {
        all.bodies.prev[a] = all.at[a];
        all.bodies.curr[a] = all.end[a];
        all.bodies.spin[a] = all.spin[a];
    }
}

static carom_status ask_pairs(carom_context *context) {
    static carom_gap_f64 gaps[BATCH];
    static carom_manifold_f64 manifolds[BATCH];
    static carom_toi_f64 impacts[BATCH];
    carom_distance_config config = carom_distance_config_default();
    carom_status status = CAROM_OK;
    for (int detail = CAROM_GAP_STATE; detail <= CAROM_GAP_CLEARANCE && status == CAROM_OK; detail++) {
        config.detail = (carom_gap_detail)detail;
        status = carom_distance_pairs_f64(context, &all.bodies, all.i, all.k, BATCH, &config, gaps, manifolds, &error);
    }
    return status == CAROM_OK ? carom_toi_pairs_f64(context, &all.bodies, all.i, all.k, BATCH, NULL, impacts, &error)
                              : status;
}

/* At rest and in motion, in open space and in a periodic box. */
static carom_status ask_detection(carom_context *context) {
    carom_status status = CAROM_OK;
    carom_periodic box = carom_periodic_default();
    box.self_images = true;
    for (int a = 0; a < 3; a++) {
        box.along[a] = true;
        box.edge[a][a] = 100.0;
    }
    for (int way = 0; way < 4 && status == CAROM_OK; way++) {
        carom_detection_f64 found = {.size = sizeof found};
        carom_detect_config config = carom_detect_config_default();
        carom_bodies_f64 bodies = all.bodies;
        for (int a = 0; a < 3 && way % 2 == 0; a++) {
            bodies.curr[a] = NULL;
            bodies.spin[a] = NULL;
        }
        config.periodic = way < 2 ? NULL : &box;
        status = carom_detect_f64(context, &bodies, &config, NULL, &found, &error);
        note_check(status != CAROM_OK || found.pair_count > 0, "nothing touches");
    }
    return status;
}

static const char *isa;

static void ask_batch(void *data) {
    carom_status *status = data;
    carom_context *context = NULL;
    carom_context_config config = carom_context_config_default();
    config.isa = isa;
    config.threads = 1;
    *status = carom_context_create(&config, &context, &error);
    if (*status == CAROM_OK) {
        *status = ask_pairs(context);
    }
    if (*status == CAROM_OK) {
        *status = ask_detection(context);
    }
    carom_context_destroy(context);
}

static void test_pairs(void **state) {
    const char *isas[ISAS_MOST];
    const size_t isa_count = carom_isa_available(isas, ISAS_MOST);
    const size_t bytes = small_stack_size(CAROM_STACK_BYTES);
    carom_status status = CAROM_OK;
    (void)state;
    draw_points();
    const size_t built = small_stack_run(bytes, make_table, NULL);
    note_check(shapes != NULL, "%s", error.message);
    draw_crowd();
    const size_t single = small_stack_run(bytes, ask_single, &status);
    note_check(status == CAROM_OK, "%s", error.message);
    size_t batch = 0;
    for (size_t n = 0; n < isa_count; n++) {
        isa = isas[n];
        const size_t used = small_stack_run(bytes, ask_batch, &status);
        note_check(status == CAROM_OK, "%s: %s", isa, error.message);
        batch = used > batch ? used : batch;
    }
    carom_shapes_destroy(shapes);
    printf("# bytes of stack used by a table %zu, by single pairs %zu, by batches %zu\n", built, single, batch);
    note_check(built <= STACK_USED_MOST, "a table used %zu bytes of stack", built);
    note_check(single <= STACK_USED_MOST, "a pair used %zu bytes of stack", single);
    note_check(batch <= STACK_USED_MOST, "a batch used %zu bytes of stack", batch);
}

int main(void) {
    note_start("tests/fault/test_stack_pairs");
    if (!small_stack_counts()) {
        printf("skipped: builds with sanitizers, counters, assertions or without optimisation need more stack\n");
        return 77;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs)};
    return cmocka_run_group_tests_name("stack of pairs", tests, NULL, NULL);
}
