/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Which pairs began, persisted or ended. In: the touching bits of this step and of the step before, and the saved pairs
 * that are not on the list any more. Out: the counts, and the pairs where the caller asked for them. Pairs of one list
 * keep their places from step to step, so a comparison of bits is enough; only a rebuild has to look pairs up (list.h).
 */
#ifndef CAROM_COHERENT_EVENTS_H
#define CAROM_COHERENT_EVENTS_H

#include "kernel/coherent/state.h"

/* Makes room for as many events as the list and the saved pairs can give, if the caller asked for events. Errors:
 * MEMORY, with *required as in carom_coherent_reserve. */
carom_status carom_events_reserve(carom_coherent *state, uint64_t *required);
/* Fills the report: counts, and lists of events if the caller asked for them. touching: pairs that touch now. Errors:
 * MEMORY, with *required as in carom_coherent_reserve. */
carom_status carom_events_find(carom_coherent *state, uint64_t touching, carom_coherent_report *report,
                               uint64_t *required);

#endif
