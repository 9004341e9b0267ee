/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Steps of crowds, bit for bit as a sequential event queue has them for every number of threads and of windows: giants
 * among dust, and bodies that overlap when the step begins. Guards that groups which grow fast, and bodies that leave
 * their hulls, miss nothing. */
#include <math.h>

#include "kernel/scene/random.h"
#include "tests/support/check.h"
#include "tests/support/note.h"
#include "tests/support/queue_trial.h"

enum { DUST = 900, GIANTS = 2, DUST_WORLDS = 8 };

/* Fast giants as light as the dust around them: each grain that hits one changes its path, so they leave their hulls
 * often, and hundreds of grains lie in the corners of these, out of reach until they do. */
static void check_dust(uint64_t number) {
    const double size = 24.0;
    carom_random random = carom_random_seeded(note_case_seed(number));
    queue_trial_begin(5000);
    for (uint32_t n = 0; n < DUST + GIANTS; n++) {
        const bool giant = n % (DUST / GIANTS) == 7;
        double x[3];
        double v[3];
        for (int a = 0; a < 3; a++) {
            x[a] = size * carom_random_u01(&random);
            v[a] = (giant ? 16.0 : 2.0) * (carom_random_u01(&random) - 0.5);
        }
        queue_add(&queue_trial_before, x, v, giant ? 4.0 : 0.02 + 0.2 * carom_random_u01(&random), 1.0, 1.0);
    }
    for (int n = 0; n < 2; n++) {
        queue_trial_step(number, "giants among dust");
    }
}

static void test_dust(void **state) {
    (void)state;
    note_each_case(DUST_WORLDS, check_dust);
}

enum { GRAINS = 120 };

/* A giant at rest, dust in a corner of the box around it, and a heavy body that hurls it there: the giant leaves its
 * hull, and only its own new path tells that it meets dust which was out of its reach and does not move. */
static void check_corner(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const double side[3] = {number & 1 ? 1.0 : -1.0, number & 2 ? 1.0 : -1.0, number & 4 ? 1.0 : -1.0};
    const double rest[3] = {0.0, 0.0, 0.0};
    double x[3];
    double v[3];
    queue_trial_begin(5000);
    queue_add(&queue_trial_before, rest, rest, 4.0, 1.0, 1.0);
    for (uint32_t n = 0; n < GRAINS; n++) {
        for (int a = 0; a < 3; a++) {
            x[a] = side[a] * (2.9 + carom_random_u01(&random));
        }
        queue_add(&queue_trial_before, x, rest, 0.001, 1.0, 1.0);
    }
    for (int a = 0; a < 3; a++) {
        x[a] = -side[a] * 5.0;
        v[a] = side[a] * (20.0 + carom_random_u01(&random));
    }
    queue_add(&queue_trial_before, x, v, 1.0, 1e6, 1.0);
    queue_trial_step(number, "dust in the corner of a giant's hull");
    note_check(queue_trial_after.impacts > GRAINS / 2, "%g impacts", (double)queue_trial_after.impacts);
}

static void test_corner(void **state) {
    (void)state;
    note_each_case(8, check_corner);
}

static void add(double x, double y, double z, const double v[3], double radius, double mass) {
    queue_add(&queue_trial_before, (double[3]){x, y, z}, v, radius, mass, 1.0);
}

enum { IDLE = 20 };

/* A giant hits two grains, which are in one group from then on, and a heavy body one of them, which leaves its hull
 * only in a later window, for the other: of that impact the group's simulation knows nothing, and no other one comes
 * before it. Idle bodies give hulls some room. */
static void check_late(uint64_t number) {
    static const double rest[3] = {0.0, 0.0, 0.0};
    queue_trial_begin(5000);
    for (uint32_t n = 0; n < IDLE; n++) {
        add(1000.0 + 10.0 * n, 0.0, 0.0, (double[3]){0.0, 2.0, 0.0}, 0.1, 1.0);
    }
    add(0.0, -100.105, 0.0, (double[3]){0.0, 0.1, 0.0}, 100.0, 1e9);
    add(-0.55, 0.0, 0.0, rest, 0.1, 1.0);
    add(0.55, 0.0, 0.0, rest, 0.1, 1.0);
    add(-0.95, 0.0, 0.0, (double[3]){2.0, 0.0, 0.0}, 0.1, 1000.0);
    queue_trial_step(number, "a body that leaves its hull late");
    note_check(queue_trial_after.impacts >= 4, "%g impacts", (double)queue_trial_after.impacts);
}

static void test_late(void **state) {
    (void)state;
    note_each_case(4, check_late);
}

/* Two bodies hit a third from both sides at one time. In between it moves towards a fourth, which it overlaps, and
 * which has an impact of its own before. */
static void check_between(uint64_t number) {
    queue_trial_begin(5000);
    add(0.0, 0.0, 0.0, (double[3]){0.0, 0.0, 0.0}, 0.5, 1.0);
    add(0.3, 0.85, 0.0, (double[3]){0.01, 0.06, 0.0}, 0.5, 1.0);
    add(-1.75, 0.0, 0.0, (double[3]){2.0, 0.0, 0.0}, 0.25, 1.0);
    add(1.75, 0.0, 0.0, (double[3]){-2.0, 0.0, 0.0}, 0.25, 1.0);
    add(0.3, 0.85, -1.05, (double[3]){0.0, 0.0, 0.5}, 0.5, 1.0);
    queue_trial_step(number, "a body between two");
    const queue_event *event = queue_trial_event;
    note_check(event[1].t == 0.5 && event[1].i == 0 && event[1].k == 2 && event[2].t == 0.5 && event[2].i == 0 &&
                   event[2].k == 1,
               "impacts are at %g of %u and %u, and at %g of %u and %u", event[1].t, event[1].i, event[1].k, event[2].t,
               event[2].i, event[2].k);
}

static void test_between(void **state) {
    (void)state;
    note_each_case(8, check_between);
}

enum { OVERLAPPING = 400, OVERLAP_WORLDS = 6 };

/* Bodies of all sizes thrown upon one another: most of them have impacts when the first step begins. */
static void check_overlaps(uint64_t number) {
    const double size = 10.0;
    carom_random random = carom_random_seeded(note_case_seed(number));
    queue_trial_begin(5000);
    for (uint32_t n = 0; n < OVERLAPPING; n++) {
        const double radius = 0.2 * pow(1.0 - 0.999 * carom_random_u01(&random), -0.4);
        double x[3];
        double v[3];
        for (int a = 0; a < 3; a++) {
            x[a] = size * carom_random_u01(&random);
            v[a] = carom_random_u01(&random) - 0.5;
        }
        queue_add(&queue_trial_before, x, v, radius, radius * radius * radius, number % 3 == 0 ? 0.5 : 1.0);
    }
    for (int n = 0; n < 2; n++) {
        queue_trial_step(number, "bodies that overlap");
    }
}

static void test_overlaps(void **state) {
    (void)state;
    note_each_case(OVERLAP_WORLDS, check_overlaps);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dust),    cmocka_unit_test(test_corner),   cmocka_unit_test(test_late),
        cmocka_unit_test(test_between), cmocka_unit_test(test_overlaps),
    };
    note_start("test_crowded_steps");
    queue_trial_open();
    const int failed = cmocka_run_group_tests_name("crowded steps", tests, NULL, NULL);
    queue_trial_close();
    return failed;
}
