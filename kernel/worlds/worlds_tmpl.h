/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Detection in many worlds. In: arguments that have been checked. Out: the result, or a status. */
#ifndef CAROM_WORLDS_WORLDS_TMPL_H
#define CAROM_WORLDS_WORLDS_TMPL_H

#include "kernel/worlds/job_tmpl.h"

#define carom_worlds_run CAROM_REAL(carom_worlds_run)
#define carom_worlds_find_bad CAROM_REAL(carom_worlds_find_bad)

/* Fills job->result; the caller has set context, bodies, worlds, offset, config and result, and zeroed the rest.
 * Errors: MEMORY, BODY and CANCELLED, without an explanation. */
carom_status carom_worlds_run(carom_worlds_job *job);

/* After BODY: describes the first body that is not valid. Errors: BODY, CANCELLED. */
carom_status carom_worlds_find_bad(const carom_worlds_job *job, carom_error *error);

#endif
