/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* closed, pose_pairs, boxes_contact and boxes_manifold against their scalar twins: every instruction set gives the same
 * bits, for all kinds they take, in kind and unkind poses: on a lattice, coincident, parallel, flat, tiny and huge. */
#include <math.h>
#include <string.h>

#include "simd/vector.h"
#include "tests/support/check.h"
#include "tests/support/note.h"
#include "tests/twin/guarded.h"

enum { SHAPES = 8, RUNS = 7 };

static const carom_shape_kind kinds[RUNS][2] = {
    {CAROM_SHAPE_SPHERE, CAROM_SHAPE_SPHERE},   {CAROM_SHAPE_SPHERE, CAROM_SHAPE_CAPSULE},
    {CAROM_SHAPE_SPHERE, CAROM_SHAPE_BOX},      {CAROM_SHAPE_SPHERE, CAROM_SHAPE_CYLINDER},
    {CAROM_SHAPE_CAPSULE, CAROM_SHAPE_CAPSULE}, {CAROM_SHAPE_CAPSULE, CAROM_SHAPE_BOX},
    {CAROM_SHAPE_BOX, CAROM_SHAPE_BOX}};

static double uniform(carom_random *random) {
    return 2.0 * carom_random_u01(random) - 1.0;
}

/* Half of them multiples of a half. */
static double coordinate(carom_random *random) {
    return carom_random_next(random) % 2 == 0 ? 2.0 * uniform(random)
                                              : 0.5 * (double)(carom_random_next(random) % 5) - 1.0;
}

/* Now and then a scale that squares do not bear. */
static double scale_of(carom_random *random) {
    return carom_random_next(random) % 16 == 0 ? ldexp(1.0, -500 + (int)(carom_random_next(random) % 700)) : 1.0;
}

static void make_shape(carom_random *random, carom_shape_kind kind, double scale, carom_shape_entry *entry) {
    const double a = scale * fabs(coordinate(random));
    const double b = scale * fabs(coordinate(random));
    const double c = scale * fabs(coordinate(random));
    *entry = (carom_shape_entry){.kind = kind};
    switch (kind) {
    case CAROM_SHAPE_CAPSULE:
        entry->extent[2] = a;
        entry->radius = b;
        break;
    case CAROM_SHAPE_SPHERE:
        entry->radius = a;
        break;
    default:
        entry->extent[0] = a;
        entry->extent[1] = kind == CAROM_SHAPE_CYLINDER ? a : b;
        entry->extent[2] = c;
        break;
    }
}

static void set_side(carom_random *random, double scale, const carom_shape_entry *entry, uint32_t n,
                     carom_block_side *side) {
    double q[4];
    for (int a = 0; a < 4; a++) {
        q[a] = carom_random_next(random) % 2 == 0 ? (a == 3 ? 1.0 : 0.0) : coordinate(random);
    }
    q[3] += q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] < 0.3 ? 1.0 : 0.0;
    side->shape[n] = entry;
    side->radius[n] = entry->radius;
    for (int a = 0; a < 3; a++) {
        side->at[a][n] = scale * coordinate(random);
        side->extent[a][n] = entry->extent[a];
    }
    for (int a = 0; a < 4; a++) {
        side->turn[a][n] = q[a];
    }
}

static void make_block(guarded_pool *pool, carom_random *random, const carom_shape_kind kind[2], uint32_t begin,
                       uint32_t end, carom_pair_block *block) {
    carom_shape_entry *entry = guarded_array(pool, 2 * (uint64_t)end, sizeof *entry, 0);
    for (uint32_t n = begin; n < end; n++) {
        const double scale = scale_of(random);
        for (uint32_t s = 0; s < 2; s++) {
            make_shape(random, kind[s], scale, &entry[2 * n + s]);
            set_side(random, scale, &entry[2 * n + s], n, &block->side[s]);
        }
    }
}

/* What a pair's answer is made of. */
static uint32_t answer_of(const carom_pair_block *block, uint32_t n, bool boxes, double answer[12]) {
    uint32_t count = 0;
    answer[count++] = block->lower[n];
    answer[count++] = block->upper[n];
    if (boxes) {
        answer[count++] = block->axis[n];
        return count;
    }
    for (int a = 0; a < 3; a++) {
        answer[count++] = block->normal[a][n];
        answer[count++] = block->point_i[a][n];
        answer[count++] = block->point_k[a][n];
    }
    return count;
}

