/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Distances that are known without a computer, from the tests of other libraries: every row of
 * tests/data/static_distance_cases.json, both operand orders, in the row's own pose and in random ones at random
 * scales, in both precisions. The expectation must lie in the bracket, and states, normals and points must be its own.
 *
 * A row's signed distance is `distance`, or minus `depth`. Its normal_1to2 points from a to b; the library's normal
 * points from k to i, so with a as i it is the opposite one. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "kernel/cli/cases_numbers.h"
#include "kernel/cli/cases_pair.h"
#include "kernel/cli/cases_read.h"
#include "kernel/scene/random.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

/* Random poses of each row, besides its own. */
enum { POSES = 20 };

/* How far rounding the inputs to the precision moves a shape, relative to all lengths and coordinates: some units in
 * the last place. */
static const double ROUNDING_F32 = 0x1p-20;
static const double ROUNDING_F64 = 0x1p-48;

/* How far a normal may be off in direction, and a point relative to all lengths: those of curved shapes are known to
 * the root of what the distance is. */
static const double LOOSE_F32 = 0x1p-9;
static const double LOOSE_F64 = 0x1p-18;

/* The greatest width of a bracket, relative to all lengths. (It may be wider than the tolerance asks where the distance
 * is many times the smaller shape: then `capped` says so.) */
static const double WIDE_F32 = 0x1p-18;
static const double WIDE_F64 = 0x1p-38;

/* Rows whose expectation is a convention of the library that they come from. */
static const struct {
    uint64_t id;
    double distance; /* NAN: the row's own holds */
    bool any_normal; /* more than one normal is right */
    bool any_state;  /* exact arithmetic says another thing than the row at its own pose */
} settled[] = {
    /* 3 * 1.1547005383792517^2 is greater than 4 by 1e-16: these spheres do not quite touch. */
    {20, NAN, false, true},
    /* Centres coincide: the row takes -x of the six normals that are right, +x or -x, +y or -y. */
    {356, NAN, true, false},
    {358, NAN, true, false},
    {360, NAN, true, false},
    /* Identical boxes: "distance 0" is what GJK alone says of shapes that overlap. The depth is 2. */
    {474, -2, true, false},
};

static carom_cases cases;

static int start(void **state) {
    (void)state;
    return carom_cases_read(CAROM_TEST_DATA "/static_distance_cases.json", true, false, &cases) == CAROM_EXIT_OK ? 0
                                                                                                                 : -1;
}

static int finish(void **state) {
    (void)state;
    carom_cases_release(&cases);
    return 0;
}

/* What a row expects. */
typedef struct expectation {
    bool has_distance;
    bool has_collide;
    bool has_normal;
    bool has_points[2];
    bool collide;
    bool any_state;
    double distance;
    double tolerance;
    double normal[3]; /* from a to b */
    double point[2][3];
} expectation;

static bool get_vector(const json_t *object, const char *name, double vector[3]) {
    const json_t *list = json_object_get(object, name);
    for (size_t d = 0; d < 3 && list != NULL; d++) {
        vector[d] = json_number_value(json_array_get(list, d));
    }
    return list != NULL;
}

static void settle(uint64_t id, expectation *e) {
    for (size_t n = 0; n < sizeof settled / sizeof *settled; n++) {
        if (settled[n].id == id) {
            e->distance = isnan(settled[n].distance) ? e->distance : settled[n].distance;
            e->has_normal = e->has_normal && !settled[n].any_normal;
            e->any_state = settled[n].any_state;
        }
    }
}

static expectation expected(uint64_t number) {
    const json_t *row = json_array_get(json_object_get(cases.file, "cases"), number);
    const json_t *object = json_object_get(row, "expect");
    const json_t *distance = json_object_get(object, "distance");
    const json_t *depth = json_object_get(object, "depth");
    expectation e = {.has_distance = distance != NULL || depth != NULL,
                     .has_collide = json_object_get(object, "collide") != NULL,
                     .collide = json_is_true(json_object_get(object, "collide")),
                     .tolerance = json_number_value(json_object_get(object, "tol"))};
    e.distance = distance != NULL ? json_number_value(distance) : -json_number_value(depth);
    e.has_normal = get_vector(object, "normal_1to2", e.normal);
    e.has_points[0] = get_vector(object, "p1", e.point[0]);
    e.has_points[1] = get_vector(object, "p2", e.point[1]);
    settle(cases.cases[number].number, &e);
    return e;
}

/* x -> scale (turn x + shift), and whether a is i. */
typedef struct placing {
    double scale;
    double turn[4];
    double shift[3];
    bool swapped;
    bool f64;
} placing;

