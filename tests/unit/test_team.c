/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The team: every worker exactly once, wherever it is called from. What would hang here is cut short by an alarm. */
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "kernel/sys/team.h"
#include "tests/support/check.h"
#include "tests/support/settled_fork.h"

enum { WORKERS_MAX = CAROM_THREADS_MAX, HANG_SECONDS = 20 };

typedef struct calls {
    _Atomic uint32_t of[WORKERS_MAX];
    _Atomic uint32_t outside;
} calls;

static void note_call(void *data, uint32_t worker) {
    calls *c = data;
    atomic_fetch_add(worker < WORKERS_MAX ? &c->of[worker] : &c->outside, 1);
}

/* Not an assertion: also used in threads and children, where cmocka's do not work. */
static bool runs_each_once(uint32_t threads, const carom_executor *executor) {
    static _Thread_local calls c;
    memset(&c, 0, sizeof c);
    carom_team team;
    carom_team_init(&team, threads, executor);
    carom_team_run(&team, note_call, &c);
    bool right = c.outside == 0 && team.workers == threads;
    for (uint32_t worker = 0; worker < WORKERS_MAX; worker++) {
        right = right && c.of[worker] == (worker < threads);
    }
    return right;
}

static bool runs_all_sizes(void) {
    const uint32_t sizes[] = {1, 2, 3, 8, 17, 2, 1};
    bool right = true;
    for (unsigned n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
        right = right && runs_each_once(sizes[n], NULL);
    }
    return right;
}

static bool runs_all_sizes_and_in_grandchild(void) {
    return runs_all_sizes() && settled_fork_holds(runs_all_sizes, HANG_SECONDS);
}

static void skip_where_children_cannot_start_threads(void) {
#ifdef NO_THREADS_AFTER_FORK
    skip();
#endif
}

/* Must be the first test: no parallel region has been opened yet, so the child may have threads of its own. */
static void test_child_before_any_use(void **state) {
    (void)state;
    skip_where_children_cannot_start_threads();
    assert_true(settled_fork_holds(runs_all_sizes_and_in_grandchild, HANG_SECONDS));
}

static void test_each_worker_once(void **state) {
    (void)state;
    for (uint32_t threads = 1; threads <= 24; threads++) {
        assert_true(runs_each_once(threads, NULL));
    }
}

/* The last test: a thread sanitizer has room for so many threads and their copies in a child only once. */
static void test_many_workers(void **state) {
    (void)state;
    assert_true(runs_each_once(100, NULL));
    assert_true(runs_each_once(CAROM_THREADS_MAX, NULL));
}

/* The host has threads of OpenMP's that Carom knows nothing of; the runtime would wait for them in the child. */
static void test_child_after_the_hosts_use(void **state) {
    (void)state;
    skip_where_children_cannot_start_threads();
    _Atomic int ran = 0;
#pragma omp parallel num_threads(3)
    atomic_fetch_add(&ran, 1);
    assert_int_equal(ran, 3);
    assert_true(settled_fork_holds(runs_all_sizes_and_in_grandchild, HANG_SECONDS));
}

static void test_child_after_use(void **state) {
    (void)state;
    skip_where_children_cannot_start_threads();
    assert_true(runs_each_once(3, NULL));
    for (int round = 0; round < 5; round++) {
        assert_true(settled_fork_holds(runs_all_sizes_and_in_grandchild, HANG_SECONDS));
        assert_true(runs_each_once(3, NULL)); /* and the parent goes on */
    }
}

static void test_default_threads(void **state) {
    (void)state;
    carom_team team;
    carom_team_init(&team, 0, NULL);
    assert_true(team.workers >= 1);
    assert_true(team.workers <= (uint32_t)omp_get_num_procs());
    omp_set_num_threads(1);
    carom_team_init(&team, 0, NULL);
    assert_int_equal(team.workers, 1);
    omp_set_num_threads(omp_get_num_procs());
    carom_team_init(&team, UINT32_MAX, NULL);
    assert_int_equal(team.workers, CAROM_THREADS_MAX);
}

/* The host's own settings stay as they were. */
static void test_host_settings_untouched(void **state) {
    (void)state;
    omp_set_num_threads(5);
    assert_true(runs_each_once(2, NULL));
    assert_int_equal(omp_get_max_threads(), 5);
    omp_set_num_threads(omp_get_num_procs());
}

static void test_inside_a_parallel_region(void **state) {
    (void)state;
    for (int levels = 1; levels <= 2; levels++) { /* nested regions of one thread, then of several */
        omp_set_max_active_levels(levels);
        _Atomic int right = 0;
#pragma omp parallel num_threads(3)
        {
            if (runs_all_sizes()) {
                atomic_fetch_add(&right, 1);
            }
        }
        assert_int_equal(right, 3);
    }
    omp_set_max_active_levels(1);
}

