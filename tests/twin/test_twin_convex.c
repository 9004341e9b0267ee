/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* gjk, epa, seek, aim and prove against their scalar twins: every instruction set gives the same bits, whichever pairs
 * share a vector, for all kinds of cores in kind and unkind poses and motions. */
#include <math.h>
#include <string.h>

#include "kernel/narrow/seek_start.h"
#include "kernel/shape/measure.h"
#include "simd/rounded.h"
#include "simd/vector.h"
#include "tests/support/check.h"
#include "tests/support/note.h"
#include "tests/twin/guarded.h"

enum { SHAPES = 8, KINDS = CAROM_SHAPE_HULL + 1, POINTS = 40 };

/* Shapes of one kind and the pairs made of them. */
typedef struct cast {
    carom_shape_entry entry[SHAPES];
    carom_hull hull[SHAPES];
    uint32_t most_points; /* of a hull */
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

/* Every second hull has a point opposite to each, and so holds the origin. */
static void make_hull(guarded_pool *pool, carom_random *random, uint32_t most, carom_hull *hull) {
    const uint32_t count = 1 + (uint32_t)(carom_random_next(random) % most);
    const uint32_t padded = (count + CAROM_HULL_PAD - 1) / CAROM_HULL_PAD * CAROM_HULL_PAD;
    const bool around = count % 2 == 0 && carom_random_next(random) % 2 == 0;
    float *rounded = guarded_lines(pool, CAROM_ROUNDED_ALL * (uint64_t)padded, sizeof *rounded);
    *hull = (carom_hull){
        .vertex_count = count, .padded = padded, .rounded = rounded, .reach = 4.0F, .holds_origin = around};
    for (uint32_t a = 0; a < 3; a++) {
        double *x = guarded_lines(pool, padded, sizeof *x);
        for (uint32_t n = 0; n < padded; n++) {
            x[n] = n >= count ? x[0] : around && n % 2 == 1 ? -x[n - 1] : coordinate(random);
        }
        hull->vertex[a] = x;
    }
    carom_rounded_fill(hull->vertex, count, padded, rounded);
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
    const double *h = entry->extent;
    const bool rolls = kind == CAROM_SHAPE_ELLIPSOID && h[0] > 0.0 && h[1] > 0.0 && h[2] > 0.0;
    entry->radius = rolls ? carom_shape_rolling_ball(h) : 0.0;
    if (kind == CAROM_SHAPE_HULL) {
        make_hull(pool, random, c->most_points, &c->hull[n]);
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

/* Shapes of random kinds, or hulls alone. */
static void make_cast(guarded_pool *pool, carom_random *random, uint32_t count, bool hulls, cast *c) {
    c->most_points = UINT32_C(1) << (2 + carom_random_next(random) % 5);
    c->most_points = c->most_points < POINTS ? c->most_points : POINTS;
    for (int side = 0; side < 2; side++) {
        const carom_shape_kind any = (carom_shape_kind)(carom_random_next(random) % KINDS);
        const carom_shape_kind kind = hulls ? CAROM_SHAPE_HULL : any;
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
    make_cast(&pool, random, count, false, &c);
    for (uint32_t n = 0; n < count; n++) { /* of some all is known: they stay as they are */
        c.bracket[0][n].known = c.bracket[1][n].known = carom_random_next(random) % 8 == 0;
    }
    simd->gjk(c.posed[0], c.posed[1], c.goal, count, c.bracket[0]);
    twin->gjk(c.posed[0], c.posed[1], c.goal, count, c.bracket[1]);
    for (uint32_t n = 0; n < count; n++) {
        note_check(same(&c.bracket[0][n], &c.bracket[1][n]), "distances differ, pair %u of %u", n, count);
        note_check(c.bracket[1][n].lower <= c.bracket[1][n].upper, "an empty bracket, pair %u of %u", n, count);
    }
    carom_epa_room *room = guarded_lines(&pool, 1, sizeof *room);
    simd->epa(c.posed[0], c.posed[1], c.goal, count, c.bracket[0], room);
    twin->epa(c.posed[0], c.posed[1], c.goal, count, c.bracket[1], NULL);
    for (uint32_t n = 0; n < count; n++) {
        note_check(same(&c.bracket[0][n], &c.bracket[1][n]), "depths differ, pair %u of %u", n, count);
    }
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

/* Where k is in the frame of i. Some pairs are beyond the limits of sizes. Returns the pairs that are not. */
static uint64_t make_seek(carom_random *random, const cast *c, uint32_t count, carom_seek_pairs *pairs) {
    uint64_t open = 0;
    for (uint32_t n = 0; n < count; n++) {
        const carom_posed *i = &c->posed[0][n];
        const carom_posed *k = &c->posed[1][n];
        for (int a = 0; a < 3; a++) {
            const double axis[3] = {i->turn[0][a], i->turn[1][a], i->turn[2][a]};
            const double between[3] = {k->at[0] - i->at[0], k->at[1] - i->at[1], k->at[2] - i->at[2]};
            const double way = carom_vector_dot(axis, between);
            pairs->between[a][n] = carom_random_next(random) % 16 == 0 ? 0x1p60F : (float)way;
            for (int b = 0; b < 3; b++) {
                const double side[3] = {k->turn[0][b], k->turn[1][b], k->turn[2][b]};
                pairs->turn[3 * a + b][n] = (float)carom_vector_dot(axis, side);
            }
        }
        pairs->hull[0][n] = i->shape->hull;
        pairs->hull[1][n] = k->shape->hull;
        open |= (uint64_t)(carom_seek_set(pairs, n) && carom_random_next(random) % 8 != 0) << n;
    }
    return open;
}

static void check_same_seek(const carom_seek_pairs *a, const carom_seek_pairs *b, uint32_t n) {
    note_check(a->lower[n] == b->lower[n] && a->upper[n] == b->upper[n] && a->steps[n] == b->steps[n],
               "bounds of pair %u differ", n);
    for (int d = 0; d < 3 && b->steps[n] > 0.0F; d++) {
        note_check(a->number[d][n] == b->number[d][n] && a->direction[d][n] == b->direction[d][n],
                   "places of pair %u differ", n);
    }
}

/* Searches in floats: the same bits; what they know, and what searches in double that go on from there find, meets what
 * searches without them find. */
static void seek_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t any_count) {
    const uint32_t count = any_count < CAROM_BLOCK_PAIRS ? any_count : CAROM_BLOCK_PAIRS;
    guarded_pool pool = {.count = 0};
    cast c;
    make_cast(&pool, random, count, true, &c);
    carom_bracket *plain = guarded_array(&pool, count, sizeof *plain, 0);
    carom_seek_pairs *pairs[2] = {guarded_array(&pool, 1, sizeof *pairs[0], 0),
                                  guarded_array(&pool, 1, sizeof *pairs[1], 0)};
    const uint64_t open = make_seek(random, &c, count, pairs[0]);
    const bool state = carom_random_next(random) % 2 == 0;
    pairs[0]->above = state ? 0.5F : HUGE_VALF;
    pairs[0]->below = state ? 0.5F : -HUGE_VALF;
    *pairs[1] = *pairs[0];
    simd->seek(pairs[0], open);
    twin->seek(pairs[1], open);
    for (uint32_t n = 0; n < count; n++) {
        check_same_seek(pairs[0], pairs[1], n);
        c.goal[n] = (carom_goal){.width = 0x1p-40, .reach = 1.0, .above = HUGE_VAL, .below = -HUGE_VAL};
        plain[n] = c.bracket[1][n];
        if ((open >> n & 1) != 0) {
            const carom_seek_start place = carom_seek_start_of(pairs[1], n);
            carom_seek_start_take(&c.posed[0][n], &c.posed[1][n], &place, &c.bracket[1][n]);
        }
    }
    twin->gjk(c.posed[0], c.posed[1], c.goal, count, c.bracket[1]);
    twin->gjk(c.posed[0], c.posed[1], c.goal, count, plain);
    for (uint64_t rest = open; rest != 0; rest &= rest - 1) {
        const uint32_t n = (uint32_t)__builtin_ctzll(rest);
        const carom_bracket *found = &c.bracket[1][n];
        const double lower = fmax(found->lower, (double)pairs[1]->lower[n]);
        const double upper = fmin(found->upper, (double)pairs[1]->upper[n]);
        note_check(lower <= upper, "an empty bracket, [%g, %g], pair %u of %u", lower, upper, n, count);
        note_check(lower <= plain[n].upper && plain[n].lower <= upper, "[%g, %g] and [%g, %g], pair %u of %u", lower,
                   upper, plain[n].lower, plain[n].upper, n, count);
    }
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

/* Motions of the shapes, and what a look at them has left. */
typedef struct flight {
    carom_swing *swing[2];
    carom_course *course;
    carom_aim *aim[2];
    carom_posed *posed[2][2]; /* by kernel and twin */
    carom_proof *proof[2];
    carom_proof **list[2];
} flight;

static void make_unit(carom_random *random, double v[3]) {
    for (int a = 0; a < 3; a++) {
        v[a] = coordinate(random);
    }
    if (!carom_vector_unit(v, v)) {
        v[2] = 1.0;
    }
}

/* None, a little, some turns, or any rotation. */
static double make_angle(carom_random *random) {
    static const double most[8] = {0.0, 0x1p-30, 0.75, 0.75, 0.75, 3.0, 40.0, 0x1p48};
    const uint64_t choice = carom_random_next(random) % 32;
    return choice == 8 ? HUGE_VAL : most[choice % 8] * carom_random_u01(random);
}

static void make_swing(carom_random *random, const carom_posed *posed, carom_swing *swing) {
    memset(swing, 0, sizeof *swing);
    swing->shape = posed->shape;
    swing->angle = make_angle(random);
    make_unit(random, swing->axis);
    memcpy(swing->start, posed->turn, sizeof swing->start);
    memcpy(swing->extent, posed->shape->extent, sizeof swing->extent);
    swing->radius = posed->shape->radius;
    swing->core_reach = carom_random_next(random) % 8 == 0 ? 0.0 : 8.0;
    swing->around = carom_random_next(random) % 8 == 0 ? 0.0 : 6.0;
    swing->turns = carom_random_next(random) % 8 == 0 ? 0.0 : 1.0;
    for (int a = 0; a < 3; a++) {
        swing->arm[a] = carom_random_next(random) % 2 == 0 ? 0.0 : uniform(random);
    }
}

static void make_proof(carom_random *random, const carom_course *course, carom_proof *proof) {
    memset(proof, 0, sizeof *proof);
    proof->course = course;
    make_unit(random, proof->drift.normal);
    make_unit(random, proof->drift.axis);
    proof->drift.angle = make_angle(random);
    proof->drift.t = carom_random_next(random) % 2 == 0 ? 0.0 : carom_random_u01(random);
    proof->height = ldexp(carom_random_u01(random) + 0x1p-40, -(int)(carom_random_next(random) % 20));
    proof->closing = 4.0 * uniform(random);
    proof->end = carom_random_next(random) % 4 == 0 ? proof->drift.t : 1.0;
    proof->target = 0x1p-30;
    proof->first = carom_random_next(random) % 4 == 0;
}

static void make_flight(guarded_pool *pool, carom_random *random, const cast *c, uint32_t count, flight *f) {
    f->course = guarded_array(pool, count, sizeof *f->course, 0);
    for (uint32_t side = 0; side < 2; side++) {
        f->swing[side] = guarded_array(pool, count, sizeof(carom_swing), 0);
        f->aim[side] = guarded_array(pool, count, sizeof(carom_aim), 0);
        f->proof[side] = guarded_array(pool, count, sizeof(carom_proof), 0);
        f->list[side] = guarded_array(pool, count, sizeof(carom_proof *), 0);
        f->posed[side][0] = guarded_array(pool, count, sizeof(carom_posed), 0);
        f->posed[side][1] = guarded_array(pool, count, sizeof(carom_posed), 0);
    }
    for (uint32_t n = 0; n < count; n++) {
        carom_course *course = &f->course[n];
        for (uint32_t side = 0; side < 2; side++) {
            make_swing(random, &c->posed[side][n], &f->swing[side][n]);
        }
        *course = (carom_course){.i = &f->swing[0][n], .k = &f->swing[1][n], .radius = 0.25, .height_error = 0x1p-40};
        for (int a = 0; a < 3; a++) {
            course->p[a] = 4.0 * uniform(random);
            course->u[a] = 4.0 * uniform(random);
        }
        make_proof(random, course, &f->proof[0][n]);
        f->proof[1][n] = f->proof[0][n];
        f->aim[0][n] = (carom_aim){.course = course, .t = carom_random_u01(random)};
        make_unit(random, f->aim[0][n].direction);
        f->aim[0][n].seen = carom_random_next(random) % 3 > 0 ? &c->bracket[0][n] : NULL;
        f->aim[1][n] = f->aim[0][n];
        for (uint32_t side = 0; side < 2; side++) {
            carom_aim *aim = &f->aim[side][n];
            f->list[side][n] = &f->proof[side][n];
            f->posed[side][0][n] = c->posed[0][n];
            f->posed[side][1][n] = c->posed[1][n];
            aim->i = &f->posed[side][0][n];
            aim->k = &f->posed[side][1][n];
            aim->seen_i = aim->i;
            aim->seen_k = aim->k;
            aim->bracket = &c->bracket[side][n];
            aim->seen = aim->seen != NULL ? aim->bracket : NULL;
        }
    }
}

static bool same_pose(const carom_posed *a, const carom_posed *b) {
    return a->shape == b->shape && guarded_same_f64(a->at, b->at, 12);
}

/* The poses take the place of those that were seen, and so do the brackets. */
static void moving_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    cast c;
    flight f;
    make_cast(&pool, random, count, false, &c);
    twin->gjk(c.posed[0], c.posed[1], c.goal, count, c.bracket[0]);
    memcpy(c.bracket[1], c.bracket[0], count * sizeof(carom_bracket));
    make_flight(&pool, random, &c, count, &f);
    simd->aim(f.aim[0], count);
    twin->aim(f.aim[1], count);
    if (count > 0) {
        simd->prove(f.list[0], count);
        twin->prove(f.list[1], count);
    }
    for (uint32_t n = 0; n < count; n++) {
        const carom_proof *a = &f.proof[0][n];
        const carom_proof *b = &f.proof[1][n];
        note_check(same(&c.bracket[0][n], &c.bracket[1][n]), "brackets differ, pair %u of %u", n, count);
        note_check(same_pose(&f.posed[0][0][n], &f.posed[1][0][n]) && same_pose(&f.posed[0][1][n], &f.posed[1][1][n]) &&
                       guarded_same_f64(f.aim[0][n].shift, f.aim[1][n].shift, 3),
                   "poses differ, pair %u of %u", n, count);
        note_check(guarded_same_f64(&a->next, &b->next, 4), "proofs differ, pair %u of %u: %a and %a", n, count,
                   a->next, b->next);
        note_check(b->next >= b->drift.t && b->next <= fmax(b->end, b->drift.t), "%g is not after %g", b->next,
                   b->drift.t);
    }
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

static void check_moving(void **state) {
    (void)state;
    guarded_over_all("aim and prove", moving_case);
}

static void check_convex(void **state) {
    (void)state;
    guarded_over_all("gjk and epa", convex_case);
}

static void check_seek(void **state) {
    (void)state;
    guarded_over_all("seek", seek_case);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(check_convex), cmocka_unit_test(check_seek),
                                       cmocka_unit_test(check_moving)};
    note_start("test_twin_convex");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
