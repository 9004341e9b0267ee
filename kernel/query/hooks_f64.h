/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What a query does otherwise in a periodic box: the hooks of job_tmpl.h. */
#ifndef CAROM_QUERY_HOOKS_F64_H
#define CAROM_QUERY_HOOKS_F64_H

#include "kernel/query/job_tmpl.h"

/* views_f64.c: probes and views, and where these look. */
carom_status carom_views_take(carom_query_job *job, uint64_t *required, carom_error *error);
void carom_views_box(const carom_query_job *job, uint64_t view, carom_slot_box *box);

/* rows_f64.c: pairs of views and bodies, and their rows. */
bool carom_query_rows_meet(const carom_query_job *job, uint64_t view, uint64_t slot);
void carom_query_rows_pair(const carom_query_job *job, uint64_t view, uint64_t slot, carom_record pair[2]);
void carom_query_rows_shift(const carom_query_job *job, uint64_t view, uint32_t body, int32_t shift[3]);
void carom_query_rows_name(const carom_query_job *job, const carom_query_batch *batch, const carom_contacts *rows);
carom_status carom_query_rows_finish(carom_query_job *job, uint64_t rows, uint64_t *required);

#endif
