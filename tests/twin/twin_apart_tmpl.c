/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Which boxes are certainly apart, by the kernel and its scalar twin, and by all fifteen axes in long double: a pair
 * that is dropped must be farther apart than the margin and what the tests of pairs are off by. Pairs are drawn close
 * to touch, of sizes from 1e-20 to 1e20. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "simd/apart_boxes.h"
#include "tests/twin/bodies_tmpl.h"

enum { BODIES = 48, SHAPES = 8, PAIRS_MOST = 300 };

/* A case's bodies and boxes. */
typedef struct boxed_case {
    carom_real *pose;
    float *box;
    uint32_t *i;
    uint32_t *k;
    double size;
    carom_apart apart;
} boxed_case;

static uint64_t all_pairs;
static uint64_t all_apart;

static double within(carom_random *random, double most) {
    return most * (2.0 * carom_random_u01(random) - 1.0);
}

static boxed_case draw_case(guarded_pool *pool, carom_random *random, uint32_t count) {
    boxed_case c = {.pose = guarded_array(pool, BODIES * CAROM_APART_ROW, sizeof *c.pose, 0),
                    .box = guarded_array(pool, SHAPES * CAROM_APART_ROW, sizeof *c.box, 0),
                    .i = guarded_array(pool, count, sizeof *c.i, 0),
                    .k = guarded_array(pool, count, sizeof *c.k, 0),
                    .size = pow(10.0, within(random, 20.0))};
    const bool wide = carom_random_next(random) % 8 == 0;
    memset(c.pose, 0, BODIES * CAROM_APART_ROW * sizeof *c.pose);
    for (uint32_t s = 0; s < SHAPES; s++) {
        float *row = c.box + CAROM_APART_ROW * s;
        for (int a = 0; a < 3; a++) {
            row[CAROM_APART_CENTRE + a] = s % 2 == 0 ? 0.0F : (float)(c.size * within(random, 1.0));
            row[CAROM_APART_HALF + a] = (float)(c.size * carom_random_u01(random));
        }
        row[3] = row[7] = 0.0F;
    }
    c.box[CAROM_APART_ROW * (SHAPES - 1) + CAROM_APART_HALF] = wide ? HUGE_VALF : 0.0F;
    for (uint32_t n = 0; n < BODIES; n++) {
        carom_real *row = c.pose + CAROM_APART_ROW * n;
        const uint32_t shape = (uint32_t)(carom_random_next(random) % SHAPES);
        for (int a = 0; a < 3; a++) {
            row[CAROM_APART_AT + a] = (carom_real)(c.size * within(random, wide && n % 7 == 0 ? 1e15 : 2.0));
        }
        for (int a = 0; a < 4; a++) {
            row[CAROM_APART_TURN + a] =
                (carom_real)(a == 3 ? 0.5 + 0.5 * carom_random_u01(random) : within(random, 0.8));
        }
        memcpy(row + CAROM_APART_SHAPE, &shape, sizeof shape);
    }
    for (uint32_t n = 0; n < count; n++) {
        c.i[n] = (uint32_t)(carom_random_next(random) % BODIES);
        c.k[n] = (uint32_t)(carom_random_next(random) % BODIES);
    }
    c.apart = (carom_apart){.box = c.box,
                            .margin = carom_random_next(random) % 2 == 0 ? 0.0F : (float)(0.3 * c.size),
                            .slack = CAROM_APART_ROUNDING + (carom_random_next(random) % 3 == 0 ? 0x1p-8F : 0.0F)};
    return c;
}

typedef long double exact;

static void exact_turn(const exact q[4], exact turn[3][3]) {
    const exact x = q[0];
    const exact y = q[1];
    const exact z = q[2];
    const exact w = q[3];
    const exact s = 2.0L / (x * x + y * y + z * z + w * w);
    const exact r[3][3] = {{1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)},
                           {s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)},
                           {s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)}};
    memcpy(turn, r, sizeof r);
}

