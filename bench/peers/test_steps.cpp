// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// Guards the yardstick of steps: that the plain queue gives the very bits of carom_step_f64, with the same impacts;
// that every library, set up as here, lets two spheres bounce as the formula says and keeps all bodies and the momentum
// of a scene; and that a pair whose impact does not happen is counted as missed. Writes TAP.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "bench/peers/step_measures.h"

namespace {

using peers::moving;
using peers::stepper;

// Bullet works in float.
constexpr double CLOSE = 1e-5;

int number = 0, failures = 0;

void check(bool good, const std::string &what) {
    std::printf("%s %d - %s\n", good ? "ok" : "not ok", ++number, what.c_str());
    failures += !good;
}

std::uint64_t step(stepper &s, int steps) {
    std::uint64_t impacts = 0;
    for (int part = 0; part < steps * s.parts(); part++) {
        s.step();
        impacts += s.impacts();
    }
    return impacts;
}

void add(moving &bodies, const double x[3], const double v[3], double radius) {
    for (int a = 0; a < 3; a++) {
        bodies.x[a].push_back(x[a]);
        bodies.v[a].push_back(v[a]);
    }
    bodies.radius.push_back(radius);
}

// Body 0 flies against body 1, which rests; body 2 passes far away.
moving two_and_one(double aside) {
    const double x[3][3] = {{0, 0, 0}, {2.5, aside, 0}, {0, 50, 0}};
    const double v[3][3] = {{0.5, 0, 0}, {0, 0, 0}, {0.25, 0, 0}};
    moving bodies;
    for (int n = 0; n < 3; n++) {
        add(bodies, x[n], v[n], 1);
    }
    return bodies;
}

bool close(double a, double b, double tolerance) {
    return std::abs(a - b) <= tolerance;
}

// Head-on, equal masses exchange their velocities.
void check_head_on(stepper &s) {
    const moving before = two_and_one(0);
    moving after = before;
    s.load(before);
    const std::uint64_t impacts = step(s, 4);
    s.read(after);
    s.release();
    const double expected[3] = {0, 0.5, 0.25};
    bool good = impacts >= 1 && after.count() == 3;
    for (int n = 0; n < 3; n++) {
        good = good && close(after.v[0][n], expected[n], CLOSE) && close(after.v[1][n], 0, CLOSE) &&
               close(after.v[2][n], 0, CLOSE);
    }
    check(good, s.name() + ": two bodies exchange their velocities, and the third goes on");
    check(peers::missed({{0, 1}}, before, after) == 0 && peers::missed({{0, 2}}, before, after) == 1,
          s.name() + ": the one impact is seen, and one that was none is not");
}

void check_scene(stepper &s, char letter) {
    const moving before = peers::moving_scene(letter, 2000, 3);
    moving after = before;
    s.load(before);
    const std::uint64_t impacts = step(s, 4);
    s.read(after);
    s.release();
    const std::string what = s.name() + ", " + letter + ": ";
    check(impacts > before.count() / 10, what + "bodies collide");
    check(peers::momentum_change(before, after) < CLOSE, what + "momentum stays");
    std::size_t moved = 0;
    for (std::size_t n = 0; n < before.count(); n++) {
        const double x = after.x[0][n] - before.x[0][n];
        moved += std::isfinite(x) && x != 0;
    }
    // Bullet's continuous detection stops some that overlap deeply.
    check(moved > 0.95 * double(before.count()), what + "bodies move");
}

bool same(const std::vector<double> (&a)[3], const std::vector<double> (&b)[3]) {
    return std::equal(a, a + 3, b, [](const std::vector<double> &p, const std::vector<double> &q) {
        return p.size() == q.size() && std::memcmp(p.data(), q.data(), p.size() * sizeof(double)) == 0;
    });
}

// Carom against the queue, which comes second. Fast bodies soon leave the cells in which they were filed.
void check_bits(stepper &carom, stepper &queue, char letter, double faster) {
    moving before = peers::moving_scene(letter, 3000, 5);
    for (std::vector<double> &axis : before.v) {
        for (double &v : axis) {
            v *= faster;
        }
    }
    moving ours = before, theirs = before;
    bool good = true;
    carom.load(before);
    queue.load(before);
    for (int n = 0; n < 5; n++) {
        good = good && step(carom, 1) == step(queue, 1);
    }
    carom.read(ours);
    queue.read(theirs);
    carom.release();
    queue.release();
    good = good && same(ours.x, theirs.x) && same(ours.v, theirs.v) && !same(ours.v, before.v);
    check(good, std::string("carom and the queue give the same bits, scene ") + letter);
    const double change = double(peers::energy(ours) / peers::energy(before) - 1);
    check(close(change, 0, 1e-13), std::string("and keep the energy, scene ") + letter);
}

// Impacts that certainly happen are those of the exact motion, and without steps all of them are missed.
void check_measures() {
    const moving bodies = two_and_one(1.9);
    moving grown = bodies;
    check(peers::first_impacts(bodies).empty(), "no impact in the first step");
    for (double &v : grown.v[0]) {
        v *= 4;
    }
    const std::vector<peers::pair> impacts = peers::first_impacts(grown);
    check(impacts.size() == 1 && impacts[0].i == 0 && impacts[0].k == 1, "one impact of faster bodies");
    check(peers::missed(impacts, grown, grown) == 1, "it is missed where nothing moves");
    moving close_by = bodies;
    close_by.x[0][1] = 0.4; // 1.94 apart
    check(peers::overlaps(bodies) == 0 && peers::overlaps(close_by) == 1, "overlaps are counted");
}

} // namespace

int main() {
    const peers::stepper_list list = peers::all_steppers();
    check(list.size() >= 2 && list[0]->name() == "carom" && list[1]->name() == "queue",
          "carom and the queue are there");
    check_measures();
    check_bits(*list[0], *list[1], 'u', 1);
    check_bits(*list[0], *list[1], 'u', 10);
    check_bits(*list[0], *list[1], 'd', 1);
    check_bits(*list[0], *list[1], 'd', 10);
    check_bits(*list[0], *list[1], 'p', 1);
    for (const auto &s : list) {
        check_head_on(*s);
        check_scene(*s, 'u');
        check_scene(*s, 'd');
    }
    std::printf("1..%d\n", number);
    return failures != 0;
}
