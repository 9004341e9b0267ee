/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Memory that is not there: refused by the allocator at every single request, or by the context's limit. The call says
 * so and what would be enough, nothing leaks, and the context then does its work as if nothing had been. And once
 * buffers have grown, a call asks for nothing. */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/any_detect.h"
#include "tests/support/check.h"
#include "tests/support/fault_allocator.h"
#include "tests/support/note.h"
#include "tests/support/random_scene.h"

enum { OPTIONS = 18, REQUESTS_MOST = 4000, ATTEMPTS_MOST = 12, PARTS = 16 };

/* A tilted box outside which some bodies of all scenes here are. */
static const carom_periodic box = {
    .size = sizeof box, .along = {true, true, true}, .edge = {{17, 0, 0}, {5, 17, 0}, {-4, 3, 17}}};

/* Rows that came to the sink in the last call. */
static _Atomic uint64_t rows_delivered;

static bool count_f32(void *user, const carom_block_f32 *block) {
    (void)user;
    rows_delivered += block->count;
    return true;
}

static bool count_f64(void *user, const carom_block_f64 *block) {
    (void)user;
    rows_delivered += block->count;
    return true;
}

static const any_output to_sink = {.sink_f32 = count_f32, .sink_f64 = count_f64};

/* The output of the option at work. */
static const any_output *output;

static bool accept_most(void *user, uint32_t i, uint32_t k) {
    (void)user;
    return (i + k) % 8 != 0;
}

/* Every third of up to this many bodies is fixed. */
enum { BODIES_MOST = 7000 };
static uint8_t fixed[BODIES_MOST];
static carom_filter filter;

static const carom_filter *some_filter(void) {
    filter = carom_filter_default();
    filter.accepts = accept_most;
    filter.fixed = fixed;
    for (uint32_t n = 0; n < BODIES_MOST; n += 3) {
        fixed[n] = 1;
    }
    return &filter;
}

/* The ways to ask that need different memory. */
static carom_detect_config option(int number) {
    carom_detect_config config = carom_detect_config_default();
    config.hash = number != 0;
    output = number >= 14 ? &to_sink : NULL;
    switch (number) {
    case 1:
        return any_config_full();
    case 2:
        config.sort_pairs = true;
        config.all_pairs = true;
        config.group_members = true;
        break;
    case 3:
        config.until = CAROM_UNTIL_PAIRS;
        config.sort_pairs = true;
        break;
    case 4:
        config.until = CAROM_UNTIL_BOUNDS;
        break;
    case 5:
        config.until = CAROM_UNTIL_APPROACH;
        break;
    case 6:
        config.count_only = true;
        config.group_members = true;
        break;
    case 7:
        config.until = CAROM_UNTIL_PAIRS;
        break;
    case 8:
        config = any_config_full();
        config.periodic = &box;
        break;
    case 9:
        config.periodic = &box;
        break;
    case 10:
        config.until = CAROM_UNTIL_PAIRS;
        config.sort_pairs = true;
        config.periodic = &box;
        break;
    case 11:
        config.count_only = true;
        config.periodic = &box;
        break;
    case 12:
        config.neighbours = CAROM_NEIGHBOURS_FULL;
        config.filter = some_filter();
        break;
    case 13:
        config.until = CAROM_UNTIL_PAIRS;
        config.neighbours = CAROM_NEIGHBOURS_HALF;
        break;
    case 14:
        config.group_members = true;
        config.filter = some_filter();
        break;
    case 15:
        config.group_members = true;
        config.periodic = &box;
        break;
    case 16:
        config.periodic = &box;
        config.filter = some_filter();
        break;
    case 17:
        config.until = CAROM_UNTIL_PAIRS;
        config.periodic = &box;
        break;
    default:
        break;
    }
    return config;
}

/* Every third setting still has every option, precision and number of threads. */
static int stride(void) {
    return note_short() ? 3 : 1;
}

/* The call with the option's output. Whatever went wrong on the way, every row comes to a sink once. */
static any_result detect(carom_context *context, const any_bodies *bodies, const carom_detect_config *config) {
    rows_delivered = 0;
    any_result r = any_detect_bodies(context, bodies, config, output);
    note_check(output == NULL || r.status != CAROM_OK || rows_delivered == r.summary.required_pairs,
               "%" PRIu64 " rows came, not %" PRIu64, rows_delivered, r.summary.required_pairs);
    note_check(output == NULL || r.status == CAROM_OK || rows_delivered == 0, "rows came, but memory had not");
    return r;
}

static random_scene dense_scene(uint64_t count) {
    carom_random random = carom_random_seeded(note_case_seed(count));
    return random_scene_make(RANDOM_UNIFORM_DENSE, count, true, &random);
}

static carom_context *limited_context(uint32_t threads, fault_allocator *allocator, uint64_t limit) {
    carom_context_config config = carom_context_config_default();
    config.threads = threads;
    config.bodies_per_thread = 1;
    config.memory_limit = limit;
    if (allocator != NULL) {
        config.allocator = fault_allocator_get(allocator);
    }
    carom_context *context = NULL;
    carom_status status = carom_context_create(&config, &context, NULL);
    note_check(status == CAROM_OK || (status == CAROM_ERROR_MEMORY && context == NULL), "creating: %s",
               carom_status_name(status));
    return context;
}

