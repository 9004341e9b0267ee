/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Searches a part: the scene, or some of its bodies as a scene of their own. In: a part with its plan. Out: counts,
 * rows and unions of all its pairs. */
#ifndef CAROM_DETECT_SEARCH_PART_TMPL_H
#define CAROM_DETECT_SEARCH_PART_TMPL_H

#include "kernel/detect/job/job_tmpl.h"

#define carom_part_search CAROM_REAL(carom_part_search)

/* Partitions and searches a part that has been planned, and the parts that it leads to. Errors: MEMORY, CANCELLED. */
carom_status carom_part_search(carom_detect_job *job, carom_part *part);

#endif
