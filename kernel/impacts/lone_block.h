/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Lone pairs whose impacts wait until there are as many as the kernel `collide` takes. */
#ifndef CAROM_IMPACTS_LONE_BLOCK_H
#define CAROM_IMPACTS_LONE_BLOCK_H

#include "kernel/impacts/lone_pair.h"

struct carom_lone_block {
    const carom_window *window;
    uint32_t worker; /* whose block it is */
    uint32_t count;
    carom_lone_impact lone[CAROM_COLLIDE_MOST];
    carom_collide_block bodies;
};

/* Begins an empty block. */
void carom_lone_block_begin(carom_lone_block *block, const carom_window *window, uint32_t worker);

/* Simulates a pair until the window ends, now or with others. Sets the worker's `failed` if there is no memory. */
void carom_lone_block_simulate(carom_lone_block *block, const carom_lone_pair *pair);

/* Lets the impacts that wait happen. */
void carom_lone_block_run(carom_lone_block *block);

#endif
