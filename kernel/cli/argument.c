/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/argument.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/check/assert.h"

enum { HASH_DIGITS = 16 };

/* Whether the text is not empty and has no other characters. Done first, as strtod takes blanks, inf, nan and
 * hexadecimal. */
static bool consists_of(const char *text, const char *characters) {
    return *text != '\0' && text[strspn(text, characters)] == '\0';
}

bool carom_argument_real(const char *text, double *number) {
    if (!consists_of(text, "0123456789.eE+-")) {
        return false;
    }
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(value)) {
        return false;
    }
    *number = value;
    return true;
}

/* Digits exactly, to 2^64 - 1; else by way of a double, for 1e6. */
static bool parse_whole(const char *text, uint64_t *number) {
    if (consists_of(text, "0123456789")) {
        errno = 0;
        *number = strtoull(text, NULL, 10);
        return errno == 0;
    }
    double value;
    if (!carom_argument_real(text, &value) || !(value >= 0 && value <= CAROM_WHOLE_DOUBLE_MAX) ||
        value != floor(value)) {
        return false;
    }
    *number = (uint64_t)value;
    return true;
}

bool carom_argument_whole(const char *text, uint64_t least, uint64_t greatest, uint64_t *number) {
    CAROM_ASSERT(least <= greatest);
    uint64_t value;
    if (!parse_whole(text, &value) || value < least || value > greatest) {
        return false;
    }
    *number = value;
    return true;
}

bool carom_argument_hash(const char *text, uint64_t *number) {
    if (strlen(text) != HASH_DIGITS || !consists_of(text, "0123456789abcdefABCDEF")) {
        return false;
    }
    *number = strtoull(text, NULL, 16);
    return true;
}
