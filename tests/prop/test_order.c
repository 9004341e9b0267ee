/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Pairs in order among so many bodies that the two indices of a pair need more than 32 bits: a chain of touching
 * spheres, numbered from both ends in turn. Guards the width of the keys that pairs are sorted by. And
 * the order of bodies in the search, as callers get it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/scene/scene.h"
#include "tests/support/any_detect.h"
#include "tests/support/check.h"
#include "tests/support/random_scene.h"

enum { BODIES = 100001 };

static void test_order_of_many(void **state) {
    (void)state;
    random_scene scene = random_scene_blank(BODIES);
    for (uint32_t n = 0; n < BODIES; n++) {
        const uint32_t place = n % 2 == 0 ? n / 2 : BODIES - 1 - n / 2;
        scene.field[0][n] = scene.field[3][n] = 2.0 * place;
        scene.field[6][n] = 1;
    }
    carom_detect_config config = carom_detect_config_default();
    config.sort_pairs = true;
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        carom_context *context = any_context(threads, NULL);
        any_result r = any_detect(context, ANY_F32, &scene.bodies, &config);
        assert_int_equal(r.status, CAROM_OK);
        assert_int_equal(r.pair_count, BODIES - 1);
        for (uint64_t n = 0; n < r.pair_count; n++) {
            /* Neighbours differ by two, but for the two in the middle. */
            const uint64_t k = n + 2 < BODIES ? n + 2 : BODIES - 1;
            if (r.i[n] != n || r.k[n] != k) {
                fail_msg("pair %llu is (%u, %u)", (unsigned long long)n, r.i[n], r.k[n]);
            }
        }
        any_result_release(&r);
        carom_context_destroy(context);
    }
    random_scene_release(&scene);
}

/* Mean distance from a body to the next in `order`, or in the arrays if that is NULL. */
static double mean_step(const carom_bodies_f32 *bodies, const uint32_t *order) {
    double sum = 0;
    for (uint64_t n = 1; n < bodies->count; n++) {
        double square = 0;
        for (int a = 0; a < 3; a++) {
            const uint64_t from = order != NULL ? order[n - 1] : n - 1;
            const uint64_t to = order != NULL ? order[n] : n;
            const double step = (double)bodies->prev[a][to] - (double)bodies->prev[a][from];
            square += step * step;
        }
        sum += sqrt(square);
    }
    return sum / (double)(bodies->count - 1);
}

static void check_each_body_once(const uint32_t *order, uint64_t count) {
    uint8_t *seen = calloc(count, 1);
    assert_non_null(seen);
    for (uint64_t n = 0; n < count; n++) {
        assert_true(order[n] < count && seen[order[n]] == 0);
        seen[order[n]] = 1;
    }
    free(seen);
}

/* The order of the search has every body once, in periodic boxes too, follows space, and depends on no thread. */
static void check_order(char letter, double edge) {
    enum { COUNT = 20000 };
    static uint32_t first[COUNT];
    carom_scene_f32 scene;
    assert_int_equal(carom_scene_make(letter, COUNT, 1, &scene), CAROM_OK);
    const carom_bodies_f32 bodies = carom_scene_bodies(&scene);
    carom_periodic box = carom_periodic_default();
    for (int a = 0; a < 3; a++) {
        box.along[a] = true;
        box.edge[a][a] = edge;
    }
    for (uint32_t threads = 1; threads <= 3; threads++) {
        carom_context *context = any_context(threads, NULL);
        carom_detect_config config = carom_detect_config_default();
        carom_detection_f32 found = {0};
        assert_int_equal(carom_detect_f32(context, &bodies, &config, NULL, &found, NULL), CAROM_OK);
        assert_null(found.order);
        config.list_order = true;
        assert_int_equal(carom_detect_f32(context, &bodies, &config, NULL, &found, NULL), CAROM_OK);
        check_each_body_once(found.order, COUNT);
        assert_true(mean_step(&bodies, found.order) < 0.5 * mean_step(&bodies, NULL));
        if (threads == 1) {
            memcpy(first, found.order, sizeof first);
        }
        assert_memory_equal(first, found.order, sizeof first);
        for (int method = CAROM_METHOD_SWEEP; method <= CAROM_METHOD_SHARED; method++) {
            config.method = (carom_method)method;
            assert_int_equal(carom_detect_f32(context, &bodies, &config, NULL, &found, NULL), CAROM_OK);
            check_each_body_once(found.order, COUNT);
            /* Shared cells know no home of a body: all are in one list along an axis. */
            assert_true(mean_step(&bodies, found.order) < 0.9 * mean_step(&bodies, NULL));
        }
        config.method = CAROM_METHOD_AUTO;
        config.periodic = &box;
        config.until = CAROM_UNTIL_PAIRS;
        assert_int_equal(carom_detect_f32(context, &bodies, &config, NULL, &found, NULL), CAROM_OK);
        check_each_body_once(found.order, COUNT);
        carom_context_destroy(context);
    }
    carom_scene_release(&scene);
}

/* Bodies of one size in a box that they fill, so that some have images, and of many sizes. */
static void test_order_of_the_search(void **state) {
    (void)state;
    check_order('u', 95);
    check_order('p', 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order_of_many),
                                       cmocka_unit_test(test_order_of_the_search)};
    return cmocka_run_group_tests_name("order", tests, NULL, NULL);
}
