/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Words of bits of candidates, of which many have none. */
#ifndef CAROM_SIMD_HIT_WORDS_H
#define CAROM_SIMD_HIT_WORDS_H

#include "simd/vec.h"

/* Which of the next sixteen words may have bits, if `left` words follow: bit n for word n. */
static inline uint32_t hit_words_set(const uint16_t *word, uint32_t left) {
    return vw_set(word) & (left < 16 ? (1U << left) - 1 : UINT16_MAX);
}

/* Which of them have bits, for loops that cost more for each word. */
static inline uint32_t hit_words_nonzero(const uint16_t *word, uint32_t left) {
    return vw_nonzero(word) & (left < 16 ? (1U << left) - 1 : UINT16_MAX);
}

/* The bits of CAROM_LANES candidates, from candidate p of a word on. */
static inline uint32_t hit_word_lanes(uint16_t word, uint32_t p) {
    return word >> p & (uint32_t)((UINT64_C(1) << CAROM_LANES) - 1);
}

#endif
