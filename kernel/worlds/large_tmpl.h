/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A world with too many bodies to test all pairs. In: its bodies. Out: its counts, labels and rows, after those so
 * far. */
#ifndef CAROM_WORLDS_LARGE_TMPL_H
#define CAROM_WORLDS_LARGE_TMPL_H

#include "kernel/worlds/job_tmpl.h"

#define carom_worlds_large CAROM_REAL(carom_worlds_large)

/* Detects in job->next_world, and goes on to the one after it. Errors: those of a detection; BODY without an
 * explanation. */
carom_status carom_worlds_large(carom_worlds_job *job);

#endif
