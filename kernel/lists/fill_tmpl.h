/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Rows of neighbours. In: bits and lengths. Out: offsets of bodies, and their rows in order. */
#ifndef CAROM_LISTS_FILL_TMPL_H
#define CAROM_LISTS_FILL_TMPL_H

#include "kernel/lists/job_tmpl.h"

#define carom_lists_fill CAROM_REAL(carom_lists_fill)

/* Sets job->result.offset and, unless only counts are wanted, job->result.row. Errors: MEMORY, CANCELLED. */
carom_status carom_lists_fill(carom_lists_job *job);

#endif