static double reach_of(const carom_shape *shape) {
    double reach = shape->radius + shape->extent[0] + shape->extent[1] + shape->extent[2];
    for (uint64_t n = 0; n < shape->point_count; n++) {
        reach = fmax(reach, fabs(shape->point[n][0]) + fabs(shape->point[n][1]) + fabs(shape->point[n][2]));
    }
    return reach;
}

static double sides(const double v[3]) {
    return fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
}

/* All lengths of a row together, at scale 1 in its own pose. */
static double extent_of(const carom_case *c) {
    return reach_of(&cases.shape[c->a.shape]) + reach_of(&cases.shape[c->b.shape]) + sides(c->a.at) + sides(c->b.at);
}

static placing own_placing(void) {
    return (placing){.scale = 1, .turn = {0, 0, 0, 1}};
}

static double between(carom_random *random, double least, double most) {
    return least + (most - least) * carom_random_u01(random);
}

static placing random_placing(const carom_case *c, carom_random *random) {
    placing p = {.scale = pow(10, between(random, -6, 6))};
    double square = 0;
    while (!(square > 0.1 && square < 1)) {
        square = 0;
        for (int d = 0; d < 4; d++) {
            p.turn[d] = between(random, -1, 1);
            square += p.turn[d] * p.turn[d];
        }
    }
    for (int d = 0; d < 4; d++) {
        p.turn[d] /= sqrt(square);
    }
    for (int d = 0; d < 3; d++) {
        p.shift[d] = extent_of(c) * between(random, -4, 4);
    }
    return p;
}

static void place(const placing *p, const double from[3], double to[3]) {
    double turned[3];
    carom_cases_rotate(p->turn, from, turned);
    for (int d = 0; d < 3; d++) {
        to[d] = p->scale * (turned[d] + p->shift[d]);
    }
}

/* A scaled shape, its points in `points`. */
static carom_shape scaled(const carom_shape *shape, double scale, double (*points)[3]) {
    carom_shape s = *shape;
    s.radius *= scale;
    for (int d = 0; d < 3; d++) {
        s.extent[d] *= scale;
    }
    for (uint64_t n = 0; n < shape->point_count; n++) {
        for (int d = 0; d < 3; d++) {
            points[n][d] = scale * shape->point[n][d];
        }
    }
    s.point = (const double(*)[3])points;
    return s;
}

static carom_case_body placed(const placing *p, const carom_case_body *body, uint32_t shape) {
    carom_case_body made = *body;
    made.shape = shape;
    place(p, body->at, made.at);
    carom_cases_multiply(p->turn, body->turn, made.turn);
    return made;
}

/* The library's answer, with the points and the normal as if a were i. */
static carom_gap_f64 answer(const carom_case *c, const placing *p) {
    static double points[2][CAROM_HULL_POINTS_MAX][3];
    carom_shape shapes[2] = {scaled(&cases.shape[c->a.shape], p->scale, points[0]),
                             scaled(&cases.shape[c->b.shape], p->scale, points[1])};
    carom_cases one = {.count = 1};
    carom_error error = {.message = ""};
    carom_gap_f64 gap = {0};
    const carom_case_body a = placed(p, &c->a, 0);
    const carom_case_body b = placed(p, &c->b, 1);
    const carom_case pair = {.a = p->swapped ? b : a, .b = p->swapped ? a : b};
    carom_status status = carom_shapes_create(shapes, 2, NULL, &one.table, &error);
    note_check(status == CAROM_OK, "%s", error.message);
    status = carom_cases_pair_gap(&one, &pair, &(carom_cases_asked){.f64 = p->f64}, &gap, &error);
    note_check(status == CAROM_OK, "%s", error.message);
    carom_shapes_destroy(one.table);
    for (int d = 0; d < 3 && p->swapped; d++) {
        const double point = gap.point_i[d];
        gap.point_i[d] = gap.point_k[d];
        gap.point_k[d] = point;
        gap.normal[d] = -gap.normal[d];
    }
    return gap;
}

