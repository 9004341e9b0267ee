/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Merging of random bodies, in open space and in periodic boxes: the groups are those that detection finds, the first
 * of each keeps its handle, and mass, momentum and volume are what they were. Guards the union of groups and its sums.
 */
#include <math.h>
#include <string.h>

#include <carom/carom.h>

#include "kernel/scene/random.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

enum { CASES = 400, MOST = 200 };

static carom_context *context;
static double x[3][MOST];
static double v[3][MOST];
static double radius[MOST];
static double mass[MOST];
static uint64_t user[MOST];
static carom_handle handle[MOST];

static void make_bodies(carom_random *random, uint32_t count, double size) {
    for (uint32_t n = 0; n < count; n++) {
        for (int a = 0; a < 3; a++) {
            x[a][n] = size * carom_random_u01(random);
            v[a][n] = carom_random_u01(random) - 0.5;
        }
        radius[n] = 0.3 * carom_random_u01(random);
        mass[n] = 0.5 + carom_random_u01(random);
        user[n] = n;
    }
}

static carom_world_bodies_f64 view(uint64_t count) {
    return (carom_world_bodies_f64){.count = count,
                                    .position = {x[0], x[1], x[2]},
                                    .velocity = {v[0], v[1], v[2]},
                                    .radius = radius,
                                    .mass = mass,
                                    .user = user};
}

/* The first body of each one's group. */
static void find_groups(uint32_t count, const carom_periodic *box, uint32_t *label) {
    static double end[3][MOST];
    carom_bodies_f64 bodies = {.count = count, .radius = radius};
    for (int a = 0; a < 3; a++) {
        for (uint32_t n = 0; n < count; n++) {
            end[a][n] = x[a][n] + v[a][n];
        }
        bodies.prev[a] = x[a];
        bodies.curr[a] = end[a];
    }
    carom_detect_config config = carom_detect_config_default();
    carom_detection_f64 found = {0};
    carom_error error = {.message = ""};
    config.periodic = box;
    note_check(carom_detect_f64(context, &bodies, &config, NULL, &found, &error) == CAROM_OK, "%s", error.message);
    memcpy(label, found.groups.label, count * sizeof *label);
}

static double volume_of(uint64_t count) {
    double volume = 0.0;
    for (uint64_t n = 0; n < count; n++) {
        volume += radius[n] * radius[n] * radius[n];
    }
    return volume;
}

static bool is_close(double a, double b, double scale) {
    return fabs(a - b) <= 1e-13 * scale;
}

static void check_sums(const carom_world_totals *before, const carom_world_totals *after, bool open, uint32_t count) {
    note_check(is_close(before->mass, after->mass, before->mass), "mass %a, not %a", after->mass, before->mass);
    for (int a = 0; a < 3; a++) {
        note_check(is_close(before->momentum[a], after->momentum[a], before->mass), "momentum %a, not %a",
                   after->momentum[a], before->momentum[a]);
        const double moved = before->centre[a] + before->momentum[a] / before->mass;
        note_check(!open || is_close(moved, after->centre[a], 10.0 * count), "centre %a, not %a", after->centre[a],
                   moved);
    }
    note_check(after->energy <= before->energy * (1.0 + 1e-13), "energy grows");
}

static void check_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const uint32_t count = 1 + (uint32_t)(carom_random_next(&random) % MOST);
    const double size = 1.5 + cbrt(count) * (0.2 + 0.6 * carom_random_u01(&random));
    const bool open = number % 2 == 0;
    note_case(number, "%u bodies in %g, %s", count, size, open ? "open" : "periodic");
    carom_periodic box = carom_periodic_default();
    for (int a = 0; a < 3; a++) {
        box.along[a] = true;
        box.edge[a][a] = size;
        box.edge[a][0] += a == 2 ? 0.3 * size : 0.0;
    }
    carom_step_config config = carom_step_config_default();
    config.response = CAROM_RESPONSE_MERGE;
    config.periodic = open ? NULL : &box;
    make_bodies(&random, count, size);
    uint32_t label[MOST];
    find_groups(count, config.periodic, label);
    carom_world_f64 *world = NULL;
    carom_error error = {.message = ""};
    carom_world_totals before = {0};
    carom_world_totals after = {0};
    carom_step_report report = {0};
    const carom_world_bodies_f64 all = view(count);
    note_check(carom_world_create_f64(context, &config, &world, &error) == CAROM_OK, "%s", error.message);
    note_check(carom_world_add_f64(world, &all, handle, &error) == CAROM_OK, "%s", error.message);
    (void)carom_world_total_f64(world, &before, NULL);
    const double volume = volume_of(count);
    note_check(carom_world_step_f64(world, &report, NULL, &error) == CAROM_OK, "%s", error.message);
    (void)carom_world_total_f64(world, &after, NULL);
    uint64_t groups = 0;
    for (uint32_t n = 0; n < count; n++) {
        if (label[n] == n) {
            note_check(groups < after.bodies && carom_world_handles_f64(world)[groups] == handle[n],
                       "body %u is not the first of a group", n);
            groups++;
        }
    }
    note_check(groups == after.bodies && report.merged == count - groups, "%g bodies, not %g", (double)after.bodies,
               (double)groups);
    check_sums(&before, &after, open, count);
    const carom_world_bodies_f64 left = view(after.bodies);
    note_check(carom_world_get_f64(world, NULL, &left, &error) == CAROM_OK, "%s", error.message);
    note_check(is_close(volume_of(after.bodies), volume, volume), "volume %a, not %a", volume_of(after.bodies), volume);
    carom_world_destroy_f64(world);
}

static void test_merging(void **state) {
    (void)state;
    note_each_case(CASES, check_case);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_merging)};
    note_start("test_merge");
    if (carom_context_create(NULL, &context, NULL) != CAROM_OK) {
        return 1;
    }
    const int failed = cmocka_run_group_tests_name("merging", tests, NULL, NULL);
    carom_context_destroy(context);
    return failed;
}
