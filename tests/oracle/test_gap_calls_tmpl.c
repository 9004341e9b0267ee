/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The public call for one pair, with a table of shapes, against the proved reference: brackets of doubles, and of
 * doubles rounded outward to float, hold the truth; all that is promised of the answer holds in the world's frame, and
 * in both orders. Compiled once for each precision. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "carom/carom.h"
#include "simd/precision.h"
#include "tests/oracle/gap_judge.h"
#include "tests/oracle/solid_draw.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

#define PAIR CAROM_REAL(carom_distance_pair)

typedef CAROM_REAL(carom_gap) gap_row;
typedef CAROM_REAL(carom_pose) pose;

enum { PAIRS = 1, LONG_PAIRS = 1000, SHORT = 7, TEXT = 4000, FLOAT = CAROM_REAL_BITS == 32 };

static const truth_effort EFFORT = {.width = 1e-13L, .triangles = 3000};

/* Through memory: vectorised by gcc 12, casts there and back do not round all numbers. */
static double rounded(double x) {
    volatile carom_real real = (carom_real)x;
    return (double)real;
}

/* Positions and quaternions become numbers of the call's precision. */
static void round_input(solid_input *input) {
    for (int d = 0; d < 3; d++) {
        input->at[d] = rounded(input->at[d]);
    }
    for (int d = 0; d < 4; d++) {
        input->turn[d] = rounded(input->turn[d]);
    }
}

static pose pose_of(const solid_input *input, uint32_t shape) {
    pose p = {.shape = shape};
    for (int d = 0; d < 3; d++) {
        p.at[d] = (carom_real)input->at[d];
    }
    for (int d = 0; d < 4; d++) {
        p.turn[d] = (carom_real)input->turn[d];
    }
    return p;
}

static gap_answer answer_of(const gap_row *row) {
    gap_answer answer = {.capped = row->capped};
    answer.gap.lower = (double)row->lower;
    answer.gap.upper = (double)row->upper;
    answer.gap.iterations = row->iterations;
    for (int d = 0; d < 3; d++) {
        answer.gap.normal[d] = (double)row->normal[d];
        answer.gap.point_i[d] = (double)row->point_i[d];
        answer.gap.point_k[d] = (double)row->point_k[d];
    }
    return answer;
}

/* What only a row has. */
static void check_row(const gap_case *c, const gap_row *row, const carom_gap *gap) {
    const double s = fabs(gap->lower) < fabs(gap->upper) ? gap->lower : gap->upper;
    const double asked = c->task.tolerance * fmax((double)truth_scale(&c->solids), fabs(s));
    const double rounding = CAROM_REAL_BITS == 32 ? 4 * (double)FLT_EPSILON * fabs(s) : asked * 0x1p-40;
    note_check(row->lower <= row->distance && row->distance <= row->upper, "distance outside the bracket");
    const bool narrow = c->task.detail != CAROM_GAP_STATE && !row->capped;
    note_check(!narrow || gap->upper - gap->lower <= asked + rounding, "%g wide, not capped", gap->upper - gap->lower);
    note_check(row->state != CAROM_GAP_SEPARATED || c->truth.upper > c->task.margin, "separated, but they touch");
    note_check(row->state != CAROM_GAP_TOUCHING || c->truth.lower <= c->task.margin, "touching, but they are apart");
    note_check(row->point_count == 0 && row->reserved == 0 && row->child_i == 0 && row->child_k == 0, "not 0");
}

static void check_call(const carom_shapes *shapes, const gap_case *c, uint32_t shape) {
    carom_distance_config config = carom_distance_config_default();
    const pose i = pose_of(c->i, shape);
    const pose k = pose_of(c->k, 1 - shape);
    gap_row row;
    carom_error error;
    char text[TEXT];
    config.tolerance = c->task.tolerance;
    config.margin = c->task.margin;
    config.detail = c->task.detail;
    const carom_status status = PAIR(shapes, &i, &k, &config, &row, NULL, &error);
    note_check(status == CAROM_OK, "status %d: %s", (int)status, error.message);
    gap_answer answer = answer_of(&row);
    check_row(c, &row, &answer.gap);
    const char *fault = gap_judge(c, &answer, text, sizeof text);
    if (fault != NULL) {
        char pair[16 * TEXT];
        gap_case_print(c, pair, sizeof pair);
        printf("# %s\n# %s\n%s\n", fault, text, pair);
    }
    note_check(fault == NULL, "%s", fault);
}

/* All that is asked, the state alone, and that with a margin. */
static void check_details(const carom_shapes *shapes, gap_case *c, uint32_t order, double tolerance) {
    c->task = (carom_gap_task){.detail = CAROM_GAP_DISTANCE, .tolerance = tolerance};
    check_call(shapes, c, order);
    c->task.detail = CAROM_GAP_STATE;
    check_call(shapes, c, order);
    c->task.margin = 1.25 * (double)fabsl(c->truth.lower);
    check_call(shapes, c, order);
}

/* In both orders, with the default tolerance, and with one with which searches for hulls do not begin in floats. */
static void check_pair(const carom_shapes *shapes, const solid_drawn *pair) {
    for (uint32_t order = 0; order < 2; order++) {
        gap_case c = {.i = order == 0 ? &pair->i : &pair->k,
                      .k = order == 0 ? &pair->k : &pair->i,
                      .own = true,
                      .in_float = FLOAT};
        c.solids = solid_pair_of(c.i, c.k);
        c.truth = truth_find(&c.solids, &EFFORT);
        check_details(shapes, &c, order, FLOAT ? 0x1p-20 : 0x1p-40);
        check_details(shapes, &c, order, 0x1p-12);
    }
}

static void run_case(uint64_t number) {
    static solid_drawn pair;
    const solid_species i = (solid_species)(number % SPECIES_COUNT);
    const solid_species k = (solid_species)(number / SPECIES_COUNT % SPECIES_COUNT);
    const solid_place place = (solid_place)(number / SPECIES_COUNT / SPECIES_COUNT);
    carom_random random = carom_random_seeded(note_case_seed(number));
    for (int n = 0; n < (note_long() ? LONG_PAIRS : PAIRS); n++) {
        carom_shapes *shapes;
        carom_error error;
        note_case(number, "%s, %s against %s, pair %d", solid_place_name(place), solid_species_name(i),
                  solid_species_name(k), n);
        solid_draw(&random, i, k, place, &pair);
        round_input(&pair.i);
        round_input(&pair.k);
        const carom_shape shape[2] = {pair.i.shape, pair.k.shape};
        const carom_status status = carom_shapes_create(shape, 2, NULL, &shapes, &error);
        note_check(status == CAROM_OK, "status %d: %s", (int)status, error.message);
        check_pair(shapes, &pair);
        carom_shapes_destroy(shapes);
    }
}

/* Floats do not hold the extreme places. */
static void test_calls(void **state) {
    const uint64_t cases = SPECIES_COUNT * SPECIES_COUNT * (uint64_t)(FLOAT ? PLACE_EXTREME : PLACE_COUNT);
    (void)state;
    for (uint64_t number = 0; number < cases; number += note_short() ? SHORT : 1) {
        if (note_only_case() == UINT64_MAX || note_only_case() == number) {
            run_case(number);
        }
    }
}

int main(void) {
    note_start("tests/oracle/test_gap_calls");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_calls)};
    return cmocka_run_group_tests_name("gap calls", tests, NULL, NULL);
}
