/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Exclusion lists. In: the caller's lists and pairs of slots. Out: the pairs of which neither body names the other. */
#ifndef CAROM_DETECT_SEARCH_EXCLUSIONS_TMPL_H
#define CAROM_DETECT_SEARCH_EXCLUSIONS_TMPL_H

#include "kernel/detect/job/job_tmpl.h"

#define carom_exclusions_check CAROM_REAL(carom_exclusions_check)
#define carom_exclusions_trace CAROM_REAL(carom_exclusions_trace)
#define carom_exclusions_drop CAROM_REAL(carom_exclusions_drop)

/* Checks the lists and makes the trace of each body. Errors: BODY (the first body with a bad list), MEMORY. */
carom_status carom_exclusions_check(carom_detect_job *job);

/* The trace of one of the caller's bodies; after the check. */
carom_filter_trace carom_exclusions_trace(const carom_detect_job *job, uint32_t body);

/* Keeps, in order and in place, the pairs that are not excluded; returns their number. At most CAROM_HITS_MAX. */
uint32_t carom_exclusions_drop(const carom_detect_job *job, uint32_t hits, uint32_t *slot_i, uint32_t *slot_k);

#endif
