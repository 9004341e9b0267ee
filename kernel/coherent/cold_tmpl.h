/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A step without a list, where lists do not pay. In: the bodies of a step. Out: the results of carom_detect, rows in
 * its order, and the events since the step before, whether or not that had a list. Detection logs the pairs that touch;
 * sets of the pairs of two steps give those that began and ended. */
#ifndef CAROM_COHERENT_COLD_TMPL_H
#define CAROM_COHERENT_COLD_TMPL_H

#include "kernel/coherent/step_tmpl.h"
#include "kernel/detect/need.h"

#define carom_cold_step CAROM_REAL(carom_cold_step)
#define carom_cold_finish CAROM_REAL(carom_cold_finish)
#define carom_cold_bound CAROM_REAL(carom_cold_bound)

/* Takes a cold step. Errors: those of carom_detect. */
carom_status carom_cold_step(carom_coherent_step *step);
/* After its success: its pairs become those of the step before, and the trial goes on. */
void carom_cold_finish(carom_coherent_step *step);
/* Upper bound of what context and state hold at the highest of a cold step, a list apart. UINT64_MAX if that is more.
 */
uint64_t carom_cold_bound(const carom_need *need, bool events);

#endif
