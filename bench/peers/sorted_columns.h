// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// In: boxes. Out: their bounds as columns in the order of their low corners on one axis, that of the largest variance,
// for a sweep along it. The order comes from a radix sort, or for few boxes from insertion.
#ifndef CAROM_PEERS_SORTED_COLUMNS_H
#define CAROM_PEERS_SORTED_COLUMNS_H

#include "bench/peers/peer.h"

namespace peers {

struct sorted_columns {
    // Boxes by index in this order. [0] is the axis of the order. Behind the last come `padding` that start at
    // infinity.
    std::vector<float> lo[3], hi[3];
    std::vector<std::uint32_t> body;
    std::size_t count = 0;

    static constexpr std::size_t padding = 16;

    void sort(const boxes &boxes);
    void release();

  private:
    void order(const std::vector<float> &lo);
    void insert();
    template <int bits> void distribute();

    std::vector<std::uint64_t> keys_, spare_; // low corner as an integer of the same order << 32 | body
};

} // namespace peers

#endif
