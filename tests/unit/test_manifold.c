/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Manifolds of shapes that touch: as many points as the contact has corners, at the right places and heights, in both
 * orders of the shapes. Random pairs: the points are near touch, one has the pair's separation, and what lies opposite
 * on both shapes is on their surfaces. Plates on plates: the points span what both cover. */
#include <math.h>

#include "carom/carom.h"
#include "kernel/scene/random.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

enum { CASES = 20000 };

static const double HALF_ROOT = 0.70710678118654752440;

/* Shapes that the tests name; DOT is for asking how far points are from the others. */
enum { CUBE, PLATE, BALL, ROD, DRUM, SPIKE, PLANE, WEDGE, CARD, DISC, SHAPES, DOT = SHAPES, ALL };

static carom_shapes *make_shapes(void) {
    static const double wedge[6][3] = {{-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}, {1, 1, 0}, {-1, 0, 1}, {1, 0, 1}};
    const carom_shape shape[ALL] = {
        [CUBE] = {.kind = CAROM_SHAPE_BOX, .extent = {1, 1, 1}},
        [PLATE] = {.kind = CAROM_SHAPE_BOX, .extent = {3, 3, 0.5}},
        [BALL] = {.kind = CAROM_SHAPE_SPHERE, .radius = 1},
        [ROD] = {.kind = CAROM_SHAPE_CAPSULE, .radius = 0.25, .extent = {0, 0, 1}},
        [DRUM] = {.kind = CAROM_SHAPE_CYLINDER, .radius = 0.5, .extent = {0, 0, 1}},
        [SPIKE] = {.kind = CAROM_SHAPE_CONE, .radius = 0.5, .extent = {0, 0, 1}},
        [PLANE] = {.kind = CAROM_SHAPE_HALF_SPACE},
        [WEDGE] = {.kind = CAROM_SHAPE_HULL, .point = wedge, .point_count = 6},
        [CARD] = {.kind = CAROM_SHAPE_BOX, .extent = {0.05, 0, 0.4}},
        [DISC] = {.kind = CAROM_SHAPE_CYLINDER, .radius = 1.5, .extent = {0, 0, 0.01}},
        [DOT] = {.kind = CAROM_SHAPE_SPHERE, .radius = 0},
    };
    carom_shapes *shapes = NULL;
    assert_int_equal(carom_shapes_create(shape, ALL, NULL, &shapes, NULL), CAROM_OK);
    return shapes;
}

typedef struct answer {
    carom_gap_f64 gap;
    carom_manifold_f64 manifold;
} answer;

static answer ask(const carom_shapes *shapes, const carom_pose_f64 *i, const carom_pose_f64 *k) {
    carom_distance_config config = carom_distance_config_default();
    answer a;
    carom_error error;
    config.detail = CAROM_GAP_MANIFOLD;
    assert_int_equal(carom_distance_pair_f64(shapes, i, k, &config, &a.gap, &a.manifold, &error), CAROM_OK);
    return a;
}

/* `count` points at height z, all `separation` apart, whose corners are `across` from the z axis (< 0: anywhere). */
static void expect(const carom_shapes *shapes, const carom_pose_f64 *i, const carom_pose_f64 *k, uint32_t count,
                   double z, double separation, double across) {
    for (int order = 0; order < 2; order++) {
        const answer a = order == 0 ? ask(shapes, i, k) : ask(shapes, k, i);
        assert_int_equal(a.gap.point_count, count);
        for (uint32_t n = 0; n < count; n++) {
            const double *p = a.manifold.point[n];
            assert_true(fabs(p[2] - z) < 1e-9);
            assert_true(fabs(a.manifold.gap[n] - separation) < 1e-9);
            assert_true(across < 0.0 || fabs(hypot(p[0], p[1]) - across) < 1e-9);
        }
    }
}

