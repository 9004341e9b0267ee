/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Which of the caller's bodies two slots hold, and how far the second one is moved in a periodic box. */
#ifndef CAROM_DETECT_SHAPED_SHAPE_NAMES_TMPL_H
#define CAROM_DETECT_SHAPED_SHAPE_NAMES_TMPL_H

#include "kernel/detect/job/job_tmpl.h"
#include "kernel/detect/shaped/shape_work.h"

#define carom_shape_names CAROM_REAL(carom_shape_names)

/* Sets the pair's numbers and `by`. */
void carom_shape_names(const carom_detect_job *job, uint32_t slot_i, uint32_t slot_k, carom_shape_two *pair);

#endif
