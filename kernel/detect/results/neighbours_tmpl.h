/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Neighbour lists from stored rows: for each body its partners, ascending, and the row of each pair. In: the rows in
 * their final order. Out: the detection's neighbours. */
#ifndef CAROM_DETECT_RESULTS_NEIGHBOURS_TMPL_H
#define CAROM_DETECT_RESULTS_NEIGHBOURS_TMPL_H

#include "kernel/detect/job/job_tmpl.h"

#define carom_neighbours_list CAROM_REAL(carom_neighbours_list)
#define carom_neighbours_bytes CAROM_REAL(carom_neighbours_bytes)

/* Lists every body's neighbours in the first `rows` rows. Errors: MEMORY, left to the caller to explain. */
carom_status carom_neighbours_list(carom_detect_job *job, uint64_t rows);

/* Bytes that the lists take; 0 if none are asked for. */
uint64_t carom_neighbours_bytes(const carom_detect_job *job, uint64_t rows);

#endif
