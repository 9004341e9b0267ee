/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Arrays of the caller's: filled exactly when everything fits, else untouched to the last byte, with the exact size
 * needed; nothing is ever written past what is needed. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/any_detect.h"
#include "tests/support/check.h"
#include "tests/support/note.h"
#include "tests/support/random_scene.h"

enum { CANARY = 0xC5, GUARD = 64, PAIR_ARRAYS = 2 + ANY_FIELDS, BODIES = 60, THREADS_MOST = 8 };

/* Output arrays, each between two stretches of canaries. */
typedef struct guarded_output {
    any_output arrays;
    uint8_t *memory[PAIR_ARRAYS + 1];
    uint64_t bytes[PAIR_ARRAYS + 1];
} guarded_output;

static void *guarded(guarded_output *g, int array, uint64_t bytes) {
    g->bytes[array] = bytes;
    g->memory[array] = malloc(bytes + 2 * GUARD);
    if (g->memory[array] == NULL) {
        abort();
    }
    memset(g->memory[array], CANARY, bytes + 2 * GUARD);
    return g->memory[array] + GUARD;
}

/* Room for `capacity` pairs and `bodies` labels. */
static guarded_output guarded_make(any_precision precision, uint64_t capacity, uint64_t bodies) {
    guarded_output g = {.arrays = {.pair_capacity = capacity}};
    uint64_t size = precision == ANY_F32 ? sizeof(float) : sizeof(double);
    g.arrays.i = guarded(&g, 0, capacity * sizeof(uint32_t));
    g.arrays.k = guarded(&g, 1, capacity * sizeof(uint32_t));
    for (int f = 0; f < ANY_FIELDS; f++) {
        g.arrays.field[f] = guarded(&g, 2 + f, capacity * size);
    }
    g.arrays.label = guarded(&g, PAIR_ARRAYS, bodies * sizeof(uint32_t));
    return g;
}

static void guarded_release(guarded_output *g) {
    for (int array = 0; array <= PAIR_ARRAYS; array++) {
        free(g->memory[array]);
    }
}

static bool is_canary(const uint8_t *from, uint64_t bytes) {
    for (uint64_t n = 0; n < bytes; n++) {
        if (from[n] != CANARY) {
            return false;
        }
    }
    return true;
}

/* Only the first `used` bytes of an array may have been written. */
static void check_guards(const guarded_output *g, int array, uint64_t used) {
    const uint8_t *memory = g->memory[array];
    note_check(is_canary(memory, GUARD), "array %d: written before its start", array);
    note_check(used <= g->bytes[array] && is_canary(memory + GUARD + used, g->bytes[array] - used + GUARD),
               "array %d: written beyond %" PRIu64 " bytes", array, used);
}

static void check_untouched(const guarded_output *g) {
    for (int array = 0; array <= PAIR_ARRAYS; array++) {
        check_guards(g, array, 0);
    }
}

/* The caller's arrays hold what the context's do. */
static void check_filled(const guarded_output *g, any_precision precision, const any_result *r) {
    uint64_t words = r->pair_count * sizeof(uint32_t);
    uint64_t size = precision == ANY_F32 ? sizeof(float) : sizeof(double);
    check_guards(g, 0, words);
    check_guards(g, 1, words);
    assert_memory_equal(g->arrays.i, r->i, words);
    assert_memory_equal(g->arrays.k, r->k, words);
    for (int f = 0; f < ANY_FIELDS; f++) {
        check_guards(g, 2 + f, r->field[f] != NULL ? r->pair_count * size : 0);
        for (uint64_t n = 0; r->field[f] != NULL && n < r->pair_count; n++) {
            double got = precision == ANY_F32 ? (double)((const float *)g->arrays.field[f])[n]
                                              : ((const double *)g->arrays.field[f])[n];
            note_check(memcmp(&got, &r->field[f][n], sizeof got) == 0, "array %d differs at %" PRIu64, f, n);
        }
    }
    uint64_t labels = r->label != NULL ? r->bodies * sizeof(uint32_t) : 0;
    check_guards(g, PAIR_ARRAYS, labels);
    assert_memory_equal(g->arrays.label, labels > 0 ? r->label : g->arrays.label, labels);
}

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
        check_untouched(&g);
    } else {
        note_check(any_result_same(wanted, &r), "capacity %" PRIu64 ": %s", capacity, r.error.message);
        check_filled(&g, bodies->precision, &r);
    }
    any_result_release(&r);
    guarded_release(&g);
}

