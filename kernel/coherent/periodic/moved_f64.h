/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies that are in another cell than the list has them in. In: bodies that are not in their fat boxes. Out: those
 * that a lattice vector takes there ("moved"), and those that have left their fat boxes in truth ("escaped"). */
#ifndef CAROM_COHERENT_PERIODIC_MOVED_F64_H
#define CAROM_COHERENT_PERIODIC_MOVED_F64_H

#include "kernel/coherent/step_tmpl.h"

/* Hooks of a step: settle fills MOVED, in order of bodies. There is room for as many as for pairs apart; more count as
 * escaped. */
uint64_t carom_periodic_settle(carom_coherent_step *step, uint64_t escaped);
bool carom_periodic_grow(carom_coherent_step *step, uint32_t body);

/* The lattice vector that takes a body to where the list has it, as numbers of the caller's edges: that of its entry in
 * MOVED, or none. */
void carom_periodic_shift_of(const carom_coherent_step *step, uint32_t body, int32_t shift[3]);

#endif
