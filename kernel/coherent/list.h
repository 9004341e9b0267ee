/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The list of pairs whose fat boxes overlap, and the touching pairs that it carries over a rebuild. */
#ifndef CAROM_COHERENT_LIST_H
#define CAROM_COHERENT_LIST_H

#include "kernel/coherent/state.h"

/* Builds the list from pairs of bodies: slots, the larger first, in order of it. `high` and `low` are workspaces of
 * `pairs` entries. Serial; O(pairs + slots). */
void carom_coherent_list_build(carom_coherent *state, uint64_t pairs, const uint32_t *i, const uint32_t *k,
                               uint32_t *high, uint32_t *low);
/* Takes the touching pairs of the list, as bodies, to CARRIED, before a rebuild. Errors: MEMORY. */
carom_status carom_coherent_list_carry(carom_coherent *state, uint64_t *required);
/* Marks the carried pairs in TOUCHING_BEFORE of the new list. Those that are not on it have ended: they are moved to
 * the front of CARRIED, and carried_ended says how many. */
void carom_coherent_list_restore(carom_coherent *state);

#endif
