// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// nanoflann: a run builds the k-d tree (in float, leaves of ten) and asks it for every body in turn. What the tree
// finds goes straight into the arrays of the lists, without its distance and without sorting. With radii that differ a
// search goes as far as the largest body would touch.
#include <nanoflann.hpp>

#include "bench/peers/list_peer.h"

namespace peers {
namespace {

struct cloud {
    const list_scene *scene;
    std::size_t kdtree_get_point_count() const {
        return scene->radius.size();
    }
    float kdtree_get_pt(std::size_t body, std::size_t axis) const {
        return scene->triples[3 * body + axis];
    }
    template <class box> bool kdtree_get_bbox(box &) const {
        return false;
    }
};

// Receives one body's neighbours, as nanoflann's own RadiusResultSet does.
template <list_form what> class result {
  public:
    result(const list_scene &scene, std::uint32_t body, std::vector<std::uint32_t> &found, std::size_t &count)
        : scene_(scene), body_(body), found_(found), count_(count) {
        const float reach = scene.radius[body] + scene.greatest_radius;
        square_ = reach * reach;
    }
    bool addPoint(float square, std::uint32_t other) {
        if ((what == list_form::half ? other > body_ : other != body_) && touches(square, other)) {
            count_++;
            if (what != list_form::count) {
                found_.push_back(other);
            }
        }
        return true;
    }
    float worstDist() const {
        return square_;
    }
    bool full() const {
        return true;
    }
    std::size_t size() const {
        return count_;
    }
    // Later versions call it.
    void sort() {
    }

  private:
    bool touches(float square, std::uint32_t other) const {
        const float sum = scene_.radius[body_] + scene_.radius[other];
        return scene_.one_radius || square <= sum * sum;
    }

    const list_scene &scene_;
    std::uint32_t body_;
    std::vector<std::uint32_t> &found_;
    std::size_t &count_;
    float square_;
};

template <list_form what> class kd_tree : public list_peer {
  public:
    explicit kd_tree(const std::string &name) : list_peer(name, what) {
    }
    void prepare(const list_scene &scene) override {
        cloud_.scene = &scene;
    }
    void run() override {
        const std::size_t bodies = cloud_.scene->radius.size();
        const index tree(3, cloud_); // it builds itself
        found_.clear();
        offset_.resize(bodies + 1);
        count_ = 0;
        for (std::uint32_t body = 0; body < bodies; body++) {
            offset_[body] = found_.size();
            result<what> receiver(*cloud_.scene, body, found_, count_);
            tree.findNeighbors(receiver, &cloud_.scene->triples[3 * body], {});
        }
        offset_[bodies] = found_.size();
    }
    void release() override {
        found_ = {};
        offset_ = {};
    }
    std::size_t entries() const override {
        return count_;
    }
    std::vector<neighbour> listed() const override {
        std::vector<neighbour> all;
        for (std::uint32_t body = 0; body + 1 < offset_.size(); body++) {
            for (std::size_t n = offset_[body]; n < offset_[body + 1]; n++) {
                all.push_back({body, found_[n]});
            }
        }
        return all;
    }

  private:
    using metric = nanoflann::L2_Simple_Adaptor<float, cloud>;
    using index = nanoflann::KDTreeSingleIndexAdaptor<metric, cloud, 3, std::uint32_t>;

    cloud cloud_{};
    std::vector<std::uint32_t> found_;
    std::vector<std::size_t> offset_;
    std::size_t count_ = 0;
};

} // namespace

void add_list_nanoflann(list_peer_list &list, unsigned threads) {
    if (threads == 1) {
        list.push_back(std::make_unique<kd_tree<list_form::count>>("nanoflann-count"));
        list.push_back(std::make_unique<kd_tree<list_form::half>>("nanoflann-half"));
        list.push_back(std::make_unique<kd_tree<list_form::full>>("nanoflann-full"));
    }
}

} // namespace peers
