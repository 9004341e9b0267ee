/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A table of contact rows as arrays of their types, for one precision, and the check of finished rows. */
#ifndef CAROM_STORE_ROW_TABLE_TMPL_H
#define CAROM_STORE_ROW_TABLE_TMPL_H

#include "kernel/store/row_table.h"
#include "simd/precision.h"

#define carom_row_table_set_view CAROM_REAL(carom_row_table_set_view)
#define carom_row_table_view CAROM_REAL(carom_row_table_view)
#define carom_row_table_columns CAROM_REAL(carom_row_table_columns)
#define carom_row_table_validate_rows CAROM_REAL(carom_row_table_validate_rows)

/* Pointers to the columns of a block of `capacity` rows, at row `at`. Columns that the shape lacks are NULL. */
void carom_row_table_set_view(carom_row_shape shape, void *block, uint64_t capacity, uint64_t at, carom_contacts *rows);
carom_contacts carom_row_table_view(carom_row_shape shape, void *block, uint64_t capacity, uint64_t at);

/* The pointers of `rows` by the number of their field. Returns whether any is not NULL. */
bool carom_row_table_columns(const carom_contacts *rows, void *field[CAROM_CONTACT_FIELDS]);

/* What is wrong with the first `count` rows when they are finished, `bodies` being the number of the caller's bodies;
 * NULL if nothing is. Rows without contacts have NULL for t_ca. self_images: a row may join a body to itself. depths:
 * distances are signed, as those of shapes are. floats: values are rounded to floats. */
const char *carom_row_table_validate_rows(const carom_contacts *rows, uint64_t count, uint64_t bodies, bool self_images,
                                          bool depths, bool floats);

#endif
