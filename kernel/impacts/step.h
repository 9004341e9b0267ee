/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* One step of bodies that collide: in the one order (t, i, k) of all impacts, t the time, i the number of the lower
 * body and k that of the other body or surface. The result has the bits of a sequential event queue's. */
#ifndef CAROM_IMPACTS_STEP_H
#define CAROM_IMPACTS_STEP_H

#include "carom/step.h"
#include "kernel/impacts/events.h"
#include "kernel/impacts/search.h"
#include "kernel/impacts/window.h"

/* What the last step took. */
typedef struct carom_impacts_work {
    uint32_t windows;
    uint32_t rounds; /* of simulation and verification */
    uint64_t impacts;
    uint64_t surface_impacts;
    uint64_t largest_group;
    double seconds[CAROM_STEP_PHASE_COUNT]; /* NEIGHBOURS to END */
} carom_impacts_work;

/* Zero-initialise before the first use. */
typedef struct carom_impacts_step {
    carom_window window;
    carom_search search;
    carom_impacts_events events; /* of the last step, in order; events.list is of carom_impacts_event */
    carom_buffer active_buffer;
    carom_buffer mark_buffer;
    carom_buffer worker_buffer;
    uint32_t windows; /* equal ones to cut a step into; 0: as many as it needs */
    bool report_only; /* nothing responds: events are what would happen first of each pair, image and surface */
    bool count_only;  /* no events, only their numbers */
    double length;    /* of the windows that the last step needed, in steps; 0: there was none */
    double share;     /* of the usual impacts that the next window should have; 0: there was none */
    carom_impacts_work work;
} carom_impacts_step;

/* Moves the bodies from their pieces, which are fresh ones from time 0, to the end of the step: then their last pieces
 * are in bodies->piece, and who calls begins the next step from carom_piece_at(piece, 1), with the velocity that
 * bodies->kept has for those that are held. `context`, which the caller has taken, searches and lends its team: what
 * its last call found is gone. Errors: MEMORY; BODY, with the number of a body, if it leaves the range of floats or, in
 * a periodic box, moves too far or is too large for it; CANCELLED. The bodies are then somewhere within the step. */
carom_status carom_impacts_step_run(carom_impacts_step *step, carom_memory *memory, carom_context *context,
                                    carom_impacts_bodies *bodies, carom_error *error);

void carom_impacts_step_release(carom_impacts_step *step, carom_memory *memory);

#endif
