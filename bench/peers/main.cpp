// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// carom_peers: runs Carom and its peers on one standard scene, interleaved in one process so that all see the same
// noise, checks every count of pairs, and writes one CSV line a peer and size.
//
// A round gives every peer a turn: up to 9 calls in a row, as many as fit into 50 ms, of which the median counts. A
// peer's time is the median over the rounds. Before the first round every peer runs once, unmeasured, which also checks
// it. A peer whose time, extrapolated from smaller sizes, passes --max-seconds is not started ("skipped"); one whose
// first run passes it unexpectedly keeps that one time ("once").
#include <getopt.h>
#include <malloc.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <map>
#include <string>
#include <thread>

#include "bench/peers/peer.h"
#include "bench/peers/scene.h"

namespace {

using peers::peer;

constexpr const char *usage =
    "carom_peers [options]\n"
    "  --scene LETTER       one of u d p c l a (default u)\n"
    "  --bodies N[,N...]    ascending sizes, as 100000 or 1e5 (default 1e4)\n"
    "  --seed S             (default 1)\n"
    "  --library NAME,...   only peers whose name starts with one of these (default all)\n"
    "  --rounds R           (default 5)\n"
    "  --threads T          for Carom and the peers that can; others only run with 1 (default 1)\n"
    "  --max-seconds S      longest run of a peer (default 20)\n"
    "  --expected N[,N...]  the true number of pairs for each size; where it is -, or without this, they are counted\n"
    "  --clock wall|cpu     cpu: the process's own time, all threads' together (default wall)\n"
    "  --csv FILE           append to this file (default: standard output)\n"
    "  --list               print the peers' names;  --versions prints the libraries' and the build\n"
    "Exit status: 0, or 1 if any count of pairs is wrong, 2 usage, 4 resources.\n";

struct options {
    char scene = 'u';
    std::vector<std::uint64_t> bodies{10000};
    std::vector<std::uint64_t> expected;
    std::uint64_t seed = 1;
    std::vector<std::string> libraries;
    unsigned rounds = 5, threads = 1;
    double max_seconds = 20;
    bool cpu_clock = false;
    std::string csv;
    bool list = false, versions = false;
};

// What is known of one peer over the sizes of one scene.
struct record {
    std::map<std::uint64_t, double> seconds; // by size, the least so far
    std::vector<double> rounds;              // of the size at hand
    std::size_t pairs = 0;
    double first = 0;
    std::string status;
};

[[noreturn]] void stop(const std::string &message) {
    std::fprintf(stderr, "carom_peers: %s\n%s", message.c_str(), usage);
    std::exit(2);
}

std::vector<std::string> split(const std::string &text) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

double number(const std::string &text, double least, double greatest) {
    char *end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !(value >= least && value <= greatest)) {
        stop("\"" + text + "\" is no number from " + std::to_string(least) + " to " + std::to_string(greatest));
    }
    return value;
}

constexpr std::uint64_t unknown = UINT64_MAX;

std::vector<std::uint64_t> numbers(const std::string &text, double least) {
    std::vector<std::uint64_t> values;
    for (const std::string &part : split(text)) {
        values.push_back(part == "-" && least == 0 ? unknown : std::uint64_t(number(part, least, 1e18)));
    }
    return values;
}

void set(options &o, const std::string &name, const std::string &value) {
    if (name == "scene") {
        if (value.size() != 1 || carom_scene_name(value[0]) == nullptr) {
            stop("there is no scene \"" + value + "\"");
        }
        o.scene = value[0];
    } else if (name == "bodies") {
        o.bodies = numbers(value, 2);
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
        if (value != "wall" && value != "cpu") {
            stop("there is no clock \"" + value + "\"");
        }
        o.cpu_clock = value == "cpu";
    } else if (name == "expected") {
        o.expected = numbers(value, 0);
    } else {
        o.csv = value;
    }
}

