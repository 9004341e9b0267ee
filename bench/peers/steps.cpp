// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// carom_step_peers: Carom, the plain event queue and other libraries step the same bodies (bench/peers/stepper.h).
//
//     carom_step_peers SCENE BODIES STEPS ROUNDS [STEPPER...]
//     carom_step_peers --versions
//
// Each round gives every stepper a turn: it loads the scene and takes STEPS steps. Its time is the processor time of a
// step but the first, which finds its memory: the median over the rounds of the mean over the steps. STEPPER is the
// beginning of a name; without any all take part. Writes a JSON object on a line for each. Bodies without an impact in
// the first MISS_STEPS steps count as missing it: libraries that answer to overlaps need the step after.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>

#include "bench/peers/step_measures.h"

namespace {

using peers::moving;
using peers::stepper;

constexpr int MISS_STEPS = 2;

// A stepper whose turn takes longer, in seconds of processor time, has one turn.
constexpr double LONG_TURN = 10;

struct options {
    char scene;
    std::uint64_t bodies;
    int steps, rounds;
};

// What is known of one stepper.
struct record {
    std::vector<double> seconds; // a step, of each round
    bool once = false;           // one turn was enough
    double first_seconds = INFINITY;
    std::uint64_t impacts = 0, first_impacts = 0; // of all steps, of the first
    double energy_error = 0, momentum_error = 0;
    std::size_t missed = 0, overlaps = 0;
};

struct truth {
    moving bodies;
    std::vector<peers::pair> impacts;
};

double processor_seconds() {
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// A whole step. Returns the seconds that it took, and adds its impacts.
double timed_step(stepper &s, std::uint64_t &impacts) {
    double seconds = 0;
    for (int part = 0; part < s.parts(); part++) {
        const double begun = processor_seconds();
        s.step();
        seconds += processor_seconds() - begun;
        impacts += s.impacts();
    }
    return seconds;
}

// What the steps did, which is the same in every round.
void judge(const stepper &s, const truth &t, const moving &before, int step, const options &o, record &r) {
    moving now = before;
    if (step == MISS_STEPS || step == o.steps) {
        s.read(now);
    }
    if (step == MISS_STEPS) {
        r.missed = peers::missed(t.impacts, before, now);
    }
    if (step == o.steps) {
        r.energy_error = double(peers::energy(now) / peers::energy(before) - 1);
        r.momentum_error = peers::momentum_change(before, now);
        r.overlaps = peers::overlaps(now);
    }
}

void turn(stepper &s, const truth &t, const options &o, record &r) {
    moving before = t.bodies;
    s.load(t.bodies);
    s.read(before);
    double seconds = 0;
    r.impacts = 0;
    for (int step = 1; step <= o.steps; step++) {
        const double took = timed_step(s, r.impacts);
        if (step == 1) {
            r.first_seconds = std::min(r.first_seconds, took);
            r.first_impacts = r.impacts;
        } else {
            seconds += took;
        }
        if (r.seconds.empty()) {
            judge(s, t, before, step, o, r);
        }
    }
    r.seconds.push_back(seconds / (o.steps - 1));
    r.once = seconds > LONG_TURN;
    s.release();
}

void write(const options &o, const truth &t, const stepper &s, const record &r) {
    const double scale = 1e9 / double(o.bodies);
    std::printf("{\"scene\": \"%c\", \"bodies\": %llu, \"steps\": %d, \"rounds\": %zu, \"stepper\": \"%s\", ", o.scene,
                static_cast<unsigned long long>(o.bodies), o.steps, r.seconds.size(), s.name().c_str());
    std::printf("\"ns_per_body\": %.1f, \"first_ns_per_body\": %.1f, \"impacts\": %llu, \"first_impacts\": %llu, ",
                median(r.seconds) * scale, r.first_seconds * scale, static_cast<unsigned long long>(r.impacts),
                static_cast<unsigned long long>(r.first_impacts));
    std::printf("\"energy_error\": %.3g, \"momentum_error\": %.3g, \"certain\": %zu, \"missed\": %zu, "
                "\"overlaps\": %zu}\n",
                r.energy_error, r.momentum_error, t.impacts.size(), r.missed, r.overlaps);
}

bool wanted(const stepper &s, int count, char **beginnings) {
    return count == 0 || std::any_of(beginnings, beginnings + count, [&](const char *beginning) {
               return s.name().compare(0, std::strlen(beginning), beginning) == 0;
           });
}

void run(const options &o, int count, char **beginnings) {
    peers::stepper_list list = peers::all_steppers();
    list.erase(std::remove_if(list.begin(), list.end(),
                              [&](const std::unique_ptr<stepper> &s) { return !wanted(*s, count, beginnings); }),
               list.end());
    truth t{peers::moving_scene(o.scene, o.bodies, 1), {}};
    t.impacts = peers::first_impacts(t.bodies);
    std::vector<record> records(list.size());
    for (int round = 0; round < o.rounds; round++) {
        for (std::size_t n = 0; n < list.size(); n++) {
            if (!records[n].once) {
                turn(*list[n], t, o, records[n]);
            }
        }
    }
    for (std::size_t n = 0; n < list.size(); n++) {
        write(o, t, *list[n], records[n]);
    }
}

} // namespace

int main(int count, char **arguments) {
    if (count == 2 && std::strcmp(arguments[1], "--versions") == 0) {
        std::printf("libraries: %s\nbuild: %s\n", peers::versions().c_str(), carom_build_description());
        return 0;
    }
    if (count < 5) {
        std::fprintf(stderr, "usage: carom_step_peers SCENE BODIES STEPS ROUNDS [STEPPER...]\n");
        return 2;
    }
    const options o = {arguments[1][0], std::uint64_t(std::strtod(arguments[2], nullptr)),
                       std::max(MISS_STEPS, std::atoi(arguments[3])), std::max(1, std::atoi(arguments[4]))};
    try {
        run(o, count - 5, arguments + 5);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "carom_step_peers: %s\n", error.what());
        return 1;
    }
    return 0;
}
