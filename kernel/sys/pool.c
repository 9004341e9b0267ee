/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: stages of tasks, from any thread. Out: all their tasks done. This file has the library's only state of the whole
 * process, the threads that its calls share. All of it is static memory: a member that looks at a stage late finds it.
 */
#include "kernel/sys/pool.h"

#include <math.h>
#include <stddef.h>

#include "kernel/check/assert.h"
#include "kernel/sys/clock.h"
#include "kernel/sys/threads.h"

enum {
    STAGES = 64,        /* stages at once, a bit of a word for each; further callers work alone */
    STARTS = 48,        /* times that members are started */
    EXACT_STARTS = 16,  /* of them, those that start no more than are wanted; later ones add a quarter at least */
    WAKES = 2,          /* members that a thread with work to share wakes; each of them wakes as many */
    PATIENCE_LEAST = 2, /* see ask_fewer */
    PATIENCE_MOST = 32,
    PUNCTUAL = 64, /* stages in a row without a late member that halve the patience */
    LEVELS = 11    /* bits of CAROM_THREADS_MAX */
};

/* Members that a stage may ask for when none was late. */
static const uint32_t ALL = CAROM_THREADS_MAX - 1;

/* Seconds after which more are asked once more: as long as a program keeps a core. */
static const double MORE_AFTER = 5e-3;

/* What a member costs that was in the caller's way, in seconds. */
static const double IN_THE_WAY = 50e-6;

/* Seconds after a late member in which members do not move to other cores: those may be taken. */
static const double STAY_FOR = 1.0;

/* Seconds until threads are asked for again after the system refused them. */
static const double REFUSED_FOR = 1.0;

/* One for each power of two of members asked: a machine may have cores for seven and not for fifteen. */
typedef struct level {
    _Atomic double not_before; /* on the clock: a member was late */
    _Atomic uint32_t patience; /* fewer are asked for so many times what a late member cost */
    _Atomic uint32_t punctual; /* stages since the last late member */
} level;

static struct pool {
    carom_stage stage[STAGES];
    _Atomic uint64_t claimed[STAGES][CAROM_THREADS_MAX];
    alignas(CAROM_STAGE_LINE) _Atomic uint64_t taken;   /* a bit for each stage that belongs to a caller */
    alignas(CAROM_STAGE_LINE) _Atomic uint64_t open;    /* a bit for each stage that may have tasks to claim */
    alignas(CAROM_STAGE_LINE) _Atomic uint32_t polling; /* members that look for work */
    _Atomic uint32_t asleep;                            /* members that sleep until there is work */
    _Atomic uint32_t resting;                           /* members that sleep until more are asked */
    alignas(CAROM_STAGE_LINE) _Atomic uint32_t most;    /* members with numbers below this are asked */
    _Atomic double more_after;                          /* on the clock; before it, no more are asked */
    alignas(CAROM_STAGE_LINE) level level[LEVELS];
    _Atomic double stay_until;  /* on the clock; before it, members do not move to other cores */
    _Atomic double start_after; /* on the clock; before it, no member is started */
    _Atomic uint32_t members;   /* threads asked for */
    _Atomic uint32_t arrived;   /* members that have taken a number */
    atomic_bool ended;          /* members leave, and callers work alone */
    alignas(CAROM_STAGE_LINE) _Atomic uint32_t spins_most;
    _Atomic uint64_t helped;
    _Atomic uint64_t late;
    _Atomic uint64_t alone;
    pthread_mutex_t lock; /* of going to sleep, and of starting members */
    pthread_cond_t work;
    pthread_cond_t more; /* signalled when `most` grows */
    uint32_t starts;
    carom_threads threads[STARTS];
} pool;

typedef struct member {
    uint32_t number;   /* from 0; members begin with different tasks */
    uint32_t spins;    /* polls since it last ran a task or slept */
    double idle_since; /* on the clock */
    carom_core_meter meter;
    uint64_t seen[STAGES]; /* for each stage, the last ticket that it has helped with */
} member;

static uint64_t bit_of(uint32_t s) {
    return UINT64_C(1) << s;
}

