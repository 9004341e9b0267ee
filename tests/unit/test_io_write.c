/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Writers: what they write, and that the readers get the same floats back. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kernel/io/write.h"
#include "kernel/scene/scene.h"
#include "tests/support/check.h"
#include "tests/support/io_files.h"
#include "tests/support/io_groups.h"

static const char *const scene_names[] = {"scene.npy", "scene.csv", "scene.xyz"};

enum { FORMATS = 3, EDGES = 6 };

/* Floats at the ends of their range; displacements between numbers so far apart that their difference is one of them.
 */
static float edges[IO_FIELDS][EDGES] = {
    {0.0F, -0.0F, 1e30F, 0x1p-149F, 3.4028234663852886e38F, 16777217.0F},
    {1.1F, 0.1F, -1e30F, -0x1p-149F, -3.4028234663852886e38F, 1e-38F},
    {-0.0F, 0.3F, 1.0F, 0x1.fffffep-127F, 1e-10F, 0.333333333F},
    {-0.0F, 0.0F, 1e-30F, 1.0F, -3.4028234663852886e38F, 16777216.0F},
    {2.2F, -0.0F, 1e-5F, -1.0F, 3.4028234663852886e38F, 1e38F},
    {5.0F, -0.3F, 1.00000012F, 0x1p-126F, 1e10F, 0.0F},
    {0.0F, 0.5F, 1e-20F, 0x1p-149F, 3.4028234663852886e38F, 1.0F},
};

static const carom_write_options all_rows = {.all_pairs = true};

static carom_bodies_f32 edge_bodies(void) {
    return (carom_bodies_f32){.count = EDGES,
                              .prev = {edges[0], edges[1], edges[2]},
                              .curr = {edges[3], edges[4], edges[5]},
                              .radius = edges[6]};
}

/* Bit by bit, as doubles or rounded to float. */
static void expect_floats(const double *read, const float *written, uint64_t count, bool exact, const char *format) {
    for (uint64_t n = 0; n < count; n++) {
        const float rounded = (float)read[n];
        const double widened = (double)written[n];
        if (memcmp(&rounded, &written[n], sizeof rounded) != 0 ||
            (exact && memcmp(&read[n], &widened, sizeof widened) != 0)) {
            fail_msg("%s: %.17g came back as %.17g", format, widened, read[n]);
        }
    }
}

static void expect_bodies(const char *path, const carom_bodies_f32 *bodies, bool exact) {
    carom_frame frame = io_read(path, NULL);
    assert_int_equal(frame.count, bodies->count);
    assert_true(frame.has_radius || bodies->count == 0);
    assert_true(frame.has_motion || bodies->count == 0);
    for (int axis = 0; axis < 3; axis++) {
        expect_floats(frame.prev[axis], bodies->prev[axis], bodies->count, exact, frame.format);
        expect_floats(frame.curr[axis], bodies->curr[axis], bodies->count, exact, frame.format);
    }
    expect_floats(frame.radius, bodies->radius, bodies->count, exact, frame.format);
    carom_frame_release(&frame);
}

/* Nine digits keep the float only; all else the double too. */
static void expect_round_trip(const carom_bodies_f32 *bodies) {
    static const carom_write_precision precisions[] = {CAROM_WRITE_EXACT, CAROM_WRITE_F32, CAROM_WRITE_F64};
    for (int n = 0; n < FORMATS * 3; n++) {
        const char *path = io_scratch(scene_names[n % FORMATS]);
        const carom_write_options options = {.precision = precisions[n / FORMATS]};
        carom_error error = {.message = ""};
        carom_written written;
        assert_int_equal(carom_write_bodies_f32(path, bodies, &options, &written, &error), CAROM_OK);
        assert_int_equal(written.rows, bodies->count);
        assert_string_equal(written.to, path);
        expect_bodies(path, bodies, n % FORMATS == 0 || options.precision != CAROM_WRITE_F32);
    }
}

/* The box goes into extended XYZ, all digits of it. */
static void a_box_comes_back(void **state) {
    static const double box[3] = {1.0 / 3, 1e300, 5e-324};
    static const double expected[3][3] = {{1.0 / 3, 0, 0}, {0, 1e300, 0}, {0, 0, 5e-324}};
    static const double origin[3] = {0};
    const carom_bodies_f32 bodies = edge_bodies();
    const carom_write_options options = {.format = CAROM_FORMAT_XYZ, .box = box};
    (void)state;
    const char *path = io_scratch("with_box");
    assert_int_equal(carom_write_bodies_f32(path, &bodies, &options, NULL, NULL), CAROM_OK);
    carom_frame frame = io_read(path, NULL);
    io_expect_box(&frame, origin, expected);
    assert_int_equal(frame.box_line, 2);
    carom_frame_release(&frame);
}

