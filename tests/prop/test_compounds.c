/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Random compounds of 1 to 300 children, near, far, nested, touching and with many equal distances: their distances and
 * times of impact have the bits of loops over all pairs of children, which stand here. Guards what rules pairs out: the
 * balls around groups of children and their rounding. And calls that look at two large compounds are told so, and end,
 * within that pair. */
#include <math.h>
#include <string.h>

#include "carom/distance.h"
#include "carom/toi.h"
#include "kernel/narrow/begin.h"
#include "kernel/narrow/compound.h"
#include "kernel/narrow/toi.h"
#include "kernel/shape/table.h"
#include "kernel/sys/control.h"
#include "tests/support/check.h"
#include "tests/support/moving_shapes.h"
#include "tests/support/note.h"

enum { CHILDREN_MOST = 300, CONVEX = 8, COMPOUND_I = CONVEX, COMPOUND_K, HALF_SPACE, SHAPES };

typedef struct compounds {
    carom_shapes *shapes;
    double size; /* the unit of lengths */
    double side; /* of the boxes in which children are */
} compounds;

/* ---- Loops over all pairs ---- */

static uint32_t count_parts(const carom_shape_entry *shape) {
    return shape->kind == CAROM_SHAPE_COMPOUND ? shape->child_count : 1;
}

static double sum_of_sides(const double v[3]) {
    return fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
}

static double plain_part(const carom_posed *whole, uint32_t n, carom_posed *part) {
    *part = *whole;
    if (whole->shape->kind != CAROM_SHAPE_COMPOUND) {
        return 0.0;
    }
    const carom_shape_child *child = &whole->shape->child[n];
    double turn[3][3];
    double from[3];
    carom_pose_turn(child->turn, turn);
    carom_pose_from_local((const double(*)[3])whole->turn, child->at, from);
    part->shape = &whole->shape->table[child->shape];
    for (int r = 0; r < 3; r++) {
        part->at[r] = whole->at[r] + from[r];
        for (int c = 0; c < 3; c++) {
            part->turn[r][c] =
                whole->turn[r][0] * turn[0][c] + whole->turn[r][1] * turn[1][c] + whole->turn[r][2] * turn[2][c];
        }
    }
    return 0x1p-46 * (part->shape->reach + sum_of_sides(child->at)) + 0x1p-52 * sum_of_sides(whole->at);
}

static void plain_pair(const carom_posed *i, double rounding, const carom_posed *k, const uint32_t child[2],
                       const carom_gap_task *task, carom_nearest *nearest) {
    const double between[3] = {i->at[0] - k->at[0], i->at[1] - k->at[1], i->at[2] - k->at[2]};
    const double length =
        sqrt(between[0] * between[0] + between[1] * between[1] + between[2] * between[2]) * (1.0 - 0x1p-50);
    const double least = length - (i->shape->reach + k->shape->reach) * (1.0 + 0x1p-50) - rounding;
    carom_gap *whole = &nearest->gap;
    if (least > whole->upper) {
        return;
    }
    if (!carom_gap_wants_touching(task->detail) && whole->upper <= task->margin) {
        whole->lower = carom_lesser(whole->lower, least);
        return;
    }
    carom_gap gap;
    carom_gap_find(i, k, task, &gap);
    gap.lower -= rounding;
    gap.upper += rounding;
    const double distance = carom_gap_middle(gap.lower, gap.upper);
    const double lower = carom_lesser(whole->lower, gap.lower);
    const double upper = carom_lesser(whole->upper, gap.upper);
    const uint32_t iterations = whole->iterations + gap.iterations;
    if (distance < nearest->distance) {
        *nearest = (carom_nearest){gap, *i, *k, distance, child[0], child[1]};
    }
    whole->lower = lower;
    whole->upper = upper;
    whole->iterations = iterations;
}

