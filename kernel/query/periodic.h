/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Queries after a detection in a periodic box. They run in double; a call for floats rounds their rows once. */
#ifndef CAROM_QUERY_PERIODIC_H
#define CAROM_QUERY_PERIODIC_H

#include "carom/query.h"
#include "kernel/query/space.h"

/* As carom_query_run. */
carom_status carom_query_run_periodic_f32(carom_context *context, const carom_bodies_f32 *probes,
                                          const carom_query_config *config, carom_query_answer_f32 *answer,
                                          carom_error *error);
carom_status carom_query_run_periodic_f64(carom_context *context, const carom_bodies_f64 *probes,
                                          const carom_query_config *config, carom_query_answer_f64 *answer,
                                          carom_error *error);

/* The same for probes of either precision. floats: where rows are rounded to; NULL: nowhere. */
carom_status carom_query_run_box(carom_context *context, const carom_image_source *probes, carom_row_table *floats,
                                 const carom_query_config *config, carom_query_answer_f64 *answer, carom_error *error);

#endif
