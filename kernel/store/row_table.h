/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A table of contact rows: one allocation in which each field is an array of its own. The table grows; nothing is ever
 * cut off. When memory gives out the caller counts on and learns the exact number of rows. */
#ifndef CAROM_STORE_ROW_TABLE_H
#define CAROM_STORE_ROW_TABLE_H

#include <stdint.h>

#include "carom/status.h"
#include "kernel/sys/memory.h"

/* Fields of a row by number: i, k; t_ca, distance, t_toi, normal (3), point (3); shifts (3). */
enum { CAROM_PAIR_FIELDS = 2, CAROM_ROW_FIELDS = 11, CAROM_SHIFT_FIELD = CAROM_ROW_FIELDS, CAROM_FIELDS_ALL = 14 };
enum { CAROM_TIME_FIELD = 4 }; /* t_toi, which is rounded down */

/* Which fields a row has. */
typedef struct carom_row_shape {
    uint32_t fields;    /* CAROM_PAIR_FIELDS or CAROM_ROW_FIELDS */
    uint32_t real_size; /* bytes of a real number: 4 or 8 */
    uint32_t shifts;    /* 3 in a periodic box, else 0. Growing copies no shifts: they are filled in at the end */
} carom_row_shape;

typedef struct carom_row_table {
    carom_buffer block; /* all fields, one after the other */
    uint64_t capacity;  /* rows, a multiple of 16 */
} carom_row_table;

/* Bytes of `capacity` rows, a multiple of 16 so that every field starts on a cache line; and `rows` rounded up to
 * one. */
uint64_t carom_row_table_bytes(carom_row_shape shape, uint64_t capacity);
uint64_t carom_row_table_round(uint64_t rows);

/* Start of a field's array in a block of `capacity` rows, at row `at`. NULL if the shape lacks the field or the block
 * is NULL. */
void *carom_row_table_field(carom_row_shape shape, void *block, uint64_t capacity, uint32_t field, uint64_t at);

/* Bytes of one value of a field. */
uint32_t carom_row_table_field_size(carom_row_shape shape, uint32_t field);

/* Makes room for `count` rows; the contents are lost. Errors: MEMORY, the table then empty. */
carom_status carom_row_table_reserve(carom_row_table *table, carom_memory *memory, carom_row_shape shape,
                                     uint64_t count);

/* Makes room for `count` rows and keeps the first `keep`. Takes room for `predicted` rows if memory allows, or for half
 * as many again as before where that is no more than `count`. Errors: MEMORY, the table then unchanged. */
carom_status carom_row_table_grow(carom_row_table *table, carom_memory *memory, carom_row_shape shape, uint64_t count,
                                  uint64_t predicted, uint64_t keep);

void carom_row_table_release(carom_row_table *table, carom_memory *memory);

#endif
