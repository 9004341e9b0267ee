// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// Guards the yardstick of shapes: that pairs of every kind touch about as often as they should; that every library, set
// up as here, answers every question that it offers on a few hundred pairs, agrees with Carom on who touches and comes
// close with its numbers; that hulls have closed surfaces; that wrong answers are counted, and pairs left out on which
// a library ends the process. Writes TAP.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "bench/peers/shape_measure.h"

namespace {

using peers::answer;
using peers::question;
using peers::shape_measures;

constexpr std::uint64_t PAIRS = 400, MANY_PAIRS = 4000, SHAPES = 16, MANY_SHAPES = 64;

int number = 0, failures = 0;

void check(bool good, const std::string &what) {
    std::printf("%s %d - %s\n", good ? "ok" : "not ok", ++number, what.c_str());
    failures += !good;
}

// Pairs that go when the test no longer needs them. Bodies in motion lie in random order.
class made_pairs {
  public:
    made_pairs(const carom_pair_kind &kind, std::uint64_t count, std::uint64_t shapes, bool moving) {
        const carom_shape_pairs_config config = {count, shapes, 1, moving, moving};
        carom_shape_pairs_make(&kind, &config, &pairs_);
    }
    ~made_pairs() {
        carom_shape_pairs_release(&pairs_);
    }
    made_pairs(const made_pairs &) = delete;
    made_pairs &operator=(const made_pairs &) = delete;
    const carom_shape_pairs &get() const {
        return pairs_;
    }

  private:
    carom_shape_pairs pairs_;
};

std::vector<shape_measures> measure(const peers::shape_peer_list &list, const carom_shape_pairs &pairs, question what) {
    return peers::measure_shapes(list, pairs, {what, 1, true});
}

// Signed distances of spheres by the formula, under any name; every `nth` pair is done wrong.
class spheres_peer : public peers::single_peer {
  public:
    enum fault { none, opposite, larger, silent, end };
    spheres_peer(const std::string &name, std::uint32_t nth, fault wrong)
        : single_peer(name), nth_(nth), wrong_(wrong) {
    }
    bool offers(const carom_pair_kind &, question) const override {
        return true;
    }
    void prepare(const carom_shape_pairs &pairs, question) override {
        start(pairs);
    }
    void run() override {
        each([this](std::uint32_t n) { return n % nth_ == 0 ? spoil(right(n)) : right(n); });
    }

  private:
    answer right(std::uint32_t n) const {
        const peers::placed i = peers::place_of(*pairs_, pairs_->i[n]), k = peers::place_of(*pairs_, pairs_->k[n]);
        const double s =
            std::hypot(i.at[0] - k.at[0], i.at[1] - k.at[1], i.at[2] - k.at[2]) - i.shape->radius - k.shape->radius;
        return {s <= 0, true, s};
    }
    answer spoil(answer a) const {
        if (wrong_ == end) {
            std::abort();
        }
        a.hit ^= wrong_ == opposite;
        a.value += wrong_ == larger ? 0.5 : 0;
        a.known = wrong_ != silent;
        return a;
    }