/* How far the projections of both boxes on an axis are apart, over the axis' length. */
static exact gap_along(const exact axis[3], const exact between[3], exact turn[2][3][3], const float *const box[2]) {
    const exact length = sqrtl(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    exact gap = fabsl(axis[0] * between[0] + axis[1] * between[1] + axis[2] * between[2]);
    for (int s = 0; s < 2; s++) {
        for (int a = 0; a < 3; a++) {
            const exact along = axis[0] * turn[s][0][a] + axis[1] * turn[s][1][a] + axis[2] * turn[s][2][a];
            gap -= fabsl(along) * (exact)box[s][CAROM_APART_HALF + a];
        }
    }
    return length > 1e-6L ? gap / length : -HUGE_VALL;
}

/* Two bodies: positions, quaternions and boxes. */
typedef struct exact_pair {
    exact at[2][3];
    exact turn[2][4];
    const float *box[2];
} exact_pair;

/* The greatest gap of a pair along the first of the fifteen axes: six are along sides. */
static exact exact_gap(const exact_pair *pair, int axes) {
    exact turn[2][3][3];
    exact between[3] = {0, 0, 0};
    for (int s = 0; s < 2; s++) {
        exact_turn(pair->turn[s], turn[s]);
        for (int a = 0; a < 3; a++) {
            exact at = pair->at[s][a];
            for (int b = 0; b < 3; b++) {
                at += turn[s][a][b] * (exact)pair->box[s][CAROM_APART_CENTRE + b];
            }
            between[a] += s == 0 ? -at : at;
        }
    }
    exact most = -HUGE_VALL;
    for (int m = 0; m < axes; m++) {
        exact axis[3];
        for (int d = 0; d < 3; d++) {
            const int d1 = (d + 1) % 3;
            const int d2 = (d + 2) % 3;
            const int a = m < 6 ? m % 3 : (m - 6) / 3;
            const int b = (m - 6) % 3;
            axis[d] = m < 6 ? turn[m / 3][d][a] : turn[0][d1][a] * turn[1][d2][b] - turn[0][d2][a] * turn[1][d1][b];
        }
        most = fmaxl(most, gap_along(axis, between, turn, pair->box));
    }
    return most;
}

static exact_pair pair_of(const boxed_case *c, uint32_t n) {
    const uint32_t body[2] = {c->i[n], c->k[n]};
    exact_pair pair;
    for (int s = 0; s < 2; s++) {
        const carom_real *pose = c->pose + CAROM_APART_ROW * body[s];
        uint32_t shape;
        memcpy(&shape, pose + CAROM_APART_SHAPE, sizeof shape);
        pair.box[s] = c->box + CAROM_APART_ROW * shape;
        for (int a = 0; a < 4; a++) {
            pair.at[s][a % 3] = (exact)pose[CAROM_APART_AT + a % 3];
            pair.turn[s][a] = (exact)pose[CAROM_APART_TURN + a];
        }
    }
    return pair;
}

static void apart_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    const uint32_t pairs = count < PAIRS_MOST ? count : PAIRS_MOST;
    guarded_pool pool = {.count = 0};
    const boxed_case c = draw_case(&pool, random, pairs);
    uint32_t *kept[2];
    uint32_t left[2];
    for (int b = 0; b < 2; b++) {
        kept[b] = guarded_array(&pool, pairs + CAROM_SIMD_PAD, sizeof *kept[b], 0);
        left[b] = carom_kernels_of(b == 0 ? simd : twin)->apart(&c.apart, c.pose, c.i, c.k, pairs, kept[b]);
    }
    note_check(left[0] == left[1] && memcmp(kept[0], kept[1], left[0] * sizeof *kept[0]) == 0,
               "%u and %u pairs are kept, or others", left[0], left[1]);
    uint32_t at = 0;
    for (uint32_t n = 0; n < pairs; n++) {
        const bool is_kept = at < left[1] && kept[1][at] == n;
        const exact_pair pair = pair_of(&c, n);
        at += is_kept;
        note_check(is_kept || exact_gap(&pair, 15) > (exact)c.apart.margin, "pair %u is dropped, but its gap is %Lg", n,
                   exact_gap(&pair, 15));
        const exact clear = exact_gap(&pair, 6) / (exact)c.size;
        note_check(!is_kept || clear < 0.7L || clear > 100, "pair %u is kept, but its gap is %Lg sizes", n, clear);
    }
    note_check(at == left[1], "numbers are not in order");
    note_check(guarded_intact(&pool), "a canary is dead");
    all_pairs += pairs;
    all_apart += pairs - left[1];
    guarded_release(&pool);
}

