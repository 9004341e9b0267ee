/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies that touch in a step, each with constant velocity, become one when it ends. */
#ifndef CAROM_WORLD_MERGE_H
#define CAROM_WORLD_MERGE_H

#include "kernel/world/mover.h"
#include "kernel/world/table.h"
#include "kernel/world/touch_groups.h"
#include "kernel/world/touches.h"

/* Zero-initialise before the first use. */
typedef struct carom_merge {
    carom_touches touches;
    carom_touch_groups groups;
    carom_buffer sums; /* of each group, at its first member */
    uint64_t merged;   /* bodies that will be gone */
} carom_merge;

/* Finds who touches, and what becomes of each group, of bodies that the mover has loaded and checked. Changes nothing
 * of the table's. Errors: BODY (a sum is beyond what the precision holds, or a group would meet its own image), MEMORY,
 * CANCELLED. */
carom_status carom_merge_find(carom_merge *merge, carom_mover *mover, const carom_world_table *table,
                              carom_error *error);

/* The pairs that touch, as impacts. */
carom_mover_impacts carom_merge_touches(const carom_merge *merge);

/* Makes each group one body, the first; the mover has stored their ends. */
void carom_merge_apply(const carom_merge *merge, const carom_mover *mover, carom_world_table *table);

void carom_merge_release(carom_merge *merge, carom_memory *memory);

#endif
