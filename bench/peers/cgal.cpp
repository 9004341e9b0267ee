// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// CGAL's box_self_intersection_d (Zomorodian and Edelsbrunner 2002: streamed segment trees that end in scanning below a
// cutoff), closed boxes, with cutoffs of 10, 100 and 1000. Boxes by value, as small as they can be. It reorders
// its input, so each run copies the boxes first. That package of CGAL is under the GPL: what is linked with it
// must not be passed on under other terms.
#include <CGAL/box_intersection_d.h>
#include <CGAL/version.h>

#include <algorithm>

#include "bench/peers/peer.h"

namespace peers {
namespace {

struct cgal_box {
    using NT = float;
    using ID = std::uint32_t;
    float lo[3], hi[3];
    std::uint32_t body;
    static int dimension() {
        return 3;
    }
    float min_coord(int axis) const {
        return lo[axis];
    }
    float max_coord(int axis) const {
        return hi[axis];
    }
    std::uint32_t id() const {
        return body;
    }
};

class cgal : public box_peer {
  public:
    explicit cgal(std::ptrdiff_t cutoff) : box_peer("cgal-" + std::to_string(cutoff)), cutoff_(cutoff) {
    }

    std::size_t run() override {
        copy();
        pairs_.clear();
        CGAL::box_self_intersection_d(
            copies_.begin(), copies_.end(),
            [this](const cgal_box &a, const cgal_box &b) {
                pairs_.push_back({std::min(a.body, b.body), std::max(a.body, b.body)});
            },
            cutoff_, CGAL::Box_intersection_d::CLOSED);
        return pairs_.size();
    }

    void release() override {
        copies_ = {};
        box_peer::release();
    }

  private:
    void copy() {
        copies_.resize(boxes_->count);
        for (std::size_t n = 0; n < boxes_->count; n++) {
            for (int axis = 0; axis < 3; axis++) {
                copies_[n].lo[axis] = boxes_->lo[axis][n];
                copies_[n].hi[axis] = boxes_->hi[axis][n];
            }
            copies_[n].body = std::uint32_t(n);
        }
    }

    std::ptrdiff_t cutoff_;
    std::vector<cgal_box> copies_;
};

} // namespace

void add_cgal(peer_list &list, unsigned threads) {
    for (std::ptrdiff_t cutoff : {10, 100, 1000}) {
        if (threads == 1) {
            list.push_back(std::make_unique<cgal>(cutoff));
        }
    }
}

std::string cgal_version() {
    return std::string("CGAL ") + CGAL_VERSION_STR;
}

} // namespace peers