/* Finds an open stage that the member has not helped with yet. */
static bool find_stage(const member *m, uint32_t *stage) {
    for (uint64_t open = atomic_load(&pool.open); open != 0; open &= open - 1) {
        const uint32_t s = (uint32_t)__builtin_ctzll(open);
        if (atomic_load_explicit(&pool.stage[s].ticket, memory_order_relaxed) != m->seen[s]) {
            *stage = s;
            return true;
        }
    }
    return false;
}

/* Wakes members for `wanted` tasks, as far as those that poll are too few; returns whether it woke any. */
static bool call_members(uint32_t wanted) {
    const uint32_t polling = atomic_load(&pool.polling);
    const uint32_t asleep = atomic_load(&pool.asleep);
    uint32_t calls = wanted > polling ? wanted - polling : 0;
    calls = calls < asleep ? calls : asleep;
    calls = calls < WAKES ? calls : WAKES;
    if (calls > 0) {
        pthread_mutex_lock(&pool.lock);
        for (uint32_t n = 0; n < calls; n++) {
            pthread_cond_signal(&pool.work);
        }
        pthread_mutex_unlock(&pool.lock);
    }
    return calls > 0;
}

static level *level_of(uint32_t asked) {
    uint32_t bits = 0;
    while (asked >> bits != 0) {
        bits++;
    }
    return &pool.level[bits];
}

