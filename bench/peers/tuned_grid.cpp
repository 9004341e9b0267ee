// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// The uniform grid of grid.cpp as a careful engineer writes it for AVX2, one thread:
// - It multiplies by the inverse of a cell's width, in float.
// - A counting sort moves each body as a record of 32 bytes: lo[3], -hi[3], cell, body. Eight records at a time
//   are made of the columns by a transposition.
// - Let q be a record with its two corners exchanged and negated: q = (hi[3], -lo[3]). Boxes a and b overlap iff b <= q
//   in these six lanes, so ONE comparison of 256 bits decides. Its seventh lane compares cells: those past the end of
//   the row of cells fail, so that tests may run past it, and loops need no exact end.
// - Where there are many bodies, they go through buckets of cells on the way, so that the sort stays in the cache.
// - Every candidate's pair is stored; the end of the list moves on by the result. No branch depends on it.
#include "bench/peers/hand.h"

#ifdef PEERS_X86
#include <immintrin.h>

#include <cfloat>
#include <cmath>
#include <limits>

namespace peers {
namespace {

struct alignas(32) record {
    float lo[3], neg_hi[3];
    std::uint32_t cell; // numbered from first_cell
    std::uint32_t body;
};

// The number of the first cell. Numbers are compared as floats: from here on their bits are those of normal, positive
// floats, which have the same order.
constexpr std::uint32_t first_cell = 1U << 23;
constexpr float last_cell = FLT_MAX; // as a float: greater than all

struct extent {
    float least, greatest; // of the low corners
    float widest;          // box
};

PEERS_AVX2 float least_of(__m256 v) {
    float lane[8];
    _mm256_storeu_ps(lane, v);
    return *std::min_element(lane, lane + 8);
}

PEERS_AVX2 extent measure(const float *lo, const float *hi, std::size_t count) {
    __m256 least = _mm256_set1_ps(lo[0]), neg_greatest = _mm256_set1_ps(-lo[0]), neg_widest = _mm256_setzero_ps();
    const __m256 sign = _mm256_set1_ps(-0.0F);
    std::size_t n = 0;
    for (; n + 8 <= count; n += 8) {
        const __m256 l = _mm256_loadu_ps(lo + n), h = _mm256_loadu_ps(hi + n);
        least = _mm256_min_ps(least, l);
        neg_greatest = _mm256_min_ps(neg_greatest, _mm256_xor_ps(l, sign));
        neg_widest = _mm256_min_ps(neg_widest, _mm256_sub_ps(l, h));
    }
    extent e = {least_of(least), -least_of(neg_greatest), -least_of(neg_widest)};
    for (; n < count; n++) {
        e = {std::min(e.least, lo[n]), std::max(e.greatest, lo[n]), std::max(e.widest, hi[n] - lo[n])};
    }
    return e;
}

// Rows become columns.
PEERS_AVX2 void transpose(__m256 v[8]) {
    __m256 t[8], u[8];
    for (int n = 0; n < 8; n += 2) {
        t[n] = _mm256_unpacklo_ps(v[n], v[n + 1]);
        t[n + 1] = _mm256_unpackhi_ps(v[n], v[n + 1]);
    }
    for (int n = 0; n < 8; n += 4) {
        u[n] = _mm256_shuffle_ps(t[n], t[n + 2], 0x44);
        u[n + 1] = _mm256_shuffle_ps(t[n], t[n + 2], 0xEE);
        u[n + 2] = _mm256_shuffle_ps(t[n + 1], t[n + 3], 0x44);
        u[n + 3] = _mm256_shuffle_ps(t[n + 1], t[n + 3], 0xEE);
    }
    for (int n = 0; n < 4; n++) {
        v[n] = _mm256_permute2f128_ps(u[n], u[n + 4], 0x20);
        v[n + 4] = _mm256_permute2f128_ps(u[n], u[n + 4], 0x31);
    }
}

class tuned_grid : public hand_peer {
  public:
    // From `many` bodies on they are sorted by way of buckets.
    explicit tuned_grid(std::size_t many) : hand_peer("tuned-grid"), many_(many) {
    }

    // Numbers of cells must stay those of floats.
    std::size_t most_bodies() const override {
        return 100000000;
    }

    void release() override {
        hand_peer::release();
        cell_ = {};
        end_ = {};
        bucket_ = {};
        records_ = {};
        spare_ = {};
    }

