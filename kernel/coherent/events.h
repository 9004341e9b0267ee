/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What changed between two steps. In: the touching pairs of both. Out: the pairs that began and that ended. */
#ifndef CAROM_COHERENT_EVENTS_H
#define CAROM_COHERENT_EVENTS_H

#include "kernel/coherent/state.h"

/* Makes room for as many events as this list and what is carried can give, where they are asked for. Errors: MEMORY. */
carom_status carom_events_reserve(carom_coherent *state, uint64_t *required);
/* Compares TOUCHING with TOUCHING_BEFORE: counts, and lists where asked for. Errors: MEMORY. */
carom_status carom_events_find(carom_coherent *state, uint64_t touching, carom_coherent_report *report,
                               uint64_t *required);

#endif
