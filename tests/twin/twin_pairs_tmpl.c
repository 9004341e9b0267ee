/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Kernels over blocks of pairs and of poses against their scalar twins, with numbers of all kinds: not finite, far
 * apart, at the ends of a precision's range. Guards, too, that rounded bounds hold what they bound. */
#include <math.h>
#include <string.h>

#include "tests/twin/bodies_tmpl.h"

static uint32_t fits(uint32_t count) {
    return count < CAROM_BLOCK_PAIRS ? count : CAROM_BLOCK_PAIRS;
}

/* Shapes of all kinds, of which hulls have three to a hundred vertices, whose repeats a vector may read. */
static const carom_shape_entry *draw_entry(carom_random *random) {
    enum { HULLS = 8, VERTICES = 112 };
    static _Alignas(64) double vertex[HULLS][3][VERTICES];
    static carom_hull hull[HULLS];
    static carom_shape_entry entry[CAROM_SHAPE_COMPOUND + 1][HULLS];
    const uint32_t kind = (uint32_t)(carom_random_next(random) % (CAROM_SHAPE_COMPOUND + 1));
    const uint32_t h = (uint32_t)(carom_random_next(random) % HULLS);
    for (uint32_t a = 0; a < 3 && hull[h].vertex_count == 0; a++) {
        const uint32_t count = 3 + 13 * h;
        for (uint32_t n = 0; n < VERTICES; n++) {
            vertex[h][a][n] = n < count ? 2.0 * carom_random_u01(random) - 1.0 : vertex[h][a][0];
        }
        hull[h].vertex[a] = vertex[h][a];
        hull[h].vertex_count = a < 2 ? 0 : count;
    }
    entry[kind][h] = (carom_shape_entry){.kind = (carom_shape_kind)kind, .hull = &hull[h]};
    return &entry[kind][h];
}

static void draw_side(carom_random *random, uint32_t count, carom_block_side *side) {
    for (uint32_t n = 0; n < count; n++) {
        side->shape[n] = draw_entry(random);
        const bool wild = carom_random_next(random) % 4 == 0;
        side->radius[n] = carom_random_u01(random);
        for (int d = 0; d < 3; d++) {
            side->at[d][n] = wild ? guarded_number(random) : 10.0 * carom_random_u01(random) - 5.0;
            side->extent[d][n] = carom_random_u01(random);
        }
        for (int d = 0; d < 4; d++) {
            side->turn[d][n] =
                carom_random_next(random) % 32 == 0 ? guarded_number(random) : 2.0 * carom_random_u01(random) - 1.0;
        }
    }
}

static void relative_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    const uint32_t end = fits(count);
    const uint32_t begin = end > 0 ? (uint32_t)(carom_random_next(random) % end) : 0;
    const bool swapped = carom_random_next(random) % 2 == 0;
    guarded_pool pool = {.count = 0};
    carom_pair_block *block[2];
    for (int b = 0; b < 2; b++) {
        block[b] = guarded_array(&pool, 1, sizeof *block[b], 0);
    }
    memset(block[0], 0, sizeof *block[0]);
    draw_side(random, end, &block[0]->side[0]);
    draw_side(random, end, &block[0]->side[1]);
    memcpy(block[1], block[0], sizeof *block[0]);
    note_check(simd->relative(block[0], begin, end, swapped) == twin->relative(block[1], begin, end, swapped),
               "other pairs are unusual");
    for (int d = 0; d < 3; d++) {
        for (int s = 0; s < 2; s++) {
            note_check(guarded_same_f64(block[0]->side[s].at[d], block[1]->side[s].at[d], CAROM_BLOCK_ROOM),
                       "positions differ");
        }
        note_check(guarded_same_f64(block[0]->origin[d] + begin, block[1]->origin[d] + begin, end - begin),
                   "origins differ");
    }
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

void check_relative(void **state) {
    (void)state;
    guarded_over_all("relative", relative_case);
}

