// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// What the hand-written peers with vector instructions share: a store for pairs, and their place in the interface.
#ifndef CAROM_PEERS_HAND_H
#define CAROM_PEERS_HAND_H

#include <algorithm>
#include <cstring>

#include "bench/peers/peer.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define PEERS_X86 1
#define PEERS_AVX2 __attribute__((target("avx2")))
#define PEERS_AVX512 __attribute__((target("avx512f")))
#endif

namespace peers {

// Pairs in memory that nothing fills with zeros first. Those who append write past the end and then say how many count.
class pair_store {
  public:
    // Where the pair after the first `used` goes, with room for `more`. The first `used` are kept.
    pair *room(std::size_t used, std::size_t more) {
        if (used + more > capacity_) {
            grow(used, more);
        }
        return memory_.get() + used;
    }
    const pair *data() const {
        return memory_.get();
    }
    void release() {
        memory_.reset();
        capacity_ = 0;
    }

  private:
    void grow(std::size_t used, std::size_t more) {
        const std::size_t capacity = std::max(2 * capacity_, used + more);
        std::unique_ptr<pair[]> larger(new pair[capacity]);
        std::copy_n(memory_.get(), used, larger.get());
        memory_ = std::move(larger);
        capacity_ = capacity;
    }

    std::unique_ptr<pair[]> memory_;
    std::size_t capacity_ = 0;
};

// A peer that takes boxes and keeps its pairs in a store.
class hand_peer : public peer {
  public:
    using peer::peer;
    void prepare(const scene &scene) override {
        boxes_ = &scene.boxes;
    }
    std::size_t run() override {
        return count_ = search();
    }
    void release() override {
        boxes_ = nullptr;
        store_.release();
        listed_ = {};
    }
    const std::vector<pair> *pairs() const override {
        listed_.assign(store_.data(), store_.data() + count_);
        return &listed_;
    }

  protected:
    // Finds all pairs, puts them into the store and returns their number.
    virtual std::size_t search() = 0;

    const boxes *boxes_ = nullptr;
    pair_store store_;

  private:
    std::size_t count_ = 0;
    mutable std::vector<pair> listed_; // a copy for those who ask
};

} // namespace peers

#endif
