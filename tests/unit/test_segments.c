/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* carom_plane_segments_f32 and _f64 keep what carom/plane.h says of rounding, most of all where segments are nearly
 * parallel, lie side by side, cross, touch or are points. Ends are whole numbers, so that the reference finds what is
 * nearest by exact sums of integers. Its distances are the root of a quotient of two, rounded three times. */
#include <math.h>
#include <stdlib.h>

#include "carom/plane.h"
#include "kernel/scene/random.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

enum { CASES = 200000 };

/* Segments are about as long as 2 to this. Ends are then below 2^29, and sums of products of four differences below
 * 2^118; ends of floats are below 2^23, so that they are exact. */
enum { MOST_BITS = 28, FLOAT_BITS = 22 };

/* What lengths may be off by, relative to the greatest coordinate. */
static const double ROUNDING = 0x1p-46;

/* What a float is off by, relative to itself; it is rounded from a double that is off, too. */
static const double FLOAT_ROUNDING = 0x1.001p-24;

__extension__ typedef __int128 wide;

typedef struct whole_segment {
    int64_t end[2][3];
} whole_segment;

static wide dot(const int64_t a[3], const int64_t b[3]) {
    return (wide)a[0] * b[0] + (wide)a[1] * b[1] + (wide)a[2] * b[2];
}

static void cross(const int64_t a[3], const int64_t b[3], int64_t n[3]) {
    for (int d = 0; d < 3; d++) {
        n[d] = a[(d + 1) % 3] * b[(d + 2) % 3] - a[(d + 2) % 3] * b[(d + 1) % 3];
    }
}

static void subtract(const int64_t a[3], const int64_t b[3], int64_t way[3]) {
    for (int d = 0; d < 3; d++) {
        way[d] = a[d] - b[d];
    }
}

/* The distance of a point from a segment. */
static double from_point(const int64_t point[3], const whole_segment *segment) {
    int64_t u[3];
    int64_t way[3];
    int64_t n[3];
    subtract(segment->end[1], segment->end[0], u);
    subtract(point, segment->end[0], way);
    const wide along = dot(way, u);
    if (along > 0 && along < dot(u, u)) {
        cross(way, u, n);
        return sqrt((double)dot(n, n) / (double)dot(u, u));
    }
    subtract(point, segment->end[along > 0], way);
    return sqrt((double)dot(way, way));
}

/* Whether the lines are nearest inside both segments; *distance is that of the lines. */
static bool nearest_inside(const whole_segment *i, const whole_segment *k, double *distance) {
    int64_t u[3];
    int64_t v[3];
    int64_t way[3];
    int64_t n[3];
    int64_t turned[2][3];
    subtract(i->end[1], i->end[0], u);
    subtract(k->end[1], k->end[0], v);
    subtract(k->end[0], i->end[0], way);
    cross(u, v, n);
    cross(way, v, turned[0]);
    cross(way, u, turned[1]);
    const wide square = dot(n, n);
    const wide s = dot(turned[0], n);
    const wide t = dot(turned[1], n);
    *distance = square > 0 ? fabs((double)dot(way, n)) / sqrt((double)square) : 0.0;
    return square > 0 && s >= 0 && s <= square && t >= 0 && t <= square;
}

/* If not inside, it is nearest at an end. */
static double distance_of(const whole_segment *i, const whole_segment *k) {
    double least;
    if (nearest_inside(i, k, &least)) {
        return least;
    }
    least = from_point(i->end[0], k);
    least = fmin(least, from_point(i->end[1], k));
    least = fmin(least, from_point(k->end[0], i));
    return fmin(least, from_point(k->end[1], i));
}

static double uniform(carom_random *random) {
    return 2.0 * carom_random_u01(random) - 1.0;
}

/* A whole number of up to so many bits, or of far fewer. */
static int64_t whole(carom_random *random, int bits) {
    const int fewer = (int)(carom_random_next(random) % (uint64_t)(bits + 1));
    return (int64_t)(uniform(random) * (double)(INT64_C(1) << fewer));
}

