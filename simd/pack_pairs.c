/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A body beside CAROM_LANES candidates. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/hit_words.h"

#define carom_pack_pairs CAROM_KERNEL_OF(pack_pairs)

void carom_pack_pairs(uint32_t body, const uint32_t *id, const uint16_t *bits, uint32_t count, uint32_t *i,
                      uint32_t *k) {
    const vi own = vi_set1((int32_t)body);
    const uint32_t words = carom_hits_words(count);
    for (uint32_t w = 0; w < words; w += 16) {
        for (uint32_t set = hit_parts_set(bits + w, words - w); set != 0; set &= set - 1) {
            const uint32_t part = w * HIT_PARTS + (uint32_t)__builtin_ctz(set);
            for (uint32_t p = 0; p < HIT_PART; p += CAROM_LANES) {
                const uint32_t lanes = hit_word_lanes(hit_part(bits, part), p);
                const uint32_t packed = vi_pack_ordered(i, k, lanes, own, vi_load(id + HIT_PART * part + p));
                i += packed;
                k += packed;
            }
        }
    }
}