static any_result fresh_result(const any_bodies *bodies, uint32_t threads, const carom_detect_config *config) {
    carom_context *context = any_context(threads, NULL);
    any_result r = detect(context, bodies, config);
    note_check(r.status == CAROM_OK, "%s", r.error.message);
    carom_context_destroy(context);
    return r;
}

/* One context whose n-th request fails. Returns false once there are fewer requests than n. */
static bool fail_one_request(const any_bodies *bodies, uint32_t threads, const carom_detect_config *config,
                             const any_result *wanted, uint64_t n, bool from_then_on) {
    fault_allocator allocator;
    fault_allocator_init(&allocator);
    fault_allocator_fail(&allocator, n, from_then_on);
    carom_context *context = limited_context(threads, &allocator, 0);
    bool reached = true;
    if (context != NULL) {
        any_result r = detect(context, bodies, config);
        reached = allocator.requests >= n;
        note_check(r.status == CAROM_OK || (reached && r.status == CAROM_ERROR_MEMORY), "request %" PRIu64 ": %s", n,
                   r.error.message);
        note_check(r.status == CAROM_OK || r.summary.required_bytes > 0, "request %" PRIu64 ": no required_bytes", n);
        note_check(r.status != CAROM_OK || any_result_same(wanted, &r), "request %" PRIu64 ": other results", n);
        any_result_release(&r);
        fault_allocator_fail(&allocator, 0, false);
        r = detect(context, bodies, config);
        note_check(any_result_same(wanted, &r), "after request %" PRIu64 " had failed: other results", n);
        note_check(carom_context_memory(context) == allocator.live_bytes, "the account is wrong");
        any_result_release(&r);
        carom_context_destroy(context);
    }
    note_check(allocator.live_blocks == 0 && allocator.live_bytes == 0, "request %" PRIu64 ": leak", n);
    note_check(allocator.damages == 0, "request %" PRIu64 ": a block was overrun", n);
    return reached;
}

/* Every request in turn is refused, alone and with all after it. */
static void test_every_request_fails(void **state) {
    (void)state;
    random_scene scene = dense_scene(2500);
    for (int setting = 0; setting < 4 * OPTIONS; setting += stride()) {
        any_precision precision = (any_precision)(setting % 2);
        uint32_t threads = (uint32_t)setting / 2 % 2 + 1;
        carom_detect_config config = option(setting / 4);
        any_bodies bodies = any_bodies_make(precision, &scene.bodies);
        note_case((uint64_t)setting, "refused requests, %s, %u threads", any_precision_name(precision), threads);
        any_result wanted = fresh_result(&bodies, threads, &config);
        uint64_t n = 1;
        while (n < REQUESTS_MOST && fail_one_request(&bodies, threads, &config, &wanted, n, n % 2 == 0)) {
            fail_one_request(&bodies, threads, &config, &wanted, n, n % 2 != 0);
            n++;
        }
        note_check(n > 2 && n < REQUESTS_MOST, "%" PRIu64 " requests", n);
        any_result_release(&wanted);
        any_bodies_release(&bodies);
    }
    random_scene_release(&scene);
}

/* The second call with the same sizes, and all after it, leave the allocator alone. */
static void test_second_call_allocates_nothing(void **state) {
    (void)state;
    random_scene scene = dense_scene(6000);
    for (int setting = 0; setting < 6 * OPTIONS; setting += stride()) {
        any_precision precision = (any_precision)(setting % 2);
        uint32_t threads = (uint32_t)setting / 2 % 3 + 1;
        carom_detect_config config = option(setting / 6);
        any_bodies bodies = any_bodies_make(precision, &scene.bodies);
        fault_allocator allocator;
        fault_allocator_init(&allocator);
        carom_context *context = limited_context(threads, &allocator, 0);
        note_case((uint64_t)setting, "second call, %s, %u threads, option %d", any_precision_name(precision), threads,
                  setting / 6);
        any_result first = detect(context, &bodies, &config);
        note_check(first.status == CAROM_OK, "the call failed");
        uint64_t requests = allocator.requests;
        for (int call = 2; call <= 6; call++) {
            any_result again = detect(context, &bodies, &config);
            note_check(allocator.requests == requests, "call %d made %" PRIu64 " requests", call,
                       allocator.requests - requests);
            note_check(any_result_same(&first, &again), "other results");
            any_result_release(&again);
        }
        any_result_release(&first);
        carom_context_destroy(context);
        note_check(allocator.live_blocks == 0 && allocator.damages == 0, "leak or damage");
        any_bodies_release(&bodies);
    }
    random_scene_release(&scene);
}

/* Raises the limit to what the call asked for until it succeeds. Once the call knows how many pairs there are, it
 * knows everything, and the next attempt succeeds. Returns the limit that was enough. */
