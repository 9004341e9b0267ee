/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Lists the visits of oversized bodies to cells: first counts them, so that the caller can make room, then fills and
 * sorts the lists. */
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

/* Returns the number of visits of the `count` oversized bodies `wide`, and fills workspace->low and ->visits. */
uint64_t carom_oversized_count(const carom_team *team, const carom_simd *simd, const carom_plan *plan,
                               const carom_record *wide, uint32_t count, const carom_visit_workspace *workspace);

/* Fills workspace->start and ->visit with the finished lists. `visits` is what carom_oversized_count has returned,
 * below 2^32. Errors: MEMORY (the sort's histograms), CANCELLED. */
carom_status carom_oversized_list(const carom_team *team, const carom_simd *simd, carom_memory *memory,
                                  carom_radix_sort *sort, const carom_plan *plan, const carom_record *wide,
                                  uint32_t count, uint64_t visits, const carom_visit_workspace *workspace);

#endif
