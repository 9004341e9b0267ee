/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Programs that use the library in their own way: next to nothing to do, more threads than bodies, from inside a
 * parallel region, from several threads at once, in a forked child, with threads of their own. The results are always
 * those of one thread. */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/any_detect.h"
#include "tests/support/check.h"
#include "tests/support/check_detection.h"
#include "tests/support/note.h"
#include "tests/support/random_scene.h"
#include "tests/support/settled_fork.h"

/* Seconds after which a call counts as hung. */
enum { HANGS_AFTER = 60 };

static any_bodies some_bodies(random_scene_kind kind, any_precision precision, uint64_t count) {
    carom_random random = carom_random_seeded(note_case_seed(count));
    random_scene scene = random_scene_make(kind, count, true, &random);
    any_bodies bodies = any_bodies_make(precision, &scene.bodies);
    random_scene_release(&scene);
    return bodies;
}

static any_result result_of_one_thread(const any_bodies *bodies) {
    carom_context *context = any_context(1, NULL);
    carom_detect_config config = any_config_full();
    any_result r = any_detect_bodies(context, bodies, &config, NULL);
    carom_context_destroy(context);
    return r;
}

/* Detection and comparison without any cmocka call: also for threads and children. */
static bool right_hash(carom_context *context, const any_bodies *bodies, const any_result *wanted) {
    carom_detect_config config = any_config_full();
    carom_detect_summary summary;
    return any_detect_status(context, bodies, &config, &summary) == CAROM_OK &&
           summary.result_hash == wanted->summary.result_hash;
}

/* N = 0, 1, 2 with every number of threads up to far more than bodies, to every stage. */
static void test_few_bodies(void **state) {
    (void)state;
    static const uint32_t threads[] = {1, 2, 3, 64};
    for (int setting = 0; setting < 32; setting++) {
        any_precision p = (any_precision)(setting % 2);
        carom_context *context = any_context(threads[setting / 2 % 4], NULL);
        carom_detect_config config = any_config_full();
        config.until = (carom_until)(setting / 8);
        for (uint64_t count = 0; count <= 2; count++) {
            random_scene scene = random_scene_blank(count); /* points in one place: two of them touch */
            note_case(count, "%" PRIu64 " bodies, %u threads", count, threads[setting / 2 % 4]);
            any_result r = any_detect(context, p, &scene.bodies, &config);
            bool touch = count == 2 && config.until >= CAROM_UNTIL_APPROACH;
            bool grouped = count == 2 && config.until == CAROM_UNTIL_GROUPS;
            note_check(r.status == CAROM_OK, "%s", r.error.message);
            note_check(r.summary.touching_pairs == touch && r.summary.groups == grouped &&
                           r.summary.largest_group == (grouped ? 2 : 0),
                       "%" PRIu64 " pairs, %" PRIu64 " groups", r.summary.touching_pairs, r.summary.groups);
            note_check(count == 0 || config.until != CAROM_UNTIL_GROUPS || r.label[0] == 0, "label");
            any_result_release(&r);
            random_scene_release(&scene);
        }
        carom_context_destroy(context);
    }
}

static void test_more_threads_than_bodies(void **state) {
    (void)state;
    static const uint32_t threads[] = {5, 17, 100, CAROM_THREADS_MAX};
    for (int setting = 0; setting < 8; setting++) {
        any_precision p = (any_precision)(setting % 2);
        any_bodies bodies = some_bodies(RANDOM_UNIFORM_DENSE, p, 16);
        any_result wanted = result_of_one_thread(&bodies);
        carom_context *context = any_context(threads[setting / 2], NULL);
        assert_int_equal(carom_context_threads(context), threads[setting / 2]);
        carom_detect_config config = any_config_full();
        any_result r = any_detect_bodies(context, &bodies, &config, NULL);
        assert_true(any_result_same(&wanted, &r));
        any_result_release(&r);
        any_result_release(&wanted);
        any_bodies_release(&bodies);
        carom_context_destroy(context);
    }
}

/* Each thread of a region of the caller's makes calls with a context of its own. */
static void test_inside_parallel_region(void **state) {
    (void)state;
    any_bodies bodies = some_bodies(RANDOM_UNIFORM_DENSE, ANY_F32, 5000);
    any_result wanted = result_of_one_thread(&bodies);
    carom_context *contexts[3];
    for (uint32_t n = 0; n < 3; n++) {
        contexts[n] = any_context(n + 1, NULL);
    }
    int right = 0;
#pragma omp parallel for num_threads(3) reduction(+ : right)
    for (int n = 0; n < 12; n++) {
#pragma omp critical(context_of_three)
        right += right_hash(contexts[n % 3], &bodies, &wanted);
    }
    assert_int_equal(right, 12);
    right = 0;
#pragma omp parallel for num_threads(3) schedule(static, 1) reduction(+ : right)
    for (int n = 0; n < 3; n++) {
        for (int call = 0; call < 4; call++) {
            right += right_hash(contexts[n], &bodies, &wanted);
        }
    }
    assert_int_equal(right, 12);
    for (int n = 0; n < 3; n++) {
        carom_context_destroy(contexts[n]);
    }
    any_result_release(&wanted);
    any_bodies_release(&bodies);
}

typedef struct host_thread {
    const any_bodies *bodies;
    const any_result *wanted;
    uint32_t threads;
    int right;
} host_thread;

