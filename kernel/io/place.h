/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Where a name leads: the file itself, through links, so that two names of one file can be told to be the same, also of
 * a file that does not exist yet. */
#ifndef CAROM_IO_PLACE_H
#define CAROM_IO_PLACE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

typedef struct carom_place {
    bool exists;         /* the next four are known */
    bool regular;        /* an ordinary file, not a pipe, a device or a folder */
    bool device;         /* a character device: a terminal, /dev/null */
    dev_t volume;        /* the file, as the system identifies it */
    ino_t number;        /* the same */
    char name[PATH_MAX]; /* of a file that does not exist: its folder's own name and its last word; else "" */
} carom_place;

/* "-" is the descriptor `standard`: 0 for an input, 1 for an output. */
carom_place carom_place_of(const char *path, int standard);

/* Whether both are one file that a writer could spoil for the other. A character device takes any number of writers. */
bool carom_place_same(const carom_place *a, const carom_place *b);

/* Whether a path to write stands for standard output: "-", /dev/stdout, or the file that it is redirected to. */
bool carom_place_is_stdout(const char *path);

/* The name of the file at the end of all links, which need not exist; its folder must. False, with errno, else. */
bool carom_place_follow(const char *path, char name[PATH_MAX]);

#endif