  protected:
    std::size_t search() override {
        if (boxes_->count < 2) {
            return 0;
        }
        plan();
        sort();
        return query();
    }

  private:
    // How wide cells are, and how many: a hair wider than the widest box, or as wide as most_cells makes them. A border
    // of one cell spares all tests at the edges.
    //
    // No rounding may put boxes that overlap two cells apart. On one axis let x be how far a box starts after the first
    // one, w the widest box, and M an upper bound of x inv. The box's cell is the integer part of u, which is x inv
    // after two roundings: of the difference x and of the product. So u is wrong by at most M 2^-23 (1 + 2^-24). Of
    // two boxes that overlap, the later starts at most w after the earlier. Their u differ by at most
    // w inv + M 2^-22 (1 + 2^-24), and if that is at most 1, their cells differ by at most 1. As w and inv are rounded
    // too, cells are w (1 + (M + 8) 2^-21) wide, which is enough for M up to 2^18. No rounding changes an order: u
    // never decreases with x, and the later box's cell is never the lower one.
    void plan() {
        double width = 1e-30;
        extent e[3];
        for (int axis = 0; axis < 3; axis++) {
            e[axis] = measure(boxes_->lo[axis].data(), boxes_->hi[axis].data(), boxes_->count);
            width = std::max(width, double(e[axis].widest));
            least_[axis] = e[axis].least;
        }
        while (!fits(e, width)) {
            width *= 1.1;
        }
        order_axes();
    }

    bool fits(const extent e[3], double width) {
        double all = 1, most = 0;
        for (int axis = 0; axis < 3; axis++) {
            cells_[axis] = (double(e[axis].greatest) - double(e[axis].least)) / width;
            most = std::max(most, cells_[axis]);
        }
        inverse_ = float(1 / (width * (1 + (most + 8) * 0x1p-21)));
        for (int axis = 0; axis < 3; axis++) {
            cells_[axis] = std::floor(double((e[axis].greatest - e[axis].least) * inverse_)) + 3;
            all *= cells_[axis];
        }
        return most < 0x1p18 && all <= most_cells * double(boxes_->count) + 1000;
    }

    // Rows of cells run along the axis with the fewest cells, so that two layers are as small as can be: they stay in
    // the cache. (x or z first in all scenes, and the longest axis first, were tried: within noise of this, or slower.)
    void order_axes() {
        int order[3] = {0, 1, 2};
        std::sort(order, order + 3, [this](int a, int b) { return cells_[a] < cells_[b]; });
        std::uint32_t stride = 1;
        for (int n = 0; n < 3; n++) {
            stride_[order[n]] = stride;
            step_[n] = stride;
            stride *= std::uint32_t(cells_[order[n]]);
        }
        all_cells_ = stride;
    }

    // Eight bodies' cells.
    PEERS_AVX2 __m256i cells_of(std::size_t n) const {
        __m256i cell = _mm256_set1_epi32(int(stride_[0] + stride_[1] + stride_[2]));
        for (int axis = 0; axis < 3; axis++) {
            const __m256 x = _mm256_sub_ps(_mm256_loadu_ps(&boxes_->lo[axis][n]), _mm256_set1_ps(least_[axis]));
            const __m256i at = _mm256_cvttps_epi32(_mm256_mul_ps(x, _mm256_set1_ps(inverse_)));
            cell = _mm256_add_epi32(cell, _mm256_mullo_epi32(at, _mm256_set1_epi32(int(stride_[axis]))));
        }
        return cell;
    }
    std::uint32_t cell_of(std::size_t n) const {
        std::uint32_t cell = stride_[0] + stride_[1] + stride_[2];
        for (int axis = 0; axis < 3; axis++) {
            cell += std::uint32_t((boxes_->lo[axis][n] - least_[axis]) * inverse_) * stride_[axis];
        }
        return cell;
    }

    // Cells of all bodies, and how many bodies are in each bucket of 2^shift cells.
    PEERS_AVX2 void count(std::vector<std::uint32_t> &bodies, int shift) {
        const std::size_t count = boxes_->count;
        std::size_t n = 0;
        for (; n + 8 <= count; n += 8) {
            _mm256_storeu_si256(reinterpret_cast<__m256i *>(&cell_[n]), cells_of(n));
            for (std::size_t lane = n; lane < n + 8; lane++) {
                bodies[cell_[lane] >> shift]++;
            }
        }
        for (; n < count; n++) {
            cell_[n] = cell_of(n);
            bodies[cell_[n] >> shift]++;
        }
    }