static carom_detect_config option(int number) {
    carom_detect_config config = any_config_full();
    config.until = number == 1 ? CAROM_UNTIL_PAIRS : number == 2 ? CAROM_UNTIL_APPROACH : CAROM_UNTIL_GROUPS;
    config.all_pairs = number == 3;
    config.sort_pairs = number % 2 == 0;
    return config;
}

/* Every capacity from none to more than enough, on 1 to 8 threads. */
static void test_every_capacity(void **state) {
    (void)state;
    for (int setting = 0; setting < 8 * THREADS_MOST; setting++) {
        any_precision precision = (any_precision)(setting % 2);
        uint32_t threads = (uint32_t)setting / 2 % THREADS_MOST + 1;
        carom_context *context = any_context(threads, NULL);
        any_bodies bodies = some_bodies(precision, BODIES);
        carom_detect_config config = option(setting / (2 * THREADS_MOST));
        any_result wanted = any_detect_bodies(context, &bodies, &config, NULL);
        note_case((uint64_t)setting, "capacities, %s, %u threads", any_precision_name(precision), threads);
        note_check(wanted.pair_count > 20, "too few pairs");
        for (uint64_t capacity = 0; capacity <= wanted.pair_count + 1; capacity++) {
            try_capacity(context, &bodies, &config, &wanted, capacity);
        }
        any_result_release(&wanted);
        any_bodies_release(&bodies);
        carom_context_destroy(context);
    }
}

/* A larger scene: too few by one, then with exactly what the failed call asked for. */
static void test_retry_with_required(void **state) {
    (void)state;
    for (int setting = 0; setting < 16; setting++) {
        any_precision precision = (any_precision)(setting % 2);
        carom_context *context = any_context((uint32_t)setting / 2 % 2 + 1, NULL);
        any_bodies bodies = some_bodies(precision, 9000);
        carom_detect_config config = option(setting / 4);
        note_case((uint64_t)setting, "retry, %s", any_precision_name(precision));
        guarded_output none = guarded_make(precision, 0, bodies.f32.count);
        any_result failed = any_detect_bodies(context, &bodies, &config, &none.arrays);
        note_check(failed.status == CAROM_ERROR_CAPACITY, "status %s", carom_status_name(failed.status));
        check_untouched(&none);
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

/* One array alone, for each of them, and none at all: only what is given is filled. */
static void test_single_arrays(void **state) {
    (void)state;
    for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
        carom_context *context = any_context(1, NULL);
        any_bodies bodies = some_bodies(p, BODIES);
        any_result wanted = any_detect_bodies(context, &bodies, NULL, NULL);
        uint64_t pairs = wanted.pair_count;
        uint64_t size = p == ANY_F32 ? sizeof(float) : sizeof(double);
        for (int array = -1; array <= PAIR_ARRAYS; array++) {
            note_case((uint64_t)(array + 1), "array %d alone, %s", array, any_precision_name(p));
            guarded_output g = guarded_make(p, pairs, BODIES);
            any_output only = {.pair_capacity = array == PAIR_ARRAYS ? 0 : pairs};
            only.i = array == 0 ? g.arrays.i : NULL;
            only.k = array == 1 ? g.arrays.k : NULL;
            only.label = array == PAIR_ARRAYS ? g.arrays.label : NULL;
            for (int f = 0; f < ANY_FIELDS; f++) {
                only.field[f] = array == 2 + f ? g.arrays.field[f] : NULL;
            }
            any_result r = any_detect_bodies(context, &bodies, NULL, &only);
            note_check(any_result_same(&wanted, &r), "other results: %s", r.error.message);
            for (int other = 0; other <= PAIR_ARRAYS; other++) {
                uint64_t used = other == PAIR_ARRAYS ? BODIES * sizeof(uint32_t)
                                : other < 2          ? pairs * sizeof(uint32_t)
                                                     : pairs * size;
                check_guards(&g, other, other == array ? used : 0);
            }
            note_check(array < 0 || !is_canary(g.memory[array] + GUARD, g.bytes[array]), "nothing was written");
            any_result_release(&r);
            guarded_release(&g);
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
        for (int array = 0; array < PAIR_ARRAYS; array++) {
            check_guards(&g, array, 0);
        }
        check_guards(&g, PAIR_ARRAYS, setting < 2 ? BODIES * sizeof(uint32_t) : 0);
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
