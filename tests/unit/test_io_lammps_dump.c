/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* LAMMPS dumps. */
#include <math.h>
#include <stdio.h>

#include "tests/support/check.h"
#include "tests/support/io_files.h"
#include "tests/support/io_groups.h"

/* One frame: velocities; lines shuffled, with the blank at their ends that LAMMPS writes. */
static void a_single_frame_moves_by_its_velocities(void **state) {
    const double bodies[][IO_FIELDS] = {{1, 2, 3, 2, 2.5, 3.25, 1}, {4, 5, 6, 6, 9, 12, 1}};
    const double origin[3] = {-1, 0, 0};
    const double box[3][3] = {{11, 0, 0}, {0, 5, 0}, {0, 0, 6}};
    carom_read_options options = io_radius(1);
    (void)state;
    options.dt = 2;
    carom_frame frame = io_read(io_sample("plain.dump"), &options);
    io_expect_traits(&frame, (io_traits){"lammps-dump", .has_motion = true, .has_box = true});
    io_expect_bodies(&frame, 2, bodies);
    io_expect_names(&frame, (const char *const[]){"2", "1"});
    io_expect_lines(&frame, (const uint64_t[]){11, 10});
    io_expect_box(&frame, origin, box);
    carom_frame_release(&frame);
}

/* The second frame has another order, other columns and, as boxes may change, its own box for scaled coordinates. */
static void two_frames_are_matched_by_id(void **state) {
    const double bodies[][IO_FIELDS] = {
        {1, 2, 3, 1.25, 2.5, 30, 0.25}, {4, 5, 6, 5, 10, 15, 0.75}, {7, 8, 9, 2.5, 5, 7.5, 0.5}};
    const double origin[3] = {0, 0, 0};
    const double box[3][3] = {{10, 0, 0}, {0, 10, 0}, {0, 0, 10}};
    (void)state;
    carom_frame frame = io_read(io_sample("frames.dump"), NULL);
    io_expect_traits(&frame, (io_traits){"lammps-dump", .has_motion = true, .has_radius = true, .has_box = true});
    io_expect_bodies(&frame, 3, bodies);
    io_expect_names(&frame, (const char *const[]){"Ar", "Kr", "Ar"});
    io_expect_lines(&frame, (const uint64_t[]){11, 12, 10});
    io_expect_box(&frame, origin, box);
    carom_frame_release(&frame);
}

/* Bounds enclose the tilted box: xlo_bound = xlo + min(0, xy, xz, xy + xz), and so on. Here xy = 2.5, xz = -1.5,
 * yz = 2: x from 0 to 12, y from 1 to 7, z from 0 to 4. */
static void a_tilted_box_is_found_from_its_bounds(void **state) {
    const double bodies[][IO_FIELDS] = {{6 + 0.25 * 2.5 - 0.75 * 1.5, 1 + 0.25 * 6 + 0.75 * 2, 3,
                                         6 + 0.25 * 2.5 - 0.75 * 1.5, 1 + 0.25 * 6 + 0.75 * 2, 3, 1.5},
                                        {2.5 - 3, 1 + 6 + 4, 8, 2.5 - 3, 1 + 6 + 4, 8, 0.5}};
    const double origin[3] = {0, 1, 0};
    const double box[3][3] = {{12, 0, 0}, {2.5, 6, 0}, {-1.5, 2, 4}};
    (void)state;
    carom_frame frame = io_read(io_sample("triclinic.dump"), NULL);
    io_expect_traits(&frame, (io_traits){"lammps-dump", .has_radius = true, .has_box = true});
    io_expect_bodies(&frame, 2, bodies);
    io_expect_names(&frame, NULL);
    io_expect_box(&frame, origin, box);
    carom_frame_release(&frame);
}

/* A box with corner lo, lengths and tilts (xy, xz, yz), and the bounds that LAMMPS writes for it: the least and
 * greatest coordinates of its eight corners. */
static void write_bounds(const double lo[3], const double length[3], const double tilt[3], char *text, size_t size) {
    double bound[3][2] = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
    for (int corner = 0; corner < 8; corner++) {
        const double step[3] = {corner & 1, corner >> 1 & 1, corner >> 2};
        const double at[3] = {lo[0] + step[0] * length[0] + step[1] * tilt[0] + step[2] * tilt[1],
                              lo[1] + step[1] * length[1] + step[2] * tilt[2], lo[2] + step[2] * length[2]};
        for (int a = 0; a < 3; a++) {
            bound[a][0] = fmin(bound[a][0], at[a]);
            bound[a][1] = fmax(bound[a][1], at[a]);
        }
    }
    int written = snprintf(text, size,
                           "ITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS xy xz yz pp pp pp\n"
                           "%g %g %g\n%g %g %g\n%g %g %g\nITEM: ATOMS radius x y z\n1 0 0 0\n",
                           bound[0][0], bound[0][1], tilt[0], bound[1][0], bound[1][1], tilt[1], bound[2][0],
                           bound[2][1], tilt[2]);
    assert_in_range(written, 1, size - 1);
}

