/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/io/table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kernel/check/assert.h"

/* Digits that read back to the same float, to the same double. */
enum { FLOAT_DIGITS = 9, DOUBLE_DIGITS = 17 };

/* Bytes of the description of all fields, of one, and of the largest record. */
enum { DESCR_SIZE = 512, FIELD_SIZE = 64, RECORD_SIZE = CAROM_TABLE_COLUMNS_MAX * 3 * 8 };

/* Bytes of an .npy file's head before its text, and what the sum of both is a multiple of. */
enum { HEAD_SIZE = 10, ALIGNMENT = 64 };

static const char *const axis_names[3] = {"_x", "_y", "_z"};

void carom_table_vector(carom_table *table, const char *name, carom_column_type type, const void *x, const void *y,
                        const void *z) {
    CAROM_ASSERT(table->columns < CAROM_TABLE_COLUMNS_MAX);
    table->column[table->columns++] = (carom_column){.name = name, .type = type, .axes = 3, .data = {x, y, z}};
}

void carom_table_number(carom_table *table, const char *name, carom_column_type type, const void *data) {
    carom_table_vector(table, name, type, data, NULL, NULL);
    table->column[table->columns - 1].axes = 1;
}

/* A value of a column of reals. */
static double real_at(const carom_column *column, int axis, uint64_t n) {
    CAROM_ASSERT(column->type == CAROM_COLUMN_F32 || column->type == CAROM_COLUMN_F64);
    return column->type == CAROM_COLUMN_F32 ? (double)((const float *)column->data[axis])[n]
                                            : ((const double *)column->data[axis])[n];
}

static uint64_t number_at(const carom_column *column, int axis, uint64_t n) {
    const uint64_t *data = column->data[axis];
    return data != NULL ? data[n] : n;
}

static bool is_written(const carom_table *table, uint64_t n) {
    return table->required < 0 || !isnan(real_at(&table->column[table->required], 0, n));
}

uint64_t carom_table_count(const carom_table *table) {
    uint64_t count = table->required < 0 ? table->rows : 0;
    for (uint64_t n = 0; n < table->rows && table->required >= 0; n++) {
        count += is_written(table, n);
    }
    return count;
}

static void print_header(FILE *file, const carom_table *table) {
    for (int c = 0; c < table->columns; c++) {
        const carom_column *column = &table->column[c];
        for (int axis = 0; axis < column->axes; axis++) {
            fprintf(file, "%s%s%s", c + axis > 0 ? "," : "", column->name, column->axes == 3 ? axis_names[axis] : "");
        }
    }
    fputc('\n', file);
}

static void print_value(FILE *file, const carom_column *column, int axis, uint64_t n, int digits) {
    switch (column->type) {
    case CAROM_COLUMN_U32:
        fprintf(file, "%" PRIu32, ((const uint32_t *)column->data[axis])[n]);
        return;
    case CAROM_COLUMN_I32:
        fprintf(file, "%" PRId32, ((const int32_t *)column->data[axis])[n]);
        return;
    case CAROM_COLUMN_U64:
        fprintf(file, "%" PRIu64, number_at(column, axis, n));
        return;
    case CAROM_COLUMN_F32:
        digits = digits > 0 ? digits : FLOAT_DIGITS;
        break;
    case CAROM_COLUMN_F64:
        digits = digits > 0 ? digits : DOUBLE_DIGITS;
    }
    const double value = real_at(column, axis, n);
    if (!isnan(value)) {
        fprintf(file, "%.*g", digits, value);
    }
}

void carom_table_csv(FILE *file, const carom_table *table) {
    print_header(file, table);
    for (uint64_t n = 0; n < table->rows && !ferror(file); n++) {
        if (!is_written(table, n)) {
            continue;
        }
        for (int c = 0; c < table->columns; c++) {
            const carom_column *column = &table->column[c];
            const uint64_t from = column->index != NULL ? column->index[n] : n;
            for (int axis = 0; axis < column->axes; axis++) {
                if (c + axis > 0) {
                    fputc(',', file);
                }
                print_value(file, column, axis, from, table->digits);
            }
        }
        fputc('\n', file);
    }
}

