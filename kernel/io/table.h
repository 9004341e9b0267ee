/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Rows of numbers on their way into a file: columns described once, written as CSV with a header line or as a NumPy
 * array of records (.npy, version 1, packed, little-endian) whose fields have the columns' names. */
#ifndef CAROM_IO_TABLE_H
#define CAROM_IO_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { CAROM_TABLE_COLUMNS_MAX = 10 };

typedef enum carom_column_type {
    CAROM_COLUMN_U32,
    CAROM_COLUMN_I32,
    CAROM_COLUMN_F32,
    CAROM_COLUMN_F64,
    CAROM_COLUMN_U64 /* data NULL: 0, 1, ... */
} carom_column_type;

/* A number, or a vector: in CSV three columns name_x, name_y, name_z, in a record one field of three. */
typedef struct carom_column {
    const char *name;
    carom_column_type type;
    int axes;              /* 1 or 3 */
    const void *data[3];   /* of each axis, of the column's type */
    const uint32_t *index; /* row n is data[.][index[n]]; NULL: data[.][n] */
} carom_column;

typedef struct carom_table {
    uint64_t rows; /* of the arrays */
    int columns;
    int required; /* of this column, of reals, rows that are NaN are left out; -1: none are */
    int digits;   /* of reals in CSV; 0: as many as read back to the same float or double */
    carom_column column[CAROM_TABLE_COLUMNS_MAX];
} carom_table;

/* Adds a column of numbers, or of vectors, to a table. Arrays belong to the caller. */
void carom_table_number(carom_table *table, const char *name, carom_column_type type, const void *data);
void carom_table_vector(carom_table *table, const char *name, carom_column_type type, const void *x, const void *y,
                        const void *z);

/* Rows that are written. */
uint64_t carom_table_count(const carom_table *table);

/* Write the table. A NaN is an empty field in CSV. A failed write ends them early; ferror then says so. */
void carom_table_csv(FILE *file, const carom_table *table);
void carom_table_npy(FILE *file, const carom_table *table);

/* The head of an .npy file: `descr` and `shape` as Python writes them. The data then begin at a multiple of 64. */
void carom_table_npy_head(FILE *file, const char *descr, const char *shape);

/* Puts a value's bytes, the least significant first. Returns where the next goes. */
unsigned char *carom_table_put_u32(unsigned char *to, uint32_t value);
unsigned char *carom_table_put_u64(unsigned char *to, uint64_t value);
unsigned char *carom_table_put_f32(unsigned char *to, float value);
unsigned char *carom_table_put_f64(unsigned char *to, double value);

#endif
