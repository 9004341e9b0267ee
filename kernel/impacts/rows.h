/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* For each body, the bodies that it may collide with: those whose hulls meet its own. */
#ifndef CAROM_IMPACTS_ROWS_H
#define CAROM_IMPACTS_ROWS_H

#include "carom/context.h"
#include "kernel/impacts/hulls.h"
#include "kernel/sys/memory.h"

typedef struct carom_impacts_rows {
    uint64_t *start; /* row of slot s is neighbour[start[s]] to neighbour[start[s + 1] - 1] */
    uint32_t *neighbour;
    carom_buffer start_buffer;
    carom_buffer neighbour_buffer;
    carom_buffer zeros; /* radii of boxes */
} carom_impacts_rows;

/* Makes the rows of `count` bodies; `context` searches. */
carom_status carom_impacts_rows_make(carom_impacts_rows *rows, carom_memory *memory, carom_context *context,
                                     const carom_hulls *hulls, uint32_t count, carom_error *error);

void carom_impacts_rows_release(carom_impacts_rows *rows, carom_memory *memory);

#endif
