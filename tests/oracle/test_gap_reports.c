/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Pairs on which other libraries gave no answer or a wrong one, from their public reports: shapes that touch, share a
 * centre or lie flat on one another. Each in both orders, at scales from 1e-6 to 1e6, against what it must be and
 * against the proved reference. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/oracle/gap_judge.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

enum { TEXT = 4000 };

/* A pair, its signed distance, and how exactly that is known. */
typedef struct report {
    const char *name;
    solid_input i;
    solid_input k;
    double s;
    double known;
} report;

#define BOX(x, y, z)                                                                                                   \
    {                                                                                                                  \
        .kind = CAROM_SHAPE_BOX, .extent = { x, y, z }                                                                 \
    }
#define CYLINDER(r, h)                                                                                                 \
    {                                                                                                                  \
        .kind = CAROM_SHAPE_CYLINDER, .radius = r, .extent = { 0, 0, h }                                               \
    }
#define CAPSULE(r, h)                                                                                                  \
    {                                                                                                                  \
        .kind = CAROM_SHAPE_CAPSULE, .radius = r, .extent = { 0, 0, h }                                                \
    }
#define SPHERE(r)                                                                                                      \
    { .kind = CAROM_SHAPE_SPHERE, .radius = r }
#define TRIANGLE(p)                                                                                                    \
    { .kind = CAROM_SHAPE_HULL, .point = p, .point_count = 3 }
#define TURN_493 -0.08751435666100872, 0.10663655213100272, -0.08751435666100872, 0.9865653148707548
#define TURN_495 0.13544811187454386, 0.10570474399255832, -0.13544811187454384, 0.9757736033920521

/* Its edge x = 0.25 - 1e-3 is all that a cylinder of radius 0.25 meets. */
static const double EDGE[3][3] = {{0.249, -5, 0}, {0.249, 5, 0}, {9, 0, 0.5}};

static const report REPORTS[] = {
    {"fcl 319: a box and a cylinder",
     {BOX(0.025, 0.195, 0.735), {0.8, -0.385, 0.735}, {0, 0, 0.707107, 0.707107}},
     {CYLINDER(0.18, 0.09), {0.4, -0.4, 0.93}, {0, 0, -0.130526, 0.991445}},
     0.025,
     0.02},
    {"fcl 319: a cylinder above a box",
     {CYLINDER(0.05, 0.03),
      {0.57500009756757608503, -0.42711963046787942977, 1.1867093358746836351},
      {2.236821190709196e-06, 0.7071067809569429, 0.7071067814090776, 2.236378733010107e-06}},
     {BOX(0.0125, 0.175, 0.9225), {0.8, -0.45750000000000001776, 0}, {0, 0, 1, 1}},
     0.2189,
     1e-3},
    {"fcl 493: cubes corner to corner, turned alike",
     {BOX(0.25, 0.25, 0.25), {2.0770063995786869349, 0.48468247475641951239, 1.1543291419087275962}, {TURN_493}},
     {BOX(0.25, 0.25, 0.25), {2, 0, 1.25}, {TURN_493}},
     0,
     1e-12},
    {"libccd 25: a cube on a cube", {BOX(1, 1, 1), {0, 0, 1.9}, {0}}, {BOX(1, 1, 1), {0, 0, 0}, {0}}, -0.1, 1e-12},
    {"libccd 68: cubes with one centre", {BOX(1, 1, 1), {0, 0, 0}, {0}}, {BOX(1, 1, 1), {0, 0, 0}, {0}}, -2, 1e-12},
    {"libccd 68: cubes that touch", {BOX(1, 1, 1), {2, 0.5, 0}, {0}}, {BOX(1, 1, 1), {0, 0, 0}, {0}}, 0, 1e-12},
    {"fcl 578: a face in a face, edges aligned", {BOX(1, 2, 3), {2, 0, 0}, {0}}, {BOX(1, 2, 3), {0}, {0}}, 0, 1e-12},
    {"fcl 578: an edge in an edge", {BOX(1, 2, 3), {2, 4, 0}, {0}}, {BOX(1, 2, 3), {0}, {0}}, 0, 1e-12},
    {"fcl 578: a corner in a corner", {BOX(1, 2, 3), {2, 4, 6}, {0}}, {BOX(1, 2, 3), {0}, {0}}, 0, 1e-12},
    {"spheres that touch", {SPHERE(1), {1.5, 0, 0}, {0}}, {SPHERE(0.5), {0, 0, 0}, {0}}, 0, 1e-12},
    {"spheres with one centre", {SPHERE(1), {3, 4, 5}, {0}}, {SPHERE(0.5), {3, 4, 5}, {0}}, -1.5, 1e-12},
    {"a sphere that touches a cube", {SPHERE(0.5), {1.5, 0.25, 0}, {0}}, {BOX(1, 1, 1), {0}, {0}}, 0, 1e-12},
    {"a sphere with its centre in a face", {SPHERE(0.5), {1, 0, 0}, {0}}, {BOX(1, 1, 1), {0}, {0}}, -0.5, 1e-12},
    {"jolt 1008: a cylinder over a triangle's edge",
     {CYLINDER(0.25, 0.9), {0, 0, 0.1}, {0}},
     {TRIANGLE(EDGE), {0, 0, 0}, {0}},
     -1e-3,
     2e-4},
    {"jolt 2103: a cylinder that touches a capsule",
     {CYLINDER(0.4975, 0.3), {-0.951660156, 7.63574218, -2.09155273}, {0}},
     {CAPSULE(7.19732189, 2.03114343), {0, 0, 0}, {0}},
     0,
     0.01},
    {"jolt 1734: a cylinder on a flat box",
     {CYLINDER(0.75, 1.2), {0, 0, 1.2}, {0}},
     {BOX(9, 9, 0), {0}, {0}},
     0,
     1e-12},
    {"fcl 508: cubes above one another",
     {BOX(0.5, 0.5, 0.5), {0, 4, 0}, {0}},
     {BOX(0.5, 0.5, 0.5), {0}, {0}},
     3,
     1e-12},
    {"identical boxes", {BOX(1, 2, 3), {7, 8, 9}, {TURN_495}}, {BOX(1, 2, 3), {7, 8, 9}, {TURN_495}}, -2, 1e-12},
};

