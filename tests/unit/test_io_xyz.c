/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* XYZ, plain and extended. */
#include "tests/support/check.h"
#include "tests/support/io_files.h"
#include "tests/support/io_groups.h"

static const double origin[3] = {0, 0, 0};

static void without_properties_it_is_name_x_y_z(void **state) {
    const double bodies[][IO_FIELDS] = {
        {0.5, -1.25, 2, 0.5, -1.25, 2, 3}, {1e-3, 4, 0.5, 1e-3, 4, 0.5, 3}, {7, 8, 9, 7, 8, 9, 3}};
    const carom_read_options options = io_radius(3);
    (void)state;
    carom_frame frame = io_read(io_sample("plain.xyz"), &options);
    io_expect_traits(&frame, (io_traits){.format = "xyz"});
    io_expect_bodies(&frame, 3, bodies);
    io_expect_names(&frame, (const char *const[]){"O", "H", "Cl"});
    io_expect_lines(&frame, (const uint64_t[]){3, 4, 5});
    carom_frame_release(&frame);
}

/* Columns not known (id, forces) are passed over, however many they are. */
static void properties_and_lattice_are_read(void **state) {
    const double bodies[][IO_FIELDS] = {{1, 2, 3, 2, 1, 3.5, 1.25}, {4, 5, 6, 6, 9, -2, 0.75}};
    const double box[3][3] = {{10, 0, 0}, {1.5, 11, 0}, {2.5, -3.5, 12}};
    carom_read_options options = carom_read_options_default();
    (void)state;
    options.dt = 2;
    carom_frame frame = io_read(io_sample("extended.xyz"), &options);
    io_expect_traits(&frame, (io_traits){"xyz", .has_motion = true, .has_radius = true, .has_box = true});
    io_expect_bodies(&frame, 2, bodies);
    io_expect_names(&frame, (const char *const[]){"Fe", "Ni"});
    io_expect_box(&frame, origin, box);
    carom_frame_release(&frame);
}

static void columns_come_in_any_order(void **state) {
    const double bodies[][IO_FIELDS] = {{1, 2, 3, 1, 2, 4, 1.5}, {4, 5, 6, 4, 5, 5, 0.25}};
    (void)state;
    carom_frame frame = io_read(io_sample("diameter.xyz"), NULL);
    io_expect_traits(&frame, (io_traits){"xyz", .has_motion = true, .has_radius = true});
    io_expect_bodies(&frame, 2, bodies);
    io_expect_names(&frame, (const char *const[]){"big", "small"});
    carom_frame_release(&frame);
}

/* The second frame has its own columns; radii and names are the first's. */
static void a_second_frame_is_the_end_of_the_step(void **state) {
    const double bodies[][IO_FIELDS] = {{1, 2, 3, 1.5, 2.5, 3.5, 0.5}, {4, 5, 6, 4.5, 5.5, 6.5, 0.25}};
    (void)state;
    carom_frame frame = io_read(io_sample("frames.xyz"), NULL);
    io_expect_traits(&frame, (io_traits){"xyz", .has_motion = true, .has_radius = true});
    io_expect_bodies(&frame, 2, bodies);
    io_expect_names(&frame, (const char *const[]){"A", "B"});
    carom_frame_release(&frame);
}

/* The same number of other atoms is another scene, not the end of this one's step. */
static void a_second_frame_of_other_atoms_is_passed_over(void **state) {
    const carom_read_options options = io_radius(1);
    (void)state;
    carom_frame frame = io_read_text("2\n\nA 1 2 3\nB 4 5 6\n2\n\nB 4 5 6\nA 1 2 4\n", &options);
    io_expect_traits(&frame, (io_traits){.format = "xyz"});
    io_expect_bodies(&frame, 2, (const double[][IO_FIELDS]){{1, 2, 3, 1, 2, 3, 1}, {4, 5, 6, 4, 5, 6, 1}});
    io_expect_names(&frame, (const char *const[]){"A", "B"});
    carom_frame_release(&frame);
}

static void no_atoms_and_no_names_are_read(void **state) {
    (void)state;
    carom_frame frame = io_read_text("0\n\n", NULL);
    io_expect_bodies(&frame, 0, NULL);
    carom_frame_release(&frame);
    frame = io_read_text("1\nProperties=pos:R:3:radius:R:1\n1 2 3 4\n", NULL);
    io_expect_names(&frame, NULL);
    io_expect_bodies(&frame, 1, (const double[][IO_FIELDS]){{1, 2, 3, 1, 2, 3, 4}});
    carom_frame_release(&frame);
}

/* Names longer than there is room for are cut, not run over. */
static void long_names_are_cut(void **state) {
    const carom_read_options options = io_radius(1);
    (void)state;
    carom_frame frame = io_read_text("1\n\nabcdefghijklmnopqrstuvwxyz 1 2 3\n", &options);
    io_expect_names(&frame, (const char *const[]){"abcdefghijklmno"});
    carom_frame_release(&frame);
}

