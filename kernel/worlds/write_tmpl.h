/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a window's records, and tasks whose rows are placed. Out: the rows. */
#ifndef CAROM_WORLDS_WRITE_TMPL_H
#define CAROM_WORLDS_WRITE_TMPL_H

#include "kernel/worlds/job_tmpl.h"

#define carom_worlds_rows_reserve CAROM_REAL(carom_worlds_rows_reserve)
#define carom_worlds_write CAROM_REAL(carom_worlds_write)

/* Room for all rows so far, with the first `keep` kept. Errors: MEMORY, CANCELLED. */
carom_status carom_worlds_rows_reserve(carom_worlds_job *job, uint64_t keep);

/* Writes the rows of all tasks, and gives their chunks back. Errors: CANCELLED. */
carom_status carom_worlds_write(carom_worlds_job *job);

#endif
