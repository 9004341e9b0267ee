// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

#include "bench/peers/shape_peer.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace peers {
namespace {

using matrix = std::array<std::array<double, 3>, 3>;

// I + 2 (w [v] + [v]^2) / (q.q), as carom/shapes.h has it.
matrix rotation(const double q[4]) {
    const double scale = 2 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    matrix m;
    for (int r = 0; r < 3; r++) {
        const int s = (r + 1) % 3, t = (r + 2) % 3;
        m[r][r] = 1 - scale * (q[s] * q[s] + q[t] * q[t]);
        m[r][s] = scale * (q[r] * q[s] - q[t] * q[3]);
        m[r][t] = scale * (q[r] * q[t] + q[s] * q[3]);
    }
    return m;
}

// The rotation by the vector's length about its direction.
matrix exponential(const double spin[3]) {
    const double angle = std::hypot(spin[0], spin[1], spin[2]);
    const double share = angle > 0 ? std::sin(angle / 2) / angle : 0.5;
    const double q[4] = {share * spin[0], share * spin[1], share * spin[2], std::cos(angle / 2)};
    return rotation(q);
}

placed place(const carom_shape_pairs &pairs, std::uint32_t body, float *const at[3]) {
    placed p = {&pairs.shape[pairs.entry[body]], {}, {}};
    const double q[4] = {pairs.turn[0][body], pairs.turn[1][body], pairs.turn[2][body], pairs.turn[3][body]};
    const matrix m = rotation(q);
    for (int r = 0; r < 3; r++) {
        p.at[r] = double(at[r][body]);
        std::copy(m[r].begin(), m[r].end(), p.turn[r]);
    }
    return p;
}

// Positive if d lies behind the triangle abc, whose front is where it is counterclockwise.
double orientation(const double a[3], const double b[3], const double c[3], const double d[3]) {
    double u[3], v[3], w[3];
    for (int n = 0; n < 3; n++) {
        u[n] = b[n] - a[n];
        v[n] = c[n] - a[n];
        w[n] = a[n] - d[n];
    }
    return u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
}

// Whether all other points lie behind the triangle.
bool is_face(const carom_shape &hull, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    for (std::uint64_t d = 0; d < hull.point_count; d++) {
        const bool own = d == a || d == b || d == c;
        if (!own && orientation(hull.point[a], hull.point[b], hull.point[c], hull.point[d]) <= 0) {
            return false;
        }
    }
    return true;
}

} // namespace

const char *question_name(question what) {
    static const char *const names[] = {"state", "distance", "depth", "manifold", "toi"};
    return names[int(what)];
}

void single_peer::start(const carom_shape_pairs &pairs) {
    pairs_ = &pairs;
    answers_.assign(pairs.config.count, {false, false, 0, false});
    asked_.resize(pairs.config.count);
    for (std::size_t n = 0; n < asked_.size(); n++) {
        asked_[n] = std::uint32_t(n);
    }
}

void single_peer::leave_out(std::uint32_t pair) {
    asked_.erase(std::remove(asked_.begin(), asked_.end(), pair), asked_.end());
}

void single_peer::release() {
    pairs_ = nullptr;
    answers_.clear();
    asked_.clear();
}

placed place_of(const carom_shape_pairs &pairs, std::uint32_t body) {
    return place(pairs, body, pairs.prev);
}

placed place_after(const carom_shape_pairs &pairs, std::uint32_t body) {
    placed p = place(pairs, body, pairs.curr);
    const double spin[3] = {pairs.spin[0][body], pairs.spin[1][body], pairs.spin[2][body]};
    const matrix turned = exponential(spin);
    matrix m{};
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            m[r][c] = turned[r][0] * p.turn[0][c] + turned[r][1] * p.turn[1][c] + turned[r][2] * p.turn[2][c];
        }
    }
    for (int r = 0; r < 3; r++) {
        std::copy(m[r].begin(), m[r].end(), p.turn[r]);
    }
    return p;
}

std::vector<int> hull_triangles(const carom_shape &hull) {
    std::vector<int> corners;
    for (std::uint64_t a = 0; a < hull.point_count; a++) {
        for (std::uint64_t b = a + 1; b < hull.point_count; b++) {
            for (std::uint64_t c = b + 1; c < hull.point_count; c++) {
                if (is_face(hull, a, b, c)) {
                    corners.insert(corners.end(), {int(a), int(b), int(c)});
                } else if (is_face(hull, a, c, b)) {
                    corners.insert(corners.end(), {int(a), int(c), int(b)});
                }
            }
        }
    }
    return corners;
}

} // namespace peers
