/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A query behind carom_query_f32 and _f64. In: arguments that have been checked, and a context that keeps the records
 * of a detection. Out: the answer, or a status and an error. */
#ifndef CAROM_QUERY_QUERY_TMPL_H
#define CAROM_QUERY_QUERY_TMPL_H

#include "carom/query.h"
#include "kernel/store/context.h"
#include "simd/precision.h"

#define carom_query_run CAROM_REAL(carom_query_run)

/* config->filter and ->probe_filter are complete, or NULL. *answer is zero. */
carom_status carom_query_run(carom_context *context, const carom_bodies *probes, const carom_query_config *config,
                             CAROM_REAL(carom_query_answer) * answer, carom_error *error);

#endif
