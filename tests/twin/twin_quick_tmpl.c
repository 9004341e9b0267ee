/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What floats tell of pairs, by the kernel and its scalar twin: the same pairs are decided, with the same bits, and
 * pairs of other kinds, or of bodies and shapes that are not there, are noticed. Bodies of pairs lie anywhere, side by
 * side, or in two sets, up to the ends of their arrays. Poses are drawn close to touch, some aligned, some of no
 * number, of sizes from 1e-20 to 1e20. The balls of shapes have any radii: tests/oracle holds the answers against the
 * truth. */
#include <math.h>
#include <string.h>

#include "simd/quick_floats.h"
#include "tests/twin/bodies_tmpl.h"

enum { BODIES = 144, SHAPES = 8, TESTS = 4 };

/* Which bodies make pairs. */
typedef enum pairs_order {
    ANYWHERE,
    NEIGHBOURS, /* bodies 2 n and 2 n + 1, from some pair on */
    TWO_SETS,   /* bodies n and BODIES / 2 + m, from some n and m on */
    ORDERS
} pairs_order;

static const uint32_t kinds[TESTS][2] = {
    [CAROM_QUICK_SOLID] = {CAROM_SHAPE_SPHERE, CAROM_SHAPE_BOX},
    [CAROM_QUICK_SEGMENTS] = {CAROM_SHAPE_SPHERE, CAROM_SHAPE_CAPSULE},
    [CAROM_QUICK_BOXES] = {CAROM_SHAPE_BOX, CAROM_SHAPE_BOX},
    [CAROM_QUICK_HULLS] = {CAROM_SHAPE_CAPSULE, CAROM_SHAPE_HULL},
};

static uint64_t all_pairs;
static uint64_t all_known;

static double within(carom_random *random, double most) {
    return most * (2.0 * carom_random_u01(random) - 1.0);
}

static bool one_in(carom_random *random, uint64_t n) {
    return carom_random_next(random) % n == 0;
}

/* Shapes of even numbers are of the first kind. */
static void draw_shapes(carom_random *random, double size, carom_quick_test test, float *box, uint32_t *kind) {
    for (uint32_t s = 0; s < SHAPES; s++) {
        float *row = box + CAROM_APART_ROW * s;
        const bool is_round = kinds[test][s % 2] <= CAROM_SHAPE_CAPSULE;
        const float radius = (float)(size * carom_random_u01(random));
        kind[s] = kinds[test][s % 2];
        for (int a = 0; a < 3; a++) {
            row[CAROM_APART_CENTRE + a] = test == CAROM_QUICK_HULLS ? (float)within(random, 0.1 * size) : 0.0F;
            row[CAROM_APART_HALF + a] = is_round ? radius : (float)(size * carom_random_u01(random));
        }
        row[CAROM_APART_HALF + 2] += kind[s] == CAROM_SHAPE_CAPSULE ? radius : 0.0F;
        row[CAROM_APART_REACH] = (float)(1.8 * size);
        row[CAROM_APART_INNER] = one_in(random, 4) ? -HUGE_VALF : (float)(0.4 * size * carom_random_u01(random));
    }
}

/* Shapes of the second kind have the second half of the bodies in two sets, else those of odd numbers. */
static void draw_bodies(carom_random *random, double size, pairs_order order, carom_real *const at[3],
                        carom_real *const turn[4], uint32_t *shape) {
    for (uint32_t n = 0; n < BODIES; n++) {
        const bool aligned = one_in(random, 4);
        for (int a = 0; a < 3; a++) {
            at[a][n] = (carom_real)(size * within(random, 1.5));
        }
        for (int a = 0; a < 4; a++) {
            turn[a][n] =
                (carom_real)(a == 3 ? 0.5 + 0.5 * carom_random_u01(random) : (aligned ? 0.0 : within(random, 0.8)));
        }
        if (one_in(random, 16)) {
            at[0][n] = (carom_real)guarded_number(random);
            turn[1][n] = (carom_real)guarded_number(random);
        }
        const uint32_t side = order == TWO_SETS ? n / (BODIES / 2) : n % 2;
        shape[n] = (uint32_t)(carom_random_next(random) % (SHAPES / 2) * 2 + side);
    }
}

/* The numbers of bodies on one side among those of their kind: somewhere, or one after the other, as they are to the
 * end or with one that is out of order. */
static void draw_numbers(carom_random *random, uint32_t count, bool in_order, uint32_t *number) {
    const uint32_t last = BODIES / 2 - count;
    const uint32_t first = one_in(random, 2) ? last : (uint32_t)(carom_random_next(random) % (last + 1));
    for (uint32_t n = 0; n < count; n++) {
        number[n] = in_order ? first + n : (uint32_t)(carom_random_next(random) % (BODIES / 2));
    }
    if (count > 0 && one_in(random, 4)) {
        number[carom_random_next(random) % count] = first;
    }
}

/* Pairs of bodies of the first and the second kind; now and then one that must be noticed. Returns whether there is
 * one. */
