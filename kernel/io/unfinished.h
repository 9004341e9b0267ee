/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Files that must not stay as they are. Whoever writes one announces it here; if a signal ends the program, its handler
 * removes them, or cuts off what is not finished. This is the one place that holds state of the whole process, as a
 * signal handler must, and the one that installs handlers. */
#ifndef CAROM_IO_UNFINISHED_H
#define CAROM_IO_UNFINISHED_H

#include <stdbool.h>
#include <stdint.h>

/* Announces a file before it is created. Its first `bytes` are to stay: the handler cuts it there; 0: it removes it.
 * Returns a ticket, or -1 if the name is too long or too many are open. */
int carom_unfinished_begin(const char *path, int64_t bytes);

/* More bytes are to stay. */
void carom_unfinished_keep(int ticket, int64_t bytes);

/* The file is finished, or gone. */
void carom_unfinished_end(int ticket);

/* For a program, not for a library: from now on SIGHUP, SIGINT, SIGPIPE and SIGTERM remove what is announced and then
 * end the program as they would have. Signals that the caller ignores stay ignored. A file that may grow no further
 * (SIGXFSZ) is a failed write, as on a full disk. */
void carom_unfinished_watch(void);

/* For a program that finishes a step first: from now on the first SIGINT or SIGTERM is only noted. A second one ends
 * the program as above. Signals that the caller ignores stay ignored. */
void carom_unfinished_defer(void);

/* The signal that was noted; 0: none was. */
int carom_unfinished_interrupted(void);

#endif
