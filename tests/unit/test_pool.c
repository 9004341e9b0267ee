/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The pool: what its members may delay, when they are late or sleep, where they go, how many there are, in a forked
 * child and where the system gives no threads. What would hang here is cut short by an alarm; no time is measured. */
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <carom/carom.h>

#include "kernel/sys/clock.h"
#include "kernel/sys/pool.h"
#include "kernel/sys/threads.h"
#include "tests/support/check.h"
#include "tests/support/settled_fork.h"

enum { HANG_SECONDS = 60, MEMBERS = 3, CONTEXTS = 10000, BODIES = 20000, FIRST_USER = 20000, USERS = 40000 };

typedef struct runs {
    _Atomic uint32_t of[CAROM_THREADS_MAX];
} runs;

static void note_run(void *data, uint32_t task) {
    runs *r = data;
    atomic_fetch_add(&r->of[task], 1);
}

/* Not an assertion: also used in threads and children, where cmocka's do not work. */
static bool runs_each_once(uint32_t tasks) {
    static _Thread_local runs r;
    memset(&r, 0, sizeof r);
    carom_pool_run(tasks, note_run, &r);
    bool right = true;
    for (uint32_t task = 0; task < CAROM_THREADS_MAX; task++) {
        right = right && r.of[task] == (task < tasks);
    }
    return right;
}

static void nap(void) {
    usleep(1000);
}

static void await_sleep(void) {
    while (carom_pool_count().asleep < carom_pool_count().members) {
        nap();
    }
}

/* The kernel's own count: a listing of /proc/self/task misses threads while others leave. */
static int threads_of_process(void) {
    FILE *status = fopen("/proc/self/status", "r");
    char line[256];
    int count = -1;
    while (status != NULL && fgets(line, sizeof line, status) != NULL && sscanf(line, "Threads: %d", &count) != 1) {
    }
    if (status != NULL) {
        fclose(status);
    }
    return count;
}

typedef struct stall {
    sem_t entered;
    sem_t leave;
    pthread_t caller;
    atomic_bool stop;
} stall;

/* Members stay inside until they are told to leave, the caller does not. */
static void stall_members(void *data, uint32_t task) {
    (void)task;
    stall *s = data;
    if (!pthread_equal(pthread_self(), s->caller)) {
        sem_post(&s->entered);
        sem_wait(&s->leave);
    } else {
        nap(); /* gives members time to come */
    }
}

static void *call_until_stalled(void *data) {
    stall *s = data;
    s->caller = pthread_self();
    while (!atomic_load(&s->stop)) {
        carom_pool_forget();
        carom_pool_run(MEMBERS + 1, stall_members, s);
    }
    return NULL;
}

/* Members are kept inside tasks of one call. Other calls, which they hold no task of, go on without them. */
static void test_stalled_members_delay_no_other_call(void **state) {
    (void)state;
    stall s = {.stop = false};
    sem_init(&s.entered, 0, 0);
    sem_init(&s.leave, 0, 0);
    pthread_t host;
    assert_int_equal(pthread_create(&host, NULL, call_until_stalled, &s), 0);
    sem_wait(&s.entered);
    for (uint32_t n = 0; n < 500; n++) {
        carom_pool_forget();
        assert_true(runs_each_once(2 + n % MEMBERS));
    }
    assert_int_equal(carom_pool_count().members, MEMBERS);
    atomic_store(&s.stop, true);
    for (int tasks = 0; tasks < MEMBERS + 1; tasks++) { /* members have them all where the caller gets no core */
        sem_post(&s.leave);
    }
    pthread_join(host, NULL);
}

/* Members that find no work poll so many times and no more, and then they sleep. */
static void test_members_sleep(void **state) {
    (void)state;
    for (int n = 0; n < 20; n++) {
        assert_true(runs_each_once(MEMBERS + 1));
        await_sleep();
    }
    const carom_pool_counts counts = carom_pool_count();
    assert_int_equal(counts.asleep, MEMBERS);
    assert_in_range(counts.spins_most, 1, CAROM_STAGE_SPINS);
}

/* A task that the caller does little of, and a member much: in seconds. */
static const double LITTLE = 500e-6;
static const double MUCH = 3e-3;

typedef struct long_help {
    pthread_t caller;
    bool sleeps; /* the member, rather than that it computes */
    bool little; /* the caller did no more */
    atomic_bool entered;
} long_help;

static void help_long(void *data, uint32_t task) {
    (void)task;
    long_help *help = data;
    const bool calls = pthread_equal(pthread_self(), help->caller);
    const double begun = carom_clock_seconds();
    if (!calls) {
        atomic_store(&help->entered, true);
    }
    if (!calls && help->sleeps) {
        usleep((useconds_t)(1e6 * MUCH));
    }
    while (carom_clock_seconds() - begun < (calls ? LITTLE : MUCH) && !(calls && atomic_load(&help->entered))) {
    }
    if (calls) {
        help->little = carom_clock_seconds() - begun < 2 * LITTLE;
    }
}

