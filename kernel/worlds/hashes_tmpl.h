/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: all rows, labels and counts. Out: the result hash of each world, which is that of a detection in it alone. */
#ifndef CAROM_WORLDS_HASHES_TMPL_H
#define CAROM_WORLDS_HASHES_TMPL_H

#include "kernel/worlds/job_tmpl.h"

#define carom_worlds_hashes CAROM_REAL(carom_worlds_hashes)

/* Sets the result hashes of all worlds, and their sum. */
void carom_worlds_hashes(carom_worlds_job *job);

#endif
