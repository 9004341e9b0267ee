/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* GROMACS .gro: fixed columns, whose width the first atom tells. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/io_files.h"
#include "tests/support/io_groups.h"

static const double origin[3] = {0, 0, 0};

/* Numbers in columns touch one another where the values are long: fields are not words. */
static void positions_names_and_box_are_read(void **state) {
    const double bodies[][IO_FIELDS] = {{0.230, 0.628, 0.113, 0.230, 0.628, 0.113, 0.15},
                                        {0.137, -0.626, 1.150, 0.137, -0.626, 1.150, 0.15}};
    const double box[3][3] = {{1.86206, 0, 0}, {0, 1.86206, 0}, {0, 0, 2}};
    const carom_read_options options = io_radius(0.15);
    (void)state;
    carom_frame frame = io_read(io_sample("water.gro"), &options);
    io_expect_traits(&frame, (io_traits){.format = "gro", .has_box = true});
    io_expect_bodies(&frame, 2, bodies);
    io_expect_names(&frame, (const char *const[]){"OW", "HW1"});
    io_expect_lines(&frame, (const uint64_t[]){3, 4});
    io_expect_box(&frame, origin, box);
    carom_frame_release(&frame);
}

/* The box's nine numbers come diagonal first: xx yy zz xy xz yx yz zx zy. */
static void velocities_and_a_triclinic_box_are_read(void **state) {
    const double dt = 0.5;
    const double bodies[][IO_FIELDS] = {
        {0.126, 1.624, 1.679, 0.126 + 0.1227 * dt, 1.624 + -0.0580 * dt, 1.679 + 0.0434 * dt, 1},
        {0.190, 1.661, 1.747, 0.190 + 0.8085 * dt, 1.661 + 0.3191 * dt, 1.747 + -0.7791 * dt, 1},
        {1.275, 0.053, 0.622, 1.275 + 0.2519 * dt, 0.053 + 0.3140 * dt, 0.622 + -0.1734 * dt, 1},
    };
    const double box[3][3] = {{1.8206, 0, 0}, {0.5, 1.83, 0}, {0.25, -0.75, 1.84}};
    carom_read_options options = io_radius(1);
    (void)state;
    options.dt = dt;
    carom_frame frame = io_read(io_sample("velocity.gro"), &options);
    io_expect_traits(&frame, (io_traits){.format = "gro", .has_motion = true, .has_box = true});
    io_expect_bodies(&frame, 3, bodies);
    io_expect_names(&frame, (const char *const[]){"OW1", "HW2", "NA"});
    io_expect_box(&frame, origin, box);
    carom_frame_release(&frame);
}

/* The distance between decimal points is the width; a point in an atom's name is none of a number. */
static void more_decimals_make_wider_columns(void **state) {
    const double bodies[][IO_FIELDS] = {
        {0.12345, 0.23456, -0.34567, 0.12345 + 0.123456, 0.23456 + 0.234567, -0.34567 + -0.345678, 1},
        {10.12345, -100.23456, 0.34567, 11.12345, -100.23456 + -1.5, 0.34567 + 0.25, 1},
    };
    const carom_read_options options = io_radius(1);
    (void)state;
    carom_frame frame = io_read(io_sample("precise.gro"), &options);
    io_expect_bodies(&frame, 2, bodies);
    io_expect_names(&frame, (const char *const[]){"C.1", "C2"});
    carom_frame_release(&frame);
}

static void a_second_frame_is_the_end_of_the_step(void **state) {
    const double bodies[][IO_FIELDS] = {{1, 2, 3, 1.5, 2.25, 3.125, 1}, {4, 5, 6, 4.5, 5.25, 6.125, 1}};
    const double box[3][3] = {{10, 0, 0}, {0, 10, 0}, {0, 0, 10}};
    carom_read_options options = io_radius(1);
    (void)state;
    options.dt = 7; /* has no meaning here */
    carom_frame frame = io_read(io_sample("frames.gro"), &options);
    io_expect_traits(&frame, (io_traits){.format = "gro", .has_motion = true, .has_box = true});
    io_expect_bodies(&frame, 2, bodies);
    io_expect_box(&frame, origin, box);
    carom_frame_release(&frame);
}

/* Frames with other numbers of atoms are not ends of steps of one another. */
static void a_second_frame_of_another_size_is_passed_over(void **state) {
    const carom_read_options options = io_radius(1);
    (void)state;
    carom_frame frame = io_read_text("t\n1\n    1AR      AR    1   1.000   2.000   3.000\n1 1 1\n"
                                     "t\n0\n1 1 1\n",
                                     &options);
    io_expect_traits(&frame, (io_traits){.format = "gro", .has_box = true});
    io_expect_bodies(&frame, 1, (const double[][IO_FIELDS]){{1, 2, 3, 1, 2, 3, 1}});
    carom_frame_release(&frame);
}

