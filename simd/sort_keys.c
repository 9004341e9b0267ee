/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Order-preserving integer keys of floats: a negative number's bits are all turned over, a positive one's sign bit. */
#include "simd/declare.h"
#include "simd/vec.h"

void CAROM_KERNEL_OF(sort_keys_f32)(const float *values, uint64_t count, uint32_t *keys) {
    uint64_t n = 0;
    for (; n + CAROM_LANES <= count; n += CAROM_LANES) {
        vi bits = vf_bits(vf_load(values + n));
        vi_store(keys + n, vi_xor(bits, vi_or(vi_sign(bits), vi_set1(INT32_MIN))));
    }
    CAROM_TWIN_OF(sort_keys_f32)(values + n, count - n, keys + n);
}
