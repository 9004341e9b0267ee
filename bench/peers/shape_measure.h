// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// Times the peers on the same pairs, in turns, and holds their answers against Carom's in double.
#ifndef CAROM_PEERS_SHAPE_MEASURE_H
#define CAROM_PEERS_SHAPE_MEASURE_H

#include "bench/peers/shape_peer.h"

namespace peers {

// Signed distances below which a wrong yes or no is not counted, in units of length; shapes are about 1 large.
constexpr double TOUCH = 1e-4;

// Times of impact later than Carom's by more than this are late, in steps. Carom's are at most 1e-9 early where bodies
// do not graze each other.
constexpr double LATE = 1e-3;

struct shape_measures {
    std::string library;
    std::vector<double> seconds; // a call with all pairs that are asked, of each round
    std::size_t asked = 0;       // pairs
    std::size_t ended = 0;       // pairs on which the library ended the process, or hung
    double hit_rate = 0;

    // Against Carom's bracket in double; for times of impact all pairs, else those farther than TOUCH from touching.
    std::size_t compared = 0, disagreements = 0;

    // Of numbers: of distances on pairs apart, of depths on pairs that touch, of times on pairs that both let hit.
    std::size_t numbers = 0, unanswered = 0;
    std::size_t late = 0;
    double greatest_error = 0, p999_error = 0, median_error = 0; // absolute

    double nanoseconds() const; // a pair, median of the rounds
    double least_nanoseconds() const;
};

struct shape_run {
    question what = question::state;
    unsigned rounds = 5; // 0: answers only
    bool cpu_clock = true;
    bool placing = false; // times include place()
};

// One entry for each peer of the list that answers this question about these pairs, in the list's order. Pairs are in
// motion if the question is for times.
std::vector<shape_measures> measure_shapes(const shape_peer_list &list, const carom_shape_pairs &pairs,
                                           const shape_run &run);

} // namespace peers

#endif
