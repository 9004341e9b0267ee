/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* One step of bodies that collide: in the one order (t, i, k) of all impacts, t the time, i the number of the lower
 * body and k that of the other body or surface. The result has the bits of a sequential event queue's. */
#ifndef CAROM_IMPACTS_STEP_H
#define CAROM_IMPACTS_STEP_H

#include "kernel/impacts/state.h"

/* Moves the bodies from their pieces, which are fresh ones from time 0, to the end of the step: then their last pieces
 * are in bodies->piece, and who calls begins the next step from carom_piece_at(piece, 1), with the velocity that
 * bodies->kept has for those that are held. `context`, which the caller has taken, searches and lends its team: what
 * its last call found is gone. Errors: MEMORY; BODY, with the number of a body, if it leaves the range of floats or, in
 * a periodic box, moves too far or is too large for it; CANCELLED. The bodies are then somewhere within the step. */
carom_status carom_impacts_step_run(carom_impacts_step *step, carom_memory *memory, carom_context *context,
                                    carom_impacts_bodies *bodies, carom_error *error);

/* No hulls of a step before serve the next one: its bodies lie in other slots, or nobody knows what became of them. */
void carom_impacts_step_forget(carom_impacts_step *step);

void carom_impacts_step_release(carom_impacts_step *step, carom_memory *memory);

#endif
