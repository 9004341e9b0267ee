/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* One context for everything, in any order: scenes that grow and shrink, other kinds, both precisions, every stage and
 * option, calls that fail in between. Each result is the one a fresh context gives, bit by bit. And that a context that
 * a call uses refuses every other call, and leaves the first alone. */
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/any_detect.h"
#include "tests/support/check.h"
#include "tests/support/fault_allocator.h"
#include "tests/support/note.h"
#include "tests/support/random_scene.h"

enum { CALLS = 160, CONTEXTS = 3 };

static carom_detect_config random_config(carom_random *random) {
    uint64_t bits = carom_random_next(random);
    carom_detect_config config = carom_detect_config_default();
    config.until = (carom_until)(bits >> 8 & 3);
    if ((bits & 0x3000) != 0) {
        config.until = CAROM_UNTIL_GROUPS;
    }
    config.count_only = (bits & 7) == 0;
    config.all_pairs = (bits >> 16 & 3) == 0;
    config.sort_pairs = (bits >> 20 & 1) != 0;
    config.group_members = (bits >> 24 & 1) != 0;
    config.hash = (bits >> 28 & 1) != 0;
    return config;
}

static uint64_t random_count(carom_random *random) {
    static const uint64_t most[] = {3, 40, 300, 1500, 6000};
    return carom_random_next(random) % most[carom_random_next(random) % 5];
}

static bool is_crowded(random_scene_kind kind) {
    return kind == RANDOM_FAST || kind == RANDOM_POINT || kind == RANDOM_COPIES || kind == RANDOM_GRAZING ||
           kind == RANDOM_POINTS;
}

/* A call that fails, in one of several ways; whatever it was, the next must not be able to tell. */
static void fail_somehow(carom_context *context, any_bodies *bodies, fault_allocator *allocator, carom_random *random) {
    uint64_t way = carom_random_next(random) % 4;
    uint64_t count = bodies->f32.count;
    carom_detect_config config = random_config(random);
    any_output none = {0};
    uint32_t place = 0;
    if (way == 0 && count > 0) {
        uint64_t body = carom_random_next(random) % count;
        double before = bodies->precision == ANY_F32 ? (double)bodies->f32.radius[body] : bodies->f64.radius[body];
        any_bodies_set(bodies, 6, body, NAN);
        any_result r = any_detect_bodies(context, bodies, &config, NULL);
        note_check(r.status == CAROM_ERROR_BODY && r.error.body == body, "bad body: %s", carom_status_name(r.status));
        any_bodies_set(bodies, 6, body, before);
    } else if (way == 1) {
        none.rows.i = &place;
        any_result r = any_detect_bodies(context, bodies, &config, &none);
        note_check(r.status == CAROM_OK || r.status == CAROM_ERROR_CAPACITY, "status %s", carom_status_name(r.status));
        note_check(place == 0, "written without capacity");
        any_result_release(&r);
    } else if (way == 2) {
        fault_allocator_fail(allocator, carom_random_next(random) % 12 + 1, true);
        any_result r = any_detect_bodies(context, bodies, &config, NULL);
        note_check(r.status == CAROM_OK || r.status == CAROM_ERROR_MEMORY, "status %s", carom_status_name(r.status));
        any_result_release(&r);
        fault_allocator_fail(allocator, 0, false);
    } else {
        config.size = 1;
        any_result r = any_detect_bodies(context, bodies, &config, NULL);
        note_check(r.status == CAROM_ERROR_ARGUMENT, "status %s", carom_status_name(r.status));
    }
}

static void run_call(uint64_t number, carom_context *const contexts[CONTEXTS], fault_allocator *allocator) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    random_scene_kind kind = (random_scene_kind)(carom_random_next(&random) % RANDOM_KINDS);
    uint64_t count = random_count(&random);
    count = is_crowded(kind) ? count % 500 : count;
    random_scene scene = random_scene_make(kind, count, true, &random);
    any_bodies bodies = any_bodies_make((any_precision)(carom_random_next(&random) % 2), &scene.bodies);
    carom_detect_config config = random_config(&random);
    carom_context *fresh = any_context(1, NULL);
    any_result wanted = any_detect_bodies(fresh, &bodies, &config, NULL);
    carom_context_destroy(fresh);
    for (int c = 0; c < CONTEXTS; c++) {
        note_case(number, "%s, %" PRIu64 " bodies, %s, until %d, %u threads", random_scene_name(kind), count,
                  any_precision_name(bodies.precision), (int)config.until, carom_context_threads(contexts[c]));
        if (carom_random_next(&random) % 3 == 0) {
            fail_somehow(contexts[c], &bodies, &allocator[c], &random);
        }
        any_result r = any_detect_bodies(contexts[c], &bodies, &config, NULL);
        note_check(any_result_same(&wanted, &r), "not the results of a fresh context: %s", r.error.message);
        note_check(carom_context_memory(contexts[c]) == allocator[c].live_bytes, "the account is wrong");
        any_result_release(&r);
    }
    any_result_release(&wanted);
    any_bodies_release(&bodies);
    random_scene_release(&scene);
}

