/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* NumPy's .npy, versions 1 to 3: a two-dimensional array of f4 or f8, either byte order, C or Fortran order, with one
 * row for each body: 7 columns prev x y z, curr x y z, radius; 4 columns x y z, radius; 3 columns x y z. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kernel/io/readers.h"

/* Where the numbers are and how they are stored. */
typedef struct array {
    const unsigned char *data; /* the first number, not aligned */
    uint64_t rows;             /* bodies */
    uint64_t columns;          /* 3, 4 or 7 */
    uint32_t size;             /* of a number in bytes, 4 or 8 */
    bool swapped;              /* most significant byte first */
    bool fortran;              /* column after column; false: row after row */
} array;

/* An integer of `count` bytes, the least significant first. */
static uint64_t little(const unsigned char *bytes, int count) {
    uint64_t value = 0;
    for (int n = count - 1; n >= 0; n--) {
        value = value << 8 | bytes[n];
    }
    return value;
}

/* What follows 'key': in the header's dictionary. */
static bool find_entry(carom_text_span header, const char *key, carom_text_span *value) {
    size_t length = strlen(key);
    for (const char *at = header.begin; at + length < header.end; at++) {
        if (memcmp(at, key, length) == 0) {
            value->begin = at + length;
            value->end = header.end;
            while (value->begin < value->end && (*value->begin == ' ' || *value->begin == ':')) {
                value->begin++;
            }
            return true;
        }
    }
    return false;
}

/* '<f4': byte order, kind, bytes of a number. NumPy writes '=' never, others do. */
static bool parse_descr(carom_text_span value, array *a) {
    char order = '<';
    if (value.end - value.begin < 5 || (*value.begin != '\'' && *value.begin != '"')) {
        return false;
    }
    order = value.begin[1];
    a->size = (uint32_t)(value.begin[3] - '0');
    a->swapped = order == '>';
    return (order == '<' || order == '>' || order == '=') && value.begin[2] == 'f' && (a->size == 4 || a->size == 8) &&
           value.begin[4] == *value.begin;
}

/* A number of the tuple, after its parenthesis or comma. */
static bool parse_dimension(carom_text_span *value, uint64_t *dimension) {
    while (value->begin < value->end && (*value->begin == ' ' || *value->begin == ',' || *value->begin == '(')) {
        value->begin++;
    }
    carom_text_span digits = {value->begin, value->begin};
    while (digits.end < value->end && *digits.end >= '0' && *digits.end <= '9') {
        digits.end++;
    }
    value->begin = digits.end;
    int64_t parsed = 0;
    bool ok = carom_text_integer(digits, &parsed);
    *dimension = (uint64_t)parsed;
    return ok;
}

/* (rows, columns) and nothing more: three dimensions are no table of bodies. */
static bool parse_shape(carom_text_span value, array *a) {
    bool ok = parse_dimension(&value, &a->rows) && parse_dimension(&value, &a->columns);
    while (value.begin < value.end && (*value.begin == ' ' || *value.begin == ',')) {
        value.begin++;
    }
    return ok && value.begin < value.end && *value.begin == ')';
}

/* Magic, version, length, then a Python dictionary in ASCII. Nothing is believed before it is held against the
 * file's size: lengths and shapes of a damaged file must not lead outside. */
