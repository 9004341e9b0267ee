/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Member lists of the groups. In: the label of every body. Out: the members of each group, in the detection. */
#ifndef CAROM_DETECT_RESULTS_MEMBERS_TMPL_H
#define CAROM_DETECT_RESULTS_MEMBERS_TMPL_H

#include "kernel/detect/job/job_tmpl.h"

#define carom_members_reserve_all CAROM_REAL(carom_members_reserve_all)
#define carom_members_list CAROM_REAL(carom_members_list)
#define carom_members_bytes CAROM_REAL(carom_members_bytes)

/* Reserves, beforehand, all that lists of any number of groups take. Errors: MEMORY, with what would have been
 * enough. */
carom_status carom_members_reserve_all(carom_detect_job *job);

/* Lists the members of `groups` groups. Errors: MEMORY, left to the caller to explain. */
carom_status carom_members_list(carom_detect_job *job, uint64_t groups);

/* Upper bound of the bytes that lists take; 0 if none are asked for. */
uint64_t carom_members_bytes(const carom_detect_job *job);

#endif
