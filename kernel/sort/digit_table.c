/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/sort/digit_table.h"

#include "kernel/check/assert.h"

bool carom_digit_table_place(carom_digit_table *tables, uint32_t workers, uint32_t digits, uint64_t count) {
    CAROM_ASSERT(workers >= 1 && digits <= CAROM_DIGITS);
    uint64_t next = 0;
    for (uint32_t digit = 0; digit < digits; digit++) {
        const uint64_t first = next;
        for (uint32_t worker = 0; worker < workers; worker++) {
            const uint64_t here = tables[worker].at[digit];
            tables[worker].at[digit] = next;
            next += here;
        }
        if (next - first == count) {
            return false;
        }
    }
    CAROM_ASSERT(next == count);
    return true;
}

static uint32_t pass_count(uint32_t bits) {
    return (bits + CAROM_DIGIT_BITS_MAX - 1) / CAROM_DIGIT_BITS_MAX;
}

uint32_t carom_digit_table_bits(uint32_t bits) {
    CAROM_ASSERT(bits >= 1);
    const uint32_t passes = pass_count(bits);
    return (bits + passes - 1) / passes;
}