/* Repeats a stage until a member has helped and was late or not, as wanted. A member may lose its core now and then, so
 * each of `tries` that helped may be another. */
static bool member_was(bool late, bool sleeps, uint32_t tasks) {
    for (int tries = 200; tries > 0;) {
        long_help help = {.caller = pthread_self(), .sleeps = sleeps};
        const carom_pool_counts before = carom_pool_count();
        carom_pool_forget();
        carom_pool_run(tasks, help_long, &help);
        const carom_pool_counts after = carom_pool_count();
        const bool helped = help.entered && help.little;
        if (helped && (after.late > before.late) == late) {
            return true;
        }
        tries -= helped;
    }
    return false;
}

/* A member is late that was without a core. One that had more to do than the caller is not. */
static void test_lateness(void **state) {
    (void)state;
    if (carom_threads_allowed() < 2) {
        skip(); /* members leave the only core to the caller */
    }
    assert_true(member_was(true, true, 2));
    assert_true(member_was(false, false, 2));
}

typedef struct helpers {
    pthread_t caller;
    pthread_t thread[MEMBERS + 1];
    _Atomic uint32_t tasks;
} helpers;

static void note_helper(void *data, uint32_t task) {
    (void)task;
    helpers *h = data;
    h->thread[atomic_fetch_add(&h->tasks, 1)] = pthread_self();
    nap(); /* others may come */
}

/* Members that help with a stage. */
static uint32_t count_helpers(void) {
    helpers h = {.caller = pthread_self()};
    uint32_t count = 0;
    carom_pool_run(MEMBERS + 1, note_helper, &h);
    for (uint32_t n = 0; n <= MEMBERS; n++) {
        bool counts = !pthread_equal(h.thread[n], h.caller);
        for (uint32_t before = 0; before < n; before++) {
            counts = counts && !pthread_equal(h.thread[n], h.thread[before]);
        }
        count += counts;
    }
    return count;
}

/* Makes a member late in a stage that asks all, and counts who helps with the next one; CAROM_THREADS_MAX if other
 * stages were late meanwhile, or it has been too long. */
static uint32_t helpers_after_a_late_one(uint32_t *halved) {
    assert_true(member_was(true, true, MEMBERS + 1));
    const bool half = carom_pool_count().asked_most == MEMBERS / 2;
    *halved += half;
    const uint32_t helping = count_helpers();
    return half && carom_pool_count().asked_most == MEMBERS / 2 ? helping : CAROM_THREADS_MAX;
}

/* Where a member was late, stages ask half as many; a member may have looked at a stage before the late one was known.
 * On a busy machine few come in time, or none. */
static void test_fewer_after_a_late_one(void **state) {
    (void)state;
    enum { TRIES = 400, ENOUGH = 20 };
    if (carom_threads_allowed() < 2) {
        skip();
    }
    uint32_t halved = 0;
    uint32_t half = 0;
    uint32_t more = 0;
    for (int n = 0; n < TRIES && half < ENOUGH && more < ENOUGH; n++) {
        const uint32_t helping = helpers_after_a_late_one(&halved);
        half += helping == MEMBERS / 2;
        more += helping > MEMBERS / 2 && helping < CAROM_THREADS_MAX;
    }
    assert_true(halved > 0 && more <= half / 4 + 1);
    if (half == 0) {
        skip();
    }
}

/* Whether a member rests that is not asked, after a late one. */
static bool one_rests(void) {
    assert_true(member_was(true, true, MEMBERS + 1));
    for (int n = 0; n < 100 && carom_pool_count().resting == 0 && carom_pool_count().asked_most <= MEMBERS / 2; n++) {
        assert_true(runs_each_once(MEMBERS + 1));
    }
    return carom_pool_count().resting > 0;
}

/* Later all are asked again, and those who rested come. */
static void test_rest_ends(void **state) {
    (void)state;
    if (carom_threads_allowed() < 2) {
        skip();
    }
    bool rests = false;
    bool come = false;
    for (int n = 0; n < 100 && !rests; n++) {
        rests = one_rests();
    }
    for (int n = 0; n < 2000 && !(come && carom_pool_count().resting == 0); n++) {
        come = count_helpers() > MEMBERS / 2;
    }
    assert_true(rests && come && carom_pool_count().resting == 0);
}

