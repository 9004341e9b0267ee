/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Numbers as bytes, the lowest first, on every machine. */
#ifndef CAROM_WORLD_BYTES_H
#define CAROM_WORLD_BYTES_H

#include <stdint.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/sys/mix.h"

/* What reads and writes: who calls knows how many bytes there are. */
typedef struct carom_bytes {
    unsigned char *at;
    const unsigned char *end;
} carom_bytes;

static inline void carom_bytes_put(carom_bytes *bytes, uint64_t value, int count) {
    CAROM_ASSERT(bytes->end - bytes->at >= count);
    for (int n = 0; n < count; n++) {
        *bytes->at++ = (unsigned char)(value >> 8 * n & 0xFF);
    }
}

static inline uint64_t carom_bytes_get(carom_bytes *bytes, int count) {
    CAROM_ASSERT(bytes->end - bytes->at >= count);
    uint64_t value = 0;
    for (int n = 0; n < count; n++) {
        value |= (uint64_t)*bytes->at++ << 8 * n;
    }
    return value;
}

static inline void carom_bytes_put_double(carom_bytes *bytes, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    carom_bytes_put(bytes, bits, 8);
}

static inline double carom_bytes_get_double(carom_bytes *bytes) {
    const uint64_t bits = carom_bytes_get(bytes, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A sum of `count` bytes, whole words. Each word is mixed in by a bijection, so a change of one word always changes the
 * sum. */
static inline uint64_t carom_bytes_checksum(const unsigned char *from, uint64_t count) {
    uint64_t sum = count;
    CAROM_ASSERT(count % 8 == 0);
    for (uint64_t n = 0; n < count; n += 8) {
        uint64_t word = 0;
        for (int b = 0; b < 8; b++) {
            word |= (uint64_t)from[n + (uint64_t)b] << 8 * b;
        }
        sum = carom_mix64((sum ^ word) + UINT64_C(0x9E3779B97F4A7C15));
    }
    return sum;
}

#endif
