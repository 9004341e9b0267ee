/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What beginning a step and ending it share. */
#ifndef CAROM_WORLD_MOVER_PARTS_H
#define CAROM_WORLD_MOVER_PARTS_H

#include <math.h>

#include "kernel/world/mover.h"

/* Bodies in a slice of a walk begin at multiples of this. */
enum { CAROM_MOVER_GRAIN = 64 };

/* Bodies are read and written in their own order, and lie in slots in that of space: those of bodies so far ahead are
 * fetched. */
enum { CAROM_MOVER_AHEAD = 16 };

static inline void carom_mover_note_bad(carom_mover *mover, uint64_t n) {
    uint64_t lowest = atomic_load_explicit(&mover->bad, memory_order_relaxed);
    while (n < lowest && !atomic_compare_exchange_weak_explicit(&mover->bad, &lowest, n, memory_order_relaxed,
                                                                memory_order_relaxed)) {
    }
}

/* Velocities take the acceleration. */
static inline void carom_mover_accelerate(const carom_step_config *config, const carom_body *body, double v[3]) {
    for (int a = 0; a < 3; a++) {
        v[a] = isinf(body->mass) ? body->v[a] : body->v[a] + config->acceleration[a] * config->dt;
    }
}

/* In a box of great tilt, where each body was moved at the beginning of the step, in the caller's edges: from the
 * caller's box to a cell of the reduced edges. By slots; else NULL. They follow the velocities of bodies that are held.
 */
static inline int32_t (*carom_mover_moved(const carom_mover *mover))[3] {
    double(*kept)[3] = mover->kept_buffer.data;
    return mover->bodies.lattice != NULL ? (int32_t(*)[3])(void *)(kept + mover->bodies.count) : NULL;
}

static inline carom_body carom_mover_body(const carom_mover *mover, uint64_t n) {
    carom_body body;
    mover->source->load(mover->source->bodies, n, &body);
    return body;
}

#endif
