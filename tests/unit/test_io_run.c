/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Files of a run that grow while it goes on: the text they have, and that they are whole when a disk is full, when a
 * signal ends the program, and whatever the locale. test_run_files.py reads the binary ones. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel/io/events.h"
#include "kernel/io/trajectory.h"
#include "kernel/io/unfinished.h"
#include "kernel/io/write.h"
#include "tests/support/check.h"
#include "tests/support/io_files.h"
#include "tests/support/io_groups.h"
#include "tests/support/sample_run.h"

enum { BOTH = CAROM_TRAJECTORY_XYZ | CAROM_TRAJECTORY_VTK, LONG_TEXT = 1 << 20, MANY = 150 };

static sample_run run;

static void expect_text(const char *name, const char *expected) {
    io_bytes bytes = io_load(io_scratch(name));
    assert_string_equal(bytes.data, expected);
    io_bytes_release(&bytes);
}

/* Opens a trajectory in the folder of scratch files. */
static void open_here(carom_trajectory *trajectory, unsigned formats) {
    assert_int_equal(carom_trajectory_open(io_scratch("."), formats, trajectory, NULL), CAROM_OK);
}

static void add_frame(carom_trajectory *trajectory, uint64_t step, uint64_t count, bool wide, bool periodic) {
    const carom_moment moment = sample_moment(&run, step, count, wide, periodic);
    assert_int_equal(
        carom_trajectory_add(trajectory, &moment, sample_impacts(&run, step, step > 0 ? 4 : 0), step > 0 ? 4 : 0, NULL),
        CAROM_OK);
}

static const char first_frame[] =
    "2\nLattice=\"9 0 0 1 8 0 0 0.33333333333333331 7\" pbc=\"T T F\" Origin=\"-0 -0.5 -1\" "
    "Properties=id:I:1:pos:R:3:velo:R:3:radius:R:1:mass:R:1 Time=0 step=0\n"
    "10 0 -0 0.10000000000000001 0 0 -0.33333333333333331 0.10000000000000001 inf\n"
    "13 0.33333333333333331 -0.14285714285714285 0.10000000000000001 0.10000000000000001 0 -0.33333333333333331 "
    "0.10010000000000001 2\n";

static const char second_frame[] = "2\nProperties=id:I:1:pos:R:3:velo:R:3:radius:R:1:mass:R:1 Time=0.25 step=1\n"
                                   "10 1 -0 0.100000001 0 0 -0.333333343 0.100000001 inf\n"
                                   "13 1.33333337 -0.142857149 0.100000001 0.100000001 0 -0.333333343 0.100100003 2\n";

/* A comma as decimal point must not come in, and the stream must leave the caller's locale alone between frames. */
static void frames_have_the_documented_text(void **state) {
    char both[sizeof first_frame + sizeof second_frame];
    (void)state;
    snprintf(both, sizeof both, "%s%s", first_frame, second_frame);
    const bool comma = io_decimal_comma(true);
    carom_trajectory trajectory;
    open_here(&trajectory, BOTH);
    add_frame(&trajectory, 0, 2, true, true);
    expect_text("frames.xyz", first_frame);
    add_frame(&trajectory, 1, 2, false, false);
    char number[8];
    snprintf(number, sizeof number, "%g", 0.5);
    assert_string_equal(number, comma ? "0,5" : "0.5");
    assert_int_equal(carom_trajectory_close(&trajectory, NULL), CAROM_OK);
    io_decimal_comma(false);
    expect_text("frames.xyz", both);
    expect_text("frames.pvd", "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
                              "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<Collection>\n"
                              "<DataSet timestep=\"0\" part=\"0\" file=\"frame_000000.vtp\"/>\n"
                              "<DataSet timestep=\"0.25\" part=\"0\" file=\"frame_000001.vtp\"/>\n"
                              "</Collection>\n</VTKFile>\n");
    assert_int_equal(access(io_scratch("impacts_000001.vtp"), F_OK), 0);
}

/* Our own reader takes what it needs of the first frame. */
static void readers_take_a_frame(void **state) {
    (void)state;
    carom_trajectory trajectory;
    open_here(&trajectory, CAROM_TRAJECTORY_XYZ);
    add_frame(&trajectory, 0, 2, true, true);
    assert_int_equal(carom_trajectory_close(&trajectory, NULL), CAROM_OK);
    carom_frame frame = io_read(io_scratch("frames.xyz"), NULL);
    assert_int_equal(frame.count, 2);
    assert_true(frame.has_radius && frame.has_motion && frame.has_box);
    assert_memory_equal(&frame.prev[1][1], &run.wide[1][1], sizeof(double));
    assert_memory_equal(&frame.radius[1], &run.wide[6][1], sizeof(double));
    carom_frame_release(&frame);
}

