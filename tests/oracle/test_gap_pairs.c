/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Signed distances of random pairs of convex shapes against the proved reference: brackets hold the truth, states are
 * never wrong, normals and points are what carom/distance.h says, for both default tolerances, with and without a
 * margin, and for states alone. Prints how often brackets are wider than asked, by kinds.
 *
 * About 20 seconds; with CAROM_TEST_LONG=1 a million pairs for each pair of kinds. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "tests/oracle/gap_judge.h"
#include "tests/oracle/solid_draw.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

enum { KINDS = CAROM_SHAPE_HULL + 1, PAIRS = 10, SHORT_PAIRS = 1, LONG_PAIRS = 12000, TEXT = 4000, ALIKE = 1000 };

static const truth_effort EFFORT = {.width = 1e-13L, .triangles = 3000};
static const double TOLERANCES[] = {0x1p-40, 0x1p-20};

/* The share of polyhedra, spheres and capsules whose bracket may be wider than 2^-20: those where one is 1e4 times the
 * other and lies 1e3 sizes from the origin, so that rounding is as wide. */
static const double CAPPED_MOST = 1e-3;

/* How many answers there were for a pair of kinds, and how many had too wide a bracket. */
typedef struct tally {
    uint64_t answers;
    uint64_t capped;
} tally;

static tally counts[2][KINDS][KINDS];
static tally places[2][PLACE_COUNT];
static tally ordinary[2]; /* polyhedra of ordinary sizes, spheres and capsules */

static bool is_flat_sided(carom_shape_kind kind) {
    return kind <= CAROM_SHAPE_BOX || kind == CAROM_SHAPE_HULL;
}

/* Of two points nothing is asked but the rounding of their distance. */
static bool has_reach(const gap_case *c) {
    return truth_scale(&c->solids) > 0;
}

static void count(const gap_case *c, const gap_answer *answer, int tolerance, solid_place place) {
    const carom_shape_kind i = c->i->shape.kind;
    const carom_shape_kind k = c->k->shape.kind;
    tally *to = &counts[tolerance][i < k ? i : k][i < k ? k : i];
    to->answers++;
    to->capped += answer->capped;
    places[tolerance][place].answers++;
    places[tolerance][place].capped += answer->capped;
    if (place != PLACE_EXTREME && has_reach(c) && is_flat_sided(i) && is_flat_sided(k)) {
        ordinary[tolerance].answers++;
        ordinary[tolerance].capped += answer->capped;
    }
}

static gap_answer check(const gap_case *c) {
    char text[TEXT];
    gap_answer answer = gap_case_ask(c);
    const char *fault = gap_judge(c, &answer, text, sizeof text);
    if (fault != NULL) {
        char pair[16 * TEXT];
        gap_case_print(c, pair, sizeof pair);
        printf("# %s\n# %s\n%s\n", fault, text, pair);
        note_check(false, "%s", fault);
    }
    return answer;
}

static void check_pair(const solid_drawn *pair, solid_place place, carom_random *random) {
    gap_case c = {.i = &pair->i, .k = &pair->k, .solids = solid_pair_of(&pair->i, &pair->k)};
    c.truth = truth_find(&c.solids, &EFFORT);
    for (int t = 0; t < 2; t++) {
        c.task = (carom_gap_task){.detail = CAROM_GAP_DISTANCE, .tolerance = TOLERANCES[t]};
        const gap_answer answer = check(&c);
        count(&c, &answer, t, place);
    }
    c.task.tolerance = ldexp(1, -1 - (int)(carom_random_next(random) % 46));
    check(&c);
    c.task.detail = CAROM_GAP_STATE;
    check(&c);
    c.task.margin = (double)fabsl(c.truth.lower) * (carom_random_next(random) % 2 == 0 ? 1 : 1.5);
    check(&c);
}

