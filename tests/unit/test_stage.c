/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A stage whose helpers are stalled where it hurts most: after they looked at the ticket, or inside a task. The first
 * must claim nothing of what came later; the second delays its own task alone. No clock decides anything here. */
#include <semaphore.h>
#include <string.h>
#include <unistd.h>

#include "kernel/sys/stage.h"
#include "tests/support/check.h"

enum { TASKS = 5, STAGES = 1000, HELPERS = 3, HANG_SECONDS = 60 };

static carom_stage stage;
static _Atomic uint64_t claimed[CAROM_THREADS_MAX];

/* Threads that are asked to help. */
static const uint32_t ALL = CAROM_THREADS_MAX - 1;

typedef struct runs {
    _Atomic uint32_t of[CAROM_THREADS_MAX];
} runs;

static void note_run(void *data, uint32_t task) {
    runs *r = data;
    atomic_fetch_add(&r->of[task], 1);
}

static bool all_ran(const runs *r, uint32_t tasks, uint32_t times) {
    bool right = true;
    for (uint32_t task = 0; task < CAROM_THREADS_MAX; task++) {
        right = right && r->of[task] == (task < tasks ? times : 0);
    }
    return right;
}

static int make_stage(void **state) {
    (void)state;
    alarm(HANG_SECONDS);
    carom_stage_init(&stage, claimed);
    return 0;
}

/* The owner alone: every task once, in each of many stages of different sizes. */
static void test_owner_alone(void **state) {
    (void)state;
    static const uint32_t sizes[] = {1, 2, TASKS, CAROM_THREADS_MAX, 3};
    for (unsigned n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
        static runs r;
        memset(&r, 0, sizeof r);
        const uint64_t ticket = carom_stage_publish(&stage, sizes[n], ALL, note_run, &r);
        assert_int_equal(carom_stage_unclaimed(&stage, ticket), sizes[n]);
        assert_int_equal(carom_stage_help(&stage, ticket, n, NULL), sizes[n]);
        assert_int_equal(carom_stage_unclaimed(&stage, ticket), 0);
        assert_true(carom_stage_spin(&stage, ticket));
        carom_stage_await(&stage, ticket); /* returns at once */
        assert_true(all_ran(&r, sizes[n], 1));
    }
}

/* A helper that was stalled between looking and claiming, for one stage or for many. */
static void test_old_tickets_claim_nothing(void **state) {
    (void)state;
    static runs old;
    static runs young;
    memset(&old, 0, sizeof old);
    const uint64_t ticket = carom_stage_publish(&stage, TASKS, ALL, note_run, &old);
    assert_int_equal(carom_stage_help(&stage, ticket, 0, NULL), TASKS);
    for (int n = 0; n < STAGES; n++) {
        memset(&young, 0, sizeof young);
        const uint64_t next = carom_stage_publish(&stage, TASKS + 1, ALL, note_run, &young);
        assert_int_equal(carom_stage_help(&stage, ticket, 0, NULL), 0); /* it wakes up here, in a later stage */
        assert_true(all_ran(&young, 0, 0));
        assert_int_equal(carom_stage_help(&stage, next, 0, NULL), TASKS + 1);
        assert_int_equal(carom_stage_help(&stage, ticket, 0, NULL), 0);
    }
    assert_true(all_ran(&old, TASKS, 1));
}

typedef struct stall {
    sem_t entered;
    sem_t leave;
    _Atomic uint32_t ran;
    uint64_t ticket;
} stall;

/* Task 0 stays until it is told to leave. */
static void stall_first(void *data, uint32_t task) {
    stall *s = data;
    if (task == 0) {
        sem_post(&s->entered);
        sem_wait(&s->leave);
    }
    atomic_fetch_add(&s->ran, 1);
}

static void *help_with_first(void *data) {
    const stall *s = data;
    carom_stage_help(&stage, s->ticket, 0, NULL);
    return NULL;
}

/* All other tasks are done while one helper is kept inside its own, and the owner waits for that one alone. */
static void test_stalled_inside_a_task(void **state) {
    (void)state;
    stall s = {.ran = 0};
    sem_init(&s.entered, 0, 0);
    sem_init(&s.leave, 0, 0);
    s.ticket = carom_stage_publish(&stage, TASKS, ALL, stall_first, &s);
    pthread_t helper;
    assert_int_equal(pthread_create(&helper, NULL, help_with_first, &s), 0);
    sem_wait(&s.entered);
    carom_stage_help(&stage, s.ticket, 1, NULL);
    while (s.ran < TASKS - 1) { /* whatever the helper runs of them, it cannot: it is inside task 0 */
        sched_yield();
    }
    assert_int_equal(carom_stage_unclaimed(&stage, s.ticket), 0);
    assert_false(carom_stage_spin(&stage, s.ticket)); /* so many polls, and no more */
    sem_post(&s.leave);
    carom_stage_await(&stage, s.ticket);
    assert_int_equal(s.ran, TASKS);
    pthread_join(helper, NULL);
}

typedef struct helpers {
    atomic_bool stop;
} helpers;

static void *help_always(void *data) {
    const helpers *h = data;
    carom_core_meter meter;
    carom_core_meter_start(&meter);
    while (!atomic_load(&h->stop)) {
        carom_stage_help(&stage, atomic_load(&stage.ticket), 1, &meter);
    }
    return NULL;
}

/* Helpers that come at any moment, and an owner that reuses its data as soon as a stage is over. */
static void test_helpers_at_any_moment(void **state) {
    (void)state;
    static runs r;
    memset(&r, 0, sizeof r);
    helpers h = {.stop = false};
    pthread_t id[HELPERS];
    for (int n = 0; n < HELPERS; n++) {
        assert_int_equal(pthread_create(&id[n], NULL, help_always, &h), 0);
    }
    bool right = true;
    for (uint32_t n = 1; n <= STAGES; n++) {
        const uint64_t ticket = carom_stage_publish(&stage, TASKS, ALL, note_run, &r);
        carom_stage_help(&stage, ticket, 0, NULL);
        carom_stage_await(&stage, ticket);
        right = right && all_ran(&r, TASKS, n);
    }
    atomic_store(&h.stop, true);
    for (int n = 0; n < HELPERS; n++) {
        pthread_join(id[n], NULL);
    }
    assert_true(right);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_owner_alone),
        cmocka_unit_test(test_old_tickets_claim_nothing),
        cmocka_unit_test(test_stalled_inside_a_task),
        cmocka_unit_test(test_helpers_at_any_moment),
    };
    return cmocka_run_group_tests_name("stage", tests, make_stage, NULL);
}
