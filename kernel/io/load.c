/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/io/load.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernel/io/heap.h"
#include "kernel/sys/error.h"

/* Room for what has no size beforehand, in bytes, and the most that is asked for at a time. */
enum { FIRST_ROOM = 1 << 16, READ_MAX = 1 << 30 };

const char *carom_load_name(const char *path) {
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

carom_status carom_load_grow(const char *name, carom_loaded *loaded, uint64_t capacity, carom_error *error) {
    char *data = carom_heap_allocate(capacity);
    if (data == NULL) {
        return carom_error_set(error, CAROM_ERROR_MEMORY, "%s: no memory for %" PRIu64 " bytes", name, capacity);
    }
    if (loaded->size > 0) {
        memcpy(data, loaded->data, loaded->size);
    }
    carom_heap_release(loaded->data, loaded->capacity);
    loaded->data = data;
    loaded->capacity = capacity;
    return CAROM_OK;
}

void carom_load_release(carom_loaded *loaded) {
    carom_heap_release(loaded->data, loaded->capacity);
    *loaded = (carom_loaded){.data = NULL};
}

/* The size of an ordinary file, a guess for all else; one byte more, for the read that finds its end, and a '\0'. */
static uint64_t first_room(int file) {
    struct stat facts;
    const bool sized = fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size > 0;
    return sized ? (uint64_t)facts.st_size + 2 : FIRST_ROOM;
}

/* More of the file, into the room there is. Bytes read; 0 at its end, -1 with errno. */
static int64_t read_some(int file, carom_loaded *loaded) {
    const uint64_t room = loaded->capacity - 1 - loaded->size;
    ssize_t count;
    do {
        count = read(file, loaded->data + loaded->size, room < READ_MAX ? room : READ_MAX);
    } while (count < 0 && errno == EINTR);
    return count;
}

static carom_status read_all(int file, const char *name, carom_loaded *loaded, carom_error *error) {
    carom_status status = carom_load_grow(name, loaded, first_room(file), error);
    while (status == CAROM_OK) {
        if (loaded->size == loaded->capacity - 1) {
            status = carom_load_grow(name, loaded, 2 * loaded->capacity, error);
            continue;
        }
        const int64_t count = read_some(file, loaded);
        if (count <= 0) {
            return count == 0 ? CAROM_OK : carom_error_file(error, name);
        }
        loaded->size += (uint64_t)count;
    }
    return status;
}

carom_status carom_load_file(const char *path, carom_loaded *loaded, carom_error *error) {
    *loaded = (carom_loaded){.data = NULL};
    const char *name = carom_load_name(path);
    const bool standard = name != path;
    errno = 0;
    const int file = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return carom_error_file(error, name);
    }
    const carom_status status = read_all(file, name, loaded, error);
    if (!standard) {
        close(file);
    }
    if (status == CAROM_OK) {
        loaded->data[loaded->size] = '\0';
    } else {
        carom_load_release(loaded);
    }
    return status;
}
