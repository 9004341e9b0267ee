/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies read for a simulation: velocities instead of positions at the end, and masses, restitutions and ids. */
#include <math.h>

#include "tests/support/check.h"
#include "tests/support/io_files.h"
#include "tests/support/io_groups.h"

static carom_read_options dynamics(void) {
    carom_read_options options = carom_read_options_default();
    options.dynamics = true;
    return options;
}

/* Velocities are the file's to the bit: curr - prev would round them away beside large positions. */
static void velocities_are_kept(void **state) {
    (void)state;
    carom_read_options options = dynamics();
    options.dt = 7;
    carom_frame frame = io_read_text("x,y,z,vx,vy,vz,r\n1e9,2,3,1e-9,5,6,7\n", &options);
    io_expect_bodies(&frame, 1, (const double[][IO_FIELDS]){{1e9, 2, 3, 1e-9, 5, 6, 7}});
    assert_null(frame.mass);
    assert_null(frame.restitution);
    assert_null(frame.id);
    carom_frame_release(&frame);
}

/* Positions at both ends are a step of length 1, whatever dt is. */
static void positions_become_velocities(void **state) {
    (void)state;
    carom_read_options options = dynamics();
    options.dt = 7;
    carom_frame frame = io_read_text("x,y,z,curr_x,curr_y,curr_z,r\n1,2,3,4,6,8,7\n", &options);
    io_expect_bodies(&frame, 1, (const double[][IO_FIELDS]){{1, 2, 3, 3, 4, 5, 7}});
    carom_frame_release(&frame);
}

static void velocities_win_over_end_positions(void **state) {
    (void)state;
    const carom_read_options options = dynamics();
    carom_frame frame = io_read_text("vx,vy,vz,x,y,z,curr_x,curr_y,curr_z,r\n9,8,7,1,2,3,?,5,6,7\n", &options);
    io_expect_bodies(&frame, 1, (const double[][IO_FIELDS]){{1, 2, 3, 9, 8, 7, 7}});
    carom_frame_release(&frame);
}

static void bodies_without_motion_rest(void **state) {
    (void)state;
    const carom_read_options options = dynamics();
    carom_frame frame = io_read_text("x,y,z,r\n1,2,3,4\n", &options);
    io_expect_bodies(&frame, 1, (const double[][IO_FIELDS]){{1, 2, 3, 0, 0, 0, 4}});
    assert_false(frame.has_motion);
    carom_frame_release(&frame);
}

/* The choice of bodies moves all columns alike. */
static void masses_restitutions_and_ids_are_read(void **state) {
    (void)state;
    carom_read_options options = dynamics();
    options.select = "b";
    carom_frame frame = io_read_text("id,name,x,y,z,r,Mass,restitution\n"
                                     "30,a,1,2,3,4,1,1\n10,b,1,2,3,4,inf,0.5\n20,b,1,2,3,4,2.5,0\n",
                                     &options);
    assert_int_equal(frame.count, 2);
    assert_true(isinf(frame.mass[0]) && frame.mass[1] == 2.5);
    assert_true(frame.restitution[0] == 0.5 && frame.restitution[1] == 0);
    assert_true(frame.id[0] == 10 && frame.id[1] == 20);
    carom_frame_release(&frame);
}

/* Detection has no use for the columns, and so no complaint about them. */
static void detection_skips_them(void **state) {
    (void)state;
    carom_frame frame = io_read_text("x,y,z,r,mass,id,id\n1,2,3,4,heavy,a,b\n", NULL);
    io_expect_bodies(&frame, 1, (const double[][IO_FIELDS]){{1, 2, 3, 1, 2, 3, 4}});
    assert_null(frame.mass);
    carom_frame_release(&frame);
}

static void lammps_ids_are_kept(void **state) {
    (void)state;
    carom_read_options options = io_radius(1);
    options.dynamics = true;
    carom_frame frame = io_read(io_sample("atomic.data"), &options);
    assert_int_equal(frame.count, 3);
    for (uint64_t n = 0; n < 3; n++) {
        assert_int_equal(frame.id[n], 10 * (n + 1));
    }
    assert_true(frame.curr[2][2] == -3);
    carom_frame_release(&frame);
}

#define HEAD "x,y,z,radius,mass,id\n1,2,3,4,5,6\n"

static void faults_are_named(void **state) {
    static const io_bad_text bad[] = {
        {HEAD "1,2,3,4,heavy,7\n", ":3: mass is not a number: \"heavy\""},
        {HEAD "1,2,3,4,,7\n", ":3: mass is missing"},
        {HEAD "1,2,3,4,5,6\n", ":3: id 6 stands twice"},
        {HEAD "1,2,3,4,5,-6\n", ":3: id is not a whole number from 0 up: \"-6\""},
        {HEAD "1,2,3,4,5,x\n", ":3: id is not a whole number from 0 up: \"x\""},
        {"x,y,z,r,restitution\n1,2,3,4,inf\n", ":2: restitution is not a finite number: \"inf\""},
        {"x,y,z,mass,MASS\n1,2,3,4,5\n", ":1: column \"MASS\" stands twice"},
        {"x,y,z,vx,vy,curr_x,curr_y,curr_z,r\n1,2,3,4,5,6,7,8,nan\n", ":2: radius is not a finite number: \"nan\""},
    };
    const carom_read_options options = dynamics();
    (void)state;
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        io_refuse(io_write_text(bad[n].text), &options, CAROM_ERROR_FORMAT, bad[n].message);
    }
}

int io_dynamics_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_are_kept),
        cmocka_unit_test(positions_become_velocities),
        cmocka_unit_test(velocities_win_over_end_positions),
        cmocka_unit_test(bodies_without_motion_rest),
        cmocka_unit_test(masses_restitutions_and_ids_are_read),
        cmocka_unit_test(detection_skips_them),
        cmocka_unit_test(lammps_ids_are_kept),
        cmocka_unit_test(faults_are_named),
    };
    return cmocka_run_group_tests_name("dynamics", tests, NULL, NULL);
}