/* A stage that asks few says nothing of those that ask many. */
static void test_late_in_a_small_stage(void **state) {
    (void)state;
    if (carom_threads_allowed() < 2) {
        skip();
    }
    bool all = false;
    for (int n = 0; n < 20 && !all; n++) { /* a member may be in the way of the caller, too */
        assert_true(member_was(true, true, 2));
        all = carom_pool_count().asked_most > MEMBERS;
    }
    assert_true(all);
}

#ifdef __linux__

/* With the affinity of one core there is no other to go to. */
static bool stays_on_its_only_core(const cpu_set_t *before) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)carom_threads_core(), &one);
    const bool bound = sched_setaffinity(0, sizeof one, &one) == 0;
    const bool left = carom_threads_leave_core(carom_threads_core());
    return sched_setaffinity(0, sizeof *before, before) == 0 && bound && !left;
}

#endif

/* A thread that leaves its core may still be on all that it might be on before. */
static void test_leaving_a_core(void **state) {
    (void)state;
#ifdef __linux__
    cpu_set_t before;
    cpu_set_t after;
    if (sched_getaffinity(0, sizeof before, &before) != 0 || sched_setaffinity(0, sizeof before, &before) != 0) {
        skip(); /* more cores than a set holds, or not allowed */
    }
    bool left = CPU_COUNT(&before) == 1;
    for (int n = 0; n < 100 && !left; n++) {
        const int core = carom_threads_core();
        left = carom_threads_leave_core(core) && carom_threads_core() != core;
    }
    const bool told = sched_getaffinity(0, sizeof after, &after) == 0;
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0); /* whatever fails: later tests need it */
    assert_true(left && told && CPU_EQUAL(&before, &after));
    assert_true(stays_on_its_only_core(&before));
#endif
    assert_false(carom_threads_leave_core(-1));
}

typedef struct seen_masks {
    pthread_t caller;
    _Atomic uint32_t blocked; /* members that block signals */
    _Atomic uint32_t open;    /* members that do not */
} seen_masks;

static void see_mask(void *data, uint32_t task) {
    (void)task;
    seen_masks *seen = data;
    sigset_t set;
    pthread_sigmask(SIG_SETMASK, NULL, &set);
    if (pthread_equal(pthread_self(), seen->caller)) {
        nap();
    } else if (sigismember(&set, SIGTERM) == 1 && sigismember(&set, SIGUSR1) == 1) {
        atomic_fetch_add(&seen->blocked, 1);
    } else {
        atomic_fetch_add(&seen->open, 1);
    }
}

/* Members help, and no handler of the host's ever runs on a thread that the host does not know. */
static void test_members_help_and_block_signals(void **state) {
    (void)state;
    seen_masks seen = {.caller = pthread_self()};
    const uint64_t before = carom_pool_count().helped;
    while (seen.blocked + seen.open < 10) {
        carom_pool_forget();
        carom_pool_run(MEMBERS + 1, see_mask, &seen);
    }
    assert_int_equal(seen.open, 0);
    assert_int_equal(carom_pool_count().helped, before + seen.blocked);
}

static void run_within(void *data, uint32_t task) {
    (void)task;
    _Atomic uint32_t *right = data;
    atomic_fetch_add(right, runs_each_once(3));
}

static void test_runs_within_runs(void **state) {
    (void)state;
    _Atomic uint32_t right = 0;
    carom_pool_run(8, run_within, (void *)&right);
    assert_int_equal(right, 8);
}

/* More callers at once than the pool has room for. */
static void *run_often(void *data) {
    bool *right = data;
    *right = true;
    for (int n = 0; n < 50; n++) {
        *right = *right && runs_each_once(2 + (uint32_t)n % 3);
    }
    return NULL;
}

static void test_many_callers(void **state) {
    (void)state;
    enum { CALLERS = 100 };
    static bool right[CALLERS];
    static pthread_t id[CALLERS];
    for (int n = 0; n < CALLERS; n++) {
        assert_int_equal(pthread_create(&id[n], NULL, run_often, &right[n]), 0);
    }
    for (int n = 0; n < CALLERS; n++) {
        pthread_join(id[n], NULL);
        assert_true(right[n]);
    }
}

static bool detects(carom_context *context) {
    static float field[BODIES];
    for (int n = 0; n < BODIES; n++) {
        field[n] = (float)n;
    }
    const carom_bodies_f32 bodies = {
        .count = BODIES, .prev = {field, field, field}, .curr = {field, field, field}, .radius = field};
    carom_detect_config config = carom_detect_config_default();
    config.until = CAROM_UNTIL_BOUNDS;
    carom_detection_f32 found = {0};
    return carom_detect_f32(context, &bodies, &config, NULL, &found, NULL) == CAROM_OK;
}