static void contacts_have_their_corners(void **state) {
    (void)state;
    carom_shapes *shapes = make_shapes();
    const carom_pose_f64 plate = {.shape = PLATE};
    const carom_pose_f64 plane = {.shape = PLANE, .at = {5, 5, 0.5}};
    const double low = 0.5 - 0.01; /* the lowest point of what lies on the plate or the plane */
    const carom_pose_f64 cube = {.shape = CUBE, .at = {0, 0, low + 1}};
    const carom_pose_f64 turned = {.shape = CUBE, .at = {0, 0, low + 1}, .turn = {0, 0, sin(0.3), cos(0.3)}};
    const carom_pose_f64 ball = {.shape = BALL, .at = {1, 1, low + 1}};
    const carom_pose_f64 rod = {.shape = ROD, .at = {0, 0, low + 0.25}, .turn = {0, HALF_ROOT, 0, HALF_ROOT}};
    const carom_pose_f64 standing = {.shape = DRUM, .at = {0, 0, low + 1}};
    const carom_pose_f64 lying = {.shape = DRUM, .at = {0, 0, low + 0.5}, .turn = {HALF_ROOT, 0, 0, HALF_ROOT}};
    const carom_pose_f64 base = {.shape = SPIKE, .at = {0, 0, low + 1}};
    const carom_pose_f64 apex = {.shape = SPIKE, .at = {0, 0, low + 1}, .turn = {1, 0, 0, 0}};
    const carom_pose_f64 wedge = {.shape = WEDGE, .at = {0, 0, low}};
    const carom_pose_f64 *ground[2] = {&plate, &plane};
    for (int g = 0; g < 2; g++) {
        expect(shapes, &cube, ground[g], 4, 0.495, -0.01, sqrt(2.0));
        expect(shapes, &turned, ground[g], 4, 0.495, -0.01, sqrt(2.0));
        expect(shapes, &ball, ground[g], 1, 0.495, -0.01, sqrt(2.0));
        expect(shapes, &rod, ground[g], 2, 0.495, -0.01, 1.0);
        expect(shapes, &standing, ground[g], 4, 0.495, -0.01, 0.5);
        expect(shapes, &lying, ground[g], 2, 0.495, -0.01, 1.0);
        expect(shapes, &base, ground[g], 4, 0.495, -0.01, 0.5);
        expect(shapes, &apex, ground[g], 1, 0.495, -0.01, 0.0);
        expect(shapes, &wedge, ground[g], 4, 0.495, -0.01, sqrt(2.0));
    }
    carom_shapes_destroy(shapes);
}

/* Equal squares, one turned by an eighth: four of the octagon's corners, which lie on both borders. */
static void octagons_have_four_points(void **state) {
    (void)state;
    carom_shapes *shapes = make_shapes();
    const double eighth = 0.39269908169872415481;
    const carom_pose_f64 below = {.shape = CUBE};
    const carom_pose_f64 above = {.shape = CUBE, .at = {0, 0, 2}, .turn = {0, 0, sin(eighth), cos(eighth)}};
    expect(shapes, &above, &below, 4, 1.0, 0.0, sqrt(1.0 + (sqrt(2.0) - 1.0) * (sqrt(2.0) - 1.0)));
    carom_shapes_destroy(shapes);
}

/* Two edges that cross, and a corner on a face, touch in one point. */
static void edges_and_corners_have_one_point(void **state) {
    (void)state;
    carom_shapes *shapes = make_shapes();
    const double quarter = 0.39269908169872415481; /* half of 45 degrees */
    const carom_pose_f64 along_x = {.shape = CUBE, .turn = {sin(quarter), 0, 0, cos(quarter)}};
    const carom_pose_f64 along_y = {
        .shape = CUBE, .at = {0, 0, 2 * sqrt(2.0) - 0.01}, .turn = {0, sin(quarter), 0, cos(quarter)}};
    expect(shapes, &along_y, &along_x, 1, sqrt(2.0) - 0.005, -0.01, 0.0);
    const double tilt = 0.5 * acos(1.0 / sqrt(3.0)); /* brings a diagonal to the z axis */
    const carom_pose_f64 corner = {.shape = CUBE,
                                   .at = {0, 0, 0.5 + sqrt(3.0) - 0.01},
                                   .turn = {HALF_ROOT * sin(tilt), -HALF_ROOT * sin(tilt), 0, cos(tilt)}};
    const carom_pose_f64 plate = {.shape = PLATE};
    expect(shapes, &corner, &plate, 1, 0.495, -0.01, 0.0);
    carom_shapes_destroy(shapes);
}

/* A capsule that is a little tilted has two points, one under the cap and one under the side, as a level one has. */
static void tilted_capsules_have_two_points(void **state) {
    (void)state;
    carom_shapes *shapes = make_shapes();
    const double half = 0.5 * (1.57079632679489661923 - 0.006);
    const double depth = 0.01;
    const double at = 0.5 - depth + 0.25 + sin(0.006);
    const carom_pose_f64 rod = {.shape = ROD, .at = {0, 0, at}, .turn = {0, sin(half), 0, cos(half)}};
    const carom_pose_f64 plate = {.shape = PLATE};
    const answer a = ask(shapes, &rod, &plate);
    assert_int_equal(a.gap.point_count, 2);
    assert_true(fabs(a.manifold.gap[0] + depth) < 1e-9);
    assert_true(fabs(a.manifold.gap[1] + depth - 2.0 * sin(0.006)) < 1e-5);
    assert_true(fabs(a.manifold.point[0][0] - a.manifold.point[1][0]) > 1.9);
    carom_shapes_destroy(shapes);
}