enum { CALLS = 8 };

static void *detect_often(void *data) {
    host_thread *host = data;
    carom_context_config config = carom_context_config_default();
    config.threads = host->threads;
    config.bodies_per_thread = 1;
    carom_context *context = NULL;
    if (carom_context_create(&config, &context, NULL) == CAROM_OK) {
        for (int call = 0; call < CALLS; call++) {
            host->right += right_hash(context, host->bodies, host->wanted);
        }
        carom_context_destroy(context);
    }
    return NULL;
}

/* Two host threads, two contexts, two scenes, two precisions, all at once. */
static void test_two_contexts_at_once(void **state) {
    (void)state;
    for (uint32_t threads = 1; threads <= 3; threads++) {
        any_bodies bodies[2] = {some_bodies(RANDOM_CLUSTERED, ANY_F32, 5000), some_bodies(RANDOM_SLAB, ANY_F64, 7000)};
        any_result wanted[2];
        host_thread hosts[2];
        pthread_t id[2];
        for (int n = 0; n < 2; n++) {
            wanted[n] = result_of_one_thread(&bodies[n]);
            hosts[n] = (host_thread){&bodies[n], &wanted[n], threads, 0};
            assert_int_equal(pthread_create(&id[n], NULL, detect_often, &hosts[n]), 0);
        }
        for (int n = 0; n < 2; n++) {
            assert_int_equal(pthread_join(id[n], NULL), 0);
            assert_int_equal(hosts[n].right, CALLS);
            any_result_release(&wanted[n]);
            any_bodies_release(&bodies[n]);
        }
    }
}

/* The child of a fork after a parallel call: with the parent's context and with one of its own. A hang is ended by
 * the alarm and counts as a failure. */
static void test_forked_child(void **state) {
    (void)state;
#ifdef NO_THREADS_AFTER_FORK
    skip();
#endif
    any_bodies bodies = some_bodies(RANDOM_UNIFORM_DENSE, ANY_F32, 20000);
    any_result wanted = result_of_one_thread(&bodies);
    carom_context *context = any_context(2, NULL);
    assert_true(right_hash(context, &bodies, &wanted));
    for (int round = 0; round < 3; round++) {
        pid_t child = settled_fork();
        assert_true(child >= 0);
        if (child == 0) {
            alarm(HANGS_AFTER);
            host_thread host = {&bodies, &wanted, 3, 0};
            bool right = right_hash(context, &bodies, &wanted) && right_hash(context, &bodies, &wanted);
            detect_often(&host);
            _exit(right && host.right == CALLS ? 0 : 1);
        }
        int status = -1;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        assert_true(right_hash(context, &bodies, &wanted)); /* the parent goes on */
    }
    carom_context_destroy(context);
    any_result_release(&wanted);
    any_bodies_release(&bodies);
}

/* Threads of the host's: in reverse on the calling thread, or each task on a thread of its own. */
typedef struct host_executor {
    bool threaded;
    atomic_uint regions;
} host_executor;

typedef struct executor_call {
    carom_executor_task *task;
    void *data;
    uint32_t index;
} executor_call;

static void *run_call(void *data) {
    const executor_call *call = data;
    call->task(call->data, call->index);
    return NULL;
}

static void host_parallel_for(void *user, uint32_t count, carom_executor_task *task, void *data) {
    host_executor *host = user;
    pthread_t id[16];
    executor_call calls[16];
    host->regions++;
    for (uint32_t n = 0; n < count; n++) {
        calls[n] = (executor_call){task, data, count - 1 - n};
        if (!host->threaded) {
            run_call(&calls[n]);
        } else if (pthread_create(&id[n], NULL, run_call, &calls[n]) != 0) {
            abort();
        }
    }
    for (uint32_t n = 0; host->threaded && n < count; n++) {
        pthread_join(id[n], NULL);
    }
}

static void test_executor(void **state) {
    (void)state;
    for (int setting = 0; setting < 12; setting++) {
        any_precision p = (any_precision)(setting % 2);
        any_bodies bodies = some_bodies(RANDOM_UNIFORM_DENSE, p, 6000);
        any_result wanted = result_of_one_thread(&bodies);
        host_executor host = {.threaded = setting / 2 % 2 == 1};
        carom_context_config config = carom_context_config_default();
        config.threads = (uint32_t)setting / 4 * 3 + 2;
        config.bodies_per_thread = 1;
        config.executor = (carom_executor){.user = &host, .parallel_for = host_parallel_for};
        carom_context *context = NULL;
        assert_int_equal(carom_context_create(&config, &context, NULL), CAROM_OK);
        carom_detect_config detect = any_config_full();
        any_result r = any_detect_bodies(context, &bodies, &detect, NULL);
        assert_true(any_result_same(&wanted, &r));
        assert_true(host.regions > 0);
        any_result_release(&r);
        carom_context_destroy(context);
        any_result_release(&wanted);
        any_bodies_release(&bodies);
    }
}

int main(void) {
    note_start("tests/fault/test_hosts");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few_bodies),
        cmocka_unit_test(test_more_threads_than_bodies),
        cmocka_unit_test(test_inside_parallel_region),
        cmocka_unit_test(test_two_contexts_at_once),
        cmocka_unit_test(test_forked_child),
        cmocka_unit_test(test_executor),
    };
    return cmocka_run_group_tests_name("hosts", tests, NULL, NULL);
}
