/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Questions with the same answer: shapes that are one shape written in two ways, operands swapped, both shifted, all
 * lengths doubled, quaternions of another length or sign, other instruction sets; and what is left of the answer once
 * the shapes are moved as it says. Where the arithmetic is the same but for powers of two, so are the
 * bits. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "simd/dispatch.h"
#include "tests/oracle/gap_judge.h"
#include "tests/oracle/solid_draw.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

enum { CASES = 6000, ISAS_MOST = 8 };

static const double TOLERANCE = 0x1p-40;

/* Of positions and what is computed of them, relative to the coordinates. */
static const wide ROUNDED = 0x1p-44L;

static carom_gap ask_by(const carom_simd *simd, const solid_input *i, const solid_input *k) {
    const gap_case c = {.i = i,
                        .k = k,
                        .solids = solid_pair_of(i, k),
                        .task = {.detail = CAROM_GAP_DISTANCE, .tolerance = TOLERANCE, .simd = simd}};
    return gap_case_ask(&c).gap;
}

static carom_gap ask(const solid_input *i, const solid_input *k) {
    return ask_by(NULL, i, k);
}

static void check_meet(const carom_gap *a, const carom_gap *b) {
    note_check(a->lower <= b->upper && b->lower <= a->upper, "%.17g .. %.17g and %.17g .. %.17g", a->lower, a->upper,
               b->lower, b->upper);
}

/* All numbers of `b` are those of `a` times 2^power; directions and counts are the same. */
static void check_bits(const carom_gap *a, const carom_gap *b, int power) {
    bool same =
        ldexp(a->lower, power) == b->lower && ldexp(a->upper, power) == b->upper && a->iterations == b->iterations;
    for (int d = 0; d < 3; d++) {
        same = same && a->normal[d] == b->normal[d] && ldexp(a->point_i[d], power) == b->point_i[d] &&
               ldexp(a->point_k[d], power) == b->point_k[d];
    }
    note_check(same, "not the same bits: %.17g .. %.17g and %.17g .. %.17g, %u and %u steps", a->lower, a->upper,
               b->lower, b->upper, a->iterations, b->iterations);
}

static carom_random draw_case(uint64_t number, solid_drawn *pair) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const solid_species i = (solid_species)(number % SPECIES_COUNT);
    const solid_species k = (solid_species)(number / SPECIES_COUNT % SPECIES_COUNT);
    const solid_place place = (solid_place)(number / SPECIES_COUNT / SPECIES_COUNT % PLACE_COUNT);
    note_case(number, "%s, %s against %s", solid_place_name(place), solid_species_name(i), solid_species_name(k));
    solid_draw(&random, i, k, place, pair);
    return random;
}

static void run_swapped(uint64_t number) {
    static solid_drawn pair;
    draw_case(number, &pair);
    const carom_gap a = ask(&pair.i, &pair.k);
    const carom_gap b = ask(&pair.k, &pair.i);
    check_meet(&a, &b);
}

static void test_swapped(void **state) {
    (void)state;
    note_each_case(CASES, run_swapped);
}

static void double_input(solid_input *input, double point[][3], int power) {
    input->shape.radius = ldexp(input->shape.radius, power);
    for (int d = 0; d < 3; d++) {
        input->shape.extent[d] = ldexp(input->shape.extent[d], power);
        input->at[d] = ldexp(input->at[d], power);
        for (uint64_t n = 0; n < input->shape.point_count; n++) {
            point[n][d] = ldexp(point[n][d], power);
        }
    }
}

/* Ellipsoids that are so small after scaling have another core (kernel/shape/measure.h). */
static bool is_small_ellipsoid(const carom_shape *shape) {
    return shape->kind == CAROM_SHAPE_ELLIPSOID &&
           fmax(shape->extent[0], fmax(shape->extent[1], shape->extent[2])) < 0x1p-59;
}

/* Searches for the distance of hulls begin in floats where these can hold the sizes. */
static bool floats_change(const solid_pair *solids, const carom_shape *i, const carom_shape *k, int power) {
    const wide size = solids->size * ldexpl(1, power < 0 ? power : 0);
    const wide greater = solids->size * ldexpl(1, power > 0 ? power : 0);
    return i->kind == CAROM_SHAPE_HULL && k->kind == CAROM_SHAPE_HULL && (size < 0x1p-36L || greater > 0x1p56L);
}

static void run_doubled(uint64_t number) {
    static solid_drawn pair;
    carom_random random = draw_case(number, &pair);
    const int power = (int)(carom_random_next(&random) % 81) - 40;
    const solid_pair solids = solid_pair_of(&pair.i, &pair.k);
    if (!(solids.size > 0x1p-120L && solids.size < 0x1p120L) || is_small_ellipsoid(&pair.i.shape) ||
        is_small_ellipsoid(&pair.k.shape) || floats_change(&solids, &pair.i.shape, &pair.k.shape, power)) {
        return; /* of extreme sizes, products vanish or overflow */
    }
    const carom_gap a = ask(&pair.i, &pair.k);
    double_input(&pair.i, pair.point[0], power);
    double_input(&pair.k, pair.point[1], power);
    const carom_gap b = ask(&pair.i, &pair.k);
    check_bits(&a, &b, power);
}

static void test_doubled(void **state) {
    (void)state;
    note_each_case(CASES, run_doubled);
}

/* A quaternion times -1 or 2 is the same rotation, in the same arithmetic. */
static void run_turned(uint64_t number) {
    static solid_drawn pair;
    carom_random random = draw_case(number, &pair);
    const carom_gap a = ask(&pair.i, &pair.k);
    const double by = carom_random_next(&random) % 2 == 0 ? -1 : 2;
    for (int d = 0; d < 4; d++) {
        pair.i.turn[d] *= by;
        pair.k.turn[d] *= by;
    }
    const carom_gap b = ask(&pair.i, &pair.k);
    check_bits(&a, &b, 0);
}