enum { COUNT = sizeof REPORTS / sizeof REPORTS[0] };

static void scale(solid_input *input, double by, double point[3][3]) {
    carom_shape *shape = &input->shape;
    shape->radius *= by;
    for (int d = 0; d < 3; d++) {
        shape->extent[d] *= by;
        input->at[d] *= by;
        for (uint64_t n = 0; n < shape->point_count; n++) {
            point[n][d] = shape->point[n][d] * by;
        }
    }
    if (shape->point_count > 0) {
        shape->point = (const double(*)[3])point;
    }
}

static carom_gap check(const solid_input *i, const solid_input *k, double tolerance) {
    const truth_effort effort = {.width = 1e-13L, .triangles = 3000};
    char text[TEXT];
    gap_case c = {.i = i, .k = k, .solids = solid_pair_of(i, k)};
    c.task = (carom_gap_task){.detail = CAROM_GAP_DISTANCE, .tolerance = tolerance};
    c.truth = truth_find(&c.solids, &effort);
    gap_answer answer = gap_case_ask(&c);
    const char *fault = gap_judge(&c, &answer, text, sizeof text);
    if (fault != NULL) {
        printf("# %s\n", text);
    }
    note_check(fault == NULL, "%s", fault);
    return answer.gap;
}

static void run_report(uint64_t number) {
    static const double tolerances[] = {0x1p-20, 0x1p-40};
    const report *r = &REPORTS[number % COUNT];
    for (int power = -6; power <= 6; power += 3) {
        double point[2][3][3];
        const double by = pow(10, power);
        solid_input i = r->i;
        solid_input k = r->k;
        scale(&i, by, point[0]);
        scale(&k, by, point[1]);
        for (int t = 0; t < 4; t++) {
            note_case(number, "%s, scale 1e%d, way %d", r->name, power, t);
            const carom_gap gap = t < 2 ? check(&i, &k, tolerances[t]) : check(&k, &i, tolerances[t - 2]);
            const double slack = (r->known + tolerances[t % 2] * 100) * by;
            note_check(gap.lower <= r->s * by + slack && gap.upper >= r->s * by - slack &&
                           gap.upper - gap.lower <= 2 * slack,
                       "%.17g .. %.17g is not %.17g", gap.lower, gap.upper, r->s * by);
        }
    }
}

static void test_reports(void **state) {
    (void)state;
    note_each_case(COUNT, run_report);
}

/* fcl 495: cubes turned alike, one beside the other along an axis of theirs, from just apart to just within. */
static void run_kissing(uint64_t number) {
    const int power = (int)(number / 2) % 61;
    const double gap = power == 0 ? 0 : ldexp(number % 2 == 0 ? 0.125 : -0.125, -power);
    solid_input cube = {.shape = BOX(0.125, 0.125, 0.125), .at = {0.25, 0.5, 1.25}, .turn = {TURN_495}};
    solid_input other = cube;
    wide matrix[3][3];
    solid_turn(cube.turn, matrix);
    for (int d = 0; d < 3; d++) {
        other.at[d] = (double)(cube.at[d] + (0.25L + gap) * matrix[d][number % 3]);
    }
    note_case(number, "gap %g", gap);
    const carom_gap found = check(&other, &cube, 0x1p-40);
    note_check(fabs(found.lower - gap) < 1e-12 && fabs(found.upper - gap) < 1e-12, "%g .. %g", found.lower,
               found.upper);
}

static void test_kissing(void **state) {
    (void)state;
    note_each_case(366, run_kissing);
}

/* The core of an ellipsoid that is nearly a ball is as small as rounding: of small ones products of lengths vanish. */
static void run_small_ellipsoids(uint64_t number) {
    const double turn[4] = {-0x1.25ea7cebca59ep-1, -0x1.7e8016ccf8386p-1, 0x1.36a6f31d7a735p-2, 0x1.4ebf441cf460fp-2};
    solid_input i = {.shape = {.kind = CAROM_SHAPE_ELLIPSOID,
                               .extent = {0x1.9a404c136ba2fp0, 0x1.9a404c136bb7bp0, 0x1.9a404c136b8f6p0}}};
    solid_input k = i;
    memcpy(k.turn, turn, sizeof k.turn);
    scale(&i, ldexp(1, -10 * (int)number), NULL);
    scale(&k, ldexp(1, -10 * (int)number), NULL);
    note_case(number, "ellipsoids that are nearly balls, at one place, times 2^-%d", 10 * (int)number);
    check(&i, &k, 0x1p-20);
    check(&i, &k, 0x1p-40);
}

static void test_small_ellipsoids(void **state) {
    (void)state;
    note_each_case(16, run_small_ellipsoids);
}

int main(void) {
    note_start("tests/oracle/test_gap_reports");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reports), cmocka_unit_test(test_kissing),
                                       cmocka_unit_test(test_small_ellipsoids)};
    return cmocka_run_group_tests_name("gap reports", tests, NULL, NULL);
}
