/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A queue's bodies as the library's steps take them, and what such a step made of them held against the queue's. */
#ifndef CAROM_TESTS_QUEUE_MIRROR_H
#define CAROM_TESTS_QUEUE_MIRROR_H

#include "kernel/impacts/step.h"
#include "kernel/scene/random.h"
#include "tests/support/event_queue.h"

/* Its bodies lie in the order of slots, which is not that of numbers. */
typedef struct queue_mirror {
    carom_impacts_bodies bodies;
    carom_piece piece[QUEUE_BODIES_MAX];
    carom_response_body body[QUEUE_BODIES_MAX];
    double kept[QUEUE_BODIES_MAX][3];
    uint32_t number[QUEUE_BODIES_MAX];
} queue_mirror;

/* Copies a queue's bodies into slots of a random order. Surfaces and box stay the queue's. */
void queue_mirror_make(queue_mirror *mirror, const queue_world *queue, carom_random *random);

/* The same once more, in the same order. */
void queue_mirror_renew(queue_mirror *mirror, const queue_world *queue);

/* What a step works with. */
typedef struct queue_stepper {
    carom_impacts_step *step;
    carom_memory *memory;
    carom_context *context;
} queue_stepper;

/* Steps both and compares them. `expected` is where the queue's on_event puts the step's impacts. */
void queue_mirror_step(queue_mirror *mirror, queue_world *queue, const queue_stepper *stepper,
                       const queue_event *expected);

/* The step's impacts are these, in this very order. */
void queue_mirror_check_events(const carom_impacts_step *step, const queue_event *expected, uint64_t count);

/* The bodies are at the end of the step where the queue's are, which has begun the next step already. */
void queue_mirror_check_bodies(const queue_mirror *mirror, const queue_world *queue);

#endif
