/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A block of final rows on its way to the sink of either precision. */
#ifndef CAROM_STEP_BLOCKS_H
#define CAROM_STEP_BLOCKS_H

#include "carom/detect.h"
#include "kernel/narrow/contact_store.h"

typedef struct carom_row_block {
    carom_row_shape shape;
    void *rows; /* CAROM_BLOCK_ROWS of them, of which `count` are written */
    uint32_t count;
    uint64_t task;
    uint64_t part;
} carom_row_block;

/* Calls output->sink with the block and returns what it says. *hash, unless hash is NULL, grows by that of the rows. */
bool carom_blocks_hand_over_f32(const carom_detect_output_f32 *output, const carom_row_block *block, uint64_t *hash);
bool carom_blocks_hand_over_f64(const carom_detect_output_f64 *output, const carom_row_block *block, uint64_t *hash);

#endif