static void *run_many(void *data) {
    bool *right = data;
    *right = true;
    for (int round = 0; round < 50; round++) {
        *right = *right && runs_all_sizes();
    }
    return NULL;
}

static void test_two_host_threads(void **state) {
    (void)state;
    bool right[2];
    pthread_t thread[2];
    for (int n = 0; n < 2; n++) {
        assert_int_equal(pthread_create(&thread[n], NULL, run_many, &right[n]), 0);
    }
    for (int n = 0; n < 2; n++) {
        assert_int_equal(pthread_join(thread[n], NULL), 0);
        assert_true(right[n]);
    }
}

typedef struct job {
    carom_executor_task *task;
    void *data;
    uint32_t index;
} job;

static void *run_job(void *data) {
    const job *j = data;
    j->task(j->data, j->index);
    return NULL;
}

/* An executor of POSIX threads, last index first. */
static void threads_parallel_for(void *user, uint32_t count, carom_executor_task *task, void *task_data) {
    _Atomic uint32_t *uses = user;
    pthread_t thread[16];
    job jobs[16];
    atomic_fetch_add(uses, 1);
    for (uint32_t n = count; n-- > 0;) {
        jobs[n] = (job){task, task_data, n};
        if (pthread_create(&thread[n], NULL, run_job, &jobs[n]) != 0) {
            fail();
        }
    }
    for (uint32_t n = 0; n < count; n++) {
        pthread_join(thread[n], NULL);
    }
}

static _Atomic uint32_t executor_uses;

static bool executor_runs_all(void) {
    const carom_executor executor = {.user = (void *)&executor_uses, .parallel_for = threads_parallel_for};
    bool right = true;
    for (uint32_t threads = 1; threads <= 16; threads++) {
        right = right && runs_each_once(threads, &executor);
    }
    return right;
}

static void test_executor(void **state) {
    (void)state;
    executor_uses = 0;
    assert_true(executor_runs_all());
    assert_int_equal(executor_uses, 15); /* one worker needs no executor */
#ifndef NO_THREADS_AFTER_FORK
    assert_true(settled_fork_holds(executor_runs_all, HANG_SECONDS));
#endif
}

static void check_ranges(uint32_t workers, uint64_t count, uint64_t grain) {
    const carom_team team = {.workers = workers};
    uint64_t expected_begin = 0;
    uint64_t least = UINT64_MAX;
    uint64_t most = 0;
    for (uint32_t worker = 0; worker < workers; worker++) {
        const carom_range own = carom_team_range(&team, worker, count, grain);
        assert_true(own.begin == expected_begin && own.begin <= own.end && own.end <= count);
        assert_true(own.end == count || own.end % grain == 0);
        least = own.end - own.begin < least ? own.end - own.begin : least;
        most = own.end - own.begin > most ? own.end - own.begin : most;
        expected_begin = own.end;
    }
    assert_true(expected_begin == count);
    assert_true(grain > UINT64_MAX / 2 || most - least < 2 * grain);
}

static void test_ranges_tile_the_items(void **state) {
    (void)state;
    const uint64_t counts[] = {0, 1, 7, 63, 64, 65, 1000, 4096, 1000003, UINT64_C(5000000000), UINT64_MAX};
    const uint64_t grains[] = {1, 2, 16, 64, 4096, UINT64_MAX};
    for (uint32_t workers = 1; workers <= 33; workers++) {
        for (unsigned c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            for (unsigned g = 0; g < sizeof grains / sizeof grains[0]; g++) {
                check_ranges(workers, counts[c], grains[g]);
            }
        }
    }
}

/* Slices follow one another, begin at multiples of the grain and are no longer than they should be. */
static void check_walk(uint32_t workers, uint32_t worker, uint64_t count, uint64_t grain, uint64_t step) {
    const carom_team team = {.workers = workers};
    const carom_range own = carom_team_range(&team, worker, count, grain);
    carom_walk walk = carom_team_walk(&team, worker, count, grain);
    walk.step = step != 0 ? step : walk.step;
    uint64_t at = own.begin;
    while (carom_walk_next(&walk)) {
        assert_true(walk.begin == at && walk.begin < walk.end && walk.end <= own.end);
        assert_true(walk.begin % grain == 0 && walk.end - walk.begin <= (step != 0 ? step : CAROM_CONTROL_ITEMS));
        at = walk.end;
    }
    assert_true(at == own.end);
}

static void test_walks_tile_the_ranges(void **state) {
    (void)state;
    const uint64_t counts[] = {0, 1, 4095, 4096, CAROM_CONTROL_ITEMS, 10 * CAROM_CONTROL_ITEMS + 17};
    for (unsigned c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        for (uint32_t worker = 0; worker < 3; worker++) {
            check_walk(3, worker, counts[c], 64, 0);
            check_walk(3, worker, counts[c], 1024, 2048);
        }
        check_walk(1, 0, counts[c], 1, 0);
    }
}

