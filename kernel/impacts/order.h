/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* An order of bodies in which those near in space lie near in memory: that of Morton's curve through cells. A step has
 * the same results in any order, and is fastest in this one. It is kept from step to step until bodies have mixed. */
#ifndef CAROM_IMPACTS_ORDER_H
#define CAROM_IMPACTS_ORDER_H

#include "kernel/store/context.h"

/* Zero-initialise before the first use. */
typedef struct carom_order {
    uint32_t *number; /* for each slot, the body that lies there */
    uint32_t *slot;   /* for each body, its slot; NULL where bodies move */
    uint64_t count;
    bool fresh;   /* made by the last call */
    bool crowded; /* bodies were too crowded for cells of a coarse order when the last one was made */
    double apart; /* mean distance from slot to slot when the order was made */
    carom_buffer number_buffer;
    carom_buffer slot_buffer;
    carom_buffer spare_number;
    carom_buffer key;
    carom_buffer spare_key;
} carom_order;

/* Where bodies are. Called by several threads at once. */
typedef struct carom_order_source {
    uint64_t count;
    void (*position)(const void *bodies, uint64_t n, double x[3]);
    const void *bodies;
    bool move; /* after a call that makes an order: then body n is the one in slot n, and `number` says no more */
} carom_order_source;

/* Makes sure that there is an order of source->count bodies that is not much worse than a new one. Errors: MEMORY, then
 * there is none; CANCELLED, likewise. */
carom_status carom_order_renew(carom_order *order, carom_memory *memory, carom_context *context,
                               const carom_order_source *source);

/* Whether bodies lie in no order of space: those that follow one another are about as far apart as any two. */
bool carom_order_is_mixed(const carom_order_source *source);

/* Makes the next order a new one. */
void carom_order_forget(carom_order *order);

void carom_order_release(carom_order *order, carom_memory *memory);

#endif
