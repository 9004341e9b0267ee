/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Kernels of adjacent cells against their scalar twins: runs of boxes gathered, and the boxes of a cell's bodies tested
 * against those of candidates, with lengths that decide and without. */
#include <math.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/note.h"
#include "tests/twin/guarded.h"

static carom_box_columns make_columns(guarded_pool *pool, carom_random *random, uint64_t count) {
    carom_box_columns box;
    float **column[] = {&box.lo[0], &box.lo[1], &box.lo[2], &box.hi[0], &box.hi[1], &box.hi[2], &box.inner, &box.outer};
    for (size_t c = 0; c < sizeof column / sizeof column[0]; c++) {
        *column[c] = guarded_array(pool, count, sizeof(float), random != NULL ? carom_random_next(random) % 16 : 0);
    }
    return box;
}

static void fill_random(carom_random *random, uint64_t count, const carom_box_columns *box) {
    for (uint64_t n = 0; n < count; n++) {
        for (int a = 0; a < 3; a++) {
            box->lo[a][n] = (float)carom_random_u01(random);
            box->hi[a][n] = (float)carom_random_u01(random);
        }
        box->inner[n] = (float)carom_random_u01(random);
        box->outer[n] = (float)carom_random_u01(random);
    }
}

static void compare_columns(const carom_box_columns *a, const carom_box_columns *b, uint64_t sides, uint64_t lengths) {
    for (int d = 0; d < 3; d++) {
        note_check(guarded_same_f32(a->lo[d], b->lo[d], sides), "low sides differ");
        note_check(guarded_same_f32(a->hi[d], b->hi[d], sides), "high sides differ");
    }
    note_check(guarded_same_f32(a->inner, b->inner, lengths), "inner lengths differ");
    note_check(guarded_same_f32(a->outer, b->outer, lengths), "outer lengths differ");
}

/* Runs anywhere, some of them empty. */
static void gather_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    carom_box_runs runs = {.of = make_columns(&pool, random, (uint64_t)count + CAROM_GATHER_PAD)};
    const bool lengths = carom_random_next(random) % 2 == 0;
    carom_box_columns to[2];
    uint32_t *slot[2];
    uint32_t all = 0;
    fill_random(random, (uint64_t)count + CAROM_GATHER_PAD, &runs.of);
    runs.runs = (uint32_t)(carom_random_next(random) % (CAROM_BOX_RUNS + 1));
    for (uint32_t r = 0; r < runs.runs; r++) {
        runs.begin[r] = (uint32_t)(carom_random_next(random) % (count + UINT64_C(1)));
        runs.end[r] = runs.begin[r] + (uint32_t)(carom_random_next(random) % (count - runs.begin[r] + UINT64_C(1)));
        all += runs.end[r] - runs.begin[r];
    }
    for (int n = 0; n < 2; n++) {
        to[n] = make_columns(&pool, NULL, (uint64_t)all + CAROM_GATHER_PAD);
        slot[n] = guarded_array(&pool, (uint64_t)all + CAROM_GATHER_PAD, sizeof(uint32_t), 0);
        note_check((n == 0 ? simd : twin)->gather_boxes(&runs, lengths, &to[n], slot[n]) == all, "another count");
    }
    compare_columns(&to[0], &to[1], (uint64_t)all + CAROM_SIMD_PAD, lengths ? all : 0);
    note_check(memcmp(slot[0], slot[1], all * sizeof(uint32_t)) == 0, "slots differ");
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

static void check_gather(void **state) {
    (void)state;
    guarded_over_all("gather_boxes", gather_case);
}

