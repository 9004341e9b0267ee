/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Puts contact rows in order of (i, k), and of the shift in a periodic box. In: rows in the context's table. Out: the
 * same rows in order, in what was its spare table. One radix sort of 64-bit keys says where each row goes; then each
 * row is moved once. */
#ifndef CAROM_DETECT_RESULTS_ORDER_TMPL_H
#define CAROM_DETECT_RESULTS_ORDER_TMPL_H

#include "kernel/detect/job/job_tmpl.h"

#define carom_order_rows CAROM_REAL(carom_order_rows)
#define carom_order_headroom CAROM_REAL(carom_order_headroom)
#define carom_order_bytes CAROM_REAL(carom_order_bytes)

/* Orders the first `rows` rows of the context's table. Errors: ARGUMENT (2^32 rows or more; keys of more than 64 bits),
 * MEMORY, left to the caller to explain. */
carom_status carom_order_rows(carom_detect_job *job, uint64_t rows);

/* Gives the table, and the one that rows are ordered into, the room that the job's headroom asks for. */
void carom_order_headroom(carom_detect_job *job, uint64_t rows);

/* Bytes that ordering takes besides the table; 0 if the caller wants no order. */
uint64_t carom_order_bytes(const carom_detect_job *job, uint64_t rows);

#endif
