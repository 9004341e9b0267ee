/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A block of final rows on its way to the sink of either precision: the stages in double deliver floats, too, for a
 * periodic call. */
#ifndef CAROM_DETECT_RESULTS_SINK_H
#define CAROM_DETECT_RESULTS_SINK_H

#include "carom/detect.h"
#include "kernel/store/row_table.h"

typedef struct carom_row_block {
    carom_row_shape shape; /* which fields the rows have, and of which precision */
    void *rows;            /* a table of CAROM_BLOCK_ROWS rows */
    uint32_t count;        /* rows that are written: 1 to CAROM_BLOCK_ROWS */
    uint64_t task;         /* number of the task that found them */
    uint64_t part;         /* number of the block within the task */
} carom_row_block;

/* Calls output->sink with the block and returns what it says. Unless hash is NULL, adds the hash of the rows to it. */
bool carom_sink_deliver_f32(const carom_detect_output_f32 *output, const carom_row_block *block, uint64_t *hash);
bool carom_sink_deliver_f64(const carom_detect_output_f64 *output, const carom_row_block *block, uint64_t *hash);

#endif
