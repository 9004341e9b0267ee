/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A file that is written as a whole or not at all: beside its final name, which it gets when all of it is there. A name
 * that is not an ordinary file (a pipe, a device, "-" for standard output) is written directly. */
#ifndef CAROM_IO_OUTPUT_H
#define CAROM_IO_OUTPUT_H

#include <limits.h>
#include <locale.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "carom/status.h"

typedef struct carom_output {
    const char *path;         /* as the caller named it, for messages; belongs to the caller */
    FILE *file;               /* to write to */
    bool standard;            /* it is standard output */
    bool replaces;            /* there is a file of this name, to be replaced */
    int ticket;               /* of the file that is written (unfinished.h); -1: written directly */
    int64_t kept;             /* bytes that are under the final name, whatever comes */
    char target[PATH_MAX];    /* the final name, links followed */
    char temporary[PATH_MAX]; /* in the same folder */
    locale_t plain;           /* numbers with decimal points */
    locale_t before;          /* this thread's, to be put back */
} carom_output;

/* Opens it. Until it is closed this thread is in the C locale, so that numbers have decimal points. A file that is
 * replaced keeps its permissions, and its owner if the system lets it.
 * Errors: FILE, MEMORY; then nothing is open and nothing has changed. */
carom_status carom_output_open(const char *path, carom_output *out, carom_error *error);

/* Whether an ordinary file of this name could be written now: for what is written after long work. Changes nothing.
 * Errors: FILE. */
carom_status carom_output_check(const char *path, carom_error *error);

/* For a file that grows while other things are done: leaves the C locale, and enters it again. Between the two nothing
 * is written, and other outputs may be opened and closed. */
void carom_output_pause(carom_output *out);
void carom_output_resume(carom_output *out);

/* What was written until now stays: it gets the final name, and what comes after it is there as a whole or not at all.
 * Errors: FILE; then the output can only be closed. */
carom_status carom_output_keep(carom_output *out, carom_error *error);

/* Closes it, and reports what went wrong there or in any write before: then an earlier file of the name is as it was,
 * and what was written is gone; but what was kept stays. */
carom_status carom_output_close(carom_output *out, carom_error *error);

#endif