/* A body's two rows: the pose, as floats, half of its way, and how far points are from there. */
static void draw_rows(const boxed_case *c, carom_random *random, float *rows) {
    for (uint32_t n = 0; n < BODIES; n++) {
        const carom_real *pose = c->pose + CAROM_APART_ROW * n;
        float *row = rows + 2 * CAROM_APART_ROW * n;
        memset(row, 0, 2 * CAROM_APART_ROW * sizeof row[0]);
        for (int f = 0; f < CAROM_APART_ROW; f++) {
            row[f] = (float)pose[f];
        }
        memcpy(row + CAROM_APART_SHAPE, pose + CAROM_APART_SHAPE, sizeof(uint32_t));
        for (int a = 0; a < 3; a++) {
            row[CAROM_APART_ROW + CAROM_APART_WAY + a] = (float)(c->size * within(random, n % 3 == 0 ? 2.0 : 0.3));
        }
        row[CAROM_APART_ROW + CAROM_APART_SPREAD] =
            n % 4 == 0 ? 0.0F : (float)(0.2 * c->size * carom_random_u01(random));
    }
}

/* The gap of a pair at t, from -1 to 1: the start and the end of the step. */
static exact moving_gap(const boxed_case *c, const float *rows, uint32_t n, exact t) {
    exact_pair pair = pair_of(c, n);
    const uint32_t body[2] = {c->i[n], c->k[n]};
    exact spread = 0;
    for (int s = 0; s < 2; s++) {
        const float *row = rows + 2 * CAROM_APART_ROW * body[s];
        for (int a = 0; a < 4; a++) {
            pair.turn[s][a] = (exact)row[CAROM_APART_TURN + a];
        }
        for (int a = 0; a < 3; a++) {
            pair.at[s][a] = (exact)row[CAROM_APART_AT + a] + t * (exact)row[CAROM_APART_ROW + CAROM_APART_WAY + a];
        }
        spread += (exact)row[CAROM_APART_ROW + CAROM_APART_SPREAD];
    }
    return exact_gap(&pair, 15) - spread;
}

static void apart_moving_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    const uint32_t pairs = count < PAIRS_MOST ? count : PAIRS_MOST;
    guarded_pool pool = {.count = 0};
    const boxed_case c = draw_case(&pool, random, pairs);
    float *rows = guarded_array(&pool, BODIES * 2 * CAROM_APART_ROW, sizeof *rows, 0);
    uint32_t *kept[2];
    uint32_t left[2];
    draw_rows(&c, random, rows);
    for (int b = 0; b < 2; b++) {
        kept[b] = guarded_array(&pool, pairs + CAROM_SIMD_PAD, sizeof *kept[b], 0);
        left[b] = (b == 0 ? simd : twin)->apart_moving(&c.apart, rows, c.i, c.k, pairs, kept[b]);
    }
    note_check(left[0] == left[1] && memcmp(kept[0], kept[1], left[0] * sizeof *kept[0]) == 0,
               "%u and %u pairs are kept, or others", left[0], left[1]);
    uint32_t at = 0;
    for (uint32_t n = 0; n < pairs; n++) {
        const bool is_kept = at < left[1] && kept[1][at] == n;
        at += is_kept;
        for (int t = -4; t <= 4 && !is_kept; t++) {
            note_check(moving_gap(&c, rows, n, 0.25L * t) > (exact)c.apart.margin,
                       "pair %u is dropped, but its gap is %Lg", n, moving_gap(&c, rows, n, 0.25L * t));
        }
    }
    note_check(at == left[1], "numbers are not in order");
    note_check(guarded_intact(&pool), "a canary is dead");
    all_pairs += pairs;
    all_apart += pairs - left[1];
    guarded_release(&pool);
}

void check_apart_moving(void **state) {
    (void)state;
    all_pairs = 0;
    all_apart = 0;
    guarded_over_all("apart moving", apart_moving_case);
    note_check(note_only_case() != UINT64_MAX || (all_apart > all_pairs / 20 && all_apart < all_pairs * 9 / 10),
               "%llu of %llu pairs are apart: the test is empty", (unsigned long long)all_apart,
               (unsigned long long)all_pairs);
}

void check_apart(void **state) {
    (void)state;
    all_pairs = 0;
    all_apart = 0;
    guarded_over_all("apart", apart_case);
    note_check(note_only_case() != UINT64_MAX || (all_apart > all_pairs / 10 && all_apart < all_pairs * 9 / 10),
               "%llu of %llu pairs are apart: the test is empty", (unsigned long long)all_apart,
               (unsigned long long)all_pairs);
}