static void closed_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    const carom_shape_kind *kind = kinds[carom_random_next(random) % RUNS];
    const uint32_t pairs = count < CAROM_BLOCK_PAIRS ? count : CAROM_BLOCK_PAIRS;
    const uint32_t begin = pairs > 0 ? (uint32_t)(carom_random_next(random) % pairs) : 0;
    guarded_pool pool = {.count = 0};
    carom_pair_block *block[2];
    for (int b = 0; b < 2; b++) {
        block[b] = guarded_array(&pool, 1, sizeof *block[b], 0);
    }
    memset(block[0], 0, sizeof *block[0]);
    memset(block[0]->iterations, 0x5A, sizeof block[0]->iterations);
    make_block(&pool, random, kind, begin, pairs, block[0]);
    memcpy(block[1], block[0], sizeof *block[0]);
    simd->closed(block[0], begin, pairs);
    twin->closed(block[1], begin, pairs);
    for (uint32_t n = begin; n < pairs; n++) {
        double answer[2][12];
        const bool boxes = kind[0] == CAROM_SHAPE_BOX;
        const uint32_t numbers = answer_of(block[0], n, boxes, answer[0]);
        (void)answer_of(block[1], n, boxes, answer[1]);
        note_check(guarded_same_f64(answer[0], answer[1], numbers), "kinds %d and %d differ, pair %u of [%u, %u)",
                   (int)kind[0], (int)kind[1], n, begin, pairs);
        note_check(block[0]->iterations[n] == 0 && block[1]->iterations[n] == 0, "closed forms take no iterations");
        note_check(answer[1][0] <= answer[1][1], "an empty bracket, pair %u of %u", n, pairs);
    }
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

static void check_closed(void **state) {
    (void)state;
    guarded_over_all("closed", closed_case);
}

/* As a search leaves a pair that is a little apart: its normal may be any, here often one that is nearly a face's. */
static void set_found(carom_random *random, uint32_t n, carom_pair_block *block) {
    const uint64_t face = carom_random_next(random) % 4;
    const double tilt = carom_random_next(random) % 2 == 0 ? 0.0 : 0.1;
    double normal[3];
    for (uint32_t a = 0; a < 3; a++) {
        normal[a] = face == 3 ? coordinate(random) : (face == a ? 1.0 : tilt * uniform(random));
        block->point_i[a][n] = block->side[0].at[a][n] + 0.5 * coordinate(random);
        block->point_k[a][n] = block->side[1].at[a][n] + 0.5 * coordinate(random);
    }
    normal[2] = carom_vector_unit(normal, normal) ? normal[2] : 1.0;
    for (int a = 0; a < 3; a++) {
        block->normal[a][n] = normal[a];
    }
    block->lower[n] = 0.25 * carom_random_u01(random);
    block->upper[n] = block->lower[n] + 0x1p-30;
}

/* Boxes that `closed` has answered. Columns of those that overlap go to `overlapping`; returns how many these are. */
static uint32_t make_boxes(guarded_pool *pool, carom_random *random, const carom_simd *twin, uint32_t pairs,
                           carom_pair_block *block, uint32_t *overlapping) {
    uint32_t count = 0;
    memset(block, 0, sizeof *block);
    make_block(pool, random, kinds[RUNS - 1], 0, pairs, block);
    twin->closed(block, 0, pairs);
    for (uint32_t n = 0; n < pairs; n++) {
        block->reach[n] = 0.5 * fabs(coordinate(random));
        for (int a = 0; a < 3; a++) {
            block->origin[a][n] = coordinate(random);
        }
        if (block->lower[n] <= 0.0) {
            overlapping[count++] = n;
        } else {
            set_found(random, n, block);
        }
    }
    return count;
}

/* Any order of any columns, some of them left out. */
static uint32_t shuffle(carom_random *random, uint32_t count, uint32_t *column) {
    for (uint32_t n = 0; n + 1 < count; n++) {
        const uint32_t other = n + (uint32_t)(carom_random_next(random) % (count - n));
        const uint32_t was = column[n];
        column[n] = column[other];
        column[other] = was;
    }
    return count - (count > 0 ? (uint32_t)(carom_random_next(random) % count) / 2 : 0);
}

static void same_manifolds(carom_block_manifolds *const found[2], uint32_t count) {
    for (uint32_t n = 0; n < count; n++) {
        const carom_manifold_points *a = &found[0]->points[n];
        const carom_manifold_points *b = &found[1]->points[n];
        note_check(found[0]->count[n] == found[1]->count[n] && guarded_same_f64(&a->point[0][0], &b->point[0][0], 16),
                   "manifolds differ, %u of %u: %u and %u points", n, count, found[0]->count[n], found[1]->count[n]);
        note_check(found[1]->count[n] >= 1 && found[1]->count[n] <= 4, "%u points", found[1]->count[n]);
    }
}

static void same_contacts(carom_pair_block *const block[2], const uint32_t *column, uint32_t count) {
    for (uint32_t n = 0; n < count; n++) {
        double answer[2][12];
        const uint32_t numbers = answer_of(block[0], column[n], false, answer[0]);
        (void)answer_of(block[1], column[n], false, answer[1]);
        note_check(guarded_same_f64(answer[0], answer[1], numbers), "contacts differ, %u of %u", n, count);
    }
}

