/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Brackets of small polyhedra against exact rational numbers: lower <= s <= upper without a single rounding on the
 * test's side, so that margins are known to be large enough and not only nearly so. Also where s is 0 exactly. */
#include <inttypes.h>
#include <stdio.h>

#include "tests/oracle/gap_judge.h"
#include "tests/oracle/solid_draw.h"
#include "tests/oracle/truth_exact.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

enum { PAIRS = 4, LONG_PAIRS = 1000 };

static const solid_species POLYHEDRA[] = {SPECIES_POINT,  SPECIES_SEGMENT, SPECIES_BOX,     SPECIES_PLATE,
                                          SPECIES_HULL_4, SPECIES_HULL_8,  SPECIES_POLYGON, SPECIES_TRIANGLE};

enum { COUNT = sizeof POLYHEDRA / sizeof POLYHEDRA[0] };

static truth_exact exact;
static uint64_t touches; /* pairs whose distance is 0 exactly */

static void check_answer(const solid_drawn *pair, carom_gap_detail detail, double tolerance) {
    const gap_case c = {.i = &pair->i,
                        .k = &pair->k,
                        .solids = solid_pair_of(&pair->i, &pair->k),
                        .task = {.detail = detail, .tolerance = tolerance}};
    const carom_gap gap = gap_case_ask(&c).gap;
    const carom_gap_state state = carom_gap_state_of(&gap, 0);
    note_check(truth_exact_compare(&exact, gap.lower) <= 0, "lower %a is above the exact distance", gap.lower);
    note_check(truth_exact_compare(&exact, gap.upper) >= 0, "upper %a is below the exact distance", gap.upper);
    note_check(state != CAROM_GAP_SEPARATED || truth_exact_sign(&exact) > 0, "separated, but they touch");
    note_check(state != CAROM_GAP_TOUCHING || truth_exact_sign(&exact) <= 0, "touching, but they are apart");
}

static void run_case(uint64_t number) {
    static solid_drawn pair;
    const solid_species i = POLYHEDRA[number % COUNT];
    const solid_species k = POLYHEDRA[number / COUNT % COUNT];
    const solid_place place = (solid_place)(number / COUNT / COUNT);
    carom_random random = carom_random_seeded(note_case_seed(number));
    for (int n = 0; n < (note_long() ? LONG_PAIRS : PAIRS); n++) {
        note_case(number, "%s, %s against %s, pair %d", solid_place_name(place), solid_species_name(i),
                  solid_species_name(k), n);
        solid_draw(&random, i, k, place, &pair);
        if (truth_exact_serves(&pair.i.shape)) {
            truth_exact_find(&exact, &pair.i, &pair.k);
            touches += truth_exact_sign(&exact) == 0;
            check_answer(&pair, CAROM_GAP_DISTANCE, 0x1p-40);
            check_answer(&pair, CAROM_GAP_STATE, 0x1p-20);
        }
    }
}

static void test_margins(void **state) {
    (void)state;
    truth_exact_start(&exact);
    note_each_case(COUNT * COUNT * PLACE_COUNT, run_case);
    truth_exact_end(&exact);
    printf("# %" PRIu64 " pairs touch exactly\n", touches);
}

int main(void) {
    note_start("tests/oracle/test_gap_exact");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_margins)};
    return cmocka_run_group_tests_name("gap exact", tests, NULL, NULL);
}
