/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Arrays of the caller's: filled exactly when everything fits, else untouched to the last byte, with the exact size
 * needed; nothing is ever written past what is needed. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/any_detect.h"
#include "tests/support/check.h"
#include "tests/support/guarded_output.h"
#include "tests/support/note.h"
#include "tests/support/random_scene.h"

enum { BODIES = 60, BOXED = 30, THREADS_MOST = 8, OPTIONS = 7 };

/* Tilted, and outside of it are some of BOXED bodies. */
static const carom_periodic box = {
    .size = sizeof box, .along = {true, true, true}, .edge = {{5.5, 0, 0}, {2, 5.5, 0}, {-1, 1, 5.5}}};

static any_bodies some_bodies(any_precision precision, uint64_t count) {
    carom_random random = carom_random_seeded(note_case_seed(count));
    random_scene scene = random_scene_make(RANDOM_UNIFORM_DENSE, count, true, &random);
    any_bodies bodies = any_bodies_make(precision, &scene.bodies);
    random_scene_release(&scene);
    return bodies;
}

static void try_capacity(carom_context *context, const any_bodies *bodies, const carom_detect_config *config,
                         const any_result *wanted, uint64_t capacity) {
    guarded_output g = guarded_make(bodies->precision, capacity, bodies->f32.count);
    any_result r = any_detect_bodies(context, bodies, config, &g.arrays);
    if (capacity < wanted->pair_count) {
        note_check(r.status == CAROM_ERROR_CAPACITY && r.error.status == CAROM_ERROR_CAPACITY,
                   "capacity %" PRIu64 ": status %s", capacity, carom_status_name(r.status));
        note_check(r.summary.required_pairs == wanted->pair_count, "required_pairs %" PRIu64 ", not %" PRIu64,
                   r.summary.required_pairs, wanted->pair_count);
        guarded_check_untouched(&g);
    } else {
        note_check(any_result_same(wanted, &r), "capacity %" PRIu64 ": %s", capacity, r.error.message);
        guarded_check_filled(&g, &r);
    }
    any_result_release(&r);
    guarded_release(&g);
}

/* In open space from 0 to 3, then in a box. */
static carom_detect_config option(int number) {
    static const carom_until untils[OPTIONS] = {CAROM_UNTIL_GROUPS,  CAROM_UNTIL_PAIRS,  CAROM_UNTIL_APPROACH,
                                                CAROM_UNTIL_GROUPS,  CAROM_UNTIL_GROUPS, CAROM_UNTIL_PAIRS,
                                                CAROM_UNTIL_APPROACH};
    carom_detect_config config = any_config_full();
    config.until = untils[number];
    config.all_pairs = number == 3;
    config.sort_pairs = number % 2 == 0;
    config.periodic = number >= 4 ? &box : NULL;
    return config;
}

static void try_capacities(any_precision precision, uint32_t threads, const carom_detect_config *config) {
    carom_context *context = any_context(threads, NULL);
    any_bodies bodies = some_bodies(precision, config->periodic != NULL ? BOXED : BODIES);
    any_result wanted = any_detect_bodies(context, &bodies, config, NULL);
    note_check(wanted.status == CAROM_OK && wanted.pair_count > 20, "too few pairs");
    note_check((wanted.shift[0] != NULL) == (config->periodic != NULL), "shifts belong to boxes alone");
    for (uint64_t capacity = 0; capacity <= wanted.pair_count + 1; capacity++) {
        try_capacity(context, &bodies, config, &wanted, capacity);
    }
    any_result_release(&wanted);
    any_bodies_release(&bodies);
    carom_context_destroy(context);
}

/* Every capacity from none to more than enough, on 1 to 8 threads. */
static void test_every_capacity(void **state) {
    (void)state;
    for (int number = 0; number < OPTIONS; number++) {
        carom_detect_config config = option(number);
        for (uint32_t threads = 1; threads <= THREADS_MOST; threads++) {
            for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
                note_case((uint64_t)number, "option %d, %s, %u threads", number, any_precision_name(p), threads);
                try_capacities(p, threads, &config);
            }
        }
    }
}

/* A larger scene: too few by one, then with exactly what the failed call asked for. */
static void test_retry_with_required(void **state) {
    (void)state;
    for (int setting = 0; setting < 4 * OPTIONS; setting++) {
        any_precision precision = (any_precision)(setting % 2);
        carom_context *context = any_context((uint32_t)setting / 2 % 2 + 1, NULL);
        carom_detect_config config = option(setting / 4);
        any_bodies bodies = some_bodies(precision, config.periodic != NULL ? BOXED : 9000);
        note_case((uint64_t)setting, "retry, %s", any_precision_name(precision));
        guarded_output none = guarded_make(precision, 0, bodies.f32.count);
        any_result failed = any_detect_bodies(context, &bodies, &config, &none.arrays);
        note_check(failed.status == CAROM_ERROR_CAPACITY, "status %s", carom_status_name(failed.status));
        guarded_check_untouched(&none);
        any_result wanted = any_detect_bodies(context, &bodies, &config, NULL);
        try_capacity(context, &bodies, &config, &wanted, failed.summary.required_pairs - 1);
        try_capacity(context, &bodies, &config, &wanted, failed.summary.required_pairs);
        guarded_release(&none);
        any_result_release(&failed);
        any_result_release(&wanted);
        any_bodies_release(&bodies);
        carom_context_destroy(context);
    }
}

