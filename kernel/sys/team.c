/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: what each worker does. Out: done, on the threads of the pool or of the host's executor. */
#include "kernel/sys/team.h"

#include <stdatomic.h>
#include <stddef.h>

#include "kernel/check/assert.h"
#include "kernel/sys/arithmetic.h"
#include "kernel/sys/pool.h"
#include "kernel/sys/threads.h"

void carom_team_init(carom_team *team, uint32_t threads, const carom_executor *executor) {
    const uint32_t wanted = threads != 0 ? threads : carom_threads_allowed();
    team->workers = wanted < CAROM_THREADS_MAX ? wanted : CAROM_THREADS_MAX;
    team->each = 0;
    team->control = NULL;
    team->executor = executor != NULL ? *executor : (carom_executor){.user = NULL, .parallel_for = NULL};
}

typedef struct plain_task {
    carom_team_task *task;
    void *data;
} plain_task;

/* The host may have set a thread to another rounding or to flushing. */
static void run_plainly(void *start, uint32_t worker) {
    const plain_task *plain = start;
    const carom_arithmetic before = carom_arithmetic_enter();
    plain->task(plain->data, worker);
    carom_arithmetic_leave(before);
}

void carom_team_run(const carom_team *team, carom_team_task *task, void *data) {
    CAROM_ASSERT(team->workers >= 1 && team->workers <= CAROM_THREADS_MAX);
    plain_task plain = {task, data};
    carom_control_begin(team->control);
    if (team->workers == 1) {
        run_plainly(&plain, 0);
    } else if (team->executor.parallel_for != NULL) {
        team->executor.parallel_for(team->executor.user, team->workers, run_plainly, &plain);
    } else {
        carom_pool_run(team->workers, run_plainly, &plain);
    }
}

void carom_team_run_alone(const carom_team *team, carom_team_task *task, void *data) {
    CAROM_ASSERT(team->workers >= 1 && team->workers <= CAROM_THREADS_MAX);
    plain_task plain = {task, data};
    carom_control_begin(team->control);
    for (uint32_t worker = 0; worker < team->workers; worker++) {
        run_plainly(&plain, worker);
    }
}

void carom_team_run_over(const carom_team *team, uint64_t items, carom_team_task *task, void *data) {
    if (items / 2 < team->each) {
        carom_team_run_alone(team, task, data);
    } else {
        carom_team_run(team, task, data);
    }
}

carom_range carom_team_range(const carom_team *team, uint32_t worker, uint64_t count, uint64_t grain) {
    CAROM_ASSERT(worker < team->workers && grain >= 1);
    const uint64_t grains = count / grain + (count % grain != 0);
    const uint64_t each = grains / team->workers;
    const uint64_t extra = grains % team->workers; /* the first `extra` workers take one grain more */
    const uint64_t first = worker * each + (worker < extra ? worker : extra);
    const uint64_t last = first + each + (worker < extra);
    return (carom_range){first < grains ? first * grain : count, last < grains ? last * grain : count};
}

carom_walk carom_team_walk(const carom_team *team, uint32_t worker, uint64_t count, uint64_t grain) {
    CAROM_ASSERT(CAROM_CONTROL_ITEMS % grain == 0);
    const carom_range own = carom_team_range(team, worker, count, grain);
    return (carom_walk){own.begin, own.begin, own.end, own.begin, count, CAROM_CONTROL_ITEMS, team->control};
}

carom_walk carom_team_walk_alone(const carom_team *team, uint64_t count) {
    carom_control_begin(team->control);
    return (carom_walk){0, 0, count, 0, count, CAROM_CONTROL_ITEMS, team->control};
}

/* Small slices are noted together. */
static bool must_stop(carom_walk *walk) {
    const uint64_t walked = walk->end - walk->noted;
    if (walked == 0 || (walked < CAROM_CONTROL_ITEMS && walk->end < walk->last)) {
        return carom_control_look(walk->control);
    }
    walk->noted = walk->end;
    return carom_control_note(walk->control, walked, walk->count);
}

bool carom_walk_next(carom_walk *walk) {
    if (must_stop(walk)) {
        return false;
    }
    const uint64_t left = walk->last - walk->end;
    walk->begin = walk->end;
    walk->end += left < walk->step ? left : walk->step;
    return walk->begin < walk->end;
}

/* Relaxed: what a task reads was written before the parallel stage began. */
uint64_t carom_team_claim(_Atomic uint64_t *next) {
    return atomic_fetch_add_explicit(next, 1, memory_order_relaxed);
}
