/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The last stage. In: rows in the table and in chunks. Out: what the caller asked for, in the detection. */
#ifndef CAROM_DETECT_RESULTS_COLLECT_TMPL_H
#define CAROM_DETECT_RESULTS_COLLECT_TMPL_H

#include "kernel/detect/job/job_tmpl.h"

#define carom_collect_results CAROM_REAL(carom_collect_results)

/* Joins the rows, maps them from images to the caller's bodies, orders them, lists neighbours and returns them, as far
 * as the call asks for it. Errors: MEMORY, CAPACITY, ARGUMENT (too many rows to order),
 * CANCELLED. */
carom_status carom_collect_results(carom_detect_job *job);

#endif