/* More frames than the first list has room for. */
static void all_frames_are_listed(void **state) {
    (void)state;
    carom_trajectory trajectory;
    open_here(&trajectory, CAROM_TRAJECTORY_VTK);
    for (uint64_t step = 0; step < MANY; step++) {
        add_frame(&trajectory, step, 1, true, false);
    }
    assert_int_equal(carom_trajectory_close(&trajectory, NULL), CAROM_OK);
    io_bytes bytes = io_load(io_scratch("impacts.pvd"));
    const char *at = bytes.data;
    for (int n = 0; n < MANY; n++) {
        char line[80];
        snprintf(line, sizeof line, "timestep=\"%g\" part=\"0\" file=\"impacts_%06d.vtp\"", 0.25 * n, n);
        at = strstr(at, line);
        assert_non_null(at);
    }
    io_bytes_release(&bytes);
}

static void the_folder_is_made(void **state) {
    char folder[IO_PATH_SIZE];
    carom_trajectory trajectory;
    struct stat facts;
    (void)state;
    snprintf(folder, sizeof folder, "%s", io_scratch("made"));
    for (int again = 0; again < 2; again++) {
        assert_int_equal(carom_trajectory_open(folder, CAROM_TRAJECTORY_VTK, &trajectory, NULL), CAROM_OK);
        assert_int_equal(carom_trajectory_close(&trajectory, NULL), CAROM_OK);
        assert_int_equal(stat(folder, &facts), 0);
        assert_true(S_ISDIR(facts.st_mode));
    }
    assert_int_equal(rmdir(folder), 0);
}

/* The message begins with the name and says what the system says. */
static void expect_failure(carom_status status, const carom_error *error, const char *path, int reason) {
    const size_t length = strlen(path);
    assert_int_equal(status, CAROM_ERROR_FILE);
    assert_int_equal(strncmp(error->message, path, length), 0);
    assert_int_equal(strncmp(error->message + length, ": ", 2), 0);
    assert_string_equal(error->message + length + 2, strerror(reason));
}

static void folders_that_cannot_be_are_file_errors(void **state) {
    char file[IO_PATH_SIZE];
    char within[IO_PATH_SIZE + 8];
    char longest[PATH_MAX];
    carom_trajectory trajectory;
    carom_error error;
    (void)state;
    snprintf(file, sizeof file, "%s", io_write_text("a file"));
    snprintf(within, sizeof within, "%s/run", file);
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    expect_failure(carom_trajectory_open(file, BOTH, &trajectory, &error), &error, file, ENOTDIR);
    expect_failure(carom_trajectory_open(within, BOTH, &trajectory, &error), &error, within, ENOTDIR);
    const char *none = io_scratch("no/run");
    expect_failure(carom_trajectory_open(none, BOTH, &trajectory, &error), &error, none, ENOENT);
    assert_int_equal(carom_trajectory_open(longest, BOTH, &trajectory, &error), CAROM_ERROR_FILE);
    assert_int_equal(strncmp(error.message, longest, 100), 0);
}

/* Limits the size of files, which stands for a full disk, or lifts that again. */
static void limit_files(bool on) {
    static struct rlimit before;
    static void (*handler)(int);
    if (on) {
        assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
        const struct rlimit limit = {.rlim_cur = 8192, .rlim_max = before.rlim_max};
        handler = signal(SIGXFSZ, SIG_IGN);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    } else {
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        (void)signal(SIGXFSZ, handler);
    }
}

/* The small frame stays; nothing of the large one does. */
static void a_full_disk_keeps_whole_frames(void **state) {
    char path[IO_PATH_SIZE];
    carom_error error;
    (void)state;
    carom_trajectory trajectory;
    open_here(&trajectory, CAROM_TRAJECTORY_XYZ);
    snprintf(path, sizeof path, "%.500s", trajectory.xyz_path);
    add_frame(&trajectory, 0, 2, true, true);
    const carom_moment large = sample_moment(&run, 1, SAMPLE_BODIES_MAX, true, false);
    limit_files(true);
    const carom_status status = carom_trajectory_add(&trajectory, &large, NULL, 0, &error);
    limit_files(false);
    expect_failure(status, &error, path, EFBIG);
    assert_int_equal(trajectory.frames, 1);
    assert_int_equal(carom_trajectory_close(&trajectory, &error), CAROM_ERROR_FILE);
    expect_text("frames.xyz", first_frame);
}

