/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* NumPy's .npy files. */
#include <math.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/io_files.h"
#include "tests/support/io_groups.h"
#include "tests/support/io_npy.h"

static const double bodies[3][IO_FIELDS] = {
    {1, 2, 3, 4, 5, 6, 0.5}, {-1.5, 2.25, -3.125, 1e10, -1e-10, 0, 0.75}, {7, 8, 9, -0.0, 1.0 / 3, 1e30, 0}};

static io_bytes make(int version, const char *descr, bool fortran, uint64_t columns, const double *value) {
    const io_npy array = {version, descr, fortran, .rows = 3, .columns = columns, .value = value};
    return io_npy_make(&array);
}

/* Every version, size, byte order and index order holds the same bodies. */
static void all_kinds_of_arrays_are_read(void **state) {
    static const char *const descriptions[] = {"<f4", ">f4", "<f8", ">f8"};
    double narrow[3][IO_FIELDS];
    (void)state;
    for (int n = 0; n < 3 * IO_FIELDS; n++) {
        narrow[n / IO_FIELDS][n % IO_FIELDS] = (double)(float)bodies[n / IO_FIELDS][n % IO_FIELDS];
    }
    for (int kind = 0; kind < 3 * 4 * 2; kind++) {
        const char *descr = descriptions[kind / 2 % 4];
        io_bytes bytes = make(kind / 8 + 1, descr, kind % 2 != 0, IO_FIELDS, &bodies[0][0]);
        carom_frame frame = io_read(io_write(bytes.data, bytes.size), NULL);
        io_bytes_release(&bytes);
        io_expect_traits(&frame, (io_traits){"npy", .has_motion = true, .has_radius = true});
        io_expect_bodies(&frame, 3, descr[2] == '4' ? (const double(*)[IO_FIELDS])narrow : bodies);
        io_expect_names(&frame, NULL);
        io_expect_lines(&frame, NULL);
        carom_frame_release(&frame);
    }
}

