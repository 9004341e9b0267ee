/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A body beside CAROM_LANES candidates. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/vec.h"

#define carom_pack_pairs CAROM_KERNEL_OF(pack_pairs)

static const uint32_t LANES = (uint32_t)((UINT64_C(1) << CAROM_LANES) - 1);

void carom_pack_pairs(uint32_t body, const uint32_t *id, const uint16_t *bits, uint32_t count, uint32_t *i,
                      uint32_t *k) {
    const vi own = vi_set1((int32_t)body);
    for (uint32_t c = 0; c < count; c += 16) {
        const uint32_t word = bits[c / 16];
        for (uint32_t p = 0; p < 16; p += CAROM_LANES) {
            const uint32_t lanes = word >> p & LANES;
            const vi other = vi_load(id + c + p);
            i += vi_pack_store(i, lanes, vi_min_unsigned(own, other));
            k += vi_pack_store(k, lanes, vi_max_unsigned(own, other));
        }
    }
}
