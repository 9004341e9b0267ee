/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The standard scenes, bit by bit. The word hashes below were stored once box pairs, touching pairs and touching
 * hashes of all six scenes at N = 10,000, found by brute force, had been equal to tests/data/scene_table.csv. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "carom/bodies.h"
#include "kernel/scene/scene.h"

enum { ARRAYS = 7, PAGE = 4096, ALIGNMENT = 64 };

static void list_arrays(const carom_scene_f32 *scene, const float *arrays[ARRAYS]) {
    for (int axis = 0; axis < 3; ++axis) {
        arrays[axis] = scene->prev[axis];
        arrays[3 + axis] = scene->curr[axis];
    }
    arrays[6] = scene->radius;
}

/* FNV-1a over the floats' 32-bit words, so that it does not depend on the byte order. */
static uint64_t hash_words(const carom_scene_f32 *scene) {
    const float *arrays[ARRAYS];
    list_arrays(scene, arrays);
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (int array = 0; array < ARRAYS; ++array) {
        for (uint64_t body = 0; body < scene->count; ++body) {
            uint32_t word;
            memcpy(&word, &arrays[array][body], sizeof word);
            hash = (hash ^ word) * UINT64_C(0x100000001B3);
        }
    }
    return hash;
}

static float least(float a, float b) {
    return a < b ? a : b;
}

static float greatest(float a, float b) {
    return a > b ? a : b;
}

static int boxes_overlap(const carom_scene_f32 *scene, uint64_t i, uint64_t k) {
    for (int axis = 0; axis < 3; ++axis) {
        const float *prev = scene->prev[axis];
        const float *curr = scene->curr[axis];
        const float lo_i = least(prev[i], curr[i]) - scene->radius[i];
        const float hi_i = greatest(prev[i], curr[i]) + scene->radius[i];
        const float lo_k = least(prev[k], curr[k]) - scene->radius[k];
        const float hi_k = greatest(prev[k], curr[k]) + scene->radius[k];
        if (lo_i > hi_k || hi_i < lo_k) {
            return 0;
        }
    }
    return 1;
}

static uint64_t count_box_pairs(char letter) {
    carom_scene_f32 scene;
    uint64_t pairs = 0;
    assert_int_equal(carom_scene_make(letter, 10000, 1, &scene), CAROM_OK);
    for (uint64_t i = 0; i < scene.count; ++i) {
        for (uint64_t k = i + 1; k < scene.count; ++k) {
            pairs += (uint64_t)boxes_overlap(&scene, i, k);
        }
    }
    carom_scene_release(&scene);
    return pairs;
}

static void words_are_those_of_the_definition(void **state) {
    static const struct {
        char letter;
        uint64_t hash;
    } known[] = {
        {'u', UINT64_C(0xB36A686AC502F8B0)}, {'d', UINT64_C(0xB45A9A03CE1C1867)}, {'p', UINT64_C(0x8C76B725EE3F0B05)},
        {'c', UINT64_C(0x7F4646E07662B5A4)}, {'l', UINT64_C(0x9EE5CFCBD2024AD7)}, {'a', UINT64_C(0x9929C4416DCAB03E)},
    };
    (void)state;
    for (size_t entry = 0; entry < sizeof known / sizeof *known; ++entry) {
        carom_scene_f32 scene;
        assert_int_equal(carom_scene_make(known[entry].letter, 10000, 1, &scene), CAROM_OK);
        assert_int_equal(scene.count, 10000);
        if (hash_words(&scene) != known[entry].hash) {
            fail_msg("scene %c at N = 10000, seed 1: hash %016llx instead of %016llx", known[entry].letter,
                     (unsigned long long)hash_words(&scene), (unsigned long long)known[entry].hash);
        }
        carom_scene_release(&scene);
    }
}

static void box_pairs_are_those_of_the_table(void **state) {
    (void)state;
    assert_int_equal(count_box_pairs('u'), 10472);
    assert_int_equal(count_box_pairs('p'), 3712);
}

