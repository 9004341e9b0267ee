/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A vector at a time. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/hit_words.h"

#define carom_pack_hits CAROM_KERNEL_OF(pack_hits)

void carom_pack_hits(const uint32_t *id, const uint16_t *bits, uint32_t count, uint32_t *packed) {
    const uint32_t words = carom_hits_words(count);
    for (uint32_t w = 0; w < words; w += 16) {
        for (uint32_t set = hit_parts_set(bits + w, words - w); set != 0; set &= set - 1) {
            const uint32_t part = w * HIT_PARTS + (uint32_t)__builtin_ctz(set);
            for (uint32_t p = 0; p < HIT_PART; p += CAROM_LANES) {
                const uint32_t lanes = hit_word_lanes(hit_part(bits, part), p);
                packed += vi_pack_store(packed, lanes, vi_load(id + HIT_PART * part + p));
            }
        }
    }
    for (uint32_t n = 0; n < CAROM_HIT_ROW_ENDS; n += CAROM_LANES) {
        vi_store(packed + n, vi_set1(-1));
    }
}
