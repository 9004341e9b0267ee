/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A world that is stepped in every way, each held against a sequential event queue: by a call with arrays on several
 * numbers of threads, and by steps inside that are cut into 1 to 32 windows. */
#ifndef CAROM_TESTS_QUEUE_TRIAL_H
#define CAROM_TESTS_QUEUE_TRIAL_H

#include "kernel/store/context.h"
#include "tests/support/event_queue.h"

enum { QUEUE_TRIAL_CONTEXTS = 4 };

extern const uint32_t queue_trial_threads[QUEUE_TRIAL_CONTEXTS];
extern carom_context *queue_trial_context[QUEUE_TRIAL_CONTEXTS];

/* The world when the next step begins, and when the last one has ended; and the impacts of that step. */
extern queue_world queue_trial_before;
extern queue_world queue_trial_after;
extern queue_event queue_trial_event[];

void queue_trial_open(void);
void queue_trial_close(void);

/* Makes `before` an empty world with a budget of impacts. */
void queue_trial_begin(uint32_t budget);

/* Steps `before` in every way, compares with the queue, and leaves the next step's beginning in it. `number` and `name`
 * are the case's. Returns how many bodies were held. */
uint64_t queue_trial_step(uint64_t number, const char *name);

#endif
