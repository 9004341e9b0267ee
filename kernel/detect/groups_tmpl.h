/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Groups: the connected components of the touching pairs. In: all unions of slots. Out: each body's label, which is the
 * least body of its group, how many groups there are, and their member lists, in the detection. */
#ifndef CAROM_DETECT_GROUPS_TMPL_H
#define CAROM_DETECT_GROUPS_TMPL_H

#include "kernel/detect/job/job_tmpl.h"

#define carom_groups_stage CAROM_REAL(carom_groups_stage)

/* Errors: MEMORY. */
carom_status carom_groups_stage(carom_detect_job *job);

#endif
