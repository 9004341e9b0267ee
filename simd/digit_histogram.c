/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Digit histograms: keys come in, how many have each value of one digit goes out. The radix sort turns the counts into
 * positions. Two equal digits one after the other would wait for each other's increment in memory, so neighbouring keys
 * count in different tables, which are added up. Digits of 32-bit keys are extracted a vector at a time. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/vec.h"

#define carom_digit_histogram_u32 CAROM_KERNEL_OF(digit_histogram_u32)
#define carom_digit_histogram_u64 CAROM_KERNEL_OF(digit_histogram_u64)

enum { TABLES = 4 };

/* 4 KiB: all in the first-level cache. */
typedef struct tables {
    uint32_t count[TABLES][CAROM_DIGITS_MAX];
} tables;

static void add_up(const tables *t, uint32_t mask, uint32_t *counts) {
    for (uint32_t d = 0; d <= mask; d++) {
        counts[d] = t->count[0][d] + t->count[1][d] + t->count[2][d] + t->count[3][d];
    }
}

void carom_digit_histogram_u32(const uint32_t *keys, uint64_t count, uint32_t shift, uint32_t mask, uint32_t *counts) {
    CAROM_ASSERT(carom_check_digits(shift, mask, 32) && count <= UINT32_MAX);
    tables t;
    memset(&t, 0, sizeof t);
    uint64_t n = 0;
    for (; n + CAROM_LANES <= count; n += CAROM_LANES) {
        uint32_t digit[CAROM_LANES];
        vi_store(digit, vi_and(vi_shift_right(vi_load(keys + n), shift), vi_set1((int32_t)mask)));
        for (uint32_t l = 0; l < CAROM_LANES; l++) {
            t.count[l % TABLES][digit[l]]++;
        }
    }
    for (; n < count; n++) {
        t.count[0][(keys[n] >> shift) & mask]++;
    }
    add_up(&t, mask, counts);
}

void carom_digit_histogram_u64(const uint64_t *keys, uint64_t count, uint32_t shift, uint32_t mask, uint32_t *counts) {
    CAROM_ASSERT(carom_check_digits(shift, mask, 64) && count <= UINT32_MAX);
    tables t;
    memset(&t, 0, sizeof t);
    uint64_t n = 0;
    for (; n + TABLES <= count; n += TABLES) {
        for (uint32_t l = 0; l < TABLES; l++) {
            t.count[l][(keys[n + l] >> shift) & mask]++;
        }
    }
    for (; n < count; n++) {
        t.count[0][(keys[n] >> shift) & mask]++;
    }
    add_up(&t, mask, counts);
}
