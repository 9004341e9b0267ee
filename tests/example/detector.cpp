/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Carom in C++: a context that frees itself, vectors in and out, and an exception for every failure. */
#include <carom/carom.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

struct Bodies {
    std::array<std::vector<double>, 3> prev, curr;
    std::vector<double> radius;
};

struct Contact {
    std::uint32_t i, k;
    double time;
    std::array<double, 3> normal, point;
};

class Error : public std::runtime_error {
  public:
    explicit Error(const carom_error &error) : std::runtime_error(error.message), status(error.status) {
    }
    carom_status status;
};

class Detector {
  public:
    Detector() {
        carom_error error;
        carom_context *created;
        if (carom_context_create(nullptr, &created, &error) != CAROM_OK) {
            throw Error(error);
        }
        context.reset(created);
    }

    /* The contacts of one step in order of their time. */
    std::vector<Contact> contacts(const Bodies &bodies) {
        carom_bodies_f64 arrays{};
        arrays.count = bodies.radius.size();
        arrays.radius = bodies.radius.data();
        for (int a = 0; a < 3; a++) {
            arrays.prev[a] = bodies.prev[a].data();
            arrays.curr[a] = bodies.curr[a].data();
        }
        carom_detection_f64 found = {};
        carom_error error;
        if (carom_detect_f64(context.get(), &arrays, nullptr, nullptr, &found, &error) != CAROM_OK) {
            throw Error(error);
        }
        return in_order_of_time(found);
    }

  private:
    static std::vector<Contact> in_order_of_time(const carom_detection_f64 &found) {
        std::vector<Contact> contacts;
        for (std::uint64_t n = 0; n < found.pair_count; n++) {
            contacts.push_back({found.contacts.i[n],
                                found.contacts.k[n],
                                found.contacts.t_toi[n],
                                {found.contacts.normal[0][n], found.contacts.normal[1][n], found.contacts.normal[2][n]},
                                {found.contacts.point[0][n], found.contacts.point[1][n], found.contacts.point[2][n]}});
        }
        std::sort(contacts.begin(), contacts.end(), [](const Contact &a, const Contact &b) { return a.time < b.time; });
        return contacts;
    }

    struct Destroy {
        void operator()(carom_context *created) const {
            carom_context_destroy(created);
        }
    };
    std::unique_ptr<carom_context, Destroy> context;
};

/* A ball runs through a row of balls at rest, each further aside than the one before. */
static Bodies bowling() {
    Bodies bodies;
    for (int b = 0; b < 9; b++) {
        const double start[3] = {b == 0 ? -10 : 4.0 * b, b == 0 ? 0 : 0.25 * b, 0};
        for (int a = 0; a < 3; a++) {
            bodies.prev[a].push_back(start[a]);
            bodies.curr[a].push_back(b == 0 && a == 0 ? 40 : start[a]);
        }
        bodies.radius.push_back(0.75);
    }
    return bodies;
}

int main() {
    try {
        Detector detector;
        Bodies bodies = bowling();
        for (const Contact &c : detector.contacts(bodies)) {
            std::printf("t = %.4f: %u meets %u at (%.4f, %.4f), normal (%.4f, %.4f)\n", c.time, c.i, c.k, c.point[0],
                        c.point[1], c.normal[0], c.normal[1]);
        }
        bodies.curr[1][5] = std::numeric_limits<double>::quiet_NaN();
        detector.contacts(bodies);
    } catch (const Error &error) {
        std::printf("%s: %s\n", carom_status_name(error.status), error.what());
    }
}
