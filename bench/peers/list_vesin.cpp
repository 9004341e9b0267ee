// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// vesin: cell lists in double, without a periodic box. It keeps pairs, 16 bytes each, not rows; "sorted" groups them by
// their first body. It takes one radius. The list and its memory are kept from run to run.
#include <vesin.h>

#include <cstdio>
#include <cstdlib>

#include "bench/peers/list_peer.h"

namespace peers {
namespace {

class cells : public list_peer {
  public:
    cells(const std::string &name, list_form form, bool sorted, unsigned threads) : list_peer(name, form) {
        options_.full = form == list_form::full;
        options_.sorted = sorted;
        options_.algorithm = VesinCellList;
        options_.n_threads = std::int32_t(threads);
    }
    ~cells() override {
        vesin_free(&pairs_);
    }
    cells(const cells &) = delete;
    cells &operator=(const cells &) = delete;

    bool takes(const list_scene &scene) const override {
        return scene.one_radius;
    }
    void prepare(const list_scene &scene) override {
        points_.resize(scene.radius.size());
        for (std::size_t n = 0; n < points_.size(); n++) {
            for (std::size_t axis = 0; axis < 3; axis++) {
                points_[n].at[axis] = double(scene.triples[3 * n + axis]);
            }
        }
        options_.cutoff = 2 * double(scene.greatest_radius);
    }
    void run() override {
        const double box[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        const bool periodic[3] = {false, false, false};
        const char *message = "";
        if (vesin_neighbors(&points_[0].at, points_.size(), box, periodic, {VesinCPU, 0}, options_, &pairs_,
                            &message) != 0) {
            std::fprintf(stderr, "carom_list_peers: vesin: %s\n", message);
            std::exit(4);
        }
    }
    void release() override {
        vesin_free(&pairs_);
        points_ = {};
    }
    std::size_t entries() const override {
        return pairs_.length;
    }
    std::vector<neighbour> listed() const override {
        std::vector<neighbour> all;
        for (std::size_t n = 0; n < pairs_.length; n++) {
            all.push_back({std::uint32_t(pairs_.pairs[n][0]), std::uint32_t(pairs_.pairs[n][1])});
        }
        return all;
    }

  private:
    struct point {
        double at[3];
    };

    std::vector<point> points_;
    VesinOptions options_{};
    VesinNeighborList pairs_{};
};

} // namespace

void add_list_vesin(list_peer_list &list, unsigned threads) {
    list.push_back(std::make_unique<cells>("vesin-half", list_form::half, false, threads));
    list.push_back(std::make_unique<cells>("vesin-full", list_form::full, false, threads));
    list.push_back(std::make_unique<cells>("vesin-sorted-full", list_form::full, true, threads));
}

} // namespace peers
