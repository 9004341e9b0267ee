/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Answers for pairs of a caller's bodies, many at once over the threads of a context, or one. */
#ifndef CAROM_NARROW_BATCH_TMPL_H
#define CAROM_NARROW_BATCH_TMPL_H

#include "kernel/narrow/job_tmpl.h"
#include "kernel/narrow/round_tmpl.h"

#define carom_batch_gaps CAROM_REAL(carom_batch_gaps)
#define carom_batch_gap CAROM_REAL(carom_batch_gap)

/* Where gaps go. */
typedef struct carom_batch_rows {
    carom_gap_row *gap;           /* NULL: only states are wanted */
    carom_manifold_row *manifold; /* NULL: not wanted */
    uint8_t *state;               /* NULL: not wanted */
} carom_batch_rows;

/* Errors: as carom_job_run. */
carom_status carom_batch_gaps(carom_context *context, const carom_job_pairs *pairs, const carom_gap_task *task,
                              carom_batch_rows *rows, carom_error *error);

/* The same for one pair of poses. Errors: as carom_job_one. */
carom_status carom_batch_gap(const carom_shapes *shapes, const carom_pose *i, const carom_pose *k,
                             const carom_gap_task *task, carom_batch_rows *rows, carom_error *error);

#endif