/* All arrays but this one taken away; -1: that one, too. Capacity is of no matter for labels alone. */
static any_output only(const guarded_output *g, int array) {
    any_output one = {.pair_capacity = array == GUARDED_LABEL ? 0 : g->arrays.pair_capacity};
    one.rows.i = array == 0 ? g->arrays.rows.i : NULL;
    one.rows.k = array == 1 ? g->arrays.rows.k : NULL;
    one.label = array == GUARDED_LABEL ? g->arrays.label : NULL;
    for (int f = 0; f < ANY_FIELDS; f++) {
        one.rows.field[f] = array == GUARDED_FIELD + f ? g->arrays.rows.field[f] : NULL;
    }
    for (int a = 0; a < 3; a++) {
        one.rows.shift[a] = array == GUARDED_SHIFT + a ? g->arrays.rows.shift[a] : NULL;
    }
    return one;
}

static void try_array(carom_context *context, const any_bodies *bodies, const carom_detect_config *config,
                      const any_result *wanted, int array) {
    guarded_output g = guarded_make(bodies->precision, wanted->pair_count, bodies->f32.count);
    any_output one = only(&g, array);
    any_result r = any_detect_bodies(context, bodies, config, &one);
    note_check(any_result_same(wanted, &r), "other results: %s", r.error.message);
    for (int other = 0; other < GUARDED_ARRAYS; other++) {
        bool shift = other >= GUARDED_SHIFT && other < GUARDED_LABEL;
        uint64_t entries = other == GUARDED_LABEL ? bodies->f32.count : wanted->pair_count;
        bool filled = other == array && (!shift || config->periodic != NULL);
        guarded_check_used(&g, other, filled ? entries * guarded_entry_bytes(bodies->precision, other) : 0);
        note_check(guarded_is_written(&g, other) == filled, "array %d: %s", other, filled ? "not written" : "written");
    }
    any_result_release(&r);
    guarded_release(&g);
}

/* One array alone, for each of them, and none at all: only what is given is filled, and shifts in a box only. */
static void test_single_arrays(void **state) {
    (void)state;
    for (int setting = 0; setting < 4; setting++) {
        any_precision precision = (any_precision)(setting % 2);
        carom_context *context = any_context(1, NULL);
        carom_detect_config config = option(setting / 2 * 4);
        any_bodies bodies = some_bodies(precision, setting < 2 ? BODIES : BOXED);
        any_result wanted = any_detect_bodies(context, &bodies, &config, NULL);
        for (int array = -1; array < GUARDED_ARRAYS; array++) {
            note_case((uint64_t)setting, "array %d alone, %s", array, any_precision_name(precision));
            try_array(context, &bodies, &config, &wanted, array);
        }
        any_result_release(&wanted);
        any_bodies_release(&bodies);
        carom_context_destroy(context);
    }
}

/* Calls that store no pairs write none, and capacity 0 is enough for them; labels come with groups only. */
static void test_calls_without_pairs(void **state) {
    (void)state;
    for (int setting = 0; setting < 4; setting++) {
        any_precision precision = (any_precision)(setting % 2);
        carom_context *context = any_context(1, NULL);
        any_bodies bodies = some_bodies(precision, BODIES);
        carom_detect_config config = carom_detect_config_default();
        config.count_only = setting < 2;
        config.until = setting < 2 ? CAROM_UNTIL_GROUPS : CAROM_UNTIL_BOUNDS;
        guarded_output g = guarded_make(precision, 0, BODIES);
        note_case((uint64_t)setting, "no pairs stored, %s", any_precision_name(precision));
        any_result r = any_detect_bodies(context, &bodies, &config, &g.arrays);
        note_check(r.status == CAROM_OK, "%s", r.error.message);
        for (int array = 0; array < GUARDED_LABEL; array++) {
            guarded_check_used(&g, array, 0);
        }
        guarded_check_used(&g, GUARDED_LABEL, setting < 2 ? BODIES * sizeof(uint32_t) : 0);
        if (setting < 2) {
            assert_memory_equal(g.arrays.label, r.label, BODIES * sizeof(uint32_t));
        }
        any_result_release(&r);
        guarded_release(&g);
        any_bodies_release(&bodies);
        carom_context_destroy(context);
    }
}

int main(void) {
    note_start("tests/fault/test_capacity");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_capacity),
        cmocka_unit_test(test_retry_with_required),
        cmocka_unit_test(test_single_arrays),
        cmocka_unit_test(test_calls_without_pairs),
    };
    return cmocka_run_group_tests_name("capacity", tests, NULL, NULL);
}
