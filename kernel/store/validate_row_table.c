/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a table of rows and its shape. Out: NULL, or what is wrong with it. Looks at no row. */
#include <stdbool.h>

#include "kernel/store/row_table.h"

static bool is_shape(carom_row_shape shape) {
    return (shape.fields == CAROM_PAIR_FIELDS || shape.fields == CAROM_ROW_FIELDS) &&
           (shape.real_size == sizeof(float) || shape.real_size == sizeof(double)) &&
           (shape.shifts == 0 || shape.shifts == CAROM_CONTACT_FIELDS - CAROM_SHIFT_FIELD) &&
           (shape.children == 0 || shape.children == CAROM_FIELDS_ALL - CAROM_CHILD_FIELD);
}

/* Fields that the shape has follow one another without a gap or an overlap, each on a cache line. */
static const char *check_fields(const carom_row_table *table, carom_row_shape shape) {
    const char *end = table->block.data;
    for (uint32_t f = 0; f < CAROM_FIELDS_ALL; f++) {
        const char *field = carom_row_table_field(shape, table->block.data, table->capacity, f, 0);
        if (field == NULL) {
            continue;
        }
        if (field != end) {
            return "a field does not begin where the one before it ends";
        }
        if ((uintptr_t)field % CAROM_CACHE_LINE != 0) {
            return "a field does not begin on a cache line";
        }
        end = field + table->capacity * carom_row_table_field_size(shape, f);
    }
    return NULL;
}

const char *carom_row_table_validate(const carom_row_table *table, carom_row_shape shape) {
    if (!is_shape(shape)) {
        return "the shape is none of those that rows have";
    }
    if (table->capacity % CAROM_ROW_MULTIPLE != 0) {
        return "the capacity is not a multiple of 16 rows";
    }
    if (table->block.data == NULL) {
        return table->capacity != 0 ? "the table has room for rows but no block" : NULL;
    }
    if (table->block.bytes / carom_row_table_bytes(shape, 1) < table->capacity) {
        return "the block is too small for the capacity";
    }
    return check_fields(table, shape);
}
