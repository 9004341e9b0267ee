/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Lists the visits of oversized bodies to cells. In: their records and the plan. Out: a list for each cell. */
#ifndef CAROM_BROAD_OVERSIZED_TMPL_H
#define CAROM_BROAD_OVERSIZED_TMPL_H

#include "carom/status.h"
#include "kernel/broad/oversized.h"
#include "kernel/broad/plan.h"
#include "kernel/sort/radix_sort.h"
#include "kernel/sys/memory.h"
#include "kernel/sys/team.h"
#include "simd/dispatch.h"
#include "simd/precision.h"

#define carom_oversized_count CAROM_REAL(carom_oversized_count)
#define carom_oversized_list CAROM_REAL(carom_oversized_list)

/* Fills workspace->low and returns the number of visits of oversized bodies to cells. */
uint64_t carom_oversized_count(const carom_team *team, const carom_simd *simd, const carom_plan *plan,
                               const carom_record *wide, uint32_t count, const carom_visit_workspace *workspace);

/* Makes the lists after the count that gave `visits`, < 2^32. Errors: MEMORY (the sort's histograms). */
carom_status carom_oversized_list(const carom_team *team, const carom_simd *simd, carom_memory *memory,
                                  carom_radix_sort *sort, const carom_plan *plan, const carom_record *wide,
                                  uint32_t count, uint64_t visits, const carom_visit_workspace *workspace);

#endif
