/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The partition of bodies of one precision, and the check of a finished one. */
#ifndef CAROM_BROAD_PARTITION_TMPL_H
#define CAROM_BROAD_PARTITION_TMPL_H

#include "kernel/broad/partition.h"
#include "simd/dispatch.h"
#include "simd/precision.h"

#define carom_partition CAROM_REAL(carom_partition)
#define carom_partition_run CAROM_REAL(carom_partition_run)
#define carom_partition_validate CAROM_REAL(carom_partition_validate)

/* Fills workspace->code with the slot of each body, workspace->start with the first slot of each code, and records. The
 * bodies are finite; records has CAROM_SIMD_PAD more than there are bodies. If the team is stopped all of these are
 * garbage. */
void carom_partition_run(const carom_team *team, const carom_simd *simd, const carom_plan *plan,
                         const carom_bodies *bodies, const carom_partition_workspace *workspace, carom_record *records);

/* A finished partition: what it was made from, and what was made. */
typedef struct carom_partition {
    const carom_simd *simd;      /* whose kernel makes the boxes again */
    const carom_plan *plan;      /* the cells */
    const carom_bodies *bodies;  /* in the caller's order */
    const uint32_t *slot;        /* of each body */
    const uint32_t *start;       /* first record of each code; code_count + 1 */
    const carom_record *records; /* by (code, body) */
} carom_partition;

/* What is wrong with a finished partition; NULL if nothing is. */
const char *carom_partition_validate(const carom_partition *made);

#endif
