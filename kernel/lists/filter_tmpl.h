/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Filters of lists. In: the caller's filter, and bits of neighbours. Out: the bits of those that pass. */
#ifndef CAROM_LISTS_FILTER_TMPL_H
#define CAROM_LISTS_FILTER_TMPL_H

#include "kernel/lists/job_tmpl.h"

#define carom_lists_filter_start CAROM_REAL(carom_lists_filter_start)
#define carom_lists_filter_gather CAROM_REAL(carom_lists_filter_gather)
#define carom_lists_filter_row CAROM_REAL(carom_lists_filter_row)

/* Brings what is tested into the order of the slots, if there is a filter. *fits is false if exclusion lists are bad,
 * of which a detection tells. Errors: MEMORY, CANCELLED. */
carom_status carom_lists_filter_start(carom_lists_job *job, bool *fits);

/* Gathers what a cell's candidates are filtered by. */
void carom_lists_filter_gather(const carom_lists_job *job, uint64_t cell, const carom_lists_candidates *candidates);

/* Takes away the bits of candidates that do not pass with candidate `own`. length: bits that are set; returns how many
 * are left. After carom_lists_filter_gather. */
uint32_t carom_lists_filter_row(const carom_lists_job *job, const carom_lists_candidates *candidates, uint32_t own,
                                uint32_t count, uint16_t *bits, uint32_t length);

#endif
