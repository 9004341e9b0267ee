/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: points, planes, lines, segments, boxes along the axes. Out: their distances and crossings. What is decided
 * exactly is the sign of a sum of four products. */
#include <math.h>
#include <stddef.h>

#include "carom/plane.h"
#include "kernel/shape/exact_sign.h"
#include "kernel/sys/arithmetic.h"
#include "simd/vector.h"

/* The square of the sine of an angle below which segments count as parallel: then the parameters of nearest points are
 * nothing but rounding, and anywhere side by side the distance is the least but for 2^-48 of half a length. */
static const double PARALLEL_SQUARE = 0x1p-96;

static void subtract(const double a[3], const double b[3], double difference[3]) {
    for (int d = 0; d < 3; d++) {
        difference[d] = a[d] - b[d];
    }
}

/* Its length, without a square that could be too small for doubles. */
static double length_of(const double v[3]) {
    double unit[3] = {0.0, 0.0, 0.0};
    (void)carom_vector_unit(v, unit);
    return carom_vector_dot(v, unit);
}

static double clamp(double t) {
    return fmax(0.0, fmin(1.0, t));
}

static double quotient(double a, double b) {
    return b > 0.0 ? a / b : 0.0;
}

static double height(const double n[3], double offset, const double point[3]) {
    double unit[3];
    if (!carom_vector_unit(n, unit)) {
        return 0.0;
    }
    return carom_vector_dot(unit, point) - offset / carom_vector_dot(unit, n);
}

double carom_plane_point_f64(const double n[3], double offset, const double point[3]) {
    const carom_arithmetic before = carom_arithmetic_enter();
    const double distance = height(n, offset, point);
    carom_arithmetic_leave(before);
    return distance;
}

/* On which side of the plane a point is: -1, 0 or 1. */
static int side_of(const double n[3], double offset, const double point[3]) {
    const double a[4] = {n[0], n[1], n[2], -offset};
    const double b[4] = {point[0], point[1], point[2], 1.0};
    return carom_exact_sign_any(a, b);
}

/* Where a segment crosses whose ends are on these sides. */
static void set_crossing(const double a[3], const double b[3], double of_a, double of_b, const int side[2],
                         double at[4]) {
    double way[3];
    subtract(b, a, way);
    const double t = clamp(quotient(fabs(of_a), fabs(of_a) + fabs(of_b)));
    at[0] = side[0] == 0 ? 0.0 : side[1] == 0 ? 1.0 : t;
    for (int d = 0; d < 3; d++) {
        at[1 + d] = side[0] != 0 && side[1] == 0 ? b[d] : a[d] + at[0] * way[d];
    }
}

bool carom_plane_segment_f64(const double n[3], double offset, const double a[3], const double b[3], double at[4]) {
    const carom_arithmetic before = carom_arithmetic_enter();
    const int side[2] = {side_of(n, offset, a), side_of(n, offset, b)};
    const bool meets = side[0] * side[1] <= 0;
    if (meets && at != NULL) {
        set_crossing(a, b, height(n, offset, a), height(n, offset, b), side, at);
    }
    carom_arithmetic_leave(before);
    return meets;
}

static double line_sphere(const double from[3], const double l[3], const double centre[3], double radius,
                          double nearest[3]) {
    double unit[3] = {0.0, 0.0, 0.0};
    double way[3];
    (void)carom_vector_unit(l, unit);
    subtract(centre, from, way);
    const double t = carom_vector_dot(way, unit);
    carom_vector_add(way, -t, unit, way);
    if (nearest != NULL) {
        carom_vector_add(from, t, unit, nearest);
    }
    return length_of(way) - radius;
}

double carom_plane_line_sphere_f64(const double from[3], const double l[3], const double centre[3], double radius,
                                   double nearest[3]) {
    const carom_arithmetic before = carom_arithmetic_enter();
    const double distance = line_sphere(from, l, centre, radius, nearest);
    carom_arithmetic_leave(before);
    return distance;
}

/* v less its part along u, which is taken away twice (Parlett, The Symmetric Eigenvalue Problem, 6.9: "twice is
 * enough"). The first difference is off by a rounding of v. If the angle between the two is small, what of that is
 * along u would move the nearest points by 2^-53 / angle^2 of their coordinates, and so the distance by 2^-53 / angle.
 * After the second it is a rounding of w. What is off across u remains, but moves the points only as far as distances
 * are the same to a rounding. */
static void part_across(const double u[3], const double v[3], double w[3]) {
    const double square = carom_vector_dot(u, u);
    carom_vector_add(v, -quotient(carom_vector_dot(u, v), square), u, w);
    carom_vector_add(w, -quotient(carom_vector_dot(u, w), square), u, w);
}

/* Where on k, b + t v, points are nearest to i, a + s u, if the ends do not matter; of parallel ones, the middle of
 * what lies side by side. `way` is a - b. */
static double free_time(const double way[3], const double u[3], const double v[3]) {
    double w[3];
    double far[3];
    const double square = carom_vector_dot(v, v);
    part_across(u, v, w);
    const double across = carom_vector_dot(w, w);
    if (carom_vector_dot(u, u) > 0.0 && across > PARALLEL_SQUARE * square) {
        return carom_vector_dot(way, w) / across;
    }
    carom_vector_add(way, 1.0, u, far);
    const double ends[2] = {quotient(carom_vector_dot(way, v), square), quotient(carom_vector_dot(far, v), square)};
    return 0.5 * (fmax(fmin(ends[0], ends[1]), 0.0) + fmin(fmax(ends[0], ends[1]), 1.0));
}

/* Closest points of segments after Ericson, "Real-Time Collision Detection", 5.1.9. */
static double segments(const double i[2][3], const double k[2][3], double nearest[2][3]) {
    double u[3];
    double v[3];
    double way[3];
    double apart[3];
    subtract(i[1], i[0], u);
    subtract(k[1], k[0], v);
    subtract(i[0], k[0], way);
    double t = clamp(free_time(way, u, v));
    carom_vector_add(way, -t, v, apart);
    const double s = clamp(quotient(-carom_vector_dot(apart, u), carom_vector_dot(u, u)));
    carom_vector_add(way, s, u, apart);
    t = clamp(quotient(carom_vector_dot(apart, v), carom_vector_dot(v, v)));
    carom_vector_add(apart, -t, v, apart);
    if (nearest != NULL) {
        carom_vector_add(i[0], s, u, nearest[0]);
        carom_vector_add(k[0], t, v, nearest[1]);
    }
    return length_of(apart);
}

double carom_plane_segments_f64(const double i[2][3], const double k[2][3], double nearest[2][3]) {
    const carom_arithmetic before = carom_arithmetic_enter();
    const double distance = segments(i, k, nearest);
    carom_arithmetic_leave(before);
    return distance;
}

/* Whether p - q <= sum, exactly, where sum = h_p + h_q. */
static bool is_within(double p, double q, double h_p, double h_q) {
    const double a[4] = {p, -q, -h_p, -h_q};
    const double one[4] = {1.0, 1.0, 1.0, 1.0};
    return carom_exact_sign_any(a, one) <= 0;
}

bool carom_plane_boxes_f64(const double c_i[3], const double h_i[3], const double c_k[3], const double h_k[3]) {
    const carom_arithmetic before = carom_arithmetic_enter();
    bool meet = true;
    for (int d = 0; d < 3; d++) {
        meet = meet && is_within(c_i[d], c_k[d], h_i[d], h_k[d]) && is_within(c_k[d], c_i[d], h_i[d], h_k[d]);
    }
    carom_arithmetic_leave(before);
    return meet;
}
