/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Which candidates of each cell are neighbours of its bodies. In: slots. Out: bits and the lengths of rows. */
#ifndef CAROM_LISTS_SEARCH_TMPL_H
#define CAROM_LISTS_SEARCH_TMPL_H

#include "kernel/lists/job_tmpl.h"

#define carom_lists_search CAROM_REAL(carom_lists_search)

/* *pays becomes false if there are so many candidates that a detection is expected to be faster; then nothing is
 * searched. Errors: MEMORY, CANCELLED. */
carom_status carom_lists_search(carom_lists_job *job, bool *pays);

#endif
