/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Conditions on keys, for CAROM_ASSERT. They walk the keys, which a release build does not do. */
#ifndef CAROM_SORT_CHECK_H
#define CAROM_SORT_CHECK_H

#include <stdbool.h>
#include <stdint.h>

/* Key n of 4 or 8 bytes. */
static inline uint64_t carom_check_key(const void *keys, uint64_t n, uint64_t key_bytes) {
    return key_bytes == sizeof(uint32_t) ? ((const uint32_t *)keys)[n] : ((const uint64_t *)keys)[n];
}

/* No key has a bit at or above key_bits. */
static inline bool carom_check_key_bits(const void *keys, uint64_t count, uint64_t key_bytes, uint32_t key_bits) {
    uint64_t all = 0;
    for (uint64_t n = 0; n < count; n++) {
        all |= carom_check_key(keys, n, key_bytes);
    }
    return key_bits == 64 || all >> key_bits == 0;
}

static inline bool carom_check_key_order(const void *keys, uint64_t count, uint64_t key_bytes) {
    bool good = true;
    for (uint64_t n = 1; n < count; n++) {
        good = good && carom_check_key(keys, n - 1, key_bytes) <= carom_check_key(keys, n, key_bytes);
    }
    return good;
}

#endif
