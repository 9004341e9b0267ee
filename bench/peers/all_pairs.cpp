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

// All ones in the first 8, zeros in the next.
alignas(32) constexpr std::int32_t ones_then_zeros[16] = {-1, -1, -1, -1, -1, -1, -1, -1};

// Bits of the boxes from k on that overlap the one of these bounds. `valid`: which lanes may be read.
struct bounds_avx2 {
    __m256 lo[3], hi[3];
};
template <bool whole>
PEERS_AVX2 inline unsigned overlapping(const columns &c, const bounds_avx2 &box, std::size_t k, __m256i valid) {
    __m256 all = _mm256_castsi256_ps(valid);
    for (int axis = 0; axis < 3; axis++) {
        const float *lo = c.lo[axis] + k, *hi = c.hi[axis] + k;
        const __m256 l = whole ? _mm256_loadu_ps(lo) : _mm256_maskload_ps(lo, valid);
        const __m256 h = whole ? _mm256_loadu_ps(hi) : _mm256_maskload_ps(hi, valid);
        const __m256 both =
            _mm256_and_ps(_mm256_cmp_ps(l, box.hi[axis], _CMP_LE_OQ), _mm256_cmp_ps(h, box.lo[axis], _CMP_GE_OQ));
        all = _mm256_and_ps(all, both);
    }
    return unsigned(_mm256_movemask_ps(all));
}

PEERS_AVX2 pair *one_avx2(const columns &c, std::size_t i, pair *out) {
    bounds_avx2 box;
    for (int axis = 0; axis < 3; axis++) {
        box.lo[axis] = _mm256_set1_ps(c.lo[axis][i]);
        box.hi[axis] = _mm256_set1_ps(c.hi[axis][i]);
    }
    const __m256i own = _mm256_set1_epi32(int(i)), lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    std::size_t k = i + 1;
    for (; k + 8 <= c.count; k += 8) {
        const unsigned found = overlapping<true>(c, box, k, _mm256_set1_epi32(-1));
        if (found != 0) {
            out = pack_pairs(out, own, _mm256_add_epi32(_mm256_set1_epi32(int(k)), lanes), found);
        }
    }
    if (k < c.count) {
        const std::int32_t *mask = ones_then_zeros + 8 - (c.count - k);
        const __m256i valid = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(mask));
        const unsigned found = overlapping<false>(c, box, k, valid);
        if (found != 0) {
            out = pack_pairs(out, own, _mm256_add_epi32(_mm256_set1_epi32(int(k)), lanes), found);
        }
    }
    return out;
}

PEERS_AVX512 pair *one_avx512(const columns &c, std::size_t i, pair *out) {
    __m512 lo[3], hi[3];
    for (int axis = 0; axis < 3; axis++) {
        lo[axis] = _mm512_set1_ps(c.lo[axis][i]);
        hi[axis] = _mm512_set1_ps(c.hi[axis][i]);
    }
    const __m512i own = _mm512_set1_epi32(int(i));
    const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    for (std::size_t k = i + 1; k < c.count; k += 16) {
        const std::size_t left = c.count - k;
        const __mmask16 valid = __mmask16(left >= 16 ? 0xFFFFU : (1U << left) - 1U);
        __mmask16 found = valid;
        for (int axis = 0; axis < 3; axis++) {
            const __m512 l = _mm512_maskz_loadu_ps(valid, c.lo[axis] + k);
            const __m512 h = _mm512_maskz_loadu_ps(valid, c.hi[axis] + k);
            found = _mm512_mask_cmp_ps_mask(found, l, hi[axis], _CMP_LE_OQ);
            found = _mm512_mask_cmp_ps_mask(found, h, lo[axis], _CMP_GE_OQ);
        }
        if (found != 0) {
            out = pack_pairs(out, own, _mm512_add_epi32(_mm512_set1_epi32(int(k)), lanes), found);
        }
    }
    return out;
}

using one_box = pair *(*)(const columns &c, std::size_t i, pair *out);

class all_pairs : public hand_peer {
  public:
    all_pairs(const std::string &name, one_box one) : hand_peer(name), one_(one) {
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
        for (std::size_t i = 0; i < c.count; i++) {
            // At most all that come after are pairs; the last store reaches past them.
            pair *out = store_.room(used, c.count - i + 16);
            used += std::size_t(one_(c, i, out) - out);
        }
        return used;
    }

  private:
    one_box one_;
};

} // namespace

void add_all_pairs(peer_list &list, unsigned threads) {
    if (threads == 1 && __builtin_cpu_supports("avx2")) {
        list.push_back(std::make_unique<all_pairs>("all-pairs-avx2", one_avx2));
    }
    if (threads == 1 && __builtin_cpu_supports("avx512f")) {
        list.push_back(std::make_unique<all_pairs>("all-pairs-avx512", one_avx512));
    }
}

} // namespace peers

#else

namespace peers {

void add_all_pairs(peer_list &, unsigned) {
}

} // namespace peers

#endif
