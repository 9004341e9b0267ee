/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* How a file comes into memory: from pipes, packed by gzip, with line ends of every kind; and how its bytes get into
 * messages. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel/io/load.h"
#include "kernel/io/printable.h"
#include "tests/support/check.h"
#include "tests/support/io_files.h"
#include "tests/support/io_groups.h"

static const double two_bodies[][IO_FIELDS] = {{1, 2, 3, 1, 2, 3, 4}, {5, 6, 7, 5, 6, 7, 8}};

/* Each of these is two bodies, whose lines have these numbers. */
static void every_line_end_is_one(void **state) {
    static const char *const texts[] = {
        "x,y,z,radius\r1,2,3,4\r5,6,7,8\r",       "x,y,z,radius\r1,2,3,4\r5,6,7,8",
        "x,y,z,radius\r\n1,2,3,4\r\n5,6,7,8\r\n", "x,y,z,radius\n1,2,3,4\r5,6,7,8\r\n",
        "x,y,z,radius\r\r\n1,2,3,4\r\r\n5,6,7,8",
    };
    static const uint64_t lines[] = {2, 3};
    (void)state;
    for (size_t n = 0; n < sizeof texts / sizeof *texts; n++) {
        carom_frame frame = io_read_text(texts[n], NULL);
        io_expect_bodies(&frame, 2, two_bodies);
        io_expect_lines(&frame, lines);
        carom_frame_release(&frame);
    }
    /* A blank line is a line. */
    io_refuse(io_write_text("x,y,z,radius\r\r1,2,3,x\r"), NULL, CAROM_ERROR_FORMAT,
              ":3: radius is not a number: \"x\"");
}

/* In a NumPy array \r is a byte like others. */
static void bytes_of_numbers_are_no_line_ends(void **state) {
    enum { HEAD = 128, SIZE = HEAD + 3 * 8 };
    static const char head[] = "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 3), }";
    char array[SIZE] = "\x93NUMPY\x01";
    uint64_t bits;
    (void)state;
    array[8] = HEAD - 10;
    memset(array + 10, ' ', HEAD - 10);
    memcpy(array + 10, head, sizeof head - 1);
    memset(array + HEAD, '\r', 4);
    const carom_read_options options = io_radius(1);
    carom_frame frame = io_read(io_write(array, sizeof array), &options);
    memcpy(&bits, &frame.prev[0][0], sizeof bits);
    assert_int_equal(bits, 0x0d0d0d0d);
    carom_frame_release(&frame);
}

/* A pipe has no size and gives what it has in pieces. */
static void pipes_are_read_to_their_end(void **state) {
    enum { ROWS = 20000 };
    (void)state;
    (void)unlink(io_scratch("pipe"));
    assert_int_equal(mkfifo(io_scratch("pipe"), 0600), 0);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        FILE *file = fopen(io_scratch("pipe"), "wb");
        fputs("x,y,z,radius\n", file);
        for (int n = 0; n < ROWS; n++) {
            fprintf(file, "%d,2,3,4\n", n);
        }
        _exit(fclose(file) != 0);
    }
    carom_frame frame = io_read(io_scratch("pipe"), NULL);
    assert_int_equal(frame.count, ROWS);
    assert_int_equal(frame.total, ROWS);
    for (int n = 0; n < ROWS; n++) {
        assert_true(frame.prev[0][n] == n);
    }
    carom_frame_release(&frame);
    int outcome;
    assert_int_equal(waitpid(child, &outcome, 0), child);
    assert_int_equal(outcome, 0);
}

/* The format asked for wins over what the content looks like. */
static void a_named_format_is_believed(void **state) {
    carom_read_options options = carom_read_options_default();
    (void)state;
    options.format = CAROM_FORMAT_GRO;
    io_refuse(io_write_text("x,y,z,radius\n1,2,3,4\n"), &options, CAROM_ERROR_FORMAT,
              ":2: the number of bodies is not a whole number: \"1,2,3,4\"");
    options.format = CAROM_FORMAT_CSV;
    /* Without a separator the header is not told to be one. */
    carom_frame frame = io_read_text("x,y,z,radius\n1,2,3,4\n5,6,7,8\n", &options);
    io_expect_bodies(&frame, 2, two_bodies);
    carom_frame_release(&frame);
}

#ifdef CAROM_HAVE_ZLIB
#include <zlib.h>

enum { PACKED_MAX = 1 << 16 };

/* `text` as gzip packs it. Returns the bytes. */
static size_t pack(const void *text, size_t size, unsigned char *to) {
    z_stream stream = {
        .next_in = (Bytef *)(uintptr_t)text, .avail_in = (uInt)size, .next_out = to, .avail_out = PACKED_MAX};
    assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, 16 + 15, 9, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    assert_int_equal(deflateEnd(&stream), Z_OK);
    return PACKED_MAX - stream.avail_out;
}

