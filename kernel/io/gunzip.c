/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Data format after RFC 1952. */
#include "kernel/io/gunzip.h"

#include <string.h>

#include "kernel/sys/error.h"

/* Magic number and the one method there is, deflate. */
static const unsigned char MARK[] = {0x1F, 0x8B, 8};

/* Whether another packed file begins at `at`. */
static bool has_mark(const char *at, uint64_t size) {
    return size >= sizeof MARK && memcmp(at, MARK, sizeof MARK) == 0;
}

bool carom_gunzip_is_packed(const carom_loaded *loaded) {
    return has_mark(loaded->data, loaded->size);
}

#ifdef CAROM_HAVE_ZLIB
#include <zlib.h>

/* As zlib says "gzip, with the largest window"; the most bytes that it is given at a time. */
enum { GZIP_WINDOW = 16 + 15, PIECE_MAX = 1 << 30 };

/* First guess of how much larger the unpacked bytes are. */
enum { RATIO = 4, ROOM_MIN = 1 << 16 };

/* What is left to unpack, and where it goes. */
typedef struct unpacking {
    const char *name;
    z_stream stream;
    uint64_t left; /* packed bytes that zlib has not been given */
    carom_loaded out;
} unpacking;

static uInt piece(uint64_t bytes) {
    return (uInt)(bytes < PIECE_MAX ? bytes : PIECE_MAX);
}

/* Gives zlib more to read and room to write, one byte of which stays for the '\0'. */
static carom_status feed(unpacking *u, carom_error *error) {
    if (u->stream.avail_in == 0) {
        u->stream.avail_in = piece(u->left);
        u->left -= u->stream.avail_in;
    }
    if (u->out.size == u->out.capacity - 1) {
        const carom_status status = carom_load_grow(u->name, &u->out, 2 * u->out.capacity, error);
        if (status != CAROM_OK) {
            return status;
        }
    }
    u->stream.next_out = (Bytef *)u->out.data + u->out.size;
    u->stream.avail_out = piece(u->out.capacity - 1 - u->out.size);
    return CAROM_OK;
}

static bool all_zero(const unsigned char *at, uint64_t size) {
    while (size > 0 && *at == 0) {
        at++;
        size--;
    }
    return size == 0;
}

/* After a packed file: another one, the end, or padding of zeros, as tapes have. */
static carom_status next_member(unpacking *u, bool *ends, carom_error *error) {
    const uint64_t rest = u->stream.avail_in + u->left;
    *ends = !has_mark((const char *)u->stream.next_in, rest);
    if (*ends && !all_zero(u->stream.next_in, rest)) {
        return carom_error_set(error, CAROM_ERROR_FORMAT, "%s: something else follows the gzip data", u->name);
    }
    (void)inflateReset(&u->stream);
    return CAROM_OK;
}

static carom_status complain(const unpacking *u, int outcome, carom_error *error) {
    if (outcome == Z_MEM_ERROR) {
        return carom_error_set(error, CAROM_ERROR_MEMORY, "%s: no memory to unpack it", u->name);
    }
    return carom_error_set(error, CAROM_ERROR_FORMAT, "%s: the gzip data %s", u->name,
                           outcome == Z_BUF_ERROR ? "end too early" : "are damaged");
}

static carom_status unpack(unpacking *u, carom_error *error) {
    for (bool ends = false; !ends;) {
        carom_status status = feed(u, error);
        if (status != CAROM_OK) {
            return status;
        }
        const uInt room = u->stream.avail_out;
        const int outcome = inflate(&u->stream, Z_NO_FLUSH);
        u->out.size += room - u->stream.avail_out;
        if (outcome != Z_OK && outcome != Z_STREAM_END) {
            return complain(u, outcome, error);
        }
        status = outcome == Z_STREAM_END ? next_member(u, &ends, error) : CAROM_OK;
        if (status != CAROM_OK) {
            return status;
        }
    }
    return CAROM_OK;
}

carom_status carom_gunzip(const char *name, carom_loaded *loaded, carom_error *error) {
    unpacking u = {.name = name, .left = loaded->size};
    u.stream.next_in = (Bytef *)loaded->data;
    const int outcome = inflateInit2(&u.stream, GZIP_WINDOW);
    if (outcome != Z_OK) {
        return complain(&u, outcome, error);
    }
    carom_status status = carom_load_grow(name, &u.out, RATIO * loaded->size + ROOM_MIN, error);
    status = status == CAROM_OK ? unpack(&u, error) : status;
    (void)inflateEnd(&u.stream);
    carom_load_release(loaded);
    *loaded = u.out;
    return status;
}
#else
carom_status carom_gunzip(const char *name, carom_loaded *loaded, carom_error *error) {
    (void)loaded;
    return carom_error_set(error, CAROM_ERROR_FORMAT,
                           "%s: packed by gzip, and this program was built without zlib; try "
                           "gunzip -c FILE | carom detect -",
                           name);
}
#endif
