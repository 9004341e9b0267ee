// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// carom_peers: runs Carom and its peers on one standard scene, interleaved in one process so that all see the same
// noise, checks every count of pairs, and writes one CSV line a peer and size.
//
// A round gives every peer a turn: up to 9 calls in a row, as many as fit into 50 ms, of which the median counts. A
// peer's time is the median over the rounds. Before the first round every peer runs once, unmeasured, which also checks
// it. Of a small size there are several scenes, as a branch predictor learns one small scene by heart and shows times
// that nobody gets. Then a pass through all scenes takes the place of a call, and its time is the mean of its calls. A
// peer whose time, extrapolated from smaller sizes, passes --max-seconds is not started ("skipped"); one whose first
// run passes it unexpectedly keeps that one time ("once").

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>

#include "bench/peers/arguments.h"
#include "bench/peers/contestant.h"
#include "bench/peers/options.h"

namespace {

using peers::contestant;
using peers::options;
using peers::scene_set;
using peers::stopwatch;

// What is known of one peer over the sizes of one scene.
struct record {
    std::map<std::uint64_t, double> seconds; // by size, the least so far
    std::vector<double> rounds;              // of the size at hand
    std::size_t pairs = 0;
    double first = 0;
    std::string status;
};

std::vector<contestant> selected(const options &o) {
    peers::peer_list list = peers::all_peers(o.threads);
    const auto unwanted = [&](const std::unique_ptr<peers::peer> &p) {
        return !o.libraries.empty() && std::none_of(o.libraries.begin(), o.libraries.end(), [&](const std::string &l) {
            return p->name().compare(0, l.size(), l) == 0;
        });
    };
    list.erase(std::remove_if(list.begin(), list.end(), unwanted), list.end());
    if (list.empty()) {
        throw std::invalid_argument("no such library here");
    }
    std::vector<contestant> contestants;
    for (auto &p : list) {
        contestants.emplace_back(std::move(p));
    }
    return contestants;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// The time at this size from those before: their own growth, between N and N^2, where there are two, N^1.2 after one, 0
// after none.
double predicted(const record &r, std::uint64_t bodies) {
    if (r.seconds.empty()) {
        return 0;
    }
    const auto last = std::prev(r.seconds.end());
    double power = 1.2;
    if (r.seconds.size() > 1) {
        const auto before = std::prev(last);
        power = std::log(last->second / before->second) / std::log(double(last->first) / double(before->first));
    }
    return last->second * std::pow(double(bodies) / double(last->first), std::clamp(power, 1.0, 2.0));
}

// The first pass, unmeasured unless it turns out to be the only one. Sets the status.
void first_pass(contestant &c, record &r, const options &o, const scene_set &set, stopwatch &watch) {
    r.rounds.clear();
    r.pairs = 0;
    r.status = "skipped";
    if (set.bodies > c.most_bodies()) {
        return;
    }
    const double estimate = predicted(r, set.bodies);
    if (estimate > o.max_seconds) {
        std::fprintf(stderr, "%s: %.3g s expected for %llu bodies: skipped\n", c.name().c_str(), estimate,
                     static_cast<unsigned long long>(set.bodies));
        return;
    }
    c.prepare(set);
    r.first = c.pass(watch);
    r.pairs = c.pairs();
    r.seconds[set.bodies] = r.first;
    r.status = !c.right() ? "wrong" : r.first > o.max_seconds ? "once" : "ok";
    if (r.status == "once") {
        r.rounds.push_back(r.first);
    }
}

// One turn: several passes, of which the median counts.
void turn(contestant &c, record &r, const scene_set &set, stopwatch &watch) {
    const double pass = r.first * double(set.scenes.size());
    const int passes = std::clamp(int(0.05 / std::max(pass, 1e-9)), 1, 9);
    std::vector<double> seconds;
    for (int n = 0; n < passes; n++) {
        seconds.push_back(c.pass(watch));
        if (c.pairs() != r.pairs) {
            std::fprintf(stderr, "%s: %zu pairs and then %zu\n", c.name().c_str(), r.pairs, c.pairs());
            r.status = "wrong";
        }
    }
    r.rounds.push_back(median(seconds));
    double &least = r.seconds[set.bodies];
    least = std::min(least, r.rounds.back());
}

void write(std::FILE *file, const options &o, const contestant &c, const record &r, const scene_set &set) {
    std::fprintf(file, "%s,%llu,%llu,%zu,%u,%s,%s,%s,%zu,", o.scene.c_str(),
                 static_cast<unsigned long long>(set.bodies), static_cast<unsigned long long>(o.seed),
                 set.scenes.size(), o.threads, o.cpu_clock ? "cpu" : "wall", c.name().c_str(), r.status.c_str(),
                 r.rounds.size());
    const auto expected = static_cast<unsigned long long>(set.pairs());
    if (r.rounds.empty()) {
        std::fprintf(file, ",,,%llu\n", expected);
    } else {
        const double scale = 1e9 / double(set.bodies);
        std::fprintf(file, "%.2f,%.2f,%zu,%llu\n", median(r.rounds) * scale,
                     *std::min_element(r.rounds.begin(), r.rounds.end()) * scale, r.pairs, expected);
    }
    std::fflush(file);
}

unsigned scenes_of(const options &o, std::uint64_t bodies) {
    return o.scenes != 0 ? o.scenes : bodies >= 10000 ? 1 : 64;
}

// All peers on one size.
bool measure(const options &o, std::vector<contestant> &list, std::vector<record> &records, std::uint64_t bodies,
             std::uint64_t known, unsigned rounds, std::FILE *file) {
    const scene_set set = peers::make_scenes(o.scene, bodies, o.seed, rounds == 0 ? 1 : scenes_of(o, bodies), known);
    stopwatch watch(o.cpu_clock);
    bool right = true;
    for (std::size_t n = 0; n < list.size(); n++) {
        first_pass(list[n], records[n], o, set, watch);
    }
    for (unsigned round = 0; round < rounds; round++) {
        for (std::size_t n = 0; n < list.size(); n++) {
            if (records[n].status == "ok") {
                // Threads that still spin after another's run must not disturb this one.
                std::this_thread::sleep_for(std::chrono::milliseconds(o.threads > 1 ? 20 : 0));
                turn(list[n], records[n], set, watch);
            }
        }
    }
    for (std::size_t n = 0; n < list.size(); n++) {
        if (file != nullptr) {
            write(file, o, list[n], records[n], set);
        }
        right &= records[n].status != "wrong";
        list[n].release();
    }
    return right;
}

// Two smaller sizes are tried, but not reported, before the first if that is large: nothing may hang for hours.
bool measure_all(const options &o, std::FILE *file) {
    std::vector<contestant> list = selected(o);
    std::vector<record> records(list.size());
    bool right = true;
    for (const std::uint64_t divisor : {UINT64_C(100), UINT64_C(10)}) {
        if (o.bodies[0] / divisor >= 1000) {
            right &= measure(o, list, records, o.bodies[0] / divisor, peers::unknown, 0, nullptr);
        }
    }
    for (std::size_t n = 0; n < o.bodies.size(); n++) {
        right &=
            measure(o, list, records, o.bodies[n], o.expected.empty() ? peers::unknown : o.expected[n], o.rounds, file);
    }
    return right;
}

int run(const options &o) {
    if (o.versions) {
        std::printf("libraries: %s\nbuild: %s; the others' code here plain -O%s\n", peers::versions().c_str(),
                    carom_build_description(), PEERS_OPTIMIZATION);
        return 0;
    }
    if (o.list) {
        for (const auto &p : peers::all_peers(o.threads)) {
            std::printf("%s\n", p->name().c_str());
        }
        return 0;
    }
    std::FILE *file = o.csv.empty() ? stdout : std::fopen(o.csv.c_str(), "a");
    if (file == nullptr) {
        std::fprintf(stderr, "carom_peers: %s: %s\n", o.csv.c_str(), std::strerror(errno));
        return 4;
    }
    std::fseek(file, 0, SEEK_END);
    if (file == stdout || std::ftell(file) == 0) {
        std::fprintf(file,
                     "scene,bodies,seed,scenes,threads,clock,library,status,rounds,ns_per_body,least_ns_per_body,pairs,"
                     "expected_pairs\n");
    }
    const bool right = measure_all(o, file);
    if (file != stdout) {
        std::fclose(file);
    }
    return right ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) {
    return peers::run_program("carom_peers", peers::usage, [&] { return run(peers::parse(argc, argv)); });
}