/* What a host hears of a walk. */
typedef struct heard {
    uint64_t reports;
    uint64_t stop_at; /* the report that stops it, from 1; 0: none */
    double fraction;
} heard;

static int hear(void *user, const carom_progress *progress) {
    heard *h = user;
    assert_true(progress->size == sizeof *progress && progress->phase == CAROM_PHASE_GROUPS);
    assert_true(progress->fraction >= h->fraction && progress->fraction <= 1.0);
    h->fraction = progress->fraction;
    return ++h->reports == h->stop_at;
}

static uint64_t count_slices(const carom_team *team, uint64_t count, uint64_t step) {
    carom_walk walk = carom_team_walk_alone(team, count);
    uint64_t slices = 0;
    walk.step = step;
    while (carom_walk_next(&walk)) {
        slices++;
    }
    return slices;
}

/* Reports come once for so many items, however short the slices; a stop holds for all that comes after. */
static void test_walks_report_and_stop(void **state) {
    (void)state;
    enum { SLICES = 10, SHORT = 16 };
    heard h = {.stop_at = 0};
    carom_control control;
    carom_team team = {.workers = 1, .control = &control};
    carom_control_start(&control, NULL, hear, &h);
    carom_control_enter(&control, CAROM_PHASE_GROUPS);
    assert_int_equal(count_slices(&team, (uint64_t)SLICES * CAROM_CONTROL_ITEMS, CAROM_CONTROL_ITEMS), SLICES);
    assert_int_equal(h.reports, SLICES + 1);
    assert_int_equal(count_slices(&team, (uint64_t)SLICES * CAROM_CONTROL_ITEMS, CAROM_CONTROL_ITEMS / SHORT),
                     SLICES * SHORT);
    assert_int_equal(h.reports, 2 * (SLICES + 1));
    h.stop_at = h.reports + 4;
    assert_int_equal(count_slices(&team, (uint64_t)SLICES * CAROM_CONTROL_ITEMS, CAROM_CONTROL_ITEMS), 3);
    assert_true(carom_team_stopped(&team));
    assert_int_equal(count_slices(&team, 1, 1), 0);
    assert_int_equal(h.reports, h.stop_at);
}

/* The flag is seen before each slice, and what was seen stays. */
static void test_walks_see_the_flag(void **state) {
    (void)state;
    carom_cancel flag = {0};
    carom_control control;
    const carom_team team = {.workers = 1, .control = &control};
    carom_control_start(&control, &flag, NULL, NULL);
    carom_walk walk = carom_team_walk_alone(&team, 3 * (uint64_t)CAROM_CONTROL_ITEMS);
    assert_true(carom_walk_next(&walk) && carom_walk_next(&walk));
    carom_cancel_raise(&flag);
    assert_false(carom_team_stopped(&team));
    assert_false(carom_walk_next(&walk));
    carom_cancel_clear(&flag);
    assert_true(carom_team_stopped(&team) && carom_control_look(&control));
    carom_control_start(&control, &flag, NULL, NULL);
    assert_false(carom_control_look(&control));
}

enum { CLAIMS = 100000, CLAIMERS = 8 };

typedef struct claimed {
    _Atomic uint64_t next;
    _Atomic uint8_t times[CLAIMS];
} claimed;

static void claim_all(void *data, uint32_t worker) {
    (void)worker;
    claimed *c = data;
    for (uint64_t n = carom_team_claim(&c->next); n < CLAIMS; n = carom_team_claim(&c->next)) {
        atomic_fetch_add(&c->times[n], 1);
    }
}

static void test_claims_are_unique(void **state) {
    (void)state;
    static claimed c;
    carom_team team;
    carom_team_init(&team, CLAIMERS, NULL);
    carom_team_run(&team, claim_all, &c);
    for (int n = 0; n < CLAIMS; n++) {
        assert_int_equal(c.times[n], 1);
    }
    assert_true(c.next == CLAIMS + CLAIMERS);
}

int main(void) {
    alarm(10 * HANG_SECONDS);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_child_before_any_use),
        cmocka_unit_test(test_child_after_the_hosts_use),
        cmocka_unit_test(test_each_worker_once),
        cmocka_unit_test(test_child_after_use),
        cmocka_unit_test(test_default_threads),
        cmocka_unit_test(test_host_settings_untouched),
        cmocka_unit_test(test_inside_a_parallel_region),
        cmocka_unit_test(test_two_host_threads),
        cmocka_unit_test(test_executor),
        cmocka_unit_test(test_ranges_tile_the_items),
        cmocka_unit_test(test_walks_tile_the_ranges),
        cmocka_unit_test(test_walks_report_and_stop),
        cmocka_unit_test(test_walks_see_the_flag),
        cmocka_unit_test(test_claims_are_unique),
        cmocka_unit_test(test_many_workers),
    };
    return cmocka_run_group_tests_name("team", tests, NULL, NULL);
}
