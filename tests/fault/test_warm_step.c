/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Steps once their buffers have grown: of worlds that bounce, with held bodies, contacts and events, and of worlds that
 * merge. Guards that they ask the heap for nothing, which no allocator of the caller's sees where the C library is
 * asked to sort; and that impacts that nobody wants to know are not kept. The heap's functions are those of this
 * program. */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <carom/carom.h>

#include "kernel/impacts/window.h"
#include "tests/support/check.h"
#include "tests/support/fault_allocator.h"

enum { PAIRS = 1000, BODIES = 2 * PAIRS, ROUNDS = 6, WARM = 3 };

/* The C library's own. */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *block, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

static _Atomic uint64_t requests;

void *malloc(size_t bytes) {
    requests++;
    return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes) {
    requests++;
    return __libc_calloc(count, bytes);
}

void *realloc(void *block, size_t bytes) {
    requests++;
    return __libc_realloc(block, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    requests++;
    return __libc_memalign(alignment, bytes);
}

/* Pairs in a row, each two units apart, with half a unit between its bodies, which approach. Those of higher index come
 * first, so that no list is in order. */
static struct {
    double x[3][BODIES];
    double v[3][BODIES];
    double radius[BODIES];
    carom_handle handle[BODIES];
} crowd;

static carom_world_bodies_f64 make_crowd(void) {
    for (int n = 0; n < BODIES; n++) {
        const int pair = PAIRS - 1 - n / 2;
        crowd.x[0][n] = 4.0 * pair + (n % 2 == 0 ? -0.75 : 0.75);
        crowd.v[0][n] = n % 2 == 0 ? 1.0 : -1.0;
        crowd.radius[n] = 0.5;
    }
    carom_world_bodies_f64 bodies = {.count = BODIES, .radius = crowd.radius};
    for (int a = 0; a < 3; a++) {
        bodies.position[a] = crowd.x[a];
        bodies.velocity[a] = crowd.v[a];
    }
    return bodies;
}

static carom_context *make_context(const carom_allocator *allocator) {
    carom_context_config config = carom_context_config_default();
    carom_context *context = NULL;
    config.threads = 1;
    if (allocator != NULL) {
        config.allocator = *allocator;
    }
    assert_int_equal(carom_context_create(&config, &context, NULL), CAROM_OK);
    return context;
}

static bool count_events(void *user, const carom_event *events, uint64_t count) {
    (void)events;
    *(uint64_t *)user += count;
    return true;
}

/* Adds the crowd, steps, and removes it again. */
static void run_round(carom_world_f64 *world, const carom_world_bodies_f64 *bodies, uint64_t held, uint64_t merged) {
    carom_step_report report = {0};
    carom_world_contacts contacts = {0};
    assert_int_equal(carom_world_add_f64(world, bodies, crowd.handle, NULL), CAROM_OK);
    assert_int_equal(carom_world_step_f64(world, &report, &contacts, NULL), CAROM_OK);
    assert_true(report.impacts == PAIRS && report.held == held && report.merged == merged && contacts.begun == PAIRS);
    for (uint64_t n = 1; n < held; n++) {
        assert_true(report.held_body[n] > report.held_body[n - 1]);
    }
    const uint64_t left = carom_world_count_f64(world);
    for (uint64_t n = 0; n < left; n++) {
        crowd.handle[n] = carom_world_handles_f64(world)[n];
    }
    assert_int_equal(carom_world_remove_f64(world, crowd.handle, left, NULL), CAROM_OK);
}

/* On one thread: with several the share that each gets differs from step to step, and so does what it has room for. */
static void run_rounds(carom_response response) {
    const carom_world_bodies_f64 bodies = make_crowd();
    carom_context *context = make_context(NULL);
    carom_world_f64 *world = NULL;
    uint64_t delivered = 0;
    carom_step_config config = carom_step_config_default();
    config.response = response;
    config.budget = 1;
    config.events = true;
    config.sink = count_events;
    config.sink_user = &delivered;
    assert_int_equal(carom_world_create_f64(context, &config, &world, NULL), CAROM_OK);
    const bool merges = response == CAROM_RESPONSE_MERGE;
    for (int round = 0; round < ROUNDS; round++) {
        const uint64_t before = requests;
        run_round(world, &bodies, merges ? 0 : BODIES, merges ? PAIRS : 0);
        if (round >= WARM && requests != before) {
            fail_msg("round %d asked the heap %" PRIu64 " times", round, requests - before);
        }
    }
    assert_true(delivered == (uint64_t)ROUNDS * PAIRS);
    carom_world_destroy_f64(world);
    carom_context_destroy(context);
}

static void test_bounce(void **state) {
    (void)state;
    run_rounds(CAROM_RESPONSE_BOUNCE);
}

static void test_merge(void **state) {
    (void)state;
    run_rounds(CAROM_RESPONSE_MERGE);
}

/* Bytes that a context has after a step with these rules. */
static uint64_t bytes_of_step(const carom_step_config *config) {
    const carom_world_bodies_f64 bodies = make_crowd();
    fault_allocator faults;
    fault_allocator_init(&faults);
    const carom_allocator allocator = fault_allocator_get(&faults);
    carom_context *context = make_context(&allocator);
    carom_motion_f64 motion = {.count = BODIES, .radius = crowd.radius};
    carom_step_report report = {0};
    for (int a = 0; a < 3; a++) {
        motion.position[a] = bodies.position[a];
        motion.velocity[a] = bodies.velocity[a];
    }
    assert_int_equal(carom_step_f64(context, &motion, config, &report, NULL), CAROM_OK);
    assert_true(report.impacts == PAIRS && report.surface_impacts == 0);
    const uint64_t bytes = faults.live_bytes;
    carom_context_destroy(context);
    return bytes;
}

static void test_unwanted_events(void **state) {
    (void)state;
    carom_step_config config = carom_step_config_default();
    const uint64_t without = bytes_of_step(&config);
    config.events = true;
    const uint64_t with = bytes_of_step(&config);
    assert_true(with >= without + PAIRS * (sizeof(carom_event) + 2 * sizeof(carom_impacts_event)));
}

/* Under a tool that puts functions of its own in the heap's place nothing is counted. */
static bool counts(void) {
    const uint64_t before = requests;
    void *volatile block = malloc(1);
    free(block);
    return requests > before;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bounce), cmocka_unit_test(test_merge),
                                       cmocka_unit_test(test_unwanted_events)};
    return counts() ? cmocka_run_group_tests_name("warm steps", tests, NULL, NULL) : 77;
}
