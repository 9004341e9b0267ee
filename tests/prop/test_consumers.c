/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Where pairs go: blocks handed to a sink are, joined by (task, part), the very rows of a call that stores them;
 * counts, groups and hashes are the same; a sink can stop the call. Lists of neighbours against plain ones made from
 * the rows. Second calls ask the allocator for nothing. */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/any_detect.h"
#include "tests/support/basket.h"
#include "tests/support/check.h"
#include "tests/support/fault_allocator.h"
#include "tests/support/isa_contexts.h"
#include "tests/support/note.h"
#include "tests/support/random_scene.h"

enum { CASES = 300, BODIES_MOST = 2500, CROWDED_MOST = 200, LARGE = 40000 };

static const uint32_t THREADS[] = {1, 2, 7};
enum { THREAD_COUNTS = sizeof THREADS / sizeof THREADS[0] };

static int make_contexts(void **state) {
    (void)state;
    return isa_contexts_make(THREADS, THREAD_COUNTS);
}

static void *allocate(uint64_t count, uint64_t size) {
    void *memory = calloc(count + 1, size);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

/* Rows made one pair at a time, by looking through all of them for each body. */
static void check_neighbours(const any_result *r, bool full) {
    note_check(r->neighbour_offset != NULL && r->neighbour_offset[0] == 0, "no neighbours");
    note_check(r->neighbour_offset[r->bodies] == (full ? 2 * r->pair_count : r->pair_count), "%" PRIu64 " neighbours",
               r->neighbour_offset[r->bodies]);
    uint64_t *length = allocate(r->bodies, sizeof *length);
    for (uint64_t n = 0; n < r->pair_count; n++) {
        length[r->i[n]]++;
        length[r->k[n]] += full;
    }
    for (uint64_t b = 0; b < r->bodies; b++) {
        uint64_t begin = r->neighbour_offset[b];
        uint64_t end = r->neighbour_offset[b + 1];
        note_check(end == begin + length[b], "body %" PRIu64 " has %" PRIu64 " neighbours, not %" PRIu64, b,
                   end - begin, length[b]);
        for (uint64_t n = begin; n < end; n++) {
            uint64_t pair = r->neighbour_pair[n];
            uint32_t other = r->neighbour_body[n];
            note_check(n == begin || r->neighbour_body[n - 1] < other, "body %" PRIu64 ": out of order", b);
            note_check(pair < r->pair_count, "pair %" PRIu64, pair);
            note_check((r->i[pair] == b && r->k[pair] == other) || (full && r->k[pair] == b && r->i[pair] == other),
                       "body %" PRIu64 ": neighbour %u is not in pair %" PRIu64, b, other, pair);
        }
    }
    free(length);
}

static carom_detect_config some_config(carom_random *random) {
    carom_detect_config config = carom_detect_config_default();
    config.until = (carom_until)(CAROM_UNTIL_PAIRS + (int)(carom_random_next(random) % 3));
    config.all_pairs = carom_random_next(random) % 2 == 0;
    config.group_members = carom_random_next(random) % 2 == 0;
    config.hash = true;
    return config;
}

static bool is_crowded(random_scene_kind kind) {
    return kind == RANDOM_FAST || kind == RANDOM_POINT || kind == RANDOM_COPIES || kind == RANDOM_GRAZING ||
           kind == RANDOM_POINTS || kind == RANDOM_LINE;
}

static void run_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    random_scene_kind kind = (random_scene_kind)(carom_random_next(&random) % RANDOM_KINDS);
    uint64_t most = is_crowded(kind) ? CROWDED_MOST : BODIES_MOST;
    uint64_t count = carom_random_next(&random) % (most + 1);
    any_precision precision = (any_precision)(carom_random_next(&random) % ANY_PRECISIONS);
    random_scene scene = random_scene_make(kind, count, precision == ANY_F32, &random);
    any_bodies bodies = any_bodies_make(precision, &scene.bodies);
    carom_detect_config config = some_config(&random);
    carom_context *context = isa_contexts[number % isa_context_count];
    note_case(number, "%s, %" PRIu64 " bodies, %s, until %d, %s, %u threads", random_scene_name(kind), count,
              any_precision_name(precision), (int)config.until, carom_context_isa(context),
              carom_context_threads(context));
    any_result stored = any_detect_bodies(context, &bodies, &config, NULL);
    note_check(stored.status == CAROM_OK, "%s", stored.error.message);
    basket_check_call(context, &bodies, &config, &stored);
    config.sort_pairs = carom_random_next(&random) % 2 == 0;
    for (int full = 0; full < 2 && count > 0; full++) {
        config.neighbours = full != 0 ? CAROM_NEIGHBOURS_FULL : CAROM_NEIGHBOURS_HALF;
        any_result listed = any_detect_bodies(context, &bodies, &config, NULL);
        note_check(listed.summary.result_hash == stored.summary.result_hash, "with neighbours: other results");
        check_neighbours(&listed, full != 0);
        any_result_release(&listed);
    }
    any_result_release(&stored);
    any_bodies_release(&bodies);
    random_scene_release(&scene);
}