/* Guards each of the corners that can be the outermost one: with xy and xz of one sign it is that of xy + xz. */
static void tilts_of_every_sign_leave_the_box_as_it_is(void **state) {
    enum { SIGNS = 3 * 3 * 3 };
    const double lo[3] = {0, -1, 2};
    const double length[3] = {10, 6, 4};
    (void)state;
    for (int n = 0; n < 2 * SIGNS; n++) {
        const bool steep = n >= SIGNS; /* xz larger than xy, or smaller */
        const double tilt[3] = {(steep ? 1.5 : 3) * (n % 3 - 1), (steep ? 3.5 : 2) * (n / 3 % 3 - 1),
                                2.5 * (n / 9 % 3 - 1)};
        const double box[3][3] = {{length[0], 0, 0}, {tilt[0], length[1], 0}, {tilt[1], tilt[2], length[2]}};
        char text[512];
        write_bounds(lo, length, tilt, text, sizeof text);
        carom_frame frame = io_read_text(text, NULL);
        io_expect_box(&frame, lo, box);
        carom_frame_release(&frame);
    }
}

static void both_tilts_of_x_may_be_negative(void **state) {
    const double origin[3] = {0, 0, 0};
    const double box[3][3] = {{10, 0, 0}, {-2, 10, 0}, {-2, 0, 10}};
    (void)state;
    carom_frame frame = io_read_text("ITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS xy xz yz pp pp pp\n"
                                     "-4 10 -2\n0 10 -2\n0 10 0\nITEM: ATOMS radius x y z\n1 0 0 0\n",
                                     NULL);
    io_expect_box(&frame, origin, box);
    carom_frame_release(&frame);
}

/* Without ids an atom is its line; absolute positions win over scaled ones, radii over diameters. */
static void columns_have_an_order_of_preference(void **state) {
    (void)state;
    carom_frame frame = io_read_text("ITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\n"
                                     "ITEM: ATOMS xs ys zs diameter x y z radius q\n0.5 0.5 0.5 9 1 2 3 4 0\n",
                                     NULL);
    io_expect_bodies(&frame, 1, (const double[][IO_FIELDS]){{1, 2, 3, 1, 2, 3, 4}});
    carom_frame_release(&frame);
}

#define COUNT "ITEM: NUMBER OF ATOMS\n2\n"
#define BOUNDS "ITEM: BOX BOUNDS pp pp pp\n0 1\n0 1\n0 1\n"
#define HEAD COUNT BOUNDS "ITEM: ATOMS id radius x y z vx\n" /* its atoms begin at line 8 */
#define ONE "1 0.5 1 2 3 0\n"
#define TWO "2 0.5 4 5 6 0\n"

static void faulty_atoms_are_named_with_their_lines(void **state) {
    static const io_bad_text bad[] = {
        {HEAD ONE "2 0.5 4 5 six 0\n", ":9: z is not a number: \"six\""},
        {HEAD ONE "2 0.5 4 -nan 6 0\n", ":9: y is not a finite number: \"-nan\""},
        {HEAD ONE "2 0.5 4 5 6 ?\n", ":9: vx is not a number: \"?\""},
        {HEAD ONE "2 -0.5 4 5 6 0\n", ":9: radius is negative: -0.5"},
        {HEAD ONE "2.5 0.5 4 5 6 0\n", ":9: id is not a whole number: \"2.5\""},
        {HEAD ONE "2 0.5 4 5\n", ":9: 4 columns; ITEM: ATOMS has 6"},
        {HEAD ONE "2 0.5 4 5 6 0 7\n", ":9: more columns than the 6 of ITEM: ATOMS"},
        {HEAD ONE ONE, ":9: id 1 stands twice"},
        {HEAD ONE, ":9: the file ends before its last atom"},
        {HEAD ONE TWO "3 0.5 7 8 9 0\n", ":10: more atoms than the 2 announced"},
        {HEAD ONE TWO HEAD ONE "3 0.5 4 5 6 0\n", ":18: there is no atom 3 before"},
        {HEAD ONE TWO HEAD ONE ONE, ":18: id 1 stands twice"},
        {HEAD ONE TWO HEAD ONE, ":18: the file ends before its last atom"},
        {HEAD ONE TWO COUNT BOUNDS "ITEM: ATOMS x y z\n1 2 3\n4 5 6\n", ":16: only one of the two frames has ids"},
        {HEAD ONE TWO "ITEM: NUMBER OF ATOMS\n1\n" BOUNDS "ITEM: ATOMS id x y z\n1 1 2 3\n",
         ":16: the second frame has 1 atoms, the first 2"},
        {HEAD ONE TWO "ITEM: TIMESTEP\n", ":11: the file ends before ITEM: ATOMS"},
        {COUNT BOUNDS "ITEM: ATOMS id diameter x y z\n1 -1 1 2 3\n", ":8: diameter is negative: -1"},
        {COUNT BOUNDS "ITEM: ATOMS xs ys zs\n0 0 s\n", ":8: scaled coordinate is not a number: \"s\""},
    };
    (void)state;
    io_refuse_texts(bad, sizeof bad / sizeof *bad);
}