    // From counts to where each begins, from `sum` on.
    static std::uint32_t add_up(std::uint32_t *begin, std::uint32_t *end, std::uint32_t sum) {
        for (; begin < end; begin++) {
            const std::uint32_t here = *begin;
            *begin = sum;
            sum += here;
        }
        return sum;
    }

    // Makes the records, and puts each where its bucket of 2^shift cells goes on.
    PEERS_AVX2 void scatter(record *to, std::vector<std::uint32_t> &place, int shift) {
        const std::size_t count = boxes_->count;
        const __m256 sign = _mm256_set1_ps(-0.0F);
        const __m256i first = _mm256_set1_epi32(int(first_cell));
        __m256i body = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        std::size_t n = 0;
        for (; n + 8 <= count; n += 8) {
            __m256 v[8];
            for (int axis = 0; axis < 3; axis++) {
                v[axis] = _mm256_loadu_ps(&boxes_->lo[axis][n]);
                v[3 + axis] = _mm256_xor_ps(_mm256_loadu_ps(&boxes_->hi[axis][n]), sign);
            }
            const __m256i cell = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(&cell_[n]));
            v[6] = _mm256_castsi256_ps(_mm256_add_epi32(cell, first));
            v[7] = _mm256_castsi256_ps(body);
            body = _mm256_add_epi32(body, _mm256_set1_epi32(8));
            transpose(v);
            for (std::size_t lane = 0; lane < 8; lane++) {
                _mm256_store_ps(to[place[cell_[n + lane] >> shift]++].lo, v[lane]);
            }
        }
        for (; n < count; n++) {
            record &r = to[place[cell_[n] >> shift]++];
            for (int axis = 0; axis < 3; axis++) {
                r.lo[axis] = boxes_->lo[axis][n];
                r.neg_hi[axis] = -boxes_->hi[axis][n];
            }
            r.cell = cell_[n] + first_cell;
            r.body = std::uint32_t(n);
        }
    }

    // Many bodies go through buckets of cells first. A bucket's records and counters stay in the cache while it is
    // sorted; else every body would miss it twice.
    void sort_by_buckets() {
        int shift = 0;
        while (all_cells_ >> shift >= most_buckets) {
            shift++;
        }
        bucket_.assign((all_cells_ >> shift) + 1, 0);
        count(bucket_, shift);
        add_up(bucket_.data(), bucket_.data() + bucket_.size(), 0);
        spare_.resize(boxes_->count);
        scatter(spare_.data(), bucket_, shift);
        std::uint32_t begin = 0;
        for (std::size_t b = 0; b < bucket_.size(); b++) {
            const std::size_t first = b << shift, last = std::min((b + 1) << shift, all_cells_);
            sort_bucket(begin, bucket_[b], first, last);
            begin = bucket_[b];
        }
    }
    PEERS_AVX2 void sort_bucket(std::uint32_t begin, std::uint32_t end, std::size_t first, std::size_t last) {
        for (std::uint32_t n = begin; n < end; n++) {
            end_[spare_[n].cell - first_cell]++;
        }
        add_up(&end_[first], &end_[first] + (last - first), begin);
        for (std::uint32_t n = begin; n < end; n++) {
            const __m256 moved = _mm256_load_ps(spare_[n].lo);
            _mm256_store_ps(records_[end_[spare_[n].cell - first_cell]++].lo, moved);
        }
    }

    // Counting sort: cell c ends up as records end_[c - 1] to end_[c]. Behind all of them stand some that fail every
    // test.
    void sort() {
        cell_.resize(boxes_->count);
        records_.resize(boxes_->count + at_once);
        end_.assign(all_cells_, 0);
        if (boxes_->count < many_) {
            count(end_, 0);
            add_up(end_.data(), end_.data() + end_.size(), 0);
            scatter(records_.data(), end_, 0);
        } else {
            sort_by_buckets();
        }
        for (std::size_t n = boxes_->count; n < records_.size(); n++) {
            std::memcpy(&records_[n].cell, &last_cell, sizeof last_cell);
        }
    }