static double draw_bound(carom_random *random) {
    const double x = carom_random_next(random) % 2 == 0 ? guarded_number(random) : carom_random_u01(random);
    return isnan(x) ? 0.0 : x;
}

static void draw_gaps(carom_random *random, uint32_t count, carom_pair_block *block) {
    for (uint32_t n = 0; n < count; n++) {
        const double a = draw_bound(random);
        const double b = carom_random_next(random) % 4 == 0 ? a : draw_bound(random);
        block->lower[n] = fmin(a, b);
        block->upper[n] = fmax(a, b);
        block->reach[n] = carom_random_u01(random);
        block->iterations[n] = (uint32_t)carom_random_next(random);
        for (int d = 0; d < 3; d++) {
            block->normal[d][n] = guarded_number(random);
            block->point_i[d][n] = guarded_number(random);
            block->point_k[d][n] = guarded_number(random);
            block->origin[d][n] = guarded_number(random);
        }
    }
}

/* What a kernel writes: rows that lie in random order, and one for all places past the last pair. */
typedef struct written {
    carom_gap_rows *gaps;
    carom_gap_row *row; /* of pair n at place[n] */
    carom_gap_row *spare;
} written;

static void draw_places(carom_random *random, uint32_t count, uint32_t place[CAROM_BLOCK_PAIRS]) {
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t other = (uint32_t)(carom_random_next(random) % (n + 1));
        place[n] = place[other];
        place[other] = n;
    }
}

static written lend_rows(guarded_pool *pool, uint32_t end, const uint32_t *place) {
    written to = {guarded_array(pool, 1, sizeof *to.gaps, 0), guarded_array(pool, end, sizeof *to.row, 0),
                  guarded_array(pool, 1, sizeof *to.spare, 0)};
    memset(to.row, 0x5A, end * sizeof *to.row);
    to.gaps->apart = to.gaps->touching = 0;
    for (uint32_t n = 0; n < CAROM_BLOCK_ROOM; n++) {
        to.gaps->row[n] = n < end ? &to.row[place[n]] : to.spare;
    }
    return to;
}

/* Whether a row holds the pair's bracket and points as the limits want them. */
static bool row_is_right(const carom_pair_block *block, uint32_t n, const carom_gap_limits *limits,
                         const carom_gap_row *row) {
    const bool apart = block->lower[n] > limits->margin;
    const bool shown = apart ? limits->apart : limits->touching;
    bool hidden = true;
    for (int d = 0; d < 3; d++) {
        hidden = hidden && row->normal[d] == 0 && row->point_i[d] == 0 && row->point_k[d] == 0;
    }
    return (double)row->lower <= block->lower[n] && (double)row->upper >= block->upper[n] && row->point_count == 0 &&
           row->iterations == block->iterations[n] && (row->state == CAROM_GAP_SEPARATED) == apart && (shown || hidden);
}

static void gap_rows_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    const uint32_t end = fits(count);
    const uint32_t begin = end > 0 ? (uint32_t)(carom_random_next(random) % end) : 0;
    const carom_gap_limits limits = {.margin = carom_random_next(random) % 2 == 0 ? 0.0 : carom_random_u01(random),
                                     .tolerance = 0x1p-20,
                                     .apart = carom_random_next(random) % 2 == 0,
                                     .touching = carom_random_next(random) % 2 == 0,
                                     .rows = carom_random_next(random) % 8 != 0};
    uint32_t place[CAROM_BLOCK_PAIRS];
    written to[2];
    guarded_pool pool = {.count = 0};
    carom_pair_block *block = guarded_array(&pool, 1, sizeof *block, 0);
    memset(block, 0, sizeof *block);
    draw_gaps(random, end, block);
    draw_places(random, end, place);
    for (int b = 0; b < 2; b++) {
        to[b] = lend_rows(&pool, end, place);
        carom_kernels_of(b == 0 ? simd : twin)->gap_rows(block, begin, end, &limits, to[b].gaps);
    }
    note_check(to[0].gaps->apart == to[1].gaps->apart && to[0].gaps->touching == to[1].gaps->touching, "states differ");
    note_check(memcmp(to[0].row, to[1].row, end * sizeof *to[0].row) == 0, "rows differ");
    for (uint32_t n = begin; n < end && limits.rows; n++) {
        note_check(row_is_right(block, n, &limits, &to[0].row[place[n]]), "the row of pair %u is wrong", n);
    }
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