#define NO_COLUMNS "the columns must have x y z, xu yu zu, xs ys zs or xsu ysu zsu"

static void faulty_headers_are_named_with_their_lines(void **state) {
    static const io_bad_text bad[] = {
        {COUNT BOUNDS "ITEM: ATOMS id x y\n1 1 2\n", ":7: " NO_COLUMNS},
        {COUNT BOUNDS "ITEM: ATOMS id x ys zs\n1 1 2 3\n", ":7: " NO_COLUMNS},
        {COUNT BOUNDS "ITEM: ATOMS\n", ":7: " NO_COLUMNS},
        {COUNT "ITEM: ATOMS id xs ys zs\n1 0 0 0\n", ":3: scaled coordinates need box bounds"},
        {BOUNDS "ITEM: ATOMS id x y z\n1 1 2 3\n", ":5: there is no number of atoms"},
        {"ITEM: TIMESTEP\n0\n", ":3: the file ends before ITEM: ATOMS"},
        {"ITEM: NUMBER OF ATOMS\n-2\n", ":2: the number of bodies is not a whole number: \"-2\""},
        {"ITEM: NUMBER OF ATOMS\nmany\n", ":2: the number of bodies is not a whole number: \"many\""},
        {"ITEM: NUMBER OF ATOMS\n", ":2: the file ends before the number of atoms"},
        {"ITEM: NUMBER OF ATOMS\n1000000\nITEM: ATOMS x y z\n", ":2: 1000000 bodies are more than the file can hold"},
        {"ITEM: NUMBER OF ATOMS\n1000000000000000000\nITEM: ATOMS x y z\n",
         ":2: 1000000000000000000 bodies are more than the file can hold"},
        {"ITEM: BOX BOUNDS pp pp pp\n0 1\n0\n", ":3: box bound is missing"},
        {"ITEM: BOX BOUNDS xy xz yz pp pp pp\n0 1 0\n0 1 t\n", ":3: box bound is not a number: \"t\""},
        {"ITEM: BOX BOUNDS pp pp pp\n0 1\n0 inf\n", ":3: box bound is not a finite number: \"inf\""},
        {"ITEM: BOX BOUNDS pp pp pp\n0 1\n", ":3: the file ends before the box bounds"},
        {"ITEM: BOX BOUNDS abc origin pp pp pp\n1 0 0 0\n0 1 0 0\n0 0 1 0\n",
         ":1: boxes of general triclinic form (abc origin) are not read"},
    };
    (void)state;
    io_refuse_texts(bad, sizeof bad / sizeof *bad);
}

int io_lammps_dump_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_single_frame_moves_by_its_velocities),
        cmocka_unit_test(two_frames_are_matched_by_id),
        cmocka_unit_test(a_tilted_box_is_found_from_its_bounds),
        cmocka_unit_test(tilts_of_every_sign_leave_the_box_as_it_is),
        cmocka_unit_test(both_tilts_of_x_may_be_negative),
        cmocka_unit_test(columns_have_an_order_of_preference),
        cmocka_unit_test(faulty_atoms_are_named_with_their_lines),
        cmocka_unit_test(faulty_headers_are_named_with_their_lines),
    };
    return cmocka_run_group_tests_name("lammps-dump", tests, NULL, NULL);
}