static void scenes_come_back_bit_by_bit(void **state) {
    const carom_bodies_f32 hard = edge_bodies();
    (void)state;
    expect_round_trip(&hard);
    for (const char *letter = carom_scene_letters(); *letter != '\0'; letter++) {
        for (uint64_t count = 0; count <= 1000; count = count * 10 + 1 + count * 7) {
            carom_scene_f32 scene;
            assert_int_equal(carom_scene_make(*letter, count, 1, &scene), CAROM_OK);
            const carom_bodies_f32 bodies = carom_scene_bodies(&scene);
            expect_round_trip(&bodies);
            carom_scene_release(&scene);
        }
    }
}

/* NumPy wants its data to begin at a multiple of 64; Fortran order is False. */
static void npy_is_as_numpy_writes_it(void **state) {
    const carom_bodies_f32 bodies = edge_bodies();
    (void)state;
    assert_int_equal(carom_write_bodies_f32(io_scratch("scene.npy"), &bodies, NULL, NULL, NULL), CAROM_OK);
    io_bytes bytes = io_load(io_scratch("scene.npy"));
    assert_int_equal(bytes.size, 128 + EDGES * IO_FIELDS * 4);
    assert_memory_equal(bytes.data, "\x93NUMPY\x01\x00\x76\x00", 10);
    assert_int_equal(strncmp(bytes.data + 10, "{'descr': '<f4', 'fortran_order': False, 'shape': (6, 7), }", 59), 0);
    assert_int_equal(bytes.data[127], '\n');
    io_bytes_release(&bytes);
}

static void expect_text(const char *path, const char *expected) {
    io_bytes bytes = io_load(path);
    assert_string_equal(bytes.data, expected);
    io_bytes_release(&bytes);
}

/* t_toi stays empty where a pair does not touch. */
static void pairs_have_the_documented_rows(void **state) {
    static uint32_t i[] = {0, 7};
    static uint32_t k[] = {4294967294U, 8};
    static float t_ca[] = {0.5F, 0.1F};
    static float distance[] = {1.25F, 0.0F};
    static float t_toi[] = {0.25F, NAN};
    static double t_ca_wide[] = {0.5, 0.1};
    static double distance_wide[] = {1.25, 0.0};
    static double t_toi_wide[] = {1.0 / 3, (double)NAN};
    const carom_detection_f32 narrow = {
        .pair_count = 2, .contacts = {.i = i, .k = k, .t_ca = t_ca, .distance = distance, .t_toi = t_toi}};
    const carom_detection_f64 wide = {
        .pair_count = 2,
        .contacts = {.i = i, .k = k, .t_ca = t_ca_wide, .distance = distance_wide, .t_toi = t_toi_wide}};
    const carom_detection_f64 none = {.pair_count = 0};
    (void)state;
    assert_int_equal(carom_write_pairs_f32(io_scratch("pairs.csv"), &narrow, &all_rows, NULL, NULL), CAROM_OK);
    expect_text(io_scratch("pairs.csv"), "i,k,t_ca,distance,t_toi\n0,4294967294,0.5,1.25,0.25\n7,8,0.100000001,0,\n");
    assert_int_equal(carom_write_pairs_f64(io_scratch("pairs.csv"), &wide, &all_rows, NULL, NULL), CAROM_OK);
    expect_text(io_scratch("pairs.csv"), "i,k,t_ca,distance,t_toi\n0,4294967294,0.5,1.25,0.33333333333333331\n"
                                         "7,8,0.10000000000000001,0,\n");
    assert_int_equal(carom_write_pairs_f64(io_scratch("pairs.csv"), &none, &all_rows, NULL, NULL), CAROM_OK);
    expect_text(io_scratch("pairs.csv"), "i,k,t_ca,distance,t_toi\n");
}

static uint32_t some_i[] = {0, 7};
static uint32_t some_k[] = {4294967294U, 8};
static float some_times[] = {0.5F, 0.25F};
static float some_toi[] = {NAN, 0.25F};
static float some_vector[] = {9.0F, -0.5F};
static int32_t some_shift[] = {9, -1};

static carom_detection_f32 some_pairs(void) {
    return (carom_detection_f32){.pair_count = 2,
                                 .contacts = {.i = some_i,
                                              .k = some_k,
                                              .t_ca = some_times,
                                              .distance = some_times,
                                              .t_toi = some_toi,
                                              .normal = {some_vector, some_vector, some_vector},
                                              .point = {some_vector, some_vector, some_times},
                                              .shift = {some_shift, some_shift, some_shift}}};
}

