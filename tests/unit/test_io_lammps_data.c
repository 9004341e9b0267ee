/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* LAMMPS data files. */
#include <stdio.h>

#include "tests/support/check.h"
#include "tests/support/io_files.h"
#include "tests/support/io_groups.h"

/* Lines shuffled in both sections; image flags; comments; sections of no interest; a tilted box. */
static void atomic_comes_in_the_order_of_ids(void **state) {
    const double bodies[][IO_FIELDS] = {{1, 2, 3, 2, 2, 3, 1}, {4, 5, 6, 4.5, 5.25, 6.125, 1}, {7, 8, 9, 6, 6, 6, 1}};
    const double origin[3] = {0.5, -1, 0};
    const double box[3][3] = {{10, 0, 0}, {1.5, 12, 0}, {-2.5, 3.5, 14}};
    const carom_read_options options = io_radius(1);
    (void)state;
    carom_frame frame = io_read(io_sample("atomic.data"), &options);
    io_expect_traits(&frame, (io_traits){"lammps-data", .has_motion = true, .has_box = true});
    io_expect_bodies(&frame, 3, bodies);
    io_expect_names(&frame, (const char *const[]){"1", "1", "2"});
    io_expect_lines(&frame, (const uint64_t[]){23, 24, 22});
    io_expect_box(&frame, origin, box);
    carom_frame_release(&frame);
}

/* Charges that are whole numbers would be taken for molecules if the style were guessed. */
static void charge_is_read(void **state) {
    const double bodies[][IO_FIELDS] = {{0.5, 0.25, 0.125, 0.5, 0.25, 0.125, 1},
                                        {1.5, 1.25, 1.125, 1.5, 1.25, 1.125, 1}};
    const carom_read_options options = io_radius(1);
    (void)state;
    carom_frame frame = io_read(io_sample("charge.data"), &options);
    io_expect_traits(&frame, (io_traits){"lammps-data", .has_box = true});
    io_expect_bodies(&frame, 2, bodies);
    io_expect_names(&frame, (const char *const[]){"2", "1"});
    carom_frame_release(&frame);
}

static void molecular_and_full_are_read(void **state) {
    static const char *const samples[] = {"molecular.data", "full.data"};
    static const char *const names[][2] = {{"5", "4"}, {"3", "4"}};
    const double bodies[2][2][IO_FIELDS] = {{{4, 5, 6, 4, 5, 6, 1}, {1, 2, 3, 1, 2, 3, 1}},
                                            {{1, 2, 3, 1, 2, 3, 1}, {4, 5, 6, 4, 5, 6, 1}}};
    const carom_read_options options = io_radius(1);
    (void)state;
    for (int n = 0; n < 2; n++) {
        carom_frame frame = io_read(io_sample(samples[n]), &options);
        io_expect_traits(&frame, (io_traits){.format = "lammps-data"});
        io_expect_bodies(&frame, 2, bodies[n]);
        io_expect_names(&frame, names[n]);
        carom_frame_release(&frame);
    }
}

/* Velocities of spheres have three more columns, the angular ones. */
static void sphere_has_radii(void **state) {
    const double bodies[][IO_FIELDS] = {{1, 2, 3, 2, 2, 3, 1.25}, {4, 5, 6, 4, 6, 6, 0.25}};
    (void)state;
    carom_frame frame = io_read(io_sample("sphere.data"), NULL);
    io_expect_traits(&frame, (io_traits){"lammps-data", .has_motion = true, .has_radius = true});
    io_expect_bodies(&frame, 2, bodies);
    io_expect_names(&frame, (const char *const[]){"1", "2"});
    carom_frame_release(&frame);
}

/* Five to seven columns, with and without image flags, tell the style where none is named. */
static void styles_are_told_by_their_columns(void **state) {
    static const struct {
        const char *atom;
        const char *name;
    } known[] = {
        {"1 8 1 2 3", "8"},         {"1 8 1 2 3 0 0 0", "8"},
        {"1 8 -0.5 1 2 3", "8"},    {"1 8 0.5 1 2 3 0 0 0", "8"},
        {"1 4 8 1 2 3", "8"},       {"1 4 8 1 2 3 -1 0 1", "8"},
        {"1 4 8 0.5 1 2 3", "8"},   {"1 4 8 0.5 1 2 3 0 0 0", "8"},
        {"1 8 2.0 1.0 1 2 3", "8"}, {"1 8 2.0 1.0 1 2 3 0 0 0", "8"},
    };
    const carom_read_options options = io_radius(1);
    (void)state;
    for (size_t n = 0; n < sizeof known / sizeof *known; n++) {
        char text[256];
        snprintf(text, sizeof text, "title\n1 atoms\n\nAtoms\n\n%s\n", known[n].atom);
        carom_frame frame = io_read_text(text, &options);
        io_expect_bodies(&frame, 1, (const double[][IO_FIELDS]){{1, 2, 3, 1, 2, 3, 1}});
        io_expect_names(&frame, &known[n].name);
        carom_frame_release(&frame);
    }
}

#define HEAD "title\n2 atoms\n0 1 xlo xhi\n\nAtoms # sphere\n\n" /* its atoms begin at line 7 */
#define ONE "1 1 0.5 1 1 2 3\n"
#define TWO "2 1 0.5 1 4 5 6\n"

