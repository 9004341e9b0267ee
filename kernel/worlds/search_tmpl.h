/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: the tasks of a window. Out: records, counts and labels of their worlds, and the pairs to be stored. */
#ifndef CAROM_WORLDS_SEARCH_TMPL_H
#define CAROM_WORLDS_SEARCH_TMPL_H

#include "kernel/worlds/job_tmpl.h"

#define carom_worlds_block_bytes CAROM_REAL(carom_worlds_block_bytes)
#define carom_worlds_search CAROM_REAL(carom_worlds_search)

/* Bytes of a worker's block. */
uint64_t carom_worlds_block_bytes(void);

/* Searches all tasks. Errors: MEMORY, BODY, CANCELLED, all without an explanation. */
carom_status carom_worlds_search(carom_worlds_job *job);

#endif
