/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a block of rows and its shape. Out: pointers to its columns. */
#include "kernel/store/row_table_tmpl.h"

carom_contact_rows carom_row_table_view(carom_row_shape shape, void *block, uint64_t capacity, uint64_t at) {
    void *field[CAROM_ROW_FIELDS];
    for (uint32_t f = 0; f < CAROM_ROW_FIELDS; f++) {
        field[f] = carom_row_table_field(shape, block, capacity, f, at);
    }
    return (carom_contact_rows){.i = field[0],
                                .k = field[1],
                                .t_ca = field[2],
                                .distance = field[3],
                                .t_toi = field[4],
                                .normal = {field[5], field[6], field[7]},
                                .point = {field[8], field[9], field[10]}};
}
