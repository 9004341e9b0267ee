/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/support/io_files.h"

#include <dirent.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/check.h"

const char *const io_samples[] = {
    "water.gro",  "velocity.gro", "precise.gro", "frames.gro",  "plain.xyz",      "extended.xyz",   "diameter.xyz",
    "frames.xyz", "plain.csv",    "motion.csv",  "quoted.csv",  "velocity.csv",   "atomic.data",    "charge.data",
    "full.data",  "sphere.data",  "plain.dump",  "frames.dump", "triclinic.dump", "molecular.data", NULL,
};

static char scratch[IO_PATH_SIZE / 2];

const char *io_sample(const char *name) {
    static char path[IO_PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", CAROM_IO_SAMPLES, name);
    return path;
}

bool io_scratch_make(void) {
    const char *parent = getenv("TMPDIR");
    snprintf(scratch, sizeof scratch, "%.200s/carom-io-XXXXXX", parent != NULL && *parent != '\0' ? parent : "/tmp");
    return mkdtemp(scratch) != NULL;
}

void io_scratch_remove(void) {
    DIR *folder = opendir(scratch);
    for (struct dirent *entry = folder != NULL ? readdir(folder) : NULL; entry != NULL; entry = readdir(folder)) {
        if (entry->d_name[0] != '.') {
            (void)unlink(io_scratch(entry->d_name));
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    (void)rmdir(scratch);
}

const char *io_scratch(const char *name) {
    static char path[IO_PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    return path;
}

const char *io_write(const void *data, size_t size) {
    const char *path = io_scratch("input");
    (void)unlink(path); /* a file cut short and written again would be waited for, on some file systems */
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(size == 0 || fwrite(data, 1, size, file) == size);
    assert_int_equal(fclose(file), 0);
    return path;
}

const char *io_write_text(const char *text) {
    return io_write(text, strlen(text));
}

io_bytes io_load(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fail_msg("no file %s", path);
    }
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    assert_true(size >= 0);
    rewind(file);
    io_bytes bytes = {.data = malloc((size_t)size + 1), .size = (size_t)size};
    assert_non_null(bytes.data);
    assert_int_equal(fread(bytes.data, 1, bytes.size, file), bytes.size);
    bytes.data[size] = '\0';
    fclose(file);
    return bytes;
}

void io_bytes_release(io_bytes *bytes) {
    free(bytes->data);
    *bytes = (io_bytes){.data = NULL};
}

bool io_decimal_comma(bool enter) {
    static const char *const names[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "es_ES.UTF-8", "ru_RU.UTF-8"};
    for (size_t n = 0; enter && n < sizeof names / sizeof *names; n++) {
        if (setlocale(LC_ALL, names[n]) != NULL && strcmp(localeconv()->decimal_point, ",") == 0) {
            return true;
        }
    }
    (void)setlocale(LC_ALL, "C");
    return !enter;
}

carom_read_options io_radius(double radius) {
    carom_read_options options = carom_read_options_default();
    options.radius = radius;
    return options;
}

carom_frame io_read(const char *path, const carom_read_options *options) {
    carom_frame frame;
    carom_error error = {.message = ""};
    const carom_status status = carom_frame_read(path, options, &frame, &error);
    if (status != CAROM_OK) {
        fail_msg("%s: %s", carom_status_name(status), error.message);
    }
    return frame;
}

carom_frame io_read_text(const char *text, const carom_read_options *options) {
    return io_read(io_write_text(text), options);
}

void io_expect_traits(const carom_frame *frame, io_traits expected) {
    assert_string_equal(frame->format, expected.format);
    assert_int_equal(frame->has_motion, expected.has_motion);
    assert_int_equal(frame->has_radius, expected.has_radius);
    assert_int_equal(frame->has_box, expected.has_box);
}

static bool same_bits(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

void io_expect_bodies(const carom_frame *frame, uint64_t count, const double expected[][IO_FIELDS]) {
    static const char *const names[IO_FIELDS] = {"prev_x", "prev_y", "prev_z", "curr_x", "curr_y", "curr_z", "radius"};
    assert_int_equal(frame->count, count);
    for (uint64_t n = 0; n < count; n++) {
        for (int field = 0; field < IO_FIELDS; field++) {
            const double *array = field < 3 ? frame->prev[field] : field < 6 ? frame->curr[field - 3] : frame->radius;
            if (!same_bits(array[n], expected[n][field])) {
                fail_msg("body %llu: %s is %.17g instead of %.17g", (unsigned long long)n, names[field], array[n],
                         expected[n][field]);
            }
        }
    }
}

void io_expect_names(const carom_frame *frame, const char *const *names) {
    if (names == NULL) {
        assert_null(frame->name);
        return;
    }
    for (uint64_t n = 0; n < frame->count; n++) {
        assert_string_equal(frame->name[n], names[n]);
    }
}

void io_expect_lines(const carom_frame *frame, const uint64_t *lines) {
    if (lines == NULL) {
        assert_null(frame->line);
        return;
    }
    for (uint64_t n = 0; n < frame->count; n++) {
        assert_int_equal(frame->line[n], lines[n]);
    }
}

void io_expect_box(const carom_frame *frame, const double origin[3], const double box[3][3]) {
    assert_true(frame->has_box);
    for (int a = 0; a < 3; a++) {
        assert_true(same_bits(frame->box_origin[a], origin[a]));
        for (int b = 0; b < 3; b++) {
            if (!same_bits(frame->box[a][b], box[a][b])) {
                fail_msg("box[%d][%d] is %.17g instead of %.17g", a, b, frame->box[a][b], box[a][b]);
            }
        }
    }
}

void io_refuse(const char *path, const carom_read_options *options, carom_status status, const char *message) {
    static const carom_frame zero = {0};
    char expected[CAROM_MESSAGE_SIZE];
    carom_frame frame;
    carom_error error = {.message = ""};
    memset(&frame, 0xAA, sizeof frame);
    snprintf(expected, sizeof expected, "%s%.*s", path, CAROM_MESSAGE_SIZE / 2, message);
    const carom_status got = carom_frame_read(path, options, &frame, &error);
    if (got == CAROM_OK) {
        carom_frame_release(&frame);
        fail_msg("not refused; expected: %s", expected);
    }
    assert_string_equal(error.message, expected);
    assert_int_equal(got, status);
    assert_int_equal(error.status, status);
    assert_memory_equal(&frame, &zero, sizeof zero);
}

void io_refuse_texts(const io_bad_text *bad, size_t count) {
    for (size_t n = 0; n < count; n++) {
        io_refuse(io_write_text(bad[n].text), NULL, CAROM_ERROR_FORMAT, bad[n].message);
    }
}
