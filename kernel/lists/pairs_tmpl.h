/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: the bits of all bodies. Out: pairs of keys, once each, in the order of cells. */
#ifndef CAROM_LISTS_PAIRS_TMPL_H
#define CAROM_LISTS_PAIRS_TMPL_H

#include "kernel/lists/job_tmpl.h"

#define carom_lists_write_pairs CAROM_REAL(carom_lists_write_pairs)

/* Sets job->result.pairs and, unless they are only counted, job->result.pair. Errors: MEMORY, CANCELLED. */
carom_status carom_lists_write_pairs(carom_lists_job *job);

#endif
