/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a block of rows and its shape. Out: pointers to its columns. */
#include "kernel/store/row_table_tmpl.h"

#include <string.h>

#include "kernel/check/assert.h"

/* The fields of a row are the members of carom_contacts in their order. */
_Static_assert(sizeof(carom_contacts) == CAROM_CONTACT_FIELDS * sizeof(void *), "one pointer a field");

/* Fields go straight to where they stay: a struct copied from the stack waits for what has just been stored. */
void carom_row_table_set_view(carom_row_shape shape, void *block, uint64_t capacity, uint64_t at,
                              carom_contacts *rows) {
    CAROM_ASSERT(at <= capacity && shape.real_size == sizeof(carom_real));
    memset(rows, 0, sizeof *rows);
    if (block == NULL) {
        return;
    }
    carom_real *reals = (carom_real *)(void *)((uint32_t *)block + CAROM_PAIR_FIELDS * capacity) + at;
    rows->i = (uint32_t *)block + at;
    rows->k = rows->i + capacity;
    if (shape.fields == CAROM_ROW_FIELDS) {
        rows->t_ca = reals;
        rows->distance = reals + capacity;
        rows->t_toi = reals + 2 * capacity;
        for (uint64_t a = 0; a < 3; a++) {
            rows->normal[a] = reals + (3 + a) * capacity;
            rows->point[a] = reals + (6 + a) * capacity;
        }
    }
    for (uint32_t a = 0; a < shape.shifts; a++) {
        rows->shift[a] = carom_row_table_field(shape, block, capacity, CAROM_SHIFT_FIELD + a, at);
    }
    CAROM_ASSERT((void *)rows->point[2] == carom_row_table_field(shape, block, capacity, CAROM_SHIFT_FIELD - 1, at));
}

carom_contacts carom_row_table_view(carom_row_shape shape, void *block, uint64_t capacity, uint64_t at) {
    carom_contacts rows;
    carom_row_table_set_view(shape, block, capacity, at, &rows);
    return rows;
}

bool carom_row_table_columns(const carom_contacts *rows, void *field[CAROM_CONTACT_FIELDS]) {
    bool any = false;
    memcpy(field, rows, sizeof *rows);
    for (uint32_t f = 0; f < CAROM_CONTACT_FIELDS; f++) {
        any |= field[f] != NULL;
    }
    return any;
}
