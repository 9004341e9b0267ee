/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Swept boxes alone, for a call that stops there. In: the bodies. Out: lo and hi in the caller's order, in the
 * detection. The search makes boxes of its own, in the order of the cells. */
#ifndef CAROM_DETECT_BOXES_TMPL_H
#define CAROM_DETECT_BOXES_TMPL_H

#include "kernel/detect/job/job_tmpl.h"

#define carom_boxes_stage CAROM_REAL(carom_boxes_stage)

/* Errors: MEMORY. */
carom_status carom_boxes_stage(carom_detect_job *job);

#endif
