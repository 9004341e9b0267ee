/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* CSV with a header. */
#include "tests/support/check.h"
#include "tests/support/io_files.h"
#include "tests/support/io_groups.h"

/* The sample's last line has no end. */
static void a_plain_table_is_read(void **state) {
    const double bodies[][IO_FIELDS] = {{1, 2, 3, 1, 2, 3, 0.5}, {-4.5, 5, 6, -4.5, 5, 6, 0.25}};
    (void)state;
    carom_frame frame = io_read(io_sample("plain.csv"), NULL);
    io_expect_traits(&frame, (io_traits){"csv", .has_radius = true});
    io_expect_bodies(&frame, 2, bodies);
    io_expect_names(&frame, NULL);
    io_expect_lines(&frame, (const uint64_t[]){2, 3});
    carom_frame_release(&frame);
}

/* Comments and blank lines anywhere; lines are still those of the file. */
static void columns_come_in_any_order(void **state) {
    const double bodies[][IO_FIELDS] = {{1, 2, 3, 4, 5, 6, 0.5}, {10, 20, 30, 40, 50, 60, 1.5}};
    (void)state;
    carom_frame frame = io_read(io_sample("motion.csv"), NULL);
    io_expect_traits(&frame, (io_traits){"csv", .has_motion = true, .has_radius = true});
    io_expect_bodies(&frame, 2, bodies);
    io_expect_names(&frame, (const char *const[]){"first", "second"});
    io_expect_lines(&frame, (const uint64_t[]){4, 7});
    carom_frame_release(&frame);
}

/* Tabs, lines that end in \r\n, capitals in the header. */
static void velocities_and_diameters_are_read(void **state) {
    const double bodies[][IO_FIELDS] = {{1, 2, 3, 2, 2, -1, 1.5}, {4, 5, 6, 6, 7, 8, 0.5}};
    carom_read_options options = carom_read_options_default();
    (void)state;
    options.dt = 2;
    carom_frame frame = io_read(io_sample("velocity.csv"), &options);
    io_expect_traits(&frame, (io_traits){"csv", .has_motion = true, .has_radius = true});
    io_expect_bodies(&frame, 2, bodies);
    io_expect_names(&frame, (const char *const[]){"ball", "bead"});
    io_expect_lines(&frame, (const uint64_t[]){2, 4});
    carom_frame_release(&frame);
}

/* A separator or a doubled quote within quotes, blanks around them. */
static void quoted_fields_are_read(void **state) {
    const double bodies[][IO_FIELDS] = {{1, 2, 3, 1, 2, 3, 1}, {4, 5, 6, 4, 5, 6, 2}};
    (void)state;
    carom_frame frame = io_read(io_sample("quoted.csv"), NULL);
    io_expect_bodies(&frame, 2, bodies);
    io_expect_names(&frame, (const char *const[]){"semi;colon, \"sa", "plain"});
    carom_frame_release(&frame);
}

static void a_byte_order_mark_is_passed_over(void **state) {
    (void)state;
    carom_frame frame = io_read_text("\xEF\xBB\xBFx,y,z,r\n1,2,3,4\n", NULL);
    io_expect_bodies(&frame, 1, (const double[][IO_FIELDS]){{1, 2, 3, 1, 2, 3, 4}});
    carom_frame_release(&frame);
}

/* With both, the end of the step counts, and velocities are not even looked at. */
static void end_positions_win_over_velocities(void **state) {
    (void)state;
    carom_frame frame = io_read_text("vx,vy,vz,x,y,z,curr_x,curr_y,curr_z,r\n9,9,?,1,2,3,4,5,6,7\n", NULL);
    io_expect_bodies(&frame, 1, (const double[][IO_FIELDS]){{1, 2, 3, 4, 5, 6, 7}});
    carom_frame_release(&frame);
}

static void a_header_alone_is_no_bodies(void **state) {
    (void)state;
    carom_frame frame = io_read_text("x,y,z\n", NULL);
    io_expect_bodies(&frame, 0, NULL);
    carom_frame_release(&frame);
}

#define HEAD "x,y,z,radius\n1,2,3,4\n"

static void faults_are_named_with_their_lines(void **state) {
    static const io_bad_text bad[] = {
        {HEAD "1,2,3 4,5\n", ":3: z is not a number: \"3 4\""},
        {HEAD "1,2,0x3,5\n", ":3: z is not a number: \"0x3\""},
        {HEAD "1,nan,3,4\n", ":3: y is not a finite number: \"nan\""},
        {HEAD "-inf,2,3,4\n", ":3: x is not a finite number: \"-inf\""},
        {HEAD "1,2,3,-4\n", ":3: radius is negative: -4"},
        {HEAD "1,2,3,-1e-300\n", ":3: radius is negative: -1e-300"},
        {HEAD "1,2,3,\n", ":3: radius is missing"},
        {HEAD ",,,\n", ":3: x is missing"},
        {HEAD "1,2,3\n", ":3: 3 fields; the header has 4"},
        {HEAD "1,2,3,4,5\n", ":3: more fields than the header's 4"},
        {HEAD "1,2,\"3,4\n", ":3: a quote is not closed"},
        {HEAD "1,\"2\"5,3,4\n", ":3: text follows a closing quote"},
        {"x,y,z,diameter\n1,2,3,-4\n", ":2: diameter is negative: -4"},
        {"x,y,z,vx,vy,vz\n1,2,3,4,5,x\n", ":2: vz is not a number: \"x\""},
        {"x,y,z,curr_x,curr_y,curr_z\n1,2,3,4,,6\n", ":2: curr_y is missing"},
        {"x,y,z,X\n1,2,3,4\n", ":1: column \"X\" stands twice"},
        {"prev_x,prev_y,prev_z\n1,x,3\n", ":2: prev_y is not a number: \"x\""},
        {"prev_x,y,z,x\n1,2,3,4\n", ":1: column \"x\" stands twice"},
        {"x,y,z,r,radius\n1,2,3,4,5\n", ":1: column \"radius\" stands twice"},
        {"x,y,z,r,diameter\n1,2,3,4,8\n", ":1: the header has both radius and diameter"},
        {"x,y,xyz\n1,2,3\n", ":1: the header must have x, y, z or prev_x, prev_y, prev_z"},
        {"x,y,z,vx,vy\n1,2,3,4,5\n", ":1: the header must have all three of curr_x, curr_y, curr_z or of vx, vy, vz"},
        {"x,y,z,vx,vy,vz,curr_x\n1,2,3,4,5,6,7\n",
         ":1: the header must have all three of curr_x, curr_y, curr_z or of vx, vy, vz"},
    };
    (void)state;
    io_refuse_texts(bad, sizeof bad / sizeof *bad);
}

int io_csv_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plain_table_is_read),
        cmocka_unit_test(columns_come_in_any_order),
        cmocka_unit_test(velocities_and_diameters_are_read),
        cmocka_unit_test(quoted_fields_are_read),
        cmocka_unit_test(a_byte_order_mark_is_passed_over),
        cmocka_unit_test(end_positions_win_over_velocities),
        cmocka_unit_test(a_header_alone_is_no_bodies),
        cmocka_unit_test(faults_are_named_with_their_lines),
    };
    return cmocka_run_group_tests_name("csv", tests, NULL, NULL);
}