void check_gap_rows(void **state) {
    (void)state;
    guarded_over_all("gap rows", gap_rows_case);
}

static void manifold_rows_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    const uint32_t end = fits(count);
    uint32_t place[CAROM_BLOCK_PAIRS];
    carom_manifold_row *row[2];
    guarded_pool pool = {.count = 0};
    carom_manifold_points *points = guarded_array(&pool, end, sizeof *points, 0);
    draw_places(random, end, place);
    for (uint32_t n = 0; n < end; n++) {
        for (int p = 0; p < 4; p++) {
            points[n].separation[p] = guarded_number(random);
            for (int d = 0; d < 3; d++) {
                points[n].point[p][d] = guarded_number(random);
            }
        }
    }
    for (int b = 0; b < 2; b++) {
        carom_manifold_row *at[CAROM_BLOCK_PAIRS];
        row[b] = guarded_array(&pool, end, sizeof *row[b], 0);
        for (uint32_t n = 0; n < end; n++) {
            at[n] = &row[b][place[n]];
        }
        carom_kernels_of(b == 0 ? simd : twin)->manifold_rows(points, end, at);
    }
    note_check(same_real((const carom_real *)row[0], (const carom_real *)row[1], 16 * end), "manifolds differ");
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

void check_manifold_rows(void **state) {
    (void)state;
    guarded_over_all("manifold rows", manifold_rows_case);
}

static void pose_boxes_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    const uint32_t end = fits(count);
    guarded_pool pool = {.count = 0};
    carom_block_side *side = guarded_array(&pool, 1, sizeof *side, 0);
    double *reach = guarded_array(&pool, CAROM_BLOCK_ROOM, sizeof *reach, 0);
    carom_real *corner[2][6];
    uint64_t left[2];
    memset(side, 0, sizeof *side);
    draw_side(random, end, side);
    for (uint32_t n = 0; n < CAROM_BLOCK_ROOM; n++) {
        reach[n] = 3.0;
    }
    for (int b = 0; b < 2; b++) {
        for (int a = 0; a < 6; a++) {
            corner[b][a] = guarded_array(&pool, end, sizeof(carom_real), 0);
        }
        left[b] = carom_kernels_of(b == 0 ? simd : twin)->pose_boxes(side, reach, 0, end, corner[b], 0);
    }
    note_check(left[0] == left[1], "other poses are left");
    for (uint32_t n = 0; n < end; n++) {
        for (int a = 0; a < 6 && (left[0] >> n & 1) == 0; a++) {
            note_check(same_real(&corner[0][a][n], &corner[1][a][n], 1), "boxes differ, pose %u", n);
        }
    }
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

void check_pose_boxes(void **state) {
    (void)state;
    guarded_over_all("pose boxes", pose_boxes_case);
}

/* Small turns and large ones, bodies that rest, and numbers of all kinds. */
static void draw_motion(carom_random *random, uint32_t count, const carom_block_side *side,
                        carom_block_motion *motion) {
    motion->along = carom_random_next(random) % 2 == 0;
    for (uint32_t n = 0; n < count; n++) {
        const double turn = carom_random_next(random) % 4 == 0 ? 0.0 : 0.6 * carom_random_u01(random);
        const double move = carom_random_next(random) % 4 == 0 ? 0.0 : 1.0;
        for (int d = 0; d < 3; d++) {
            motion->end[d][n] = side->at[d][n] + move * carom_random_u01(random);
        }
        for (int d = 0; d < 4; d++) {
            const double drawn = turn * (carom_random_u01(random) - 0.5);
            motion->end_turn[d][n] = carom_random_next(random) % 64 == 0 ? guarded_number(random)
                                     : motion->along                     ? drawn
                                                                         : side->turn[d][n] + drawn;
        }
    }
}

