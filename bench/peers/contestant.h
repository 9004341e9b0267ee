// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// One kind of peer on one or more scenes of one size. Where a scene is but a pointer to a peer, one peer goes through
// all scenes. Where a peer makes objects that belong to a scene, every scene has a peer of its own, so that nobody's
// objects are made in measured time, nor remade just before it, which would leave them in the cache.
#ifndef CAROM_PEERS_CONTESTANT_H
#define CAROM_PEERS_CONTESTANT_H

#include <memory>
#include <string>
#include <vector>

#include "bench/peers/scene.h"
#include "bench/peers/stopwatch.h"

namespace peers {

// The scenes of one size, of successive seeds, and how many pairs each has.
struct scene_set {
    struct truth {
        std::uint64_t pairs;
        std::uint64_t widened; // the most that a peer may report that widens its boxes by a float step
    };
    std::vector<std::unique_ptr<standard_scene>> scenes;
    std::vector<truth> truths;
    std::uint64_t bodies = 0; // of each

    std::uint64_t pairs() const; // of all
};

// `known`: the pairs of the first scene, or `unknown`.
scene_set make_scenes(const std::string &name, std::uint64_t bodies, std::uint64_t seed, unsigned count,
                      std::uint64_t known);

class contestant {
  public:
    explicit contestant(std::unique_ptr<peer> first) : first_(std::move(first)) {
    }
    const std::string &name() const {
        return first_->name();
    }
    std::size_t most_bodies() const {
        return first_->most_bodies();
    }

    void prepare(const scene_set &set);

    // One call on each scene. Returns the mean seconds of a call.
    double pass(stopwatch &watch);

    // Whether the last pass had the right counts.
    bool right() const;

    // Pairs of all scenes in the last pass.
    std::size_t pairs() const;

    void release();

  private:
    void run_all();
    std::unique_ptr<peer> first_;
    std::vector<std::unique_ptr<peer>> others_; // of the scenes after the first, if each has its own
    const scene_set *set_ = nullptr;
    std::vector<std::size_t> found_;
};

} // namespace peers

#endif
