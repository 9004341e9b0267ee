/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* UTF-8 after RFC 3629: shortest forms, no surrogates, nothing above U+10FFFF. */
#include "kernel/io/printable.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "kernel/check/assert.h"

enum { ESCAPE_LENGTH = 4 };

/* Bytes of the sequence that a first byte announces; 0 for one that begins none. */
static int length_of(unsigned char first) {
    if (first < 0x80) {
        return 1;
    }
    if (first >= 0xC2 && first < 0xE0) {
        return 2;
    }
    if (first >= 0xE0 && first < 0xF0) {
        return 3;
    }
    return first >= 0xF0 && first < 0xF5 ? 4 : 0;
}

/* The number of a sequence of this length; UINT32_MAX if a byte after the first does not belong to it. */
static uint32_t decode(const unsigned char *at, int length) {
    uint32_t code = length == 1 ? at[0] : at[0] & (0x7FU >> length);
    for (int n = 1; n < length; n++) {
        if ((at[n] & 0xC0) != 0x80) {
            return UINT32_MAX;
        }
        code = code << 6 | (at[n] & 0x3FU);
    }
    return code;
}

/* Bytes of the printable character at `at`; 0 if there is none. */
static int printable_at(const char *at, const char *end) {
    const unsigned char *bytes = (const unsigned char *)at;
    const int length = length_of(*bytes);
    if (length == 0 || length > end - at) {
        return 0;
    }
    const uint32_t code = decode(bytes, length);
    const bool longer_than_needed = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    const bool surrogate = code >= 0xD800 && code < 0xE000;
    const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
    return code > 0x10FFFF || longer_than_needed || surrogate || control ? 0 : length;
}

void carom_printable_copy(const char *begin, const char *end, char *to, size_t size) {
    CAROM_ASSERT(begin <= end && size > 0);
    size_t used = 0;
    for (const char *at = begin; at < end;) {
        const int length = printable_at(at, end);
        const size_t needed = length > 0 ? (size_t)length : ESCAPE_LENGTH;
        if (needed > size - 1 - used) {
            break;
        }
        if (length > 0) {
            memcpy(to + used, at, needed);
        } else {
            char escape[ESCAPE_LENGTH + 1];
            snprintf(escape, sizeof escape, "\\x%02x", (unsigned)(unsigned char)*at);
            memcpy(to + used, escape, needed);
        }
        used += needed;
        at += length > 0 ? length : 1;
    }
    to[used] = '\0';
}
