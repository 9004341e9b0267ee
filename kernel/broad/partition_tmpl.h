/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The partition itself. In: the bodies and a plan. Out: their records in the order of (code, body). */
#ifndef CAROM_BROAD_PARTITION_TMPL_H
#define CAROM_BROAD_PARTITION_TMPL_H

#include "kernel/broad/partition.h"
#include "simd/dispatch.h"
#include "simd/precision.h"

#define carom_partition_run CAROM_REAL(carom_partition_run)

/* Fills workspace->code with the slot of each body, workspace->start with the first slot of each code, and records. */
void carom_partition_run(const carom_team *team, const carom_simd *simd, const carom_plan *plan,
                         const carom_bodies *bodies, const carom_partition_workspace *workspace, carom_record *records);

#endif