/* Four columns: positions and radii. Three: positions. */
static void fewer_columns_are_bodies_at_rest(void **state) {
    const double four[3][4] = {{1, 2, 3, 0.5}, {4, 5, 6, 0.25}, {7, 8, 9, 0.125}};
    const double three[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    const double resting[2][3][IO_FIELDS] = {
        {{1, 2, 3, 1, 2, 3, 0.5}, {4, 5, 6, 4, 5, 6, 0.25}, {7, 8, 9, 7, 8, 9, 0.125}},
        {{1, 2, 3, 1, 2, 3, 2}, {4, 5, 6, 4, 5, 6, 2}, {7, 8, 9, 7, 8, 9, 2}}};
    (void)state;
    for (uint64_t columns = 3; columns <= 4; columns++) {
        const carom_read_options options = columns == 3 ? io_radius(2) : carom_read_options_default();
        io_bytes bytes = make(1, "<f8", true, columns, columns == 3 ? &three[0][0] : &four[0][0]);
        carom_frame frame = io_read(io_write(bytes.data, bytes.size), &options);
        io_bytes_release(&bytes);
        io_expect_traits(&frame, (io_traits){"npy", .has_radius = columns == 4});
        io_expect_bodies(&frame, 3, resting[columns == 4 ? 0 : 1]);
        carom_frame_release(&frame);
    }
}

static void no_rows_are_no_bodies(void **state) {
    const io_npy array = {1, "<f4", false, .rows = 0, .columns = 7};
    (void)state;
    io_bytes bytes = io_npy_make(&array);
    carom_frame frame = io_read(io_write(bytes.data, bytes.size), NULL);
    io_bytes_release(&bytes);
    io_expect_bodies(&frame, 0, NULL);
    carom_frame_release(&frame);
}

static void refuse_bytes(io_bytes bytes, const char *message) {
    io_refuse(io_write(bytes.data, bytes.size), NULL, CAROM_ERROR_FORMAT, message);
    io_bytes_release(&bytes);
}

#define F4 "{'descr': '<f4', 'fortran_order': False, "
#define NO_SHAPE ": the shape must be (N, 7), (N, 4) or (N, 3)"

static void bad_headers_are_refused(void **state) {
    static const struct {
        int version;
        const char *dictionary;
        const char *message;
    } bad[] = {
        {1, "{'descr': '<i4', 'shape': (3, 7)}", ": numbers must be f4 or f8"},
        {1, "{'descr': '<f2', 'shape': (3, 7)}", ": numbers must be f4 or f8"},
        {1, "{'descr': '<f16', 'shape': (3, 7)}", ": numbers must be f4 or f8"},
        {1, "{'descr': [('x', '<f4')], 'shape': (3, 7)}", ": numbers must be f4 or f8"},
        {1, "{'shape': (3, 7)}", ": numbers must be f4 or f8"},
        {1, F4 "}", NO_SHAPE},
        {1, F4 "'shape': (21,)}", NO_SHAPE},
        {1, F4 "'shape': ()}", NO_SHAPE},
        {1, F4 "'shape': (3, 5)}", NO_SHAPE},
        {1, F4 "'shape': (3, 7, 1)}", NO_SHAPE},
        {1, F4 "'shape': (-3, 7)}", NO_SHAPE},
        {1, F4 "'shape': (3, 7", NO_SHAPE},
        {1, F4 "'shape': (99999999999999999999, 7)}", NO_SHAPE},
        {1, F4 "'shape': (3, 7)}", ": the file ends before the last of 3 rows"},
        {1, F4 "'shape': (1000000000000000000, 7)}", ": the file ends before the last of 1000000000000000000 rows"},
        {1, F4 "'shape': (9223372036854775807, 3)}", ": the file ends before the last of 9223372036854775807 rows"},
        {4, F4 "'shape': (0, 7)}", ": version 4 of the format is not read"},
    };
    (void)state;
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        refuse_bytes(io_npy_header(bad[n].version, bad[n].dictionary), bad[n].message);
    }
    io_refuse(io_write("\x93NUMPY", 6), NULL, CAROM_ERROR_FORMAT, ": the file ends within its header");
    io_refuse(io_write("\x93NUMPY\x01\0\xFF\xFF{}", 12), NULL, CAROM_ERROR_FORMAT, ": the file ends within its header");
    io_refuse(io_write("\x93NUMPY\x02\0\xFF\xFF\xFF\xFF{}", 14), NULL, CAROM_ERROR_FORMAT,
              ": the file ends within its header");
}

/* Wherever a file ends. */
static void files_cut_short_are_refused(void **state) {
    (void)state;
    io_bytes whole = make(1, "<f8", false, IO_FIELDS, &bodies[0][0]);
    const size_t header = whole.size - 3 * IO_FIELDS * sizeof(double);
    for (size_t left = 6; left < whole.size; left++) {
        io_refuse(io_write(whole.data, left), NULL, CAROM_ERROR_FORMAT,
                  left < header ? ": the file ends within its header" : ": the file ends before the last of 3 rows");
    }
    io_bytes_release(&whole);
}

/* A binary file has no lines: the message names the row. */
static void bad_numbers_are_refused(void **state) {
    static const struct {
        int place;
        double value;
        const char *message;
    } bad[] = {
        {0, (double)NAN, ": row 0: prev_x is not a finite number"},
        {7 + 4, (double)INFINITY, ": row 1: curr_y is not a finite number"},
        {14 + 6, (double)-INFINITY, ": row 2: radius is not a finite number"},
        {14 + 6, -0.5, ": row 2: radius is negative: -0.5"},
    };
    (void)state;
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        double values[3 * IO_FIELDS];
        memcpy(values, bodies, sizeof values);
        values[bad[n].place] = bad[n].value;
        refuse_bytes(make(1, "<f4", false, IO_FIELDS, values), bad[n].message);
    }
}

int io_npy_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_kinds_of_arrays_are_read), cmocka_unit_test(fewer_columns_are_bodies_at_rest),
        cmocka_unit_test(no_rows_are_no_bodies),        cmocka_unit_test(bad_headers_are_refused),
        cmocka_unit_test(files_cut_short_are_refused),  cmocka_unit_test(bad_numbers_are_refused),
    };
    return cmocka_run_group_tests_name("npy", tests, NULL, NULL);
}