    // Tests records from `begin` on, at least to `end`, and appends the pairs.
    static PEERS_AVX2 pair *compare(const record *begin, const record *end, __m256 q, std::uint32_t body, pair *out) {
        const __m128i own = _mm_cvtsi32_si128(int(body));
        do {
            for (int n = 0; n < at_once; n++, begin++) {
                const __m256 b = _mm256_load_ps(begin->lo);
                const int apart = _mm256_movemask_ps(_mm256_cmp_ps(b, q, _CMP_GT_OQ));
                const __m128i other = _mm_cvtsi32_si128(int(begin->body));
                _mm_storel_epi64(reinterpret_cast<__m128i *>(out),
                                 _mm_unpacklo_epi32(_mm_min_epu32(own, other), _mm_max_epu32(own, other)));
                out += apart == 0;
            }
        } while (begin < end);
        return out;
    }

    // What others are compared with. The eighth lane holds a body's number: as a float it is never greater than
    // infinity.
    static PEERS_AVX2 __m256 query_of(const record &r) {
        const __m256 swapped =
            _mm256_permutevar8x32_ps(_mm256_load_ps(r.lo), _mm256_setr_epi32(3, 4, 5, 0, 1, 2, 6, 7));
        return _mm256_blend_ps(_mm256_xor_ps(swapped, _mm256_set1_ps(-0.0F)),
                               _mm256_set1_ps(std::numeric_limits<float>::infinity()), 0xC0);
    }
    static PEERS_AVX2 __m256 up_to(__m256 q, std::uint32_t cell) {
        return _mm256_blend_ps(q, _mm256_castsi256_ps(_mm256_set1_epi32(int(cell + first_cell))), 0x40);
    }

    // Half of the 26 neighbours, three at a time: see grid.cpp.
    PEERS_AVX2 std::size_t query() {
        const std::uint32_t row = step_[1], layer = step_[2];
        const std::uint32_t rows[4] = {row, layer - row, layer, layer + row};
        const record *records = records_.data();
        const std::uint32_t *end = end_.data();
        const std::size_t count = boxes_->count;
        pair *out = store_.room(0, 1), *limit = out;
        for (std::size_t a = 0; a < count; a++) {
            const std::uint32_t c = records[a].cell - first_cell, body = records[a].body;
            std::size_t most = 5 * at_once + end[c + 1] - a;
            for (std::uint32_t offset : rows) {
                most += end[c + offset + 1] - end[c + offset - 2];
            }
            if (std::size_t(limit - out) < most) {
                const std::size_t used = std::size_t(out - store_.data());
                out = store_.room(used, most + count);
                limit = out + most + count;
            }
            const __m256 q = query_of(records[a]);
            out = compare(records + a + 1, records + end[c + 1], up_to(q, c + 1), body, out);
            for (std::uint32_t offset : rows) {
                out = compare(records + end[c + offset - 2], records + end[c + offset + 1], up_to(q, c + offset + 1),
                              body, out);
            }
        }
        return std::size_t(out - store_.data());
    }

    static constexpr int at_once = 3; // records that are tested without a branch; 1 to 4 were tried
    static constexpr std::size_t most_buckets = 256;
    static constexpr double most_cells = 16; // a body; fewer are slower where bodies are in clusters
    std::size_t many_;
    float least_[3] = {}, inverse_ = 0;
    double cells_[3] = {};
    std::uint32_t stride_[3] = {}; // of a step along x, y, z, in cells
    std::uint32_t step_[3] = {};   // the same, ascending
    std::size_t all_cells_ = 0;
    std::vector<std::uint32_t> cell_;   // of each body
    std::vector<std::uint32_t> end_;    // of each cell's records
    std::vector<std::uint32_t> bucket_; // where each goes on
    std::vector<record> records_, spare_;
};

} // namespace

void add_tuned_grid_of(peer_list &list, unsigned threads, std::size_t many) {
    if (threads == 1 && __builtin_cpu_supports("avx2")) {
        list.push_back(std::make_unique<tuned_grid>(many));
    }
}

void add_tuned_grid(peer_list &list, unsigned threads) {
    // From here on records and counters are too large for the cache; 1e5 to 1e6 were tried.
    add_tuned_grid_of(list, threads, 300000);
}

} // namespace peers

#else

namespace peers {

void add_tuned_grid_of(peer_list &, unsigned, std::size_t) {
}

void add_tuned_grid(peer_list &, unsigned) {
}

} // namespace peers

#endif
