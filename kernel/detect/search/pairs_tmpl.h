/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What becomes of the pairs of overlapping boxes that a sweep finds. In: some pairs of slots at a time, few enough that
 * their records stay in L1 from one step to the next. Out: counts, hashes, rows and unions. */
#ifndef CAROM_DETECT_SEARCH_PAIRS_TMPL_H
#define CAROM_DETECT_SEARCH_PAIRS_TMPL_H

#include "kernel/detect/job/job_tmpl.h"

#define carom_pairs_process CAROM_REAL(carom_pairs_process)

/* Pairs in a worker's workspace. */
typedef struct carom_pairs {
    uint32_t hits;
    uint32_t known; /* the first so many are known to touch; 0 if they may be filtered */
} carom_pairs;

/* Filters pairs, decides which touch, stores rows and unites, as far as the call goes. `clock` is the time when it
 * starts; returns the time when it ends. */
double carom_pairs_process(carom_detect_job *job, carom_worker *worker, carom_task *task, carom_pairs pairs,
                           double clock);

#endif