static void a_second_frame_of_other_atoms_is_passed_over(void **state) {
    const carom_read_options options = io_radius(1);
    (void)state;
    carom_frame frame = io_read_text("t\n1\n    1AR      AR    1   1.000   2.000   3.000\n1 1 1\n"
                                     "t\n1\n    1NE      NE    1   4.000   5.000   6.000\n1 1 1\n",
                                     &options);
    io_expect_traits(&frame, (io_traits){.format = "gro", .has_box = true});
    io_expect_bodies(&frame, 1, (const double[][IO_FIELDS]){{1, 2, 3, 1, 2, 3, 1}});
    io_expect_names(&frame, (const char *const[]){"AR"});
    carom_frame_release(&frame);
}

/* Atom numbers have five columns and start again after 99,999: only lines count. */
static void wrapped_atom_numbers_do_not_matter(void **state) {
    enum { ATOMS = 100003, LINE = 46 };
    const carom_read_options options = io_radius(1);
    char *text = malloc((size_t)ATOMS * LINE + 100);
    (void)state;
    assert_non_null(text);
    size_t length = (size_t)sprintf(text, "many\n%d\n", ATOMS);
    for (int n = 0; n < ATOMS; n++) {
        length += (size_t)sprintf(text + length, "%5dSOL     OW%5d%8.3f%8.3f%8.3f\n", (n / 3 + 1) % 100000,
                                  (n + 1) % 100000, n * 0.001, -n * 0.001, 1.0);
    }
    length += (size_t)sprintf(text + length, "1 1 1\n");
    carom_frame frame = io_read(io_write(text, length), &options);
    free(text);
    assert_int_equal(frame.count, ATOMS);
    assert_true(frame.prev[0][100000] == 100.000 && frame.prev[1][100002] == -100.002);
    assert_int_equal(frame.line[100002], 100005);
    carom_frame_release(&frame);
}

#define HEAD "title\n2\n"
#define ATOM "    1SOL     OW    1   0.230   0.628   0.113\n"
#define BOX "   1.0   1.0   1.0\n"

static void faults_are_named_with_their_lines(void **state) {
    static const io_bad_text bad[] = {
        {HEAD ATOM "    1SOL     OW    2   0.230   0.6x8   0.113\n" BOX, ":4: y is not a number: \"0.6x8\""},
        {HEAD ATOM "    1SOL     OW    2   0.230   0.628     nan\n" BOX, ":4: z is not a finite number: \"nan\""},
        {HEAD ATOM "    1SOL     OW    2     inf   0.628   0.113\n" BOX, ":4: x is not a finite number: \"inf\""},
        {HEAD ATOM "    1SOL     OW    2   0.230   0.628\n" BOX, ":4: z is missing"},
        {HEAD ATOM "    1SOL     OW    2\n" BOX, ":4: x is missing"},
        {HEAD "    1SOL     OW    1\n" ATOM BOX, ":3: no coordinates in the columns from 21 on"},
        {HEAD ATOM BOX, ":4: x is missing"},
        {HEAD ATOM ATOM ATOM BOX, ":5: box is not a number: \"1SOL\""},
        {HEAD ATOM ATOM "1.0 1.0\n", ":5: box is missing"},
        {HEAD ATOM ATOM "1.0 1.0 1.0 0.0\n", ":5: box is missing"},
        {HEAD ATOM ATOM, ":5: the file ends before the box"},
        {HEAD ATOM, ":4: the file ends before its last atom"},
        {"title\n2000000\n" ATOM, ":2: 2000000 bodies are more than the file can hold"},
        {"title\n1000000000000000000\n" ATOM, ":2: 1000000000000000000 bodies are more than the file can hold"},
        {"title\n-2\n" ATOM, ":2: the number of bodies is not a whole number: \"-2\""},
        {HEAD "    1SOL     OW    1   0.230   0.628   0.113  0.1000  0.1000  0.1000\n" ATOM BOX, ":4: vx is missing"},
        {HEAD ATOM ATOM BOX "title\n2\n" ATOM, ":9: the file ends before its last atom"},
        {HEAD ATOM ATOM BOX "title\n", ":7: the file ends before the number of atoms"},
    };
    (void)state;
    io_refuse_texts(bad, sizeof bad / sizeof *bad);
}

int io_gro_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_names_and_box_are_read),
        cmocka_unit_test(velocities_and_a_triclinic_box_are_read),
        cmocka_unit_test(more_decimals_make_wider_columns),
        cmocka_unit_test(a_second_frame_is_the_end_of_the_step),
        cmocka_unit_test(a_second_frame_of_another_size_is_passed_over),
        cmocka_unit_test(a_second_frame_of_other_atoms_is_passed_over),
        cmocka_unit_test(wrapped_atom_numbers_do_not_matter),
        cmocka_unit_test(faults_are_named_with_their_lines),
    };
    return cmocka_run_group_tests_name("gro", tests, NULL, NULL);
}
