/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Files for the tests of readers and writers: the samples, scratch files, and what must come out of them. */
#ifndef CAROM_TESTS_IO_FILES_H
#define CAROM_TESTS_IO_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/io/read.h"

enum { IO_PATH_SIZE = 512, IO_FIELDS = 7 };

/* A file's content; data has one byte more than size, a '\0'. */
typedef struct io_bytes {
    char *data;
    size_t size;
} io_bytes;

/* Names of the samples in tests/data/io, ended by NULL. */
extern const char *const io_samples[];

/* Path of a sample, valid until the next call. */
const char *io_sample(const char *name);

/* The folder for scratch files: made before the tests, removed after them. */
bool io_scratch_make(void);
void io_scratch_remove(void);

/* Path of a scratch file, valid until the next call. It is removed with the folder. */
const char *io_scratch(const char *name);

/* Writes the scratch file "input" and returns its path. */
const char *io_write(const void *data, size_t size);
const char *io_write_text(const char *text);

io_bytes io_load(const char *path);
void io_bytes_release(io_bytes *bytes);

/* Enters a locale with a decimal comma, or goes back to the C locale. False if this machine has none. */
bool io_decimal_comma(bool enter);

/* Default options, but for a radius of all bodies. */
carom_read_options io_radius(double radius);

/* Reads a file that must be good; options NULL: the default. */
carom_frame io_read(const char *path, const carom_read_options *options);
carom_frame io_read_text(const char *text, const carom_read_options *options);

/* What a frame says of itself. */
typedef struct io_traits {
    const char *format;
    bool has_motion;
    bool has_radius;
    bool has_box;
} io_traits;

void io_expect_traits(const carom_frame *frame, io_traits expected);

/* Every body, bit by bit: prev, curr, radius. */
void io_expect_bodies(const carom_frame *frame, uint64_t count, const double expected[][IO_FIELDS]);

/* Names and lines; NULL where the frame must have none. */
void io_expect_names(const carom_frame *frame, const char *const *names);
void io_expect_lines(const carom_frame *frame, const uint64_t *lines);

void io_expect_box(const carom_frame *frame, const double origin[3], const double box[3][3]);

/* The file must be refused with this status, a message of "<path>" and `message`, and a frame of zeros. */
void io_refuse(const char *path, const carom_read_options *options, carom_status status, const char *message);

/* Texts that must be refused as FORMAT, with what their messages say after the path. */
typedef struct io_bad_text {
    const char *text;
    const char *message;
} io_bad_text;

void io_refuse_texts(const io_bad_text *bad, size_t count);

#endif