static void plain_nearest(const carom_posed *i, const carom_posed *k, const carom_gap_task *task,
                          carom_nearest *nearest) {
    *nearest = (carom_nearest){.gap = {.lower = HUGE_VAL, .upper = HUGE_VAL}, .distance = HUGE_VAL};
    for (uint32_t n = 0; n < count_parts(i->shape); n++) {
        carom_posed one;
        const double moved = plain_part(i, n, &one);
        for (uint32_t m = 0; m < count_parts(k->shape); m++) {
            carom_posed other;
            const double rounding = moved + plain_part(k, m, &other);
            plain_pair(&one, rounding, &other, (const uint32_t[2]){n, m}, task, nearest);
        }
    }
}

static bool is_better(const carom_toi_found *found, const carom_toi_found *best) {
    if (found->state == CAROM_TOI_NONE || best->state == CAROM_TOI_NONE) {
        return found->state != CAROM_TOI_NONE || (best->state == CAROM_TOI_NONE && found->gap < best->gap);
    }
    return found->t < best->t ||
           (found->t <= best->t && found->state == CAROM_TOI_HIT && best->state == CAROM_TOI_CAPPED);
}

static void plain_try(const carom_approach *pair, const uint32_t child[2], const carom_toi_task *task,
                      carom_toi_found *best) {
    carom_advance s;
    double start;
    carom_advance_make(pair, task, best->state == CAROM_TOI_NONE ? 1.0 : best->t, &s);
    s.found.child_i = child[0];
    s.found.child_k = child[1];
    if (carom_begin_search(&s, &start)) {
        carom_advance_run(&s, start);
    }
    const uint32_t iterations = best->iterations + s.found.iterations;
    if (is_better(&s.found, best)) {
        *best = s.found;
    }
    best->iterations = iterations;
}

static void plain_look_once(carom_approach *pair, const carom_toi_task *task, carom_toi_found *found) {
    carom_advance s;
    carom_track_make(pair->i.body, 0, &pair->i);
    carom_track_make(pair->k.body, 0, &pair->k);
    carom_approach_set(pair, task->margin);
    carom_advance_make(pair, task, 1.0, &s);
    if (carom_begin_once(&s)) {
        carom_advance_run(&s, 0.0);
    }
    *found = s.found;
}

static void plain_toi(const carom_moving *i, const carom_moving *k, const carom_toi_task *task,
                      carom_toi_found *found) {
    carom_approach pair;
    bool first = false;
    pair.i.body = i;
    pair.k.body = k;
    *found = (carom_toi_found){.state = CAROM_TOI_NONE, .gap = HUGE_VAL};
    for (uint32_t n = 0; n < carom_track_count(i) && !first; n++) {
        carom_track_make(i, n, &pair.i);
        for (uint32_t m = 0; m < carom_track_count(k) && !first; m++) {
            carom_track_make(k, m, &pair.k);
            carom_approach_set(&pair, task->margin);
            plain_try(&pair, (const uint32_t[2]){n, m}, task, found);
            first = found->state == CAROM_TOI_HIT && !(found->t > 0.0);
        }
    }
    if (found->state == CAROM_TOI_NONE && !(found->gap < HUGE_VAL)) {
        plain_look_once(&pair, task, found);
    }
    found->t = found->state == CAROM_TOI_NONE ? 1.0 : found->t;
}

/* ---- Random compounds ---- */

static double within(carom_random *random, double most) {
    return most * (2.0 * carom_random_u01(random) - 1.0);
}

static uint32_t below(carom_random *random, uint32_t count) {
    return (uint32_t)(carom_random_next(random) % count);
}

