// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// carom_shape_peers: asks Carom and its peers the same questions about the same random pairs of shapes
// (bench/peers/shape_peer.h, bench/shape_pairs.h), on one thread, interleaved in one process, and writes one CSV line a
// peer, kind of pair and question.
//
// A round gives every peer a turn: up to 9 calls with all pairs, as many as fit into 50 ms, of which the median counts.
// A peer's time is the median over the rounds. Before the first round every peer is asked once, unmeasured: in a
// process of its own, as some end on some pairs, which are left out from then on; and here, for its answers.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "bench/peers/arguments.h"
#include "bench/peers/shape_measure.h"

extern "C" {
#include "carom/carom.h"
}

namespace {

using peers::question;
using peers::shape_measures;

constexpr const char *usage =
    "carom_shape_peers [options]\n"
    "  --pairs N            (default 100000)\n"
    "  --kinds NAME,...     kinds of pairs whose name starts with one of these (default all; --list shows them)\n"
    "  --questions NAME,... of state, distance, depth, manifold, toi (default all)\n"
    "  --library NAME,...   only peers whose name starts with one of these (default all)\n"
    "  --rounds R           interleaved rounds, of which the median counts (default 5)\n"
    "  --shapes N           different shapes on each side of the pairs; 0: each body has its own (default 64)\n"
    "  --shuffled           bodies in random order, not in that of the pairs\n"
    "  --placing            time also how libraries set their bodies' places from the arrays that Carom reads\n"
    "  --seed S             (default 1)\n"
    "  --clock wall|cpu     (default cpu)\n"
    "  --csv FILE           append to this file (default: standard output)\n"
    "  --list               print the kinds;  --peers prints the peers, --versions the libraries' and the build\n"
    "Over_carom is a peer's time over that of carom-f32. Answers are held against carom-f64's. Exit status: 0, 2 "
    "usage, "
    "4 resources.\n";

constexpr const char *header =
    "kind,question,library,pairs,shapes,seed,rounds,ns,least_ns,over_carom,hit_rate,compared,disagreements,numbers,"
    "unanswered,late,greatest_error,p999_error,median_error,ended\n";

struct options {
    carom_shape_pairs_config pairs = {100000, 64, 1, false, false};
    std::vector<std::string> kinds, questions, libraries;
    peers::shape_run run;
    std::string csv;
    bool list = false, peers = false, versions = false;
};

std::uint64_t whole(const std::string &text, double least, double greatest) {
    return std::uint64_t(peers::number(text, least, greatest));
}

void set(options &o, const std::string &name, const std::string &value) {
    if (name == "pairs") {
        o.pairs.count = whole(value, 1, 1e8);
    } else if (name == "kinds") {
        o.kinds = peers::split(value);
    } else if (name == "questions") {
        o.questions = peers::split(value);
    } else if (name == "library") {
        o.libraries = peers::split(value);
    } else if (name == "rounds") {
        o.run.rounds = unsigned(whole(value, 1, 1e6));
    } else if (name == "shapes") {
        o.pairs.shapes = whole(value, 0, 1e8);
    } else if (name == "seed") {
        o.pairs.seed = whole(value, 0, 9e15);
    } else if (name == "clock") {
        o.run.cpu_clock = peers::is_second(value, "wall", "cpu");
    } else {
        o.csv = value;
    }
}

options parse(int argc, char **argv) {
    static const option known[] = {
        {"pairs", required_argument, nullptr, 0},     {"kinds", required_argument, nullptr, 0},
        {"questions", required_argument, nullptr, 0}, {"library", required_argument, nullptr, 0},
        {"rounds", required_argument, nullptr, 0},    {"shapes", required_argument, nullptr, 0},
        {"seed", required_argument, nullptr, 0},      {"clock", required_argument, nullptr, 0},
        {"csv", required_argument, nullptr, 0},       {"shuffled", no_argument, nullptr, 's'},
        {"placing", no_argument, nullptr, 'a'},       {"list", no_argument, nullptr, 'l'},
        {"peers", no_argument, nullptr, 'p'},         {"versions", no_argument, nullptr, 'v'},
        {"help", no_argument, nullptr, 'h'},          {nullptr, 0, nullptr, 0}};
    options o;
    peers::read_options(
        argc, argv, known, usage, [&](const std::string &name, const std::string &value) { set(o, name, value); },
        [&](int flag) {
            o.pairs.shuffled |= flag == 's';
            o.run.placing |= flag == 'a';
            o.list |= flag == 'l';
            o.peers |= flag == 'p';
            o.versions |= flag == 'v';
        });
    return o;
}

bool wanted(const std::string &name, const std::vector<std::string> &beginnings) {
    return beginnings.empty() || std::any_of(beginnings.begin(), beginnings.end(), [&](const std::string &beginning) {
               return name.compare(0, beginning.size(), beginning) == 0;
           });
}

peers::shape_peer_list selected(const options &o) {
    peers::shape_peer_list list = peers::all_shape_peers();
    list.erase(std::remove_if(list.begin(), list.end(), [&](const auto &p) { return !wanted(p->name(), o.libraries); }),
               list.end());
    if (list.empty()) {
        throw std::invalid_argument("no such library here");
    }
    return list;
}

// The time of carom-f32, or 0.
double ours(const std::vector<shape_measures> &measures) {
    for (const shape_measures &m : measures) {
        if (m.library == "carom-f32") {
            return m.nanoseconds();
        }
    }
    return 0;
}

void write(std::FILE *file, const options &o, const carom_pair_kind &kind, question what,
           const std::vector<shape_measures> &measures) {
    const double carom = ours(measures);
    for (const shape_measures &m : measures) {
        std::fprintf(file, "%s,%s,%s,%llu,%llu,%llu,%u,%.2f,%.2f,", kind.name, peers::question_name(what),
                     m.library.c_str(), static_cast<unsigned long long>(o.pairs.count),
                     static_cast<unsigned long long>(o.pairs.shapes), static_cast<unsigned long long>(o.pairs.seed),
                     o.run.rounds, m.nanoseconds(), m.least_nanoseconds());
        if (carom > 0) {
            std::fprintf(file, "%.2f", m.nanoseconds() / carom);
        }
        std::fprintf(file, ",%.4f,%zu,%zu,%zu,%zu,%zu,%.3g,%.3g,%.3g,%zu\n", m.hit_rate, m.compared, m.disagreements,
                     m.numbers, m.unanswered, m.late, m.greatest_error, m.p999_error, m.median_error, m.ended);
    }
    std::fflush(file);
}

void measure(const options &o, const peers::shape_peer_list &list, const carom_pair_kind &kind, std::FILE *file) {
    for (const bool moving : {false, true}) {
        carom_shape_pairs_config config = o.pairs;
        carom_shape_pairs pairs;
        config.moving = moving;
        carom_shape_pairs_make(&kind, &config, &pairs);
        for (const question what : peers::all_questions) {
            if ((what == question::toi) == moving && wanted(peers::question_name(what), o.questions)) {
                peers::shape_run run = o.run;
                run.what = what;
                write(file, o, kind, what, measure_shapes(list, pairs, run));
            }
        }
        carom_shape_pairs_release(&pairs);
    }
}

void print_kinds() {
    const carom_pair_kind *kinds;
    const std::size_t count = carom_pair_kinds(&kinds);
    for (std::size_t n = 0; n < count; n++) {
        std::printf("%s\n", kinds[n].name);
    }
}

void print_peers() {
    for (const auto &peer : peers::all_shape_peers()) {
        std::printf("%s\n", peer->name().c_str());
    }
}

void measure_all(const options &o, const peers::shape_peer_list &list, std::FILE *file) {
    const carom_pair_kind *kinds;
    const std::size_t count = carom_pair_kinds(&kinds);
    for (std::size_t n = 0; n < count; n++) {
        if (wanted(kinds[n].name, o.kinds)) {
            measure(o, list, kinds[n], file);
        }
    }
}

int run(const options &o) {
    if (o.versions) {
        std::printf("libraries: %s\nbuild: %s; the others' code here plain -O%s\n", peers::shape_versions().c_str(),
                    carom_build_description(), PEERS_OPTIMIZATION);
        return 0;
    }
    if (o.list || o.peers) {
        o.list ? print_kinds() : print_peers();
        return 0;
    }
    const peers::shape_peer_list list = selected(o);
    std::FILE *file = o.csv.empty() ? stdout : std::fopen(o.csv.c_str(), "a");
    if (file == nullptr) {
        std::perror(o.csv.c_str());
        return 4;
    }
    std::fseek(file, 0, SEEK_END);
    if (file == stdout || std::ftell(file) == 0) {
        std::fputs(header, file);
    }
    measure_all(o, list, file);
    if (file != stdout) {
        std::fclose(file);
    }
    return 0;
}

} // namespace

int main(int argc, char **argv) {
    return peers::run_program("carom_shape_peers", usage, [&] { return run(parse(argc, argv)); });
}
