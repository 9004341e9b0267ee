/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A vector at a time; most words of bits have some. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/vec.h"

#define carom_pack_hits CAROM_KERNEL_OF(pack_hits)

/* The lowest CAROM_LANES bits. */
static const uint32_t LANES = (uint32_t)((UINT64_C(1) << CAROM_LANES) - 1);

void carom_pack_hits(const uint32_t *id, const uint16_t *bits, uint32_t count, uint32_t *packed) {
    for (uint32_t c = 0; c < count; c += 16) {
        const uint32_t word = bits[c / 16];
        for (uint32_t p = 0; p < 16; p += CAROM_LANES) {
            packed += vi_pack_store(packed, word >> p & LANES, vi_load(id + c + p));
        }
    }
    for (uint32_t n = 0; n < CAROM_HIT_ROW_ENDS; n += CAROM_LANES) {
        vi_store(packed + n, vi_set1(-1));
    }
}
