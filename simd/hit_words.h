/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Words of bits of candidates, of which many have none. */
#ifndef CAROM_SIMD_HIT_WORDS_H
#define CAROM_SIMD_HIT_WORDS_H

#include "simd/vec.h"

/* Words are packed part by part: HIT_PART candidates, a vector or more. */
enum { HIT_PART = CAROM_LANES == 8 ? 8 : 16, HIT_PARTS = 16 / HIT_PART };

/* Which parts of the next sixteen words may have bits, if `left` words follow: bit n for part n. */
static inline uint32_t hit_parts_set(const uint16_t *word, uint32_t left) {
    return vw_set(word) & (left < 16 ? (1U << left * HIT_PARTS) - 1 : UINT32_MAX);
}

/* The bits of a part. */
static inline uint32_t hit_part(const uint16_t *word, uint32_t part) {
#if CAROM_LANES == 8 /* the low half of a word comes first in memory */
    return ((const uint8_t *)word)[part];
#else
    return word[part];
#endif
}

/* Takes away from each of the next sixteen words, or of `left` if they are fewer, the bits of another one. Which of
 * them have bits then. `there`: how many words there are. Bits may be taken away from sixteen even if fewer are left.
 */
static inline uint32_t hit_words_less(uint16_t *word, const uint16_t *other, uint32_t left, size_t there) {
    uint32_t set = 0;
    if (there >= 16) {
        return vw_less(word, other) & (left < 16 ? (1U << left) - 1 : UINT16_MAX);
    }
    for (uint32_t n = 0; n < left; n++) {
        word[n] = (uint16_t)(word[n] & ~other[n]);
        set |= (uint32_t)(word[n] != 0) << n;
    }
    return set;
}

/* The bits of CAROM_LANES candidates, from candidate p of a word or part on. */
static inline uint32_t hit_word_lanes(uint32_t word, uint32_t p) {
    return word >> p & (uint32_t)((UINT64_C(1) << CAROM_LANES) - 1);
}

#endif
