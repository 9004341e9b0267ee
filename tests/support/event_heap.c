/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/support/event_heap.h"

#include <stdbool.h>
#include <stdlib.h>

static bool comes_before(heap_event a, heap_event b) {
    if (a.t != b.t || a.i != b.i) {
        return a.t < b.t || (a.t == b.t && a.i < b.i);
    }
    return a.k < b.k;
}

static void grow(event_heap *heap) {
    heap->room = 2 * heap->room + 1024;
    heap->event = realloc(heap->event, heap->room * sizeof *heap->event);
    if (heap->event == NULL) {
        abort();
    }
}

void event_heap_push(event_heap *heap, heap_event event) {
    if (heap->count == heap->room) {
        grow(heap);
    }
    size_t n = heap->count++;
    while (n > 0 && comes_before(event, heap->event[(n - 1) / 2])) {
        heap->event[n] = heap->event[(n - 1) / 2];
        n = (n - 1) / 2;
    }
    heap->event[n] = event;
}

heap_event event_heap_pop(event_heap *heap) {
    const heap_event first = heap->event[0];
    const heap_event last = heap->event[--heap->count];
    size_t n = 0;
    for (size_t child = 1; child < heap->count; child = 2 * n + 1) {
        if (child + 1 < heap->count && comes_before(heap->event[child + 1], heap->event[child])) {
            child++;
        }
        if (!comes_before(heap->event[child], last)) {
            break;
        }
        heap->event[n] = heap->event[child];
        n = child;
    }
    heap->event[n] = last;
    return first;
}

void event_heap_release(event_heap *heap) {
    free(heap->event);
    *heap = (event_heap){NULL, 0, 0};
}
