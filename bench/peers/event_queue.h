/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Steps by a plain sequential event queue (Alder and Wainwright 1959): bodies in cells, predicted impacts in a heap,
 * one impact after the other. It takes from the library only the functions that predict an impact and respond to it, so
 * it must give what carom_step_f64 gives, bit for bit. O((bodies + impacts) log bodies) where density is bounded. */
#ifndef CAROM_PEERS_EVENT_QUEUE_H
#define CAROM_PEERS_EVENT_QUEUE_H

#include "carom/step.h"

typedef struct event_queue event_queue;

event_queue *event_queue_create(void);

/* Moves bodies of mass 1 through a step of length 1, without loss, in open space. Arrays are packed, radii given.
 * Memory is kept from step to step. */
void event_queue_step(event_queue *queue, const carom_motion_f64 *motion);

/* Impacts of the last step. */
uint64_t event_queue_impacts(const event_queue *queue);

void event_queue_destroy(event_queue *queue);

#endif
