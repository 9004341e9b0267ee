/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Executors that keep their promise and no more: every task once, in an order that nobody expects, on threads that the
 * library never saw, one after the other or all at once. Every kind of call must give what one thread gives. */
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>

#include "kernel/scene/random.h"
#include "kernel/scene/scene.h"
#include "tests/support/any_detect.h"
#include "tests/support/check.h"
#include "tests/support/note.h"
#include "tests/support/random_scene.h"

enum { TASKS_MOST = 16, POOL_THREADS = 3, BODIES = 3000, OPTIONS = 7, HOSTS = 2, CALLS = 6 };

typedef struct task_call {
    carom_executor_task *task;
    void *data;
    uint32_t index;
} task_call;

static void *run_call(void *data) {
    const task_call *call = data;
    call->task(call->data, call->index);
    return NULL;
}

/* Tasks in random order. */
static void shuffled_calls(carom_random *random, uint32_t count, carom_executor_task *task, void *data,
                           task_call *calls) {
    if (count > TASKS_MOST) {
        abort();
    }
    for (uint32_t n = 0; n < count; n++) {
        uint64_t other = carom_random_next(random) % (n + 1);
        calls[n] = calls[other];
        calls[other] = (task_call){task, data, n};
    }
}

static void on_own_thread(task_call *call, pthread_t *id) {
    if (pthread_create(id, NULL, run_call, call) != 0) {
        abort();
    }
}

/* One after the other on the calling thread. */
static void shuffled_for(void *user, uint32_t count, carom_executor_task *task, void *data) {
    task_call calls[TASKS_MOST];
    shuffled_calls(user, count, task, data, calls);
    for (uint32_t n = 0; n < count; n++) {
        run_call(&calls[n]);
    }
}

/* One after the other, each on a thread that is made for it and then gone. */
static void foreign_for(void *user, uint32_t count, carom_executor_task *task, void *data) {
    task_call calls[TASKS_MOST];
    shuffled_calls(user, count, task, data, calls);
    for (uint32_t n = 0; n < count; n++) {
        pthread_t id;
        on_own_thread(&calls[n], &id);
        pthread_join(id, NULL);
    }
}

/* All at once, a random half of them on threads of their own, the others on the calling thread. */
static void mixed_for(void *user, uint32_t count, carom_executor_task *task, void *data) {
    task_call calls[TASKS_MOST];
    pthread_t id[TASKS_MOST];
    uint32_t started = 0;
    shuffled_calls(user, count, task, data, calls);
    for (; started < count / 2; started++) {
        on_own_thread(&calls[started], &id[started]);
    }
    for (uint32_t n = started; n < count; n++) {
        run_call(&calls[n]);
    }
    while (started > 0) {
        pthread_join(id[--started], NULL);
    }
}

