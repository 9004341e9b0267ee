/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Memory that is not there: refused by the allocator at every single request, or by the context's limit. The call says
 * so and what would be enough, the caller's arrays are untouched, nothing leaks, and the context then does its work as
 * if nothing had been. And once buffers have grown, a call asks for nothing. */
#include <inttypes.h>

#include "tests/fault/memory_trial.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

enum { REQUESTS_MOST = 4000, ATTEMPTS_MOST = 16, ATTEMPTS_FEW = 3, PARTS = 24 };

/* Of each option two settings: one of each precision, one on one thread and one on two, in turns. In a short run one.
 */
static bool is_wanted(int setting) {
    const int option = setting / 4;
    const bool alike = setting % 4 == 0 || setting % 4 == 3;
    return note_short() ? setting % 4 == option % 4 : alike == (option % 2 == 0);
}

/* Every scene and option. */
static void for_each_trial(uint64_t bodies, void (*run)(memory_trial *)) {
    uint64_t number = 0;
    for (memory_scene kind = MEMORY_DENSE; kind < MEMORY_SCENES; kind++) {
        random_scene scene = memory_scene_make(kind, bodies);
        for (int setting = 0; setting < 4 * memory_options(kind); setting++, number++) {
            any_precision precision = (any_precision)(setting % 2);
            uint32_t threads = (uint32_t)setting / 2 % 2 + 1;
            if (note_only_case() == UINT64_MAX ? !is_wanted(setting) : note_only_case() != number) {
                continue;
            }
            note_case(number, "%s, option %d, %s, %u threads", memory_scene_name(kind), setting / 4,
                      any_precision_name(precision), threads);
            memory_trial t = memory_trial_make(kind, &scene, setting / 4, precision, threads);
            run(&t);
            memory_trial_release(&t);
        }
        random_scene_release(&scene);
    }
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

/* A call whose n-th request fails, and the same again with all the memory there is. Returns whether the first has made
 * so many. */
static bool detect_twice(memory_trial *t, carom_context *context, fault_allocator *allocator, uint64_t n) {
    any_result r = memory_trial_detect(t, context);
    bool reached = allocator->requests >= n;
    note_check(r.status == CAROM_OK || (reached && r.status == CAROM_ERROR_MEMORY), "request %" PRIu64 ": %s", n,
               r.error.message);
    note_check(r.status == CAROM_OK || r.summary.required_bytes > 0, "request %" PRIu64 ": no required_bytes", n);
    note_check(r.status != CAROM_OK || any_result_same(&t->wanted, &r), "request %" PRIu64 ": other results", n);
    any_result_release(&r);
    fault_allocator_fail(allocator, 0, false);
    r = memory_trial_detect(t, context);
    note_check(any_result_same(&t->wanted, &r), "after request %" PRIu64 " had failed: other results", n);
    note_check(carom_context_memory(context) == allocator->live_bytes, "the account is wrong");
    any_result_release(&r);
    return reached;
}

/* One context whose n-th request fails. Returns false once there are fewer requests than n. */
static bool fail_one_request(memory_trial *t, uint64_t n, bool from_then_on) {
    fault_allocator allocator;
    fault_allocator_init(&allocator);
    fault_allocator_fail(&allocator, n, from_then_on);
    carom_context *context = limited_context(t->threads, &allocator, 0);
    bool reached = true;
    if (context != NULL) {
        reached = detect_twice(t, context, &allocator, n);
        carom_context_destroy(context);
    }
    note_check(allocator.live_blocks == 0 && allocator.live_bytes == 0, "request %" PRIu64 ": leak", n);
    note_check(allocator.damages == 0, "request %" PRIu64 ": a block was overrun", n);
    return reached;
}

/* Every request in turn is refused alone; some, in a long run every one, with all after it. */
static void fail_every_request(memory_trial *t) {
    for (int way = 0; way < 2; way++) {
        uint64_t n = 1;
        while (n < REQUESTS_MOST && fail_one_request(t, n, way != 0)) {
            n += way == 0 ? 1 : note_stride();
        }
        note_check(n > 2 && n < REQUESTS_MOST, "%" PRIu64 " requests", n - 1);
    }
}

static void test_every_request_fails(void **state) {
    (void)state;
    for_each_trial(2000, fail_every_request);
    if (note_only_case() == UINT64_MAX && !note_short()) {
        memory_trials_check_buffers();
    }
}

/* The second call with the same sizes, and all after it, leave the allocator alone. */
static void call_again(memory_trial *t) {
    fault_allocator allocator;
    fault_allocator_init(&allocator);
    carom_context *context = limited_context(t->threads, &allocator, 0);
    uint64_t requests = 0;
    for (int call = 1; call <= 5; call++) {
        any_result r = memory_trial_detect(t, context);
        note_check(call == 1 || allocator.requests == requests, "call %d made %" PRIu64 " requests", call,
                   allocator.requests - requests);
        note_check(any_result_same(&t->wanted, &r), "call %d: other results: %s", call, r.error.message);
        any_result_release(&r);
        requests = allocator.requests;
    }
    carom_context_destroy(context);
    note_check(allocator.live_blocks == 0 && allocator.damages == 0, "leak or damage");
}

static void test_second_call_allocates_nothing(void **state) {
    (void)state;
    for_each_trial(2000, call_again);
}

/* A limit under which there is a context, but hardly more. */
static uint64_t least_limit(uint32_t threads) {
    uint64_t limit = 64;
    carom_context *context = NULL;
    while ((context = limited_context(threads, NULL, limit)) == NULL) {
        limit *= 2;
    }
    carom_context_destroy(context);
    return limit;
}

/* Tries a limit. Returns true if it is enough, else what is asked for in its place. */
static bool try_limit(memory_trial *t, uint64_t *limit, bool *knows_rows) {
    carom_context *context = limited_context(t->threads, NULL, *limit);
    note_check(context != NULL, "limit %" PRIu64 " is too small for a context", *limit);
    any_result r = memory_trial_detect(t, context);
    note_check(carom_context_memory(context) <= *limit, "%" PRIu64 " bytes held, the limit is %" PRIu64,
               carom_context_memory(context), *limit);
    carom_context_destroy(context);
    bool enough = r.status == CAROM_OK;
    if (enough) {
        note_check(any_result_same(&t->wanted, &r), "limit %" PRIu64 ": other results", *limit);
    } else {
        note_check(r.status == CAROM_ERROR_MEMORY && r.summary.required_bytes > *limit,
                   "limit %" PRIu64 ": status %s, required_bytes %" PRIu64, *limit, carom_status_name(r.status),
                   r.summary.required_bytes);
        note_check(!*knows_rows, "limit %" PRIu64 " is not enough although it was asked for: %s", *limit,
                   r.error.message);
        note_check(r.summary.required_pairs == 0 || r.summary.required_pairs == t->wanted.summary.required_pairs,
                   "required_pairs is %" PRIu64 ", not %" PRIu64, r.summary.required_pairs,
                   t->wanted.summary.required_pairs);
        *knows_rows = r.summary.required_pairs > 0;
        *limit = r.summary.required_bytes;
    }
    any_result_release(&r);
    return enough;
}

/* Attempts with the limit that the call asks for: three at most, the first to count, the second to store. Where images,
 * visits or parts are yet to be counted there are more. */
static int attempts_of(const memory_trial *t) {
    const bool plain = t->config.periodic == NULL && t->config.method != CAROM_METHOD_SHARED && !t->in_parts;
    return plain ? ATTEMPTS_FEW : ATTEMPTS_MOST;
}

/* Raises the limit to what the call asks for until it succeeds. Once the call knows how many pairs there are, it knows
 * everything, and the next attempt succeeds. Returns the limit that was enough. */
static uint64_t raise_limit(memory_trial *t, uint64_t limit) {
    bool knows_rows = false;
    bool enough = false;
    for (int attempt = 0; attempt < attempts_of(t) && !enough; attempt++) {
        enough = try_limit(t, &limit, &knows_rows);
    }
    note_check(enough, "still not enough after %d attempts: %" PRIu64 " bytes", attempts_of(t), limit);
    return limit;
}

/* A grid of limits from one too small for anything up to nearly enough. */
static void check_limits(memory_trial *t) {
    carom_context *context = any_context(t->threads, NULL);
    any_result r = memory_trial_detect(t, context);
    uint64_t unlimited = carom_context_memory(context);
    any_result_release(&r);
    carom_context_destroy(context);
    const uint64_t least = least_limit(t->threads);
    for (uint64_t part = 0; part < PARTS; part++) {
        uint64_t enough = raise_limit(t, least + (unlimited - least) * part / PARTS);
        note_check(enough <= 4 * unlimited + (UINT64_C(4) << 20), "%" PRIu64 " bytes asked for, %" PRIu64 " needed",
                   enough, unlimited);
    }
}

static void test_limit_converges(void **state) {
    (void)state;
    for_each_trial(2000, check_limits);
}

/* A context that ran into its limit goes on with scenes that fit. */
static void test_limited_context_stays_usable(void **state) {
    (void)state;
    random_scene small = memory_scene_make(MEMORY_DENSE, 300);
    random_scene large = memory_scene_make(MEMORY_DENSE, 60000);
    for (int setting = 0; setting < 4; setting++) {
        any_precision precision = (any_precision)(setting % 2);
        uint32_t threads = (uint32_t)setting / 2 + 1;
        note_case((uint64_t)setting, "limit of 4 MiB, %s, %u threads", any_precision_name(precision), threads);
        memory_trial fits = memory_trial_make(MEMORY_DENSE, &small, 1, precision, threads);
        any_bodies does_not = any_bodies_make(precision, &large.bodies);
        carom_context *context = limited_context(threads, NULL, UINT64_C(4) << 20);
        for (int round = 0; round < 3; round++) {
            any_result r = any_detect_bodies(context, &does_not, &fits.config, NULL);
            note_check(r.status == CAROM_ERROR_MEMORY, "60000 bodies in 4 MiB: %s", carom_status_name(r.status));
            any_result_release(&r);
            r = memory_trial_detect(&fits, context);
            note_check(any_result_same(&fits.wanted, &r), "round %d: other results: %s", round, r.error.message);
            any_result_release(&r);
        }
        carom_context_destroy(context);
        memory_trial_release(&fits);
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