/* i is any segment; k is from beside a point of its line, or on it, along it but for a tilt. */
static void draw_nearly_parallel(carom_random *random, int bits, whole_segment *i, whole_segment *k) {
    const double from = 1.5 * uniform(random);
    const double length = 1.5 * uniform(random);
    const int off = carom_random_next(random) % 4 == 0 ? 0 : bits - 4;
    const int tilt = carom_random_next(random) % 8 == 0 ? 0 : bits - 4;
    for (int d = 0; d < 3; d++) {
        const double size = (double)(INT64_C(1) << (bits - 2));
        const int64_t u = (int64_t)(size * uniform(random));
        i->end[0][d] = (int64_t)(size * uniform(random));
        i->end[1][d] = i->end[0][d] + u;
        k->end[0][d] = i->end[0][d] + (int64_t)(from * (double)u) + whole(random, off);
        k->end[1][d] = k->end[0][d] + (int64_t)(length * (double)u) + whole(random, tilt);
    }
}

/* They cross, most at a small angle: both have their middle at one point. */
static void draw_crossing(carom_random *random, int bits, whole_segment *i, whole_segment *k) {
    for (int d = 0; d < 3; d++) {
        const double size = (double)(INT64_C(1) << (bits - 1));
        const int64_t at = (int64_t)(size * uniform(random));
        const int64_t u = (int64_t)(size * uniform(random));
        const int64_t v = u / 2 + whole(random, bits - 4);
        for (int end = 0; end < 2; end++) {
            i->end[end][d] = end == 0 ? at - u : at + u;
            k->end[end][d] = end == 0 ? at - v : at + v;
        }
    }
}

/* Both begin at one point, or nearly so, and go many steps of the same length and a little aside. The product of their
 * directions is that of step and aside times `fewer`, so angles are as small as 2^-50. */
static void draw_sliver(carom_random *random, int bits, whole_segment *i, whole_segment *k) {
    const int step_bits = 2 + (int)(carom_random_next(random) % 10);
    const int64_t steps = INT64_C(1) << (bits - 2 - step_bits);
    const int64_t fewer = 1 + (int64_t)(carom_random_next(random) % 16);
    const bool touch = carom_random_next(random) % 2 == 0;
    for (int d = 0; d < 3; d++) {
        const int64_t step = (int64_t)(uniform(random) * (double)(INT64_C(1) << step_bits));
        const int64_t aside = whole(random, 3);
        i->end[0][d] = (int64_t)(uniform(random) * (double)(INT64_C(1) << (bits - 2)));
        k->end[0][d] = i->end[0][d] + (touch ? 0 : whole(random, 3));
        i->end[1][d] = i->end[0][d] + steps * step + aside;
        k->end[1][d] = k->end[0][d] + (steps - fewer) * step + aside;
    }
}

static void copy(const int64_t from[3], int64_t to[3]) {
    for (int d = 0; d < 3; d++) {
        to[d] = from[d];
    }
}

/* Now and then one is a point, or one begins where the other ends. */
static void draw_pair(carom_random *random, int bits, whole_segment *i, whole_segment *k) {
    static void (*const draw[])(carom_random *, int, whole_segment *, whole_segment *) = {
        draw_nearly_parallel, draw_nearly_parallel, draw_crossing, draw_sliver};
    draw[carom_random_next(random) % 4](random, bits, i, k);
    switch (carom_random_next(random) % 16) {
    case 0:
        copy(i->end[0], i->end[1]);
        break;
    case 1:
        copy(k->end[0], k->end[1]);
        break;
    case 2:
        copy(i->end[1], k->end[0]);
        break;
    default:
        break;
    }
}

/* The segment times a scale; returns the greatest coordinate. */
static double scaled(const whole_segment *segment, double scale, double end[2][3]) {
    double most = 0.0;
    for (int n = 0; n < 6; n++) {
        end[n / 3][n % 3] = scale * (double)segment->end[n / 3][n % 3];
        most = fmax(most, fabs(end[n / 3][n % 3]));
    }
    return most;
}

