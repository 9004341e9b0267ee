/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Manifolds of shapes that touch: as many points as the contact has corners, at the right places and heights, in both
 * orders of the shapes. Random pairs: the points are near touch, one has the pair's separation, and what lies opposite
 * on both shapes is on their surfaces, also in float, with a margin and with wide brackets. Plates on plates: the
 * points span what both cover. */
#include <math.h>

#include "carom/carom.h"
#include "kernel/scene/random.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

enum { CASES = 20000 };

static const double HALF_ROOT = 0.70710678118654752440;

/* Shapes that the tests name; DOT is for asking how far points are from the others. */
enum { CUBE, PLATE, BALL, ROD, DRUM, SPIKE, PLANE, WEDGE, CARD, DISC, NEEDLE, TILE, SHAPES, DOT = SHAPES, ALL };

static carom_shapes *make_shapes(void) {
    static const double wedge[6][3] = {{-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}, {1, 1, 0}, {-1, 0, 1}, {1, 0, 1}};
    static const double tile[4][3] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
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
        [NEEDLE] = {.kind = CAROM_SHAPE_BOX, .extent = {0, 1, 0}},
        [TILE] = {.kind = CAROM_SHAPE_HULL, .point = tile, .point_count = 4},
        [DOT] = {.kind = CAROM_SHAPE_SPHERE, .radius = 0},
    };
    carom_shapes *shapes = NULL;
    assert_int_equal(carom_shapes_create(shape, ALL, NULL, &shapes, NULL), CAROM_OK);
    return shapes;
}

static double uniform(carom_random *random) {
    return 2.0 * carom_random_u01(random) - 1.0;
}

typedef struct answer {
    carom_gap_f64 gap;
    carom_manifold_f64 manifold;
} answer;

static carom_distance_config config_of(double margin, double tolerance) {
    carom_distance_config config = carom_distance_config_default();
    config.detail = CAROM_GAP_MANIFOLD;
    config.margin = margin;
    config.tolerance = tolerance;
    return config;
}

static answer ask_with(const carom_shapes *shapes, const carom_pose_f64 *i, const carom_pose_f64 *k, double margin,
                       double tolerance) {
    const carom_distance_config config = config_of(margin, tolerance);
    answer a;
    carom_error error;
    assert_int_equal(carom_distance_pair_f64(shapes, i, k, &config, &a.gap, &a.manifold, &error), CAROM_OK);
    return a;
}