/* Threads that live as long as the test and take whatever comes, last one first. */
static struct pool {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    task_call call[HOSTS * TASKS_MOST];
    uint32_t *left[HOSTS * TASKS_MOST]; /* of the region a call belongs to */
    uint32_t waiting;
    bool over;
    pthread_t id[POOL_THREADS];
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

/* With the lock held; without it while the task runs. */
static void run_last(void) {
    uint32_t last = --pool.waiting;
    task_call call = pool.call[last];
    uint32_t *left = pool.left[last];
    pthread_mutex_unlock(&pool.lock);
    run_call(&call);
    pthread_mutex_lock(&pool.lock);
    --*left;
    pthread_cond_broadcast(&pool.changed);
}

static void *serve(void *unused) {
    (void)unused;
    pthread_mutex_lock(&pool.lock);
    while (!pool.over) {
        if (pool.waiting > 0) {
            run_last();
        } else {
            pthread_cond_wait(&pool.changed, &pool.lock);
        }
    }
    pthread_mutex_unlock(&pool.lock);
    return NULL;
}

/* The caller only waits. */
static void pool_for(void *user, uint32_t count, carom_executor_task *task, void *data) {
    task_call calls[TASKS_MOST];
    uint32_t left = count;
    shuffled_calls(user, count, task, data, calls);
    pthread_mutex_lock(&pool.lock);
    for (uint32_t n = 0; n < count; n++) {
        pool.call[pool.waiting] = calls[n];
        pool.left[pool.waiting++] = &left;
    }
    pthread_cond_broadcast(&pool.changed);
    while (left > 0) {
        pthread_cond_wait(&pool.changed, &pool.lock);
    }
    pthread_mutex_unlock(&pool.lock);
}

static int start_pool(void **state) {
    (void)state;
    for (int n = 0; n < POOL_THREADS; n++) {
        if (pthread_create(&pool.id[n], NULL, serve, NULL) != 0) {
            return -1;
        }
    }
    return 0;
}

static int end_pool(void **state) {
    (void)state;
    pthread_mutex_lock(&pool.lock);
    pool.over = true;
    pthread_cond_broadcast(&pool.changed);
    pthread_mutex_unlock(&pool.lock);
    for (int n = 0; n < POOL_THREADS; n++) {
        pthread_join(pool.id[n], NULL);
    }
    return 0;
}

static const struct {
    const char *name;
    void (*parallel_for)(void *user, uint32_t count, carom_executor_task *task, void *data);
} executors[] = {{"shuffled", shuffled_for}, {"foreign", foreign_for}, {"mixed", mixed_for}, {"pool", pool_for}};

enum { EXECUTORS = sizeof executors / sizeof executors[0] };

static carom_context *executor_context(size_t which, uint32_t threads, carom_random *random) {
    carom_context_config config = carom_context_config_default();
    config.threads = threads;
    config.bodies_per_thread = 1;
    config.executor = (carom_executor){.user = random, .parallel_for = executors[which].parallel_for};
    carom_context *context = NULL;
    if (carom_context_create(&config, &context, NULL) != CAROM_OK) {
        abort();
    }
    return context;
}

static const carom_periodic box = {
    .size = sizeof box, .along = {true, true, true}, .edge = {{17, 0, 0}, {5, 17, 0}, {-4, 3, 17}}};

static carom_detect_config option(int number) {
    carom_detect_config config = any_config_full();
    switch (number) {
    case 1:
        config.sort_pairs = false;
        break;
    case 2:
        config.until = CAROM_UNTIL_PAIRS;
        config.all_pairs = true;
        break;
    case 3:
        config.count_only = true;
        config.sort_pairs = false;
        break;
    case 4:
        config.neighbours = CAROM_NEIGHBOURS_FULL;
        break;
    case 5:
        config.periodic = &box;
        break;
    case 6:
        config.until = CAROM_UNTIL_BOUNDS;
        break;
    default:
        break;
    }
    return config;
}

static any_bodies some_bodies(any_precision precision) {
    carom_random random = carom_random_seeded(note_case_seed(0));
    random_scene scene = random_scene_make(RANDOM_UNIFORM_DENSE, BODIES, true, &random);
    any_bodies bodies = any_bodies_make(precision, &scene.bodies);
    random_scene_release(&scene);
    return bodies;
}

static void check_executor(size_t which, uint32_t threads, int number, const any_bodies *bodies) {
    carom_random random = carom_random_seeded(note_case_seed(threads));
    carom_detect_config config = option(number);
    carom_context *one = any_context(1, NULL);
    carom_context *context = executor_context(which, threads, &random);
    any_result wanted = any_detect_bodies(one, bodies, &config, NULL);
    note_case((uint64_t)number, "%s, %u threads, option %d, %s", executors[which].name, threads, number,
              any_precision_name(bodies->precision));
    for (int call = 0; call < 3; call++) {
        any_result r = any_detect_bodies(context, bodies, &config, NULL);
        note_check(any_result_same(&wanted, &r), "call %d: other results: %s", call, r.error.message);
        any_result_release(&r);
    }
    any_result_release(&wanted);
    carom_context_destroy(context);
    carom_context_destroy(one);
}

static void test_every_call(void **state) {
    (void)state;
    for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
        any_bodies bodies = some_bodies(p);
        for (size_t which = 0; which < EXECUTORS; which++) {
            for (int number = 0; number < OPTIONS; number++) {
                check_executor(which, 2 + (uint32_t)number, number, &bodies);
                check_executor(which, TASKS_MOST - (uint32_t)number, number, &bodies);
            }
        }
        any_bodies_release(&bodies);
    }
}

