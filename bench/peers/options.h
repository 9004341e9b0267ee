// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// The options of carom_peers.
#ifndef CAROM_PEERS_OPTIONS_H
#define CAROM_PEERS_OPTIONS_H

#include <cstdint>
#include <string>
#include <vector>

namespace peers {

// In place of a count of pairs that is not known.
constexpr std::uint64_t unknown = UINT64_MAX;

struct options {
    std::string scene = "u";
    std::vector<std::uint64_t> bodies{10000};
    std::vector<std::uint64_t> expected;
    std::uint64_t seed = 1;
    std::vector<std::string> libraries;
    unsigned rounds = 5, threads = 1;
    unsigned scenes = 0; // 0: chosen by size
    double max_seconds = 20;
    bool cpu_clock = false;
    std::string csv;
    bool list = false, versions = false;
};

extern const char *const usage;

// Throws std::invalid_argument if something is wrong; ends the program after --help.
options parse(int argc, char **argv);

} // namespace peers

#endif