static void test_turned(void **state) {
    (void)state;
    note_each_case(CASES, run_turned);
}

/* Both moved by a power of two, where that is exact. */
static void run_shifted(uint64_t number) {
    static solid_drawn pair;
    draw_case(number, &pair);
    const solid_pair solids = solid_pair_of(&pair.i, &pair.k);
    const double step = ldexp(1, ilogb(fmax((double)solids.size, 1e-100)) - 20);
    carom_gap gap[2];
    for (int way = 0; way < 2; way++) {
        for (int d = 0; d < 3; d++) {
            pair.i.at[d] = way == 0 ? remainder(pair.i.at[d], 0x1p20 * step) : pair.i.at[d] + 0x1p24 * step;
            pair.k.at[d] = way == 0 ? remainder(pair.k.at[d], 0x1p20 * step) : pair.k.at[d] + 0x1p24 * step;
            pair.i.at[d] = step * nearbyint(pair.i.at[d] / step);
            pair.k.at[d] = step * nearbyint(pair.k.at[d] / step);
        }
        gap[way] = ask(&pair.i, &pair.k);
    }
    check_bits(&gap[0], &gap[1], 0);
}

static void test_shifted(void **state) {
    (void)state;
    note_each_case(CASES, run_shifted);
}

/* Moved by -s along the normal, shapes that overlap only just touch: asked anew, and by the reference. */
static void run_parted(uint64_t number) {
    static solid_drawn pair;
    draw_case(number, &pair);
    const carom_gap before = ask(&pair.i, &pair.k);
    const solid_pair solids = solid_pair_of(&pair.i, &pair.k);
    if (before.upper > 0) {
        return;
    }
    for (int d = 0; d < 3; d++) {
        pair.i.at[d] -= before.lower * before.normal[d];
    }
    const truth_effort effort = {.width = 1e-13L, .triangles = 0};
    const solid_pair parted = solid_pair_of(&pair.i, &pair.k);
    const truth t = truth_find(&parted, &effort);
    const carom_gap after = ask(&pair.i, &pair.k);
    const wide slack = ROUNDED * (solids.size + fabs(pair.k.at[0]) + fabs(pair.k.at[1]) + fabs(pair.k.at[2]));
    const wide width = (wide)before.upper - before.lower;
    note_check(t.upper >= -slack && after.upper >= -slack, "depth %Lg, asked anew %g", -t.upper, -after.upper);
    note_check(t.lower <= width + slack, "parted by %Lg, a bracket of %Lg", t.lower, width);
}

static void test_parted(void **state) {
    (void)state;
    note_each_case(CASES, run_parted);
}

/* Every instruction set. */
static void run_isas(uint64_t number) {
    static solid_drawn pair;
    const carom_simd *tables[ISAS_MOST];
    draw_case(number, &pair);
    const carom_gap a = ask(&pair.i, &pair.k);
    const size_t count = carom_simd_available(tables, ISAS_MOST);
    assert_true(count <= ISAS_MOST);
    for (size_t n = 0; n < count; n++) {
        const carom_gap b = ask_by(tables[n], &pair.i, &pair.k);
        check_bits(&a, &b, 0);
    }
}

static void test_isas(void **state) {
    (void)state;
    note_each_case(CASES, run_isas);
}

/* Another way to write the shape, or false. */
static bool write_otherwise(const carom_shape *shape, carom_shape *other, double point[][3], carom_random *random) {
    memset(other, 0, sizeof *other);
    switch (shape->kind) {
    case CAROM_SHAPE_SPHERE:
        other->kind = CAROM_SHAPE_CAPSULE;
        other->radius = shape->radius;
        if (shape->radius > 0 && carom_random_next(random) % 2 == 0) {
            other->kind = CAROM_SHAPE_ELLIPSOID;
            other->extent[0] = other->extent[1] = other->extent[2] = shape->radius;
        }
        return true;
    case CAROM_SHAPE_BOX:
        other->kind = CAROM_SHAPE_HULL;
        other->point = (const double(*)[3])point;
        other->point_count = 8;
        for (int n = 0; n < 24; n++) {
            point[n / 3][n % 3] = n / 3 >> n % 3 & 1 ? shape->extent[n % 3] : -shape->extent[n % 3];
        }
        return true;
    case CAROM_SHAPE_CYLINDER:
        *other = *shape;
        other->kind = CAROM_SHAPE_CONE;
        return !(shape->extent[2] > 0);
    default:
        return false;
    }
}

static void run_otherwise(uint64_t number) {
    static solid_drawn pair;
    static double point[8][3];
    carom_random random = draw_case(number, &pair);
    solid_input other = pair.i;
    if (write_otherwise(&pair.i.shape, &other.shape, point, &random)) {
        const carom_gap a = ask(&pair.i, &pair.k);
        const carom_gap b = ask(&other, &pair.k);
        check_meet(&a, &b);
    }
}

static void test_otherwise(void **state) {
    (void)state;
    note_each_case(2 * CASES, run_otherwise);
}

int main(void) {
    note_start("tests/oracle/test_gap_same");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_swapped),  cmocka_unit_test(test_doubled),
                                       cmocka_unit_test(test_turned),   cmocka_unit_test(test_isas),
                                       cmocka_unit_test(test_shifted),  cmocka_unit_test(test_parted),
                                       cmocka_unit_test(test_otherwise)};
    return cmocka_run_group_tests_name("gap same", tests, NULL, NULL);
}