/* Shapes of about 0.1 to 1, of kinds whose searches do not take long. */
static void draw_convex(carom_random *random, double size, const double (*point)[3], carom_shape shape[CONVEX]) {
    static const carom_shape_kind kinds[CONVEX] = {CAROM_SHAPE_SPHERE,    CAROM_SHAPE_SPHERE, CAROM_SHAPE_BOX,
                                                   CAROM_SHAPE_CAPSULE,   CAROM_SHAPE_BOX,    CAROM_SHAPE_CYLINDER,
                                                   CAROM_SHAPE_ELLIPSOID, CAROM_SHAPE_HULL};
    for (uint32_t n = 0; n < CONVEX; n++) {
        const double own = n == 0 ? 0.5 * size : size * (0.1 + 0.4 * carom_random_u01(random));
        shape[n] = (carom_shape){.kind = kinds[n],
                                 .radius = n == 1 && below(random, 2) == 0 ? 0.0 : own,
                                 .extent = {own, n == 2 ? own : 0.7 * own, n == 2 ? own : 1.3 * own},
                                 .point = point,
                                 .point_count = 4};
    }
}

/* Where child n is: in a cloud, on a lattice, along a line, all in the same place, or on a shell; one may be far away.
 */
static void place_child(carom_random *random, uint32_t way, uint32_t n, const compounds *c, double at[3]) {
    const double half = 0.5 * c->side * c->size;
    double direction[3];
    moving_shapes_direction(random, direction);
    for (int d = 0; d < 3; d++) {
        const uint32_t cell = d == 0 ? n % 6 : d == 1 ? n / 6 % 6 : n / 36;
        const double places[6] = {within(random, half),
                                  cell * c->size,
                                  d == 0 ? n * c->size * 0.5 : 0.0,
                                  c->size,
                                  half * direction[d],
                                  (n == 5 ? 1e6 : 1.0) * within(random, half)};
        at[d] = places[way];
    }
}

static uint32_t draw_children(carom_random *random, const compounds *c, carom_shape_child child[CHILDREN_MOST]) {
    const uint32_t most = below(random, 2) == 0 ? CHILDREN_MOST : 40;
    const uint32_t count = 1 + below(random, most);
    const uint32_t way = below(random, 6);
    const uint32_t kinds = below(random, 2) == 0 ? 1 : CONVEX;
    const bool turned = below(random, 2) == 0;
    for (uint32_t n = 0; n < count; n++) {
        child[n] = (carom_shape_child){.shape = below(random, kinds), .turn = {0.0, 0.0, 0.0, 1.0}};
        place_child(random, way, n, c, child[n].at);
        if (turned) {
            moving_shapes_turn(random, child[n].turn);
        }
    }
    return count;
}

static void draw_compounds(carom_random *random, compounds *c) {
    static carom_shape_child child[2][CHILDREN_MOST];
    double point[4][3];
    carom_shape shape[SHAPES];
    c->size = below(random, 4) == 0 ? pow(10.0, within(random, 30.0)) : 1.0;
    c->side = 1.0 + 10.0 * carom_random_u01(random);
    for (int n = 0; n < 4; n++) {
        for (int d = 0; d < 3; d++) {
            point[n][d] = within(random, 0.5 * c->size);
        }
    }
    memset(shape, 0, sizeof shape);
    draw_convex(random, c->size, (const double(*)[3])point, shape);
    for (int side = 0; side < 2; side++) {
        shape[COMPOUND_I + side].kind = CAROM_SHAPE_COMPOUND;
        shape[COMPOUND_I + side].child = child[side];
        shape[COMPOUND_I + side].child_count = draw_children(random, c, child[side]);
    }
    shape[HALF_SPACE].kind = CAROM_SHAPE_HALF_SPACE;
    assert_int_equal(carom_shapes_create(shape, SHAPES, NULL, &c->shapes, NULL), CAROM_OK);
}

/* Two shapes, at least one of which is a compound, in either order. */
static void draw_shapes(carom_random *random, const compounds *c, const carom_shape_entry *shape[2]) {
    static const uint32_t others[] = {COMPOUND_K, COMPOUND_K, COMPOUND_K, COMPOUND_I, HALF_SPACE, 0, CONVEX - 1};
    const uint32_t first = below(random, 2);
    shape[first] = &c->shapes->entry[COMPOUND_I];
    shape[1 - first] = &c->shapes->entry[others[below(random, sizeof others / sizeof others[0])]];
}

