/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Filters of lists. In: the caller's filter, and bits of neighbours. Out: the bits of those that pass. */
#ifndef CAROM_LISTS_FILTER_TMPL_H
#define CAROM_LISTS_FILTER_TMPL_H

#include "kernel/lists/job_tmpl.h"

#define carom_lists_filter_start CAROM_REAL(carom_lists_filter_start)
#define carom_lists_filter_row CAROM_REAL(carom_lists_filter_row)

/* Brings what is tested into the order of the slots, if there is a filter. *fits is false if exclusion lists are bad,
 * of which a detection tells. Errors: MEMORY, CANCELLED. */
carom_status carom_lists_filter_start(carom_lists_job *job, bool *fits);

/* Takes away the bits of the candidates that do not pass with the body in slot `own`; returns how many they were. slot:
 * of each candidate. There is a filter. */
uint32_t carom_lists_filter_row(const carom_lists_job *job, uint32_t own, const uint32_t *slot, uint32_t count,
                                uint16_t *bits);

#endif