static uint32_t lesser(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* A late member of a stage that asked `asked` has cost so many seconds. Stages ask half as many for some time, for
 * another program may keep one core of many. If members are late again as soon as so many are asked again, there are no
 * cores for them: then it is longer, so that waits cost at most a thirtieth of the time. One that is late now and then
 * on quiet cores costs little more than its delay. Where a stage asked all members, those that are not asked any more
 * rest; a stage that asked fewer says nothing of larger ones. */
static void ask_fewer(uint32_t asked, double seconds) {
    level *l = level_of(asked);
    const uint32_t patience = atomic_load(&l->patience);
    const double until = carom_clock_seconds() + patience * seconds;
    const uint32_t fewer = lesser(asked, atomic_load(&pool.members)) / 2;
    double before = atomic_load(&l->not_before);
    uint32_t most = atomic_load(&pool.most);
    while (before < until && !atomic_compare_exchange_weak(&l->not_before, &before, until)) {
    }
    while (most > fewer && asked >= lesser(most, atomic_load(&pool.members)) &&
           !atomic_compare_exchange_weak(&pool.most, &most, fewer)) {
    }
    atomic_store(&l->patience, 2 * patience < PATIENCE_MOST ? 2 * patience : PATIENCE_MOST);
    atomic_store(&l->punctual, 0);
}

static void call_more(void) {
    pthread_mutex_lock(&pool.lock);
    pthread_cond_broadcast(&pool.more);
    pthread_mutex_unlock(&pool.lock);
}

/* Where fewer members than there are tasks for are asked, twice as many and one may be asked again. */
static void ask_more(uint32_t all, double now) {
    uint32_t most = atomic_load(&pool.most);
    const uint32_t more = lesser(2 * most + 1, ALL);
    if (most < all && now >= atomic_load(&pool.more_after) &&
        now >= atomic_load(&level_of(lesser(more, all))->not_before) &&
        atomic_compare_exchange_strong(&pool.most, &most, more)) {
        atomic_store(&pool.more_after, now + MORE_AFTER);
        call_more();
    }
}

/* Members that a stage of so many tasks asks: no number of which one was late not long before. */
static uint32_t members_to_ask(uint32_t tasks, double now) {
    CAROM_ASSERT(tasks >= 1 && tasks <= CAROM_THREADS_MAX);
    ask_more(tasks - 1, now);
    uint32_t asked = lesser(atomic_load(&pool.most), tasks - 1);
    while (asked > 0 && now < atomic_load(&level_of(asked)->not_before)) {
        asked /= 2;
    }
    return asked;
}

static void note_punctual(uint32_t asked) {
    level *l = level_of(asked);
    if (atomic_fetch_add_explicit(&l->punctual, 1, memory_order_relaxed) + 1 >= PUNCTUAL) {
        const uint32_t patience = atomic_load(&l->patience) / 2;
        atomic_store(&l->patience, patience > PATIENCE_LEAST ? patience : PATIENCE_LEAST);
        atomic_store(&l->punctual, 0);
    }
}

/* The system woke the member on the core that the caller computes on, where each takes the time of the other. */
static bool is_in_the_way(const carom_stage *stage) {
    const int core = carom_threads_core();
    return core >= 0 && core == atomic_load_explicit(&stage->core, memory_order_relaxed);
}

static void begin_idle(member *m) {
    carom_core_meter_start(&m->meter);
    m->idle_since = m->meter.since;
}

/* Systems may wake a thread on the core that it last had, though that is the caller's and another is idle. So the
 * member moves, unless one was late not long before: then all cores may be taken. */
static bool step_aside(member *m, const carom_stage *stage) {
    const bool moved = carom_clock_seconds() >= atomic_load(&pool.stay_until) &&
                       carom_threads_leave_core(atomic_load_explicit(&stage->core, memory_order_relaxed)) &&
                       !is_in_the_way(stage);
    begin_idle(m);
    return moved;
}

static void leave_alone(member *m, carom_stage *stage) {
    m->spins = CAROM_STAGE_SPINS;
    atomic_store_explicit(&stage->in_the_way, true, memory_order_relaxed);
}

/* Member n begins with task n + 1, in every stage: there it finds in its core's cache what it left. */
static void help(member *m, uint32_t s) {
    carom_stage *stage = &pool.stage[s];
    const uint64_t ticket = atomic_load_explicit(&stage->ticket, memory_order_acquire);
    m->seen[s] = ticket;
    if (is_in_the_way(stage) && !step_aside(m, stage)) {
        leave_alone(m, stage);
        return;
    }
    const uint32_t unclaimed = carom_stage_unclaimed(stage, ticket);
    const uint32_t asked = atomic_load_explicit(&stage->asked, memory_order_relaxed);
    if (unclaimed > 1 && asked > 1) {
        call_members(lesser(unclaimed, asked) - 1);
    }
    if (carom_stage_help(stage, ticket, m->number + 1, &m->meter) > 0) {
        m->spins = 0;
        begin_idle(m);
    }
}

static bool is_asked(const member *m) {
    return m->number < atomic_load_explicit(&pool.most, memory_order_relaxed);
}

/* Returns false if there was no work for as long as a member may poll, or it is asked no longer. */
static bool poll_for_work(member *m, uint32_t *stage) {
    bool found = false;
    atomic_fetch_add(&pool.polling, 1);
    while (is_asked(m) && !(found = find_stage(m, stage)) && !carom_stage_is_tired(m->spins, m->idle_since)) {
        m->spins++;
        carom_stage_pause();
    }
    atomic_fetch_sub(&pool.polling, 1);
    return found;
}

static void note_most(_Atomic uint32_t *most, uint32_t value) {
    uint32_t before = atomic_load_explicit(most, memory_order_relaxed);
    while (before < value && !atomic_compare_exchange_weak(most, &before, value)) {
    }
}

/* Either the member sees an open stage here, or the caller that opens one sees that the member sleeps. One that is no
 * longer asked leaves what woke it to another. */
static void sleep_until_work(member *m) {
    uint32_t stage;
    note_most(&pool.spins_most, m->spins);
    m->spins = 0;
    pthread_mutex_lock(&pool.lock);
    atomic_fetch_add(&pool.asleep, 1);
    while (!atomic_load(&pool.ended) && is_asked(m) && !find_stage(m, &stage)) {
        pthread_cond_wait(&pool.work, &pool.lock);
    }
    atomic_fetch_sub(&pool.asleep, 1);
    if (!is_asked(m)) {
        pthread_cond_signal(&pool.work);
    }
    pthread_mutex_unlock(&pool.lock);
    begin_idle(m);
}

/* A member that polled, or woke for a stage, would take a core from those that are asked. */
static void rest_until_asked(member *m) {
    pthread_mutex_lock(&pool.lock);
    atomic_fetch_add(&pool.resting, 1);
    while (!atomic_load(&pool.ended) && !is_asked(m)) {
        pthread_cond_wait(&pool.more, &pool.lock);
    }
    atomic_fetch_sub(&pool.resting, 1);
    pthread_mutex_unlock(&pool.lock);
    m->spins = 0;
    begin_idle(m);
}

static void serve(void *data) {
    (void)data;
    member m = {.number = atomic_fetch_add(&pool.arrived, 1)};
    begin_idle(&m);
    while (!atomic_load(&pool.ended)) {
        uint32_t stage;
        if (!is_asked(&m)) {
            rest_until_asked(&m);
        } else if (poll_for_work(&m, &stage)) {
            help(&m, stage);
        } else if (is_asked(&m)) {
            sleep_until_work(&m);
        }
    }
}

/* A program that asks for more threads again and again gets more at a time. */
static uint32_t members_to_start(uint32_t wanted) {
    const uint32_t members = atomic_load(&pool.members);
    const uint32_t more = pool.starts < EXACT_STARTS ? 1 : members / 4;
    const uint32_t most = CAROM_THREADS_MAX - 1;
    const uint32_t count = wanted > members + more ? wanted : members + more;
    return (count < most ? count : most) - members;
}

static void start_members(uint32_t wanted, double now) {
    pthread_mutex_lock(&pool.lock);
    if (atomic_load(&pool.members) < wanted && pool.starts < STARTS && !atomic_load(&pool.ended)) {
        carom_threads *threads = &pool.threads[pool.starts];
        *threads = (carom_threads){.count = members_to_start(wanted), .body = serve};
        if (carom_threads_start(threads)) {
            pool.starts++;
            atomic_fetch_add(&pool.members, threads->count);
        } else {
            atomic_store(&pool.start_after, now + REFUSED_FOR);
        }
    }
    pthread_mutex_unlock(&pool.lock);
}

/* Takes the first stage that is free: its memory was used last. */
static carom_stage *take_stage(void) {
    uint64_t taken = atomic_load_explicit(&pool.taken, memory_order_relaxed);
    while (taken != UINT64_MAX) {
        const uint32_t s = (uint32_t)__builtin_ctzll(~taken);
        if (atomic_compare_exchange_weak_explicit(&pool.taken, &taken, taken | bit_of(s), memory_order_acquire,
                                                  memory_order_relaxed)) {
            return &pool.stage[s];
        }
    }
    return NULL;
}

static void run_alone(uint32_t tasks, carom_stage_task *task, void *data) {
    atomic_fetch_add_explicit(&pool.alone, tasks > 1 ? 1 : 0, memory_order_relaxed);
    for (uint32_t n = 0; n < tasks; n++) {
        task(data, n);
    }
}

/* What remains is with members. One that runs is done soon; one that lost its core is not. The stage was late by
 * the time for which that one was without, but at most by what the caller waited beyond the time that half as many
 * members would have taken: it ran `own` of the `tasks` itself. */
static void wait_for_members(carom_stage *stage, uint64_t ticket, double begun, uint32_t tasks, uint32_t own) {
    const uint32_t asked = atomic_load_explicit(&stage->asked, memory_order_relaxed);
    const double worked = carom_clock_seconds() - begun;
    if (carom_stage_spin(stage, ticket)) {
        note_punctual(asked);
        return;
    }
    carom_stage_await(stage, ticket);
    const double with_fewer = worked * tasks / ((double)own * (1.0 + asked / 2));
    const double late = fmin(carom_clock_seconds() - begun - with_fewer, atomic_load(&stage->lost));
    if (late > CAROM_STAGE_LATE) {
        ask_fewer(asked, late);
        atomic_store(&pool.stay_until, carom_clock_seconds() + STAY_FOR);
        atomic_fetch_add_explicit(&pool.late, 1, memory_order_relaxed);
    } else {
        note_punctual(asked);
    }
}

/* A caller that took long to wake members lost its core meanwhile. */
static void share(uint32_t asked) {
    const double begun = carom_clock_seconds();
    if (call_members(asked)) {
        const double lost = carom_clock_seconds() - begun;
        if (lost > CAROM_STAGE_LATE) {
            ask_fewer(asked, lost);
        }
    }
}

static void run_shared(carom_stage *stage, uint32_t tasks, uint32_t asked, carom_stage_task *task, void *data,
                       double begun) {
    const uint64_t bit = bit_of((uint32_t)(stage - pool.stage));
    atomic_store_explicit(&stage->core, carom_threads_core(), memory_order_relaxed);
    const uint64_t ticket = carom_stage_publish(stage, tasks, asked, task, data);
    atomic_fetch_or(&pool.open, bit);
    share(asked);
    const uint32_t own = carom_stage_help(stage, ticket, 0, NULL);
    atomic_fetch_and(&pool.open, ~bit);
    if (own < tasks) {
        atomic_fetch_add_explicit(&pool.helped, tasks - own, memory_order_relaxed);
        wait_for_members(stage, ticket, begun, tasks, own > 0 ? own : 1);
    } else if (atomic_load_explicit(&stage->in_the_way, memory_order_relaxed)) {
        ask_fewer(asked, IN_THE_WAY); /* they were woken for nothing */
    }
    atomic_fetch_and_explicit(&pool.taken, ~bit, memory_order_release);
}

static void forget_late_members(void) {
    atomic_store(&pool.most, ALL);
    atomic_store(&pool.more_after, 0.0);
    atomic_store(&pool.stay_until, 0.0);
    for (int n = 0; n < LEVELS; n++) {
        atomic_store(&pool.level[n].not_before, 0.0);
        atomic_store(&pool.level[n].patience, PATIENCE_LEAST);
        atomic_store(&pool.level[n].punctual, 0);
    }
}

/* A forked child has no members, and no stage but those that it publishes. */
static void empty_pool(void) {
    for (uint32_t s = 0; s < STAGES; s++) {
        carom_stage_init(&pool.stage[s], pool.claimed[s]);
    }
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.work, NULL);
    pthread_cond_init(&pool.more, NULL);
    atomic_store(&pool.taken, 0);
    atomic_store(&pool.open, 0);
    atomic_store(&pool.polling, 0);
    atomic_store(&pool.asleep, 0);
    atomic_store(&pool.resting, 0);
    atomic_store(&pool.members, 0);
    atomic_store(&pool.arrived, 0);
    forget_late_members();
    pool.starts = 0;
}

