// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// The bodies and boxes of one scene, and the true pairs among them.
#ifndef CAROM_PEERS_SCENE_H
#define CAROM_PEERS_SCENE_H

#include "bench/peers/peer.h"

extern "C" {
#include "kernel/scene/scene.h"
}

namespace peers {

// Whether a scene has this name: a letter of the standard scenes, or d30. Scene d30 has the bodies of d at rest at the
// start of their step, with radii 2.154 times as large: each sphere touches about 30 others, and each box overlaps
// about 100.
bool is_scene(const std::string &name);

// A scene and its boxes, in plain float arithmetic. Released at the end.
class standard_scene : public scene {
  public:
    standard_scene(const std::string &name, std::uint64_t count, std::uint64_t seed); // throws std::runtime_error
    ~standard_scene();
    standard_scene(const standard_scene &) = delete;
    standard_scene &operator=(const standard_scene &) = delete;

  private:
    void crowd();
    carom_scene_f32 made_{};
};

// The boxes of a scene's bodies, in plain float arithmetic.
void make_boxes(const carom_scene_f32 &made, boxes &boxes);

// All overlapping pairs (closed), ordered by (i, k): every pair of boxes tested. O(N^2).
std::vector<pair> brute_force(const boxes &boxes);

// Their number, by sorting along the longest axis and testing all that overlap there: nothing of what is compared
// here is in it. Slow: seconds for a million.
std::size_t count_pairs(const boxes &boxes);

// The boxes with every bound one float step farther out.
boxes widened(const boxes &boxes);

} // namespace peers

#endif
