/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Searches of a block of pairs of bodies with shapes, side by side. In: slots. Out: answers in the worker's blocks. */
#ifndef CAROM_DETECT_SHAPED_SHAPE_SEARCH_TMPL_H
#define CAROM_DETECT_SHAPED_SHAPE_SEARCH_TMPL_H

#include "kernel/detect/job/job_tmpl.h"
#include "kernel/detect/shaped/shape_work.h"

#define carom_shape_distance_task CAROM_REAL(carom_shape_distance_task)
#define carom_shape_impact_task CAROM_REAL(carom_shape_impact_task)
#define carom_shape_load CAROM_REAL(carom_shape_load)
#define carom_shape_search_resting CAROM_REAL(carom_shape_search_resting)
#define carom_shape_search_moving CAROM_REAL(carom_shape_search_moving)

/* What the call asks of signed distances and of times of impact. */
carom_gap_task carom_shape_distance_task(const carom_detect_job *job, carom_gap_detail detail);
carom_toi_task carom_shape_impact_task(const carom_detect_job *job);

/* What the caller says of a pair's two bodies, which are named. */
void carom_shape_load(const carom_detect_job *job, carom_shape_two *pair);

/* Finds the distances of those pairs, at most CAROM_MANY_PAIRS, that are at rest and without compounds: work->many has
 * them, work->resting says which they are. If only pairs that approach count, pairs at rest are left out. */
void carom_shape_search_resting(const carom_detect_job *job, const carom_hits *hits, carom_gap_detail detail,
                                carom_shape_work *work);

/* After that: finds the times of impact of those of the other pairs that move, without compounds. work->rounds has them;
 * they are no longer alone. */
void carom_shape_search_moving(const carom_detect_job *job, const carom_hits *hits, carom_shape_work *work);

#endif