static double between(const double a[3], const double b[3]) {
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

/* In both orders, and so do the nearest points. */
static void check_double(const double i[2][3], const double k[2][3], double distance, double allowed) {
    double nearest[2][3];
    const double found = carom_plane_segments_f64(i, k, nearest);
    const double back = carom_plane_segments_f64(k, i, NULL);
    note_check(fabs(found - distance) <= allowed, "%.17g, not %.17g: %g of what is allowed", found, distance,
               fabs(found - distance) / allowed);
    note_check(fabs(back - distance) <= allowed, "%.17g, not %.17g, in the other order", back, distance);
    note_check(fabs(between(nearest[0], nearest[1]) - distance) <= allowed, "points are %.17g apart, not %.17g",
               between(nearest[0], nearest[1]), distance);
}

static void double_case(uint64_t number) {
    static const double scales[] = {1.0, 0x1p-28, 0x1p-160, 0x1p136};
    carom_random random = carom_random_seeded(note_case_seed(number));
    const double scale = scales[carom_random_next(&random) % 4];
    whole_segment i;
    whole_segment k;
    double end[2][2][3];
    draw_pair(&random, MOST_BITS, &i, &k);
    const double most_i = scaled(&i, scale, end[0]);
    const double most_k = scaled(&k, scale, end[1]);
    note_case(number, "two segments, scale %g", scale);
    check_double((const double(*)[3])end[0], (const double(*)[3])end[1], scale * distance_of(&i, &k),
                 ROUNDING * fmax(most_i, most_k));
}

static void test_double(void **state) {
    (void)state;
    note_each_case(CASES, double_case);
}

static void narrow(const double wide_end[2][3], float end[2][3]) {
    for (int n = 0; n < 6; n++) {
        end[n / 3][n % 3] = (float)wide_end[n / 3][n % 3];
    }
}

static void float_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    whole_segment i;
    whole_segment k;
    double end[2][2][3];
    float narrow_end[2][2][3];
    draw_pair(&random, FLOAT_BITS, &i, &k);
    const double most = fmax(scaled(&i, 0x1p-22, end[0]), scaled(&k, 0x1p-22, end[1]));
    narrow((const double(*)[3])end[0], narrow_end[0]);
    narrow((const double(*)[3])end[1], narrow_end[1]);
    const double distance = 0x1p-22 * distance_of(&i, &k);
    const double found =
        (double)carom_plane_segments_f32((const float(*)[3])narrow_end[0], (const float(*)[3])narrow_end[1], NULL);
    note_case(number, "two segments of floats");
    note_check(fabs(found - distance) <= ROUNDING * most + FLOAT_ROUNDING * distance, "%.17g, not %.17g", found,
               distance);
}

static void test_float(void **state) {
    (void)state;
    note_each_case(CASES, float_case);
}

/* Two that all but touch, at an angle of 2^-27: they were said to be 50,000 times as far apart. */
static void test_known(void **state) {
    (void)state;
    const double i[2][3] = {{0x1.0dba7c209fee4p-1, 0x1.ab00beabca9dcp-1, 0x1.c692f6decc7fcp-3},
                            {0x1.d56a49cf57202p-3, 0x1.208b9a49cb5b4p-1, -0x1.7a58d2f680d78p-2}};
    const double k[2][3] = {{0x1.83150e9475f0cp-2, 0x1.65c62c7acb069p-1, -0x1.2e1eaf0e35dcep-4},
                            {0x1.59ea7133b1116p-1, 0x1.f03b511d380cep-1, 0x1.090d512b9e5d2p-1}};
    note_case(0, "known segments");
    check_double(i, k, 6.70093058033349e-14, ROUNDING * 0x1.f03b511d380cep-1);
}

/* Of parallel ones the nearest points are in the middle of what lies side by side, whichever way k goes. */
static void test_parallel(void **state) {
    (void)state;
    const double i[2][3] = {{0.0, 0.0, 0.0}, {4.0, 0.0, 0.0}};
    const double k[2][3] = {{1.0, 1.0, 0.0}, {5.0, 1.0, 0.0}};
    const double back[2][3] = {{5.0, 1.0, 0.0}, {1.0, 1.0, 0.0}};
    double nearest[2][3];
    note_case(0, "parallel segments");
    check_double(i, k, 1.0, 0x1p-44);
    (void)carom_plane_segments_f64(i, k, nearest);
    note_check(fabs(nearest[0][0] - 2.5) <= 0x1p-44, "the middle is at 2.5, not %.17g", nearest[0][0]);
    (void)carom_plane_segments_f64(i, back, nearest);
    note_check(fabs(nearest[1][0] - 2.5) <= 0x1p-44, "the middle is at 2.5, not %.17g", nearest[1][0]);
}

int main(void) {
    note_start("tests/unit/test_segments");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_double),
        cmocka_unit_test(test_float),
        cmocka_unit_test(test_known),
        cmocka_unit_test(test_parallel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
