/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Returns results to the caller. In: finished rows in a table, labels in the detection. Out: the caller's arrays, and
 * the detection's pointers. */
#ifndef CAROM_DETECT_RESULTS_OUTPUT_TMPL_H
#define CAROM_DETECT_RESULTS_OUTPUT_TMPL_H

#include "kernel/detect/job/job_tmpl.h"

#define carom_output_rows CAROM_REAL(carom_output_rows)
#define carom_output_round_rows CAROM_REAL(carom_output_round_rows)

/* Copies the first `count` rows of a table, and the labels, to the caller's arrays, and points the detection to the
 * table. Errors: CAPACITY (the caller's arrays are too small; none is written). */
carom_status carom_output_rows(carom_detect_job *job, const carom_row_table *from, uint64_t count);

/* A periodic call with float results: rounds the rows to the context's float_rows, which the call for floats returns.
 * Errors: MEMORY, left to the caller to explain. */
carom_status carom_output_round_rows(carom_detect_job *job, uint64_t rows);

#endif
