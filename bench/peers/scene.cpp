// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

#include "bench/peers/scene.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace peers {
namespace {

bool overlap(const boxes &b, std::size_t i, std::size_t k) {
    for (int axis = 0; axis < 3; axis++) {
        if (!(b.lo[axis][i] <= b.hi[axis][k] && b.lo[axis][k] <= b.hi[axis][i])) {
            return false;
        }
    }
    return true;
}

int longest_axis(const boxes &b) {
    int longest = 0;
    float most = -1;
    for (int axis = 0; axis < 3; axis++) {
        const auto [least, greatest] = std::minmax_element(b.lo[axis].begin(), b.lo[axis].end());
        if (*greatest - *least > most) {
            most = *greatest - *least;
            longest = axis;
        }
    }
    return longest;
}

// The boxes in the order of their low corners on one axis, that axis first.
boxes sorted(const boxes &b, int first) {
    std::vector<std::uint32_t> order(b.count);
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t i, std::uint32_t k) { return b.lo[first][i] < b.lo[first][k]; });
    boxes out;
    out.count = b.count;
    for (int axis = 0; axis < 3; axis++) {
        for (std::uint32_t n : order) {
            out.lo[axis].push_back(b.lo[(first + axis) % 3][n]);
            out.hi[axis].push_back(b.hi[(first + axis) % 3][n]);
        }
    }
    return out;
}

// Of boxes i + 1 to end - 1, how many overlap box i on the second and third axis. Without branches: it vectorises.
std::size_t overlapping(const boxes &b, std::size_t i, std::size_t end) {
    const float *lo1 = b.lo[1].data(), *hi1 = b.hi[1].data(), *lo2 = b.lo[2].data(), *hi2 = b.hi[2].data();
    const float lo1i = lo1[i], hi1i = hi1[i], lo2i = lo2[i], hi2i = hi2[i];
    std::uint32_t pairs = 0;
    for (std::size_t k = i + 1; k < end; k++) {
        pairs += std::uint32_t(lo1[k] <= hi1i) & std::uint32_t(hi1[k] >= lo1i) & std::uint32_t(lo2[k] <= hi2i) &
                 std::uint32_t(hi2[k] >= lo2i);
    }
    return pairs;
}

} // namespace

bool is_scene(const std::string &name) {
    return name == "d30" || (name.size() == 1 && carom_scene_name(name[0]) != nullptr);
}

standard_scene::standard_scene(const std::string &name, std::uint64_t count, std::uint64_t seed) {
    const carom_status status = is_scene(name) ? carom_scene_make(name[0], count, seed, &made_) : CAROM_ERROR_ARGUMENT;
    if (status != CAROM_OK) {
        throw std::runtime_error(std::string("no scene: ") + carom_status_name(status));
    }
    if (name == "d30") {
        crowd();
    }
    bodies = carom_scene_bodies(&made_);
    make_boxes(made_, boxes);
}

void standard_scene::crowd() {
    for (std::size_t n = 0; n < made_.count; n++) {
        made_.radius[n] *= 2.154F;
        for (int axis = 0; axis < 3; axis++) {
            made_.curr[axis][n] = made_.prev[axis][n];
        }
    }
}

void make_boxes(const carom_scene_f32 &made, boxes &out) {
    out.count = made.count;
    for (int axis = 0; axis < 3; axis++) {
        out.lo[axis].resize(made.count);
        out.hi[axis].resize(made.count);
        for (std::size_t n = 0; n < made.count; n++) {
            const float prev = made.prev[axis][n], curr = made.curr[axis][n], r = made.radius[n];
            out.lo[axis][n] = std::min(prev, curr) - r;
            out.hi[axis][n] = std::max(prev, curr) + r;
        }
    }
}

standard_scene::~standard_scene() {
    carom_scene_release(&made_);
}

std::vector<pair> brute_force(const boxes &b) {
    std::vector<pair> pairs;
    for (std::size_t i = 0; i < b.count; i++) {
        for (std::size_t k = i + 1; k < b.count; k++) {
            if (overlap(b, i, k)) {
                pairs.push_back({std::uint32_t(i), std::uint32_t(k)});
            }
        }
    }
    return pairs;
}

std::size_t count_pairs(const boxes &unsorted) {
    if (unsorted.count == 0) {
        return 0;
    }
    const boxes b = sorted(unsorted, longest_axis(unsorted));
    std::size_t pairs = 0;
    for (std::size_t i = 0; i < b.count; i++) {
        const auto end = std::upper_bound(b.lo[0].begin() + std::ptrdiff_t(i), b.lo[0].end(), b.hi[0][i]);
        pairs += overlapping(b, i, std::size_t(end - b.lo[0].begin()));
    }
    return pairs;
}

boxes widened(const boxes &b) {
    boxes out = b;
    constexpr float infinity = std::numeric_limits<float>::infinity();
    for (int axis = 0; axis < 3; axis++) {
        for (std::size_t n = 0; n < b.count; n++) {
            out.lo[axis][n] = std::nextafter(b.lo[axis][n], -infinity);
            out.hi[axis][n] = std::nextafter(b.hi[axis][n], infinity);
        }
    }
    return out;
}

} // namespace peers
