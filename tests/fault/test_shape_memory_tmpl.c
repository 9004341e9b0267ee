/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Memory that is not there, in detections of bodies with shapes: each request refused in turn, and limits. The call
 * says so and what would be enough, nothing leaks, and the same call then works. Once buffers have grown, a call asks
 * for nothing. Compiled once for each precision. */
#include <inttypes.h>

#include "tests/prop/shape_scene_tmpl.h"
#include "tests/support/check.h"
#include "tests/support/fault_allocator.h"
#include "tests/support/note.h"

enum { BODIES = 300, REQUESTS_MOST = 400, ATTEMPTS_MOST = 8, WAYS = 4 };

typedef struct trial {
    shape_scene scene;
    carom_detect_config config;
    uint32_t threads;
    any_result wanted;
} trial;

static any_result detect(const trial *t, carom_context *context) {
    const any_bodies bodies = shape_scene_any(&t->scene);
    return any_detect_bodies(context, &bodies, &t->config, NULL);
}

/* Half of the trials are in this box. */
static const carom_periodic *small_box(void) {
    static carom_periodic box;
    box = carom_periodic_default();
    for (int a = 0; a < 3; a++) {
        box.along[a] = true;
        box.edge[a][a] = 8.0;
    }
    return &box;
}

static trial make_trial(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    trial t = {.config = any_config_full(), .threads = (uint32_t)(1 + number % 2)};
    t.scene = shape_scene_make(number % 2 == 0 ? FAMILY_COMPOUNDS : FAMILY_BOXES, (shape_motion)(number % MOTIONS),
                               BODIES, &random);
    t.config.sort_pairs = number / 2 % 2 == 0;
    t.config.periodic = number % 4 >= 2 ? small_box() : NULL;
    t.config.neighbours = number % 3 == 0 ? CAROM_NEIGHBOURS_FULL : CAROM_NEIGHBOURS_NONE;
    note_case(number, "%s, %u threads", shape_scene_name(&t.scene), t.threads);
    carom_context *context = any_context(1, NULL);
    t.wanted = detect(&t, context);
    note_check(t.wanted.status == CAROM_OK && t.wanted.pair_count > 50, "too few pairs");
    carom_context_destroy(context);
    return t;
}

static void release_trial(trial *t) {
    any_result_release(&t->wanted);
    shape_scene_release(&t->scene);
}

static carom_context *make_context(const trial *t, fault_allocator *allocator, uint64_t limit) {
    carom_context_config config = carom_context_config_default();
    config.threads = t->threads;
    config.bodies_per_thread = 1;
    config.memory_limit = limit;
    config.allocator = fault_allocator_get(allocator);
    carom_context *context = NULL;
    const carom_status status = carom_context_create(&config, &context, NULL);
    note_check(status == CAROM_OK || context == NULL, "a context in spite of %s", carom_status_name(status));
    return context;
}

static void expect_wanted(const trial *t, carom_context *context, const char *when) {
    any_result r = detect(t, context);
    note_check(r.status == CAROM_OK && any_result_same(&t->wanted, &r), "%s: other results: %s", when, r.error.message);
    any_result_release(&r);
}

/* Returns false once there are fewer requests than n. */
static bool fail_request(const trial *t, uint64_t n, bool from_then_on) {
    fault_allocator allocator;
    fault_allocator_init(&allocator);
    fault_allocator_fail(&allocator, n, from_then_on);
    carom_context *context = make_context(t, &allocator, 0);
    bool reached = true;
    if (context != NULL) {
        any_result r = detect(t, context);
        reached = allocator.requests >= n;
        note_check(r.status == CAROM_OK || (reached && r.status == CAROM_ERROR_MEMORY), "request %" PRIu64 ": %s", n,
                   r.error.message);
        note_check(r.status == CAROM_OK || r.summary.required_bytes > 0, "request %" PRIu64 ": no required_bytes", n);
        any_result_release(&r);
        fault_allocator_fail(&allocator, 0, false);
        expect_wanted(t, context, "after a refused request");
        carom_context_destroy(context);
    }
    note_check(allocator.live_blocks == 0 && allocator.damages == 0, "request %" PRIu64 ": leak or damage", n);
    return reached;
}

static void fail_each_request(uint64_t number) {
    trial t = make_trial(number);
    for (int way = 0; way < 2; way++) {
        uint64_t n = 1;
        while (n < REQUESTS_MOST && fail_request(&t, n, way != 0)) {
            n++;
        }
        note_check(n > 10 && n < REQUESTS_MOST, "%" PRIu64 " requests", n - 1);
    }
    release_trial(&t);
}

static void test_requests_fail(void **state) {
    (void)state;
    note_each_case(WAYS, fail_each_request);
}

static void call_again(uint64_t number) {
    trial t = make_trial(number);
    fault_allocator allocator;
    fault_allocator_init(&allocator);
    carom_context *context = make_context(&t, &allocator, 0);
    uint64_t requests = 0;
    for (int call = 1; call <= 4; call++) {
        expect_wanted(&t, context, "again");
        note_check(call == 1 || allocator.requests == requests, "call %d made %" PRIu64 " requests", call,
                   allocator.requests - requests);
        requests = allocator.requests;
    }
    carom_context_destroy(context);
    note_check(allocator.live_blocks == 0, "leak");
    release_trial(&t);
}

static void test_warm_calls(void **state) {
    (void)state;
    note_each_case(WAYS * 2, call_again);
}

/* From a limit that holds a context alone, by required_bytes to one that is enough. */
static void follow_limits(uint64_t number) {
    trial t = make_trial(number);
    uint64_t limit = 0;
    bool enough = false;
    for (int attempt = 0; attempt < ATTEMPTS_MOST && !enough; attempt++) {
        fault_allocator allocator;
        fault_allocator_init(&allocator);
        carom_context *context = NULL;
        while (context == NULL) {
            limit += 4096;
            context = make_context(&t, &allocator, limit);
        }
        any_result r = detect(&t, context);
        enough = r.status == CAROM_OK;
        note_check(enough || (r.status == CAROM_ERROR_MEMORY && r.summary.required_bytes > limit),
                   "limit %" PRIu64 ": %s", limit, r.error.message);
        note_check(allocator.peak_bytes <= limit, "more than the limit");
        note_check(!enough || any_result_same(&t.wanted, &r), "other results");
        limit = enough ? limit : r.summary.required_bytes;
        any_result_release(&r);
        carom_context_destroy(context);
    }
    note_check(enough, "%d limits are not enough", ATTEMPTS_MOST);
    release_trial(&t);
}

static void test_limits(void **state) {
    (void)state;
    note_each_case(WAYS * 2, follow_limits);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_requests_fail),
        cmocka_unit_test(test_warm_calls),
        cmocka_unit_test(test_limits),
    };
    note_start("test_shape_memory");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
