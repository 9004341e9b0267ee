/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What all formats share: options, files that cannot be read, formats told by content, locales. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "tests/support/io_files.h"
#include "tests/support/io_groups.h"

#define NO_FORMAT ":1: no known format: there are gro, xyz, csv with a header, LAMMPS data and dump, npy"

static void a_radius_given_replaces_those_of_the_file(void **state) {
    const carom_read_options options = io_radius(9);
    (void)state;
    carom_frame frame = io_read(io_sample("plain.csv"), &options);
    io_expect_bodies(&frame, 2, (const double[][IO_FIELDS]){{1, 2, 3, 1, 2, 3, 9}, {-4.5, 5, 6, -4.5, 5, 6, 9}});
    assert_true(frame.has_radius); /* the file has them, used or not */
    carom_frame_release(&frame);
}

static void no_radius_anywhere_is_an_argument_error(void **state) {
    static const char *const samples[] = {"water.gro", "plain.xyz", "atomic.data", "plain.dump"};
    (void)state;
    for (size_t n = 0; n < sizeof samples / sizeof *samples; n++) {
        io_refuse(io_sample(samples[n]), NULL, CAROM_ERROR_ARGUMENT, ": the file has no radii; give one for all");
    }
}

static void steps_of_zero_and_below_are_steps(void **state) {
    carom_read_options options = carom_read_options_default();
    (void)state;
    options.dt = 0;
    carom_frame frame = io_read(io_sample("sphere.data"), &options);
    io_expect_bodies(&frame, 2, (const double[][IO_FIELDS]){{1, 2, 3, 1, 2, 3, 1.25}, {4, 5, 6, 4, 5, 6, 0.25}});
    carom_frame_release(&frame);
    options.dt = -3;
    frame = io_read(io_sample("sphere.data"), &options);
    io_expect_bodies(&frame, 2, (const double[][IO_FIELDS]){{1, 2, 3, -2, 2, 3, 1.25}, {4, 5, 6, 4, 2, 6, 0.25}});
    carom_frame_release(&frame);
}

/* The bodies kept bring their names and lines along. */
static void select_keeps_the_names_that_match(void **state) {
    const double bodies[][IO_FIELDS] = {{0.190, 1.661, 1.747, 0.190, 1.661, 1.747, 1},
                                        {1.275, 0.053, 0.622, 1.275, 0.053, 0.622, 1}};
    carom_read_options options = io_radius(1);
    (void)state;
    options.select = "[HN]*";
    options.dt = 0;
    carom_frame frame = io_read(io_sample("velocity.gro"), &options);
    io_expect_bodies(&frame, 2, bodies);
    io_expect_names(&frame, (const char *const[]){"HW2", "NA"});
    io_expect_lines(&frame, (const uint64_t[]){4, 5});
    carom_frame_release(&frame);
    options.select = "*";
    frame = io_read(io_sample("velocity.gro"), &options);
    assert_int_equal(frame.count, 3);
    carom_frame_release(&frame);
}

static void select_that_cannot_keep_any_is_an_argument_error(void **state) {
    carom_read_options options = io_radius(1);
    (void)state;
    options.select = "O*";
    io_refuse(io_sample("plain.csv"), &options, CAROM_ERROR_ARGUMENT, ": bodies have no names to select by");
    io_refuse(io_sample("triclinic.dump"), &options, CAROM_ERROR_ARGUMENT, ": bodies have no names to select by");
    io_refuse(io_sample("frames.gro"), &options, CAROM_ERROR_ARGUMENT, ": no body's name matches \"O*\"");
}

static void unknown_content_is_refused(void **state) {
    static const char *const texts[] = {"\n", "\n\n\n", "hello\n", "1,2,3\n4,5,6\n", "{\"x\": 1}\n", "# x,y,z\n"};
    (void)state;
    for (size_t n = 0; n < sizeof texts / sizeof *texts; n++) {
        io_refuse(io_write_text(texts[n]), NULL, CAROM_ERROR_FORMAT, NO_FORMAT);
    }
    io_refuse(io_write_text(""), NULL, CAROM_ERROR_FORMAT, ": it is empty");
    io_refuse(io_write("\0\0\0\0\0\0\0\0", 8), NULL, CAROM_ERROR_FORMAT, NO_FORMAT);
}

