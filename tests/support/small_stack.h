/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Threads with small stacks of a known content, which tell how much of them a function used. */
#ifndef CAROM_TESTS_SMALL_STACK_H
#define CAROM_TESTS_SMALL_STACK_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/context.h"

/* Whether stacks are those of a release build: sanitizers, counters of coverage and builds without
 * optimisation need more. */
bool small_stack_counts(void);

/* The least that the C library allows for a thread, and no less than `bytes`. */
size_t small_stack_size(size_t bytes);

/* Calls function(data) on a thread with a stack of so many bytes, on which the C library puts what it needs, with a
 * page below that faults. Returns how many bytes of it lie between the caller's frame and the last one that was
 * written. */
size_t small_stack_run(size_t bytes, void (*function)(void *data), void *data);

/* An executor whose tasks run one after the other, each on such a thread. `user` is a small_stack_crew. */
typedef struct small_stack_crew {
    size_t bytes; /* of each stack */
    size_t used;  /* the most that a task used so far */
} small_stack_crew;

void small_stack_parallel_for(void *user, uint32_t count, carom_executor_task *task, void *task_data);

#endif
