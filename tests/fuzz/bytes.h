/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Values taken one after the other from an input; zeros when it has come to its end. */
#ifndef CAROM_TESTS_FUZZ_BYTES_H
#define CAROM_TESTS_FUZZ_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct fuzz_bytes {
    const uint8_t *at;
    const uint8_t *end;
} fuzz_bytes;

static inline void fuzz_take(fuzz_bytes *bytes, void *to, size_t size) {
    const size_t left = (size_t)(bytes->end - bytes->at);
    const size_t taken = size < left ? size : left;
    memset(to, 0, size);
    if (taken > 0) {
        memcpy(to, bytes->at, taken);
        bytes->at += taken;
    }
}

static inline uint8_t fuzz_byte(fuzz_bytes *bytes) {
    uint8_t value;
    fuzz_take(bytes, &value, sizeof value);
    return value;
}

#endif