/* Body k is at the origin and body i near it, far, very far, within it, or so that lattices touch. */
static void draw_place(carom_random *random, const compounds *c, double at[3]) {
    static const double distances[] = {0.0, 0.3, 1.0, 1.2, 2.0, 4.0, 1e3, 1e14};
    const double distance = distances[below(random, sizeof distances / sizeof distances[0])] * c->side * c->size;
    const bool aligned = below(random, 3) == 0;
    double direction[3];
    moving_shapes_direction(random, direction);
    for (int d = 0; d < 3; d++) {
        at[d] = aligned ? (d == 0 ? (1 + below(random, 8)) * c->size : 0.0) : distance * direction[d];
    }
}

static bool are_same(const double *a, const double *b, size_t count) {
    return memcmp(a, b, count * sizeof *a) == 0;
}

/* ---- Comparisons ---- */

static void compare_nearest(const carom_posed *i, const carom_posed *k, const carom_gap_task *task) {
    carom_nearest plain;
    carom_nearest found;
    plain_nearest(i, k, task, &plain);
    carom_nearest_find(i, k, task, &found);
    note_check(found.child_i == plain.child_i && found.child_k == plain.child_k,
               "children %u and %u answer, not %u and %u", found.child_i, found.child_k, plain.child_i, plain.child_k);
    note_check(found.gap.iterations == plain.gap.iterations, "%u steps, not %u", found.gap.iterations,
               plain.gap.iterations);
    note_check(are_same(&found.gap.lower, &plain.gap.lower, 1) && are_same(&found.gap.upper, &plain.gap.upper, 1),
               "detail %d: %.17g to %.17g, not %.17g to %.17g", (int)task->detail, found.gap.lower, found.gap.upper,
               plain.gap.lower, plain.gap.upper);
    note_check(are_same(&found.distance, &plain.distance, 1) && are_same(found.gap.normal, plain.gap.normal, 3) &&
                   are_same(found.gap.point_i, plain.gap.point_i, 3) &&
                   are_same(found.gap.point_k, plain.gap.point_k, 3),
               "another distance, normal or points");
    note_check(found.i.shape == plain.i.shape && are_same(found.i.at, plain.i.at, 3) &&
                   are_same(found.i.turn[0], plain.i.turn[0], 9) && found.k.shape == plain.k.shape &&
                   are_same(found.k.at, plain.k.at, 3) && are_same(found.k.turn[0], plain.k.turn[0], 9),
               "another pose of the children");
}

static void case_distance(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const carom_shape_entry *shape[2];
    compounds c;
    draw_compounds(&random, &c);
    for (int n = 0; n < 10; n++) {
        carom_posed i = {.shape = NULL};
        carom_posed k = {.shape = NULL};
        double turn[4];
        draw_shapes(&random, &c, shape);
        i.shape = shape[0];
        k.shape = shape[1];
        note_case(number, "distance %d of %u and %u children, size %g", n, count_parts(i.shape), count_parts(k.shape),
                  c.size);
        draw_place(&random, &c, i.at);
        moving_shapes_turn(&random, turn);
        carom_pose_turn(below(&random, 3) == 0 ? turn : (const double[4]){0.0, 0.0, 0.0, 1.0}, i.turn);
        moving_shapes_turn(&random, turn);
        carom_pose_turn(below(&random, 3) == 0 ? turn : (const double[4]){0.0, 0.0, 0.0, 1.0}, k.turn);
        const carom_gap_task task = {.detail = (carom_gap_detail)below(&random, CAROM_GAP_CLEARANCE + 1),
                                     .margin = below(&random, 2) == 0 ? 0.0 : 0.5 * c.size,
                                     .tolerance = below(&random, 2) == 0 ? 0x1p-40 : 0x1p-10};
        compare_nearest(&i, &k, &task);
    }
    carom_shapes_destroy(c.shapes);
}