unsigned char *carom_table_put_u32(unsigned char *to, uint32_t value) {
    for (int byte = 0; byte < 4; byte++) {
        *to++ = (unsigned char)(value >> (8 * byte));
    }
    return to;
}

unsigned char *carom_table_put_u64(unsigned char *to, uint64_t value) {
    return carom_table_put_u32(carom_table_put_u32(to, (uint32_t)value), (uint32_t)(value >> 32));
}

unsigned char *carom_table_put_f32(unsigned char *to, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return carom_table_put_u32(to, bits);
}

unsigned char *carom_table_put_f64(unsigned char *to, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return carom_table_put_u64(to, bits);
}

static unsigned char *put_value(unsigned char *to, const carom_column *column, int axis, uint64_t n) {
    switch (column->type) {
    case CAROM_COLUMN_U32:
        return carom_table_put_u32(to, ((const uint32_t *)column->data[axis])[n]);
    case CAROM_COLUMN_I32:
        return carom_table_put_u32(to, (uint32_t)((const int32_t *)column->data[axis])[n]);
    case CAROM_COLUMN_F32:
        return carom_table_put_f32(to, ((const float *)column->data[axis])[n]);
    case CAROM_COLUMN_F64:
        return carom_table_put_f64(to, ((const double *)column->data[axis])[n]);
    case CAROM_COLUMN_U64:
        return carom_table_put_u64(to, number_at(column, axis, n));
    }
    return to;
}

/* [('i', '<u4'), ('normal', '<f4', (3,))] */
static void describe(const carom_table *table, char descr[DESCR_SIZE]) {
    static const char *const types[] = {"<u4", "<i4", "<f4", "<f8", "<u8"};
    size_t used = 0;
    for (int c = 0; c < table->columns; c++) {
        const carom_column *column = &table->column[c];
        char field[FIELD_SIZE];
        const int length = snprintf(field, sizeof field, "%s('%s', '%s'%s)", c == 0 ? "[" : ", ", column->name,
                                    types[column->type], column->axes == 3 ? ", (3,)" : "");
        CAROM_ASSERT(length > 0 && length < FIELD_SIZE && used + (size_t)length + 1 < DESCR_SIZE);
        memcpy(descr + used, field, (size_t)length);
        used += (size_t)length;
    }
    memcpy(descr + used, "]", 2);
}

void carom_table_npy_head(FILE *file, const char *descr, const char *shape) {
    char text[DESCR_SIZE + 2 * FIELD_SIZE];
    const int length =
        snprintf(text, sizeof text, "{'descr': %s, 'fortran_order': False, 'shape': %s, }", descr, shape);
    CAROM_ASSERT(length > 0 && length < (int)sizeof text);
    /* Blanks and a newline fill it up. */
    const int filled = (HEAD_SIZE + length + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT - HEAD_SIZE;
    fputs("\x93NUMPY\x01", file);
    fputc(0, file);
    fputc(filled % 256, file);
    fputc(filled / 256, file);
    fprintf(file, "%s%*s\n", text, filled - 1 - length, "");
}

void carom_table_npy(FILE *file, const carom_table *table) {
    char descr[DESCR_SIZE];
    char shape[FIELD_SIZE];
    describe(table, descr);
    snprintf(shape, sizeof shape, "(%" PRIu64 ",)", carom_table_count(table));
    carom_table_npy_head(file, descr, shape);
    for (uint64_t n = 0; n < table->rows && !ferror(file); n++) {
        unsigned char record[RECORD_SIZE];
        unsigned char *to = record;
        for (int c = 0; c < table->columns && is_written(table, n); c++) {
            const carom_column *column = &table->column[c];
            for (int axis = 0; axis < column->axes; axis++) {
                to = put_value(to, column, axis, column->index != NULL ? column->index[n] : n);
            }
        }
        fwrite(record, 1, (size_t)(to - record), file);
    }
}