static void test_any_order(void **state) {
    (void)state;
    carom_context *contexts[CONTEXTS];
    fault_allocator allocator[CONTEXTS];
    for (uint32_t c = 0; c < CONTEXTS; c++) {
        fault_allocator_init(&allocator[c]);
        carom_context_config config = carom_context_config_default();
        config.threads = c + 1;
        config.bodies_per_thread = 1;
        config.allocator = fault_allocator_get(&allocator[c]);
        assert_int_equal(carom_context_create(&config, &contexts[c], NULL), CAROM_OK);
    }
    for (uint64_t number = 0; number < CALLS; number++) {
        run_call(number, contexts, allocator); /* all cases, always: what came before is what is tested */
    }
    for (int c = 0; c < CONTEXTS; c++) {
        carom_context_destroy(contexts[c]);
        assert_int_equal(allocator[c].live_blocks, 0);
        assert_int_equal(allocator[c].damages, 0);
    }
}

/* Results stay as they were until the next call, and a scene run again after others gives the same. */
static void test_same_scene_again(void **state) {
    (void)state;
    carom_random random = carom_random_seeded(note_case_seed(7));
    random_scene small = random_scene_make(RANDOM_UNIFORM_DENSE, 100, true, &random);
    random_scene large = random_scene_make(RANDOM_SLAB, 30000, true, &random);
    carom_detect_config config = any_config_full();
    for (uint32_t threads = 1; threads <= 2; threads++) {
        carom_context *context = any_context(threads, NULL);
        any_result first = any_detect(context, ANY_F32, &small.bodies, &config);
        for (int round = 0; round < 5; round++) {
            any_result between = any_detect(context, round % 2 == 0 ? ANY_F64 : ANY_F32, &large.bodies, &config);
            any_result again = any_detect(context, ANY_F32, &small.bodies, &config);
            assert_true(any_result_same(&first, &again));
            any_result_release(&between);
            any_result_release(&again);
        }
        any_result_release(&first);
        carom_context_destroy(context);
    }
    random_scene_release(&small);
    random_scene_release(&large);
}

/* What callbacks of a call find when they call into its context. */
typedef struct intruder {
    carom_context *context;
    carom_coherent_f64 *coherent;
    atomic_uint refused;
    atomic_uint others;
    atomic_uint blocks; /* of these, from sinks */
} intruder;

static void intrude(intruder *from) {
    const double at[3] = {1, 2, 3};
    const carom_bodies_f64 bodies = {.count = 1, .prev = {&at[0], &at[1], &at[2]}, .common_radius = 1};
    carom_detection_f64 found = {0};
    carom_error error = {.message = ""};
    const carom_status cold = carom_detect_f64(from->context, &bodies, NULL, NULL, &found, &error);
    const bool told = strstr(error.message, "in use") != NULL;
    const carom_status step = carom_coherent_detect_f64(from->coherent, &bodies, NULL, NULL, &found, NULL, &error);
    const carom_status check = carom_context_check(from->context, NULL);
    const bool all =
        cold == CAROM_ERROR_ARGUMENT && step == CAROM_ERROR_ARGUMENT && check == CAROM_ERROR_ARGUMENT && told;
    atomic_fetch_add(all && found.pair_count == 0 ? &from->refused : &from->others, 1);
}

static bool intruding_sink(void *user, const carom_block_f32 *block) {
    (void)block;
    intrude(user);
    atomic_fetch_add(&((intruder *)user)->blocks, 1);
    return true;
}

static int intruding_progress(void *user, const carom_progress *progress) {
    (void)progress;
    intrude(user);
    return 0;
}

static void test_context_in_use(void **state) {
    (void)state;
    carom_random random = carom_random_seeded(note_case_seed(9));
    random_scene scene = random_scene_make(RANDOM_UNIFORM_DENSE, 3000, true, &random);
    any_bodies bodies = any_bodies_make(ANY_F32, &scene.bodies);
    carom_detect_config config = carom_detect_config_default();
    config.hash = true;
    for (uint32_t threads = 1; threads <= 2; threads++) {
        intruder from = {.context = any_context(threads, NULL)};
        carom_detection_f32 wanted = {0};
        carom_detection_f32 found = {0};
        const carom_detect_output_f32 output = {.sink = intruding_sink, .sink_user = &from};
        assert_int_equal(carom_coherent_create_f64(from.context, NULL, &from.coherent, NULL), CAROM_OK);
        assert_int_equal(carom_detect_f32(from.context, &bodies.f32, &config, NULL, &wanted, NULL), CAROM_OK);
        const uint64_t hash = wanted.summary.touching_hash;
        config.progress = intruding_progress;
        config.progress_user = &from;
        assert_int_equal(carom_detect_f32(from.context, &bodies.f32, &config, &output, &found, NULL), CAROM_OK);
        config.progress = NULL;
        assert_true(found.summary.touching_hash == hash);
        assert_true(atomic_load(&from.refused) > 1 && atomic_load(&from.blocks) > 0);
        assert_int_equal(atomic_load(&from.others), 0);
        intrude(&from); /* and it is free again */
        assert_int_equal(atomic_load(&from.others), 1);
        carom_coherent_destroy_f64(from.coherent);
        carom_context_destroy(from.context);
    }
    any_bodies_release(&bodies);
    random_scene_release(&scene);
}

int main(void) {
    note_start("tests/fault/test_reuse");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_any_order), cmocka_unit_test(test_same_scene_again),
                                       cmocka_unit_test(test_context_in_use)};
    return cmocka_run_group_tests_name("reuse", tests, NULL, NULL);
}