/* A fork in the middle of a start would copy locks of the runtime's that nobody in the child releases. */
static void before_fork(void) {
    pthread_mutex_lock(&pool.lock);
    for (uint32_t n = 0; n < pool.starts; n++) {
        carom_threads_settle(&pool.threads[n]);
    }
}

static void after_fork(void) {
    pthread_mutex_unlock(&pool.lock);
}

static void make_pool(void) {
    empty_pool();
    pthread_atfork(before_fork, after_fork, empty_pool);
}

/* When the process ends or the library is unloaded. Threads in the middle of a call are left as they are. */
__attribute__((destructor)) static void end_pool(void) {
    atomic_store(&pool.ended, true);
    if (atomic_load(&pool.taken) != 0) {
        return;
    }
    pthread_mutex_lock(&pool.lock);
    const uint32_t starts = pool.starts;
    pthread_cond_broadcast(&pool.work);
    pthread_cond_broadcast(&pool.more);
    pthread_mutex_unlock(&pool.lock);
    for (uint32_t n = 0; n < starts; n++) {
        carom_threads_join(&pool.threads[n]);
    }
}

void carom_pool_run(uint32_t tasks, carom_stage_task *task, void *data) {
    static pthread_once_t made = PTHREAD_ONCE_INIT;
    pthread_once(&made, make_pool);
    const double now = carom_clock_seconds();
    const uint32_t asked = atomic_load(&pool.ended) ? 0 : members_to_ask(tasks, now);
    carom_stage *stage = asked == 0 ? NULL : take_stage();
    if (stage == NULL) {
        run_alone(tasks, task, data);
        return;
    }
    if (atomic_load(&pool.members) < asked && now >= atomic_load(&pool.start_after)) {
        start_members(asked, now);
    }
    run_shared(stage, tasks, asked, task, data, now);
}

carom_pool_counts carom_pool_count(void) {
    return (carom_pool_counts){
        .members = atomic_load(&pool.members),
        .asleep = atomic_load(&pool.asleep) + atomic_load(&pool.resting),
        .resting = atomic_load(&pool.resting),
        .spins_most = atomic_load(&pool.spins_most),
        .starts = pool.starts,
        .helped = atomic_load(&pool.helped),
        .late = atomic_load(&pool.late),
        .alone = atomic_load(&pool.alone),
        .asked_most = atomic_load(&pool.most),
    };
}

void carom_pool_forget(void) {
    forget_late_members();
    call_more();
}
