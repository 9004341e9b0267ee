/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Events by sets of pairs, where there are no touching bits of two steps to compare: in cold steps and in periodic
 * boxes. In: the pairs that detection has logged. Out: which began, persisted and ended. */
#ifndef CAROM_COHERENT_COMPARE_TMPL_H
#define CAROM_COHERENT_COMPARE_TMPL_H

#include "kernel/coherent/step_tmpl.h"

#define carom_compare_wanted CAROM_REAL(carom_compare_wanted)
#define carom_compare_reserve CAROM_REAL(carom_compare_reserve)
#define carom_compare_step CAROM_REAL(carom_compare_step)
#define carom_compare_finish CAROM_REAL(carom_compare_finish)

/* Whether the step looks for pairs that began and ended: then its job must log the touching pairs. */
bool carom_compare_wanted(const carom_coherent_step *step);
/* Makes room for a set of so many pairs, and a quarter more where there is no memory limit. Errors: MEMORY. */
carom_status carom_compare_reserve(carom_coherent *state, carom_coherent_buffer which, uint64_t pairs,
                                   uint64_t *required);
/* Fills the events of the report from the log of a job that has succeeded; with garbage if the call is to stop. Where
 * memory is not enough for that, and where events are not wanted, every pair counts as begun. */
void carom_compare_step(carom_coherent_step *step, const carom_detect_job *job);
/* After the step's success: its pairs become those of the step before. */
void carom_compare_finish(carom_coherent_step *step);

#endif