    std::uint32_t nth_;
    fault wrong_;
};

// Every 100th of 400 pairs is wrong: four of them.
void check_measures() {
    const made_pairs pairs(*carom_pair_kind_named("sphere-sphere"), PAIRS, SHAPES, false);
    peers::shape_peer_list list;
    list.push_back(std::make_unique<spheres_peer>("carom-f64", 1000000, spheres_peer::larger));
    list.push_back(std::make_unique<spheres_peer>("opposite", 100, spheres_peer::opposite));
    list.push_back(std::make_unique<spheres_peer>("larger", 1, spheres_peer::larger));
    list.push_back(std::make_unique<spheres_peer>("silent", 1, spheres_peer::silent));
    list.push_back(std::make_unique<spheres_peer>("end", 100, spheres_peer::end));
    const std::vector<shape_measures> m = measure(list, pairs.get(), question::distance);
    check(m.size() == 5 && m[0].disagreements == 0 && m[0].greatest_error == 0, "the truth agrees with itself");
    check(m[1].disagreements == 4 && m[1].compared == PAIRS, "wrong decisions are counted");
    check(std::abs(m[2].greatest_error - 0.5) < 1e-12 && m[2].disagreements == 0, "errors are seen");
    check(m[3].unanswered > PAIRS / 4 && m[3].numbers == 0, "missing numbers are counted");
    check(m[4].ended == 4 && m[4].asked == PAIRS - 4 && m[4].disagreements == 0 && m[4].compared == PAIRS - 4,
          "pairs that end the process are left out");
}

// Every edge belongs to two triangles, one in each direction, and there are as many as Euler says.
bool closed(const carom_shape &hull) {
    const std::vector<int> corners = peers::hull_triangles(hull);
    std::map<std::pair<int, int>, int> edges;
    for (std::size_t n = 0; n < corners.size(); n += 3) {
        for (std::size_t e = 0; e < 3; e++) {
            edges[{corners[n + e], corners[n + (e + 1) % 3]}]++;
        }
    }
    bool good = corners.size() == 3 * (2 * hull.point_count - 4);
    for (const auto &[edge, count] : edges) {
        good = good && count == 1 && edges.count({edge.second, edge.first}) == 1;
    }
    return good;
}

void check_hulls(const carom_pair_kind &kind) {
    const made_pairs pairs(kind, 1, MANY_SHAPES, false);
    std::size_t good = 0;
    for (std::uint64_t n = 0; n < pairs.get().shape_count; n++) {
        good += closed(pairs.get().shape[n]);
    }
    check(good == pairs.get().shape_count, std::string(kind.name) + ": hulls are closed");
}

// The first that decides: Carom, if it is there.
void check_hit_rate(const peers::shape_peer_list &list, const carom_pair_kind &kind) {
    const made_pairs pairs(kind, MANY_PAIRS, MANY_SHAPES, false);
    for (const auto &peer : list) {
        if (peer->offers(kind, question::state)) {
            peer->prepare(pairs.get(), question::state);
            peer->run();
            double hits = 0;
            for (std::size_t n = 0; n < MANY_PAIRS; n++) {
                hits += peer->read(n).hit;
            }
            peer->release();
            check(hits >= 0.46 * MANY_PAIRS && hits <= 0.55 * MANY_PAIRS,
                  std::string(kind.name) + ": " + std::to_string(100 * hits / MANY_PAIRS) + " % touch");
            return;
        }
    }
}

// Libraries are far off on some pairs, but not on most: depths by portals are not the least ones, and FCL's own solver
// stops early.
double median_limit(question what) {
    return what == question::distance ? 2e-4 : what == question::toi ? 0.01 : 0.25;
}

// Carom in float against Carom in double. Passing within the tolerance of floats is a hit to them.
bool close_to_double(question what, const shape_measures &m) {
    const bool toi = what == question::toi;
    return m.disagreements <= (toi ? 2 : 0) && m.unanswered == 0 && m.greatest_error <= (toi ? 5e-3 : 1e-5);
}

void check_one(const carom_pair_kind &kind, question what, const shape_measures &m) {
    char text[256];
    std::snprintf(text, sizeof text,
                  "%s, %s, %s: %zu wrong of %zu, %zu of %zu without a number, errors %.2g and %.2g, %zu left out",
                  kind.name, peers::question_name(what), m.library.c_str(), m.disagreements, m.compared, m.unanswered,
                  m.numbers, m.median_error, m.greatest_error, m.ended);
    const bool timed = m.seconds.size() == 1 && m.nanoseconds() > 0;
    const std::size_t few = PAIRS / 50;
    const bool close =
        m.disagreements <= few && m.unanswered <= few && m.ended <= few && m.median_error <= median_limit(what);
    const bool ours = m.library.compare(0, 5, "carom") == 0;
    check(timed && (ours ? close_to_double(what, m) : close), text);
}

void check_peers(const peers::shape_peer_list &list, const carom_pair_kind &kind) {
    const made_pairs resting(kind, PAIRS, SHAPES, false), moving(kind, PAIRS, SHAPES, true);
    for (const question what : peers::all_questions) {
        const made_pairs &pairs = what == question::toi ? moving : resting;
        for (const shape_measures &m : measure(list, pairs.get(), what)) {
            check_one(kind, what, m);
        }
    }
}

} // namespace

int main() {
    const peers::shape_peer_list list = peers::all_shape_peers();
    const carom_pair_kind *kinds;
    const std::size_t count = carom_pair_kinds(&kinds);
    check_measures();
    for (std::size_t n = 0; n < count; n++) {
        if (kinds[n].points > 0) {
            check_hulls(kinds[n]);
        }
        check_hit_rate(list, kinds[n]);
        check_peers(list, kinds[n]);
    }
    std::printf("1..%d\n", number);
    return failures != 0;
}
