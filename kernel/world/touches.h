/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Which bodies touch in a step in which each keeps its velocity, at which images, and when. */
#ifndef CAROM_WORLD_TOUCHES_H
#define CAROM_WORLD_TOUCHES_H

#include "kernel/impacts/events.h"
#include "kernel/world/mover.h"

/* Zero-initialise before the first use. */
typedef struct carom_touches {
    carom_impacts_events events; /* pairs that touch before the step ends, each once, in order */
    carom_buffer place[2];       /* of double[3]: where each body is when a search begins, and when it ends */
    carom_buffer known;          /* of uint32_t: a hash table of events */
    uint64_t known_size;
    uint32_t searches;
} carom_touches;

/* Finds them, of bodies that the mover has loaded and checked, whose slots are their numbers. Errors: BODY, MEMORY,
 * CANCELLED. */
carom_status carom_touches_find(carom_touches *touches, const carom_mover *mover, carom_error *error);

/* The error that merging lacks memory. */
carom_status carom_touches_no_memory(const carom_mover *mover, carom_error *error);

void carom_touches_release(carom_touches *touches, carom_memory *memory);

#endif