static void test_random_scenes(void **state) {
    (void)state;
    note_each_case(CASES, run_case);
}

static any_bodies large_bodies(any_precision precision) {
    carom_random random = carom_random_seeded(note_case_seed(LARGE));
    random_scene scene = random_scene_make(RANDOM_UNIFORM_DENSE, LARGE, true, &random);
    any_bodies bodies = any_bodies_make(precision, &scene.bodies);
    random_scene_release(&scene);
    return bodies;
}

/* Many tasks, and several blocks in each: the same blocks, the same lists, from every context. */
static void test_large_scene(void **state) {
    (void)state;
    for (int setting = 0; setting < 4; setting++) {
        any_precision precision = (any_precision)(setting % 2);
        any_bodies bodies = large_bodies(precision);
        carom_detect_config config = carom_detect_config_default();
        config.until = setting < 2 ? CAROM_UNTIL_GROUPS : CAROM_UNTIL_PAIRS;
        config.hash = true;
        any_result stored = any_detect_bodies(isa_contexts[0], &bodies, &config, NULL);
        note_check(stored.pair_count > 4 * CAROM_BLOCK_ROWS, "too few pairs");
        config.neighbours = CAROM_NEIGHBOURS_FULL;
        any_result listed = any_detect_bodies(isa_contexts[0], &bodies, &config, NULL);
        for (uint64_t c = 0; c < isa_context_count; c++) {
            note_case(c, "%d bodies, %s, until %d, %s, %u threads", LARGE, any_precision_name(precision),
                      (int)config.until, carom_context_isa(isa_contexts[c]), carom_context_threads(isa_contexts[c]));
            config.neighbours = CAROM_NEIGHBOURS_NONE;
            basket_check_call(isa_contexts[c], &bodies, &config, &stored);
            config.neighbours = CAROM_NEIGHBOURS_FULL;
            any_result r = any_detect_bodies(isa_contexts[c], &bodies, &config, NULL);
            note_check(any_result_same(&listed, &r), "other lists");
            any_result_release(&r);
        }
        check_neighbours(&listed, true);
        any_result_release(&listed);
        any_result_release(&stored);
        any_bodies_release(&bodies);
    }
}

/* One body touches all others and one pair of coinciding bodies: long rows, in and out of order. */
static void test_long_rows(void **state) {
    (void)state;
    enum { AROUND = 5000 };
    random_scene scene = random_scene_blank(AROUND + 1);
    carom_random random = carom_random_seeded(note_case_seed(3));
    for (uint64_t n = 0; n <= AROUND; n++) {
        for (int a = 0; a < 3; a++) {
            scene.field[a][n] = scene.field[a + 3][n] = 1000 * carom_random_u01(&random);
        }
    }
    scene.field[6][AROUND / 2] = 4000;
    any_bodies bodies = any_bodies_make(ANY_F32, &scene.bodies);
    for (uint64_t c = 0; c < THREAD_COUNTS; c++) {
        carom_detect_config config = carom_detect_config_default();
        for (int setting = 0; setting < 4; setting++) {
            config.neighbours = setting % 2 == 0 ? CAROM_NEIGHBOURS_HALF : CAROM_NEIGHBOURS_FULL;
            config.sort_pairs = setting > 1;
            note_case(c, "a row of %d, setting %d", AROUND, setting);
            any_result r = any_detect_bodies(isa_contexts[c], &bodies, &config, NULL);
            note_check(r.pair_count == AROUND, "%" PRIu64 " pairs", r.pair_count);
            check_neighbours(&r, setting % 2 != 0);
            any_result_release(&r);
        }
    }
    any_bodies_release(&bodies);
    random_scene_release(&scene);
}

