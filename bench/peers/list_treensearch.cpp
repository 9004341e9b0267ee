// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// TreeNSearch, in its AVX2 form and with its own settings. It only makes full lists, and only for one radius: its
// search with several takes a neighbour if it lies in the reach of either body, not in the sum of both. The object and
// its memory are kept from run to run. "zsort": its own order of bodies is made before the first run and not timed.
#include <TreeNSearch.h>

#include <numeric>

#include "bench/peers/list_peer.h"

namespace peers {
namespace {

class octree : public list_peer {
  public:
    octree(const std::string &name, bool sorted, unsigned threads)
        : list_peer(name, list_form::full), sorted_(sorted), threads_(int(threads)) {
    }
    bool takes(const list_scene &scene) const override {
        return scene.one_radius;
    }
    void prepare(const list_scene &scene) override {
        points_ = scene.triples;
        name_.resize(scene.radius.size());
        std::iota(name_.begin(), name_.end(), 0U);
        search_ = std::make_unique<tns::TreeNSearch>();
        search_->set_n_threads(threads_);
        search_->set_search_radius(2 * scene.greatest_radius);
        set_ = search_->add_point_set(points_.data(), int(name_.size()));
        search_->set_active_search(set_, set_);
        if (sorted_) {
            search_->run();
            search_->prepare_zsort();
            search_->apply_zsort(set_, points_.data(), 3);
            search_->apply_zsort(set_, name_.data(), 1);
        }
    }
    void run() override {
        search_->run();
    }
    void release() override {
        search_.reset();
        points_ = {};
        name_ = {};
    }
    std::size_t entries() const override {
        std::size_t count = 0;
        for (std::size_t n = 0; n < name_.size(); n++) {
            count += std::size_t(search_->get_neighborlist(set_, set_, int(n)).size());
        }
        return count;
    }
    std::vector<neighbour> listed() const override {
        std::vector<neighbour> all;
        for (std::size_t n = 0; n < name_.size(); n++) {
            const tns::NeighborList list = search_->get_neighborlist(set_, set_, int(n));
            for (int at = 0; at < list.size(); at++) {
                all.push_back({name_[n], name_[std::size_t(list[std::size_t(at)])]});
            }
        }
        return all;
    }

  private:
    bool sorted_;
    int threads_, set_ = 0;
    std::vector<float> points_;
    std::vector<std::uint32_t> name_; // the scene's number of each point
    std::unique_ptr<tns::TreeNSearch> search_;
};

} // namespace

void add_list_treensearch(list_peer_list &list, unsigned threads) {
    list.push_back(std::make_unique<octree>("treensearch-full", false, threads));
    list.push_back(std::make_unique<octree>("treensearch-zsort-full", true, threads));
}

} // namespace peers
