/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a block of rows and its shape. Out: pointers to its columns. */
#include "kernel/store/row_table_tmpl.h"

#include <string.h>

/* The fields of a row are the members of carom_contacts in their order. */
_Static_assert(sizeof(carom_contacts) == CAROM_CONTACT_FIELDS * sizeof(void *), "one pointer a field");

carom_contacts carom_row_table_view(carom_row_shape shape, void *block, uint64_t capacity, uint64_t at) {
    void *field[CAROM_CONTACT_FIELDS];
    carom_contacts rows;
    for (uint32_t f = 0; f < CAROM_CONTACT_FIELDS; f++) {
        field[f] = carom_row_table_field(shape, block, capacity, f, at);
    }
    memcpy(&rows, field, sizeof rows);
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
