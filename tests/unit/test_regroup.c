/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* When groups are updated, and when labelled anew. Guards that an update that was given up is tried again after a
 * while, in open space and in a periodic box, and that one is never tried with more changes than it has room for. */
#include "kernel/coherent/regroup.h"
#include "tests/support/check.h"

enum { SIDE = 6, BODIES = SIDE * SIDE * SIDE };

typedef struct fixture {
    double at[3][BODIES];
    double radius[BODIES];
    carom_context *context;
    carom_coherent_f64 *coherent;
} fixture;

/* A lattice; the first body touches its neighbour, or not. */
static void step(fixture *f, const carom_periodic *box, bool touches) {
    carom_detect_config config = carom_detect_config_default();
    carom_detection_f64 found = {0};
    config.periodic = box;
    f->at[0][0] = touches ? 0.25 : 0.0;
    const carom_bodies_f64 bodies = {.count = BODIES, .prev = {f->at[0], f->at[1], f->at[2]}, .radius = f->radius};
    assert_int_equal(carom_coherent_detect_f64(f->coherent, &bodies, &config, NULL, &found, NULL, NULL), CAROM_OK);
    assert_int_equal(found.summary.touching_pairs, touches ? 1 : 0);
}

static void check_tried_again(const carom_periodic *box) {
    static fixture f;
    const carom_coherent_config lists = {.size = sizeof lists, .steps_ahead = 50};
    for (int n = 0; n < BODIES; n++) {
        f.at[0][n] = n % SIDE;
        f.at[1][n] = n / SIDE % SIDE;
        f.at[2][n] = n / SIDE / SIDE;
        f.radius[n] = 0.4;
    }
    assert_int_equal(carom_context_create(NULL, &f.context, NULL), CAROM_OK);
    assert_int_equal(carom_coherent_create_f64(f.context, &lists, &f.coherent, NULL), CAROM_OK);
    carom_coherent *state = (carom_coherent *)(void *)f.coherent;
    step(&f, box, false);
    step(&f, box, true);
    step(&f, box, false);
    state->groups.members_a_change = 1000.0; /* more than the limit, as if the last update had been given up */
    assert_false(carom_regroup_is_promising(state, 1));
    for (int n = 0; n < 200 && !carom_regroup_is_promising(state, 1); n++) {
        step(&f, box, n % 2 == 0);
    }
    assert_true(carom_regroup_is_promising(state, 1));
    carom_coherent_destroy_f64(f.coherent);
    carom_context_destroy(f.context);
}

static void test_tried_again(void **state) {
    (void)state;
    carom_periodic box = carom_periodic_default();
    for (int a = 0; a < 3; a++) {
        box.along[a] = true;
        box.edge[a][a] = SIDE;
    }
    check_tried_again(NULL);
    check_tried_again(&box);
}

static void test_room(void **state) {
    (void)state;
    carom_coherent cheap = {.owned = 8000, .groups = {.members_a_change = 0.01}};
    assert_true(carom_regroup_is_promising(&cheap, 1000));
    assert_false(carom_regroup_is_promising(&cheap, carom_regroup_members_bytes(8000) / (2 * sizeof(uint32_t)) + 1));
}

int main(int argc, char **argv) {
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tried_again), cmocka_unit_test(test_room)};
    return cmocka_run_group_tests_name("regroup", tests, NULL, NULL);
}
