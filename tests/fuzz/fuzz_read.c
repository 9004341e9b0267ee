/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bytes as a file of one format (CAROM_FUZZ_FORMAT, as carom_sniff tells it), read in five ways. Guards that a reader
 * neither crashes nor leaks nor hangs, that what it accepts are bodies, and that what it refuses it refuses with the
 * file, the line and a frame of zeros. */
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kernel/io/printable.h"
#include "kernel/io/read.h"
#include "kernel/io/sniff.h"
#include "tests/fuzz/target.h"

enum { PATH_SIZE = 64 };

static void expect(bool holds, const char *what, const char *message) {
    if (!holds) {
        fprintf(stderr, "%s: \"%s\"\n", what, message);
        abort();
    }
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    return 0;
}

static bool is_of_format(const uint8_t *data, size_t size) {
    char *copy = malloc(size + 1);
    if (copy == NULL) {
        abort();
    }
    if (size > 0) {
        memcpy(copy, data, size);
    }
    copy[size] = '\0';
    const carom_text text = {.path = "", .data = copy, .size = size, .at = copy};
    const bool same = carom_sniff(&text) == CAROM_FUZZ_FORMAT;
    free(copy);
    return same;
}

static void check_bodies(const carom_frame *frame, bool dynamics) {
    expect(frame->format != NULL && frame->count <= frame->capacity, "a frame without format or room", "");
    for (uint64_t n = 0; n < frame->count; n++) {
        expect(frame->radius[n] >= 0 && isfinite(frame->radius[n]), "a radius that is none", "");
        for (int axis = 0; axis < 3; axis++) {
            expect(isfinite(frame->prev[axis][n]), "a position that is none", "");
            const double rest = dynamics ? 0 : frame->prev[axis][n];
            expect(frame->has_motion || frame->curr[axis][n] == rest, "motion from nowhere", "");
        }
        expect(frame->name == NULL || memchr(frame->name[n], '\0', CAROM_NAME_SIZE) != NULL, "a name has no end", "");
        expect(frame->line == NULL || frame->line[n] > 0, "a body has no line", "");
    }
}

/* "path:line: what", or "path: what" where there are no lines or the whole file is to blame. */
static void check_refusal(const char *path, carom_status status, const carom_error *error) {
    const char *rest = error->message + strlen(path);
    expect(error->status == status, "two statuses", error->message);
    expect(strncmp(error->message, path, strlen(path)) == 0 && *rest == ':', "a message without path", error->message);
    const bool has_line = isdigit((unsigned char)rest[1]) && strchr(rest + 1, ':') != NULL;
    const bool has_lines = CAROM_FUZZ_FORMAT != CAROM_FORMAT_NPY;
    expect(status == CAROM_ERROR_FORMAT || status == CAROM_ERROR_ARGUMENT, "an unfitting status", error->message);
    expect(has_line == (status == CAROM_ERROR_FORMAT && has_lines), "a line, or none, is named", error->message);
    char printable[4 * CAROM_MESSAGE_SIZE];
    carom_printable_copy(error->message, error->message + strlen(error->message), printable, sizeof printable);
    expect(strcmp(printable, error->message) == 0, "a message with control characters, or bytes that are none",
           error->message);
}

static void read_with(const char *path, double radius, const char *select, bool dynamics) {
    static const carom_frame zero = {0};
    carom_read_options options = carom_read_options_default();
    options.radius = radius;
    options.select = select;
    options.dynamics = dynamics;
    carom_error error = {.message = ""};
    carom_frame frame;
    const carom_status status = carom_frame_read(path, &options, &frame, &error);
    if (status == CAROM_OK) {
        check_bodies(&frame, dynamics);
        carom_frame_release(&frame);
    } else {
        check_refusal(path, status, &error);
    }
    expect(memcmp(&frame, &zero, sizeof zero) == 0, "the frame is not zero", error.message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!is_of_format(data, size)) {
        return 0;
    }
    const int file = memfd_create("input", 0);
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (file < 0 || write(file, data, size) != (ssize_t)size) {
        abort();
    }
    read_with(path, (double)NAN, NULL, false);
    read_with(path, 1, NULL, false);
    read_with(path, 0.5, "*", false);
    read_with(path, (double)NAN, "[A-O]*", false);
    read_with(path, 2, NULL, true);
    close(file);
    return 0;
}
