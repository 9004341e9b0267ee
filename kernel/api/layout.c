/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/api/layout.h"

#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/sys/error.h"

/* Bytes by which no later version will exceed this one: a larger size was never set, but left to chance. */
enum { GROWTH_MAX = 4096 };

#define DEFINE_LAYOUT(type, first, last, zero)                                                                         \
    const carom_layout carom_layout_##type = {"carom_" #type,                                                          \
                                              offsetof(carom_##type, first) + sizeof(((carom_##type *)0)->first),      \
                                              sizeof(carom_##type), zero};
CAROM_LAYOUT_LIST(DEFINE_LAYOUT)

/* The caller's size, read as bytes: the struct may be of another version, but begins with it. */
static size_t stated_size(const void *given) {
    size_t size;
    memcpy(&size, given, sizeof size);
    return size;
}

static size_t size_of(const carom_layout *layout, const void *given) {
    const size_t size = stated_size(given);
    return size == 0 && layout->zero ? layout->first : size;
}

static size_t lesser(size_t a, size_t b) {
    return a < b ? a : b;
}

carom_status carom_layout_check(const carom_layout *layout, const void *given, carom_error *error) {
    const size_t size = size_of(layout, given);
    if (size >= layout->first && size <= layout->full + GROWTH_MAX) {
        return CAROM_OK;
    }
    return carom_error_set(error, CAROM_ERROR_ARGUMENT, "%s.size is %zu, not %zu: %s", layout->name, size, layout->full,
                           layout->zero ? "begin with = {0}, or set it to the struct's sizeof"
                                        : "begin with what the struct's default function returns");
}

static bool is_zero(const char *bytes, size_t count) {
    return count == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0);
}

carom_status carom_layout_take(const carom_layout *layout, void *own, const void *given, carom_error *error) {
    carom_status status = given != NULL ? carom_layout_check(layout, given, error) : CAROM_OK;
    if (status != CAROM_OK || given == NULL) {
        return status;
    }
    const size_t size = size_of(layout, given);
    if (size > layout->full && !is_zero((const char *)given + layout->full, size - layout->full)) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT,
                               "%s.size is %zu: this library, %s, knows the first %zu bytes, and the others are not 0",
                               layout->name, size, carom_version(), layout->full);
    }
    memcpy(own, given, lesser(size, layout->full));
    memcpy(own, &layout->full, sizeof layout->full);
    return CAROM_OK;
}

void carom_layout_give(const carom_layout *layout, void *given, const void *own) {
    const size_t size = size_of(layout, given);
    CAROM_ASSERT(size >= layout->first);
    memcpy((char *)given + sizeof size, (const char *)own + sizeof size, lesser(size, layout->full) - sizeof size);
}

void carom_layout_clear(const carom_layout *layout, void *given) {
    const size_t size = size_of(layout, given);
    CAROM_ASSERT(size >= layout->first);
    memset((char *)given + sizeof size, 0, lesser(size, layout->full) - sizeof size);
}