static void swept_boxes_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    const uint32_t end = fits(count);
    guarded_pool pool = {.count = 0};
    carom_block_side *side = guarded_array(&pool, 1, sizeof *side, 0);
    carom_block_motion *motion = guarded_array(&pool, 1, sizeof *motion, 0);
    double *reach = guarded_array(&pool, CAROM_BLOCK_ROOM, sizeof *reach, 0);
    carom_real *corner[2][6];
    float(*paths[2])[CAROM_PATH_NUMBERS];
    uint64_t left[2];
    memset(side, 0, sizeof *side);
    draw_side(random, end, side);
    draw_motion(random, end, side, motion);
    for (uint32_t n = 0; n < CAROM_BLOCK_ROOM; n++) {
        reach[n] = carom_random_next(random) % 64 == 0 ? 1e40 : 3.0;
    }
    for (int b = 0; b < 2; b++) {
        for (int a = 0; a < 6; a++) {
            corner[b][a] = guarded_array(&pool, end, sizeof(carom_real), 0);
        }
        paths[b] = guarded_array(&pool, end, sizeof *paths[b], 0);
        const carom_swept_out out = {corner[b], 0, paths[b]};
        left[b] = carom_kernels_of(b == 0 ? simd : twin)->swept_boxes(side, motion, reach, 0, end, &out);
    }
    note_check(left[0] == left[1], "other shapes are left");
    for (uint32_t n = 0; n < end; n++) {
        for (int a = 0; a < 6 && (left[0] >> n & 1) == 0; a++) {
            note_check(same_real(&corner[0][a][n], &corner[1][a][n], 1), "boxes differ, shape %u", n);
        }
        note_check((left[0] >> n & 1) != 0 || guarded_same_f32(paths[0][n], paths[1][n], CAROM_PATH_NUMBERS),
                   "paths differ, shape %u", n);
    }
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

void check_swept_boxes(void **state) {
    (void)state;
    guarded_over_all("swept boxes", swept_boxes_case);
}

static void pose_columns_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    enum { ROWS = 40, NUMBERS = 8 };
    const uint32_t end = fits(count);
    guarded_pool pool = {.count = 0};
    carom_real *rows = guarded_array(&pool, ROWS * NUMBERS, sizeof *rows, 0);
    uint32_t *pose[2];
    carom_pair_block *block[2];
    for (uint32_t n = 0; n < ROWS * NUMBERS; n++) {
        rows[n] = (carom_real)(2.0 * carom_random_u01(random) - 1.0);
    }
    for (int s = 0; s < 2; s++) {
        pose[s] = guarded_array(&pool, CAROM_BLOCK_ROOM, sizeof *pose[s], 0);
        for (uint32_t n = 0; n < CAROM_BLOCK_ROOM; n++) {
            pose[s][n] = n < end ? (uint32_t)(carom_random_next(random) % ROWS) : 0;
        }
        block[s] = guarded_array(&pool, 1, sizeof *block[s], 0);
    }
    const uint32_t *const of[2] = {pose[0], pose[1]};
    carom_kernels_of(simd)->pose_columns(rows, of, end, block[0]);
    carom_kernels_of(twin)->pose_columns(rows, of, end, block[1]);
    for (int s = 0; s < 2; s++) {
        const carom_block_side *a = &block[0]->side[s];
        const carom_block_side *b = &block[1]->side[s];
        for (int d = 0; d < 4; d++) {
            note_check(d == 3 || guarded_same_f64(a->at[d], b->at[d], end), "positions differ");
            note_check(guarded_same_f64(a->turn[d], b->turn[d], end), "rotations differ");
        }
        note_check(end == 0 || b->at[1][end - 1] == (double)rows[NUMBERS * pose[s][end - 1] + 1], "another row");
    }
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

void check_pose_columns(void **state) {
    (void)state;
    guarded_over_all("pose columns", pose_columns_case);
}
