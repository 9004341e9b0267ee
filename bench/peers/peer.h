// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// What every library under comparison is asked to do: from N boxes to the full list of overlapping pairs, cold.
//
// The rules, the same for all:
// - The boxes are made beforehand in plain float arithmetic (min(prev, curr) - r, max(prev, curr) + r) and are shared.
// - run() is what is timed: everything from those boxes (or from the library's own objects holding them, see prepare)
//   to all pairs (i, k) written to memory, each pair once. Nothing found in an earlier run may be used.
// - Overlap is closed: boxes that touch are a pair.
// - prepare() and clear() are not timed. Long-lived things that a program would keep from step to step (a device, the
//   objects that carry the boxes) are made in prepare(), and what run() built is taken down in clear(): all of it
//   to the benefit of the library.
#ifndef CAROM_PEERS_PEER_H
#define CAROM_PEERS_PEER_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

extern "C" {
#include "carom/carom.h"
}

namespace peers {

struct boxes {
    std::size_t count = 0;
    std::vector<float> lo[3], hi[3];
};

struct pair {
    std::uint32_t i, k;
};

// The same bodies twice: as Carom takes them and as boxes.
struct scene {
    carom_bodies_f32 bodies{};
    peers::boxes boxes;
};

class peer {
  public:
    explicit peer(std::string name) : name_(std::move(name)) {
    }
    virtual ~peer() = default;
    const std::string &name() const {
        return name_;
    }

    // Called once a scene; the scene outlives the runs. What an earlier scene left is dropped.
    virtual void prepare(const scene &scene) = 0;

    // Finds all pairs and returns their number.
    virtual std::size_t run() = 0;

    // Takes down what run() built. Memory may be kept.
    virtual void clear() {
    }

    // Gives back the scene's memory.
    virtual void release() = 0;

    // Whether the peer makes its own boxes, up to one float step larger on every side: then it may report those of the
    // widened boxes' pairs that the plain ones do not have.
    virtual bool widens() const {
        return false;
    }

    // Scenes with more bodies are not for this peer.
    virtual std::size_t most_bodies() const {
        return SIZE_MAX;
    }

    // Another peer of the same kind, if prepare() or run() makes objects that belong to one scene: then every scene
    // gets a peer of its own. NULL where a scene is but a pointer: then one peer goes through the scenes.
    virtual std::unique_ptr<peer> another() const {
        return nullptr;
    }

    // The pairs found by the last run, or NULL where they are kept in another form (Carom's).
    virtual const std::vector<pair> *pairs() const {
        return nullptr;
    }

  private:
    std::string name_;
};

// A peer that takes boxes and keeps its pairs, and their memory, in a vector.
class box_peer : public peer {
  public:
    using peer::peer;
    void prepare(const scene &scene) override {
        boxes_ = &scene.boxes;
    }
    void release() override {
        pairs_ = {};
        boxes_ = nullptr;
    }
    const std::vector<pair> *pairs() const override {
        return &pairs_;
    }

  protected:
    const boxes *boxes_ = nullptr;
    std::vector<pair> pairs_;
};

using peer_list = std::vector<std::unique_ptr<peer>>;

// Each library's file adds its peers. Those that can use several threads get the number; the others are left out when
// it is not 1.
void add_carom(peer_list &list, unsigned threads);
void add_grid(peer_list &list, unsigned threads);
void add_tuned_grid(peer_list &list, unsigned threads);
void add_tuned_grid_of(peer_list &list, unsigned threads, std::size_t many); // takes its way for many from there on
void add_sweep(peer_list &list, unsigned threads);
void add_all_pairs(peer_list &list, unsigned threads);
void add_embree(peer_list &list, unsigned threads);
void add_cgal(peer_list &list, unsigned threads);
void add_bullet(peer_list &list, unsigned threads);
void add_ode(peer_list &list, unsigned threads);
void add_fcl(peer_list &list, unsigned threads);
void add_physx(peer_list &list, unsigned threads);
void add_jolt(peer_list &list, unsigned threads);

// "carom 0.1.0; embree 3.13.5; ...": what was compiled in.
std::string versions();
std::string embree_version();
std::string cgal_version();
std::string bullet_version();
std::string ode_version();
std::string fcl_version();
std::string physx_version();
std::string jolt_version();

peer_list all_peers(unsigned threads);

} // namespace peers

#endif