static void boxes_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    const uint32_t pairs = count < CAROM_BLOCK_PAIRS ? count : CAROM_BLOCK_PAIRS;
    const bool with = carom_random_next(random) % 2 == 0;
    guarded_pool pool = {.count = 0};
    carom_pair_block *block[2];
    carom_block_manifolds *found[2];
    uint32_t *column = guarded_array(&pool, pairs, sizeof *column, 0);
    for (int b = 0; b < 2; b++) {
        block[b] = guarded_array(&pool, 1, sizeof *block[b], 0);
        found[b] = guarded_array(&pool, 1, sizeof *found[b], 0);
    }
    const uint32_t overlap = shuffle(random, make_boxes(&pool, random, twin, pairs, block[0], column), column);
    memcpy(block[1], block[0], sizeof *block[0]);
    for (int b = 0; b < 2; b++) {
        (b == 0 ? simd : twin)->boxes_contact(block[b], column, overlap, with ? found[b] : NULL);
    }
    same_contacts(block, column, overlap);
    same_manifolds(found, with ? overlap : 0);
    for (uint32_t n = 0; n < pairs; n++) {
        column[n] = n;
    }
    const uint32_t some = shuffle(random, pairs, column);
    for (int b = 0; b < 2; b++) {
        (b == 0 ? simd : twin)->boxes_manifold(block[1], column, some, found[b]);
    }
    same_manifolds(found, some);
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

static bool same_posed(const carom_posed *a, const carom_posed *b) {
    return a->shape == b->shape && guarded_same_f64(a->at, b->at, 3) && guarded_same_f64(a->turn[0], b->turn[0], 9);
}

static void posed_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    const uint32_t pairs = count < CAROM_BLOCK_PAIRS ? count : CAROM_BLOCK_PAIRS;
    const uint32_t side = (uint32_t)(carom_random_next(random) % 2);
    guarded_pool pool = {.count = 0};
    carom_pair_block *block = guarded_array(&pool, 1, sizeof *block, 0);
    uint32_t *place = guarded_array(&pool, pairs, sizeof *place, 0);
    carom_posed *posed[2];
    make_block(&pool, random, kinds[carom_random_next(random) % RUNS], 0, pairs, block);
    for (uint32_t n = 0; n < pairs; n++) {
        place[n] = n;
    }
    const uint32_t some = shuffle(random, pairs, place);
    for (int b = 0; b < 2; b++) {
        posed[b] = guarded_array(&pool, some, sizeof *posed[b], 0);
        (b == 0 ? simd : twin)->pose_pairs(block, side, place, some, posed[b]);
    }
    for (uint32_t n = 0; n < some; n++) {
        note_check(same_posed(&posed[0][n], &posed[1][n]), "shapes differ, %u of %u", n, some);
        note_check(posed[0][n].shape == block->side[side].shape[place[n]], "another shape, %u of %u", n, some);
    }
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

static void check_posed(void **state) {
    (void)state;
    guarded_over_all("pose_pairs", posed_case);
}

static void check_boxes(void **state) {
    (void)state;
    guarded_over_all("boxes_contact and boxes_manifold", boxes_case);
}

/* Shapes' numbers as columns; reaches may be 0 or infinite. */
static void shapes_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    enum { ENTRIES = 9 };
    const uint32_t end = count < CAROM_BLOCK_PAIRS ? count : CAROM_BLOCK_PAIRS;
    guarded_pool pool = {.count = 0};
    carom_shape_entry *entry = guarded_array(&pool, ENTRIES, sizeof *entry, 0);
    carom_pair_block *block[2];
    for (int n = 0; n < ENTRIES; n++) {
        make_shape(random, (carom_shape_kind)(n % 4), 1.0, &entry[n]);
        entry[n].reach = n == 0 ? 0.0 : n == 1 ? HUGE_VAL : carom_random_u01(random);
    }
    for (int b = 0; b < 2; b++) {
        block[b] = guarded_array(&pool, 1, sizeof *block[b], 0);
        for (uint32_t n = 0; n < CAROM_BLOCK_ROOM; n++) {
            for (int s = 0; s < 2; s++) {
                const uint64_t drawn = carom_random_next(random) % ENTRIES;
                block[b]->side[s].shape[n] = b == 0 ? &entry[n < end ? drawn : 0] : block[0]->side[s].shape[n];
            }
        }
    }
    simd->shape_columns(block[0], end);
    twin->shape_columns(block[1], end);
    note_check(guarded_same_f64(block[0]->reach, block[1]->reach, end), "reaches differ");
    for (int s = 0; s < 2; s++) {
        const carom_block_side *a = &block[0]->side[s];
        const carom_block_side *b = &block[1]->side[s];
        note_check(guarded_same_f64(a->radius, b->radius, end), "radii differ");
        for (int d = 0; d < 3; d++) {
            note_check(guarded_same_f64(a->extent[d], b->extent[d], end), "extents differ");
        }
    }
    for (uint32_t n = 0; n < end; n++) {
        const double one = block[1]->side[0].shape[n]->reach;
        const double other = block[1]->side[1].shape[n]->reach;
        note_check(block[1]->reach[n] == (fmin(one, other) > 0.0 ? fmin(one, other) : fmax(one, other)),
                   "the reach of pair %u", n);
    }
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

static void check_shapes(void **state) {
    (void)state;
    guarded_over_all("shape_columns", shapes_case);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(check_closed), cmocka_unit_test(check_posed),
                                       cmocka_unit_test(check_boxes), cmocka_unit_test(check_shapes)};
    note_start("test_twin_closed");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
