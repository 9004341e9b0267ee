/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A binary heap of impacts that may happen, the first in the order (t, i, k) on top. Nothing is deleted from within:
 * whoever takes an impact asks whether both bodies still move as they did when it was predicted. */
#ifndef CAROM_TESTS_EVENT_HEAP_H
#define CAROM_TESTS_EVENT_HEAP_H

#include <stddef.h>
#include <stdint.h>

typedef struct heap_event {
    double t;
    uint32_t i; /* i < k */
    uint32_t k;
    uint16_t count_i; /* impacts of body i when this one was predicted */
    uint16_t count_k;
} heap_event;

/* Zero-initialise before the first use. */
typedef struct event_heap {
    heap_event *event;
    size_t count;
    size_t room;
} event_heap;

void event_heap_push(event_heap *heap, heap_event event);

/* Takes the first; there is one. */
heap_event event_heap_pop(event_heap *heap);

void event_heap_release(event_heap *heap);

#endif
