/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The table of shapes: one block of memory. */
#ifndef CAROM_SHAPE_TABLE_H
#define CAROM_SHAPE_TABLE_H

#include "kernel/sys/memory.h"
#include "simd/posed.h"

struct carom_shapes {
    carom_memory memory;
    uint64_t count;
    carom_shape_entry *entry;
    uint64_t bytes; /* of the one block that holds the table and all that it points to */
};

#endif
