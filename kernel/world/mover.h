/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A step of bodies that somebody else holds: a caller's arrays, or a world. It reads each body once, lets
 * kernel/impacts move copies, and writes positions and velocities back when nothing can fail any more.
 *
 * Bodies have numbers, by which callers know them, and slots, where the copies lie in the order of space. Those of a
 * caller's arrays lie in the order of numbers, so copies go from one order to the other and back. Those of a world lie
 * in the order of slots themselves.
 *
 * Units. Whoever holds the bodies measures velocities in units of length over those of time, kernel/impacts in units of
 * length a step. A velocity is multiplied by dt when a step begins, and divided by dt when it ends; the velocity of a
 * body that had no impact is not touched by either. */
#ifndef CAROM_WORLD_MOVER_H
#define CAROM_WORLD_MOVER_H

#include <stdatomic.h>

#include "kernel/impacts/order.h"
#include "kernel/impacts/step.h"
#include "kernel/store/context.h"
#include "kernel/world/body.h"
#include "kernel/world/pair_rules.h"
#include "kernel/world/rules.h"

/* What a step makes of a body. */
typedef struct carom_mover_end {
    double x[3];
    double v[3];
    double last_impact;  /* as in carom_body, for the next step */
    bool keeps_velocity; /* v is 0, and the body's own stays: in slots of the source's alone */
} carom_mover_end;

/* Bodies that are read or written at once, at most: few enough for the first-level cache and the stack. */
enum { CAROM_MOVER_BLOCK = 8 };

/* Slots that are the source's. */
typedef struct carom_mover_slots {
    const uint32_t *slot;   /* for each number */
    const uint32_t *number; /* for each slot */
    /* By slots: where the parts lie now, for `move` puts them elsewhere. */
    const carom_moving_part *(*moving)(const void *bodies);
    /* Gives slot s the body of slot from[s]. Errors: MEMORY, CANCELLED; then nothing has changed. */
    carom_status (*move)(void *bodies, const uint32_t *from);
} carom_mover_slots;

/* The bodies. `load` and `store` take bodies [begin, begin + count) of the order in which they lie, at most
 * CAROM_MOVER_BLOCK, and are called by several threads at once, for different bodies. */
typedef struct carom_mover_source {
    uint64_t count;
    void *bodies;            /* first argument of all functions */
    carom_mover_slots slots; /* where bodies lie in slots; all NULL: they lie in the order of numbers */
    void (*load)(const void *bodies, uint64_t begin, uint64_t count, carom_body *block);
    void (*store)(void *bodies, uint64_t begin, uint64_t count, const carom_mover_end *block);
    double restitution; /* if `inherits`, of bodies whose own is negative */
    bool inherits;
    bool single;    /* the values that are stored are floats */
    bool owned;     /* as in carom_impacts_bodies */
    bool unchanged; /* neither bodies nor rules have changed since carom_mover_store; false is always right */
    bool pairs;     /* who holds the bodies wants to know each impact, whatever the config says */
} carom_mover_source;

/* Rounds positions and velocities of `count` ends to floats. */
void carom_mover_round(const carom_mover_end *end, uint64_t count, float (*single)[6]);

/* What some body is, or may be, when a step begins. */
typedef struct carom_mover_seen {
    _Atomic bool fixed;   /* of infinite mass */
    _Atomic bool unusual; /* in a motion that is not usual (kernel/impacts/bodies.h) */
} carom_mover_seen;

/* For each slot, as in carom_impacts_bodies. */
typedef struct carom_mover_buffers {
    carom_buffer piece;
    carom_buffer body;
    carom_buffer kept;
    carom_buffer wrapped; /* in a periodic box */
} carom_mover_buffers;

/* What steps keep between calls. Zero-initialise before the first use. */
typedef struct carom_mover {
    carom_impacts_step impacts;
    carom_impacts_bodies bodies;
    carom_pair_rules pairs;
    carom_control control;
    const carom_rules *rules;
    const carom_mover_source *source;
    carom_context *context;
    double opened; /* the step, on the clock */
    double began;  /* what comes next in it */
    double seconds[CAROM_STEP_PHASE_COUNT];
    _Atomic uint64_t held;
    carom_mover_seen seen;
    _Atomic bool begun;   /* copies of bodies are what the next step begins with, if nothing changes */
    _Atomic uint64_t bad; /* the lowest body that is not as it must be, or CAROM_NO_BODY */
    bool wide;            /* the periodic box is so large that the numbers in it are too */
    carom_mover_buffers buffers;
    carom_order order;         /* of bodies in slots, for the source's bodies as they lie */
    carom_buffer held_buffer;  /* the slots of bodies that are held, then their numbers */
    carom_buffer event_buffer; /* of carom_event: all, or a block of them */
} carom_mover;

/* Begins a step with a context that the caller has taken. */
void carom_mover_open(carom_mover *mover, carom_context *context);

/* Errors: CANCELLED if the flag was seen. */
carom_status carom_mover_cancelled(const carom_mover *mover, carom_error *error);

/* From here on nothing is cancelled. Errors: CANCELLED if the flag was seen before. */
carom_status carom_mover_finish(carom_mover *mover, carom_error *error);

/* Gives the context back, whatever the step came to. */
void carom_mover_close(carom_mover *mover);

/* Reads the bodies, which begin the step. `rules`, `source` and what they point to must stay until the step is over.
 * Errors: BODY, MEMORY, CANCELLED. */
carom_status carom_mover_load(carom_mover *mover, const carom_rules *rules, const carom_mover_source *source,
                              carom_error *error);

/* Moves them to the end of the step. Errors: BODY, MEMORY, CANCELLED. */
carom_status carom_mover_run(carom_mover *mover, carom_error *error);

/* Checks where bodies are when the step ends: for steps that nothing but the bodies' own motion makes; carom_mover_run
 * does it too. Errors: BODY, CANCELLED. */
carom_status carom_mover_check(carom_mover *mover, carom_error *error);

/* The end of the body of a number, before carom_mover_store. */
carom_mover_end carom_mover_end_of(const carom_mover *mover, uint64_t number);

/* The impacts of the step, in order: `count` entries. Where nobody wants to know them there are none, only numbers. */
typedef struct carom_mover_impacts {
    const carom_impacts_event *event;
    uint64_t count;
    uint64_t happened;
    uint64_t on_surfaces; /* of these */
} carom_mover_impacts;

carom_mover_impacts carom_mover_impacts_of(const carom_mover *mover);

/* Whether the body in a slot has spent its budget. */
bool carom_mover_held(const carom_mover *mover, uint32_t slot);

/* Writes all bodies back, and overwrites the pieces: carom_mover_end_of and carom_mover_held must come before. */
void carom_mover_store(carom_mover *mover);

/* Adds the time since the last call, or since the step began, to a phase. */
void carom_mover_lap(carom_mover *mover, carom_step_phase phase);

/* Gives all memory back. */
void carom_mover_release(carom_mover *mover, carom_memory *memory);

#endif