/* Only pairs that touch, with where and along which normal. */
static void touching_pairs_have_the_documented_rows(void **state) {
    const carom_detection_f32 found = some_pairs();
    const carom_detection_f32 none = {.pair_count = 0};
    const carom_write_options shifts = {.shifts = true};
    const char *header = "i,k,t_ca,distance,t_toi,normal_x,normal_y,normal_z,point_x,point_y,point_z,shift_x,shift_y,"
                         "shift_z\n";
    char expected[256];
    carom_written written;
    (void)state;
    assert_int_equal(carom_write_pairs_f32(io_scratch("pairs.csv"), &found, NULL, &written, NULL), CAROM_OK);
    assert_int_equal(written.rows, 1);
    snprintf(expected, sizeof expected, "%s7,8,0.25,0.25,0.25,-0.5,-0.5,-0.5,-0.5,-0.5,0.25,-1,-1,-1\n", header);
    expect_text(io_scratch("pairs.csv"), expected);
    /* The header does not depend on what was found. */
    assert_int_equal(carom_write_pairs_f32(io_scratch("pairs.csv"), &none, &shifts, NULL, NULL), CAROM_OK);
    expect_text(io_scratch("pairs.csv"), header);
}

/* Packed records, little-endian: what numpy.load gives names to. */
static void records_are_as_numpy_writes_them(void **state) {
    static const char descr[] = "{'descr': [('i', '<u4'), ('k', '<u4'), ('t_ca', '<f4'), ('distance', '<f4'), "
                                "('t_toi', '<f4'), ('shift', '<i4', (3,))], 'fortran_order': False, 'shape': (2,), }";
    static const unsigned char second[] = {7,    0,    0,    0,    8,    0,    0,    0,    0,    0,    128,
                                           62,   0,    0,    128,  62,   0,    0,    128,  62,   0xFF, 0xFF,
                                           0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
    const carom_detection_f32 found = some_pairs();
    (void)state;
    assert_int_equal(carom_write_pairs_f32(io_scratch("pairs.npy"), &found, &all_rows, NULL, NULL), CAROM_OK);
    io_bytes bytes = io_load(io_scratch("pairs.npy"));
    const size_t head = bytes.size - 2 * sizeof second;
    assert_int_equal(head % 64, 0);
    assert_memory_equal(bytes.data, "\x93NUMPY\x01\x00", 8);
    assert_int_equal((unsigned char)bytes.data[8] + 256 * (unsigned char)bytes.data[9], head - 10);
    assert_int_equal(strncmp(bytes.data + 10, descr, sizeof descr - 1), 0);
    assert_int_equal(bytes.data[head - 1], '\n');
    assert_memory_equal(bytes.data + head + sizeof second, second, sizeof second);
    io_bytes_release(&bytes);
}

/* A group is called by its label, not by its place in the list. */
static void groups_have_the_documented_rows(void **state) {
    static const uint32_t label[] = {0, 1, 0, 1, 4};
    static const uint64_t offset[] = {0, 2, 4, 5};
    static const uint32_t member[] = {0, 2, 1, 3, 4};
    static const uint64_t no_offset[] = {0};
    const carom_groups groups = {.count = 3, .label = label, .offset = offset, .member = member};
    const carom_groups none = {.count = 0, .label = label, .offset = no_offset, .member = member};
    (void)state;
    assert_int_equal(carom_write_groups(io_scratch("groups.csv"), &groups, NULL, NULL, NULL), CAROM_OK);
    expect_text(io_scratch("groups.csv"), "group,body\n0,0\n0,2\n1,1\n1,3\n4,4\n");
    assert_int_equal(carom_write_groups(io_scratch("groups.csv"), &none, NULL, NULL, NULL), CAROM_OK);
    expect_text(io_scratch("groups.csv"), "group,body\n");
}

static void expect_failure(carom_status status, const carom_error *error, carom_status expected, const char *path,
                           const char *message) {
    char text[CAROM_MESSAGE_SIZE];
    snprintf(text, sizeof text, "%.128s%s", path, message);
    assert_string_equal(error->message, text);
    assert_int_equal(status, expected);
    assert_int_equal(error->status, expected);
}

static void refuse_everywhere(const char *path, const char *message) {
    static const uint64_t offset[] = {0};
    const carom_detection_f32 narrow = {.pair_count = 0};
    const carom_detection_f64 wide = {.pair_count = 0};
    const carom_groups groups = {.offset = offset};
    carom_error error = {.message = ""};
    expect_failure(carom_write_pairs_f32(path, &narrow, &all_rows, NULL, &error), &error, CAROM_ERROR_FILE, path,
                   message);
    expect_failure(carom_write_pairs_f64(path, &wide, &all_rows, NULL, &error), &error, CAROM_ERROR_FILE, path,
                   message);
    expect_failure(carom_write_groups(path, &groups, NULL, NULL, &error), &error, CAROM_ERROR_FILE, path, message);
}

static void paths_that_cannot_be_written_are_file_errors(void **state) {
    const carom_bodies_f32 bodies = edge_bodies();
    carom_error error = {.message = ""};
    (void)state;
    refuse_everywhere(io_scratch("no/such/folder.csv"), ": No such file or directory");
    refuse_everywhere(io_scratch("."), ": Is a directory");
    const char *path = io_scratch("no/such/folder.npy");
    expect_failure(carom_write_bodies_f32(path, &bodies, NULL, NULL, &error), &error, CAROM_ERROR_FILE, path,
                   ": No such file or directory");
}

/* A device that is full says so only when buffers are written out: at the end, or, with much to write, before. */
static void a_full_device_is_a_file_error(void **state) {
    carom_scene_f32 scene;
    (void)state;
    if (access("/dev/full", W_OK) != 0) {
        skip();
    }
    refuse_everywhere("/dev/full", ": No space left on device");
    assert_int_equal(carom_scene_make('u', 10000, 1, &scene), CAROM_OK);
    const carom_bodies_f32 much = carom_scene_bodies(&scene);
    for (int n = 0; n < FORMATS; n++) {
        const carom_bodies_f32 few = edge_bodies();
        const char *path = io_scratch(n == 0 ? "full.npy" : n == 1 ? "full.csv" : "full.xyz");
        carom_error error = {.message = ""};
        assert_int_equal(symlink("/dev/full", path), 0);
        expect_failure(carom_write_bodies_f32(path, &few, NULL, NULL, &error), &error, CAROM_ERROR_FILE, path,
                       ": No space left on device");
        expect_failure(carom_write_bodies_f32(path, &much, NULL, NULL, &error), &error, CAROM_ERROR_FILE, path,
                       ": No space left on device");
    }
    carom_scene_release(&scene);
}

static void other_suffixes_are_argument_errors(void **state) {
    static const char *const names[] = {"scene.txt", "scene", "scene.CSV", "scene.npy.gz"};
    const carom_bodies_f32 bodies = edge_bodies();
    (void)state;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        carom_error error = {.message = ""};
        const char *path = io_scratch(names[n]);
        expect_failure(carom_write_bodies_f32(path, &bodies, NULL, NULL, &error), &error, CAROM_ERROR_ARGUMENT, path,
                       ": the name must end in .npy, .csv or .xyz");
        assert_int_not_equal(access(path, F_OK), 0);
    }
}