static void run_case(uint64_t number) {
    static solid_drawn pair;
    const solid_species i = (solid_species)(number % SPECIES_COUNT);
    const solid_species k = (solid_species)(number / SPECIES_COUNT % SPECIES_COUNT);
    const solid_place place = (solid_place)(number / SPECIES_COUNT / SPECIES_COUNT);
    carom_random random = carom_random_seeded(note_case_seed(number));
    const uint64_t pairs = note_long() ? LONG_PAIRS : note_short() ? SHORT_PAIRS : PAIRS;
    for (uint64_t n = 0; n < pairs; n++) {
        note_case(number, "%s, %s against %s, pair %" PRIu64, solid_place_name(place), solid_species_name(i),
                  solid_species_name(k), n);
        solid_draw(&random, i, k, place, &pair);
        check_pair(&pair, place, &random);
    }
}

/* Like those on which a search in float once took two shapes 0.006 apart for touching: hulls of random points on
 * ellipsoids, capsules, boxes and spheres of like sizes, half of them touching. */
static void draw_alike(carom_random *random, carom_shape_kind kind, uint64_t points, solid_input *input,
                       double point[][3]) {
    input->shape = (carom_shape){.kind = kind, .radius = 0.1 + 0.4 * carom_random_u01(random)};
    for (int d = 0; d < 3; d++) {
        input->shape.extent[d] = 0.25 + 0.75 * carom_random_u01(random);
        input->at[d] = 20 * carom_random_u01(random) - 10;
    }
    if (kind == CAROM_SHAPE_HULL) {
        for (uint64_t n = 0; n < points; n++) {
            carom_random_direction(random, point[n]);
            for (int d = 0; d < 3; d++) {
                point[n][d] *= 0.33 + 0.67 * input->shape.extent[d];
            }
        }
        input->shape.point = (const double(*)[3])point;
        input->shape.point_count = points;
    }
    carom_random_direction(random, input->turn);
    input->turn[3] = 2 * carom_random_u01(random) - 1;
}

static void run_alike(uint64_t number) {
    static const uint64_t points[] = {0, 0, 0, 8, 16, 32, 64};
    static solid_drawn pair;
    const carom_shape_kind kind = (carom_shape_kind)(number < 3 ? number : CAROM_SHAPE_HULL);
    carom_random random = carom_random_seeded(note_case_seed(number));
    for (int n = 0; n < (note_long() ? 100 * ALIKE : (int)note_cases(ALIKE)); n++) {
        draw_alike(&random, kind, points[number], &pair.i, pair.point[0]);
        draw_alike(&random, kind, points[number], &pair.k, pair.point[1]);
        for (int d = 0; d < 3; d++) {
            pair.i.at[d] = pair.k.at[d] + 3 * carom_random_u01(&random) - 1.5;
        }
        note_case(number, "alike, kind %d, pair %d", (int)kind, n);
        check_pair(&pair, PLACE_ANYWHERE, &random);
    }
}

static void test_alike(void **state) {
    (void)state;
    note_each_case(7, run_alike);
}

static double share(const tally *of) {
    return of->answers > 0 ? (double)of->capped / (double)of->answers : 0;
}

static void print_table(void) {
    static const char *const names[KINDS] = {"sphere", "capsule", "box", "cylinder", "cone", "ellipsoid", "hull"};
    printf("# share of brackets wider than 2^-40 and 2^-20\n");
    for (int i = 0; i < KINDS; i++) {
        for (int k = i; k < KINDS; k++) {
            printf("#   %-9s %-9s %.4f %.4f\n", names[i], names[k], share(&counts[0][i][k]), share(&counts[1][i][k]));
        }
    }
    for (int place = 0; place < PLACE_COUNT; place++) {
        printf("#   %-19s %.4f %.4f\n", solid_place_name((solid_place)place), share(&places[0][place]),
               share(&places[1][place]));
    }
}

static void test_pairs(void **state) {
    (void)state;
    for (uint64_t number = 0; number < SPECIES_COUNT * SPECIES_COUNT * PLACE_COUNT; number++) {
        if (note_only_case() == UINT64_MAX || note_only_case() == number) {
            run_case(number);
        }
    }
    print_table();
    printf("# %.5f and %.5f of polyhedra, spheres and capsules\n", share(&ordinary[0]), share(&ordinary[1]));
    assert_true(share(&ordinary[1]) <= CAPPED_MOST);
}

int main(void) {
    note_start("tests/oracle/test_gap_pairs");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_alike), cmocka_unit_test(test_pairs)};
    return cmocka_run_group_tests_name("gap pairs", tests, NULL, NULL);
}
