/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Swept boxes of bodies with shapes. In: the caller's bodies. Out: points to search in their place, or the lowest body
 * that is not as it must be. */
#ifndef CAROM_DETECT_SHAPED_SHAPE_BOXES_TMPL_H
#define CAROM_DETECT_SHAPED_SHAPE_BOXES_TMPL_H

#include "kernel/detect/job/job_tmpl.h"

#define carom_shape_boxes_make CAROM_REAL(carom_shape_boxes_make)
#define carom_shape_boxes_bytes CAROM_REAL(carom_shape_boxes_bytes)

/* A stage. It does nothing if all bodies are spheres. Errors: BODY, MEMORY, CANCELLED. */
carom_status carom_shape_boxes_make(carom_detect_job *job);

/* Bytes of the boxes of `count` bodies. */
uint64_t carom_shape_boxes_bytes(uint64_t count, uint32_t workers);

#endif
