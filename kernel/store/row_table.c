/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* First the layout: field after field, each an array of `capacity` values. Then room for rows: reserved, grown,
 * released. */
#include "kernel/store/row_table.h"

#include <stdbool.h>
#include <string.h>

#include "kernel/check/assert.h"

uint64_t carom_row_table_round(uint64_t rows) {
    return carom_size_add(rows, CAROM_ROW_MULTIPLE - 1) / CAROM_ROW_MULTIPLE * CAROM_ROW_MULTIPLE;
}

uint32_t carom_row_table_field_size(carom_row_shape shape, uint32_t field) {
    return field < CAROM_PAIR_FIELDS || field >= CAROM_SHIFT_FIELD ? (uint32_t)sizeof(uint32_t) : shape.real_size;
}

/* Bytes of a row's first `fields` fields: 32-bit indices, then real numbers. */
static uint64_t leading_bytes(carom_row_shape shape, uint32_t fields) {
    return fields < CAROM_PAIR_FIELDS
               ? fields * sizeof(uint32_t)
               : CAROM_PAIR_FIELDS * sizeof(uint32_t) + (uint64_t)(fields - CAROM_PAIR_FIELDS) * shape.real_size;
}

uint64_t carom_row_table_bytes(carom_row_shape shape, uint64_t capacity) {
    return carom_size_multiply(capacity,
                               leading_bytes(shape, shape.fields) + (shape.shifts + shape.children) * sizeof(int32_t));
}

static bool has_field(carom_row_shape shape, uint32_t field) {
    return field >= CAROM_CHILD_FIELD   ? field - CAROM_CHILD_FIELD < shape.children
           : field >= CAROM_SHIFT_FIELD ? field - CAROM_SHIFT_FIELD < shape.shifts
                                        : field < shape.fields;
}

void *carom_row_table_field(carom_row_shape shape, void *block, uint64_t capacity, uint32_t field, uint64_t at) {
    const bool last = field >= CAROM_SHIFT_FIELD; /* behind the contact: shifts, then children */
    CAROM_ASSERT(field < CAROM_FIELDS_ALL && at <= capacity && capacity % CAROM_ROW_MULTIPLE == 0);
    if (block == NULL || !has_field(shape, field)) {
        return NULL;
    }
    const uint32_t skipped = field < CAROM_CHILD_FIELD ? CAROM_SHIFT_FIELD : CAROM_CHILD_FIELD - shape.shifts;
    const uint64_t before =
        leading_bytes(shape, last ? shape.fields : field) + (last ? (field - skipped) * sizeof(int32_t) : 0);
    return (char *)block + before * capacity + at * carom_row_table_field_size(shape, field);
}

carom_status carom_row_table_reserve(carom_row_table *rows, carom_memory *memory, carom_row_shape shape,
                                     uint64_t count) {
    uint64_t capacity = carom_row_table_round(count);
    carom_status status = carom_buffer_reserve(memory, &rows->block, carom_row_table_bytes(shape, capacity));
    /* A block that is larger than asked for, from an earlier call, holds more rows. */
    const uint64_t batch = carom_row_table_bytes(shape, CAROM_ROW_MULTIPLE);
    rows->capacity = status == CAROM_OK ? rows->block.bytes / batch * CAROM_ROW_MULTIPLE : 0;
    CAROM_VALIDATE(carom_row_table_validate(rows, shape));
    return status;
}

/* Field by field, since the fields move apart. Returns false if the call is to stop: fields may be large. */
static bool copy_rows(const carom_row_table *from, const carom_row_table *to, carom_control *control,
                      carom_row_shape shape, uint64_t rows) {
    for (uint32_t f = 0; f < CAROM_FIELDS_ALL && rows > 0 && !carom_control_look(control); f++) {
        const void *field = carom_row_table_field(shape, from->block.data, from->capacity, f, 0);
        if (field != NULL) {
            memcpy(carom_row_table_field(shape, to->block.data, to->capacity, f, 0), field,
                   rows * carom_row_table_field_size(shape, f));
        }
    }
    return !carom_control_stopped(control);
}

carom_status carom_row_table_grow(carom_row_table *rows, carom_memory *memory, carom_control *control,
                                  carom_row_shape shape, uint64_t count, uint64_t predicted, uint64_t keep) {
    CAROM_ASSERT(keep <= rows->capacity && keep <= count);
    CAROM_VALIDATE(carom_row_table_validate(rows, shape));
    if (count <= rows->capacity) {
        return CAROM_OK;
    }
    uint64_t half_more = rows->capacity + rows->capacity / 2;
    uint64_t wanted[2] = {predicted > count ? predicted : half_more > count ? half_more : count, count};
    for (int attempt = 0; attempt < 2; attempt++) {
        /* Both tables exist at once here. */
        carom_row_table larger = {{NULL, 0}, 0};
        if (carom_row_table_reserve(&larger, memory, shape, wanted[attempt]) != CAROM_OK) {
            continue;
        }
        const bool copied = copy_rows(rows, &larger, control, shape, keep);
        carom_row_table_release(copied ? rows : &larger, memory);
        *rows = copied ? larger : *rows;
        return copied ? CAROM_OK : CAROM_ERROR_CANCELLED;
    }
    return CAROM_ERROR_MEMORY;
}

void carom_row_table_release(carom_row_table *rows, carom_memory *memory) {
    carom_buffer_release(memory, &rows->block);
    rows->capacity = 0;
}