/* A file of a frame that does not fit is not there, and nothing lists it. */
static void a_full_disk_leaves_no_part_of_a_frame(void **state) {
    carom_error error;
    (void)state;
    (void)unlink(io_scratch("frame_000001.vtp"));
    carom_trajectory trajectory;
    open_here(&trajectory, CAROM_TRAJECTORY_VTK);
    add_frame(&trajectory, 0, 2, true, true);
    const carom_moment large = sample_moment(&run, 1, SAMPLE_BODIES_MAX, true, false);
    limit_files(true);
    const carom_status status = carom_trajectory_add(&trajectory, &large, NULL, 0, &error);
    limit_files(false);
    assert_int_equal(status, CAROM_ERROR_FILE);
    assert_non_null(strstr(error.message, "/frame_000001.vtp: "));
    assert_int_equal(carom_trajectory_close(&trajectory, NULL), CAROM_OK);
    assert_int_not_equal(access(io_scratch("frame_000001.vtp"), F_OK), 0);
    io_bytes bytes = io_load(io_scratch("frames.pvd"));
    assert_null(strstr(bytes.data, "frame_000001"));
    io_bytes_release(&bytes);
}

/* Ends a copy of this program by a signal. */
static void interrupt_a_child(void) {
    int outcome;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        (void)signal(SIGTERM, SIG_DFL);
        carom_unfinished_watch();
        raise(SIGTERM);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &outcome, 0), child);
    assert_true(WIFSIGNALED(outcome) && WTERMSIG(outcome) == SIGTERM);
}

/* In the middle of a frame: after the first, and after the second, when what stays has grown. */
static void a_signal_keeps_whole_frames(void **state) {
    (void)state;
    carom_trajectory trajectory;
    open_here(&trajectory, CAROM_TRAJECTORY_XYZ);
    char both[2 * sizeof first_frame] = "";
    for (int frames = 1; frames <= 2; frames++) {
        add_frame(&trajectory, 0, 2, true, true);
        assert_true(fputs("2\nhalf a fra", trajectory.xyz.file) >= 0 && fflush(trajectory.xyz.file) == 0);
        interrupt_a_child();
        strcat(both, first_frame);
        expect_text("frames.xyz", both);
        assert_int_equal(fseeko(trajectory.xyz.file, (off_t)strlen(both), SEEK_SET), 0);
    }
    assert_int_equal(carom_trajectory_close(&trajectory, NULL), CAROM_OK);
    expect_text("frames.xyz", both);
}

static const char *const surfaces[] = {"a", "b", "left, \"upper\" wall"};

static const char rows[] = "step,t,i,k,x,y,z,nx,ny,nz,impulse\n"
                           "0,0,0,1,0,0,-0,0.59999999999999998,0,0.80000000000000004,0\n"
                           "0,0.076923076923076927,1,2,1,0.33333333333333331,-0,0.59999999999999998,0,"
                           "0.80000000000000004,0.1111111111111111\n"
                           "0,0.15384615384615385,2,\"left, \"\"upper\"\" wall\",2,0.66666666666666663,-0,"
                           "0.59999999999999998,0,0.80000000000000004,0.22222222222222221\n";

/* Two growing files at once, closed in the order in which they were opened, each with its own locale. */
static void events_have_the_documented_text(void **state) {
    carom_events events;
    carom_written written;
    (void)state;
    (void)unlink(io_scratch("events.csv"));
    char path[IO_PATH_SIZE];
    snprintf(path, sizeof path, "%s", io_scratch("events.csv"));
    const bool comma = io_decimal_comma(true);
    assert_int_equal(carom_events_open(path, surfaces, &events, NULL), CAROM_OK);
    carom_trajectory trajectory;
    open_here(&trajectory, BOTH);
    const carom_impact_row *impacts = sample_impacts(&run, 1, 3);
    assert_int_equal(carom_events_add(&events, impacts, 1, NULL), CAROM_OK);
    assert_int_equal(carom_events_add(&events, impacts, 0, NULL), CAROM_OK);
    assert_int_equal(carom_events_add(&events, impacts + 1, 2, NULL), CAROM_OK);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(carom_events_close(&events, &written, NULL), CAROM_OK);
    assert_int_equal(carom_trajectory_close(&trajectory, NULL), CAROM_OK);
    char number[8];
    snprintf(number, sizeof number, "%g", 0.5);
    assert_string_equal(number, comma ? "0,5" : "0.5");
    io_decimal_comma(false);
    assert_int_equal(written.rows, 3);
    assert_string_equal(written.to, path);
    expect_text("events.csv", rows);
}

