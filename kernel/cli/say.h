/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What the command tells a person on stderr, and its exit codes. Data goes to stdout and is written elsewhere. */
#ifndef CAROM_CLI_SAY_H
#define CAROM_CLI_SAY_H

#include <stdbool.h>

#include "carom/status.h"

typedef enum carom_exit {
    CAROM_EXIT_OK = 0,
    CAROM_EXIT_CHECK = 1,         /* the work was done, but a check of its result failed */
    CAROM_EXIT_USAGE = 2,         /* an option or argument that makes no sense */
    CAROM_EXIT_INPUT = 3,         /* a file that cannot be read, or whose content is bad */
    CAROM_EXIT_RESOURCES = 4,     /* no memory, a full disk */
    CAROM_EXIT_INTERRUPTED = 130, /* Ctrl-C: the work until then was written; as a shell has it for a killed program */
    CAROM_EXIT_TERMINATED = 143,  /* SIGTERM: likewise */
} carom_exit;

/* The exit code for a failure of the library's or of a reader's. */
carom_exit carom_say_exit_of(carom_status status);

/* One line, "carom: " and the message; a progress line gives way to it. */
void carom_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Says an error's message (or the status's name if it has none) and returns its exit code. */
carom_exit carom_say_error(carom_status status, const carom_error *error);

/* Whether stderr is a terminal, so that progress is shown. */
bool carom_say_shows_progress(void);

/* A line that the next one overwrites. On a terminal only: a log is not littered with it. */
void carom_say_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
void carom_say_progress_end(void);

#endif