/* Hash of the last of some steps. */
static uint64_t hash_of_steps(carom_context *context) {
    carom_detect_config config = any_config_full();
    carom_scene_f32 scene;
    carom_scene_motion motion;
    carom_coherent_f32 *coherent;
    carom_detection_f32 found = {0};
    carom_coherent_report report = {0};
    assert_int_equal(carom_scene_make('u', BODIES, 1, &scene), CAROM_OK);
    assert_int_equal(carom_scene_motion_start('u', 0.2, &scene, &motion), CAROM_OK);
    assert_int_equal(carom_coherent_create_f32(context, NULL, &coherent, NULL), CAROM_OK);
    for (int step = 0; step < 12; step++) {
        const carom_bodies_f32 bodies = carom_scene_bodies(&scene);
        assert_int_equal(carom_coherent_detect_f32(coherent, &bodies, &config, NULL, &found, &report, NULL), CAROM_OK);
        carom_scene_motion_step(&motion, &scene);
    }
    const uint64_t hash = found.summary.result_hash;
    carom_coherent_destroy_f32(coherent);
    carom_scene_motion_end(&motion);
    carom_scene_release(&scene);
    return hash;
}

static void test_coherent_steps(void **state) {
    (void)state;
    carom_context *one = any_context(1, NULL);
    const uint64_t wanted = hash_of_steps(one);
    carom_context_destroy(one);
    for (size_t which = 0; which < EXECUTORS; which++) {
        for (uint32_t threads = 2; threads <= 8; threads += 3) {
            carom_random random = carom_random_seeded(note_case_seed(threads));
            carom_context *context = executor_context(which, threads, &random);
            note_case(which, "steps, %s, %u threads", executors[which].name, threads);
            note_check(hash_of_steps(context) == wanted, "other results");
            carom_context_destroy(context);
        }
    }
}

typedef struct host {
    const any_bodies *bodies;
    uint64_t wanted;
    size_t which;
    uint32_t number;
    int right;
} host;

static void *detect_often(void *data) {
    host *h = data;
    carom_random random = carom_random_seeded(h->number);
    carom_context *context = executor_context(h->which, 3 + 2 * h->number, &random);
    carom_detect_config config = any_config_full();
    for (int call = 0; call < CALLS; call++) {
        carom_detect_summary summary;
        h->right +=
            any_detect_status(context, h->bodies, &config, &summary) == CAROM_OK && summary.result_hash == h->wanted;
    }
    carom_context_destroy(context);
    return NULL;
}

/* Two host threads with a context each, their tasks on the same threads. */
static void test_two_hosts(void **state) {
    (void)state;
    any_bodies bodies = some_bodies(ANY_F32);
    carom_detect_config config = any_config_full();
    carom_context *one = any_context(1, NULL);
    carom_detect_summary wanted;
    assert_int_equal(any_detect_status(one, &bodies, &config, &wanted), CAROM_OK);
    carom_context_destroy(one);
    for (size_t which = 0; which < EXECUTORS; which++) {
        host hosts[HOSTS];
        pthread_t id[HOSTS];
        for (uint32_t n = 0; n < HOSTS; n++) {
            hosts[n] = (host){&bodies, wanted.result_hash, which, n, 0};
            assert_int_equal(pthread_create(&id[n], NULL, detect_often, &hosts[n]), 0);
        }
        for (uint32_t n = 0; n < HOSTS; n++) {
            assert_int_equal(pthread_join(id[n], NULL), 0);
            assert_int_equal(hosts[n].right, CALLS);
        }
    }
    any_bodies_release(&bodies);
}

int main(void) {
    note_start("tests/fault/test_executors");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_call),
        cmocka_unit_test(test_coherent_steps),
        cmocka_unit_test(test_two_hosts),
    };
    return cmocka_run_group_tests_name("executors", tests, start_pool, end_pool);
}