options parse(int argc, char **argv) {
    static const option known[] = {{"scene", required_argument, nullptr, 0},
                                   {"bodies", required_argument, nullptr, 0},
                                   {"seed", required_argument, nullptr, 0},
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
    int index = 0;
    for (int c; (c = getopt_long(argc, argv, "h", known, &index)) != -1;) {
        if (c == 'h') {
            std::fputs(usage, stdout);
            std::exit(0);
        } else if (c == '?') {
            stop("see the options");
        } else if (c == 0) {
            set(o, known[index].name, optarg);
        }
        o.list |= c == 'l';
        o.versions |= c == 'v';
    }
    if (optind < argc) {
        stop(std::string("what is \"") + argv[optind] + "\"?");
    }
    if (!std::is_sorted(o.bodies.begin(), o.bodies.end())) {
        stop("sizes must ascend");
    }
    if (!o.expected.empty() && o.expected.size() != o.bodies.size()) {
        stop("as many expected counts as sizes, please");
    }
    return o;
}

peers::peer_list selected(const options &o) {
    peers::peer_list list = peers::all_peers(o.threads);
    const auto unwanted = [&](const std::unique_ptr<peer> &p) {
        return !o.libraries.empty() && std::none_of(o.libraries.begin(), o.libraries.end(), [&](const std::string &l) {
            return p->name().compare(0, l.size(), l) == 0;
        });
    };
    list.erase(std::remove_if(list.begin(), list.end(), unwanted), list.end());
    if (list.empty()) {
        stop("no such library here");
    }
    return list;
}

double now(const options &o) {
    timespec t;
    clock_gettime(o.cpu_clock ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

double timed_run(peer &p, const options &o, std::size_t &pairs) {
    const double begin = now(o);
    pairs = p.run();
    const double seconds = now(o) - begin;
    p.clear();
    return seconds;
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

// How many pairs there are, and how many a peer that widens its boxes by a float step may report.
struct truth {
    std::uint64_t pairs, widened;
};

// First run, unmeasured unless it turns out to be the only one. Sets the status.
void first_run(peer &p, record &r, const options &o, const peers::scene &scene, const truth &expected) {
    r.rounds.clear();
    r.pairs = 0;
    const double estimate = predicted(r, scene.bodies.count);
    if (estimate > o.max_seconds) {
        std::fprintf(stderr, "%s: %.3g s expected for %llu bodies: skipped\n", p.name().c_str(), estimate,
                     static_cast<unsigned long long>(scene.bodies.count));
        r.status = "skipped";
        return;
    }
    p.prepare(scene);
    r.first = timed_run(p, o, r.pairs);
    r.seconds[scene.bodies.count] = r.first;
    const bool right = r.pairs >= expected.pairs && r.pairs <= (p.widens() ? expected.widened : expected.pairs);
    r.status = !right ? "wrong" : r.first > o.max_seconds ? "once" : "ok";
    if (!right) {
        std::fprintf(stderr, "%s: %zu pairs of %llu bodies, not %llu\n", p.name().c_str(), r.pairs,
                     static_cast<unsigned long long>(scene.bodies.count),
                     static_cast<unsigned long long>(expected.pairs));
    }
    if (r.status == "once") {
        r.rounds.push_back(r.first);
    }
}

// One turn: several calls, of which the median counts.
void turn(peer &p, record &r, const options &o, std::uint64_t bodies) {
    const int calls = std::clamp(int(0.05 / std::max(r.first, 1e-9)), 1, 9);
    std::vector<double> seconds;
    for (int call = 0; call < calls; call++) {
        std::size_t pairs;
        seconds.push_back(timed_run(p, o, pairs));
        if (pairs != r.pairs) {
            std::fprintf(stderr, "%s: %zu pairs and then %zu\n", p.name().c_str(), r.pairs, pairs);
            r.status = "wrong";
        }
    }
    r.rounds.push_back(median(seconds));
    double &least = r.seconds[bodies];
    least = std::min(least, r.rounds.back());
}

void write(std::FILE *file, const options &o, const peer &p, const record &r, std::uint64_t bodies,
           std::uint64_t expected) {
    std::fprintf(file, "%c,%llu,%llu,%u,%s,%s,%s,%zu,", o.scene, static_cast<unsigned long long>(bodies),
                 static_cast<unsigned long long>(o.seed), o.threads, o.cpu_clock ? "cpu" : "wall", p.name().c_str(),
                 r.status.c_str(), r.rounds.size());
    if (r.rounds.empty()) {
        std::fprintf(file, ",,,%llu\n", static_cast<unsigned long long>(expected));
    } else {
        const double scale = 1e9 / double(bodies);
        std::fprintf(file, "%.2f,%.2f,%zu,%llu\n", median(r.rounds) * scale,
                     *std::min_element(r.rounds.begin(), r.rounds.end()) * scale, r.pairs,
                     static_cast<unsigned long long>(expected));
    }
    std::fflush(file);
}

// All peers on one size.
bool measure(const options &o, peers::peer_list &list, std::vector<record> &records, std::uint64_t bodies,
             std::uint64_t known, unsigned rounds, std::FILE *file) {
    const peers::standard_scene scene(o.scene, bodies, o.seed);
    const truth expected = {known != unknown ? known : peers::count_pairs(scene.boxes),
                            peers::count_pairs(peers::widened(scene.boxes))};
    bool right = true;
    for (std::size_t n = 0; n < list.size(); n++) {
        first_run(*list[n], records[n], o, scene, expected);
    }
    for (unsigned round = 0; round < rounds; round++) {
        for (std::size_t n = 0; n < list.size(); n++) {
            if (records[n].status == "ok") {
                // Threads that still spin after another's run must not disturb this one.
                std::this_thread::sleep_for(std::chrono::milliseconds(o.threads > 1 ? 20 : 0));
                turn(*list[n], records[n], o, bodies);
            }
        }
    }
    for (std::size_t n = 0; n < list.size(); n++) {
        if (file != nullptr) {
            write(file, o, *list[n], records[n], bodies, expected.pairs);
        }
        right &= records[n].status != "wrong";
        list[n]->release();
    }
    return right;
}

// Two smaller sizes are tried, but not reported, before the first if that is large: nothing may hang for hours.
bool measure_all(const options &o, std::FILE *file) {
    peers::peer_list list = selected(o);
    std::vector<record> records(list.size());
    bool right = true;
    for (const std::uint64_t divisor : {100, 10}) {
        if (o.bodies[0] / divisor >= 1000) {
            right &= measure(o, list, records, o.bodies[0] / divisor, unknown, 0, nullptr);
        }
    }
    for (std::size_t n = 0; n < o.bodies.size(); n++) {
        right &= measure(o, list, records, o.bodies[n], o.expected.empty() ? unknown : o.expected[n], o.rounds, file);
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
        std::fprintf(file, "scene,bodies,seed,threads,clock,library,status,rounds,ns_per_body,least_ns_per_body,pairs,"
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
    // Carom's context keeps its memory from call to call. So that no peer pays for page faults that it does not pay
    // for, malloc gives nothing back to the system either.
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, -1);
    try {
        return run(parse(argc, argv));
    } catch (const std::exception &error) {
        std::fprintf(stderr, "carom_peers: %s\n", error.what());
        return 4;
    }
}