/* A title may look like a CSV header or a number, an XYZ comment like a number. */
static void misleading_first_lines_do_not_mislead(void **state) {
    static const struct {
        const char *text;
        const char *format;
    } known[] = {
        {"x, y, z\n1\n    1AR      AR    1   1.000   2.000   3.000\n1 1 1\n", "gro"},
        {"17\n1\n    1AR      AR    1   1.000   2.000   3.000\n1 1 1\n", "gro"},
        {"1\n7\nAr 1.0 2.0 3.0\n", "xyz"},
        {"x, y, z\n1 atoms\n\nAtoms\n\n1 1 1 2 3\n", "lammps-data"},
        {"atoms,x,y,z\n1,1,2,3\n", "csv"},
    };
    const carom_read_options options = io_radius(1);
    (void)state;
    for (size_t n = 0; n < sizeof known / sizeof *known; n++) {
        carom_frame frame = io_read_text(known[n].text, &options);
        assert_string_equal(frame.format, known[n].format);
        io_expect_bodies(&frame, 1, (const double[][IO_FIELDS]){{1, 2, 3, 1, 2, 3, 1}});
        carom_frame_release(&frame);
    }
}

static void files_that_cannot_be_read_are_file_errors(void **state) {
    (void)state;
    io_refuse(io_scratch("missing.csv"), NULL, CAROM_ERROR_FILE, ": No such file or directory");
    io_refuse(io_scratch("."), NULL, CAROM_ERROR_FILE, ": Is a directory");
    if (geteuid() != 0) { /* root may read everything */
        const char *path = io_write_text("x,y,z\n");
        assert_int_equal(chmod(path, 0), 0);
        io_refuse(path, NULL, CAROM_ERROR_FILE, ": Permission denied");
        assert_int_equal(chmod(path, 0600), 0);
    }
}

/* error may be NULL, a frame released twice or never read. */
static void nulls_are_allowed(void **state) {
    carom_frame frame = {0};
    (void)state;
    assert_int_equal(carom_frame_read(io_scratch("missing"), NULL, &frame, NULL), CAROM_ERROR_FILE);
    assert_int_equal(carom_frame_read(io_write_text("hello\n"), NULL, &frame, NULL), CAROM_ERROR_FORMAT);
    assert_int_equal(carom_frame_read(io_sample("plain.csv"), NULL, &frame, NULL), CAROM_OK);
    carom_frame_release(&frame);
    carom_frame_release(&frame);
    carom_frame_release(NULL);
}

static bool same_bodies(const carom_frame *a, const carom_frame *b) {
    bool same = a->count == b->count;
    for (int axis = 0; axis < 3 && same; axis++) {
        same = memcmp(a->prev[axis], b->prev[axis], a->count * sizeof(double)) == 0 &&
               memcmp(a->curr[axis], b->curr[axis], a->count * sizeof(double)) == 0;
    }
    return same && memcmp(a->radius, b->radius, a->count * sizeof(double)) == 0;
}

/* A decimal comma in the user's locale must not reach files. The test that writes is in test_io_write.c. */
static void the_locale_does_not_change_numbers(void **state) {
    const carom_read_options options = io_radius(0.5);
    (void)state;
    if (!io_decimal_comma(true)) {
        skip();
    }
    for (size_t n = 0; io_samples[n] != NULL; n++) {
        carom_frame frame = io_read(io_sample(io_samples[n]), &options);
        io_decimal_comma(false);
        carom_frame plain = io_read(io_sample(io_samples[n]), &options);
        assert_true(same_bodies(&plain, &frame));
        carom_frame_release(&plain);
        carom_frame_release(&frame);
        io_decimal_comma(true);
    }
    io_decimal_comma(false);
}

int io_frame_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_radius_given_replaces_those_of_the_file),
        cmocka_unit_test(no_radius_anywhere_is_an_argument_error),
        cmocka_unit_test(steps_of_zero_and_below_are_steps),
        cmocka_unit_test(select_keeps_the_names_that_match),
        cmocka_unit_test(select_that_cannot_keep_any_is_an_argument_error),
        cmocka_unit_test(unknown_content_is_refused),
        cmocka_unit_test(misleading_first_lines_do_not_mislead),
        cmocka_unit_test(files_that_cannot_be_read_are_file_errors),
        cmocka_unit_test(nulls_are_allowed),
        cmocka_unit_test(the_locale_does_not_change_numbers),
    };
    return cmocka_run_group_tests_name("frame", tests, NULL, NULL);
}
