/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/io/frame.h"

#include <math.h>
#include <string.h>

#include "kernel/io/heap.h"

carom_read_options carom_read_options_default(void) {
    return (carom_read_options){.radius = (double)NAN, .dt = 1.0};
}

void carom_frame_release(carom_frame *frame) {
    if (frame == NULL) {
        return;
    }
    /* Sizes go with every release: the heap may be one that wants them back. */
    uint64_t bytes = frame->capacity * sizeof(double);
    for (int a = 0; a < 3; a++) {
        carom_heap_release(frame->prev[a], bytes);
        carom_heap_release(frame->curr[a], bytes);
    }
    carom_heap_release(frame->radius, bytes);
    carom_heap_release(frame->mass, bytes);
    carom_heap_release(frame->restitution, bytes);
    carom_heap_release(frame->id, frame->capacity * sizeof(uint64_t));
    carom_heap_release(frame->name, frame->capacity * CAROM_NAME_SIZE);
    carom_heap_release(frame->line, frame->capacity * sizeof(uint64_t));
    memset(frame, 0, sizeof *frame);
}
