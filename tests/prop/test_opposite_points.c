/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Points of shapes that overlap by flat sides, or by sides that are almost flat: in such a side of the Minkowski
 * difference the closest point is one of many. Guards that the points of an answer lie opposite each other: point_i -
 * point_k is the signed distance times the normal. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/carom.h"
#include "kernel/scene/random.h"
#include "simd/posed.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

enum {
    KINDS = 7,
    ROUND = 2,
    PAIRS = 400,
    CUBES = 2000,
    POLYGON = 12,
    POLYGONS = 4000,
    CUBES_SHAPE = 4,
    STACKED = 4000
};

/* The first two have round sides. */
static const double POINT[1][3] = {{0.25, 0.5, 0.5}};
static const double OCTAHEDRON[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
static const double CUBE[8][3] = {{1, 1, 1},  {1, 1, -1},  {1, -1, 1},  {1, -1, -1},
                                  {-1, 1, 1}, {-1, 1, -1}, {-1, -1, 1}, {-1, -1, -1}};
static const double PRISM[6][3] = {{1, 0, 1}, {-1, 1, 1}, {-1, -1, 1}, {1, 0, -1}, {-1, 1, -1}, {-1, -1, -1}};

static const carom_shape MADE[KINDS] = {
    {.kind = CAROM_SHAPE_CYLINDER, .radius = 3, .extent = {0, 0, 2}},
    {.kind = CAROM_SHAPE_CONE, .radius = 3, .extent = {0, 0, 2}},
    {.kind = CAROM_SHAPE_HULL, .point = POINT, .point_count = 1},
    {.kind = CAROM_SHAPE_HULL, .point = OCTAHEDRON, .point_count = 6},
    {.kind = CAROM_SHAPE_HULL, .point = CUBE, .point_count = 8},
    {.kind = CAROM_SHAPE_HULL, .point = PRISM, .point_count = 6},
    {.kind = CAROM_SHAPE_BOX, .extent = {1, 0.5, 0.25}},
};

static carom_shapes *shapes;
static uint64_t answers[2]; /* of polyhedra, and where one is round */
static uint64_t beside[2];

static int make_shapes(void **state) {
    carom_error error;
    (void)state;
    return carom_shapes_create(MADE, KINDS, NULL, &shapes, &error) == CAROM_OK ? 0 : -1;
}

static int release_shapes(void **state) {
    (void)state;
    carom_shapes_destroy(shapes);
    return 0;
}

static void draw(carom_random *random, carom_pose_f64 *pose) {
    for (int d = 0; d < 3; d++) {
        pose->at[d] = carom_random_u01(random) - 0.5;
    }
    carom_random_direction(random, pose->turn);
    pose->turn[3] = 2.0 * carom_random_u01(random) - 1.0;
}

/* How far point_i lies beside where it would be opposite point_k. */
static double sideways(const carom_gap_f64 *gap) {
    double square = 0.0;
    for (int d = 0; d < 3; d++) {
        const double off = gap->point_i[d] - gap->point_k[d] - gap->distance * gap->normal[d];
        square += off * off;
    }
    return sqrt(square);
}

static void run_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const uint32_t i = (uint32_t)(number % KINDS);
    const uint32_t k = (uint32_t)(number / KINDS);
    const int round = i < ROUND || k < ROUND ? 1 : 0;
    for (int n = 0; n < PAIRS; n++) {
        carom_pose_f64 pose_i = {.shape = i};
        carom_pose_f64 pose_k = {.shape = k};
        carom_gap_f64 gap;
        carom_error error;
        if (n % 2 == 0) {
            draw(&random, &pose_i);
        }
        draw(&random, &pose_k);
        note_case(number, "pair %d", n);
        note_check(carom_distance_pair_f64(shapes, &pose_i, &pose_k, NULL, &gap, NULL, &error) == CAROM_OK, "%s",
                   error.message);
        if (gap.state == CAROM_GAP_TOUCHING && !gap.capped) {
            const bool is_beside = sideways(&gap) > 1e-5;
            answers[round]++;
            beside[round] += is_beside;
            note_check(round != 0 || !is_beside, "%g beside, depth %g", sideways(&gap), -gap.distance);
        }
    }
}

/* Where a shape is round, the point below the origin may lie in no face of the polytope. */
static void test_points(void **state) {
    (void)state;
    note_each_case(KINDS * KINDS, run_case);
    printf("# %" PRIu64 " of %" PRIu64 " pairs with a round side have points that are not opposite\n", beside[1],
           answers[1]);
    assert_true(note_only_case() != UINT64_MAX || answers[1] > 500);
    assert_true(note_only_case() != UINT64_MAX || 500 * beside[1] <= answers[1]);
}

/* A cube whose corners are moved by a few units in the last place, or by some more. */
static void draw_cube(carom_random *random, double size, double point[8][3]) {
    const double most = ldexp(1.0, -52 + (int)(carom_random_next(random) % 16));
    for (int n = 0; n < 24; n++) {
        const double part = carom_random_next(random) % 2 == 0 ? 0.0 : 2.0 * carom_random_u01(random) - 1.0;
        point[n / 3][n % 3] = size * CUBE[n / 3][n % 3] * (1.0 + most * part);
    }
}

/* Anywhere, or with sides that are parallel to those of the other cube. */
static void draw_aligned(carom_random *random, carom_pose_f64 *pose) {
    static const double turn[3][4] = {{0, 0, 0, 1}, {1, 1, 0, 0}, {0.5, 0.5, 0.5, 0.5}};
    draw(random, pose);
    if (carom_random_next(random) % 4 != 0) {
        memcpy(pose->turn, turn[carom_random_next(random) % 3], sizeof pose->turn);
    }
}

