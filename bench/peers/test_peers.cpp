// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// Guards the yardstick itself: every peer that was built finds, on small scenes, what testing every pair finds. Those
// that hand over their pairs must have the very same ones, each once and as (i < k); Carom, whose boxes are a float
// step larger, must have as many, and no more than boxes so widened have. Twice, as nothing may be left from run to
// run, and on other scenes, as nothing may be left from scene to scene. Sizes that are no multiple of a vector's lanes,
// and very small ones, guard the ends of loops with vector instructions. Writes TAP.
#include <algorithm>
#include <cstdio>
#include <tuple>

#include "bench/peers/coherent_peer.h"

namespace {

using peers::pair;

bool before(const pair &a, const pair &b) {
    return std::tie(a.i, a.k) < std::tie(b.i, b.k);
}

bool same(const pair &a, const pair &b) {
    return a.i == b.i && a.k == b.k;
}

template <class any_peer>
bool right(const any_peer &p, std::size_t count, const std::vector<pair> &truth, std::size_t widened) {
    if (p.pairs() == nullptr) {
        return count >= truth.size() && count <= (p.widens() ? widened : truth.size());
    }
    std::vector<pair> found = *p.pairs();
    std::sort(found.begin(), found.end(), before);
    return count == found.size() && std::equal(found.begin(), found.end(), truth.begin(), truth.end(), same);
}

// Boxes of one size at rest on a lattice, side by side: neighbours touch, overlap or are apart by how floats are
// rounded. That is the hardest case for a grid, whose cells are as wide as the boxes.
class lattice : public peers::scene {
  public:
    lattice(std::size_t along_x, std::size_t along_y, std::size_t along_z, float side, float origin) {
        const std::size_t size[3] = {along_x, along_y, along_z};
        for (std::size_t n = 0; n < along_x * along_y * along_z; n++) {
            std::size_t rest = n;
            for (int axis = 0; axis < 3; axis++) {
                at_[axis].push_back(origin + side * float(rest % size[axis]));
                boxes.lo[axis].push_back(at_[axis].back() - side / 2);
                boxes.hi[axis].push_back(at_[axis].back() + side / 2);
                rest /= size[axis];
            }
        }
        boxes.count = at_[0].size();
        bodies.count = boxes.count;
        bodies.common_radius = side / 2;
        for (int axis = 0; axis < 3; axis++) {
            bodies.prev[axis] = at_[axis].data();
        }
    }

  private:
    std::vector<float> at_[3];
};

// All peers, and the tuned grid once more, as it treats many bodies.
peers::peer_list listed() {
    peers::peer_list list = peers::all_peers(1);
    peers::add_tuned_grid_of(list, 1, 0);
    return list;
}

class run_of_tests {
  public:
    void scene(const std::string &name, std::size_t bodies) {
        all(peers::standard_scene(name, bodies, 7), name + " " + std::to_string(bodies) + " ");
    }

    // `except`: the name of a peer that is left out.
    void all(const peers::scene &scene, const std::string &head, const std::string &except = "") {
        const std::vector<pair> truth = peers::brute_force(scene.boxes);
        const std::size_t widened = peers::count_pairs(peers::widened(scene.boxes));
        say(peers::count_pairs(scene.boxes) == truth.size(), head + "count_pairs");
        for (const auto &p : list_) {
            if (scene.boxes.count <= p->most_bodies() && p->name() != except) {
                twice(*p, scene, head, truth, widened);
            }
        }
    }
    // The peers that keep something, step after step: every step's pairs.
    void steps(const std::string &name, std::size_t bodies, double radii) {
        peers::moving_boxes scene(name[0], bodies, 7, radii);
        const peers::coherent_list list = peers::all_coherent_peers(bodies);
        std::vector<bool> good(list.size(), true);
        for (const auto &p : list) {
            p->prepare(scene);
        }
        for (int step = 0; step < 40; step++) {
            const std::vector<pair> truth = peers::brute_force(scene.boxes);
            const std::size_t widened = peers::count_pairs(peers::widened(scene.boxes));
            for (std::size_t n = 0; n < list.size(); n++) {
                good[n] = right(*list[n], list[n]->step(), truth, widened) && good[n];
            }
            scene.go_on();
        }
        for (std::size_t n = 0; n < list.size(); n++) {
            say(good[n], name + " 40 steps " + list[n]->name());
        }
    }
    int end() const {
        std::printf("1..%d\n", number_);
        return failures_ != 0;
    }

  private:
    void twice(peers::peer &p, const peers::scene &scene, const std::string &head, const std::vector<pair> &truth,
               std::size_t widened) {
        p.prepare(scene);
        for (int time = 0; time < 2; time++) {
            const std::size_t count = p.run();
            const bool good = right(p, count, truth, widened);
            p.clear();
            say(good,
                head + p.name() + ": " + std::to_string(count) + " of " + std::to_string(truth.size()) + " pairs");
        }
        p.release();
    }
    void say(bool good, const std::string &what) {
        std::printf("%s %d - %s\n", good ? "ok" : "not ok", ++number_, what.c_str());
        failures_ += !good;
    }

    int number_ = 0, failures_ = 0;
    const peers::peer_list list_ = listed();
};

} // namespace

int main() {
    run_of_tests tests;
    for (const char *name : {"u", "d", "p", "c", "l", "a", "d30"}) {
        tests.scene(name, 2000);
    }
    for (const std::size_t bodies : {2, 3, 8, 9, 10, 16, 17, 30, 31, 33, 100, 101, 300}) {
        tests.scene("d", bodies);
    }
    for (const std::size_t bodies : {5, 30, 300}) {
        tests.scene("p", bodies);
    }
    // FCL's hash misses boxes that touch at the border of its cells.
    tests.all(lattice(12, 12, 12, 1.0F, 0.0F), "lattice ", "fcl-hash");
    tests.all(lattice(12, 12, 12, 0.7F, 1000.3F), "rounded lattice ");
    tests.all(lattice(1, 1, 3000, 0.3F, -400.1F), "row ");
    tests.steps("u", 500, 0.05);
    tests.steps("d", 500, 0.3);
    return tests.end();
}