/* Ten thousand contexts share the members there are. */
static void test_many_contexts(void **state) {
    (void)state;
    static carom_context *contexts[CONTEXTS];
    await_sleep(); /* all that were started have come */
    const uint64_t starts = carom_pool_count().starts;
    const int threads = threads_of_process();
    carom_context_config config = carom_context_config_default();
    config.threads = 2;
    for (int n = 0; n < CONTEXTS; n++) {
        assert_int_equal(carom_context_create(&config, &contexts[n], NULL), CAROM_OK);
        assert_true(n % 1000 != 0 || detects(contexts[n]));
    }
    assert_int_equal(carom_pool_count().starts, starts);
    assert_true(threads_of_process() <= threads); /* callers of the test before may still be leaving */
    for (int n = 0; n < CONTEXTS; n++) {
        carom_context_destroy(contexts[n]);
    }
}

static bool keeps_its_members(void) {
    bool right = carom_pool_count().members == 0;
    for (int n = 0; n < 200; n++) {
        carom_pool_forget();
        right = right && runs_each_once(MEMBERS + 1);
    }
    await_sleep();
    return right && carom_pool_count().starts == 1 && carom_pool_count().members == MEMBERS;
}

static bool keeps_its_members_as_does_its_child(void) {
    return keeps_its_members() && settled_fork_holds(keeps_its_members, HANG_SECONDS);
}

/* A forked child starts members once, and so does its own child. */
static void test_forked_children_keep_members(void **state) {
    (void)state;
#ifdef NO_THREADS_AFTER_FORK
    skip();
#endif
    assert_true(runs_each_once(MEMBERS + 1));
    for (int n = 0; n < 3; n++) {
        assert_true(settled_fork_holds(keeps_its_members_as_does_its_child, HANG_SECONDS));
        assert_true(runs_each_once(MEMBERS + 1));
    }
}

/* Leaves the process `more` threads. Root is above such limits, so it becomes a user who has no other process: threads
 * that have just ended count for a while. */
static bool limit_threads(rlim_t more) {
    const struct rlimit limit = {more + 1, more + 1};
    const uid_t user = FIRST_USER + (uid_t)getpid() % USERS;
    return (getuid() != 0 || setuid(user) == 0) && setrlimit(RLIMIT_NPROC, &limit) == 0;
}

static bool goes_on_without_threads(void) {
    bool right = limit_threads(0);
    for (int n = 0; n < 20; n++) {
        right = right && runs_each_once(MEMBERS + 1);
    }
    return right && carom_pool_count().members == 0 && threads_of_process() == 1;
}

/* The keeper and another one: too few for OpenMP, whose runtimes would end the process. */
static bool goes_on_with_few_threads(void) {
    bool right = limit_threads(2);
    for (int n = 0; n < 20; n++) {
        carom_pool_forget();
        right = right && runs_each_once(MEMBERS + 1);
    }
    return right;
}

/* Some of the threads that were tried, but not all: those beyond the number asked for leave. */
static bool serves_with_no_more_than_asked(void) {
    carom_pool_forget();
    const bool right = limit_threads(MEMBERS + 2) && runs_each_once(MEMBERS + 1);
    await_sleep();
    while (threads_of_process() > 1 + MEMBERS) { /* for ever, if more stay */
        nap();
    }
    return right && carom_pool_count().members == MEMBERS;
}

static void test_no_threads_to_be_had(void **state) {
    (void)state;
#ifdef NO_THREADS_AFTER_FORK
    skip();
#endif
    assert_true(settled_fork_holds(goes_on_without_threads, HANG_SECONDS));
    assert_true(settled_fork_holds(goes_on_with_few_threads, HANG_SECONDS));
    if (getuid() == 0) { /* another user's other processes count, too */
        assert_true(settled_fork_holds(serves_with_no_more_than_asked, HANG_SECONDS));
    }
}

static int start_pool(void **state) {
    (void)state;
    alarm(5 * HANG_SECONDS);
    return runs_each_once(MEMBERS + 1) ? 0 : 1;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stalled_members_delay_no_other_call),
        cmocka_unit_test(test_members_sleep),
        cmocka_unit_test(test_lateness),
        cmocka_unit_test(test_fewer_after_a_late_one),
        cmocka_unit_test(test_rest_ends),
        cmocka_unit_test(test_late_in_a_small_stage),
        cmocka_unit_test(test_leaving_a_core),
        cmocka_unit_test(test_members_help_and_block_signals),
        cmocka_unit_test(test_runs_within_runs),
        cmocka_unit_test(test_many_callers),
        cmocka_unit_test(test_many_contexts),
        cmocka_unit_test(test_forked_children_keep_members),
        cmocka_unit_test(test_no_threads_to_be_had),
    };
    return cmocka_run_group_tests_name("pool", tests, start_pool, NULL);
}