/* A sink that has had enough: STOPPED, nothing else said, labels untouched, the context as good as new. */
static void test_stop(void **state) {
    (void)state;
    for (int setting = 0; setting < 12; setting++) {
        any_precision precision = (any_precision)(setting % 2);
        carom_context *context = isa_contexts[(uint64_t)setting / 2 % THREAD_COUNTS];
        any_bodies bodies = large_bodies(precision);
        carom_detect_config config = any_config_full();
        config.sort_pairs = false;
        any_result stored = any_detect_bodies(context, &bodies, &config, NULL);
        basket b = basket_make(stored.pair_count);
        uint32_t *label = allocate(LARGE, sizeof *label);
        any_output output = basket_output(&b);
        output.label = label;
        b.stop_after = setting < 6 ? 1 : 5;
        note_case((uint64_t)setting, "stopped after %" PRIu64 " blocks, %s, %u threads", b.stop_after,
                  any_precision_name(precision), carom_context_threads(context));
        any_result stopped = any_detect_bodies(context, &bodies, &config, &output);
        note_check(stopped.status == CAROM_ERROR_STOPPED && stopped.error.status == CAROM_ERROR_STOPPED, "status %s",
                   carom_status_name(stopped.status));
        note_check(b.count >= b.stop_after && b.count < b.stop_after + carom_context_threads(context),
                   "%" PRIu64 " blocks came", b.count);
        for (uint64_t n = 0; n < LARGE; n++) {
            note_check(label[n] == 0, "labels are written");
        }
        any_result again = any_detect_bodies(context, &bodies, &config, NULL);
        note_check(any_result_same(&stored, &again), "after a stop: other results");
        any_result_release(&again);
        any_result_release(&stopped);
        any_result_release(&stored);
        free(label);
        basket_release(&b);
        any_bodies_release(&bodies);
    }
}

static bool count_f32(void *user, const carom_block_f32 *block) {
    *(_Atomic uint64_t *)user += block->count;
    return true;
}

static bool count_f64(void *user, const carom_block_f64 *block) {
    *(_Atomic uint64_t *)user += block->count;
    return true;
}

/* With a sink, a filter or lists of neighbours, too, the second call leaves the allocator alone; and the sink's memory
 * does not grow with the pairs. */
static void test_second_call_allocates_nothing(void **state) {
    (void)state;
    for (int setting = 0; setting < 12; setting++) {
        any_precision precision = (any_precision)(setting % 2);
        bool sink = setting / 6 != 0;
        any_bodies bodies = large_bodies(precision);
        uint8_t *fixed = allocate(LARGE, 1);
        for (uint64_t n = 0; n < LARGE; n += 3) {
            fixed[n] = 1;
        }
        fault_allocator allocator;
        fault_allocator_init(&allocator);
        carom_context_config create = carom_context_config_default();
        create.threads = THREADS[setting / 2 % THREAD_COUNTS];
        create.allocator = fault_allocator_get(&allocator);
        carom_context *context = NULL;
        assert_int_equal(carom_context_create(&create, &context, NULL), CAROM_OK);
        carom_filter filter = carom_filter_default();
        filter.fixed = fixed;
        carom_detect_config config = carom_detect_config_default();
        config.filter = &filter;
        config.group_members = true;
        config.neighbours = sink ? CAROM_NEIGHBOURS_NONE : CAROM_NEIGHBOURS_FULL;
        _Atomic uint64_t rows = 0;
        any_output output = {.sink_f32 = count_f32, .sink_f64 = count_f64, .sink_user = &rows};
        uint64_t requests = 0;
        uint64_t first_rows = 0;
        for (int call = 1; call <= 4; call++) {
            note_case((uint64_t)setting, "call %d, %s, %u threads, %s", call, any_precision_name(precision),
                      create.threads, sink ? "sink" : "neighbours");
            rows = 0;
            any_result r = any_detect_bodies(context, &bodies, &config, sink ? &output : NULL);
            note_check(r.status == CAROM_OK && r.summary.touching_pairs > 0, "%s", r.error.message);
            note_check(!sink || rows == r.summary.touching_pairs, "%" PRIu64 " rows", rows);
            note_check(call == 1 || (allocator.requests == requests && rows == first_rows), "%" PRIu64 " requests",
                       allocator.requests - requests);
            requests = allocator.requests;
            first_rows = rows;
            any_result_release(&r);
        }
        carom_context_destroy(context);
        note_check(allocator.live_blocks == 0 && allocator.damages == 0, "leak or damage");
        free(fixed);
        any_bodies_release(&bodies);
    }
}

int main(void) {
    note_start("tests/prop/test_consumers");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_scenes),
        cmocka_unit_test(test_large_scene),
        cmocka_unit_test(test_long_rows),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_second_call_allocates_nothing),
    };
    return cmocka_run_group_tests_name("consumers", tests, make_contexts, isa_contexts_destroy);
}
