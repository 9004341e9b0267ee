/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Yes or no by libccd, an implementation of others (its search by portals, and its GJK), on pairs whose signed distance
 * is not near 0: a witness that the reference and the library do not share a misunderstanding. libccd calls Carom's
 * shapes through support functions that are written here anew. */
#include <ccd/ccd.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "tests/oracle/gap_judge.h"
#include "tests/oracle/solid_draw.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

enum { PAIRS = 40000, LONG_TIMES = 100, CALLS_MOST = 4000 };

/* With a volume; libccd has no answer for flat ones. */
static const solid_species SOLIDS[] = {SPECIES_SPHERE,   SPECIES_CAPSULE, SPECIES_BOX,
                                       SPECIES_CYLINDER, SPECIES_CONE,    SPECIES_ELLIPSOID,
                                       SPECIES_HULL_4,   SPECIES_HULL_16, SPECIES_HULL_64};

/* Nearer to a touch than this, relative to the smaller shape, libccd may be wrong. */
static const double NEAR = 1e-3;

/* What libccd is asked about: its tolerances are absolute, so lengths are divided by `unit`. */
typedef struct asked_solid {
    const solid *solid;
    wide unit;
} asked_solid;

/* Its searches may never end; this many calls of a support function end them. */
static jmp_buf out;
static uint32_t calls;

static void support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *to) {
    const asked_solid *asked_of = object;
    const solid *s = asked_of->solid;
    if (++calls > CALLS_MOST) {
        longjmp(out, 1);
    }
    const wide n[3] = {direction->v[0], direction->v[1], direction->v[2]};
    wide point[3];
    wide unit[3] = {n[0], n[1], n[2]};
    const bool any = wide_unit(unit);
    solid_support(s, n, point);
    for (int d = 0; d < 3; d++) {
        to->v[d] = (ccd_real_t)((point[d] + (any ? s->radius * unit[d] : 0)) / asked_of->unit);
    }
}

/* A point within. */
static void centre(const void *object, ccd_vec3_t *to) {
    const asked_solid *asked_of = object;
    const solid *s = asked_of->solid;
    wide local[3] = {0, 0, 0};
    for (uint64_t n = 0; n < s->shape->point_count; n++) {
        for (int d = 0; d < 3; d++) {
            local[d] += s->shape->point[n][d] / (wide)s->shape->point_count;
        }
    }
    for (int d = 0; d < 3; d++) {
        to->v[d] = (ccd_real_t)((s->at[d] + wide_dot(s->turn[d], local)) / asked_of->unit);
    }
}

/* Whether a search of libccd's does not say `touches`; false if it does not end. */
static bool differs(int (*search)(const void *, const void *, const ccd_t *), const solid_pair *pair, bool touches) {
    const wide unit = truth_scale(pair);
    const asked_solid i = {&pair->i, unit};
    const asked_solid k = {&pair->k, unit};
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = support;
    ccd.center1 = ccd.center2 = centre;
    ccd.max_iterations = 500;
    calls = 0;
    if (setjmp(out) != 0) {
        return false;
    }
    return (search(&i, &k, &ccd) != 0) != touches;
}

static uint64_t asked;
static uint64_t touching;
static uint64_t portals_wrong;
static uint64_t gjk_wrong;

static void run_pair(uint64_t number) {
    static solid_drawn pair;
    carom_random random = carom_random_seeded(note_case_seed(number));
    const solid_species i = SOLIDS[carom_random_next(&random) % (sizeof SOLIDS / sizeof SOLIDS[0])];
    const solid_species k = SOLIDS[carom_random_next(&random) % (sizeof SOLIDS / sizeof SOLIDS[0])];
    note_case(number, "%s against %s", solid_species_name(i), solid_species_name(k));
    solid_draw(&random, i, k, PLACE_ANYWHERE, &pair);
    const gap_case c = {.i = &pair.i,
                        .k = &pair.k,
                        .solids = solid_pair_of(&pair.i, &pair.k),
                        .task = {.detail = CAROM_GAP_STATE, .tolerance = 0x1p-40}};
    const carom_gap gap = gap_case_ask(&c).gap;
    const bool touches = carom_gap_state_of(&gap, 0) != CAROM_GAP_SEPARATED;
    if (fmin(fabs(gap.lower), fabs(gap.upper)) < NEAR * (double)truth_scale(&c.solids)) {
        return;
    }
    asked++;
    touching += touches;
    portals_wrong += differs(ccdMPRIntersect, &c.solids, touches);
    gjk_wrong += differs(ccdGJKIntersect, &c.solids, touches);
}

static void test_states(void **state) {
    (void)state;
    note_each_case(note_long() ? PAIRS * LONG_TIMES : PAIRS, run_pair);
    printf("# %" PRIu64 " pairs, %" PRIu64 " touching; libccd differs in %" PRIu64 " (portals) and %" PRIu64 " (GJK)\n",
           asked, touching, portals_wrong, gjk_wrong);
    assert_true(asked == 0 || portals_wrong * 1000 <= asked);
    assert_true(asked == 0 || gjk_wrong * 1000 <= asked);
}

int main(void) {
    note_start("tests/oracle/test_gap_libccd");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_states)};
    return cmocka_run_group_tests_name("gap libccd", tests, NULL, NULL);
}
