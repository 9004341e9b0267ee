/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The reference against itself: brackets of long doubles hold the exact signed distance of small polyhedra, each of its
 * ways alone agrees with the others, and they are as narrow as they have to be. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "tests/oracle/solid_draw.h"
#include "tests/oracle/truth.h"
#include "tests/oracle/truth_exact.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

enum { EXACT_PAIRS = 1, WAYS_PAIRS = 2, LONG_TIMES = 100 };

static const truth_effort EFFORT = {.width = 1e-13L, .triangles = 3000};

static truth_exact exact;

static uint64_t pairs_each(uint64_t count) {
    return note_long() ? count * LONG_TIMES : count;
}

static double rounded_down(wide x) {
    const double near = (double)x;
    return (wide)near > x ? nextafter(near, -HUGE_VAL) : near;
}

static void check_exact(const solid_drawn *pair) {
    const solid_pair solids = solid_pair_of(&pair->i, &pair->k);
    const truth t = truth_find(&solids, &EFFORT);
    truth_exact_find(&exact, &pair->i, &pair->k);
    note_check(truth_exact_compare(&exact, rounded_down(t.lower)) <= 0, "lower %Lg is above the exact distance",
               t.lower);
    note_check(truth_exact_compare(&exact, -rounded_down(-t.upper)) >= 0, "upper %Lg is below the exact distance",
               t.upper);
}

static void each_pair(uint64_t count, void (*check)(const solid_drawn *pair)) {
    static solid_drawn pair;
    for (int n = 0; n < SPECIES_COUNT * SPECIES_COUNT * PLACE_COUNT; n++) {
        const solid_species i = (solid_species)(n % SPECIES_COUNT);
        const solid_species k = (solid_species)(n / SPECIES_COUNT % SPECIES_COUNT);
        const solid_place place = (solid_place)(n / SPECIES_COUNT / SPECIES_COUNT);
        carom_random random = carom_random_seeded(note_case_seed((uint64_t)n));
        for (uint64_t m = 0; m < count && (note_only_case() == UINT64_MAX || note_only_case() == (uint64_t)n); m++) {
            if (note_short() && n % 7 != 0) {
                break;
            }
            note_case((uint64_t)n, "%s, %s against %s, pair %" PRIu64, solid_place_name(place), solid_species_name(i),
                      solid_species_name(k), m);
            solid_draw(&random, i, k, place, &pair);
            check(&pair);
        }
    }
}

static void check_if_served(const solid_drawn *pair) {
    if (truth_exact_serves(&pair->i.shape) && truth_exact_serves(&pair->k.shape)) {
        check_exact(pair);
    }
}

static void test_exact(void **state) {
    (void)state;
    truth_exact_start(&exact);
    each_pair(pairs_each(EXACT_PAIRS), check_if_served);
    truth_exact_end(&exact);
}

/* Directions alone against points and planes. */
static void check_ways(const solid_drawn *pair) {
    const truth_effort coarse = {.width = 1e-6L, .triangles = 1000};
    const solid_pair solids = solid_pair_of(&pair->i, &pair->k);
    const truth t = truth_find(&solids, &EFFORT);
    truth cover;
    truth_start(&solids, &cover);
    truth_cover(&solids, &coarse, &cover);
    note_check(t.lower <= t.upper, "the bracket is empty: %Lg %Lg", t.lower, t.upper);
    note_check(cover.lower - solids.radii <= t.upper && t.lower <= cover.upper - solids.radii,
               "%Lg .. %Lg by directions, %Lg .. %Lg", cover.lower - solids.radii, cover.upper - solids.radii, t.lower,
               t.upper);
}

static void test_ways_agree(void **state) {
    (void)state;
    each_pair(pairs_each(WAYS_PAIRS), check_ways);
}

static uint64_t pairs;
static uint64_t wide_pairs;
static uint64_t volumes;
static uint64_t overlaps;

static bool has_volume(const carom_shape *shape) {
    return shape->kind == CAROM_SHAPE_HULL ? shape->point_count != 3 && shape->point_count != 6
                                           : shape->extent[2] > 0 && shape->radius > 0;
}

/* Brackets wider than 1e-12 of the smaller shape are few, and about half of the pairs that are anywhere overlap. */
static void count_pair(const solid_drawn *pair) {
    const solid_pair solids = solid_pair_of(&pair->i, &pair->k);
    const truth t = truth_find(&solids, &EFFORT);
    pairs++;
    wide_pairs += t.upper - t.lower > 1e-12L * fmaxl(truth_scale(&solids), fabsl(t.lower)) + 8 * solids.noise;
    if (has_volume(&pair->i.shape) && has_volume(&pair->k.shape)) {
        volumes++;
        overlaps += t.upper <= 0;
    }
}

static void test_narrow(void **state) {
    static solid_drawn pair;
    (void)state;
    carom_random random = carom_random_seeded(note_seed());
    for (int n = 0; n < SPECIES_COUNT * SPECIES_COUNT; n++) {
        for (int m = 0; m < 4; m++) {
            solid_draw(&random, (solid_species)(n % SPECIES_COUNT), (solid_species)(n / SPECIES_COUNT), PLACE_ANYWHERE,
                       &pair);
            count_pair(&pair);
        }
    }
    printf("# %" PRIu64 " of %" PRIu64 " brackets are wide, %.3f of volumes overlap\n", wide_pairs, pairs,
           (double)overlaps / (double)volumes);
    assert_true(wide_pairs * 100 <= pairs);
    assert_true(overlaps * 10 >= volumes * 3 && overlaps * 10 <= volumes * 7);
}

int main(void) {
    note_start("tests/oracle/test_truth");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_exact), cmocka_unit_test(test_ways_agree),
                                       cmocka_unit_test(test_narrow)};
    return cmocka_run_group_tests_name("truth", tests, NULL, NULL);
}