static void faulty_atoms_are_named_with_their_lines(void **state) {
    static const io_bad_text bad[] = {
        {HEAD ONE "2 1 0.5 1 4 five 6\n", ":8: y is not a number: \"five\""},
        {HEAD ONE "2 1 0.5 1 nan 5 6\n", ":8: x is not a finite number: \"nan\""},
        {HEAD ONE "2 1 -0.5 1 4 5 6\n", ":8: diameter is negative: -0.5"},
        {HEAD ONE "2 1 inf 1 4 5 6\n", ":8: diameter is not a finite number: \"inf\""},
        {HEAD ONE "2 1 0.5 1 4 5\n", ":8: 6 columns; atom style sphere has 7, or 10 with image flags"},
        {HEAD ONE "2 1 0.5 1 4 5 6 7\n", ":8: 8 columns; atom style sphere has 7, or 10 with image flags"},
        {HEAD ONE "two 1 0.5 1 4 5 6\n", ":8: id is not a whole number: \"two\""},
        {HEAD ONE ONE, ":8: id 1 stands twice"},
        {HEAD ONE, ":8: the file ends before its last atom"},
        {HEAD ONE TWO "3 1 0.5 1 7 8 9\n", ":9: more atoms than the 2 announced"},
        {HEAD ONE TWO "\n3 1 0.5 1 7 8 9\n", ":10: more atoms than the 2 announced"},
        {HEAD ONE "\nVelocities\n\n1 0 0 0\n2 0 0 0\n", ":9: id is not a whole number: \"Velocities\""},
        {"title\n1 atoms\n\nAtoms # dipole\n\n1 1 0 1 2 3 0 0 1\n",
         ":6: atom style \"dipole\" is not read: there are atomic, charge, molecular, full, sphere"},
        {"title\n1 atoms\n\nAtoms # d\033[1m\n\n1 1 0 1 2 3 0 0 1\n",
         ":6: atom style \"d\\x1b[1m\" is not read: there are atomic, charge, molecular, full, sphere"},
        {"title\n1 atoms\n\nAtoms\n\n1 1 2 3\n", ":6: 4 columns fit no atom style: name it after \"Atoms #\""},
        {"title\n1 atoms\n\nAtoms # atomic\n\n1 1 1 2 3 4\n",
         ":6: 6 columns; atom style atomic has 5, or 8 with image flags"},
    };
    (void)state;
    io_refuse_texts(bad, sizeof bad / sizeof *bad);
}

static void faulty_headers_and_velocities_are_named_with_their_lines(void **state) {
    static const io_bad_text bad[] = {
        {HEAD ONE TWO "Velocities\n\n1 0 0 0\n3 0 0 0\n", ":12: there is no atom 3 before"},
        {HEAD ONE TWO "Velocities\n\n1 0 0 0\n1 0 0 0\n", ":12: id 1 stands twice"},
        {HEAD ONE TWO "Velocities\n\n1 0 0 0\n2 0 0\n", ":12: vz is missing"},
        {HEAD ONE TWO "Velocities\n\n1 0 0 0\n2 0 ? 0\n", ":12: vy is not a number: \"?\""},
        {HEAD ONE TWO "Velocities\n\n1 0 0 0\n", ":12: the file ends before the last atom's velocity"},
        {"title\n1 atoms\n\nVelocities\n\n1 0 0 0\n\nAtoms\n\n1 1 1 2 3\n", ":4: Velocities stand before Atoms"},
        {"title\n1 atoms\n\nMasses\n\n1 1\n", ":6: there is no Atoms section"},
        {"1 atoms\n\nAtoms\n\n1 1 1 2 3\n", ":3: the header has no number of atoms"},
        {"title\n-1 atoms\n\nAtoms\n", ":2: the number of bodies is not a whole number: \"-1\""},
        {"title\n1000000 atoms\n\nAtoms\n\n1 1 1 2 3\n", ":2: 1000000 bodies are more than the file can hold"},
        {"title\n1000000000000000000 atoms\n\nAtoms\n\n1 1 1 2 3\n",
         ":2: 1000000000000000000 bodies are more than the file can hold"},
        {"title\n1 atoms\n0 one xlo xhi\n\nAtoms\n\n1 1 1 2 3\n", ":3: box is not a number: \"one\""},
        {"title\n1 atoms\nnan 1 ylo yhi\n\nAtoms\n\n1 1 1 2 3\n", ":3: box is not a finite number: \"nan\""},
        {"title\n1 atoms\n0 t 0 xy xz yz\n\nAtoms\n\n1 1 1 2 3\n", ":3: tilt is not a number: \"t\""},
    };
    (void)state;
    io_refuse_texts(bad, sizeof bad / sizeof *bad);
}

int io_lammps_data_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(atomic_comes_in_the_order_of_ids),
        cmocka_unit_test(charge_is_read),
        cmocka_unit_test(molecular_and_full_are_read),
        cmocka_unit_test(sphere_has_radii),
        cmocka_unit_test(styles_are_told_by_their_columns),
        cmocka_unit_test(faulty_atoms_are_named_with_their_lines),
        cmocka_unit_test(faulty_headers_and_velocities_are_named_with_their_lines),
    };
    return cmocka_run_group_tests_name("lammps-data", tests, NULL, NULL);
}
