/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Closed forms of signed distances, against the definition: s is the greatest height of i over k along any direction.
 * Heights are computed in long double from the exact pose. The normal must prove the lower bound, and no direction that
 * a random ascent finds may be above the upper one. Witness points must lie in the shapes and be s apart, and i moved
 * by -s must touch k. Half the input is on a lattice: touching, coincident, parallel, flat and without size. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "kernel/narrow/closed.h"
#include "tests/support/check.h"
#include "tests/support/moving_shapes.h"
#include "tests/support/note.h"

enum { CASES = 1500, BRUSHES = 6000, ASCENTS = 3, STEPS = 60 };

/* Rounding of the heights here, relative to the sizes. */
static const long double HEIGHT_ERROR = 0x1p-58L;

/* The widest bracket and the farthest point, relative to the sizes. */
static const double WIDE = 0x1p-41;

typedef struct closed_case {
    moving_shape shape[2];
    carom_posed posed[2];
    long double turn[2][3][3];
    double size; /* of all lengths together */
} closed_case;

static long double dot(const long double a[3], const long double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static bool make_unit(long double v[3]) {
    const long double length = sqrtl(dot(v, v));
    for (int d = 0; d < 3; d++) {
        v[d] = length > 0.0L ? v[d] / length : 0.0L;
    }
    return length > 0.0L;
}

static void to_local(const long double turn[3][3], const long double v[3], long double local[3]) {
    for (int d = 0; d < 3; d++) {
        local[d] = turn[0][d] * v[0] + turn[1][d] * v[1] + turn[2][d] * v[2];
    }
}

/* The greatest d.s over the points s of a shape about its own origin. */
static long double support(const carom_shape_entry *shape, const long double d[3]) {
    const double *h = shape->extent;
    const long double flat = sqrtl(d[0] * d[0] + d[1] * d[1]);
    const long double e[3] = {h[0] * d[0], h[1] * d[1], h[2] * d[2]};
    long double most = -HUGE_VALL;
    switch (shape->kind) {
    case CAROM_SHAPE_CYLINDER:
        return h[0] * flat + h[2] * fabsl(d[2]);
    case CAROM_SHAPE_CONE:
        return fmaxl(h[2] * d[2], h[0] * flat - h[2] * d[2]);
    case CAROM_SHAPE_ELLIPSOID:
        return sqrtl(dot(e, e));
    case CAROM_SHAPE_HULL:
        for (uint32_t n = 0; n < shape->hull->vertex_count; n++) {
            most = fmaxl(most, d[0] * shape->hull->vertex[0][n] + d[1] * shape->hull->vertex[1][n] +
                                   d[2] * shape->hull->vertex[2][n]);
        }
        return most;
    case CAROM_SHAPE_HALF_SPACE: /* only its normal is asked for */
    case CAROM_SHAPE_LINE:       /* only directions at right angles to it */
        return 0.0L;
    default:
        return fabsl(e[0]) + fabsl(e[1]) + fabsl(e[2]) + shape->radius * sqrtl(dot(d, d));
    }
}

/* Endless shapes leave few directions. False if what they leave is little but rounding. */
static bool keep_allowed(const closed_case *test, long double n[3]) {
    for (int b = 0; b < 2; b++) {
        const long double axis[3] = {test->turn[b][0][2], test->turn[b][1][2], test->turn[b][2][2]};
        const long double along = dot(n, axis);
        for (int d = 0; d < 3; d++) {
            n[d] = test->posed[b].shape->kind == CAROM_SHAPE_HALF_SPACE ? (b == 0 ? -1.0L : 1.0L) * axis[d]
                   : test->posed[b].shape->kind == CAROM_SHAPE_LINE     ? n[d] - along * axis[d]
                                                                        : n[d];
        }
        if (test->posed[b].shape->kind == CAROM_SHAPE_LINE && 1.0L - along * along < 1e-10L && fabsl(along) > 0.5L) {
            return false;
        }
    }
    return true;
}

static bool make_allowed(const closed_case *test, long double n[3]) {
    return keep_allowed(test, n) && make_unit(n) && keep_allowed(test, n) && make_unit(n);
}

/* The height of i over k along n. */
static long double height(const closed_case *test, const long double n[3]) {
    const long double back[3] = {-n[0], -n[1], -n[2]};
    long double local[2][3];
    long double between[3];
    for (int d = 0; d < 3; d++) {
        between[d] = (long double)test->posed[0].at[d] - test->posed[1].at[d];
    }
    to_local(test->turn[0], back, local[0]);
    to_local(test->turn[1], n, local[1]);
    return dot(n, between) - support(test->posed[0].shape, local[0]) - support(test->posed[1].shape, local[1]);
}

/* Climbs from n by random steps that shrink; returns the greatest height. */
static long double ascend(const closed_case *test, carom_random *random, long double n[3]) {
    long double best = height(test, n);
    long double step = 0.5L;
    for (int round = 0; round < STEPS; round++) {
        double way[3];
        long double next[3];
        moving_shapes_direction(random, way);
        for (int d = 0; d < 3; d++) {
            next[d] = n[d] + step * way[d];
        }
        if (make_allowed(test, next) && height(test, next) > best) {
            best = height(test, next);
            memcpy(n, next, sizeof next);
        } else {
            step *= 0.7L;
        }
    }
    return best;
}

/* The greatest height that is found from the answer's normal, the shapes' axes, and at random. */
static long double greatest_height(const closed_case *test, const carom_gap *gap, carom_random *random) {
    long double most = -HUGE_VALL;
    for (int start = 0; start < 13 + ASCENTS; start++) {
        double drawn[3];
        long double n[3];
        moving_shapes_direction(random, drawn);
        for (int d = 0; d < 3; d++) {
            const long double axis = (start % 2 == 0 ? 1.0L : -1.0L) * test->turn[start % 12 / 6][d][start % 6 / 2];
            n[d] = start < 12 ? axis : start == 12 ? gap->normal[d] : drawn[d];
        }
        if (make_allowed(test, n)) {
            most = fmaxl(most, start < 12 ? height(test, n) : ascend(test, random, n));
        }
    }
    return most;
}

/* How far a point is out of a shape: the greatest height over it along any of the directions that can tell. */
static long double outside(const closed_case *test, int b, const double point[3], carom_random *random) {
    closed_case alone = *test;
    static const carom_shape_entry dot_entry = {.kind = CAROM_SHAPE_SPHERE};
    alone.posed[0].shape = &dot_entry;
    memcpy(alone.posed[0].at, point, sizeof alone.posed[0].at);
    alone.posed[1] = test->posed[b];
    memcpy(alone.turn[1], test->turn[b], sizeof alone.turn[1]);
    const carom_gap none = {.normal = {1.0, 0.0, 0.0}};
    return greatest_height(&alone, &none, random);
}

static void check_points(const closed_case *test, const carom_gap *gap, carom_random *random) {
    double along = 0.0;
    double length = 0.0;
    for (int d = 0; d < 3; d++) {
        along += (gap->point_i[d] - gap->point_k[d]) * gap->normal[d];
        length += gap->normal[d] * gap->normal[d];
    }
    const double slack = WIDE * test->size;
    note_check(fabs(length - 1.0) <= 0x1p-48, "|n|^2 = %.17g", length);
    note_check(along >= gap->lower - slack && along <= gap->upper + slack, "points %.17g apart, s in [%.17g, %.17g]",
               along, gap->lower, gap->upper);
    note_check(outside(test, 0, gap->point_i, random) <= slack, "point i is %Lg outside",
               outside(test, 0, gap->point_i, random));
    note_check(outside(test, 1, gap->point_k, random) <= slack, "point k is %Lg outside",
               outside(test, 1, gap->point_k, random));
}

static bool is_thin(const carom_shape_entry *shape) {
    return shape->kind == CAROM_SHAPE_SPHERE || shape->kind == CAROM_SHAPE_CAPSULE || shape->kind == CAROM_SHAPE_LINE;
}

/* A lower bound of s: what n proves, and for thin cores that they have no depth. */
static long double proved(const closed_case *test, const long double n[3]) {
    const carom_shape_entry *i = test->posed[0].shape;
    const carom_shape_entry *k = test->posed[1].shape;
    const long double thin = is_thin(i) && is_thin(k) ? -((long double)i->radius + k->radius) : -HUGE_VALL;
    return fmaxl(height(test, n), thin);
}

/* Bracket, normal and points of one answer. */
static void check_gap(const closed_case *test, const carom_gap *gap, carom_random *random) {
    long double n[3] = {gap->normal[0], gap->normal[1], gap->normal[2]};
    const long double slack = HEIGHT_ERROR * test->size;
    const bool straight = make_allowed(test, n);
    note_check(straight && gap->iterations == 0, "no normal");
    note_check(gap->lower <= gap->upper, "bracket [%.17g, %.17g]", gap->lower, gap->upper);
    note_check(gap->upper - gap->lower <= WIDE * test->size, "bracket [%.17g, %.17g] of %g is wide", gap->lower,
               gap->upper, test->size);
    note_check(gap->lower <= proved(test, n) + slack, "lower %.17g, but the normal proves %.17Lg", gap->lower,
               height(test, n));
    note_check(gap->lower <= height(test, n) + WIDE * test->size, "the normal proves %.17Lg", height(test, n));
    const long double most = greatest_height(test, gap, random);
    note_check(most <= gap->upper + slack, "upper %.17g, but there is %.17Lg", gap->upper, most);
    check_points(test, gap, random);
}

/* Moved along the normal by -s, i no longer overlaps k; and if it did, it still touches. */
static void check_moved(const closed_case *test, carom_closed_test *find, const carom_gap *gap) {
    carom_gap touch;
    carom_posed moved = test->posed[0];
    for (int d = 0; d < 3; d++) {
        moved.at[d] -= 0.5 * (gap->lower + gap->upper) * gap->normal[d];
    }
    find(&moved, &test->posed[1], &touch);
    const double slack = WIDE * test->size;
    note_check(touch.upper >= -slack && (gap->upper > 0.0 || touch.lower <= slack),
               "moved by s in [%.17g, %.17g] it is in [%.17g, %.17g]", gap->lower, gap->upper, touch.lower,
               touch.upper);
}

/* Random input: sizes and places from a lattice, in half the cases. */
static double draw_length(carom_random *random, bool lattice) {
    static const double lengths[] = {0.0, 0.25, 0.5, 0.5, 1.0, 1.0, 2.0, 1e-6};
    return lattice ? lengths[carom_random_next(random) % 8] : 0.1 + carom_random_u01(random);
}

static void draw_turn(carom_random *random, bool lattice, double q[4]) {
    static const double turns[][4] = {{0, 0, 0, 1},     {0, 0, 0, 1},      {1, 0, 0, 0}, {0, 1, 0, 0},
                                      {1, 0, 0, 1},     {0, 1, 0, 1},      {0, 0, 1, 1}, {1e-9, 0, 0, 1},
                                      {0, 1e-16, 0, 1}, {1e-5, 1e-8, 0, 1}};
    moving_shapes_turn(random, q);
    if (lattice && carom_random_next(random) % 5 > 0) {
        memcpy(q, turns[carom_random_next(random) % 10], 4 * sizeof q[0]);
    }
}

static void set_exact_turn(const double q[4], long double turn[3][3]) {
    const long double square =
        (long double)q[0] * q[0] + (long double)q[1] * q[1] + (long double)q[2] * q[2] + (long double)q[3] * q[3];
    for (int r = 0; r < 3; r++) {
        const int next = (r + 1) % 3;
        const int last = (r + 2) % 3;
        turn[r][r] = 1.0L - 2.0L * ((long double)q[next] * q[next] + (long double)q[last] * q[last]) / square;
        turn[r][next] = 2.0L * ((long double)q[r] * q[next] - (long double)q[last] * q[3]) / square;
        turn[r][last] = 2.0L * ((long double)q[r] * q[last] + (long double)q[next] * q[3]) / square;
    }
}

static void draw_shape(carom_random *random, carom_shape_kind kind, double scale, bool lattice, moving_shape *shape) {
    const bool endless = kind == CAROM_SHAPE_HALF_SPACE || kind == CAROM_SHAPE_LINE;
    double extent[3];
    for (int d = 0; d < 3; d++) {
        extent[d] = endless ? 0.0 : scale * draw_length(random, lattice);
        extent[d] = kind == CAROM_SHAPE_ELLIPSOID && !(extent[d] > 0.0) ? scale : extent[d];
    }
    if (kind == CAROM_SHAPE_HULL) {
        moving_shapes_draw(random, kind, scale, shape);
    } else {
        moving_shapes_set(&shape->entry[0], kind, scale * draw_length(random, lattice), extent);
        shape->entry[0].kind = kind;
    }
}

/* Centres apart along axes by sums of sizes, so that many shapes touch; else by a random vector. */
static void draw_place(carom_random *random, double scale, bool lattice, closed_case *test) {
    static const double steps[] = {0.0, 0.0,  0.0, 0.5,  -0.5,   1.0,    -1.0, 1.5,
                                   2.0, -2.0, 3.0, 1e-9, -1e-14, 1e-300, 0.75};
    const double spread = 0.5 + 2.5 * carom_random_u01(random);
    for (int d = 0; d < 3; d++) {
        const double place = 0.5 * (double)(carom_random_next(random) % 5);
        const double way =
            lattice ? steps[carom_random_next(random) % 15] : spread * (2.0 * carom_random_u01(random) - 1.0);
        test->posed[1].at[d] = carom_random_next(random) % 2 == 0 ? 0.0 : scale * place;
        test->posed[0].at[d] = test->posed[1].at[d] + scale * way;
    }
}

static void draw_case(carom_random *random, const carom_shape_kind kind[2], closed_case *test) {
    static const double scales[] = {1.0, 1.0, 1.0, 1e-6, 1e6, 0x1p-165, 0x1p165};
    const double scale = scales[carom_random_next(random) % 7];
    const bool lattice = carom_random_next(random) % 2 == 0;
    draw_place(random, scale, lattice, test);
    test->size = 0.0;
    for (int b = 0; b < 2; b++) {
        double q[4];
        draw_shape(random, kind[b], scale, lattice, &test->shape[b]);
        draw_turn(random, lattice, q);
        test->posed[b].shape = &test->shape[b].entry[0];
        carom_pose_turn(q, test->posed[b].turn);
        set_exact_turn(q, test->turn[b]);
        test->size += test->posed[b].shape->reach;
        for (int d = 0; d < 3; d++) {
            test->size += fabs(test->posed[b].at[d]);
        }
    }
}

static carom_shape_kind kinds[2];

static void run_case(uint64_t number) {
    static closed_case test;
    carom_random random = carom_random_seeded(note_case_seed(number));
    carom_closed_test *find = carom_closed_find(kinds[0], kinds[1]);
    carom_gap gap;
    draw_case(&random, kinds, &test);
    note_case(number, "kinds %d and %d", (int)kinds[0], (int)kinds[1]);
    find(&test.posed[0], &test.posed[1], &gap);
    check_gap(&test, &gap, &random);
    check_moved(&test, find, &gap);
}

/* Every pair of kinds that has a test, but for two endless ones. */
static void test_pairs(void **state) {
    (void)state;
    int count = 0;
    for (kinds[0] = 0; kinds[0] < CAROM_SHAPE_HALF_SPACE; kinds[0]++) {
        for (kinds[1] = kinds[0]; kinds[1] <= CAROM_SHAPE_COMPOUND; kinds[1]++) {
            if (carom_closed_find(kinds[0], kinds[1]) != NULL) {
                note_each_case(note_long() ? 100 * CASES : CASES, run_case);
                count++;
            }
        }
    }
    assert_int_equal(count, 16);
}

/* The same shapes in the other order have the same bracket, but for rounding, and the opposite normal where there is
 * one best. */
static void swap_case(uint64_t number) {
    static closed_case test;
    carom_random random = carom_random_seeded(note_case_seed(number));
    carom_closed_test *find = carom_closed_find(kinds[0], kinds[0]);
    carom_gap gap[2];
    draw_case(&random, kinds, &test);
    note_case(number, "two of kind %d", (int)kinds[0]);
    find(&test.posed[0], &test.posed[1], &gap[0]);
    find(&test.posed[1], &test.posed[0], &gap[1]);
    note_check(gap[0].lower <= gap[1].upper && gap[1].lower <= gap[0].upper, "[%.17g, %.17g] and [%.17g, %.17g]",
               gap[0].lower, gap[0].upper, gap[1].lower, gap[1].upper);
}

static void test_swapped(void **state) {
    (void)state;
    for (kinds[0] = CAROM_SHAPE_SPHERE; kinds[0] <= CAROM_SHAPE_CAPSULE; kinds[0]++) {
        kinds[1] = kinds[0];
        note_each_case(CASES, swap_case);
    }
}

/* 0, or little to nothing. */
static double draw_sliver(carom_random *random) {
    const double size = ldexp(carom_random_u01(random) - 0.5, -(int)(carom_random_next(random) % 60));
    return carom_random_next(random) % 4 == 0 ? size : 0.0;
}

/* Along an edge of the box, a diagonal of a face or of the box, but for slivers; in half the cases almost along an
 * edge. */
static void draw_direction(carom_random *random, double q[4]) {
    static const double turns[][4] = {{0, 0, 0, 1},   {1, 0, 0, 1},   {0, 1, 0, 1},
                                      {0.5, 0, 0, 1}, {0, 0.4, 0, 1}, {1, 1, 1, 1}};
    const bool almost = carom_random_next(random) % 2 == 0;
    const uint64_t choice = carom_random_next(random) % (almost ? 3 : 6);
    for (int a = 0; a < 4; a++) {
        const double little = ldexp(carom_random_u01(random) - 0.5, -20 - (int)(carom_random_next(random) % 20));
        q[a] = turns[choice][a] + (almost ? little : draw_sliver(random));
    }
}

/* A place on, under or beside each pair of the box's faces. */
static void draw_point(carom_random *random, const double h[3], double point[3]) {
    for (int d = 0; d < 3; d++) {
        const double side = carom_random_next(random) % 2 == 0 ? h[d] : -h[d];
        const double within = h[d] * (2.0 * carom_random_u01(random) - 1.0);
        point[d] = carom_random_next(random) % 3 > 0 ? side + draw_sliver(random) : within;
    }
}

static void set_capsule(carom_random *random, const double q[4], const double point[3], closed_case *test) {
    const double half = test->shape[0].entry[0].extent[2];
    const double within = half * (2.0 * carom_random_u01(random) - 1.0);
    const double end = carom_random_next(random) % 2 == 0 ? half : -half;
    const double t = carom_random_next(random) % 3 > 0 ? end : within;
    carom_pose_turn(q, test->posed[0].turn);
    set_exact_turn(q, test->turn[0]);
    for (int d = 0; d < 3; d++) {
        test->posed[0].at[d] = point[d] - t * test->posed[0].turn[d][2];
    }
}

/* A capsule at a corner, an edge or a face of a box, which may be flat; and nearly parallel to some of them. There
 * rounding decides which is nearest, and neither bracket nor points may suffer from it. */
static void brush_case(uint64_t number) {
    static const carom_shape_kind brushing[2] = {CAROM_SHAPE_CAPSULE, CAROM_SHAPE_BOX};
    static const double still[4] = {0.0, 0.0, 0.0, 1.0};
    static closed_case test;
    carom_random random = carom_random_seeded(note_case_seed(number));
    double q[4];
    double point[3];
    carom_gap gap;
    note_case(number, "a capsule and a box");
    test.size = 0.0;
    for (int b = 0; b < 2; b++) {
        draw_shape(&random, brushing[b], 1.0, carom_random_next(&random) % 2 == 0, &test.shape[b]);
        test.posed[b] = (carom_posed){.shape = &test.shape[b].entry[0]};
        test.size += test.posed[b].shape->reach;
    }
    carom_pose_turn(still, test.posed[1].turn);
    set_exact_turn(still, test.turn[1]);
    draw_direction(&random, q);
    draw_point(&random, test.shape[1].entry[0].extent, point);
    set_capsule(&random, q, point, &test);
    test.size += fabs(test.posed[0].at[0]) + fabs(test.posed[0].at[1]) + fabs(test.posed[0].at[2]);
    carom_closed_find(brushing[0], brushing[1])(&test.posed[0], &test.posed[1], &gap);
    check_gap(&test, &gap, &random);
    check_moved(&test, carom_closed_find(brushing[0], brushing[1]), &gap);
}

static void test_brushing(void **state) {
    (void)state;
    note_each_case(note_long() ? 100 * BRUSHES : BRUSHES, brush_case);
}

static carom_posed endless_at(carom_shape_entry *entry, carom_shape_kind kind, const double at[3], const double q[4]) {
    carom_posed posed = {.shape = entry};
    memset(entry, 0, sizeof *entry);
    entry->kind = kind;
    memcpy(posed.at, at, sizeof posed.at);
    carom_pose_turn(q, posed.turn);
    return posed;
}

/* s of two endless shapes, or the reason why it is infinite. */
static void check_endless(carom_shape_kind i, carom_shape_kind k, const double q[4], const double at[3], double s) {
    carom_shape_entry entry[2];
    const double origin[3] = {0.0, 0.0, 0.0};
    const double still[4] = {0.0, 0.0, 0.0, 1.0};
    const carom_posed first = endless_at(&entry[0], i, at, q);
    const carom_posed second = endless_at(&entry[1], k, origin, still);
    carom_gap gap;
    carom_closed_find(i, k)(&first, &second, &gap);
    if (isinf(s)) {
        assert_true(gap.lower < -DBL_MAX && gap.upper <= -DBL_MAX && !isnan(gap.upper - gap.lower));
    } else {
        assert_true(gap.lower <= s && s <= gap.upper && gap.upper - gap.lower <= 0x1p-40);
        assert_true(fabs((gap.point_i[0] - gap.point_k[0]) * gap.normal[0] +
                         (gap.point_i[1] - gap.point_k[1]) * gap.normal[1] +
                         (gap.point_i[2] - gap.point_k[2]) * gap.normal[2] - s) <= 0x1p-40);
    }
    for (int d = 0; d < 3; d++) {
        assert_true(isfinite(gap.point_i[d]) && isfinite(gap.point_k[d]) && isfinite(gap.normal[d]));
    }
}

static void test_endless(void **state) {
    (void)state;
    const carom_shape_kind plane = CAROM_SHAPE_HALF_SPACE;
    const carom_shape_kind line = CAROM_SHAPE_LINE;
    const double over[4] = {1.0, 0.0, 0.0, 0.0};
    const double nearly_over[4] = {1.0, 0.0, 0.0, 1e-10};
    const double same[4] = {0.0, 0.0, 0.0, 1.0};
    const double beside[4] = {1.0, 0.0, 0.0, 1.0};
    const double tilted[4] = {0.0, 1e-9, 0.0, 1.0};
    const double at[3] = {3.0, 4.0, 5.0};
    const double zero[3] = {0.0, 0.0, 0.0};
    check_endless(plane, plane, over, at, 5.0);
    check_endless(plane, plane, over, zero, 0.0);
    check_endless(plane, plane, nearly_over, at, -HUGE_VAL);
    check_endless(plane, plane, same, at, -HUGE_VAL);
    check_endless(plane, plane, beside, at, -HUGE_VAL);
    check_endless(plane, line, beside, at, 4.0);
    check_endless(plane, line, over, at, -HUGE_VAL);
    check_endless(plane, line, tilted, zero, -HUGE_VAL);
    check_endless(line, line, same, at, 5.0);
    check_endless(line, line, over, at, 5.0);
    check_endless(line, line, beside, at, 3.0);
    check_endless(line, line, beside, zero, 0.0);
    check_endless(line, line, same, zero, 0.0);
    check_endless(line, line, tilted, zero, 0.0);
}

static carom_gap gap_of(carom_shape_kind kind, double radius, const double extent[3], const double at[3]) {
    static carom_shape_entry entry[2];
    const double none[3] = {0.0, 0.0, 0.0};
    const double still[4] = {0.0, 0.0, 0.0, 1.0};
    carom_posed i = endless_at(&entry[0], CAROM_SHAPE_SPHERE, at, still);
    const carom_posed k = endless_at(&entry[1], kind, none, still);
    carom_gap gap;
    moving_shapes_set(&entry[0], CAROM_SHAPE_SPHERE, 1.0, none);
    moving_shapes_set(&entry[1], kind, radius, extent);
    i.shape = &entry[0];
    carom_closed_find(CAROM_SHAPE_SPHERE, kind)(&i, &k, &gap);
    return gap;
}

static void check_normal(carom_gap gap, double x, double y, double z) {
    assert_true(fabs(gap.normal[0] - x) + fabs(gap.normal[1] - y) + fabs(gap.normal[2] - z) <= 0.0);
}

/* Where several normals would do, the choice is the documented one. */
static void test_ties(void **state) {
    (void)state;
    const double cube[3] = {1.0, 1.0, 1.0};
    const double centre[3] = {0.0, 0.0, 0.0};
    const double low[3] = {-0.5, 0.5, -0.5};
    check_normal(gap_of(CAROM_SHAPE_SPHERE, 1.0, cube, centre), 1.0, 0.0, 0.0);
    check_normal(gap_of(CAROM_SHAPE_BOX, 0.0, cube, centre), 1.0, 0.0, 0.0);
    check_normal(gap_of(CAROM_SHAPE_BOX, 0.0, cube, low), -1.0, 0.0, 0.0);
    check_normal(gap_of(CAROM_SHAPE_CYLINDER, 1.0, cube, centre), 0.0, 0.0, 1.0);
    check_normal(gap_of(CAROM_SHAPE_CAPSULE, 1.0, cube, centre), 1.0, 0.0, 0.0);
}

int main(void) {
    note_start("tests/unit/test_closed");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs), cmocka_unit_test(test_swapped),
                                       cmocka_unit_test(test_brushing), cmocka_unit_test(test_endless),
                                       cmocka_unit_test(test_ties)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
