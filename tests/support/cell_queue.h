/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Steps of many bodies by a plain sequential event queue (Alder and Wainwright 1959): bodies in cells, predicted
 * impacts in a heap, one impact after the other. It takes from the library only the functions that predict an impact
 * and respond to it, so it must give what carom_step_f64 gives, bit for bit. Where event_queue.h defines what a step
 * does, this one does the same in O((bodies + impacts) log bodies), if density is bounded. */
#ifndef CAROM_TESTS_CELL_QUEUE_H
#define CAROM_TESTS_CELL_QUEUE_H

#include "carom/step.h"

typedef struct cell_queue cell_queue;
struct queue_event; /* event_queue.h */

cell_queue *cell_queue_create(void);

/* Moves bodies of mass 1 through a step of length 1, without loss, in open space. Arrays are packed, radii given.
 * Memory is kept from step to step. */
void cell_queue_step(cell_queue *queue, const carom_motion_f64 *motion);

/* Lets a function see each impact of the next steps, in their order; NULL: none. */
void cell_queue_listen(cell_queue *queue, void (*on_event)(void *user, const struct queue_event *event), void *user);

/* Impacts of the last step. */
uint64_t cell_queue_impacts(const cell_queue *queue);

void cell_queue_destroy(cell_queue *queue);

#endif
