// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// What a library under comparison is asked to do when the same bodies move step by step: all overlapping pairs of every
// step. It may keep what it likes from step to step.
//
// The rules, the same for all:
// - A step's boxes are made beforehand and shared, as in peer.h. Carom makes its own from the bodies.
// - step() is what is timed: everything from the new boxes to all pairs (i, k) in memory, each once. All that a library
//   keeps up to date or builds anew belongs to it.
// - The first step, in which everything is built and memory grows, is not counted.
#ifndef CAROM_PEERS_COHERENT_PEER_H
#define CAROM_PEERS_COHERENT_PEER_H

#include "bench/peers/scene.h"

namespace peers {

// A standard scene whose bodies go on from step to step and bounce off its walls.
class moving_boxes : public scene {
  public:
    // Bodies move by `radii` a step on the mean, in radii of a common body. Throws std::runtime_error.
    moving_boxes(char letter, std::uint64_t count, std::uint64_t seed, double radii);
    ~moving_boxes();
    moving_boxes(const moving_boxes &) = delete;
    moving_boxes &operator=(const moving_boxes &) = delete;

    // The next step. Whoever holds this scene, its bodies or boxes finds the new ones in their place.
    void go_on();

  private:
    void show();
    carom_scene_f32 made_{};
    carom_scene_motion motion_{};
};

class coherent_peer {
  public:
    explicit coherent_peer(std::string name) : name_(std::move(name)) {
    }
    virtual ~coherent_peer() = default;
    const std::string &name() const {
        return name_;
    }

    // Called once, before the first step. The scene outlives the steps.
    virtual void prepare(const scene &scene) = 0;

    // Finds all pairs of the step at hand and returns their number.
    virtual std::size_t step() = 0;

    // As in peer.h.
    virtual bool widens() const {
        return false;
    }

    // The pairs of the last step, or NULL where they are kept in another form (Carom's).
    virtual const std::vector<pair> *pairs() const {
        return nullptr;
    }

  private:
    std::string name_;
};

using coherent_list = std::vector<std::unique_ptr<coherent_peer>>;

void add_coherent_carom(coherent_list &list);
void add_coherent_embree(coherent_list &list);
void add_coherent_bullet(coherent_list &list);

// All of them that take so many bodies, and the peers of peer.h that keep nothing from scene to scene, with every step
// cold.
coherent_list all_coherent_peers(std::size_t bodies);

} // namespace peers

#endif
