/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Pair filters. In: the caller's filter and pairs of slots. Out: the pairs that pass; nothing behind the filter ever
 * sees another. */
#ifndef CAROM_DETECT_SEARCH_FILTER_TMPL_H
#define CAROM_DETECT_SEARCH_FILTER_TMPL_H

#include "kernel/detect/job/job_tmpl.h"

#define carom_filter_check CAROM_REAL(carom_filter_check)
#define carom_filter_start CAROM_REAL(carom_filter_start)
#define carom_filter_pairs CAROM_REAL(carom_filter_pairs)

/* Checks the exclusion lists. Errors: BODY (the first body with bad exclusions), MEMORY. */
carom_status carom_filter_check(carom_detect_job *job);

/* Brings the values that are tested into the order of the records. slot_of has the slot of each body. Errors: MEMORY.
 */
carom_status carom_filter_start(carom_detect_job *job, const uint32_t *slot_of);

/* Keeps, in order and in place, the pairs that pass; returns their number. The worker says whether part bits have
 * been tested. At most CAROM_HITS_MAX; cheap without a filter. */
uint32_t carom_filter_pairs(const carom_detect_job *job, const carom_worker *worker, uint32_t hits, uint32_t *slot_i,
                            uint32_t *slot_k);

#endif