static bool draw_pairs(carom_random *random, uint32_t count, pairs_order order, uint32_t *const body[2]) {
    bool odd = false;
    for (uint32_t s = 0; s < 2; s++) {
        if (order != NEIGHBOURS || s == 0) {
            draw_numbers(random, count, order != ANYWHERE, body[s]);
        }
        for (uint32_t n = 0; n < count; n++) {
            const uint32_t number = order == NEIGHBOURS && s == 1 ? body[0][n] / 2 : body[s][n];
            body[s][n] = order == TWO_SETS ? s * (BODIES / 2) + number : 2 * number + s;
        }
    }
    if (count > 0 && one_in(random, 8)) {
        body[carom_random_next(random) % 2][carom_random_next(random) % count] =
            one_in(random, 2) ? BODIES : UINT32_MAX;
        odd = true;
    }
    return odd;
}

/* What searches begin with, of pairs whose rotations and sizes are usual. */
static void compare_seek(const carom_seek_pairs *a, const carom_seek_pairs *b, uint32_t n) {
    for (int e = 0; e < 9; e++) {
        note_check(a->turn[e][n] == b->turn[e][n], "rotations of pair %u differ", n);
    }
    for (int d = 0; d < 3; d++) {
        note_check(a->between[d][n] == b->between[d][n], "ways of pair %u differ", n);
    }
}

static void compare(const carom_quick_gaps *a, const carom_quick_gaps *b, uint32_t count) {
    note_check(a->apart == b->apart && a->touching == b->touching && a->open == b->open && a->others == b->others,
               "states differ");
    note_check((b->open & (b->apart | b->touching)) == 0, "open, and known");
    note_check((b->apart & b->touching) == 0, "apart and touching");
    for (uint32_t n = 0; n < count; n++) {
        if (((b->apart | b->touching) >> n & 1) != 0) {
            note_check(a->lower[n] == b->lower[n] && a->upper[n] == b->upper[n] && a->distance[n] == b->distance[n],
                       "brackets of pair %u differ", n);
            all_known++;
        }
    }
    all_pairs += b->others ? 0 : count;
}

static void quick_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    const uint32_t pairs = count < CAROM_BLOCK_PAIRS ? count : CAROM_BLOCK_PAIRS;
    const double size = pow(10.0, one_in(random, 2) ? 0.0 : within(random, 20.0));
    const carom_quick_test test = (carom_quick_test)(carom_random_next(random) % TESTS);
    const pairs_order order = (pairs_order)(carom_random_next(random) % ORDERS);
    guarded_pool pool = {.count = 0};
    carom_real *at[3];
    carom_real *turn[4];
    uint32_t *body[2];
    float *box = guarded_array(&pool, SHAPES * CAROM_APART_ROW, sizeof *box, 0);
    uint32_t *kind = guarded_array(&pool, SHAPES, sizeof *kind, 0);
    uint32_t *shape = guarded_array(&pool, BODIES, sizeof *shape, 0);
    carom_quick_gaps *gaps[2];
    carom_seek_pairs *seek[2];
    for (int a = 0; a < 3; a++) {
        at[a] = guarded_array(&pool, BODIES, sizeof *at[a], 0);
    }
    for (int a = 0; a < 4; a++) {
        turn[a] = guarded_array(&pool, BODIES, sizeof *turn[a], 0);
    }
    for (int b = 0; b < 2; b++) {
        body[b] = guarded_array(&pool, pairs, sizeof *body[b], 0);
        gaps[b] = guarded_array(&pool, 1, sizeof *gaps[b], 0);
        seek[b] = guarded_array(&pool, 1, sizeof *seek[b], 0);
    }
    draw_shapes(random, size, test, box, kind);
    draw_bodies(random, size, order, at, turn, shape);
    const bool odd = draw_pairs(random, pairs, order, body);
    const bool turned = !one_in(random, 8);
    const bool seeks = one_in(random, 2);
    carom_quick_in in = {.at = {at[0], at[1], at[2]},
                         .turn = {turned ? turn[0] : NULL, turn[1], turn[2], turn[3]},
                         .shape = shape,
                         .bodies = BODIES,
                         .shapes = SHAPES,
                         .kind = kinds[test][0] == kinds[test][1] && one_in(random, 2) ? NULL : kind,
                         .box = box,
                         .body = {body[0], body[1]},
                         .count = pairs,
                         .kinds = {kinds[test][0], kinds[test][1]},
                         .test = test,
                         .above = one_in(random, 2) ? 0.0F : (float)(0.2 * size),
                         .below = one_in(random, 2) ? 0.0F : (float)(0.1 * size)};
    in.seek = seeks ? seek[0] : NULL;
    carom_kernels_of(simd)->quick(&in, gaps[0]);
    in.seek = seeks ? seek[1] : NULL;
    carom_kernels_of(twin)->quick(&in, gaps[1]);
    compare(gaps[0], gaps[1], pairs);
    const uint64_t usual = gaps[1]->apart | gaps[1]->touching | gaps[1]->open;
    for (uint64_t rest = seeks && test == CAROM_QUICK_HULLS ? usual : 0; rest != 0; rest &= rest - 1) {
        compare_seek(seek[0], seek[1], (uint32_t)__builtin_ctzll(rest));
    }
    note_check(gaps[1]->others == odd, "what is of another kind is not noticed");
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

void check_quick(void **state) {
    (void)state;
    all_pairs = 0;
    all_known = 0;
    guarded_over_all("quick", quick_case);
    note_check(note_only_case() != UINT64_MAX || (all_known > all_pairs / 3 && all_known < all_pairs),
               "%llu of %llu pairs are decided: the test is empty", (unsigned long long)all_known,
               (unsigned long long)all_pairs);
}