static void interrupted_events_leave_the_old_file(void **state) {
    carom_events events;
    char path[IO_PATH_SIZE];
    (void)state;
    FILE *old = fopen(io_scratch("events.npy"), "wb");
    assert_true(old != NULL && fputs("old", old) >= 0 && fclose(old) == 0);
    snprintf(path, sizeof path, "%s", io_scratch("events.npy"));
    assert_int_equal(carom_events_open(path, NULL, &events, NULL), CAROM_OK);
    assert_int_equal(carom_events_add(&events, sample_impacts(&run, 1, 3), 3, NULL), CAROM_OK);
    interrupt_a_child();
    assert_int_equal(carom_events_close(&events, NULL, NULL), CAROM_ERROR_FILE);
    expect_text("events.npy", "old");
}

/* Told when it happens, or at the latest at the end. */
static void events_that_do_not_fit_are_file_errors(void **state) {
    carom_events events;
    carom_error error = {.message = ""};
    (void)state;
    if (access("/dev/full", W_OK) != 0) {
        skip();
    }
    assert_int_equal(carom_events_open("/dev/full", surfaces, &events, NULL), CAROM_OK);
    const carom_impact_row *impacts = sample_impacts(&run, 1, 3);
    assert_int_equal(carom_events_add(&events, impacts, 3, NULL), CAROM_OK);
    expect_failure(carom_events_close(&events, NULL, &error), &error, "/dev/full", ENOSPC);
    assert_int_equal(carom_events_open("/dev/full", surfaces, &events, NULL), CAROM_OK);
    carom_status status = CAROM_OK;
    for (int n = 0; n < LONG_TEXT / 64 && status == CAROM_OK; n++) {
        status = carom_events_add(&events, impacts, 1, &error);
    }
    expect_failure(status, &error, "/dev/full", ENOSPC);
    assert_int_equal(carom_events_close(&events, NULL, NULL), CAROM_ERROR_FILE);
}

/* Its head, which has the count, is written last: a pipe has passed it on by then. */
static void npy_events_need_an_ordinary_file(void **state) {
    carom_events events;
    carom_error error = {.message = ""};
    (void)state;
    (void)unlink(io_scratch("pipe.npy"));
    assert_int_equal(symlink("/dev/null", io_scratch("pipe.npy")), 0);
    assert_int_equal(carom_events_open(io_scratch("pipe.npy"), NULL, &events, &error), CAROM_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "pipe.npy: events as .npy need an ordinary file"));
}

static void states_have_the_documented_text(void **state) {
    carom_moment moment = sample_moment(&run, 1, 2, true, false);
    carom_written written;
    (void)state;
    assert_int_equal(carom_write_state(io_scratch("state.csv"), &moment, NULL, &written, NULL), CAROM_OK);
    assert_int_equal(written.rows, 2);
    expect_text("state.csv", "id,x,y,z,vx,vy,vz\n10,1,-0,0.10000000000000001,0,0,-0.33333333333333331\n"
                             "13,1.3333333333333333,-0.14285714285714285,0.10000000000000001,0.10000000000000001,0,"
                             "-0.33333333333333331\n");
    moment = sample_moment(&run, 1, 2, false, false);
    moment.id = NULL;
    assert_int_equal(carom_write_state(io_scratch("state.csv"), &moment, NULL, NULL, NULL), CAROM_OK);
    expect_text("state.csv", "id,x,y,z,vx,vy,vz\n0,1,-0,0.100000001,0,0,-0.333333343\n"
                             "1,1.33333337,-0.142857149,0.100000001,0.100000001,0,-0.333333343\n");
}

int io_run_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_have_the_documented_text),
        cmocka_unit_test(readers_take_a_frame),
        cmocka_unit_test(all_frames_are_listed),
        cmocka_unit_test(the_folder_is_made),
        cmocka_unit_test(folders_that_cannot_be_are_file_errors),
        cmocka_unit_test(a_full_disk_keeps_whole_frames),
        cmocka_unit_test(a_full_disk_leaves_no_part_of_a_frame),
        cmocka_unit_test(a_signal_keeps_whole_frames),
        cmocka_unit_test(events_have_the_documented_text),
        cmocka_unit_test(interrupted_events_leave_the_old_file),
        cmocka_unit_test(events_that_do_not_fit_are_file_errors),
        cmocka_unit_test(npy_events_need_an_ordinary_file),
        cmocka_unit_test(states_have_the_documented_text),
    };
    return cmocka_run_group_tests_name("run", tests, NULL, NULL);
}
