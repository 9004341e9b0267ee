/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A sorted cell of which only some entries are swept. In: boxes in the order of the sweep. Out: the same with the
 * leading entries in front. A leading box is held against all leading ones after it, and against the others that begin
 * before it ends: those that begin before it too, which a sweep in one order would find from the other side. */
#include <string.h>

#include "kernel/broad/cell.h"
#include "kernel/check/assert.h"

/* Moves the elements of one array, four bytes each. */
static void move_elements(const uint32_t *before, uint32_t count, char *array, char *spare) {
    const uint32_t leading = count - before[count];
    for (uint32_t n = 0; n < count; n++) {
        const bool leads = before[n + 1] == before[n];
        char *to = leads ? array + (uint64_t)(n - before[n]) * sizeof(uint32_t)
                         : spare + (uint64_t)before[n] * sizeof(uint32_t);
        memcpy(to, array + (uint64_t)n * sizeof(uint32_t), sizeof(uint32_t));
    }
    memcpy(array + (uint64_t)leading * sizeof(uint32_t), spare, (uint64_t)before[count] * sizeof(uint32_t));
}

uint32_t carom_cell_lead(carom_cell_workspace *workspace) {
    const uint32_t *before = workspace->key;
    carom_boxes *boxes = &workspace->boxes;
    const uint32_t leading = boxes->count - before[boxes->count];
    char *spare = (char *)workspace->low;
    CAROM_ASSERT(before[0] == 0 && before[boxes->count] <= boxes->count);
    for (uint32_t n = 0; n < boxes->count; n++) {
        boxes->end[n] = leading + before[boxes->end[n]];
    }
    for (int a = 0; a < 3; a++) {
        move_elements(before, boxes->count, (char *)boxes->lo[a], spare);
        move_elements(before, boxes->count, (char *)boxes->hi[a], spare);
    }
    move_elements(before, boxes->count, (char *)boxes->slot, spare);
    move_elements(before, boxes->count, (char *)boxes->earlier, spare);
    move_elements(before, boxes->count, (char *)boxes->end, spare);
    return leading;
}