static void seed_and_count_change_every_scene(void **state) {
    (void)state;
    for (const char *letter = carom_scene_letters(); *letter != '\0'; ++letter) {
        carom_scene_f32 one;
        carom_scene_f32 two;
        carom_scene_f32 longer;
        assert_int_equal(carom_scene_make(*letter, 100, 1, &one), CAROM_OK);
        assert_int_equal(carom_scene_make(*letter, 100, 2, &two), CAROM_OK);
        assert_int_equal(carom_scene_make(*letter, 101, 1, &longer), CAROM_OK);
        assert_true(hash_words(&one) != hash_words(&two));
        assert_true(one.prev[0][0] != longer.prev[0][0]);
        carom_scene_release(&one);
        carom_scene_release(&two);
        carom_scene_release(&longer);
    }
}

/* Equal offsets within a page would make the seven streams of detection share one L1 set. */
static void arrays_are_aligned_and_staggered(void **state) {
    static const uint64_t counts[] = {0, 1, 16, 1000, 1024, 4096, 100000, 1 << 20};
    (void)state;
    for (size_t entry = 0; entry < sizeof counts / sizeof *counts; ++entry) {
        carom_scene_f32 scene;
        const float *arrays[ARRAYS];
        assert_int_equal(carom_scene_make('u', counts[entry], 1, &scene), CAROM_OK);
        list_arrays(&scene, arrays);
        for (int a = 0; a < ARRAYS; ++a) {
            assert_int_equal((uintptr_t)arrays[a] % ALIGNMENT, 0);
            for (int b = 0; b < a; ++b) {
                assert_int_not_equal((uintptr_t)arrays[a] % PAGE, (uintptr_t)arrays[b] % PAGE);
            }
        }
        carom_scene_release(&scene);
    }
}

static void radii_follow_the_power_law(void **state) {
    carom_scene_f32 scene;
    uint64_t above_two = 0;
    (void)state;
    assert_int_equal(carom_scene_make('p', 10000, 1, &scene), CAROM_OK);
    for (uint64_t body = 0; body < scene.count; ++body) {
        assert_true(scene.radius[body] >= 1 && scene.radius[body] <= 100);
        above_two += scene.radius[body] > 2;
    }
    /* Expected 10000 * 2^-2.5 = 1768, standard deviation 38; five of them. */
    assert_in_range(above_two, 1768 - 190, 1768 + 190);
    carom_scene_release(&scene);
}

static void none_and_one_body_are_scenes(void **state) {
    (void)state;
    for (const char *letter = carom_scene_letters(); *letter != '\0'; ++letter) {
        for (uint64_t count = 0; count <= 1; ++count) {
            carom_scene_f32 scene;
            assert_int_equal(carom_scene_make(*letter, count, 1, &scene), CAROM_OK);
            assert_int_equal(scene.count, count);
            assert_non_null(scene.memory);
            assert_non_null(scene.radius);
            assert_true(count == 0 || scene.radius[0] >= 1);
            carom_scene_release(&scene);
            assert_null(scene.memory);
            carom_scene_release(&scene);
        }
    }
    carom_scene_release(NULL);
}

static void every_letter_has_a_name(void **state) {
    (void)state;
    assert_string_equal(carom_scene_letters(), "udpcla");
    for (const char *letter = carom_scene_letters(); *letter != '\0'; ++letter) {
        assert_non_null(carom_scene_name(*letter));
    }
    assert_string_equal(carom_scene_name('u'), "uniform");
    assert_null(carom_scene_name('z'));
    assert_null(carom_scene_name('\0'));
}