/* A card without thickness stands in a disc, and under a capsule: its upper side is a face without width,
 * which bounds the manifold. */
static void flat_faces_bound_points(void **state) {
    (void)state;
    carom_shapes *shapes = make_shapes();
    const carom_pose_f64 card = {.shape = CARD, .at = {-1, 0.5, -0.3}};
    const carom_pose_f64 disc = {.shape = DISC};
    for (int order = 0; order < 2; order++) {
        const answer a = order == 0 ? ask(shapes, &card, &disc) : ask(shapes, &disc, &card);
        assert_true(a.gap.point_count >= 1);
        assert_true(fabs(a.gap.distance + 0.11) < 1e-9);
        for (uint32_t n = 0; n < a.gap.point_count; n++) {
            assert_true(fabs(a.manifold.point[n][0] + 1) < 0.05 + 1e-9);
            assert_true(fabs(a.manifold.point[n][1] - 0.5) < 1e-9);
        }
    }
    const carom_pose_f64 standing = {.shape = CARD, .at = {0, 0, -0.4}};
    const carom_pose_f64 lying = {.shape = ROD, .at = {0, 0, 0.24}, .turn = {0, HALF_ROOT, 0, HALF_ROOT}};
    expect(shapes, &standing, &lying, 2, -0.005, -0.01, 0.05);
    carom_shapes_destroy(shapes);
}

static double uniform(carom_random *random) {
    return 2.0 * carom_random_u01(random) - 1.0;
}

static carom_shapes *shared;

/* Midway between the witness points, which have tests of their own. */
static bool is_witness(const answer *a, uint32_t n) {
    bool same = true;
    for (int d = 0; d < 3; d++) {
        same = same && fabs(a->manifold.point[n][d] - 0.5 * (a->gap.point_i[d] + a->gap.point_k[d])) <= 1e-12;
    }
    return same;
}

/* The point on a body's surface, half a gap along the normal from a point of the manifold. */
static void check_surface(const carom_pose_f64 *pose, const answer *a, uint32_t n, double half) {
    carom_pose_f64 dot = {.shape = DOT};
    for (int d = 0; d < 3; d++) {
        dot.at[d] = a->manifold.point[n][d] + half * a->manifold.gap[n] * a->gap.normal[d];
    }
    const double distance = ask(shared, &dot, pose).gap.distance;
    note_check(fabs(distance) <= 1e-9, "point %u is %g off shape %u", n, distance, pose->shape);
}

/* In every second case faces are nearly parallel. */
static void check_pair(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    carom_pose_f64 pose[2] = {{.shape = 0}};
    const double wide = number % 2 == 0 ? 1.0 : 0.1 * carom_random_u01(&random);
    for (int n = 0; n < 2; n++) {
        pose[n].shape = (uint32_t)(carom_random_next(&random) % SHAPES);
        pose[n].shape = n == 1 && pose[n].shape == PLANE ? CUBE : pose[n].shape;
        for (int d = 0; d < 4; d++) {
            pose[n].turn[d] = wide * uniform(&random) + (d == 3 ? 0.6 : 0.0);
        }
        const double length = sqrt(pose[n].turn[0] * pose[n].turn[0] + pose[n].turn[1] * pose[n].turn[1] +
                                   pose[n].turn[2] * pose[n].turn[2] + pose[n].turn[3] * pose[n].turn[3]);
        for (int d = 0; d < 4; d++) {
            pose[n].turn[d] /= length;
        }
        for (int d = 0; d < 3; d++) {
            pose[n].at[d] = 1.2 * uniform(&random);
        }
    }
    note_case(number, "shapes %u and %u", pose[0].shape, pose[1].shape);
    const answer a = ask(shared, &pose[0], &pose[1]);
    const bool touches = a.gap.state != CAROM_GAP_SEPARATED;
    note_check((a.gap.point_count >= 1 && a.gap.point_count <= 4) == touches, "%u points, state %d", a.gap.point_count,
               (int)a.gap.state);
    bool has_least = !touches;
    for (uint32_t n = 0; n < a.gap.point_count; n++) {
        has_least = has_least || fabs(a.manifold.gap[n] - a.gap.distance) < 1e-5;
        note_check(isfinite(a.manifold.gap[n]) && a.manifold.gap[n] >= a.manifold.gap[0] && a.manifold.gap[n] < 0.07,
                   "point %u is %g apart", n, a.manifold.gap[n]);
    }
    note_check(has_least, "no point is as deep as the pair");
    for (uint32_t n = 0; n < a.gap.point_count; n++) {
        if (!is_witness(&a, n)) {
            check_surface(&pose[0], &a, n, 0.5);
            check_surface(&pose[1], &a, n, -0.5);
        }
    }
}

