// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// carom_list_peers: Carom and other libraries list the neighbours of the same spheres at rest
// (bench/peers/list_peer.h), in turns in one process, with every number of entries checked. It writes one CSV line a
// peer, scene and size.
//
// A round gives every peer a turn: up to 9 calls in a row, as many as fit into 50 ms, of which the median counts. A
// peer's time is the median over the rounds. Before the first round every peer runs once, unmeasured, which also checks
// it. One whose first run takes longer than --max-seconds keeps that one time ("once").
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <stdexcept>

#include "bench/peers/arguments.h"
#include "bench/peers/list_peer.h"

namespace {

using peers::is_second;
using peers::list_peer;
using peers::list_scene;
using peers::number;
using peers::split;

constexpr const char *usage =
    "carom_list_peers [options]\n"
    "  --scene NAME[,NAME...]    of d30, d110, u29, u29m (default: all; --list explains)\n"
    "  --bodies N[,N...]         as 100000 or 1e5 (default 1e4)\n"
    "  --order shuffled|sorted   bodies in the scene's own, random order, or along a Morton curve (default shuffled)\n"
    "  --seed S                  (default 1)\n"
    "  --library NAME[,NAME...]  only peers whose name starts with one of these (default all)\n"
    "  --rounds R                (default 5)\n"
    "  --threads T               for those that can; others only run with 1 (default 1)\n"
    "  --max-seconds S           longest run of which there is more than one (default 20)\n"
    "  --clock wall|cpu          cpu: the process's own time, all threads' together (default wall)\n"
    "  --csv FILE                append to this file (default: standard output)\n"
    "  --list                    print the scenes and the peers;  --versions prints the libraries and the build\n"
    "Exit status: 0, or 1 if any number of entries is wrong, 2 usage, 4 resources.\n";

struct options {
    std::vector<std::string> scenes = peers::list_scene_names(), libraries;
    std::vector<std::uint64_t> bodies{10000};
    bool sorted = false, cpu_clock = false, list = false, versions = false;
    std::uint64_t seed = 1;
    unsigned rounds = 5, threads = 1;
    double max_seconds = 20;
    std::string csv;
};

struct record {
    std::size_t entries = 0;
    double first = 0;
    std::vector<double> rounds;
    const char *status = "ok";
};

void set(options &o, const std::string &name, const std::string &value) {
    if (name == "scene") {
        o.scenes = split(value);
        for (const std::string &scene : o.scenes) {
            const std::vector<std::string> &names = peers::list_scene_names();
            if (std::find(names.begin(), names.end(), scene) == names.end()) {
                throw std::invalid_argument("there is no scene \"" + scene + "\"");
            }
        }
    } else if (name == "bodies") {
        o.bodies.clear();
        for (const std::string &part : split(value)) {
            o.bodies.push_back(std::uint64_t(number(part, 2, 1e9)));
        }
    } else if (name == "order") {
        o.sorted = is_second(value, "shuffled", "sorted");
    } else if (name == "seed") {
        o.seed = std::uint64_t(number(value, 0, 9e15));
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
    } else {
        o.csv = value;
    }
}

options parse(int argc, char **argv) {
    static const option known[] = {
        {"scene", required_argument, nullptr, 0},   {"bodies", required_argument, nullptr, 0},
        {"order", required_argument, nullptr, 0},   {"seed", required_argument, nullptr, 0},
        {"library", required_argument, nullptr, 0}, {"rounds", required_argument, nullptr, 0},
        {"threads", required_argument, nullptr, 0}, {"max-seconds", required_argument, nullptr, 0},
        {"clock", required_argument, nullptr, 0},   {"csv", required_argument, nullptr, 0},
        {"list", no_argument, nullptr, 'l'},        {"versions", no_argument, nullptr, 'v'},
        {"help", no_argument, nullptr, 'h'},        {nullptr, 0, nullptr, 0}};
    options o;
    peers::read_options(
        argc, argv, known, usage, [&](const std::string &name, const std::string &value) { set(o, name, value); },
        [&](int flag) {
            o.list |= flag == 'l';
            o.versions |= flag == 'v';
        });
    return o;
}

bool wanted(const std::string &name, const std::vector<std::string> &beginnings) {
    return beginnings.empty() || std::any_of(beginnings.begin(), beginnings.end(), [&](const std::string &beginning) {
               return name.compare(0, beginning.size(), beginning) == 0;
           });
}

double now(const options &o) {
    timespec t;
    clock_gettime(o.cpu_clock ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

double timed_run(list_peer &peer, const options &o) {
    const double begin = now(o);
    peer.run();
    return now(o) - begin;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

bool right(const list_peer &peer, const list_scene &scene, std::size_t entries) {
    const std::size_t times = peer.form() == peers::list_form::half ? 1 : 2;
    return peer.exact() ? entries == times * scene.pairs
                        : entries >= times * scene.sure && entries <= times * scene.possible;
}

// The first run, unmeasured unless it turns out to be the only one.
record first_run(list_peer &peer, const options &o, const list_scene &scene) {
    record r;
    peer.prepare(scene);
    r.first = timed_run(peer, o);
    r.entries = peer.entries();
    peer.clear();
    if (!right(peer, scene, r.entries)) {
        std::fprintf(stderr, "%s: %zu entries for %zu pairs\n", peer.name().c_str(), r.entries, scene.pairs);
        r.status = "wrong";
    } else if (r.first > o.max_seconds) {
        r.rounds.push_back(r.first);
        r.status = "once";
    }
    return r;
}

// One turn: several calls, of which the median counts.
void turn(list_peer &peer, const options &o, record &r) {
    const int calls = std::clamp(int(0.05 / std::max(r.first, 1e-9)), 1, 9);
    std::vector<double> seconds;
    for (int call = 0; call < calls; call++) {
        seconds.push_back(timed_run(peer, o));
        if (peer.entries() != r.entries) {
            std::fprintf(stderr, "%s: another number of entries\n", peer.name().c_str());
            r.status = "wrong";
        }
        peer.clear();
    }
    r.rounds.push_back(median(seconds));
}

void write(std::FILE *file, const options &o, const std::string &name, const list_scene &scene, const list_peer &peer,
           const record &r) {
    const double scale = 1e9 / double(scene.bodies.count);
    std::fprintf(file, "%s,%llu,%s,%llu,%u,%s,%s,%s,%zu,", name.c_str(),
                 static_cast<unsigned long long>(scene.bodies.count), o.sorted ? "sorted" : "shuffled",
                 static_cast<unsigned long long>(o.seed), o.threads, o.cpu_clock ? "cpu" : "wall", peer.name().c_str(),
                 r.status, r.rounds.size());
    if (r.rounds.empty()) {
        std::fputs(",", file);
    } else {
        std::fprintf(file, "%.2f,%.2f", median(r.rounds) * scale,
                     *std::min_element(r.rounds.begin(), r.rounds.end()) * scale);
    }
    std::fprintf(file, ",%zu,%zu\n", r.entries, scene.pairs);
    std::fflush(file);
}

// All peers on one scene of one size.
bool measure(const options &o, const std::string &name, std::uint64_t bodies, std::FILE *file) {
    const list_scene scene = peers::make_list_scene(name, bodies, o.seed, o.sorted);
    peers::list_peer_list list = peers::all_list_peers(o.threads);
    list.erase(
        std::remove_if(list.begin(), list.end(),
                       [&](const auto &peer) { return !wanted(peer->name(), o.libraries) || !peer->takes(scene); }),
        list.end());
    std::vector<record> records;
    for (const auto &peer : list) {
        records.push_back(first_run(*peer, o, scene));
    }
    for (unsigned round = 0; round < o.rounds; round++) {
        for (std::size_t n = 0; n < list.size(); n++) {
            if (std::strcmp(records[n].status, "ok") == 0) {
                turn(*list[n], o, records[n]);
            }
        }
    }
    bool good = true;
    for (std::size_t n = 0; n < list.size(); n++) {
        write(file, o, name, scene, *list[n], records[n]);
        good &= std::strcmp(records[n].status, "wrong") != 0;
        list[n]->release();
    }
    return good;
}

bool measure_all(const options &o, std::FILE *file) {
    bool good = true;
    for (const std::string &name : o.scenes) {
        for (const std::uint64_t bodies : o.bodies) {
            good &= measure(o, name, bodies, file);
        }
    }
    return good;
}

void print_list(const options &o) {
    std::printf(
        "d30, d110: scene d at rest, 30 and 110 neighbours a body; u29: scene u, 29; u29m: with radii from 3/4 to "
        "5/4 of that\n");
    for (const auto &peer : peers::all_list_peers(o.threads)) {
        std::printf("%s\n", peer->name().c_str());
    }
}

int run(const options &o) {
    if (o.versions) {
        std::printf("libraries: %s\nbuild: %s; the others' code here plain -O%s\n", peers::list_versions().c_str(),
                    carom_build_description(), PEERS_OPTIMIZATION);
        return 0;
    }
    if (o.list) {
        print_list(o);
        return 0;
    }
    std::FILE *file = o.csv.empty() ? stdout : std::fopen(o.csv.c_str(), "a");
    if (file == nullptr) {
        std::perror(o.csv.c_str());
        return 4;
    }
    std::fseek(file, 0, SEEK_END);
    if (file == stdout || std::ftell(file) == 0) {
        std::fputs("scene,bodies,order,seed,threads,clock,library,status,rounds,ns_per_body,least_ns_per_body,entries,"
                   "pairs\n",
                   file);
    }
    const bool good = measure_all(o, file);
    if (file != stdout) {
        std::fclose(file);
    }
    return good ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) {
    return peers::run_program("carom_list_peers", usage, [&] { return run(parse(argc, argv)); });
}
