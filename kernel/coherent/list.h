/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The list of pairs whose fat boxes overlap. In: pairs of bodies, from cold detection of the extended bodies. Out:
 * pairs of slots, each under the larger of its slots and in order of it. When a step walks the list in this order, it
 * has read the record of the smaller slot not long before. Escaped bodies append pairs after the ordered part
 * (escape_tmpl.h).
 *
 * A rebuild makes another list, so the touching bits of the step before would be lost. They are saved as pairs of
 * bodies, and set again where the new list has the pair. */
#ifndef CAROM_COHERENT_LIST_H
#define CAROM_COHERENT_LIST_H

#include "kernel/coherent/state.h"

/* Builds the list from pairs of bodies i, k, by all workers. high and low are workspaces of `pairs` entries, and
 * TOUCHING is another: it is not cleared. Garbage if the call is to stop. O(pairs + slots), at worst
 * O(workers * pairs). */
void carom_coherent_list_build(carom_coherent *state, uint64_t pairs, const uint32_t *i, const uint32_t *k,
                               uint32_t *high, uint32_t *low);
/* Before a rebuild: saves the pairs that touched in the step before. Errors: MEMORY, with *required as in
 * carom_coherent_reserve. */
carom_status carom_coherent_list_save(carom_coherent *state, uint64_t *required);
/* After a rebuild: sets the bits of the saved pairs. Pairs that are not on the new list have ended: they stay in SAVED,
 * and list.saved_ended says how many there are. */
void carom_coherent_list_restore(carom_coherent *state);

#endif
