/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Times of impact of pairs of a caller's bodies, many at once over the threads of a context, or one. */
#ifndef CAROM_NARROW_IMPACTS_TMPL_H
#define CAROM_NARROW_IMPACTS_TMPL_H

#include "kernel/narrow/job_tmpl.h"
#include "kernel/narrow/round_tmpl.h"
#include "kernel/narrow/toi.h"

#define carom_narrow_impacts CAROM_REAL(carom_narrow_impacts)
#define carom_narrow_impact CAROM_REAL(carom_narrow_impact)

/* Errors: as carom_job_run. */
carom_status carom_narrow_impacts(carom_context *context, const carom_job_pairs *pairs, const carom_toi_task *task,
                                  carom_toi_row *rows, carom_error *error);

/* A pose and its motion; NULL: it rests. */
typedef struct carom_narrow_sweep {
    const carom_pose *pose;
    const carom_sweep *sweep;
} carom_narrow_sweep;

/* The same for one pair of poses. Errors: as carom_job_one. */
carom_status carom_narrow_impact(const carom_shapes *shapes, const carom_narrow_sweep *i, const carom_narrow_sweep *k,
                                 const carom_toi_task *task, carom_toi_row *row, carom_error *error);

#endif
