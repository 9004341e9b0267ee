/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies too wide for the cells visit every cell that their box reaches: a list of guests for each cell. In the cell
 * they are entries like others, with a bit for each axis on which their low corner lies in a column before. Count,
 * scan, fill, and a stable sort by cell: the same lists for any number of workers. */
#ifndef CAROM_BROAD_GUESTS_H
#define CAROM_BROAD_GUESTS_H

#include <stdint.h>

#include "carom/status.h"
#include "kernel/broad/plan.h"
#include "kernel/broad/radix_sort.h"
#include "kernel/sys/memory.h"
#include "kernel/sys/team.h"
#include "simd/dispatch.h"

/* A guest: its number among the wide bodies, and its bits above. */
#define CAROM_GUEST_NUMBER UINT32_C(0x1FFFFFFF)
enum { CAROM_GUEST_SHIFT = 29 };

typedef struct carom_guests {
    uint32_t first;        /* record of wide body 0 */
    uint32_t wide;         /* how many there are */
    const float *low;      /* low corner on the sweep axis of each */
    const uint32_t *start; /* of each cell's list; cell_count + 1 */
    const uint32_t *guest;
} carom_guests;

/* Arrays to be made large enough: low has guests->wide entries, start cell_count + 1, the others as many as were
 * counted. */
typedef struct carom_guest_space {
    float *low;
    uint32_t *start;
    uint32_t *cell;
    uint32_t *guest;
    uint32_t *spare_cell;
    uint32_t *spare_guest;
    uint64_t *visits; /* a worker: filled by the count */
} carom_guest_space;

/* Fills space->low and returns the number of visits of wide bodies to cells. */
uint64_t carom_guests_count_f32(const carom_team *team, const carom_simd *simd, const carom_plan *plan,
                                const carom_record_f32 *wide, uint32_t count, const carom_guest_space *space);
uint64_t carom_guests_count_f64(const carom_team *team, const carom_simd *simd, const carom_plan *plan,
                                const carom_record_f64 *wide, uint32_t count, const carom_guest_space *space);

/* Makes the lists after the count that gave `visits`, < 2^32. Errors: MEMORY (the sort's histograms). */
carom_status carom_guests_list_f32(const carom_team *team, const carom_simd *simd, carom_memory *memory,
                                   carom_radix_sort *sort, const carom_plan *plan, const carom_record_f32 *wide,
                                   uint32_t count, uint64_t visits, const carom_guest_space *space);
carom_status carom_guests_list_f64(const carom_team *team, const carom_simd *simd, carom_memory *memory,
                                   carom_radix_sort *sort, const carom_plan *plan, const carom_record_f64 *wide,
                                   uint32_t count, uint64_t visits, const carom_guest_space *space);

#endif