static uint64_t raise_limit(const any_bodies *bodies, uint32_t threads, const carom_detect_config *config,
                            const any_result *wanted, uint64_t limit) {
    bool must_succeed = false;
    for (int attempt = 0; attempt < ATTEMPTS_MOST; attempt++) {
        carom_context *context = limited_context(threads, NULL, limit);
        if (context == NULL) {
            limit *= 2;
            attempt--;
            continue;
        }
        any_result r = detect(context, bodies, config);
        note_check(carom_context_memory(context) <= limit, "%" PRIu64 " bytes held, the limit is %" PRIu64,
                   carom_context_memory(context), limit);
        carom_context_destroy(context);
        if (r.status == CAROM_OK) {
            note_check(any_result_same(wanted, &r), "limit %" PRIu64 ": other results", limit);
            any_result_release(&r);
            return limit;
        }
        note_check(r.status == CAROM_ERROR_MEMORY && r.summary.required_bytes > limit,
                   "limit %" PRIu64 ": status %s, required_bytes %" PRIu64, limit, carom_status_name(r.status),
                   r.summary.required_bytes);
        note_check(!must_succeed, "limit %" PRIu64 " is not enough although it was asked for: %s", limit,
                   r.error.message);
        note_check(r.summary.required_pairs == 0 || r.summary.required_pairs == wanted->summary.required_pairs,
                   "required_pairs is %" PRIu64 ", not %" PRIu64, r.summary.required_pairs,
                   wanted->summary.required_pairs);
        must_succeed = r.summary.required_pairs > 0;
        limit = r.summary.required_bytes;
        any_result_release(&r);
    }
    note_check(false, "still not enough after %d attempts: %" PRIu64 " bytes", ATTEMPTS_MOST, limit);
    return 0;
}

static void check_limits(const any_bodies *bodies, uint32_t threads, const carom_detect_config *config) {
    any_result wanted = fresh_result(bodies, threads, config);
    carom_context *free_context = any_context(threads, NULL);
    any_result r = detect(free_context, bodies, config);
    uint64_t unlimited = carom_context_memory(free_context);
    any_result_release(&r);
    carom_context_destroy(free_context);
    raise_limit(bodies, threads, config, &wanted, 64);
    for (int part = 1; part < PARTS; part++) {
        uint64_t enough = raise_limit(bodies, threads, config, &wanted, unlimited * (uint64_t)part / PARTS);
        note_check(enough <= 4 * unlimited + (UINT64_C(4) << 20), "%" PRIu64 " bytes asked for, %" PRIu64 " needed",
                   enough, unlimited);
    }
    any_result_release(&wanted);
}

/* From a limit too small for anything up to nearly enough. */
static void test_limit_converges(void **state) {
    (void)state;
    random_scene scene = dense_scene(7000);
    for (int setting = 0; setting < 4 * OPTIONS; setting += stride()) {
        any_precision precision = (any_precision)(setting % 2);
        uint32_t threads = (uint32_t)setting / 2 % 2 + 1;
        carom_detect_config config = option(setting / 4);
        any_bodies bodies = any_bodies_make(precision, &scene.bodies);
        note_case((uint64_t)setting, "memory limit, %s, %u threads, option %d", any_precision_name(precision), threads,
                  setting / 4);
        check_limits(&bodies, threads, &config);
        any_bodies_release(&bodies);
    }
    random_scene_release(&scene);
}

/* A context that ran into its limit goes on with scenes that fit. */
static void test_limited_context_stays_usable(void **state) {
    (void)state;
    random_scene small = dense_scene(300);
    random_scene large = dense_scene(60000);
    for (int setting = 0; setting < 4; setting++) {
        any_precision precision = (any_precision)(setting % 2);
        uint32_t threads = (uint32_t)setting / 2 + 1;
        carom_detect_config config = option(1);
        any_bodies fits = any_bodies_make(precision, &small.bodies);
        any_bodies does_not = any_bodies_make(precision, &large.bodies);
        any_result wanted = fresh_result(&fits, threads, &config);
        carom_context *context = limited_context(threads, NULL, UINT64_C(4) << 20);
        note_case((uint64_t)setting, "limit of 4 MiB, %s, %u threads", any_precision_name(precision), threads);
        for (int round = 0; round < 3; round++) {
            any_result r = detect(context, &does_not, &config);
            note_check(r.status == CAROM_ERROR_MEMORY, "60000 bodies in 4 MiB: %s", carom_status_name(r.status));
            any_result_release(&r);
            r = detect(context, &fits, &config);
            note_check(any_result_same(&wanted, &r), "round %d: other results: %s", round, r.error.message);
            any_result_release(&r);
        }
        carom_context_destroy(context);
        any_result_release(&wanted);
        any_bodies_release(&fits);
        any_bodies_release(&does_not);
    }
    random_scene_release(&small);
    random_scene_release(&large);
}

int main(void) {
    note_start("tests/fault/test_memory");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_request_fails),
        cmocka_unit_test(test_second_call_allocates_nothing),
        cmocka_unit_test(test_limit_converges),
        cmocka_unit_test(test_limited_context_stays_usable),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
