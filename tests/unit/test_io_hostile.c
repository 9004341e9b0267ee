/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Damaged files: cut off anywhere, bytes changed at random. A reader must say OK or give a status with a message that
 * begins with the path; nothing it returns may be infinite, and sanitizers watch the rest. */
#include <math.h>
#include <string.h>

#include "kernel/scene/random.h"
#include "tests/support/check.h"
#include "tests/support/io_files.h"
#include "tests/support/io_groups.h"
#include "tests/support/io_npy.h"
#include "tests/support/note.h"

enum { SAMPLES_MAX = 32, MUTATIONS = 10000, CHANGES_MAX = 4 };

/* Bytes that mean something in one format or another. */
static const char meaningful[] = "0123456789.+-eE,;:\"'#\n\r\t ()xyzn\0\xFF";

static struct {
    const char *name;
    io_bytes bytes;
} sample[SAMPLES_MAX];
static size_t samples;

static void add_sample(const char *name, io_bytes bytes) {
    assert_true(samples < SAMPLES_MAX);
    sample[samples].name = name;
    sample[samples].bytes = bytes;
    samples++;
}

static int load_samples(void **state) {
    static const double values[2 * IO_FIELDS] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
    static const io_npy arrays[] = {{1, "<f4", false, .rows = 2, .columns = 7, .value = values},
                                    {2, ">f8", true, .rows = 2, .columns = 4, .value = values}};
    (void)state;
    for (size_t n = 0; io_samples[n] != NULL; n++) {
        add_sample(io_samples[n], io_load(io_sample(io_samples[n])));
    }
    add_sample("version 1 of npy", io_npy_make(&arrays[0]));
    add_sample("version 2 of npy", io_npy_make(&arrays[1]));
    return 0;
}

static int release_samples(void **state) {
    (void)state;
    for (; samples > 0; samples--) {
        io_bytes_release(&sample[samples - 1].bytes);
    }
    return 0;
}

static void check_frame(const carom_frame *frame) {
    for (uint64_t n = 0; n < frame->count; n++) {
        bool finite = isfinite(frame->radius[n]);
        for (int axis = 0; axis < 3; axis++) {
            finite &= isfinite(frame->prev[axis][n]);
        }
        note_check(finite && frame->radius[n] >= 0, "body %llu is no body", (unsigned long long)n);
        note_check(frame->name == NULL || memchr(frame->name[n], '\0', CAROM_NAME_SIZE) != NULL, "a name has no end");
        note_check(frame->line == NULL || frame->line[n] > 0, "a body has no line");
    }
}

/* Reads bytes that may be anything. */
static void read_damaged(const char *data, size_t size, double radius) {
    static const carom_frame zero = {0};
    const carom_read_options options = io_radius(radius);
    const char *path = io_write(data, size);
    carom_error error = {.message = ""};
    carom_frame frame;
    const carom_status status = carom_frame_read(path, &options, &frame, &error);
    if (status == CAROM_OK) {
        check_frame(&frame);
        carom_frame_release(&frame);
        return;
    }
    note_check(status == CAROM_ERROR_FORMAT || status == CAROM_ERROR_ARGUMENT, "status %s", carom_status_name(status));
    note_check(strncmp(error.message, path, strlen(path)) == 0, "message \"%s\"", error.message);
    note_check(error.message[strlen(path)] == ':', "message \"%s\"", error.message);
    note_check(memcmp(&frame, &zero, sizeof zero) == 0, "the frame is not zero after: %s", error.message);
}

static void every_sample_cut_off_anywhere(void **state) {
    (void)state;
    for (size_t n = 0; n < samples; n++) {
        for (size_t size = 0; size <= sample[n].bytes.size; size++) {
            note_case(size, "%s cut off after so many bytes", sample[n].name);
            read_damaged(sample[n].bytes.data, size, (double)NAN);
            read_damaged(sample[n].bytes.data, size, 1);
        }
    }
}

/* Changes, drops or doubles a byte; returns the new size. */
static size_t damage(carom_random *random, char *data, size_t size) {
    const size_t at = (size_t)(carom_random_next(random) % size);
    switch (carom_random_next(random) % 8) {
    case 0:
        memmove(data + at, data + at + 1, size - at - 1);
        return size - 1;
    case 1:
        memmove(data + at + 1, data + at, size - at);
        return size + 1;
    case 2:
    case 3:
        data[at] = (char)(carom_random_next(random) & 0xFF);
        return size;
    default:
        data[at] = meaningful[carom_random_next(random) % (sizeof meaningful - 1)];
        return size;
    }
}

static void run_mutation(uint64_t number) {
    char data[4096];
    carom_random random = carom_random_seeded(note_case_seed(number));
    const size_t chosen = (size_t)(carom_random_next(&random) % samples);
    const io_bytes *bytes = &sample[chosen].bytes;
    size_t size = bytes->size;
    /* Half of the cases change one byte only. */
    const uint64_t changes = number % 2 == 0 ? 1 : 1 + carom_random_next(&random) % CHANGES_MAX;
    assert_true(size > CHANGES_MAX && size + CHANGES_MAX < sizeof data);
    memcpy(data, bytes->data, size);
    for (uint64_t n = 0; n < changes; n++) {
        size = damage(&random, data, size);
    }
    note_case(number, "%s with %d changes", sample[chosen].name, (int)changes);
    read_damaged(data, size, number % 3 == 0 ? (double)NAN : 1);
}

static void samples_with_bytes_changed(void **state) {
    const uint64_t only = note_only_case();
    const uint64_t count = note_long() ? 100 * MUTATIONS : MUTATIONS;
    (void)state;
    for (uint64_t number = only != UINT64_MAX ? only : 0; number < count; number++) {
        run_mutation(number);
        if (only != UINT64_MAX) {
            break;
        }
    }
}

/* Lines and fields far longer than any buffer. */
static void long_lines_are_read(void **state) {
    static char text[1 << 16];
    static const char *const starts[] = {"",
                                         "1\n",
                                         "1\n\n",
                                         "x,y,z\n",
                                         "x,y,z,",
                                         "ITEM: ATOMS ",
                                         "t\n1 atoms\n\nAtoms # ",
                                         "t\n1 atoms\n\nAtoms\n\n1 1 ",
                                         "t\n1\n",
                                         "1\nProperties="};
    static const char fillers[] = "a9 .,:\"\t-";
    (void)state;
    for (size_t start = 0; start < sizeof starts / sizeof *starts; start++) {
        for (size_t filler = 0; filler < sizeof fillers - 1; filler++) {
            note_case(start, "%s and many '%c'", starts[start], fillers[filler]);
            memset(text, fillers[filler], sizeof text);
            memcpy(text, starts[start], strlen(starts[start]));
            read_damaged(text, sizeof text, 1);
        }
    }
}

int io_hostile_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sample_cut_off_anywhere),
        cmocka_unit_test(samples_with_bytes_changed),
        cmocka_unit_test(long_lines_are_read),
    };
    return cmocka_run_group_tests_name("hostile", tests, load_samples, release_samples);
}
