/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A table of contact rows: a structure of arrays in one block of memory, where each field is an array of its own.
 *
 * The block grows, and no row is ever cut off. If memory gives out, detection goes on counting without storing, so that
 * the caller learns the exact number of rows and how much memory they need. */
#ifndef CAROM_STORE_ROW_TABLE_H
#define CAROM_STORE_ROW_TABLE_H

#include <stdint.h>

#include "carom/status.h"
#include "kernel/sys/control.h"
#include "kernel/sys/memory.h"

/* Fields of a row by number, in the order of carom_contacts_f32: i, k; t_ca, distance, t_toi, normal (3), point (3);
 * shift (3). child_i and child_k follow, which are not in carom_contacts_f32. Fields lie in the block in this order. */
enum {
    CAROM_PAIR_FIELDS = 2,
    CAROM_ROW_FIELDS = 11,
    CAROM_SHIFT_FIELD = CAROM_ROW_FIELDS,
    CAROM_CONTACT_FIELDS = 14,
    CAROM_CHILD_FIELD = CAROM_CONTACT_FIELDS,
    CAROM_FIELDS_ALL = 16
};

/* The field t_toi. Rounding to float rounds it down, so that no impact is late; it rounds the others to nearest. */
enum { CAROM_TIME_FIELD = 4 };

/* A capacity is a multiple of this many rows, so that every field begins on a cache line. */
enum { CAROM_ROW_MULTIPLE = 16 };

/* Which fields a row has. */
typedef struct carom_row_shape {
    uint32_t fields;    /* CAROM_PAIR_FIELDS or CAROM_ROW_FIELDS */
    uint32_t real_size; /* bytes of a real number: 4 or 8 */
    uint32_t shifts;    /* 3 in a periodic box, else 0. Growing copies no shifts: they are filled in after the rows */
    uint32_t children;  /* 2 if rows name children of compounds, else 0 */
} carom_row_shape;

/* The block and how many rows fit. Zero-initialise before the first use. */
typedef struct carom_row_table {
    carom_buffer block; /* all fields, one after the other */
    uint64_t capacity;  /* rows, a multiple of CAROM_ROW_MULTIPLE; 0 without a block */
} carom_row_table;

/* `rows` rounded up to a capacity. */
uint64_t carom_row_table_round(uint64_t rows);

/* Bytes of so many rows. */
uint64_t carom_row_table_bytes(carom_row_shape shape, uint64_t capacity);

/* Where row `at` of a field is in a block of `capacity` rows. NULL if the shape lacks the field or the block is NULL.
 * at <= capacity. */
void *carom_row_table_field(carom_row_shape shape, void *block, uint64_t capacity, uint32_t field, uint64_t at);

/* Bytes of one value of a field. */
uint32_t carom_row_table_field_size(carom_row_shape shape, uint32_t field);

/* Makes room for `count` rows; the contents are lost. Errors: MEMORY, the table then empty. */
carom_status carom_row_table_reserve(carom_row_table *table, carom_memory *memory, carom_row_shape shape,
                                     uint64_t count);

/* Makes room for `count` rows and keeps the first `keep`. If memory allows, it makes room for more: for `predicted`
 * rows where that is more than `count`, else for half as many again as before. `control`: of the call; may be NULL.
 * Errors: MEMORY, CANCELLED; the table is then unchanged. */
carom_status carom_row_table_grow(carom_row_table *table, carom_memory *memory, carom_control *control,
                                  carom_row_shape shape, uint64_t count, uint64_t predicted, uint64_t keep);

/* What is wrong with a table for rows of this shape; NULL if nothing is. */
const char *carom_row_table_validate(const carom_row_table *table, carom_row_shape shape);

/* Gives the block back. */
void carom_row_table_release(carom_row_table *table, carom_memory *memory);

#endif
