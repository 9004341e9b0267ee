/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a window's records, and tasks whose rows are placed. Out: the rows. */
#ifndef CAROM_WORLDS_WRITE_TMPL_H
#define CAROM_WORLDS_WRITE_TMPL_H

#include "kernel/worlds/job_tmpl.h"

#define carom_worlds_rows_reserve CAROM_REAL(carom_worlds_rows_reserve)
#define carom_worlds_require CAROM_REAL(carom_worlds_require)
#define carom_worlds_write CAROM_REAL(carom_worlds_write)

/* Room for all rows so far, with the first `keep` kept. Errors: MEMORY, CANCELLED. */
carom_status carom_worlds_rows_reserve(carom_worlds_job *job, uint64_t keep);

/* After MEMORY: raises required_bytes to what is held now, with `more` and a table for so many rows so far and as many
 * of the worlds that are left. */
void carom_worlds_require(carom_worlds_job *job, uint64_t rows, uint64_t more);

/* Writes the rows of all tasks. Errors: CANCELLED. */
carom_status carom_worlds_write(carom_worlds_job *job);

#endif
