// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

#include "bench/peers/step_measures.h"

#include <cmath>
#include <stdexcept>

#include "bench/peers/scene.h"

extern "C" {
#include "carom/carom.h"
}

namespace peers {
namespace {

constexpr double OVERLAP = 0.01;

// A context that throws what goes wrong.
class context {
  public:
    context() {
        check(carom_context_create(nullptr, &handle_, &error_));
    }
    ~context() {
        carom_context_destroy(handle_);
    }
    context(const context &) = delete;
    context &operator=(const context &) = delete;
    void check(carom_status status) const {
        if (status != CAROM_OK) {
            throw std::runtime_error(error_.message);
        }
    }
    carom_context *handle() const {
        return handle_;
    }
    carom_error *error() {
        return &error_;
    }

  private:
    carom_context *handle_ = nullptr;
    carom_error error_{};
};

bool same_velocity(const moving &a, const moving &b, std::uint32_t n) {
    return a.v[0][n] == b.v[0][n] && a.v[1][n] == b.v[1][n] && a.v[2][n] == b.v[2][n];
}

} // namespace

moving moving_scene(char letter, std::uint64_t count, std::uint64_t seed) {
    const standard_scene scene(std::string(1, letter), count, seed);
    moving bodies;
    for (std::size_t n = 0; n < scene.bodies.count; n++) {
        for (int a = 0; a < 3; a++) {
            const double prev = double(scene.bodies.prev[a][n]);
            bodies.x[a].push_back(prev);
            bodies.v[a].push_back(double(scene.bodies.curr[a][n]) - prev);
        }
        bodies.radius.push_back(double(scene.bodies.radius[n]));
    }
    return bodies;
}

long double energy(const moving &bodies) {
    long double sum = 0;
    for (const std::vector<double> &axis : bodies.v) {
        for (const long double v : axis) {
            sum += v * v / 2;
        }
    }
    return sum;
}

double momentum_change(const moving &before, const moving &after) {
    long double change = 0, speeds = 0;
    for (int a = 0; a < 3; a++) {
        long double sum = 0;
        for (std::size_t n = 0; n < before.count(); n++) {
            sum += static_cast<long double>(after.v[a][n]) - before.v[a][n];
        }
        change += sum * sum;
    }
    for (std::size_t n = 0; n < before.count(); n++) {
        speeds += std::hypot(before.v[0][n], before.v[1][n], before.v[2][n]);
    }
    return speeds > 0 ? double(std::sqrt(change) / speeds) : 0;
}

std::vector<pair> first_impacts(const moving &bodies) {
    context c;
    moving copy = bodies;
    carom_motion_f64 motion{};
    carom_step_report report{};
    carom_step_config config = carom_step_config_default();
    motion.size = sizeof motion;
    motion.count = copy.count();
    motion.radius = copy.radius.data();
    for (int a = 0; a < 3; a++) {
        motion.position[a] = copy.x[a].data();
        motion.velocity[a] = copy.v[a].data();
    }
    config.events = true;
    report.size = sizeof report;
    c.check(carom_step_f64(c.handle(), &motion, &config, &report, c.error()));
    std::vector<pair> first;
    std::vector<bool> hit(copy.count());
    for (std::uint64_t n = 0; n < report.event_count; n++) {
        const std::uint32_t i = std::uint32_t(report.event[n].i), k = std::uint32_t(report.event[n].k);
        if (!hit[i] && !hit[k] && report.event[n].t > 0) {
            first.push_back({i, k});
        }
        hit[i] = hit[k] = true;
    }
    return first;
}

std::size_t missed(const std::vector<pair> &impacts, const moving &before, const moving &after) {
    std::size_t count = 0;
    for (const pair &p : impacts) {
        count += same_velocity(before, after, p.i) || same_velocity(before, after, p.k);
    }
    return count;
}

std::size_t overlaps(const moving &bodies) {
    context c;
    std::vector<double> radius;
    for (const double r : bodies.radius) {
        radius.push_back((1 - OVERLAP) * r);
    }
    carom_bodies_f64 resting{};
    carom_detect_config config = carom_detect_config_default();
    carom_detection_f64 found{};
    resting.count = bodies.count();
    resting.radius = radius.data();
    for (int a = 0; a < 3; a++) {
        resting.prev[a] = bodies.x[a].data();
    }
    config.count_only = true;
    c.check(carom_detect_f64(c.handle(), &resting, &config, nullptr, &found, c.error()));
    return found.summary.touching_pairs;
}

} // namespace peers
