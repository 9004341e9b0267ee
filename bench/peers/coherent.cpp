// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// carom_coherent_peers: Carom and its peers on bodies that move step by step. Every step is a turn for each, in one
// process, so that all see the same noise; every count of pairs is checked against sorting and testing. Times are means
// over all steps but the first, so what is rebuilt now and then is in them. A peer that takes longer than --max-seconds
// in its first step leaves.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "bench/peers/arguments.h"
#include "bench/peers/coherent_peer.h"
#include "bench/peers/stopwatch.h"

namespace {

constexpr const char *usage =
    "carom_coherent_peers [options]\n"
    "  --scenes LETTERS     of u d p c l a (default ud)\n"
    "  --bodies N[,N...]    as 100000 or 1e5 (default 1e4)\n"
    "  --radii D[,D...]     mean displacement of a body in a step, in radii of a common body (default 0.05)\n"
    "  --steps N            counted steps; one more comes first (default 60)\n"
    "  --seed S             (default 1)\n"
    "  --library NAME,...   only peers whose name starts with one of these (default all)\n"
    "  --max-seconds S      longest first step of a peer (default 20)\n"
    "  --clock wall|cpu     cpu: the process's own time (default wall)\n"
    "  --csv FILE           append to this file (default: standard output)\n"
    "Exit status: 0, or 1 if any count of pairs is wrong, 2 usage, 4 resources.\n";

struct options {
    std::string scenes = "ud";
    std::vector<double> bodies{10000}, radii{0.05};
    unsigned steps = 60;
    std::uint64_t seed = 1;
    std::vector<std::string> libraries;
    double max_seconds = 20;
    bool cpu_clock = false;
    std::string csv;
};

struct entry {
    std::unique_ptr<peers::coherent_peer> peer;
    double seconds = 0; // of all counted steps
    double first = 0;
    std::size_t pairs = 0; // of all counted steps
    bool wrong = false, gone = false;
};

std::vector<double> numbers(const std::string &text, double least) {
    std::vector<double> values;
    for (const std::string &part : peers::split(text)) {
        values.push_back(peers::number(part, least, 1e9));
    }
    return values;
}

void set(options &o, const std::string &name, const std::string &value) {
    if (name == "scenes") {
        if (value.find_first_not_of(carom_scene_letters()) != std::string::npos) {
            throw std::invalid_argument("scenes have the letters " + std::string(carom_scene_letters()));
        }
        o.scenes = value;
    } else if (name == "bodies") {
        o.bodies = numbers(value, 2);
    } else if (name == "radii") {
        o.radii = numbers(value, 0);
    } else if (name == "steps") {
        o.steps = unsigned(peers::number(value, 1, 1e6));
    } else if (name == "seed") {
        o.seed = std::uint64_t(peers::number(value, 0, 9e15));
    } else if (name == "library") {
        o.libraries = peers::split(value);
    } else if (name == "max-seconds") {
        o.max_seconds = peers::number(value, 1e-6, 1e6);
    } else if (name == "clock") {
        o.cpu_clock = peers::is_second(value, "wall", "cpu");
    } else {
        o.csv = value;
    }
}

options parse(int argc, char **argv) {
    static const option known[] = {{"scenes", required_argument, nullptr, 0},
                                   {"bodies", required_argument, nullptr, 0},
                                   {"radii", required_argument, nullptr, 0},
                                   {"steps", required_argument, nullptr, 0},
                                   {"seed", required_argument, nullptr, 0},
                                   {"library", required_argument, nullptr, 0},
                                   {"max-seconds", required_argument, nullptr, 0},
                                   {"clock", required_argument, nullptr, 0},
                                   {"csv", required_argument, nullptr, 0},
                                   {"help", no_argument, nullptr, 'h'},
                                   {nullptr, 0, nullptr, 0}};
    options o;
    peers::read_options(
        argc, argv, known, usage, [&](const std::string &name, const std::string &value) { set(o, name, value); },
        [](int) {});
    return o;
}

std::vector<entry> selected(const options &o, double bodies) {
    std::vector<entry> entries;
    for (auto &p : peers::all_coherent_peers(std::size_t(bodies))) {
        const auto begins = [&](const std::string &l) { return p->name().compare(0, l.size(), l) == 0; };
        if (o.libraries.empty() || std::any_of(o.libraries.begin(), o.libraries.end(), begins)) {
            entries.emplace_back();
            entries.back().peer = std::move(p);
        }
    }
    if (entries.empty()) {
        throw std::invalid_argument("no such library here");
    }
    return entries;
}

// Whether a count may be: of the boxes, or of boxes a float step wider if the peer makes those.
bool right(const peers::coherent_peer &p, std::size_t count, std::size_t truth, const peers::boxes &b) {
    if (count == truth || !p.widens()) {
        return count == truth;
    }
    return count > truth && count <= peers::count_pairs(peers::widened(b));
}

void step(std::vector<entry> &entries, const options &o, const peers::scene &scene, unsigned number,
          peers::stopwatch &watch) {
    const std::size_t truth = peers::count_pairs(scene.boxes);
    for (entry &e : entries) {
        if (e.gone) {
            continue;
        }
        watch.start();
        const std::size_t count = e.peer->step();
        const double seconds = watch.seconds();
        if (!right(*e.peer, count, truth, scene.boxes)) {
            std::fprintf(stderr, "%s: %zu pairs in step %u, not %zu\n", e.peer->name().c_str(), count, number, truth);
            e.wrong = true;
        }
        e.gone = number == 0 && seconds > o.max_seconds;
        (number == 0 ? e.first : e.seconds) += seconds;
        e.pairs += number == 0 ? 0 : count;
    }
}

void write(std::FILE *file, const options &o, char letter, double bodies, double radii,
           const std::vector<entry> &entries) {
    for (const entry &e : entries) {
        const double scale = 1e9 / bodies;
        std::fprintf(file, "%c,%.0f,%llu,%g,%u,%s,%s,%s,", letter, bodies, static_cast<unsigned long long>(o.seed),
                     radii, o.steps, o.cpu_clock ? "cpu" : "wall", e.peer->name().c_str(),
                     e.wrong  ? "wrong"
                     : e.gone ? "skipped"
                              : "ok");
        if (e.gone) {
            std::fprintf(file, ",%.2f,\n", e.first * scale);
        } else {
            std::fprintf(file, "%.2f,%.2f,%zu\n", e.seconds / o.steps * scale, e.first * scale, e.pairs);
        }
    }
    std::fflush(file);
}

bool measure(const options &o, char letter, double bodies, double radii, std::FILE *file) {
    peers::moving_boxes scene(letter, std::uint64_t(bodies), o.seed, radii);
    std::vector<entry> entries = selected(o, bodies);
    peers::stopwatch watch(o.cpu_clock);
    for (entry &e : entries) {
        e.peer->prepare(scene);
    }
    for (unsigned number = 0; number <= o.steps; number++) {
        step(entries, o, scene, number, watch);
        scene.go_on();
    }
    write(file, o, letter, bodies, radii, entries);
    return std::none_of(entries.begin(), entries.end(), [](const entry &e) { return e.wrong; });
}

int run(const options &o) {
    std::FILE *file = o.csv.empty() ? stdout : std::fopen(o.csv.c_str(), "a");
    if (file == nullptr) {
        throw std::runtime_error(o.csv + " cannot be written");
    }
    std::fseek(file, 0, SEEK_END);
    if (file == stdout || std::ftell(file) == 0) {
        std::fprintf(file, "scene,bodies,seed,radii,steps,clock,library,status,ns_per_body,first_ns_per_body,pairs\n");
    }
    bool fine = true;
    for (const char letter : o.scenes) {
        for (const double bodies : o.bodies) {
            for (const double radii : o.radii) {
                fine = measure(o, letter, bodies, radii, file) && fine;
            }
        }
    }
    if (file != stdout) {
        std::fclose(file);
    }
    return fine ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) {
    return peers::run_program("carom_coherent_peers", usage, [&] { return run(parse(argc, argv)); });
}
