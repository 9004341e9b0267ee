/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: counts[d] is the number of keys with (key >> shift) & mask == d. */
#include <string.h>

#include "simd/check.h"
#include "simd/declare.h"

#define carom_digit_histogram_u32_twin CAROM_TWIN_OF(digit_histogram_u32)
#define carom_digit_histogram_u64_twin CAROM_TWIN_OF(digit_histogram_u64)

void carom_digit_histogram_u32_twin(const uint32_t *keys, uint64_t count, uint32_t shift, uint32_t mask,
                                    uint32_t *counts) {
    CAROM_ASSERT(carom_check_digits(shift, mask, 32) && count <= UINT32_MAX);
    memset(counts, 0, (mask + 1) * sizeof *counts);
    for (uint64_t n = 0; n < count; n++) {
        counts[(keys[n] >> shift) & mask]++;
    }
}

void carom_digit_histogram_u64_twin(const uint64_t *keys, uint64_t count, uint32_t shift, uint32_t mask,
                                    uint32_t *counts) {
    CAROM_ASSERT(carom_check_digits(shift, mask, 64) && count <= UINT32_MAX);
    memset(counts, 0, (mask + 1) * sizeof *counts);
    for (uint64_t n = 0; n < count; n++) {
        counts[(keys[n] >> shift) & mask]++;
    }
}
