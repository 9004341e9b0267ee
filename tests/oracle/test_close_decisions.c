/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The last resort of decisions and times, asked directly: kernels come to it for few pairs only. Every kind of pair,
 * and integers of a few bits, with roots and without, against exact arithmetic. */
#include <inttypes.h>
#include <math.h>

#include "simd/exact/exact.h"
#include "tests/oracle/judge.h"
#include "tests/oracle/pair_kinds.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

enum { PAIRS = 20000, FIELDS = 7, SIZES = 14, UNITS = 5, FIRST_OF_INTEGERS = 1000 };

static void fields_of(const exact_pair *pair, int body, double fields[FIELDS]) {
    for (int a = 0; a < 3; a++) {
        fields[a] = pair->prev[body][a];
        fields[4 + a] = pair->curr[body][a];
    }
    fields[3] = pair->radius[body];
}

/* Never late, and by at most 2^-51 of itself early, or by all of it below the normal numbers. */
static void check_time(double t) {
    const exact_time time = exact_time_of(&judge, t);
    note_check(!time.late, "%a is late", t);
    note_check(time.behind <= time.exact * 0x1.0001p-51 + 0x1p-1022, "%a is %a before the time", t, time.behind);
}

static void check_pair(const exact_pair *pair) {
    const exact_verdict verdict = exact_decide(&judge, pair);
    double i[FIELDS];
    double k[FIELDS];
    fields_of(pair, 0, i);
    fields_of(pair, 1, k);
    note_check(carom_exact_touches(i, k) == verdict.touches, "touches, or not: wrong");
    note_check(carom_exact_touches(k, i) == verdict.touches, "touches, or not: wrong with the bodies exchanged");
    note_check(carom_exact_approaches(i, k) == verdict.approaches, "approaches, or not: wrong");
    if (verdict.touches) {
        const double t = carom_exact_time(i, k);
        note_check(verdict.rule != EXACT_START || t == 0.0, "%a for a touch at the start", t);
        check_time(t);
    }
}

static bool wanted(uint64_t number) {
    return note_only_case() == UINT64_MAX || note_only_case() == number;
}

static void test_every_kind(void **state) {
    (void)state;
    for (int kind = 0; kind < 2 * PAIR_KINDS; kind++) {
        if (!wanted((uint64_t)kind)) {
            continue;
        }
        carom_random random = carom_random_seeded(note_case_seed((uint64_t)kind));
        for (uint64_t n = 0; n < note_cases(PAIRS); n++) {
            const exact_pair pair = pair_draw((pair_kind)(kind / 2), kind % 2 == 0, &random);
            note_case((uint64_t)kind, "%s, pair %" PRIu64, pair_kind_name((pair_kind)(kind / 2)), n);
            check_pair(&pair);
        }
    }
}

static double integer(carom_random *random, uint32_t size, double unit) {
    const uint32_t span = 2 * size + 1;
    return ((double)((carom_random_next(random) >> 32) * span >> 32) - size) * unit;
}

static exact_pair pair_of_integers(carom_random *random, uint32_t size, double unit) {
    exact_pair pair;
    for (int body = 0; body < 2; body++) {
        for (int a = 0; a < 3; a++) {
            pair.prev[body][a] = integer(random, size, unit);
            pair.curr[body][a] = integer(random, size, unit);
        }
        pair.radius[body] = fabs(integer(random, size / 2, unit));
    }
    return pair;
}

/* Up to the bits that doubles hold the discriminant of, and beyond. */
static void test_integers(void **state) {
    (void)state;
    for (uint32_t number = 0; number < SIZES * UNITS; number++) {
        const uint32_t size = UINT32_C(4) << number % SIZES;
        const double unit = ldexp(1.0, (int)(number / SIZES) * 190 - 380);
        if (!wanted(FIRST_OF_INTEGERS + number)) {
            continue;
        }
        carom_random random = carom_random_seeded(note_case_seed(FIRST_OF_INTEGERS + number));
        for (uint64_t n = 0; n < note_cases(PAIRS); n++) {
            const exact_pair pair = pair_of_integers(&random, size, unit);
            note_case(FIRST_OF_INTEGERS + number, "integers up to %u, pair %" PRIu64, size, n);
            check_pair(&pair);
        }
    }
}

int main(void) {
    note_start("tests/oracle/test_close_decisions");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_kind), cmocka_unit_test(test_integers)};
    return cmocka_run_group_tests_name("close_decisions", tests, start_judge, finish_judge);
}
