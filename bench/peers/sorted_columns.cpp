// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

#include "bench/peers/sorted_columns.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace peers {
namespace {

constexpr std::size_t few = 60;         // as many as insertion sorts faster than counters, of which there are many
constexpr std::size_t small_size = 600; // from here on three passes with 2,048 counters beat four with 256

// Integers that are ordered as the floats are. -0 and 0 differ, which no sweep minds if -0 comes first: closed
// comparisons of floats decide.
std::uint32_t ordered(float x) {
    std::uint32_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    return bits ^ ((bits >> 31) != 0 ? 0xFFFFFFFFU : 0x80000000U);
}

template <int bits> std::size_t digit(std::uint64_t key, int pass) {
    return std::size_t(key >> (32 + bits * pass)) & ((std::size_t(1) << bits) - 1);
}

// Sums of eight interleaved parts, so that they run side by side.
double variance(const std::vector<float> &x) {
    double sum[8] = {}, squares[8] = {};
    const double shift = double(x[0]);
    for (std::size_t n = 0; n + 8 <= x.size(); n += 8) {
        for (std::size_t part = 0; part < 8; part++) {
            const double d = double(x[n + part]) - shift;
            sum[part] += d;
            squares[part] += d * d;
        }
    }
    for (std::size_t n = x.size() / 8 * 8; n < x.size(); n++) {
        const double d = double(x[n]) - shift;
        sum[0] += d;
        squares[0] += d * d;
    }
    double all = 0, all_squares = 0;
    for (int part = 0; part < 8; part++) {
        all += sum[part];
        all_squares += squares[part];
    }
    return all_squares - all * all / double(x.size());
}

int widest_axis(const boxes &b) {
    int widest = 0;
    double most = -1;
    for (int axis = 0; axis < 3; axis++) {
        const double v = variance(b.lo[axis]);
        if (v > most) {
            most = v;
            widest = axis;
        }
    }
    return widest;
}

} // namespace

void sorted_columns::insert() {
    for (std::size_t n = 1; n < count; n++) {
        const std::uint64_t key = keys_[n];
        std::size_t at = n;
        for (; at > 0 && keys_[at - 1] > key; at--) {
            keys_[at] = keys_[at - 1];
        }
        keys_[at] = key;
    }
}

// All passes' digits are counted in one pass over the keys.
template <int bits> void sorted_columns::distribute() {
    constexpr int passes = (32 + bits - 1) / bits;
    constexpr std::size_t digits = std::size_t(1) << bits;
    std::uint32_t start[passes][digits] = {};
    for (std::size_t n = 0; n < count; n++) {
        for (int pass = 0; pass < passes; pass++) {
            start[pass][digit<bits>(keys_[n], pass)]++;
        }
    }
    for (auto &counts : start) {
        std::uint32_t sum = 0;
        for (std::uint32_t &c : counts) {
            const std::uint32_t here = c;
            c = sum;
            sum += here;
        }
    }
    spare_.resize(count);
    for (int pass = 0; pass < passes; pass++) {
        for (std::size_t n = 0; n < count; n++) {
            spare_[start[pass][digit<bits>(keys_[n], pass)]++] = keys_[n];
        }
        keys_.swap(spare_);
    }
}

void sorted_columns::order(const std::vector<float> &low) {
    keys_.resize(count);
    for (std::size_t n = 0; n < count; n++) {
        keys_[n] = std::uint64_t(ordered(low[n])) << 32 | n;
    }
    if (count <= few) {
        insert();
    } else if (count < small_size) {
        distribute<8>();
    } else {
        distribute<11>();
    }
}

void sorted_columns::sort(const boxes &b) {
    count = b.count;
    const int first = widest_axis(b);
    order(b.lo[first]);
    body.resize(count + padding);
    for (std::size_t n = 0; n < count; n++) {
        body[n] = std::uint32_t(keys_[n]);
    }
    for (int axis = 0; axis < 3; axis++) {
        const std::vector<float> &from_lo = b.lo[(first + axis) % 3], &from_hi = b.hi[(first + axis) % 3];
        lo[axis].resize(count + padding);
        hi[axis].resize(count + padding);
        for (std::size_t n = 0; n < count; n++) {
            lo[axis][n] = from_lo[body[n]];
            hi[axis][n] = from_hi[body[n]];
        }
        std::fill_n(lo[axis].begin() + std::ptrdiff_t(count), padding, std::numeric_limits<float>::infinity());
    }
}

void sorted_columns::release() {
    for (int axis = 0; axis < 3; axis++) {
        lo[axis] = {};
        hi[axis] = {};
    }
    body = {};
    keys_ = {};
    spare_ = {};
    count = 0;
}

} // namespace peers
