// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// Left-packing: of 8 or 16 bodies that were compared with one, those of the set bits of a mask become pairs with it,
// side by side. A function stores 8 or 16 pairs, of which the first so many count, and returns where the next go.
#ifndef CAROM_PEERS_PACK_H
#define CAROM_PEERS_PACK_H

#include "bench/peers/hand.h"

#ifdef PEERS_X86
#include <immintrin.h>

namespace peers {

// For each mask of 8 bits the numbers of its set bits, ascending: as bytes, 2 KiB.
struct pack_table {
    std::uint8_t lane[256][8] = {};
    constexpr pack_table() {
        for (int mask = 0; mask < 256; mask++) {
            int used = 0;
            for (int bit = 0; bit < 8; bit++) {
                if ((mask >> bit & 1) != 0) {
                    lane[mask][used++] = std::uint8_t(bit);
                }
            }
        }
    }
};
inline constexpr pack_table packs;

inline PEERS_AVX2 pair *pack_pairs(pair *out, __m256i own, __m256i others, unsigned mask) {
    const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i *>(packs.lane[mask]));
    const __m256i packed = _mm256_permutevar8x32_epi32(others, _mm256_cvtepu8_epi32(bytes));
    const __m256i least = _mm256_min_epu32(own, packed), greatest = _mm256_max_epu32(own, packed);
    const __m256i low = _mm256_unpacklo_epi32(least, greatest), high = _mm256_unpackhi_epi32(least, greatest);
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(out), _mm256_permute2x128_si256(low, high, 0x20));
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(out + 4), _mm256_permute2x128_si256(low, high, 0x31));
    return out + __builtin_popcount(mask);
}

inline PEERS_AVX512 pair *pack_pairs(pair *out, __m512i own, __m512i others, unsigned mask) {
    // Into a register first: some CPUs compress to memory slowly.
    const __m512i packed = _mm512_maskz_compress_epi32(__mmask16(mask), others);
    // With a mask of all lanes, as gcc 12 warns of its own header's plain forms.
    const __mmask16 every = 0xFFFF;
    const __m512i least = _mm512_maskz_min_epu32(every, own, packed);
    const __m512i greatest = _mm512_maskz_max_epu32(every, own, packed);
    const __m512i first = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const __m512i last = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    _mm512_storeu_si512(out, _mm512_permutex2var_epi32(least, first, greatest));
    _mm512_storeu_si512(out + 8, _mm512_permutex2var_epi32(least, last, greatest));
    return out + __builtin_popcount(mask);
}

} // namespace peers
#endif

#endif