static void bad_arguments_leave_a_zero_scene(void **state) {
    static const carom_scene_f32 zero = {0};
    carom_scene_f32 scene;
    (void)state;
    memset(&scene, 0xAA, sizeof scene);
    assert_int_equal(carom_scene_make('z', 10, 1, &scene), CAROM_ERROR_ARGUMENT);
    assert_memory_equal(&scene, &zero, sizeof zero);
    memset(&scene, 0xAA, sizeof scene);
    assert_int_equal(carom_scene_make('u', CAROM_BODIES_MAX + 1, 1, &scene), CAROM_ERROR_ARGUMENT);
    assert_memory_equal(&scene, &zero, sizeof zero);
    assert_int_equal(carom_scene_make('u', UINT64_MAX, 1, &scene), CAROM_ERROR_ARGUMENT);
    assert_int_equal(carom_scene_make('u', 10, 1, NULL), CAROM_ERROR_ARGUMENT);
}

/* Bodies go straight on, stay within the walls, and turn where they meet them. */
static void scenes_in_motion_bounce_in_their_box(void **state) {
    (void)state;
    for (const char *letter = carom_scene_letters(); *letter != '\0'; ++letter) {
        carom_scene_f32 scene;
        carom_scene_motion motion;
        uint64_t turned = 0;
        assert_int_equal(carom_scene_make(*letter, 500, 1, &scene), CAROM_OK);
        assert_int_equal(carom_scene_motion_start(*letter, 3, &scene, &motion), CAROM_OK);
        for (int step = 0; step < 50; ++step) {
            float before[3];
            float at[3];
            for (int axis = 0; axis < 3; ++axis) {
                before[axis] = motion.displacement[axis][7];
                at[axis] = scene.curr[axis][7];
            }
            carom_scene_motion_step(&motion, &scene);
            for (int axis = 0; axis < 3; ++axis) {
                const float now = motion.displacement[axis][7];
                assert_true(scene.prev[axis][7] == at[axis]);
                assert_true(now == before[axis] || now == -before[axis]);
                assert_true(now != before[axis] || now == 0 || scene.curr[axis][7] == at[axis] + now);
                turned += now != before[axis];
                for (uint64_t body = 0; body < scene.count; ++body) {
                    assert_true((double)scene.curr[axis][body] >= (double)(float)motion.lo[axis]);
                    assert_true((double)scene.curr[axis][body] <= (double)(float)motion.hi[axis]);
                }
            }
        }
        assert_true(turned > 0);
        carom_scene_motion_end(&motion);
        carom_scene_motion_end(&motion);
        carom_scene_release(&scene);
    }
}

static void bad_motions_leave_the_scene(void **state) {
    (void)state;
    carom_scene_f32 scene;
    carom_scene_motion motion;
    assert_int_equal(carom_scene_make('u', 2, 1, &scene), CAROM_OK);
    const float curr = scene.curr[0][0];
    assert_int_equal(carom_scene_motion_start('z', 1, &scene, &motion), CAROM_ERROR_ARGUMENT);
    assert_int_equal(carom_scene_motion_start('u', (double)INFINITY, &scene, &motion), CAROM_ERROR_ARGUMENT);
    assert_int_equal(carom_scene_motion_start('u', 1, NULL, &motion), CAROM_ERROR_ARGUMENT);
    assert_int_equal(carom_scene_motion_start('u', 1, &scene, NULL), CAROM_ERROR_ARGUMENT);
    assert_null(motion.memory);
    assert_true(scene.curr[0][0] == curr);
    carom_scene_release(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_those_of_the_definition),
        cmocka_unit_test(box_pairs_are_those_of_the_table),
        cmocka_unit_test(seed_and_count_change_every_scene),
        cmocka_unit_test(arrays_are_aligned_and_staggered),
        cmocka_unit_test(radii_follow_the_power_law),
        cmocka_unit_test(none_and_one_body_are_scenes),
        cmocka_unit_test(every_letter_has_a_name),
        cmocka_unit_test(bad_arguments_leave_a_zero_scene),
        cmocka_unit_test(scenes_in_motion_bounce_in_their_box),
        cmocka_unit_test(bad_motions_leave_the_scene),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
