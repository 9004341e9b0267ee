/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The order of bodies in space (kernel/impacts/order.h). Results do not depend on it, so nothing else would tell.
 * Guards that each body is in it once, that bodies that lie beside each other in it are near each other, in clusters,
 * in sheets and beside one that is far away, too, and that it is kept until bodies have mixed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

#include "kernel/impacts/order.h"
#include "kernel/scene/random.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

enum { BODIES = 20000, CLUSTERS = 8 };

typedef enum scene_kind { CUBE, SHEET, CLUSTERED, OUTLIER, ONE_PLACE, KINDS } scene_kind;

static const char *const names[KINDS] = {"a cube", "a sheet", "clusters", "a body far away", "one place"};
static double place[BODIES][3];
static carom_context *context;
static carom_order order;

static void make_scene(scene_kind kind, carom_random *random) {
    for (int n = 0; n < BODIES; n++) {
        const double width = kind == CLUSTERED ? 1e-3 : 1.0;
        for (int a = 0; a < 3; a++) {
            place[n][a] = kind == ONE_PLACE ? 7.0 : width * carom_random_u01(random);
        }
        place[n][0] += kind == CLUSTERED ? n % CLUSTERS : 0.0;
        place[n][2] = kind == SHEET ? 0.0 : place[n][2];
    }
    if (kind == OUTLIER) {
        place[BODIES / 2][1] = 1e4;
    }
}

static void load_place(const void *bodies, uint64_t n, double x[3]) {
    memcpy(x, ((const double(*)[3])bodies)[n], sizeof(double[3]));
}

static void renew(void) {
    const carom_order_source source = {BODIES, load_place, place, false};
    assert_int_equal(carom_context_take(context, NULL), CAROM_OK);
    carom_context_use_workers(context, BODIES);
    assert_int_equal(carom_order_renew(&order, &context->memory, context, &source), CAROM_OK);
    carom_context_give_back(context);
}

/* Mean distance from slot to slot, without the far body's and those between clusters. */
static double mean_apart(void) {
    double sum = 0.0;
    uint32_t steps = 0;
    for (int slot = 0; slot + 1 < BODIES; slot++) {
        const double *a = place[order.number[slot]];
        const double *b = place[order.number[slot + 1]];
        const double apart = fabs(a[0] - b[0]) + fabs(a[1] - b[1]) + fabs(a[2] - b[2]);
        sum += apart < 0.9 ? apart : 0.0;
        steps += apart < 0.9 ? 1 : 0;
    }
    return sum / steps;
}

static void check_each_once(void) {
    static bool seen[BODIES];
    memset(seen, 0, sizeof seen);
    for (uint32_t slot = 0; slot < BODIES; slot++) {
        const uint32_t n = order.number[slot];
        assert_true(n < BODIES && !seen[n] && order.slot[n] == slot);
        seen[n] = true;
    }
}

/* Steps are a few times the distance between bodies, which the cube's or cluster's width and their number tell. */
static void check_kind(uint64_t number) {
    const scene_kind kind = (scene_kind)number;
    carom_random random = carom_random_seeded(note_case_seed(number));
    const double width = kind == ONE_PLACE ? 0.0 : kind == CLUSTERED ? 1e-3 : 1.0;
    const double dimensions = kind == SHEET ? 2.0 : 3.0;
    const double between = width * pow(kind == CLUSTERED ? BODIES / CLUSTERS : BODIES, -1.0 / dimensions);
    note_case(number, "%s", names[kind]);
    make_scene(kind, &random);
    carom_order_forget(&order);
    for (int times = 0; times < 2; times++) { /* the second time it is known whether they are crowded */
        renew();
        assert_true(order.fresh);
        check_each_once();
        note_check(mean_apart() <= 2.5 * between, "steps of %g, bodies are %g apart", mean_apart(), between);
        note_check(order.crowded == (kind != CUBE && kind != SHEET), "crowded: %d", (int)order.crowded);
        renew();
        assert_false(order.fresh);
        carom_order_forget(&order);
    }
}

static void test_kinds(void **state) {
    (void)state;
    note_each_case(KINDS, check_kind);
}

static void test_mixed(void **state) {
    (void)state;
    carom_random random = carom_random_seeded(note_case_seed(KINDS));
    make_scene(CUBE, &random);
    carom_order_forget(&order);
    renew();
    make_scene(CUBE, &random);
    renew();
    assert_true(order.fresh);
    check_each_once();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kinds), cmocka_unit_test(test_mixed)};
    note_start("test_space_order");
    carom_context_config config = carom_context_config_default();
    config.threads = 3;
    config.bodies_per_thread = 100;
    if (carom_context_create(&config, &context, NULL) != CAROM_OK) {
        return 1;
    }
    const int failed = cmocka_run_group_tests_name("the order of space", tests, NULL, NULL);
    carom_order_release(&order, &context->memory);
    carom_context_destroy(context);
    return failed;
}
