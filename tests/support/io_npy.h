/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Makes .npy files byte by byte, as NumPy would. */
#ifndef CAROM_TESTS_IO_NPY_H
#define CAROM_TESTS_IO_NPY_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/support/io_files.h"

typedef struct io_npy {
    int version;       /* 1, 2, 3 */
    const char *descr; /* "<f4", ">f8", ... */
    bool fortran;
    uint64_t rows;
    uint64_t columns;
    const double *value; /* rows x columns, a row after the other */
} io_npy;

/* The file's bytes, to be released. */
io_bytes io_npy_make(const io_npy *array);

/* Only the header's dictionary is given; no data follow it. */
io_bytes io_npy_header(int version, const char *dictionary);

#endif