/* Does not turn, turns as far as a step usually does, fast, very fast, or so that nobody knows how. */
static void draw_motion(carom_random *random, const compounds *c, carom_moving *moving) {
    static const double spins[] = {0.0, 0.0, 0.5, 5.0, 300.0, 0x1p51};
    static const double ways[] = {0.0, 0.1, 1.0, 5.0, 1e8};
    const bool turns = moving->shape->kind != CAROM_SHAPE_HALF_SPACE;
    const double spin = turns ? spins[below(random, sizeof spins / sizeof spins[0])] : 0.0;
    const double way = ways[below(random, sizeof ways / sizeof ways[0])] * c->side * c->size;
    double axis[3];
    double direction[3];
    moving_shapes_direction(random, axis);
    moving_shapes_direction(random, direction);
    for (int d = 0; d < 3; d++) {
        moving->spin[d] = spin * axis[d];
        moving->move[d] = way * direction[d];
    }
    if (turns && below(random, 2) == 0) {
        moving_shapes_turn(random, moving->turn);
    }
}

static void compare_times(const carom_moving *i, const carom_moving *k, const carom_toi_task *task) {
    carom_toi_found plain;
    carom_toi_found found;
    plain_toi(i, k, task, &plain);
    carom_toi_find(i, k, task, &found);
    note_check(found.state == plain.state && found.child_i == plain.child_i && found.child_k == plain.child_k,
               "state %d of children %u and %u, not %d of %u and %u", (int)found.state, found.child_i, found.child_k,
               (int)plain.state, plain.child_i, plain.child_k);
    note_check(found.iterations == plain.iterations, "%u looks, not %u", found.iterations, plain.iterations);
    note_check(are_same(&found.t, &plain.t, 1) && are_same(&found.gap, &plain.gap, 1),
               "t %.17g, gap %.17g, not %.17g, %.17g", found.t, found.gap, plain.t, plain.gap);
    note_check(plain.iterations == 0 ||
                   (are_same(found.normal, plain.normal, 3) && are_same(found.point_i, plain.point_i, 3) &&
                    are_same(found.point_k, plain.point_k, 3)),
               "another normal or points");
}

static void case_time(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const carom_shape_entry *shape[2];
    compounds c;
    draw_compounds(&random, &c);
    for (int n = 0; n < 4; n++) {
        draw_shapes(&random, &c, shape);
        carom_moving i = {.shape = shape[0], .turn = {0.0, 0.0, 0.0, 1.0}};
        carom_moving k = {.shape = shape[1], .turn = {0.0, 0.0, 0.0, 1.0}};
        note_case(number, "time %d of %u and %u children, size %g", n, count_parts(i.shape), count_parts(k.shape),
                  c.size);
        draw_place(&random, &c, i.at);
        draw_motion(&random, &c, &i);
        draw_motion(&random, &c, &k);
        for (int d = 0; d < 3 && below(&random, 2) == 0; d++) {
            i.move[d] = -1.3 * i.at[d]; /* towards body k */
        }
        const carom_toi_task task = {
            .margin = below(&random, 2) == 0 ? 0.0 : 0.3 * c.size, .tolerance = 1e-4, .iterations_max = 8};
        compare_times(&i, &k, &task);
    }
    carom_shapes_destroy(c.shapes);
}

static void distances_are_those_of_all_pairs(void **state) {
    (void)state;
    note_each_case(300, case_distance);
}

static void times_are_those_of_all_pairs(void **state) {
    (void)state;
    note_each_case(300, case_time);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_those_of_all_pairs),
        cmocka_unit_test(times_are_those_of_all_pairs),
    };
    note_start("test_compounds");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