static answer ask(const carom_shapes *shapes, const carom_pose_f64 *i, const carom_pose_f64 *k) {
    return ask_with(shapes, i, k, 0.0, 0.0);
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

/* Boxes that are apart, but within the margin. */
static void faces_apart_have_their_corners(void **state) {
    (void)state;
    carom_shapes *shapes = make_shapes();
    const carom_pose_f64 below = {.shape = PLATE};
    const carom_pose_f64 above = {.shape = CUBE, .at = {0.5, 0, 1.51}, .turn = {0, 0, sin(0.3), cos(0.3)}};
    const answer a = ask_with(shapes, &above, &below, 0.1, 0.0);
    assert_int_equal(a.gap.point_count, 4);
    for (int n = 0; n < 4; n++) {
        const double *p = a.manifold.point[n];
        assert_true(fabs(a.manifold.gap[n] - 0.01) < 1e-9);
        assert_true(fabs(p[2] - 0.505) < 1e-9 && fabs(hypot(p[0] - 0.5, p[1]) - sqrt(2.0)) < 1e-9);
    }
    carom_shapes_destroy(shapes);
}

/* A cube in a compound has the manifold that it has alone, also where it is so near touch that the compound's rounding
 * decides the state. */
static void children_have_manifolds(void **state) {
    (void)state;
    const carom_shape_child child = {.shape = 0, .at = {30.3, 0.1, 0.2}, .turn = {0, 0, 0, 1}};
    const carom_shape shape[2] = {{.kind = CAROM_SHAPE_BOX, .extent = {1, 1, 1}},
                                  {.kind = CAROM_SHAPE_COMPOUND, .child = &child, .child_count = 1}};
    carom_shapes *shapes = NULL;
    assert_int_equal(carom_shapes_create(shape, 2, NULL, &shapes, NULL), CAROM_OK);
    for (int n = -50; n < 400; n++) {
        const carom_pose_f64 i = {.shape = 1, .at = {-30.3, -0.1, 1.8 + n * 1e-14}};
        const carom_pose_f64 k = {.shape = 0, .at = {0.2, 0.1, 0}};
        const answer a = ask_with(shapes, &i, &k, 1e-3, 0.0);
        assert_int_equal(a.gap.point_count, 4);
        for (int p = 0; p < 4; p++) {
            assert_true(fabs(a.manifold.point[p][2] - 1.0) < 1e-9);
        }
    }
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

/* The end of a segment in the side of a drum. */
static void needles_have_one_point(void **state) {
    (void)state;
    carom_shapes *shapes = make_shapes();
    const carom_pose_f64 needle = {.shape = NEEDLE, .at = {0, -1.4, 0}};
    const carom_pose_f64 drum = {.shape = DRUM};
    const answer a = ask(shapes, &needle, &drum);
    assert_int_equal(a.gap.point_count, 1);
    assert_true(fabs(a.gap.distance + 0.1) < 1e-9 && fabs(a.manifold.point[0][1] + 0.45) < 1e-9);
    assert_true(fabs(a.manifold.point[0][2]) < 1e-6);
    carom_shapes_destroy(shapes);
}

/* Sides and edges that are parallel touch in the ends of what they have in common, however they are turned by rounding:
 * capsules, cylinders, and both along an edge of a cube or a wedge. */
static void parallel_sides_have_two_points(void **state) {
    (void)state;
    carom_shapes *shapes = make_shapes();
    const carom_pose_f64 along_y = {.shape = ROD, .turn = {HALF_ROOT, 0, 0, HALF_ROOT}};
    const double eighth = 0.39269908169872415481;
    const carom_pose_f64 ridge = {
        .shape = CUBE, .at = {0, 0, -sqrt(2.0) + 0.25}, .turn = {0, sin(eighth), 0, cos(eighth)}};
    const carom_pose_f64 roof = {.shape = WEDGE, .at = {0, 0, -0.75}, .turn = {0, 0, HALF_ROOT, HALF_ROOT}};
    const carom_pose_f64 log = {.shape = DRUM, .at = {0, 0, -0.25}, .turn = {HALF_ROOT, 0, 0, HALF_ROOT}};
    const carom_pose_f64 *below[4] = {&along_y, &ridge, &roof, &log};
    for (int n = 0; n < 4 * 9; n++) {
        const double tilt = 1e-9 * (n / 4 % 3 - 1);
        const double turn = 1e-9 * (n / 12 - 1);
        const carom_pose_f64 above = {.shape = ROD, .at = {0, 0.5, 0.499}, .turn = {HALF_ROOT, tilt, turn, HALF_ROOT}};
        const answer a = ask(shapes, &above, below[n % 4]);
        assert_int_equal(a.gap.point_count, 2);
        for (int p = 0; p < 2; p++) {
            assert_true(fabs(a.manifold.point[p][0]) < 1e-6);
            assert_true(fabs(a.manifold.point[p][1] - (p == 0 ? -0.5 : 1.0)) < 1e-6);
            assert_true(fabs(a.manifold.gap[p] + 0.001) < 1e-6);
        }
    }
    carom_shapes_destroy(shapes);
}

/* Points reach as far as the margin: all corners of a tilted cube, and the end of a tilted capsule that is up. */
static void margins_keep_points(void **state) {
    (void)state;
    carom_shapes *shapes = make_shapes();
    const double tilt = 0.03;
    const carom_pose_f64 plate = {.shape = PLATE};
    const carom_pose_f64 plane = {.shape = PLANE, .at = {0, 0, 0.5}};
    const carom_pose_f64 cube = {
        .shape = CUBE, .at = {0, 0, 0.499 + sin(tilt) + cos(tilt)}, .turn = {0, sin(tilt / 2), 0, cos(tilt / 2)}};
    const double down = 0.5 * (1.57079632679489661923 - tilt);
    const carom_pose_f64 rod = {.shape = ROD, .at = {0, 0, 0.749 + sin(tilt)}, .turn = {0, sin(down), 0, cos(down)}};
    for (int ground = 0; ground < 2; ground++) {
        const carom_pose_f64 *k = ground == 0 ? &plate : &plane;
        assert_int_equal(ask(shapes, &cube, k).gap.point_count, 2);
        assert_int_equal(ask_with(shapes, &cube, k, 0.1, 0.0).gap.point_count, 4);
        assert_int_equal(ask(shapes, &rod, k).gap.point_count, 1);
        assert_int_equal(ask_with(shapes, &rod, k, 0.1, 0.0).gap.point_count, 2);
    }
    carom_shapes_destroy(shapes);
}

/* Points keep their order and places while bodies that lie on one another move by rounding. */
static void points_keep_their_order(void **state) {
    (void)state;
    carom_shapes *shapes = make_shapes();
    const carom_pose_f64 plate = {.shape = PLATE};
    const uint32_t shape[4] = {CUBE, DRUM, WEDGE, SPIKE};
    const double height[4] = {1.0, 1.0, 0.0, 1.0};
    carom_random random = carom_random_seeded(note_seed());
    for (int s = 0; s < 4; s++) {
        const double half = 0.2 * s;
        carom_pose_f64 above = {
            .shape = shape[s], .at = {0.1, 0.2, 0.499 + height[s]}, .turn = {0, 0, sin(half), cos(half)}};
        const answer first = ask(shapes, &above, &plate);
        assert_int_equal(first.gap.point_count, 4);
        for (int n = 0; n < 200; n++) {
            carom_pose_f64 moved = above;
            moved.turn[0] = 1e-10 * uniform(&random);
            moved.turn[1] = 1e-10 * uniform(&random);
            moved.at[0] += 1e-9 * uniform(&random);
            const answer next = ask(shapes, &moved, &plate);
            assert_int_equal(next.gap.point_count, 4);
            for (int p = 0; p < 4; p++) {
                for (int d = 0; d < 3; d++) {
                    assert_true(fabs(next.manifold.point[p][d] - first.manifold.point[p][d]) < 1e-6);
                }
            }
        }
    }
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

static carom_shapes *shared;

/* Over all cases: pairs of boxes, and others, with several points though the normal is that of no face; and pairs of
 * boxes none of whose corners is as deep as the pair. */
static uint64_t slanted[2];
static uint64_t by_witness;

/* Midway between the witness points, which have tests of their own, to within `rounding`. */
static bool is_witness(const answer *a, uint32_t n, double rounding) {
    bool same = fabs(a->manifold.gap[n] - a->gap.distance) <= rounding;
    for (int d = 0; d < 3; d++) {
        same = same && fabs(a->manifold.point[n][d] - 0.5 * (a->gap.point_i[d] + a->gap.point_k[d])) <= rounding;
    }
    return same;
}

/* The point on a body's surface, half a gap along the normal from a point of the manifold, is there to within the
 * bracket and rounding. */
static void check_surface(const carom_pose_f64 *pose, const answer *a, uint32_t n, double half, double rounding) {
    carom_pose_f64 dot = {.shape = DOT};
    for (int d = 0; d < 3; d++) {
        dot.at[d] = a->manifold.point[n][d] + half * a->manifold.gap[n] * a->gap.normal[d];
    }
    const double distance = ask(shared, &dot, pose).gap.distance;
    note_check(fabs(distance) <= rounding + (a->gap.upper - a->gap.lower), "point %u is %g off shape %u", n, distance,
               pose->shape);
}

static void check_surfaces(const carom_pose_f64 pose[2], const answer *a, double rounding) {
    for (uint32_t n = 0; n < a->gap.point_count; n++) {
        if (!is_witness(a, n, rounding)) {
            check_surface(&pose[0], a, n, 0.5, rounding);
            check_surface(&pose[1], a, n, -0.5, rounding);
        }
    }
}

static bool is_box(const carom_pose_f64 *pose) {
    return pose->shape == CUBE || pose->shape == PLATE || pose->shape == CARD || pose->shape == NEEDLE;
}

/* Whether a direction is that of an axis of a shape, and so of a face, if it has any there. */
static bool is_along_axis(const carom_pose_f64 *pose, const double n[3]) {
    const double *q = pose->turn;
    double most = 0.0;
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3;
        const int c = (a + 2) % 3;
        double axis[3];
        axis[a] = 1.0 - 2.0 * (q[b] * q[b] + q[c] * q[c]);
        axis[b] = 2.0 * (q[a] * q[b] + q[c] * q[3]);
        axis[c] = 2.0 * (q[a] * q[c] - q[b] * q[3]);
        most = fmax(most, fabs(axis[0] * n[0] + axis[1] * n[1] + axis[2] * n[2]));
    }
    return most > 1.0 - 1e-9;
}

static void count_kind(const carom_pose_f64 pose[2], const answer *a) {
    const bool boxes = is_box(&pose[0]) && is_box(&pose[1]);
    const double *n = a->gap.normal;
    const bool is_slanted =
        a->gap.point_count > 1 && pose[0].shape != PLANE && !is_along_axis(&pose[0], n) && !is_along_axis(&pose[1], n);
    slanted[boxes ? 0 : 1] += is_slanted ? 1 : 0;
    for (uint32_t m = 0; m < a->gap.point_count && boxes && a->gap.point_count > 1; m++) {
        by_witness += is_witness(a, m, 1e-12) ? 1 : 0;
    }
}

/* A pose in float, as which `pose` becomes that one. */
static carom_pose_f32 narrow(carom_pose_f64 *pose) {
    carom_pose_f32 narrow = {.shape = pose->shape};
    for (int d = 0; d < 4; d++) {
        narrow.turn[d] = (float)pose->turn[d];
        pose->turn[d] = (double)narrow.turn[d];
    }
    for (int d = 0; d < 3; d++) {
        narrow.at[d] = (float)pose->at[d];
        pose->at[d] = (double)narrow.at[d];
    }
    return narrow;
}

static void check_floats(carom_pose_f64 pose[2], double margin, double tolerance) {
    const carom_pose_f32 i = narrow(&pose[0]);
    const carom_pose_f32 k = narrow(&pose[1]);
    const carom_distance_config config = config_of(margin, tolerance);
    carom_gap_f32 gap;
    carom_manifold_f32 manifold;
    assert_int_equal(carom_distance_pair_f32(shared, &i, &k, &config, &gap, &manifold, NULL), CAROM_OK);
    answer a = {.gap = {.point_count = gap.point_count,
                        .distance = (double)gap.distance,
                        .lower = (double)gap.lower,
                        .upper = (double)gap.upper}};
    for (int d = 0; d < 3; d++) {
        a.gap.normal[d] = (double)gap.normal[d];
        a.gap.point_i[d] = (double)gap.point_i[d];
        a.gap.point_k[d] = (double)gap.point_k[d];
    }
    for (uint32_t n = 0; n < gap.point_count; n++) {
        for (int d = 0; d < 3; d++) {
            a.manifold.point[n][d] = (double)manifold.point[n][d];
        }
        a.manifold.gap[n] = (double)manifold.gap[n];
    }
    check_surfaces(pose, &a, 2e-6);
}

/* In every second case faces are nearly parallel, in every third there is a margin, in every fifth brackets are wide.
 */
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
    const double margin = number % 3 == 0 ? 0.3 * carom_random_u01(&random) : 0.0;
    const double tolerance = number % 5 == 0 ? 0.25 : 0.0;
    const answer a = ask_with(shared, &pose[0], &pose[1], margin, tolerance);
    count_kind(pose, &a);
    const bool touches = a.gap.state != CAROM_GAP_SEPARATED;
    note_check((a.gap.point_count >= 1 && a.gap.point_count <= 4) == touches, "%u points, state %d", a.gap.point_count,
               (int)a.gap.state);
    bool has_least = !touches;
    for (uint32_t n = 0; n < a.gap.point_count; n++) {
        has_least = has_least || fabs(a.manifold.gap[n] - a.gap.distance) < 1e-5;
        note_check(isfinite(a.manifold.gap[n]) && a.manifold.gap[n] >= a.gap.distance - 1e-5 &&
                       a.manifold.gap[n] <= fmax(fmax(a.gap.distance, 0.0) + 0.07, margin),
                   "point %u is %g apart", n, a.manifold.gap[n]);
    }
    note_check(has_least, "no point is as deep as the pair");
    check_surfaces(pose, &a, 1e-9);
    check_floats(pose, margin, tolerance);
}

static void random_pairs_have_manifolds(void **state) {
    (void)state;
    shared = make_shapes();
    note_each_case(CASES, check_pair);
    note_check(note_only_case() != UINT64_MAX || note_short() || (slanted[0] > 20 && slanted[1] > 20 && by_witness > 0),
               "%llu and %llu manifolds are slanted, %llu begin with witness points", (unsigned long long)slanted[0],
               (unsigned long long)slanted[1], (unsigned long long)by_witness);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(faces_apart_have_their_corners),
                                       cmocka_unit_test(children_have_manifolds),
                                       cmocka_unit_test(contacts_have_their_corners),
                                       cmocka_unit_test(octagons_have_four_points),
                                       cmocka_unit_test(edges_and_corners_have_one_point),
                                       cmocka_unit_test(flat_faces_bound_points),
                                       cmocka_unit_test(tilted_capsules_have_two_points),
                                       cmocka_unit_test(needles_have_one_point),
                                       cmocka_unit_test(parallel_sides_have_two_points),
                                       cmocka_unit_test(margins_keep_points),
                                       cmocka_unit_test(points_keep_their_order),
                                       cmocka_unit_test(random_pairs_have_manifolds),
                                       cmocka_unit_test(stacks_are_spanned)};
    note_start("test_manifold");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
