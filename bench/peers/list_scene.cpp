// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// Standard scenes at rest with larger radii, and the true number of pairs that touch. A plain grid counts them in
// double, with cells as wide as the largest body: O(N) here, as radii differ little.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "bench/peers/list_peer.h"
#include "bench/peers/scene.h"

namespace peers {
namespace {

struct recipe {
    const char *name;
    char letter;
    double scale; // of radii
    bool mixed;   // radii differ
};

// Some 30, 110, 29 and 29 neighbours a body.
constexpr recipe recipes[] = {
    {"d30", 'd', 2.154, false}, {"d110", 'd', 3.2, false}, {"u29", 'u', 3.36, false}, {"u29m", 'u', 3.36, true}};

const recipe &recipe_of(const std::string &name) {
    for (const recipe &r : recipes) {
        if (name == r.name) {
            return r;
        }
    }
    throw std::runtime_error("there is no scene \"" + name + "\"");
}

// From 3/4 to 5/4, spread evenly: multiples of the golden ratio modulo 1.
double factor(std::size_t body) {
    const double golden = 0.6180339887498949, turns = golden * double(body);
    return 0.75 + 0.5 * (turns - std::floor(turns));
}

// Cells as wide as the largest body. A body's cell has x in the lowest 21 bits, then y and z.
struct grid {
    explicit grid(const list_scene &s) : scene(s), width(2.0 * double(s.greatest_radius) * (1 + 2 * undecided)) {
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = *std::min_element(s.x[axis].begin(), s.x[axis].end());
        }
    }
    std::uint64_t index(std::size_t body, int axis) const {
        return std::uint64_t((double(scene.x[axis][body]) - double(low[axis])) / width) + 1;
    }
    std::uint64_t cell(std::size_t body) const {
        return index(body, 0) | index(body, 1) << 21 | index(body, 2) << 42;
    }
    const list_scene &scene;
    double width;
    float low[3];
};

// Puts two zero bits after each of 21.
std::uint64_t spread(std::uint64_t bits) {
    std::uint64_t out = 0;
    for (int n = 0; n < 21; n++) {
        out |= (bits >> n & 1) << 3 * n;
    }
    return out;
}

void reorder(list_scene &s) {
    const grid g(s);
    std::vector<std::pair<std::uint64_t, std::size_t>> order(s.radius.size());
    for (std::size_t n = 0; n < order.size(); n++) {
        order[n] = {spread(g.index(n, 0)) | spread(g.index(n, 1)) << 1 | spread(g.index(n, 2)) << 2, n};
    }
    std::sort(order.begin(), order.end());
    for (std::vector<float> *values : {&s.x[0], &s.x[1], &s.x[2], &s.radius}) {
        const std::vector<float> old = *values;
        for (std::size_t n = 0; n < order.size(); n++) {
            (*values)[n] = old[order[n].second];
        }
    }
}

using cell_list = std::vector<std::pair<std::uint64_t, std::size_t>>;

// Pairs of one body with bodies after it in the list of cells, among the three cells of a row around `middle`.
void count_row(list_scene &s, const cell_list &cells, std::size_t at, std::uint64_t middle) {
    const auto before = [](const std::pair<std::uint64_t, std::size_t> &entry, std::uint64_t cell) {
        return entry.first < cell;
    };
    auto k = std::size_t(std::lower_bound(cells.begin(), cells.end(), middle - 1, before) - cells.begin());
    for (k = std::max(k, at + 1); k < cells.size() && cells[k].first <= middle + 1; k++) {
        const double gap = list_gap(s, cells[at].second, cells[k].second);
        s.pairs += gap <= 0;
        s.sure += gap <= -undecided;
        s.possible += gap <= undecided;
    }
}

void count_pairs(list_scene &s) {
    const grid g(s);
    cell_list cells(s.radius.size());
    for (std::size_t n = 0; n < cells.size(); n++) {
        cells[n] = {g.cell(n), n};
    }
    std::sort(cells.begin(), cells.end());
    for (std::size_t at = 0; at < cells.size(); at++) {
        for (std::uint64_t z = 0; z < 3; z++) {
            for (std::uint64_t y = 0; y < 3; y++) {
                count_row(s, cells, at, cells[at].first + (z << 42) + (y << 21) - (1ULL << 42) - (1ULL << 21));
            }
        }
    }
}

void fill(list_scene &s) {
    s.bodies.count = s.radius.size();
    s.bodies.radius = s.radius.data();
    for (std::size_t n = 0; n < s.radius.size(); n++) {
        for (const std::vector<float> &x : s.x) {
            s.triples.push_back(x[n]);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        s.bodies.prev[axis] = s.x[axis].data();
    }
}

} // namespace

const std::vector<std::string> &list_scene_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const recipe &r : recipes) {
            all.push_back(r.name);
        }
        return all;
    }();
    return names;
}

double list_gap(const list_scene &s, std::size_t i, std::size_t k) {
    double squares = 0;
    for (const std::vector<float> &x : s.x) {
        const double difference = double(x[i]) - double(x[k]);
        squares += difference * difference;
    }
    return std::sqrt(squares) / (double(s.radius[i]) + double(s.radius[k])) - 1;
}

list_scene make_list_scene(const std::string &name, std::uint64_t count, std::uint64_t seed, bool sorted) {
    const recipe &r = recipe_of(name);
    const standard_scene made(std::string(1, r.letter), count, seed);
    list_scene s;
    for (std::size_t n = 0; n < count; n++) {
        for (int axis = 0; axis < 3; axis++) {
            s.x[axis].push_back(made.bodies.prev[axis][n]);
        }
        s.radius.push_back(float(r.scale * double(made.bodies.radius[n]) * (r.mixed ? factor(n) : 1)));
    }
    s.greatest_radius = *std::max_element(s.radius.begin(), s.radius.end());
    s.one_radius = !r.mixed;
    if (sorted) {
        reorder(s);
    }
    fill(s);
    count_pairs(s);
    return s;
}

} // namespace peers
