// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// Guards the yardstick itself: every peer that was built finds, on small scenes, what testing every pair finds. Those
// that hand over their pairs must have the very same ones, each once and as (i < k); Carom, whose boxes are a float
// step larger, must have as many, and no more than boxes so widened have. Twice, as nothing may be left from run to
// run, and on a second scene, as nothing may be left from scene to scene. Writes TAP.
#include <algorithm>
#include <cstdio>
#include <tuple>

#include "bench/peers/scene.h"

namespace {

using peers::pair;

bool before(const pair &a, const pair &b) {
    return std::tie(a.i, a.k) < std::tie(b.i, b.k);
}

bool same(const pair &a, const pair &b) {
    return a.i == b.i && a.k == b.k;
}

bool right(const peers::peer &p, std::size_t count, const std::vector<pair> &truth, std::size_t widened) {
    if (p.pairs() == nullptr) {
        return count >= truth.size() && count <= (p.widens() ? widened : truth.size());
    }
    std::vector<pair> found = *p.pairs();
    std::sort(found.begin(), found.end(), before);
    return count == found.size() && std::equal(found.begin(), found.end(), truth.begin(), truth.end(), same);
}

} // namespace

int main() {
    int number = 0, failures = 0;
    const peers::peer_list list = peers::all_peers(1);
    for (const char letter : {'u', 'p', 'd'}) {
        const peers::standard_scene scene(letter, 2000, 7);
        const std::vector<pair> truth = peers::brute_force(scene.boxes);
        const std::size_t widened = peers::count_pairs(peers::widened(scene.boxes));
        const bool counted = peers::count_pairs(scene.boxes) == truth.size();
        std::printf("%s %d - %c count_pairs\n", counted ? "ok" : "not ok", ++number, letter);
        failures += !counted;
        for (const auto &p : list) {
            p->prepare(scene);
            for (int time = 0; time < 2; time++) {
                const std::size_t count = p->run();
                const bool good = right(*p, count, truth, widened);
                p->clear();
                std::printf("%s %d - %c %s: %zu of %zu pairs\n", good ? "ok" : "not ok", ++number, letter,
                            p->name().c_str(), count, truth.size());
                failures += !good;
            }
            p->release();
        }
    }
    std::printf("1..%d\n", number);
    return failures != 0;
}
