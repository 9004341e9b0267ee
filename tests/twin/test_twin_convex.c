/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* gjk and epa against their scalar twins: every instruction set gives the same bits, whichever pairs share a vector,
 * for all kinds of cores in kind and unkind poses. */
#include <math.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/note.h"
#include "tests/twin/guarded.h"

enum { SHAPES = 8, KINDS = CAROM_SHAPE_HULL + 1, POINTS = 40, PADDED = 48 };

/* Shapes of one kind and the pairs made of them. */
typedef struct cast {
    carom_shape_entry entry[SHAPES];
    carom_hull hull[SHAPES];
    carom_posed *posed[2];
    carom_goal *goal;
    carom_bracket *bracket[2];
} cast;

static double uniform(carom_random *random) {
    return 2.0 * carom_random_u01(random) - 1.0;
}

/* A whole number now and then, so that faces are parallel and corners meet. */
static double coordinate(carom_random *random) {
    return carom_random_next(random) % 2 == 0 ? uniform(random) : (double)(carom_random_next(random) % 5) - 2.0;
}

static void make_hull(guarded_pool *pool, carom_random *random, carom_hull *hull) {
    const uint32_t count = 1 + (uint32_t)(carom_random_next(random) % POINTS);
    *hull = (carom_hull){.vertex_count = count, .padded = PADDED};
    for (int a = 0; a < 3; a++) {
        double *x = guarded_lines(pool, PADDED, sizeof *x);
        for (uint32_t n = 0; n < PADDED; n++) {
            x[n] = n < count ? coordinate(random) : x[0];
        }
        hull->vertex[a] = x;
    }
}

/* Extents that fit the kind: some are 0. */
static void make_entry(guarded_pool *pool, carom_random *random, carom_shape_kind kind, cast *c, uint32_t n) {
    carom_shape_entry *entry = &c->entry[n];
    *entry = (carom_shape_entry){.kind = kind, .core_reach = 4.0, .reach = 4.0};
    for (int a = 0; a < 3; a++) {
        const double extent = fabs(coordinate(random));
        const bool has = kind == CAROM_SHAPE_CAPSULE ? a == 2 : kind != CAROM_SHAPE_SPHERE && kind != CAROM_SHAPE_HULL;
        entry->extent[a] = has ? extent : 0.0;
    }
    entry->extent[1] = kind == CAROM_SHAPE_CYLINDER || kind == CAROM_SHAPE_CONE ? entry->extent[0] : entry->extent[1];
    if (kind == CAROM_SHAPE_HULL) {
        make_hull(pool, random, &c->hull[n]);
        entry->hull = &c->hull[n];
    }
}

static void make_posed(carom_random *random, const carom_shape_entry *entry, carom_posed *posed) {
    double q[4];
    posed->shape = entry;
    for (int a = 0; a < 4; a++) {
        q[a] = carom_random_next(random) % 3 == 0 ? (a == 3 ? 1.0 : 0.0) : uniform(random);
    }
    q[3] += 0.25;
    carom_pose_turn(q, posed->turn);
    for (int a = 0; a < 3; a++) {
        posed->at[a] = coordinate(random);
    }
}

static void make_cast(guarded_pool *pool, carom_random *random, uint32_t count, cast *c) {
    for (int side = 0; side < 2; side++) {
        const carom_shape_kind kind = (carom_shape_kind)(carom_random_next(random) % KINDS);
        c->posed[side] = guarded_array(pool, count, sizeof(carom_posed), 0);
        c->bracket[side] = guarded_array(pool, count, sizeof(carom_bracket), 0);
        memset(c->bracket[side], 0, count * sizeof(carom_bracket));
        for (uint32_t n = 0; n < SHAPES / 2; n++) {
            make_entry(pool, random, kind, c, (uint32_t)side * SHAPES / 2 + n);
        }
    }
    c->goal = guarded_array(pool, count, sizeof *c->goal, 0);
    for (uint32_t n = 0; n < count; n++) {
        const bool state = carom_random_next(random) % 3 == 0;
        c->goal[n] = (carom_goal){.width = n % 2 == 0 ? 0x1p-40 : 0x1p-20,
                                  .reach = 1.0,
                                  .radius = n % 4 == 0 ? 0.5 : 0.0,
                                  .above = state ? 0.5 : HUGE_VAL,
                                  .below = state ? 0.5 : -HUGE_VAL};
        for (uint32_t side = 0; side < 2; side++) {
            const uint32_t shape = side * SHAPES / 2 + (uint32_t)(carom_random_next(random) % (SHAPES / 2));
            make_posed(random, &c->entry[shape], &c->posed[side][n]);
            c->entry[shape].core_reach = 8.0;
        }
    }
}

static bool same(const carom_bracket *a, const carom_bracket *b) {
    const uint64_t doubles = offsetof(carom_bracket, iterations) / sizeof(double);
    return guarded_same_f64(&a->lower, &b->lower, doubles) && a->iterations == b->iterations &&
           a->overlap == b->overlap;
}

static void convex_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    cast c;
    make_cast(&pool, random, count, &c);
    simd->gjk(c.posed[0], c.posed[1], c.goal, count, c.bracket[0]);
    twin->gjk(c.posed[0], c.posed[1], c.goal, count, c.bracket[1]);
    for (uint32_t n = 0; n < count; n++) {
        note_check(same(&c.bracket[0][n], &c.bracket[1][n]), "distances differ, pair %u of %u", n, count);
        note_check(c.bracket[1][n].lower <= c.bracket[1][n].upper, "an empty bracket, pair %u of %u", n, count);
        if (c.bracket[1][n].overlap) {
            const bool kernel = simd->epa(&c.posed[0][n], &c.posed[1][n], &c.goal[n], &c.bracket[0][n]);
            const bool reference = twin->epa(&c.posed[0][n], &c.posed[1][n], &c.goal[n], &c.bracket[1][n]);
            note_check(kernel == reference && same(&c.bracket[0][n], &c.bracket[1][n]), "depths differ, pair %u of %u",
                       n, count);
        }
    }
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

static void check_convex(void **state) {
    (void)state;
    guarded_over_all("gjk and epa", convex_case);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(check_convex)};
    note_start("test_twin_convex");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
