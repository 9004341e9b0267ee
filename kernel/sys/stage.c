/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: tasks. Out: each run once, by whoever claims it. */
#include "kernel/sys/stage.h"

#include <math.h>
#include <stddef.h>

#include "kernel/check/assert.h"

/* Of a ticket, the bits that hold the number of tasks; the number of the stage is above. */
enum { TASK_BITS = 16 };

/* Longest that a thread polls, in seconds, but for the polls between two looks at the clock. */
static const double SPIN_SECONDS = 80e-6;

static uint64_t ticket_number(uint64_t ticket) {
    return ticket >> TASK_BITS;
}

static uint32_t ticket_tasks(uint64_t ticket) {
    return (uint32_t)(ticket & ((UINT64_C(1) << TASK_BITS) - 1));
}

/* The number goes on: the words of the tasks hold lower ones. */
void carom_stage_init(carom_stage *stage, _Atomic uint64_t *claimed) {
    const uint64_t last = atomic_load_explicit(&stage->ticket, memory_order_relaxed);
    atomic_store_explicit(&stage->ticket, ticket_number(last) << TASK_BITS, memory_order_relaxed);
    atomic_store_explicit(&stage->awaited, false, memory_order_relaxed);
    stage->claimed = claimed;
    pthread_mutex_init(&stage->lock, NULL);
    pthread_cond_init(&stage->finished, NULL);
}

/* Whoever reads the ticket sees all that the owner wrote before, the data of the tasks included. */
uint64_t carom_stage_publish(carom_stage *stage, uint32_t tasks, uint32_t asked, carom_stage_task *task, void *data) {
    CAROM_ASSERT(tasks >= 1 && tasks <= CAROM_THREADS_MAX);
    const uint64_t last = atomic_load_explicit(&stage->ticket, memory_order_relaxed);
    CAROM_ASSERT(carom_stage_unclaimed(stage, last) == 0);
    const uint64_t ticket = (ticket_number(last) + 1) << TASK_BITS | tasks;
    stage->task = task;
    stage->data = data;
    atomic_store_explicit(&stage->asked, asked, memory_order_relaxed);
    atomic_store_explicit(&stage->in_the_way, false, memory_order_relaxed);
    atomic_store_explicit(&stage->done, 0, memory_order_relaxed);
    atomic_store_explicit(&stage->lost, 0.0, memory_order_relaxed);
    atomic_store(&stage->ticket, ticket);
    return ticket;
}

/* The word only grows. One that is not below the number was claimed in this stage or, if the number is old, later. */
static bool claim(carom_stage *stage, uint64_t number, uint32_t task) {
    uint64_t last = atomic_load_explicit(&stage->claimed[task], memory_order_relaxed);
    return last < number && atomic_compare_exchange_strong_explicit(&stage->claimed[task], &last, number,
                                                                    memory_order_acq_rel, memory_order_relaxed);
}

/* The share of a task's time that interrupts may take. */
static const double LOST_LEAST = 0.05;

/* The meter is slow, so it is read only after long tasks. */
static void note_lost(carom_stage *stage, double begun, carom_core_meter *meter) {
    const double took = carom_clock_seconds() - begun;
    const double lost = took > CAROM_STAGE_LATE ? fmin(carom_core_meter_lost(meter), took) : 0.0;
    double most = atomic_load_explicit(&stage->lost, memory_order_relaxed);
    while (lost > LOST_LEAST * took && lost > most && !atomic_compare_exchange_weak(&stage->lost, &most, lost)) {
    }
}

static void run_metered(carom_stage *stage, uint32_t task, carom_core_meter *meter) {
    const double begun = carom_clock_seconds();
    stage->task(stage->data, task);
    note_lost(stage, begun, meter);
}

/* Either the owner, about to sleep, sees that all are done, or the last thread sees that the owner sleeps. The owner
 * may publish anew as soon as the last task counts: a signal that comes late wakes it once too often. */
static void finish(carom_stage *stage, uint32_t tasks) {
    if (atomic_fetch_add(&stage->done, 1) + 1 == tasks && atomic_load(&stage->awaited)) {
        pthread_mutex_lock(&stage->lock);
        pthread_cond_signal(&stage->finished);
        pthread_mutex_unlock(&stage->lock);
    }
}

uint32_t carom_stage_help(carom_stage *stage, uint64_t ticket, uint32_t first, carom_core_meter *meter) {
    const uint32_t tasks = ticket_tasks(ticket);
    uint32_t helped = 0;
    for (uint32_t n = 0; n < tasks; n++) {
        const uint32_t task = (first + n) % tasks;
        if (claim(stage, ticket_number(ticket), task)) {
            if (meter != NULL) {
                run_metered(stage, task, meter);
            } else {
                stage->task(stage->data, task);
            }
            finish(stage, tasks);
            helped++;
        }
    }
    return helped;
}

uint32_t carom_stage_unclaimed(const carom_stage *stage, uint64_t ticket) {
    uint32_t unclaimed = 0;
    for (uint32_t task = 0; task < ticket_tasks(ticket); task++) {
        unclaimed += atomic_load_explicit(&stage->claimed[task], memory_order_relaxed) < ticket_number(ticket);
    }
    return unclaimed;
}

static bool all_done(carom_stage *stage, uint64_t ticket) {
    return atomic_load(&stage->done) == ticket_tasks(ticket);
}

bool carom_stage_is_tired(uint32_t spins, double begun) {
    return spins >= CAROM_STAGE_SPINS ||
           (spins % CAROM_STAGE_LOOKS == 0 && spins > 0 && carom_clock_seconds() - begun > SPIN_SECONDS);
}

bool carom_stage_spin(carom_stage *stage, uint64_t ticket) {
    const double begun = carom_clock_seconds();
    for (uint32_t spins = 0; !carom_stage_is_tired(spins, begun); spins++) {
        if (all_done(stage, ticket)) {
            return true;
        }
        carom_stage_pause();
    }
    return all_done(stage, ticket);
}

void carom_stage_await(carom_stage *stage, uint64_t ticket) {
    pthread_mutex_lock(&stage->lock);
    atomic_store(&stage->awaited, true);
    while (!all_done(stage, ticket)) {
        pthread_cond_wait(&stage->finished, &stage->lock);
    }
    atomic_store(&stage->awaited, false);
    pthread_mutex_unlock(&stage->lock);
}
