/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/support/io_npy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

enum { HEADER_ROOM = 512, ALIGNMENT = 64 };

/* Magic, version, length of what follows, the dictionary, blanks up to a multiple of 64, a line end. Returns where the
 * data begin. */
static size_t put_header(char *to, int version, const char *dictionary) {
    const size_t fixed = version == 1 ? 10 : 12;
    const size_t length = strlen(dictionary);
    const size_t total = (fixed + length + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    const size_t rest = total - fixed;
    assert_true(total <= HEADER_ROOM);
    memset(to, ' ', total);
    memcpy(to, "\x93NUMPY", 6);
    to[6] = (char)version;
    to[7] = 0;
    for (size_t byte = 8; byte < fixed; byte++) {
        to[byte] = (char)(rest >> (8 * (byte - 8)) & 0xFF);
    }
    memcpy(to + fixed, dictionary, length);
    to[total - 1] = '\n';
    return total;
}

/* A number's bytes, the least first, or last if big. */
static void put_number(char *to, double value, int size, bool big) {
    uint64_t bits;
    const float narrow = (float)value;
    uint32_t narrow_bits;
    memcpy(&bits, &value, sizeof bits);
    memcpy(&narrow_bits, &narrow, sizeof narrow_bits);
    bits = size == 4 ? narrow_bits : bits;
    for (int byte = 0; byte < size; byte++) {
        to[big ? size - 1 - byte : byte] = (char)(bits >> (8 * byte) & 0xFF);
    }
}

io_bytes io_npy_make(const io_npy *array) {
    char dictionary[256];
    const int size = array->descr[2] - '0';
    const uint64_t numbers = array->rows * array->columns;
    io_bytes bytes = {.data = malloc(HEADER_ROOM + numbers * (uint64_t)size)};
    assert_non_null(bytes.data);
    snprintf(dictionary, sizeof dictionary, "{'descr': '%s', 'fortran_order': %s, 'shape': (%llu, %llu), }",
             array->descr, array->fortran ? "True" : "False", (unsigned long long)array->rows,
             (unsigned long long)array->columns);
    bytes.size = put_header(bytes.data, array->version, dictionary);
    for (uint64_t n = 0; n < numbers; n++) {
        const uint64_t row = array->fortran ? n % array->rows : n / array->columns;
        const uint64_t column = array->fortran ? n / array->rows : n % array->columns;
        put_number(bytes.data + bytes.size, array->value[row * array->columns + column], size, array->descr[0] == '>');
        bytes.size += (size_t)size;
    }
    return bytes;
}

io_bytes io_npy_header(int version, const char *dictionary) {
    io_bytes bytes = {.data = malloc(HEADER_ROOM)};
    assert_non_null(bytes.data);
    bytes.size = put_header(bytes.data, version, dictionary);
    return bytes;
}