#define RADII "Properties=species:S:1:pos:R:3:radius:R:1\n"

static void faults_are_named_with_their_lines(void **state) {
    static const io_bad_text bad[] = {
        {"1\n\nA 1 2 three\n", ":3: z is not a number: \"three\""},
        {"1\n\nA 1 2 0x10\n", ":3: z is not a number: \"0x10\""},
        {"1\n\nA 1 NaN 3\n", ":3: y is not a finite number: \"NaN\""},
        {"1\n\nA 1e999 2 3\n", ":3: x is not a finite number: \"1e999\""},
        {"1\n\nA 1 2\n", ":3: z is missing"},
        {"1\n\n\n", ":3: fewer columns than announced"},
        {"1\nLattice=\"0 0 0 0 -0 0 0 0 0\"\nA 1 2 3\n", ":2: Lattice is zero: a box without edges"},
        {"1\n\nA 1 2 a\033[1mb\n", ":3: z is not a number: \"a\\x1b[1mb\""},
        {"1\n" RADII "A 1 2 3 -0.5\n", ":3: radius is negative: -0.5"},
        {"1\n" RADII "A 1 2 3 inf\n", ":3: radius is not a finite number: \"inf\""},
        {"1\n" RADII "A 1 2 3 big\n", ":3: radius is not a number: \"big\""},
        {"1\n" RADII "A 1 2 3\n", ":3: fewer columns than announced"},
        {"1\n" RADII "A 1 2 3 4 5\n", ":3: more columns than Properties has"},
        {"1\nProperties=pos:R:3:diameter:R:1\n1 2 3 -4\n", ":3: diameter is negative: -4"},
        {"1\nProperties=pos:R:3:velo:R:3\n1 2 3 4 x 6\n", ":3: vy is not a number: \"x\""},
        {"1\nProperties=pos:R:3:forces:R:3\n1 2 3 4 5\n", ":3: fewer columns than announced"},
        {"1\nProperties=species:S:1\nA\n", ":2: Properties have no pos:R:3"},
        {"1\nProperties=species:S:1:pos:R\nA 1 2 3\n", ":2: Properties must be name:type:columns, repeated"},
        {"1\nProperties=pos:R:0\n1 2 3\n", ":2: Properties must be name:type:columns, repeated"},
        {"1\nProperties=pos:R:3:pos:R:3\n1 2 3 4 5 6\n", ":2: Properties: \"pos\" comes after another of its kind"},
        {"1\nProperties=pos:R:3:radius:R:1:diameter:R:1\n1 2 3 4 5\n",
         ":2: Properties: \"diameter\" comes after another of its kind"},
        {"1\nLattice=\"1 0 0 0 1 0 0 0\"\nA 1 2 3\n", ":2: Lattice is missing"},
        {"1\nLattice=\"1 0 0 0 one 0 0 0 1\"\nA 1 2 3\n", ":2: Lattice is not a number: \"one\""},
        {"-3\n\nA 1 2 3\n", ":1: the number of bodies is not a whole number: \"-3\""},
        {"1000000000000000000\n\nA 1 2 3\n", ":1: 1000000000000000000 bodies are more than the file can hold"},
        {"9223372036854775807\n\nA 1 2 3\n", ":1: 9223372036854775807 bodies are more than the file can hold"},
        {"2\n\nA 1 2 3\n", ":4: the file ends before its last atom"},
        {"1\n\nA 1 2 3\nB 4 5 6\n", ":4: more atoms than the 1 announced"},
        {"1\n\nA 1 2 3\n\n\nB 4 5 6\n", ":6: more atoms than the 1 announced"},
        {"1\n\nA 1 2 3\n1\n\nA 1 2\n", ":6: z is missing"},
        {"1\n\nA 1 2 3\n1\n", ":5: the file ends before the comment line"},
        {"3\n", ":2: the file ends before the comment line"},
    };
    (void)state;
    io_refuse_texts(bad, sizeof bad / sizeof *bad);
}

int io_xyz_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_properties_it_is_name_x_y_z),
        cmocka_unit_test(properties_and_lattice_are_read),
        cmocka_unit_test(columns_come_in_any_order),
        cmocka_unit_test(a_second_frame_is_the_end_of_the_step),
        cmocka_unit_test(a_second_frame_of_other_atoms_is_passed_over),
        cmocka_unit_test(no_atoms_and_no_names_are_read),
        cmocka_unit_test(long_names_are_cut),
        cmocka_unit_test(faults_are_named_with_their_lines),
    };
    return cmocka_run_group_tests_name("xyz", tests, NULL, NULL);
}
