// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

#include "bench/peers/shape_measure.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace peers {
namespace {

// A call with all pairs that takes longer, in seconds, hangs.
constexpr unsigned LONGEST_CALL = 120;

// A library that ends on more pairs than this is given up.
constexpr std::size_t MOST_ENDS = 100;

// A turn: as many calls as fit into this time, in seconds, up to a number of them. Their median counts.
constexpr double TURN_SECONDS = 0.05;
constexpr int TURN_CALLS = 9;

double now(bool cpu_clock) {
    timespec t;
    clock_gettime(cpu_clock ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// A number that a child process shares.
class shared_number {
  public:
    shared_number()
        : place_(static_cast<volatile std::uint32_t *>(
              mmap(nullptr, sizeof(std::uint32_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {
        if (const_cast<std::uint32_t *>(place_) == MAP_FAILED) {
            std::perror("carom_shape_peers: mmap");
            std::exit(4);
        }
    }
    ~shared_number() {
        munmap(const_cast<std::uint32_t *>(place_), sizeof(std::uint32_t));
    }
    shared_number(const shared_number &) = delete;
    shared_number &operator=(const shared_number &) = delete;
    volatile std::uint32_t *place() const {
        return place_;
    }

  private:
    volatile std::uint32_t *place_;
};

// What the child does: it must leave no core and no words behind.
[[noreturn]] void attempt(single_peer &peer) {
    const rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    if (std::freopen("/dev/null", "w", stderr) == nullptr) {
        _exit(2);
    }
    alarm(LONGEST_CALL);
    peer.run();
    _exit(0);
}

bool survives(single_peer &peer) {
    std::fflush(nullptr); // what is buffered must not be written twice
    const pid_t child = fork();
    if (child == 0) {
        attempt(peer);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) {
        std::perror("carom_shape_peers: fork");
        std::exit(4);
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Leaves out the pairs on which the library ends the process. Returns how many these are.
std::size_t find_ends(shape_peer &peer) {
    single_peer *single = dynamic_cast<single_peer *>(&peer);
    if (single == nullptr) {
        return 0;
    }
    const shared_number at;
    std::size_t ends = 0;
    single->report_to(at.place());
    while (ends <= MOST_ENDS && !survives(*single)) {
        single->leave_out(*at.place());
        ends++;
    }
    single->report_to(nullptr);
    return ends;
}

double timed_call(shape_peer &peer, const shape_run &run) {
    const double begin = now(run.cpu_clock);
    if (run.placing) {
        peer.place();
    }
    peer.run();
    return now(run.cpu_clock) - begin;
}

double turn(shape_peer &peer, const shape_run &run) {
    std::vector<double> seconds{timed_call(peer, run)};
    const int calls = std::clamp(int(TURN_SECONDS / std::max(seconds[0], 1e-9)), 1, TURN_CALLS);
    while (seconds.size() < std::size_t(calls)) {
        seconds.push_back(timed_call(peer, run));
    }
    return median(seconds);
}

using answers = std::vector<answer>;

answers read_all(const shape_peer &peer, std::size_t count) {
    answers all(count);
    for (std::size_t n = 0; n < count; n++) {
        all[n] = peer.read(n);
    }
    return all;
}

answers ask(shape_peer &peer, const carom_shape_pairs &pairs, question what) {
    peer.prepare(pairs, what);
    peer.run();
    answers all = read_all(peer, pairs.config.count);
    peer.release();
    return all;
}

// Signed distances, or times of impact, by Carom in double. Empty if it is not there.
answers truth_of(const shape_peer_list &list, const carom_shape_pairs &pairs, question what) {
    for (const auto &peer : list) {
        if (peer->name() == "carom-f64" && peer->offers(pairs.kind, what)) {
            if (what == question::toi) {
                return ask(*peer, pairs, what);
            }
            answers all = ask(*peer, pairs, question::distance);
            const answers depths = ask(*peer, pairs, question::depth);
            for (std::size_t n = 0; n < all.size(); n++) {
                all[n] = all[n].hit ? depths[n] : all[n];
            }
            return all;
        }
    }
    return {};
}

bool wants_number(question what, const answer &t) {
    switch (what) {
    case question::state:
        return false;
    case question::distance:
        return t.value > TOUCH;
    case question::toi:
        return t.hit;
    default:
        return t.value < -TOUCH;
    }
}

void compare(question what, const answers &truth, const answers &said, shape_measures &m) {
    std::vector<double> errors;
    for (std::size_t n = 0; n < truth.size(); n++) {
        const answer &t = truth[n], &s = said[n];
        const bool clear = s.given && (what == question::toi || std::abs(t.value) > TOUCH);
        m.compared += clear;
        m.disagreements += clear && s.hit != t.hit;
        if (s.given && wants_number(what, t) && s.hit == t.hit) {
            m.unanswered += !s.known || !std::isfinite(s.value);
            if (s.known && std::isfinite(s.value)) {
                errors.push_back(std::abs(s.value - t.value));
                m.late += what == question::toi && s.value > t.value + LATE;
            }
        }
    }
    m.numbers = errors.size();
    if (!errors.empty()) {
        std::sort(errors.begin(), errors.end());
        m.greatest_error = errors.back();
        m.median_error = errors[errors.size() / 2];
        m.p999_error = errors[std::min(errors.size() - 1, std::size_t(0.999 * double(errors.size())))];
    }
}

// The first call, which is not timed: what the peer says, and of which pairs.
shape_measures ask(shape_peer &peer, const carom_shape_pairs &pairs, question what, const answers &truth) {
    shape_measures m;
    m.library = peer.name();
    peer.prepare(pairs, what);
    m.ended = find_ends(peer);
    m.asked = pairs.config.count - m.ended;
    if (m.ended <= MOST_ENDS) {
        peer.run();
        const answers said = read_all(peer, pairs.config.count);
        const auto hits = std::count_if(said.begin(), said.end(), [](const answer &a) { return a.hit; });
        m.hit_rate = double(hits) / double(m.asked);
        compare(what, truth, said, m);
    } else {
        std::fprintf(stderr, "%s ends the process on more than %zu pairs\n", m.library.c_str(), MOST_ENDS);
    }
    return m;
}

} // namespace

double shape_measures::nanoseconds() const {
    return 1e9 * median(seconds) / double(asked);
}

double shape_measures::least_nanoseconds() const {
    return 1e9 * *std::min_element(seconds.begin(), seconds.end()) / double(asked);
}

std::vector<shape_measures> measure_shapes(const shape_peer_list &list, const carom_shape_pairs &pairs,
                                           const shape_run &run) {
    const answers truth = truth_of(list, pairs, run.what);
    std::vector<shape_peer *> peers;
    std::vector<shape_measures> measures;
    for (const auto &peer : list) {
        if (peer->offers(pairs.kind, run.what)) {
            shape_measures m = ask(*peer, pairs, run.what, truth);
            if (m.ended <= MOST_ENDS) {
                peers.push_back(peer.get());
                measures.push_back(std::move(m));
            } else {
                peer->release();
            }
        }
    }
    for (unsigned round = 0; round < run.rounds; round++) {
        for (std::size_t n = 0; n < peers.size(); n++) {
            measures[n].seconds.push_back(turn(*peers[n], run));
        }
    }
    for (shape_peer *peer : peers) {
        peer->release();
    }
    return measures;
}

} // namespace peers
