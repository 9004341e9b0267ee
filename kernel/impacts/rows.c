/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: rows, and pairs that are found later. Out: rows with these. */
#include "kernel/impacts/rows.h"

static carom_status add_one(carom_impacts_rows *rows, carom_memory *memory, uint32_t slot, uint32_t other,
                            uint32_t image) {
    if (rows->extras.count >= CAROM_IMPACTS_NONE ||
        !carom_list_reserve(memory, &rows->extras, 1, sizeof(carom_row_extra))) {
        return CAROM_ERROR_MEMORY;
    }
    ((carom_row_extra *)rows->extras.buffer.data)[rows->extras.count] =
        (carom_row_extra){other, image, rows->head[slot].extra};
    rows->head[slot].extra = (uint32_t)rows->extras.count++;
    return CAROM_OK;
}

carom_status carom_rows_add(carom_impacts_rows *rows, carom_memory *memory, const carom_contact_pair *pair) {
    carom_status status = add_one(rows, memory, pair->a, pair->other, pair->image);
    if (status == CAROM_OK && !carom_impacts_is_surface(pair->other)) {
        status = add_one(rows, memory, pair->other, pair->a, carom_image_opposite(pair->image));
    }
    return status;
}

bool carom_rows_have(const carom_impacts_rows *rows, const carom_contact_pair *pair) {
    carom_row_walk row = carom_row_begin(rows, pair->a);
    while (carom_row_next(rows, &row)) {
        if (row.other == pair->other && row.image == pair->image) {
            return true;
        }
    }
    return false;
}

void carom_rows_release(carom_impacts_rows *rows, carom_memory *memory) {
    carom_buffer *buffers[] = {&rows->head_buffer,   &rows->cursor_buffer, &rows->other_buffer, &rows->image_buffer,
                               &rows->extras.buffer, &rows->longs.buffer,  &rows->noted.buffer};
    for (size_t n = 0; n < sizeof buffers / sizeof *buffers; n++) {
        carom_buffer_release(memory, buffers[n]);
    }
}