/* Of boxes that are 2 wide in a cube of 4: few digits, so that sides are often equal. */
static void put_box(carom_random *random, const carom_box_columns *box, uint32_t n) {
    const uint64_t kind = carom_random_next(random) % 16;
    for (int a = 0; a < 3; a++) {
        box->lo[a][n] = (float)(carom_random_next(random) % 32) / 8.0F;
        box->hi[a][n] = box->lo[a][n] + (float)(carom_random_next(random) % 32) / 8.0F;
        box->lo[a][n] = kind == 0 ? -INFINITY : kind == 1 ? -3e38F : box->lo[a][n];
        box->hi[a][n] = kind == 0 ? INFINITY : kind == 2 ? 3e38F : box->hi[a][n];
    }
    box->inner[n] = (float)(carom_random_next(random) % 16) / 8.0F;
    box->outer[n] = box->inner[n] + (float)(carom_random_next(random) % 16) / 8.0F;
    box->inner[n] = kind < 4 ? NAN : box->inner[n];
    box->outer[n] = kind < 3 ? INFINITY : box->outer[n];
}

static carom_box_columns draw_boxes(guarded_pool *pool, carom_random *random, uint32_t count) {
    const carom_box_columns box = make_columns(pool, random, (uint64_t)count + CAROM_SIMD_PAD);
    fill_random(random, (uint64_t)count + CAROM_SIMD_PAD, &box);
    for (uint32_t n = 0; n < count + CAROM_SIMD_PAD; n++) {
        if (n < count) {
            put_box(random, &box, n);
        }
        for (int a = 0; a < 3 && n >= count; a++) {
            box.lo[a][n] = NAN;
            box.hi[a][n] = NAN;
        }
    }
    return box;
}

static uint64_t all_hits;
static uint64_t all_near;
static uint64_t all_pairs;

/* What one call wrote. */
typedef struct box_result {
    uint64_t pairs;
    uint16_t *bits[2]; /* `bits` and `close` */
    uint32_t *length[2];
} box_result;

static box_result test_boxes(const carom_simd *simd, const carom_box_hits_in *in, guarded_pool *pool,
                             carom_random *random) {
    const uint64_t bodies = in->end - in->begin;
    box_result r;
    for (int k = 0; k < 2; k++) {
        const uint64_t used = k == 0 || in->decides ? bodies : 0;
        r.bits[k] =
            guarded_array(pool, used * carom_hits_words(in->count), sizeof(uint16_t), carom_random_next(random) % 32);
        r.length[k] = guarded_array(pool, used, sizeof(uint32_t), carom_random_next(random) % 16);
    }
    r.pairs = simd->box_hits(in, r.bits[0], r.bits[1], r.length[0], r.length[1]);
    return r;
}

static void hits_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    carom_box_hits_in in = {
        .of = draw_boxes(&pool, random, count), .count = count, .decides = carom_random_next(random) % 2 == 0};
    in.begin = (uint32_t)(carom_random_next(random) % (count + UINT64_C(1)));
    in.end = in.begin + (uint32_t)(carom_random_next(random) % (count - in.begin + UINT64_C(1)));
    const uint64_t bodies = in.end - in.begin;
    const box_result a = test_boxes(simd, &in, &pool, random);
    const box_result b = test_boxes(twin, &in, &pool, random);
    note_check(a.pairs == b.pairs, "%u pairs, not %u", (unsigned)a.pairs, (unsigned)b.pairs);
    for (int k = 0; k < (in.decides ? 2 : 1); k++) {
        note_check(memcmp(a.bits[k], b.bits[k], bodies * carom_hits_words(count) * sizeof(uint16_t)) == 0,
                   "bits differ");
        note_check(memcmp(a.length[k], b.length[k], bodies * sizeof(uint32_t)) == 0, "lengths differ");
    }
    for (uint64_t n = 0; n < bodies; n++) {
        all_hits += b.length[0][n];
        all_near += in.decides ? b.length[1][n] : 0;
    }
    all_pairs += b.pairs;
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

static void check_hits(void **state) {
    (void)state;
    all_hits = 0;
    all_near = 0;
    all_pairs = 0;
    guarded_over_all("box_hits", hits_case);
    note_check(note_only_case() != UINT64_MAX ||
                   (all_hits > 1000 && all_near > 1000 && all_pairs > all_hits + all_near),
               "the test is empty");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(check_gather), cmocka_unit_test(check_hits)};
    note_start("test_twin_boxes");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