static void check_state(const expectation *e, const carom_gap_f64 *gap, double distance, double slack, bool own) {
    const carom_gap_state meant = gap->lower > 0    ? CAROM_GAP_SEPARATED
                                  : gap->upper <= 0 ? CAROM_GAP_TOUCHING
                                                    : CAROM_GAP_CLOSE;
    note_check(gap->state == meant, "state %d, but the bracket is %.17g to %.17g", gap->state, gap->lower, gap->upper);
    if (e->any_state || !e->has_collide) {
        return;
    }
    if (own) {
        note_check(!e->collide || gap->state != CAROM_GAP_SEPARATED, "a touch is missed");
    } else if (e->has_distance && fabs(distance) <= slack) {
        return;
    }
    if (e->has_distance || fabs(gap->distance) > slack) {
        note_check(e->collide ? gap->state != CAROM_GAP_SEPARATED : gap->state == CAROM_GAP_SEPARATED,
                   "state %d, distance %.17g", gap->state, gap->distance);
    }
}

static void check_normal(const expectation *e, const placing *p, const carom_gap_f64 *gap, double loose) {
    double turned[3];
    double dot = 0;
    double square = 0;
    double length = 0;
    carom_cases_rotate(p->turn, e->normal, turned);
    for (int d = 0; d < 3; d++) {
        dot -= turned[d] * gap->normal[d];
        square += gap->normal[d] * gap->normal[d];
        length += turned[d] * turned[d];
    }
    note_check(fabs(square - 1) < loose, "the normal's length is %.9g", sqrt(square));
    note_check(!e->has_normal || dot > (1 - loose) * sqrt(length), "normal (%.9g %.9g %.9g)", gap->normal[0],
               gap->normal[1], gap->normal[2]);
}

static void check_points(const expectation *e, const placing *p, const carom_gap_f64 *gap, double tolerance) {
    const double *found[] = {gap->point_i, gap->point_k};
    double along = 0;
    for (int d = 0; d < 3; d++) {
        along += (gap->point_i[d] - gap->point_k[d]) * gap->normal[d];
    }
    note_check(fabs(along - gap->distance) <= tolerance, "the points are %.17g apart along the normal, not %.17g",
               along, gap->distance);
    for (int n = 0; n < 2; n++) {
        double wanted[3];
        place(p, e->point[n], wanted);
        for (int d = 0; d < 3 && e->has_points[n]; d++) {
            note_check(fabs(found[n][d] - wanted[d]) <= tolerance, "point %d: %.17g, not %.17g", n, found[n][d],
                       wanted[d]);
        }
    }
}

static void check_one(uint64_t number, const placing *p, bool own) {
    const carom_case *c = &cases.cases[number];
    const expectation e = expected(number);
    const double extent = p->scale * (extent_of(c) + sides(p->shift));
    const double slack = p->scale * e.tolerance + (p->f64 ? ROUNDING_F64 : ROUNDING_F32) * extent;
    const double loose = p->f64 ? LOOSE_F64 : LOOSE_F32;
    const double distance = p->scale * e.distance;
    const carom_gap_f64 gap = answer(c, p);
    note_check(gap.lower <= gap.distance && gap.distance <= gap.upper, "%.17g is not in %.17g to %.17g", gap.distance,
               gap.lower, gap.upper);
    note_check(gap.upper - gap.lower <= (p->f64 ? WIDE_F64 : WIDE_F32) * extent, "%.17g to %.17g is wide", gap.lower,
               gap.upper);
    note_check(!e.has_distance || (gap.lower - slack <= distance && distance <= gap.upper + slack),
               "%.17g is not in %.17g to %.17g", distance, gap.lower, gap.upper);
    check_state(&e, &gap, distance, slack, own);
    check_normal(&e, p, &gap, loose);
    check_points(&e, p, &gap, p->scale * e.tolerance + loose * extent);
}

/* Both orders and both precisions. */
static void check_placing(uint64_t number, placing p, bool own) {
    for (int way = 0; way < 4; way++) {
        p.swapped = (way & 1) != 0;
        p.f64 = (way & 2) != 0;
        note_case(number, "id %" PRIu64 ", %s, %s, scale %.9g", cases.cases[number].number,
                  p.swapped ? "swapped" : "in order", p.f64 ? "f64" : "f32", p.scale);
        check_one(number, &p, own);
    }
}

static void check_row(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    check_placing(number, own_placing(), true);
    for (int n = 0; n < POSES; n++) {
        check_placing(number, random_placing(&cases.cases[number], &random), false);
    }
}

static void rows_hold_in_all_poses_scales_and_orders(void **state) {
    (void)state;
    note_check(cases.count == 241, "%" PRIu64 " rows", cases.count);
    for (uint64_t number = 0; number < cases.count; number++) {
        if (note_only_case() == UINT64_MAX || note_only_case() == number) {
            check_row(number);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_hold_in_all_poses_scales_and_orders)};
    note_start("test_distance_cases");
    return cmocka_run_group_tests_name("distance-cases", tests, start, finish);
}
