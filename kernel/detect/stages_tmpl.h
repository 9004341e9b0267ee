/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The main sequence: runs the stages of a detection in order, and again if memory gives out. In: a job with the call's
 * arguments. Out: the detection. Each stage reads what those before it have left in the job, and nothing else holds
 * state but the context's buffers; so a stage can be read alone. Folders: job has the structs that stages share, search
 * finds the pairs, results keeps and returns what is found. */
#ifndef CAROM_DETECT_STAGES_TMPL_H
#define CAROM_DETECT_STAGES_TMPL_H

#include "kernel/detect/job/job_tmpl.h"

#define carom_detect_stages CAROM_REAL(carom_detect_stages)

/* Runs a job of which the caller has set context, bodies, config, output, detection, search.given_centre, headroom
 * and, for a periodic box, periodic; and log, if touching pairs are to be logged. On failure the detection is zero but
 * for the summary's required_* fields, and *error is written; error may be NULL. On success job->search.records has the
 * records of the scene. */
carom_status carom_detect_stages(carom_detect_job *job, carom_error *error);

#define carom_detect_keep CAROM_REAL(carom_detect_keep)

/* Leaves what queries search in the context: records, and how boxes of this call were made. A detection does so itself;
 * a coherent step that has put the records elsewhere does it once they are complete. */
void carom_detect_keep(const carom_detect_job *job);

#endif
