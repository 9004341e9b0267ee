// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// Every box against all later ones, 8 (AVX2) or 16 (AVX-512) at a time, from the columns as they are: nothing is sorted
// or copied. O(N^2), for few bodies. One thread.
#include "bench/peers/pack.h"

#ifdef PEERS_X86

namespace peers {
namespace {

constexpr std::size_t most = 4096;

struct columns {
    const float *lo[3], *hi[3];
    std::size_t count;
};

// A block of boxes k in registers meets every box i before its last. So loops over i are long, and only the last block
// needs a mask. Packing without asking whether there is a pair was tried: slower in all scenes of 10 bodies and more.
PEERS_AVX2 pair *block_avx2(const columns &c, std::size_t first, pair *out) {
    const std::size_t end = std::min(first + 8, c.count);
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i valid = _mm256_cmpgt_epi32(_mm256_set1_epi32(int(end - first)), lanes);
    const __m256i body = _mm256_add_epi32(_mm256_set1_epi32(int(first)), lanes);
    __m256 lo[3], hi[3];
    for (int axis = 0; axis < 3; axis++) {
        lo[axis] = _mm256_maskload_ps(c.lo[axis] + first, valid);
        hi[axis] = _mm256_maskload_ps(c.hi[axis] + first, valid);
    }
    for (std::size_t i = 0; i < end; i++) {
        __m256 all = _mm256_castsi256_ps(valid);
        for (int axis = 0; axis < 3; axis++) {
            const __m256 a = _mm256_cmp_ps(lo[axis], _mm256_broadcast_ss(c.hi[axis] + i), _CMP_LE_OQ);
            const __m256 b = _mm256_cmp_ps(hi[axis], _mm256_broadcast_ss(c.lo[axis] + i), _CMP_GE_OQ);
            all = _mm256_and_ps(all, _mm256_and_ps(a, b));
        }
        unsigned found = unsigned(_mm256_movemask_ps(all));
        // Of its own block a box meets those behind it: bits from i + 1 - first on.
        found &= i < first ? 0xFFU : 0xFEU << (i - first);
        if (found != 0) {
            out = pack_pairs(out, _mm256_set1_epi32(int(i)), body, found & 0xFF);
        }
    }
    return out;
}

PEERS_AVX512 pair *block_avx512(const columns &c, std::size_t first, pair *out) {
    const std::size_t end = std::min(first + 16, c.count);
    const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __mmask16 valid = __mmask16((1U << (end - first)) - 1U);
    const __m512i body = _mm512_add_epi32(_mm512_set1_epi32(int(first)), lanes);
    __m512 lo[3], hi[3];
    for (int axis = 0; axis < 3; axis++) {
        lo[axis] = _mm512_maskz_loadu_ps(valid, c.lo[axis] + first);
        hi[axis] = _mm512_maskz_loadu_ps(valid, c.hi[axis] + first);
    }
    for (std::size_t i = 0; i < end; i++) {
        __mmask16 found = __mmask16(valid & (i < first ? 0xFFFFU : 0xFFFEU << (i - first)));
        for (int axis = 0; axis < 3; axis++) {
            found = _mm512_mask_cmp_ps_mask(found, lo[axis], _mm512_set1_ps(c.hi[axis][i]), _CMP_LE_OQ);
            found = _mm512_mask_cmp_ps_mask(found, hi[axis], _mm512_set1_ps(c.lo[axis][i]), _CMP_GE_OQ);
        }
        if (found != 0) {
            out = pack_pairs(out, _mm512_set1_epi32(int(i)), body, found);
        }
    }
    return out;
}

using one_block = pair *(*)(const columns &c, std::size_t first, pair *out);

class all_pairs : public hand_peer {
  public:
    all_pairs(const std::string &name, std::size_t lanes, one_block block)
        : hand_peer(name), lanes_(lanes), block_(block) {
    }
    std::size_t most_bodies() const override {
        return most;
    }

  protected:
    std::size_t search() override {
        const boxes &b = *boxes_;
        const columns c = {{b.lo[0].data(), b.lo[1].data(), b.lo[2].data()},
                           {b.hi[0].data(), b.hi[1].data(), b.hi[2].data()},
                           b.count};
        std::size_t used = 0;
        for (std::size_t first = 0; first < c.count; first += lanes_) {
            // As many as the block has with all before it; the last store reaches past them.
            pair *out = store_.room(used, lanes_ * (first + lanes_ + 1));
            used += std::size_t(block_(c, first, out) - out);
        }
        return used;
    }

  private:
    std::size_t lanes_;
    one_block block_;
};

} // namespace

void add_all_pairs(peer_list &list, unsigned threads) {
    if (threads == 1 && __builtin_cpu_supports("avx2")) {
        list.push_back(std::make_unique<all_pairs>("all-pairs-avx2", 8, block_avx2));
    }
    if (threads == 1 && __builtin_cpu_supports("avx512f")) {
        list.push_back(std::make_unique<all_pairs>("all-pairs-avx512", 16, block_avx512));
    }
}

} // namespace peers

#else

namespace peers {

void add_all_pairs(peer_list &, unsigned) {
}

} // namespace peers

#endif