/* Two packed files in a row are one, and zeros may follow, as on tapes. */
static void packed_files_are_unpacked(void **state) {
    static const char first[] = "x,y,z,radius\n1,2,";
    static const char second[] = "3,4\n5,6,7,8\n";
    unsigned char *packed = calloc(1, 3 * PACKED_MAX);
    (void)state;
    assert_non_null(packed);
    size_t size = pack(first, sizeof first - 1, packed);
    size += pack(second, sizeof second - 1, packed + size);
    for (size_t zeros = 0; zeros < 600; zeros += 300) {
        carom_frame frame = io_read(io_write(packed, size + zeros), NULL);
        io_expect_bodies(&frame, 2, two_bodies);
        carom_frame_release(&frame);
    }
    free(packed);
}

/* What unpacks to a thousand times its size makes room as it goes. */
static void much_comes_out_of_little(void **state) {
    enum { SIZE = 30 << 20 };
    char *text = malloc(SIZE);
    unsigned char *packed = malloc(PACKED_MAX);
    (void)state;
    assert_true(text != NULL && packed != NULL);
    memset(text, '\n', SIZE);
    memcpy(text, "x,y,z,radius\n1,2,3,4\n", 21);
    memcpy(text + SIZE - 8, "5,6,7,8\n", 8);
    carom_frame frame = io_read(io_write(packed, pack(text, SIZE, packed)), NULL);
    io_expect_bodies(&frame, 2, two_bodies);
    carom_frame_release(&frame);
    free(text);
    free(packed);
}

static void damaged_packed_files_are_refused(void **state) {
    static const char text[] = "x,y,z,radius\n1,2,3,4\n5,6,7,8\n";
    unsigned char *packed = calloc(1, PACKED_MAX + 1);
    (void)state;
    assert_non_null(packed);
    const size_t size = pack(text, sizeof text - 1, packed);
    for (size_t left = 3; left < size; left++) {
        io_refuse(io_write(packed, left), NULL, CAROM_ERROR_FORMAT, ": the gzip data end too early");
    }
    packed[size] = 'x';
    io_refuse(io_write(packed, size + 1), NULL, CAROM_ERROR_FORMAT, ": something else follows the gzip data");
    packed[size - 5] ^= 1; /* of the checksum */
    io_refuse(io_write(packed, size), NULL, CAROM_ERROR_FORMAT, ": the gzip data are damaged");
    free(packed);
}
#else
static void packed_files_are_refused_without_zlib(void **state) {
    (void)state;
    io_refuse(io_write("\x1f\x8b\x08 and more", 12), NULL, CAROM_ERROR_FORMAT,
              ": packed by gzip, and this program was built without zlib; try gunzip -c FILE | carom detect -");
}
#endif

static void expect_printable(const char *bytes, size_t room, const char *expected) {
    char text[64];
    memset(text, 'z', sizeof text);
    carom_printable_copy(bytes, bytes + strlen(bytes), text, room);
    assert_string_equal(text, expected);
}

/* Characters stay, all else becomes \xNN; nothing is cut within. */
static void messages_hold_characters_only(void **state) {
    (void)state;
    expect_printable("plain ~", 64, "plain ~");
    expect_printable("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", 64, "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
    expect_printable("a\x1b[1m\n\x7f", 64, "a\\x1b[1m\\x0a\\x7f");
    expect_printable("\xff\xfe\x80", 64, "\\xff\\xfe\\x80");
    /* Forms that are longer than needed. */
    expect_printable("\xC0\xAF\xE0\x9F\xBF", 64, "\\xc0\\xaf\\xe0\\x9f\\xbf");
    expect_printable("\xF0\x82\x82\xAC", 64, "\\xf0\\x82\\x82\\xac");
    expect_printable("\xED\xA0\x80\xF4\x90\x80\x80", 64, "\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80"); /* no characters */
    expect_printable("\xC2\x9B\xE2\x82", 64, "\\xc2\\x9b\\xe2\\x82"); /* a control character; cut short */
    expect_printable("ab\xC3\xA9", 4, "ab");
    expect_printable("ab\xff", 6, "ab");
    expect_printable("ab\xff", 7, "ab\\xff");
    expect_printable("abc", 1, "");
}

static void messages_do_not_echo_bytes(void **state) {
    (void)state;
    io_refuse(io_write_text("x,y,z,radius\n1,2,\xff\x9b"
                            "31m,4\n"),
              NULL, CAROM_ERROR_FORMAT, ":2: z is not a number: \"\\xff\\x9b31m\"");
}

int io_load_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_line_end_is_one),
        cmocka_unit_test(bytes_of_numbers_are_no_line_ends),
        cmocka_unit_test(pipes_are_read_to_their_end),
        cmocka_unit_test(a_named_format_is_believed),
#ifdef CAROM_HAVE_ZLIB
        cmocka_unit_test(packed_files_are_unpacked),
        cmocka_unit_test(much_comes_out_of_little),
        cmocka_unit_test(damaged_packed_files_are_refused),
#else
        cmocka_unit_test(packed_files_are_refused_without_zlib),
#endif
        cmocka_unit_test(messages_hold_characters_only),
        cmocka_unit_test(messages_do_not_echo_bytes),
    };
    return cmocka_run_group_tests_name("load", tests, NULL, NULL);
}
