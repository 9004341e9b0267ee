/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The impacts of a step, in the order in which one queue for all bodies has them. */
#ifndef CAROM_IMPACTS_EVENTS_H
#define CAROM_IMPACTS_EVENTS_H

#include "kernel/impacts/list.h"
#include "kernel/impacts/window.h"
#include "kernel/store/context.h"

/* Zero-initialise before the first use. */
typedef struct carom_impacts_events {
    carom_list list;  /* of carom_impacts_event */
    carom_list spare; /* room for sorting */
    carom_buffer key;
    carom_buffer spare_key;
    carom_buffer order;
    carom_buffer spare_order;
} carom_impacts_events;

/* Makes room for `count` more impacts. False if there is no memory, or if they would be more than 2^32 - 1. */
bool carom_impacts_events_reserve(carom_impacts_events *events, carom_memory *memory, uint64_t count);

/* Copies a group's impacts into that room, from the one of number `at` on. */
void carom_impacts_events_put(const carom_impacts_events *events, uint64_t at, const carom_impacts_event *from,
                              uint64_t count);

/* Appends a group's impacts. False as above. */
bool carom_impacts_events_append(carom_impacts_events *events, carom_memory *memory, const carom_impacts_event *from,
                                 uint64_t count);

/* Puts all impacts in order, those of each group being in order already. Errors: MEMORY; CANCELLED. */
carom_status carom_impacts_events_sort(carom_impacts_events *events, carom_memory *memory, carom_context *context);

void carom_impacts_events_release(carom_impacts_events *events, carom_memory *memory);

#endif