static void run_cubes(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    double point[2][8][3];
    carom_shape cube[2] = {{.kind = CAROM_SHAPE_HULL, .point = (const double(*)[3])point[0], .point_count = 8},
                           {.kind = CAROM_SHAPE_HULL, .point = (const double(*)[3])point[1], .point_count = 8}};
    carom_pose_f64 pose[2] = {{.shape = 0, .turn = {0, 0, 0, 1}}, {.shape = 1}};
    carom_shapes *cubes;
    carom_gap_f64 gap;
    carom_error error;
    note_case(number, "cubes");
    draw_cube(&random, 1.0, point[0]);
    draw_cube(&random, ldexp(1.0, -(int)(carom_random_next(&random) % 12)), point[1]);
    draw_aligned(&random, &pose[1]);
    note_check(carom_shapes_create(cube, 2, NULL, &cubes, &error) == CAROM_OK, "%s", error.message);
    note_check(carom_distance_pair_f64(cubes, &pose[0], &pose[1], NULL, &gap, NULL, &error) == CAROM_OK, "%s",
               error.message);
    note_check(gap.state != CAROM_GAP_TOUCHING || gap.capped || sideways(&gap) <= 1e-5, "%g beside, depth %g",
               sideways(&gap), -gap.distance);
    carom_shapes_destroy(cubes);
}

static void test_almost_flat(void **state) {
    (void)state;
    note_each_case(CUBES, run_cubes);
}

/* A polygon and a point of it, at the same place: they touch, and that is known to rounding. Searches in floats may end
 * with the simplex that holds the point, before there is any bound of the distance. */
static void run_flat(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    double corner[POLYGON][3];
    double point[1][3] = {{0.0}};
    double sum = 0.0;
    const uint32_t count = 3 + (uint32_t)(carom_random_next(&random) % (POLYGON - 2));
    for (uint32_t n = 0; n < count; n++) {
        const double weight = carom_random_u01(&random);
        sum += weight;
        for (int d = 0; d < 3; d++) {
            corner[n][d] = d == 2 ? 0.0 : 2.0 * carom_random_u01(&random) - 1.0;
            point[0][d] += weight * corner[n][d];
        }
    }
    for (int d = 0; d < 3; d++) {
        point[0][d] = point[0][d] / sum;
    }
    const carom_shape flat[2] = {{.kind = CAROM_SHAPE_HULL, .point = (const double(*)[3])corner, .point_count = count},
                                 {.kind = CAROM_SHAPE_HULL, .point = (const double(*)[3])point, .point_count = 1}};
    carom_pose_f64 pose[2] = {{.shape = 0}, {.shape = 1}};
    carom_shapes *shapes_of_one_plane;
    carom_gap_f64 gap;
    carom_error error;
    note_case(number, "a polygon and a point of it");
    draw(&random, &pose[0]);
    pose[1] = pose[0];
    pose[1].shape = 1;
    note_check(carom_shapes_create(flat, 2, NULL, &shapes_of_one_plane, &error) == CAROM_OK, "%s", error.message);
    note_check(carom_distance_pair_f64(shapes_of_one_plane, &pose[0], &pose[1], NULL, &gap, NULL, &error) == CAROM_OK,
               "%s", error.message);
    note_check(gap.lower >= -1e-9 && gap.upper <= 1e-9, "[%g, %g]", gap.lower, gap.upper);
    note_check(sideways(&gap) <= 1e-5, "%g beside", sideways(&gap));
    carom_shapes_destroy(shapes_of_one_plane);
}

/* Two equal cubes with sides that face each other, a little apart, corner over corner: the closest points are many, and
 * searches may end in a corner. */
static void run_stacked(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const double room = pow(10.0, -1.0 - 12.0 * carom_random_u01(&random));
    carom_pose_f64 pose[2] = {{.shape = CUBES_SHAPE}, {.shape = CUBES_SHAPE}};
    carom_gap_f64 gap;
    carom_error error;
    double turn[3][3];
    double square = 0.0;
    note_case(number, "cubes %g apart", room);
    draw(&random, &pose[0]);
    for (int d = 0; d < 4; d++) {
        square += pose[0].turn[d] * pose[0].turn[d];
    }
    for (int d = 0; d < 4; d++) {
        pose[0].turn[d] /= sqrt(square);
        pose[1].turn[d] = pose[0].turn[d];
    }
    carom_pose_turn(pose[0].turn, turn);
    for (int d = 0; d < 3; d++) {
        pose[0].at[d] = 0.0;
        pose[1].at[d] = (2.0 + room) * turn[d][2];
    }
    note_check(carom_distance_pair_f64(shapes, &pose[0], &pose[1], NULL, &gap, NULL, &error) == CAROM_OK, "%s",
               error.message);
    note_check(!gap.capped && fabs(gap.distance - room) < 1e-11, "[%g, %g]", gap.lower, gap.upper);
}

static void test_stacked(void **state) {
    (void)state;
    note_each_case(STACKED, run_stacked);
}

static void test_flat(void **state) {
    (void)state;
    note_each_case(POLYGONS, run_flat);
}

int main(void) {
    note_start("tests/prop/test_opposite_points");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_points), cmocka_unit_test(test_almost_flat),
                                       cmocka_unit_test(test_flat), cmocka_unit_test(test_stacked)};
    return cmocka_run_group_tests_name("opposite points", tests, make_shapes, release_shapes);
}
