// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// Guards the comparison of neighbour lists: on small scenes every peer that was built lists what testing every pair
// finds, each pair once in a half list and twice in a full one, twice in a row, and then on another scene, as nothing
// may be left from before. Pairs that touch to within a float's rounding are left out, but not for Carom. Writes TAP.
#include <algorithm>
#include <cstdio>
#include <tuple>

#include "bench/peers/list_peer.h"

namespace {

using peers::list_form;
using peers::list_peer;
using peers::list_scene;
using peers::neighbour;

bool before(const neighbour &a, const neighbour &b) {
    return std::tie(a.body, a.other) < std::tie(b.body, b.other);
}

bool same(const neighbour &a, const neighbour &b) {
    return a.body == b.body && a.other == b.other;
}

// Entries of full lists, ascending.
std::vector<neighbour> brute_force(const list_scene &scene) {
    std::vector<neighbour> all;
    for (std::uint32_t i = 0; i < scene.bodies.count; i++) {
        for (std::uint32_t k = 0; k < scene.bodies.count; k++) {
            if (i != k && peers::list_gap(scene, i, k) <= 0) {
                all.push_back({i, k});
            }
        }
    }
    return all;
}

// As entries of full lists, ascending, without those that the peer may get wrong.
std::vector<neighbour> comparable(const list_scene &scene, const list_peer &peer, std::vector<neighbour> entries,
                                  bool half) {
    const std::size_t count = entries.size();
    for (std::size_t n = 0; half && n < count; n++) {
        entries.push_back({entries[n].other, entries[n].body});
    }
    const auto close = [&](const neighbour &entry) {
        const double gap = peers::list_gap(scene, entry.body, entry.other);
        return !peer.exact() && gap >= -peers::undecided && gap <= peers::undecided;
    };
    entries.erase(std::remove_if(entries.begin(), entries.end(), close), entries.end());
    std::sort(entries.begin(), entries.end(), before);
    return entries;
}

bool right(const list_scene &scene, const list_peer &peer, const std::vector<neighbour> &truth) {
    const bool half = peer.form() == list_form::half;
    const std::size_t entries = peer.entries() * (half ? 2 : 1);
    if (entries < 2 * (peer.exact() ? scene.pairs : scene.sure) ||
        entries > 2 * (peer.exact() ? scene.pairs : scene.possible)) {
        return false;
    }
    if (peer.form() == list_form::count) {
        return true;
    }
    const std::vector<neighbour> found = comparable(scene, peer, peer.listed(), half);
    const std::vector<neighbour> expected = comparable(scene, peer, truth, false);
    return std::equal(found.begin(), found.end(), expected.begin(), expected.end(), same);
}

} // namespace

int main() {
    int number = 0, failures = 0;
    const auto report = [&](bool good, const std::string &what) {
        std::printf("%s %d - %s\n", good ? "ok" : "not ok", ++number, what.c_str());
        failures += !good;
    };
    const peers::list_peer_list list = peers::all_list_peers(1);
    for (const std::string &name : peers::list_scene_names()) {
        const bool sorted = name == "d110";
        const list_scene scene = peers::make_list_scene(name, 2000, 7, sorted);
        const std::vector<neighbour> truth = brute_force(scene);
        report(truth.size() == 2 * scene.pairs && scene.pairs > 10 * scene.bodies.count, name + " pairs are counted");
        for (const auto &peer : list) {
            if (peer->takes(scene)) {
                peer->prepare(scene);
                for (int time = 0; time < 2; time++) {
                    peer->run();
                    report(right(scene, *peer, truth), name + " " + peer->name());
                    peer->clear();
                }
                peer->release();
            }
        }
    }
    std::printf("1..%d\n", number);
    return failures != 0;
}
