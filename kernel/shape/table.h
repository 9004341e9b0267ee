/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The table of shapes: one block of memory, which never changes once it is made. */
#ifndef CAROM_SHAPE_TABLE_H
#define CAROM_SHAPE_TABLE_H

#include <stdbool.h>

#include "carom/context.h"
#include "carom/shapes.h"
#include "simd/posed.h"

struct carom_shapes {
    carom_allocator allocator; /* that the block comes from */
    uint64_t bytes;            /* of the block: this struct and all that it points to */
    uint64_t count;
    carom_shape_entry *entry;
    uint32_t *kind;          /* of each entry */
    const carom_hull **hull; /* of each entry; NULL: it is none */
    bool one_kind;           /* all entries are of the first one's */
    bool has_hulls;
    float (*box)[8]; /* of each entry, as simd/apart_boxes.h takes them; infinite where the shape is too large for
                        floats */
};

/* The table of shapes that have been checked. */
carom_status carom_shape_table_make(const carom_shape *shape, uint64_t count, const carom_allocator *allocator,
                                    carom_shapes **shapes, carom_error *error);

/* Releases a table, which is not NULL. */
void carom_shape_table_release(carom_shapes *shapes);

#endif