static void random_pairs_have_manifolds(void **state) {
    (void)state;
    shared = make_shapes();
    note_each_case(CASES, check_pair);
    carom_shapes_destroy(shared);
}

/* Two plates, one on the other, turned and shifted. */
typedef struct stack {
    double h[2][2];
    double shift[2];
    double sine;
    double cosine;
} stack;

static bool holds(const stack *plates, double x, double y, double slack) {
    const double u = x - plates->shift[0];
    const double v = y - plates->shift[1];
    return fabs(x) <= plates->h[0][0] + slack && fabs(y) <= plates->h[0][1] + slack &&
           fabs(plates->cosine * u + plates->sine * v) <= plates->h[1][0] + slack &&
           fabs(plates->cosine * v - plates->sine * u) <= plates->h[1][1] + slack;
}

/* What both plates cover, counted in squares. */
static double common_area(const stack *plates) {
    enum { SQUARES = 100 };
    uint64_t count = 0;
    for (int n = 0; n < SQUARES * SQUARES; n++) {
        const double x = plates->h[0][0] * (2.0 * (n % SQUARES + 0.5) / SQUARES - 1.0);
        const double y = plates->h[0][1] * (2.0 * (n / SQUARES + 0.5) / SQUARES - 1.0);
        count += holds(plates, x, y, 0.0);
    }
    return 4.0 * plates->h[0][0] * plates->h[0][1] * (double)count / (SQUARES * SQUARES);
}

/* The area of the hull of up to four points: of all triangles and quadrangles the greatest. */
static double hull_area(uint32_t count, const double (*p)[3]) {
    double most = 0.0;
    for (uint32_t order = 0; order < 3 && count >= 3; order++) {
        static const int turns[3][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 1, 3, 2}};
        double area = 0.0;
        for (uint32_t n = 0; n < count; n++) {
            const double *a = p[count == 4 ? turns[order][n] : (int)n];
            const double *b = p[count == 4 ? turns[order][(n + 1) % 4] : (int)((n + 1) % 3)];
            area += 0.5 * (a[0] * b[1] - a[1] * b[0]);
        }
        most = fmax(most, fabs(area));
    }
    return most;
}

/* Points lie on both plates, and span at least half of what both cover: four corners of eight do. */
static void check_stack(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    stack plates;
    carom_shapes *shapes = NULL;
    carom_shape shape[2];
    for (int n = 0; n < 2; n++) {
        plates.h[n][0] = 0.5 + carom_random_u01(&random);
        plates.h[n][1] = 0.5 + carom_random_u01(&random);
        plates.shift[n] = 0.7 * uniform(&random);
        shape[n] = (carom_shape){.kind = CAROM_SHAPE_BOX, .extent = {plates.h[n][0], plates.h[n][1], 0.5}};
    }
    const double half = number % 4 == 0 ? 0.0 : uniform(&random);
    plates.sine = sin(2.0 * half);
    plates.cosine = cos(2.0 * half);
    assert_int_equal(carom_shapes_create(shape, 2, NULL, &shapes, NULL), CAROM_OK);
    const carom_pose_f64 below = {.shape = 0, .at = {0, 0, -0.5}};
    const carom_pose_f64 above = {
        .shape = 1, .at = {plates.shift[0], plates.shift[1], 0.499}, .turn = {0, 0, sin(half), cos(half)}};
    note_case(number, "plates");
    const answer a = number % 2 == 0 ? ask(shapes, &below, &above) : ask(shapes, &above, &below);
    const double whole = common_area(&plates);
    const double area = hull_area(a.gap.point_count, (const double(*)[3])a.manifold.point);
    for (uint32_t n = 0; n < a.gap.point_count; n++) {
        const double *p = a.manifold.point[n];
        note_check(holds(&plates, p[0], p[1], 1e-9) && fabs(p[2] + 0.0005) < 1e-9, "%g %g %g is outside", p[0], p[1],
                   p[2]);
    }
    note_check(holds(&plates, a.gap.point_i[0], a.gap.point_i[1], 1e-9), "the witness point is outside");
    note_check(area >= 0.5 * whole - 0.1 && area <= whole + 0.1, "%g of %g is spanned", area, whole);
    carom_shapes_destroy(shapes);
}

static void stacks_are_spanned(void **state) {
    (void)state;
    note_each_case(CASES / 10, check_stack);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(contacts_have_their_corners),
                                       cmocka_unit_test(octagons_have_four_points),
                                       cmocka_unit_test(edges_and_corners_have_one_point),
                                       cmocka_unit_test(flat_faces_bound_points),
                                       cmocka_unit_test(tilted_capsules_have_two_points),
                                       cmocka_unit_test(random_pairs_have_manifolds),
                                       cmocka_unit_test(stacks_are_spanned)};
    note_start("test_manifold");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
