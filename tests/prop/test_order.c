/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Pairs in order among so many bodies that the two indices of a pair need more than 32 bits: a chain of touching
 * spheres, numbered from both ends in turn. Guards the width of the keys that pairs are sorted by. */
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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order_of_many)};
    return cmocka_run_group_tests_name("order", tests, NULL, NULL);
}
