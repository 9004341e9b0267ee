/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Temporary files that must not stay behind. Whoever writes one announces it here; if a signal ends the program, its
 * handler removes them. This is the one place that holds state of the whole process, as a signal handler must, and the
 * one that installs handlers. */
#ifndef CAROM_IO_UNFINISHED_H
#define CAROM_IO_UNFINISHED_H

/* Announces a file before it is created. Returns a ticket, or -1 if the name is too long or too many are open. */
int carom_unfinished_begin(const char *path);

/* The file has its final name, or is gone. */
void carom_unfinished_end(int ticket);

/* For a program, not for a library: from now on SIGHUP, SIGINT, SIGPIPE and SIGTERM remove what is announced and then
 * end the program as they would have. Signals that the caller ignores stay ignored. A file that may grow no further
 * (SIGXFSZ) is a failed write, as on a full disk. */
void carom_unfinished_watch(void);

#endif
