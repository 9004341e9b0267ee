// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

#include "bench/peers/contestant.h"

#include <cstdio>

#include "bench/peers/options.h"

namespace peers {

std::uint64_t scene_set::pairs() const {
    std::uint64_t sum = 0;
    for (const truth &t : truths) {
        sum += t.pairs;
    }
    return sum;
}

scene_set make_scenes(const std::string &name, std::uint64_t bodies, std::uint64_t seed, unsigned count,
                      std::uint64_t known) {
    scene_set set;
    set.bodies = bodies;
    for (unsigned n = 0; n < count; n++) {
        set.scenes.push_back(std::make_unique<standard_scene>(name, bodies, seed + n));
        const boxes &b = set.scenes.back()->boxes;
        const bool counted = n > 0 || known == unknown;
        set.truths.push_back({counted ? count_pairs(b) : known, count_pairs(widened(b))});
    }
    return set;
}

void contestant::prepare(const scene_set &set) {
    set_ = &set;
    found_.assign(set.scenes.size(), 0);
    first_->prepare(*set.scenes[0]);
    for (std::size_t n = 1; n < set.scenes.size(); n++) {
        std::unique_ptr<peer> own = first_->another();
        if (own == nullptr) {
            return;
        }
        own->prepare(*set.scenes[n]);
        others_.push_back(std::move(own));
    }
}

void contestant::run_all() {
    if (others_.empty()) {
        for (std::size_t n = 0; n < found_.size(); n++) {
            first_->prepare(*set_->scenes[n]);
            found_[n] = first_->run();
        }
        return;
    }
    found_[0] = first_->run();
    for (std::size_t n = 1; n < found_.size(); n++) {
        found_[n] = others_[n - 1]->run();
    }
}

// What runs built is taken down after the last of them, unmeasured.
double contestant::pass(stopwatch &watch) {
    double seconds;
    if (found_.size() == 1) {
        watch.start();
        found_[0] = first_->run();
        seconds = watch.seconds();
    } else {
        watch.start();
        run_all();
        seconds = watch.seconds();
    }
    first_->clear();
    for (const auto &other : others_) {
        other->clear();
    }
    return seconds / double(found_.size());
}

bool contestant::right() const {
    bool all = true;
    for (std::size_t n = 0; n < found_.size(); n++) {
        const scene_set::truth &t = set_->truths[n];
        if (found_[n] < t.pairs || found_[n] > (first_->widens() ? t.widened : t.pairs)) {
            std::fprintf(stderr, "%s: %zu pairs of %llu bodies in scene %zu, not %llu\n", name().c_str(), found_[n],
                         static_cast<unsigned long long>(set_->bodies), n + 1,
                         static_cast<unsigned long long>(t.pairs));
            all = false;
        }
    }
    return all;
}

std::size_t contestant::pairs() const {
    std::size_t sum = 0;
    for (std::size_t found : found_) {
        sum += found;
    }
    return sum;
}

void contestant::release() {
    first_->release();
    others_.clear();
    set_ = nullptr;
}

} // namespace peers
