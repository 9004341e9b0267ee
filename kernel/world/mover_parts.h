/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What beginning a step and ending it share. */
#ifndef CAROM_WORLD_MOVER_PARTS_H
#define CAROM_WORLD_MOVER_PARTS_H

#include <math.h>

#include "kernel/world/mover.h"

/* Bodies in a slice of a walk begin at multiples of this: those of a word of bits. */
enum { CAROM_MOVER_GRAIN = 64 };

/* Where bodies are read and written in another order than that of slots, the slots of bodies so far ahead are fetched.
 */
enum { CAROM_MOVER_AHEAD = 16 };

static inline void carom_mover_note_bad(carom_mover *mover, uint64_t n) {
    uint64_t lowest = atomic_load_explicit(&mover->bad, memory_order_relaxed);
    while (n < lowest && !atomic_compare_exchange_weak_explicit(&mover->bad, &lowest, n, memory_order_relaxed,
                                                                memory_order_relaxed)) {
    }
}

/* The length of the step, and what velocities gain in it. A pass has a copy of its own, which no body that it writes
 * can be. */
typedef struct carom_mover_gain {
    double dt;
    double v[3];
} carom_mover_gain;

static inline carom_mover_gain carom_mover_gain_of(const carom_mover *mover) {
    const carom_step_config *config = &mover->rules->config;
    const double *acceleration = config->acceleration;
    return (carom_mover_gain){
        config->dt, {acceleration[0] * config->dt, acceleration[1] * config->dt, acceleration[2] * config->dt}};
}

/* Velocities take the acceleration. */
static inline void carom_mover_accelerate(const carom_mover_gain *gain, const carom_body *body, double v[3]) {
    const bool fixed = isinf(body->mass);
    for (int a = 0; a < 3; a++) {
        v[a] = fixed ? body->v[a] : body->v[a] + gain->v[a];
    }
}

/* In a box of great tilt, where each body was moved at the beginning of the step, in the caller's edges: from the
 * caller's box to a cell of the reduced edges. By slots; else, or without bodies, NULL. They follow the velocities of
 * bodies that are held. */
static inline int32_t (*carom_mover_moved(const carom_mover *mover))[3] {
    double(*kept)[3] = mover->buffers.kept.data;
    return mover->bodies.lattice != NULL && kept != NULL ? (int32_t(*)[3])(void *)(kept + mover->bodies.count) : NULL;
}

/* A body's own restitution, or the one that it has instead. */
static inline double carom_mover_restitution(const carom_mover_source *source, const carom_body *body) {
    return source->inherits && body->restitution < 0.0 ? source->restitution : body->restitution;
}

/* Whether bodies lie in slots. */
static inline bool carom_mover_in_slots(const carom_mover_source *source) {
    return source->slots.move != NULL;
}

/* Whether it is noted which bodies are brought into the periodic box: those of worlds. */
static inline bool carom_mover_marks_wrapped(const carom_mover *mover) {
    return carom_mover_in_slots(mover->source) && mover->rules->config.periodic != NULL;
}

/* The slot of the body of a number. */
static inline uint32_t carom_mover_slot(const carom_mover *mover, uint64_t number) {
    return carom_mover_in_slots(mover->source) ? mover->source->slots.slot[number] : mover->order.slot[number];
}

/* For each body as the source has them, its slot; NULL: they lie in slots. */
static inline const uint32_t *carom_mover_slot_of(const carom_mover *mover) {
    return carom_mover_in_slots(mover->source) ? NULL : mover->order.slot;
}

/* The body of a number. */
static inline carom_body carom_mover_body(const carom_mover *mover, uint64_t number) {
    carom_body body;
    const uint64_t at = carom_mover_in_slots(mover->source) ? mover->source->slots.slot[number] : number;
    mover->source->load(mover->source->bodies, at, 1, &body);
    body.restitution = carom_mover_restitution(mover->source, &body);
    return body;
}

/* Bodies of the block that begins at `begin`. */
static inline uint64_t carom_mover_block(uint64_t begin, uint64_t end) {
    return end - begin < CAROM_MOVER_BLOCK ? end - begin : CAROM_MOVER_BLOCK;
}

#endif
