// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// Sort and sweep along one axis with vector instructions: each box meets those that start after it, 8 (AVX2) or 16
// (AVX-512) at a time, until one starts behind its end. O(N^(5/3)) where bodies fill a cube. One thread.
#include "bench/peers/pack.h"
#include "bench/peers/sorted_columns.h"

#ifdef PEERS_X86

namespace peers {
namespace {

// Box i with boxes from i + 1 on. Behind the last box stand some that start at infinity.
PEERS_AVX2 pair *sweep_one_avx2(const sorted_columns &c, std::size_t i, pair *out) {
    const __m256i own = _mm256_set1_epi32(int(c.body[i]));
    const __m256 end = _mm256_set1_ps(c.hi[0][i]);
    const __m256 lo1 = _mm256_set1_ps(c.lo[1][i]), hi1 = _mm256_set1_ps(c.hi[1][i]);
    const __m256 lo2 = _mm256_set1_ps(c.lo[2][i]), hi2 = _mm256_set1_ps(c.hi[2][i]);
    for (std::size_t k = i + 1;; k += 8) {
        const __m256 near = _mm256_cmp_ps(_mm256_loadu_ps(&c.lo[0][k]), end, _CMP_LE_OQ);
        const __m256 on1 = _mm256_and_ps(_mm256_cmp_ps(_mm256_loadu_ps(&c.lo[1][k]), hi1, _CMP_LE_OQ),
                                         _mm256_cmp_ps(_mm256_loadu_ps(&c.hi[1][k]), lo1, _CMP_GE_OQ));
        const __m256 on2 = _mm256_and_ps(_mm256_cmp_ps(_mm256_loadu_ps(&c.lo[2][k]), hi2, _CMP_LE_OQ),
                                         _mm256_cmp_ps(_mm256_loadu_ps(&c.hi[2][k]), lo2, _CMP_GE_OQ));
        const int found = _mm256_movemask_ps(_mm256_and_ps(near, _mm256_and_ps(on1, on2)));
        if (found != 0) {
            out = pack_pairs(out, own, _mm256_loadu_si256(reinterpret_cast<const __m256i *>(&c.body[k])),
                             unsigned(found));
        }
        if (_mm256_movemask_ps(near) != 0xFF) {
            return out;
        }
    }
}

PEERS_AVX512 pair *sweep_one_avx512(const sorted_columns &c, std::size_t i, pair *out) {
    const __m512i own = _mm512_set1_epi32(int(c.body[i]));
    const __m512 end = _mm512_set1_ps(c.hi[0][i]);
    const __m512 lo1 = _mm512_set1_ps(c.lo[1][i]), hi1 = _mm512_set1_ps(c.hi[1][i]);
    const __m512 lo2 = _mm512_set1_ps(c.lo[2][i]), hi2 = _mm512_set1_ps(c.hi[2][i]);
    for (std::size_t k = i + 1;; k += 16) {
        const __mmask16 near = _mm512_cmp_ps_mask(_mm512_loadu_ps(&c.lo[0][k]), end, _CMP_LE_OQ);
        __mmask16 found = _mm512_mask_cmp_ps_mask(near, _mm512_loadu_ps(&c.lo[1][k]), hi1, _CMP_LE_OQ);
        found = _mm512_mask_cmp_ps_mask(found, _mm512_loadu_ps(&c.hi[1][k]), lo1, _CMP_GE_OQ);
        found = _mm512_mask_cmp_ps_mask(found, _mm512_loadu_ps(&c.lo[2][k]), hi2, _CMP_LE_OQ);
        found = _mm512_mask_cmp_ps_mask(found, _mm512_loadu_ps(&c.hi[2][k]), lo2, _CMP_GE_OQ);
        if (found != 0) {
            out = pack_pairs(out, own, _mm512_loadu_si512(&c.body[k]), found);
        }
        if (near != 0xFFFF) {
            return out;
        }
    }
}

using one_box = pair *(*)(const sorted_columns &c, std::size_t i, pair *out);

class sweep : public hand_peer {
  public:
    sweep(const std::string &name, one_box one) : hand_peer(name), one_(one) {
    }
    void release() override {
        hand_peer::release();
        columns_.release();
    }

  protected:
    std::size_t search() override {
        if (boxes_->count < 2) {
            return 0;
        }
        columns_.sort(*boxes_);
        std::size_t used = 0;
        for (std::size_t i = 0; i < columns_.count; i++) {
            // At most all that come after are pairs; the last store reaches past them.
            pair *out = store_.room(used, columns_.count + sorted_columns::padding);
            used += std::size_t(one_(columns_, i, out) - out);
        }
        return used;
    }

  private:
    one_box one_;
    sorted_columns columns_;
};

} // namespace

void add_sweep(peer_list &list, unsigned threads) {
    if (threads == 1 && __builtin_cpu_supports("avx2")) {
        list.push_back(std::make_unique<sweep>("sweep-avx2", sweep_one_avx2));
    }
    if (threads == 1 && __builtin_cpu_supports("avx512f")) {
        list.push_back(std::make_unique<sweep>("sweep-avx512", sweep_one_avx512));
    }
}

} // namespace peers

#else

namespace peers {

void add_sweep(peer_list &, unsigned) {
}

} // namespace peers

#endif
