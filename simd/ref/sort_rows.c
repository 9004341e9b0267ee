/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: each number goes where it belongs. */
#include "simd/check.h"
#include "simd/declare.h"

#define carom_sort_rows_twin CAROM_TWIN_OF(sort_rows)

static void sort_row(const uint32_t *packed, uint32_t length, uint32_t *row) {
    for (uint32_t n = 0; n < length; n++) {
        uint32_t at = n;
        for (; at > 0 && row[at - 1] > packed[n]; at--) {
            row[at] = row[at - 1];
        }
        row[at] = packed[n];
    }
}

void carom_sort_rows_twin(const uint32_t *packed, const uint32_t *length, uint32_t rows, uint32_t *const *row) {
    for (uint32_t n = 0; n < rows; n++) {
        sort_row(packed + n * CAROM_HIT_ROW_ROOM, length[n], row[n]);
    }
}
