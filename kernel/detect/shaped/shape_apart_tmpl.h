/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Pairs of bodies with shapes that are surely apart, by boxes in the bodies' own frames (simd/apart_boxes.h). */
#ifndef CAROM_DETECT_SHAPED_SHAPE_APART_TMPL_H
#define CAROM_DETECT_SHAPED_SHAPE_APART_TMPL_H

#include "kernel/detect/job/job_tmpl.h"

#define carom_shape_apart_drop CAROM_REAL(carom_shape_apart_drop)

/* Keeps, in order and in place, the pairs that may touch; returns how many. */
uint32_t carom_shape_apart_drop(const carom_detect_job *job, uint32_t worker, uint32_t count, uint32_t *slot_i,
                                uint32_t *slot_k);

#endif
