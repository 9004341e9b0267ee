// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// The plain uniform grid that anybody would write first: cells as wide as the widest box, every box filed once, by its
// low corner, with a counting sort; each cell looks at itself and at half of its neighbours, so every pair is found
// once. Scalar, one thread. O(N) where boxes are of one size; of no use where one is much wider than the rest.
#include <algorithm>
#include <cmath>

#include "bench/peers/peer.h"

namespace peers {
namespace {

struct record {
    float lo[3], hi[3];
    std::uint32_t body;
};

bool overlap(const record &a, const record &b) {
    return a.lo[0] <= b.hi[0] && b.lo[0] <= a.hi[0] && a.lo[1] <= b.hi[1] && b.lo[1] <= a.hi[1] && a.lo[2] <= b.hi[2] &&
           b.lo[2] <= a.hi[2];
}

class grid : public box_peer {
  public:
    grid() : box_peer("grid") {
    }

    std::size_t run() override {
        pairs_.clear();
        if (boxes_->count > 0) {
            measure();
            sort();
            query();
        }
        return pairs_.size();
    }

    void release() override {
        box_peer::release();
        cell_ = {};
        start_ = {};
        records_ = {};
    }

  private:
    // The extent of the low corners, the widest box, and how many cells that makes. One cell more on every side spares
    // all tests at the border. Wide and empty scenes get wider cells: no more than 16 a body.
    void measure() {
        double extent[3];
        width_ = 1e-30;
        for (int axis = 0; axis < 3; axis++) {
            const auto &lo = boxes_->lo[axis], &hi = boxes_->hi[axis];
            float least = lo[0], greatest = lo[0];
            for (std::size_t n = 0; n < boxes_->count; n++) {
                least = std::min(least, lo[n]);
                greatest = std::max(greatest, lo[n]);
                width_ = std::max(width_, double(hi[n]) - double(lo[n]));
            }
            least_[axis] = least;
            extent[axis] = double(greatest) - double(least);
        }
        // A hair wider than the widest box: no rounding may put two that overlap two cells apart.
        for (width_ *= 1 + 1e-9;; width_ *= 1.25) {
            double cells = 1;
            for (int axis = 0; axis < 3; axis++) {
                cells *= std::floor(extent[axis] / width_) + 3;
            }
            if (cells <= 16.0 * double(boxes_->count) + 1000) {
                break;
            }
        }
        for (int axis = 0; axis < 3; axis++) {
            cells_[axis] = std::size_t(extent[axis] / width_) + 3;
        }
    }

    std::size_t cell_of(std::size_t n) const {
        std::size_t at[3];
        for (int axis = 0; axis < 3; axis++) {
            at[axis] = std::size_t((double(boxes_->lo[axis][n]) - least_[axis]) / width_) + 1;
        }
        return (at[2] * cells_[1] + at[1]) * cells_[0] + at[0];
    }

    // Counting sort: cell c ends up as records start_[c] to start_[c + 1].
    void sort() {
        cell_.resize(boxes_->count);
        records_.resize(boxes_->count);
        start_.assign(cells_[0] * cells_[1] * cells_[2] + 1, 0);
        for (std::size_t n = 0; n < boxes_->count; n++) {
            cell_[n] = std::uint32_t(cell_of(n));
            start_[cell_[n]]++;
        }
        std::uint32_t sum = 0;
        for (auto &start : start_) {
            sum += start;
            start = sum;
        }
        for (std::size_t n = boxes_->count; n-- > 0;) {
            record &r = records_[--start_[cell_[n]]];
            for (int axis = 0; axis < 3; axis++) {
                r.lo[axis] = boxes_->lo[axis][n];
                r.hi[axis] = boxes_->hi[axis][n];
            }
            r.body = std::uint32_t(n);
        }
    }

    void compare(const record &a, std::size_t begin, std::size_t end) {
        for (std::size_t n = begin; n < end; n++) {
            if (overlap(a, records_[n])) {
                pairs_.push_back({std::min(a.body, records_[n].body), std::max(a.body, records_[n].body)});
            }
        }
    }

    // Half of the 26 neighbours, three at a time, as cells along x lie next to each other: the rest of the cell and the
    // next one in x, the row above in y, and three rows of the next layer in z.
    void query() {
        const std::size_t row = cells_[0], layer = cells_[0] * cells_[1];
        const std::size_t rows[4] = {row, layer - row, layer, layer + row};
        for (std::size_t a = 0; a < records_.size(); a++) {
            const std::size_t c = cell_[records_[a].body];
            compare(records_[a], a + 1, start_[c + 2]);
            for (std::size_t offset : rows) {
                compare(records_[a], start_[c + offset - 1], start_[c + offset + 2]);
            }
        }
    }

    double width_ = 0, least_[3] = {};
    std::size_t cells_[3] = {};
    std::vector<std::uint32_t> cell_, start_;
    std::vector<record> records_;
};

} // namespace

void add_grid(peer_list &list, unsigned threads) {
    if (threads == 1) {
        list.push_back(std::make_unique<grid>());
    }
}

} // namespace peers