static carom_status parse_header(carom_reading *reading, array *a) {
    const unsigned char *data = (const unsigned char *)reading->text.data;
    uint64_t size = reading->text.size;
    if (size > 6 && (data[6] < 1 || data[6] > 3)) {
        return carom_text_fail(&reading->text, reading->error, 0, "version %d of the format is not read", data[6]);
    }
    /* Version 1 has a header length of two bytes, later ones four. */
    int length_bytes = size > 8 && data[6] >= 2 ? 4 : 2;
    uint64_t start = 8 + (uint64_t)length_bytes;
    uint64_t length = size >= start ? little(data + 8, length_bytes) : size;
    if (size < start || length > size - start) {
        return carom_text_fail(&reading->text, reading->error, 0, "the file ends within its header");
    }
    carom_text_span header = {reading->text.data + start, reading->text.data + start + length};
    carom_text_span value;
    a->data = data + start + length;
    if (!find_entry(header, "'descr'", &value) || !parse_descr(value, a)) {
        return carom_text_fail(&reading->text, reading->error, 0, "numbers must be f4 or f8");
    }
    a->fortran = find_entry(header, "'fortran_order'", &value) && carom_text_starts(value, "True");
    if (!find_entry(header, "'shape'", &value) || !parse_shape(value, a) ||
        (a->columns != 3 && a->columns != 4 && a->columns != 7)) {
        return carom_text_fail(&reading->text, reading->error, 0, "the shape must be (N, 7), (N, 4) or (N, 3)");
    }
    /* Divisions: the product of a hostile shape would wrap. */
    if (a->rows > (size - start - length) / a->size / a->columns) {
        return carom_text_fail(&reading->text, reading->error, 0, "the file ends before the last of %" PRIu64 " rows",
                               a->rows);
    }
    return CAROM_OK;
}

/* Byte by byte, so that neither alignment nor this machine's byte order matters. */
static double number_at(const array *a, uint64_t row, uint64_t column) {
    uint64_t index = a->fortran ? column * a->rows + row : row * a->columns + column;
    unsigned char bytes[8] = {0};
    for (uint32_t b = 0; b < a->size; b++) {
        bytes[b] = a->data[index * a->size + (a->swapped ? a->size - 1 - b : b)];
    }
    uint64_t bits = little(bytes, 8);
    if (a->size == 4) {
        uint32_t narrow = (uint32_t)bits;
        float value;
        memcpy(&value, &narrow, sizeof value);
        return (double)value;
    }
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A number that is not finite names its row; there are no lines. */
static carom_status read_number(const carom_reading *reading, const array *a, uint64_t row, uint64_t column,
                                const char *name, double *value) {
    *value = number_at(a, row, column);
    if (!isfinite(*value)) {
        return carom_text_fail(&reading->text, reading->error, 0, "row %" PRIu64 ": %s is not a finite number", row,
                               name);
    }
    return CAROM_OK;
}

static carom_status read_row(const carom_reading *reading, const array *a, uint64_t row) {
    static const char *const names[] = {"prev_x", "prev_y", "prev_z", "curr_x", "curr_y", "curr_z"};
    carom_frame *frame = reading->frame;
    carom_status status = CAROM_OK;
    for (uint64_t c = 0; c < (a->columns == 7 ? 6U : 3U) && status == CAROM_OK; c++) {
        status = read_number(reading, a, row, c, names[c], c < 3 ? &frame->prev[c][row] : &frame->curr[c - 3][row]);
    }
    if (status == CAROM_OK && frame->has_radius) {
        status = read_number(reading, a, row, a->columns - 1, "radius", &frame->radius[row]);
    }
    if (status == CAROM_OK && frame->has_radius && frame->radius[row] < 0.0) {
        return carom_text_fail(&reading->text, reading->error, 0, "row %" PRIu64 ": radius is negative: %g", row,
                               frame->radius[row]);
    }
    return status;
}

carom_status carom_npy_read(carom_reading *reading) {
    array a = {0};
    reading->frame->format = "npy";
    carom_status status = parse_header(reading, &a);
    if (status == CAROM_OK) {
        status = carom_reading_reserve(reading, a.rows, false, false);
    }
    reading->motion = a.columns == 7 ? CAROM_MOTION_POSITION : CAROM_MOTION_NONE;
    reading->frame->has_radius = a.columns != 3;
    for (uint64_t row = 0; row < a.rows && status == CAROM_OK; row++) {
        status = read_row(reading, &a, row);
    }
    return status;
}
