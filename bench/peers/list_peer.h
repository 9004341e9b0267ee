// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// What every library is asked to do with spheres at rest: list each body's neighbours, the bodies that it touches.
//
// The rules, the same for all:
// - Positions are made beforehand in the form that a library takes, and are not timed: arrays of floats for Carom,
//   float triples, or double triples.
// - run() is what is timed: everything from the positions to the lists in memory, in the form in which the library
//   keeps them. Nothing found in an earlier run may be used. Memory may be kept.
// - A full list has every pair twice, a half list once, and a count is the number of entries of the full lists.
// - prepare() and clear() are not timed, nor is it timed to look at the lists.
//
// A peer that decides in float may be wrong about pairs that touch to within `undecided`.
#ifndef CAROM_PEERS_LIST_PEER_H
#define CAROM_PEERS_LIST_PEER_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

extern "C" {
#include "carom/carom.h"
}

namespace peers {

// Distance of two bodies over the sum of their radii, less 1: below this a decision in float counts as right either
// way. The differences of three coordinates, their squares and sum and the square of the radius are rounded once each.
constexpr double undecided = 1e-6;

enum class list_form { count, half, full };

struct neighbour {
    std::uint32_t body, other;
};

// Spheres at rest, and what their lists are.
struct list_scene {
    carom_bodies_f32 bodies{};
    std::vector<float> x[3], radius;
    std::vector<float> triples;
    float greatest_radius = 0;
    bool one_radius = true;

    // Pairs that touch; and those that surely touch, or perhaps do, when decided in float.
    std::size_t pairs = 0, sure = 0, possible = 0;
};

// "d30", "d110", "u29": one radius; "u29m": radii from 3/4 to 5/4 of that.
const std::vector<std::string> &list_scene_names();

// Throws std::runtime_error. With `sorted`, bodies lie along a Morton curve, cells as wide as the largest body; else
// they are in the scene's own order, which is random.
list_scene make_list_scene(const std::string &name, std::uint64_t count, std::uint64_t seed, bool sorted);

// Of two bodies: their distance over the sum of their radii, less 1. Exact but for double's rounding.
double list_gap(const list_scene &scene, std::size_t i, std::size_t k);

class list_peer {
  public:
    list_peer(std::string name, list_form form) : name_(std::move(name)), form_(form) {
    }
    virtual ~list_peer() = default;
    const std::string &name() const {
        return name_;
    }
    list_form form() const {
        return form_;
    }

    // Whether the library has lists of such bodies.
    virtual bool takes(const list_scene &) const {
        return true;
    }

    // Whether its answers do not depend on rounding.
    virtual bool exact() const {
        return false;
    }

    virtual void prepare(const list_scene &scene) = 0;
    virtual void run() = 0;
    virtual void clear() {
    }
    virtual void release() = 0;

    // Entries found by the last run: of a half list as many as pairs, else twice as many.
    virtual std::size_t entries() const = 0;

    // What the last run listed, with the scene's numbers; nothing where it only counted.
    virtual std::vector<neighbour> listed() const = 0;

  private:
    std::string name_;
    list_form form_;
};

using list_peer_list = std::vector<std::unique_ptr<list_peer>>;

void add_list_carom(list_peer_list &list, unsigned threads);
void add_list_nanoflann(list_peer_list &list, unsigned threads);
void add_list_treensearch(list_peer_list &list, unsigned threads);
void add_list_vesin(list_peer_list &list, unsigned threads);

list_peer_list all_list_peers(unsigned threads);

// What was compiled in.
std::string list_versions();

} // namespace peers

#endif
