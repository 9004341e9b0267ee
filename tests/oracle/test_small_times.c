/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Times of impact a hair below powers of two, from a half to where they are no normal numbers any more. Guards that
 * rounding one down does not end above it, least of all at the border to the subnormals; and that there are none. */
#include <float.h>
#include <math.h>

#include "simd/exact/exact.h"
#include "tests/oracle/exact.h"
#include "tests/support/any_detect.h"
#include "tests/support/check.h"
#include "tests/support/note.h"
#include "tests/support/random_scene.h"

enum { ISAS_MOST = 8, FACTORS = 16 };

/* Of each precision: the exponent of its least number, and beyond which times are 0. */
static const int LEAST[ANY_PRECISIONS] = {-149, -1074};
static const int LONGEST[ANY_PRECISIONS] = {130, 1026};
static const double LEAST_NORMAL[ANY_PRECISIONS] = {(double)FLT_MIN, DBL_MIN};

/* What carom_exact_time promises, as a share of the time. */
static const double EARLY = 0x1p-51;

static exact judge;

/* A point moves from -a to d, across another at rest: t = a / (a + d), with a = factor 2^least and d = 2^length a. */
static exact_pair pair_of(double factor, int least, int length) {
    exact_pair pair = {.radius = {0, 0}};
    pair.prev[0][length % 3] = -ldexp(factor, least);
    pair.curr[0][length % 3] = ldexp(factor, least + length);
    return pair;
}

/* Late by nothing, and 0 or normal. */
static exact_time check_time(const exact_pair *pair, double t, double least_normal) {
    note_check(exact_decide(&judge, pair).touches, "does not touch");
    const exact_time time = exact_time_of(&judge, t);
    note_check(!time.late, "%a is after the exact %a", t, time.exact);
    note_check(t == 0 || t >= least_normal, "%a is subnormal", t);
    return time;
}

static void check_integers(const exact_pair *pair) {
    double body[2][7];
    for (int n = 0; n < 2; n++) {
        for (int a = 0; a < 3; a++) {
            body[n][a] = pair->prev[n][a];
            body[n][a + 4] = pair->curr[n][a];
        }
        body[n][3] = pair->radius[n];
    }
    const double t = carom_exact_time(body[0], body[1]);
    const exact_time time = check_time(pair, t, DBL_MIN);
    note_check(time.behind <= EARLY * time.exact || time.exact <= DBL_MIN, "%a is far before %a", t, time.exact);
}

static void check_call(carom_context *context, any_precision precision, const exact_pair *pair) {
    random_scene scene = random_scene_blank(2);
    for (int a = 0; a < 3; a++) {
        scene.field[a][0] = pair->prev[0][a];
        scene.field[a + 3][0] = pair->curr[0][a];
    }
    const carom_detect_config config = any_config_full();
    any_result r = any_detect(context, precision, &scene.bodies, &config);
    note_check(r.status == CAROM_OK && r.pair_count == 1, "%d pairs", (int)r.pair_count);
    check_time(pair, r.field[ANY_T_TOI][0], LEAST_NORMAL[precision]);
    any_result_release(&r);
    random_scene_release(&scene);
}

static void check_precision(carom_context *context, any_precision precision) {
    for (int length = 1; length <= LONGEST[precision]; length++) {
        for (int factor = 1; factor < FACTORS; factor++) {
            note_case((uint64_t)length, "%s, %s, %d", any_precision_name(precision), carom_context_isa(context),
                      factor);
            const exact_pair pair = pair_of(factor, LEAST[precision], length);
            check_integers(&pair);
            check_call(context, precision, &pair);
        }
    }
}

static void test_powers_of_two(void **state) {
    (void)state;
    const char *isas[ISAS_MOST];
    const size_t count = carom_isa_available(isas, ISAS_MOST);
    exact_start(&judge);
    for (size_t n = 0; n < count; n++) {
        carom_context *context = any_context(1, isas[n]);
        check_precision(context, ANY_F32);
        check_precision(context, ANY_F64);
        carom_context_destroy(context);
    }
    exact_end(&judge);
}

int main(void) {
    note_start("tests/oracle/test_small_times");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_powers_of_two)};
    return cmocka_run_group_tests_name("small times", tests, NULL, NULL);
}
