// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

#include "bench/peers/options.h"

#include <algorithm>
#include <stdexcept>

#include "bench/peers/arguments.h"
#include "bench/peers/scene.h"

namespace peers {
namespace {

std::vector<std::uint64_t> numbers(const std::string &text, double least) {
    std::vector<std::uint64_t> values;
    for (const std::string &part : split(text)) {
        values.push_back(part == "-" && least == 0 ? unknown : std::uint64_t(number(part, least, 1e18)));
    }
    return values;
}

void set(options &o, const std::string &name, const std::string &value) {
    if (name == "scene") {
        if (!is_scene(value)) {
            throw std::invalid_argument("there is no scene \"" + value + "\"");
        }
        o.scene = value;
    } else if (name == "bodies") {
        o.bodies = numbers(value, 2);
    } else if (name == "seed") {
        o.seed = std::uint64_t(number(value, 0, 9e15));
    } else if (name == "scenes") {
        o.scenes = unsigned(number(value, 1, 1e6));
    } else if (name == "library") {
        o.libraries = split(value);
    } else if (name == "rounds") {
        o.rounds = unsigned(number(value, 1, 1e6));
    } else if (name == "threads") {
        o.threads = unsigned(number(value, 1, 256));
    } else if (name == "max-seconds") {
        o.max_seconds = number(value, 1e-6, 1e6);
    } else if (name == "clock") {
        o.cpu_clock = is_second(value, "wall", "cpu");
    } else if (name == "expected") {
        o.expected = numbers(value, 0);
    } else {
        o.csv = value;
    }
}

} // namespace

const char *const usage =
    "carom_peers [options]\n"
    "  --scene NAME         one of u d p c l a, or d30: d at rest, where each sphere touches 30 (default u)\n"
    "  --bodies N[,N...]    ascending sizes, as 100000 or 1e5 (default 1e4)\n"
    "  --seed S             of the first scene (default 1)\n"
    "  --scenes K           scenes of successive seeds that calls go through in turn (default 1 from 10,000 bodies\n"
    "                       on, else 64)\n"
    "  --library NAME,...   only peers whose name starts with one of these (default all)\n"
    "  --rounds R           (default 5)\n"
    "  --threads T          for Carom and the peers that can; others only run with 1 (default 1)\n"
    "  --max-seconds S      longest run of a peer (default 20)\n"
    "  --expected N[,N...]  the true number of pairs for each size; where it is -, or without this, they are counted\n"
    "  --clock wall|cpu     cpu: the process's own time, all threads' together (default wall)\n"
    "  --csv FILE           append to this file (default: standard output)\n"
    "  --list               print the peers' names;  --versions prints the libraries' and the build\n"
    "Exit status: 0, or 1 if any count of pairs is wrong, 2 usage, 4 resources.\n";

options parse(int argc, char **argv) {
    static const option known[] = {{"scene", required_argument, nullptr, 0},
                                   {"bodies", required_argument, nullptr, 0},
                                   {"seed", required_argument, nullptr, 0},
                                   {"scenes", required_argument, nullptr, 0},
                                   {"library", required_argument, nullptr, 0},
                                   {"rounds", required_argument, nullptr, 0},
                                   {"threads", required_argument, nullptr, 0},
                                   {"max-seconds", required_argument, nullptr, 0},
                                   {"expected", required_argument, nullptr, 0},
                                   {"clock", required_argument, nullptr, 0},
                                   {"csv", required_argument, nullptr, 0},
                                   {"list", no_argument, nullptr, 'l'},
                                   {"versions", no_argument, nullptr, 'v'},
                                   {"help", no_argument, nullptr, 'h'},
                                   {nullptr, 0, nullptr, 0}};
    options o;
    read_options(
        argc, argv, known, usage, [&](const std::string &name, const std::string &value) { set(o, name, value); },
        [&](int flag) {
            o.list |= flag == 'l';
            o.versions |= flag == 'v';
        });
    if (!std::is_sorted(o.bodies.begin(), o.bodies.end())) {
        throw std::invalid_argument("sizes must ascend");
    }
    if (!o.expected.empty() && o.expected.size() != o.bodies.size()) {
        throw std::invalid_argument("as many expected counts as sizes, please");
    }
    return o;
}

} // namespace peers