static void the_locale_does_not_change_files(void **state) {
    const carom_bodies_f32 bodies = edge_bodies();
    (void)state;
    for (int n = 0; n < FORMATS; n++) {
        assert_int_equal(carom_write_bodies_f32(io_scratch(scene_names[n]), &bodies, NULL, NULL, NULL), CAROM_OK);
        io_bytes plain = io_load(io_scratch(scene_names[n]));
        if (!io_decimal_comma(true)) {
            io_bytes_release(&plain);
            skip();
        }
        assert_int_equal(carom_write_bodies_f32(io_scratch(scene_names[n]), &bodies, NULL, NULL, NULL), CAROM_OK);
        io_decimal_comma(false);
        io_bytes bytes = io_load(io_scratch(scene_names[n]));
        assert_int_equal(bytes.size, plain.size);
        assert_memory_equal(bytes.data, plain.data, plain.size);
        io_bytes_release(&plain);
        io_bytes_release(&bytes);
    }
}

int io_write_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_come_back_bit_by_bit),
        cmocka_unit_test(npy_is_as_numpy_writes_it),
        cmocka_unit_test(pairs_have_the_documented_rows),
        cmocka_unit_test(a_box_comes_back),
        cmocka_unit_test(touching_pairs_have_the_documented_rows),
        cmocka_unit_test(records_are_as_numpy_writes_them),
        cmocka_unit_test(groups_have_the_documented_rows),
        cmocka_unit_test(paths_that_cannot_be_written_are_file_errors),
        cmocka_unit_test(a_full_device_is_a_file_error),
        cmocka_unit_test(other_suffixes_are_argument_errors),
        cmocka_unit_test(the_locale_does_not_change_files),
    };
    return cmocka_run_group_tests_name("write", tests, NULL, NULL);
}
