/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Two shapes at rest at coarse tolerances, where searches for more or less detail may end with other brackets. Guards
 * that a detection says the same of who touches with all_pairs, without, and with count_only. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "carom/carom.h"
#include "kernel/scene/random.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

enum { KINDS = 5, PAIRS = 500 };

static carom_context *context;
static carom_shapes *shapes;
static uint64_t doubtful; /* pairs whose distance differs from the margin by less than the tolerance */

static int make_shapes(void **state) {
    static const carom_shape made[KINDS] = {
        {.kind = CAROM_SHAPE_BOX, .extent = {1, 1, 1}},
        {.kind = CAROM_SHAPE_BOX, .extent = {0.5, 1, 2}},
        {.kind = CAROM_SHAPE_CYLINDER, .radius = 1, .extent = {0, 0, 1}},
        {.kind = CAROM_SHAPE_CAPSULE, .radius = 0.5, .extent = {0, 0, 1}},
        {.kind = CAROM_SHAPE_ELLIPSOID, .extent = {0.5, 1, 1.5}},
    };
    carom_error error;
    (void)state;
    const carom_status status = carom_context_create(NULL, &context, &error);
    return status == CAROM_OK && carom_shapes_create(made, KINDS, NULL, &shapes, &error) == CAROM_OK ? 0 : -1;
}

static int release_shapes(void **state) {
    (void)state;
    carom_shapes_destroy(shapes);
    carom_context_destroy(context);
    return 0;
}

/* One of the two bodies of each pair stands apart from those of all other pairs. */
typedef struct scene {
    double at[3][2 * PAIRS];
    double turn[4][2 * PAIRS];
    uint32_t shape[2 * PAIRS];
    carom_bodies_f64 bodies;
} scene;

static scene drawn;

static void draw(carom_random *random) {
    for (uint32_t n = 0; n < 2 * PAIRS; n++) {
        const double spread = n % 2 == 0 ? 0.0 : 4.0;
        drawn.shape[n] = (uint32_t)(carom_random_next(random) % KINDS);
        for (int d = 0; d < 3; d++) {
            drawn.at[d][n] = (d == 0 ? 20.0 * (n / 2) : 0.0) + spread * (carom_random_u01(random) - 0.5);
        }
        for (int d = 0; d < 4; d++) {
            drawn.turn[d][n] = d == 3 ? 1.0 : carom_random_u01(random) - 0.5;
        }
    }
    drawn.bodies = (carom_bodies_f64){.size = sizeof drawn.bodies,
                                      .count = 2 * PAIRS,
                                      .prev = {drawn.at[0], drawn.at[1], drawn.at[2]},
                                      .prev_turn = {drawn.turn[0], drawn.turn[1], drawn.turn[2], drawn.turn[3]},
                                      .shapes = shapes,
                                      .shape = drawn.shape};
}

static carom_detection_f64 detect(const carom_detect_config *config) {
    carom_detection_f64 found = {.size = sizeof found};
    carom_error error;
    const carom_status status = carom_detect_f64(context, &drawn.bodies, config, NULL, &found, &error);
    note_check(status == CAROM_OK, "%s", error.message);
    return found;
}

static void test_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    carom_detect_config config = carom_detect_config_default();
    static bool touches[PAIRS];
    config.tolerance = ldexp(1.0, -1 - (int)(number % 5));
    config.margin = carom_random_u01(&random);
    note_case(number, "tolerance %g, margin %g", config.tolerance, config.margin);
    draw(&random);
    memset(touches, 0, sizeof touches);
    const carom_detection_f64 found = detect(&config);
    for (uint64_t n = 0; n < found.pair_count; n++) {
        touches[found.contacts.i[n] / 2] = true;
    }
    const uint64_t touching = found.summary.touching_pairs;
    config.count_only = true;
    note_check(detect(&config).summary.touching_pairs == touching, "other pairs touch with count_only");
    config.count_only = false;
    config.all_pairs = true;
    const carom_detection_f64 all = detect(&config);
    note_check(all.summary.touching_pairs == touching, "other pairs touch with all_pairs");
    for (uint64_t n = 0; n < all.pair_count; n++) {
        note_check(isnan(all.contacts.t_toi[n]) == !touches[all.contacts.i[n] / 2],
                   "the row of (%u, %u) is of another state", all.contacts.i[n], all.contacts.k[n]);
        doubtful += fabs(all.contacts.distance[n] - config.margin) < config.tolerance;
    }
}

static void test_coarse_shapes(void **state) {
    (void)state;
    note_each_case(note_long() ? 2000 : 60, test_case);
    note_check(note_only_case() != UINT64_MAX || doubtful > (note_short() ? 100 : 1000),
               "%" PRIu64 " pairs near the margin", doubtful);
}

int main(void) {
    note_start("tests/prop/test_coarse_shapes");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coarse_shapes),
    };
    return cmocka_run_group_tests(tests, make_shapes, release_shapes);
}
