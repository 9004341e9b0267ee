/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The trunk: runs the stages of a detection in order, and once more if memory gives out. */
#ifndef CAROM_DETECT_STAGES_TMPL_H
#define CAROM_DETECT_STAGES_TMPL_H

#include "kernel/detect/job/job_tmpl.h"

#define carom_detect_stages CAROM_REAL(carom_detect_stages)

/* Runs a job of which the caller has set context, bodies, config, output, detection, search.given_centre and, for a
 * periodic box, periodic. On failure the detection is zero but for the summary's required_* fields, and *error is
 * written; error may be NULL. On success job->search.records has the records of the scene. */
carom_status carom_detect_stages(carom_detect_job *job, carom_error *error);

#endif
