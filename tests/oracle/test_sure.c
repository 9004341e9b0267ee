/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What long doubles are sure of against exact arithmetic: they are never wrong, from tangents to the edges of the range
 * of numbers, and of ordinary pairs nearly always sure. */
#include <float.h>
#include <inttypes.h>
#include <math.h>

#include "tests/oracle/judge.h"
#include "tests/oracle/pair_kinds.h"
#include "tests/oracle/sure.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

enum { PAIRS = 40000 };

/* Times around the exact one: some ulps and some floats' ulps off, and anywhere. */
static double time_near(double middle, carom_random *random) {
    static const double off[] = {0, -0x1p-52, 0x1p-52, -0x1p-40, 0x1p-40, -0x1p-24, 0x1p-24};
    const uint64_t which = carom_random_next(random) % (sizeof off / sizeof off[0] + 1);
    const double anywhere = (double)(carom_random_next(random) >> 11) * 0x1p-53;
    return which == sizeof off / sizeof off[0] ? anywhere : fmin(fmax(middle * (1 + off[which]), 0), 1);
}

/* True if it is sure; never of a time that is late. */
static bool check_time(const sure *s, carom_random *random) {
    const double t = time_near(exact_time_of(&judge, 0.5).exact, random);
    const bool sure_of_it = sure_not_late(s, t);
    note_check(!sure_of_it || !exact_time_of(&judge, t).late, "sure of %a, which is late", t);
    return sure_of_it;
}

/* How often it is sure of decisions, and of times. */
typedef struct tally {
    uint64_t decisions;
    uint64_t touching;
    uint64_t times;
} tally;

static void check_pair(const exact_pair *pair, carom_random *random, tally *count) {
    const exact_verdict verdict = exact_decide(&judge, pair);
    const sure s = sure_of(pair);
    const sure_verdict decided = sure_decide(&s);
    note_check(decided == SURE_OF_NOTHING || (decided == SURE_TOUCHING) == verdict.touches, "sure, and wrong");
    note_check(!sure_at_start(&s) || verdict.rule == EXACT_START, "sure of a touch at the start that is none");
    count->decisions += decided != SURE_OF_NOTHING;
    if (verdict.touches) {
        count->touching++;
        count->times += check_time(&s, random);
    }
}

static tally check_kind(pair_kind kind, bool for_f32) {
    tally count = {0};
    carom_random random = carom_random_seeded(note_case_seed((uint64_t)kind * 2 + for_f32));
    const uint64_t pairs = note_cases(PAIRS);
    for (uint64_t n = 0; n < pairs; n++) {
        const exact_pair pair = pair_draw(kind, for_f32, &random);
        note_case((uint64_t)kind, "%s, %s, pair %" PRIu64, pair_kind_name(kind), for_f32 ? "f32" : "f64", n);
        check_pair(&pair, &random, &count);
    }
    return count;
}

static void test_never_wrong(void **state) {
    (void)state;
    for (int kind = 0; kind < PAIR_KINDS; kind++) {
        check_kind((pair_kind)kind, false);
        check_kind((pair_kind)kind, true);
    }
}

/* Else it would save nothing. Where long doubles are no longer than doubles it is sure of nothing. */
static void test_sure_of_most(void **state) {
    (void)state;
    if (LDBL_MANT_DIG == DBL_MANT_DIG) {
        skip();
    }
    const uint64_t pairs = note_cases(PAIRS);
    const tally uniform = check_kind(PAIR_UNIFORM, false);
    const tally near = check_kind(PAIR_GAP_6, false);
    assert_true(uniform.decisions > pairs - pairs / 1000 && near.decisions > pairs - pairs / 1000);
    assert_true(uniform.times > uniform.touching / 8 && near.times > near.touching / 8);
}

int main(void) {
    note_start("tests/oracle/test_sure");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_never_wrong), cmocka_unit_test(test_sure_of_most)};
    return cmocka_run_group_tests_name("sure", tests, start_judge, finish_judge);
}
