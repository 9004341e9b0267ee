/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A whole file in memory, read from front to back: an ordinary file, a pipe or standard input. */
#ifndef CAROM_IO_LOAD_H
#define CAROM_IO_LOAD_H

#include <stdint.h>

#include "carom/status.h"

typedef struct carom_loaded {
    char *data;        /* size bytes and a '\0' */
    uint64_t size;     /* bytes read */
    uint64_t capacity; /* bytes of heap, more than size */
} carom_loaded;

/* How a message calls a path: "-" is "standard input". */
const char *carom_load_name(const char *path);

/* Reads a file, or with "-" standard input, to its end. Errors: FILE, MEMORY; *loaded is then
 * empty. */
carom_status carom_load_file(const char *path, carom_loaded *loaded, carom_error *error);

/* Makes room for at least `capacity` bytes and keeps what is there. MEMORY leaves *loaded as it was. `name` is for the
 * message. */
carom_status carom_load_grow(const char *name, carom_loaded *loaded, uint64_t capacity, carom_error *error);

/* Releases the bytes and zeroes *loaded. */
void carom_load_release(carom_loaded *loaded);

#endif
