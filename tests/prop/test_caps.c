/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Proofs from how round cores bend (simd/newton): for random pairs of cores and directions, the model of the support
 * function has that function's value and derivatives; the bound of a cap is none that a direction in it contradicts;
 * Newton's method ends where the function is least; and depths and distances of ordinary sizes that are asked for to
 * 2^-40 are known as exactly, while no direction contradicts them. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernel/scene/random.h"
#include "kernel/shape/table.h"
#include "simd/dispatch.h"
#include "simd/newton/cap.h"
#include "simd/newton/newton.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

enum { KINDS = 7, CASES = KINDS * KINDS, PAIRS = 200, ANSWERS = 1000, LOOKS = 100, STARTS = 20, HULL_POINTS = 16 };

static const carom_shape_kind ALL[KINDS] = {CAROM_SHAPE_CYLINDER, CAROM_SHAPE_CONE,    CAROM_SHAPE_ELLIPSOID,
                                            CAROM_SHAPE_SPHERE,   CAROM_SHAPE_CAPSULE, CAROM_SHAPE_BOX,
                                            CAROM_SHAPE_HULL};

/* Two posed shapes, of which at least one is round. */
typedef struct pair {
    carom_shapes *shapes;
    carom_posed posed[2];
    carom_difference difference;
} pair;

static bool is_round_pair(uint64_t number) {
    return number % KINDS < 3 || number / KINDS % KINDS < 3;
}

/* 1, or for wild shapes down to 2^-12. */
static double draw_scale(carom_random *random, bool wild) {
    return wild ? exp2(-12.0 * carom_random_u01(random) * carom_random_u01(random)) : 1.0;
}

static carom_shape draw_shape(carom_random *random, carom_shape_kind kind, bool wild, double point[][3]) {
    carom_shape shape = {.kind = kind};
    if (kind == CAROM_SHAPE_HULL) {
        const double scale[3] = {draw_scale(random, wild), draw_scale(random, wild), draw_scale(random, wild)};
        for (int n = 0; n < HULL_POINTS; n++) {
            carom_random_direction(random, point[n]);
            for (int d = 0; d < 3; d++) {
                point[n][d] *= scale[d];
            }
        }
        shape.point = (const double(*)[3])point;
        shape.point_count = HULL_POINTS;
    } else if (kind != CAROM_SHAPE_BOX && kind != CAROM_SHAPE_ELLIPSOID) {
        shape.radius = draw_scale(random, wild) * (0.2 + 0.6 * carom_random_u01(random));
    }
    for (int d = 0; d < 3 && kind != CAROM_SHAPE_SPHERE && kind != CAROM_SHAPE_HULL; d++) {
        shape.extent[d] = draw_scale(random, wild) * (0.2 + 0.8 * carom_random_u01(random));
    }
    return shape;
}

/* The first one's centre lies up to `spread` from that of the second one along each axis. Wild pairs have needles and
 * flat shapes, and lie up to a thousand sizes from the origin. */
static void draw(carom_random *random, uint64_t number, double spread, bool wild, pair *drawn) {
    double point[2][HULL_POINTS][3];
    const carom_shape shape[2] = {draw_shape(random, ALL[number % KINDS], wild, point[0]),
                                  draw_shape(random, ALL[number / KINDS % KINDS], wild, point[1])};
    carom_error error;
    if (carom_shapes_create(shape, 2, NULL, &drawn->shapes, &error) != CAROM_OK) {
        fail_msg("%s", error.message);
    }
    for (int s = 1; s >= 0; s--) {
        double q[4];
        carom_random_direction(random, q);
        q[3] = 2.0 * carom_random_u01(random) - 1.0;
        drawn->posed[s].shape = &drawn->shapes->entry[s];
        carom_pose_turn(q, drawn->posed[s].turn);
        for (int d = 0; d < 3; d++) {
            const double away = spread * (2.0 * carom_random_u01(random) - 1.0);
            drawn->posed[s].at[d] = s == 0 ? drawn->posed[1].at[d] + away : wild ? 1000.0 * away : 0.0;
        }
    }
    drawn->difference = carom_difference_make(&drawn->posed[0], &drawn->posed[1]);
}

/* The support function of the difference; u need not have length 1. */
static double support(const pair *p, const double u[3]) {
    const double back[3] = {-u[0], -u[1], -u[2]};
    carom_difference_point point;
    return -carom_difference_support(&p->difference, back, &point);
}

/* The direction u + x e0 + y e1, of length 1. */
static void turned(const carom_support_model *model, double x, double y, double v[3]) {
    carom_vector_add(model->u, x, model->tangent[0], v);
    carom_vector_add(v, y, model->tangent[1], v);
    (void)carom_vector_unit(v, v);
}

/* h on the sphere, at these places of the tangents. */
static double around(const pair *p, const carom_support_model *model, double x, double y) {
    double v[3];
    turned(model, x, y, v);
    return support(p, v);
}

static bool has_hull(const pair *p) {
    return p->posed[0].shape->kind == CAROM_SHAPE_HULL || p->posed[1].shape->kind == CAROM_SHAPE_HULL;
}

/* Whether no edge is near, so that differences cross none, and no round body bends sharply. */
static bool is_smooth(const carom_support_model *model, double near) {
    bool smooth = true;
    for (uint32_t n = 0; n < model->edge_count; n++) {
        smooth = smooth && (model->edge[n].square == 0.0 || fabs(model->edge[n].offset) > near);
    }
    for (uint32_t n = 0; n < model->round_count; n++) {
        smooth = smooth && model->round[n].length > 0.3 * model->round[n].axis_most;
    }
    return smooth;
}

static uint64_t compared;

/* On the sphere a slope is the tangents' own, and second derivatives are less by h. */
static void check_derivatives(const pair *p, const carom_support_model *model) {
    const double far = 1e-4;
    const double ball = model->ball[0] + model->ball[1];
    const double h = support(p, model->u);
    note_check(has_hull(p) ? model->value - ball < h + 1e-13 : fabs(model->value - ball - h) < 1e-13,
               "value %.17g, support %.17g", model->value - ball, h);
    if (has_hull(p) || !is_smooth(model, 0.01)) {
        return;
    }
    compared++;
    for (int n = 0; n < 2; n++) {
        const double x = n == 0 ? far : 0.0;
        const double y = n == 0 ? 0.0 : far;
        const double ahead = around(p, model, x, y);
        const double behind = around(p, model, -x, -y);
        const double slope = (ahead - behind) / (2.0 * far);
        const double bend = (ahead + behind - 2.0 * h) / (far * far);
        note_check(fabs(slope - model->slope[n]) < 1e-5, "slope %d %.17g, by differences %.17g", n, model->slope[n],
                   slope);
        note_check(fabs(bend - (model->curvature[2 * n] - model->value)) < 1e-4 * (1.0 + fabs(bend)),
                   "bend %d %.17g, by differences %.17g", n, model->curvature[2 * n] - model->value, bend);
    }
    const double mixed = (around(p, model, far, far) + around(p, model, -far, -far) - around(p, model, far, -far) -
                          around(p, model, -far, far)) /
                         (4.0 * far * far);
    note_check(fabs(mixed - model->curvature[1]) < 1e-4 * (1.0 + model->curvature[0] + model->curvature[2]),
               "bend %.17g, by differences %.17g", model->curvature[1], mixed);
}

/* Directions all over the cap, and on its rim, where bounds are closest to failing. */
static void check_cap(const pair *p, const carom_support_model *model, const carom_cap *cap, carom_random *random) {
    const double s = sqrt(1.0 / (cap->cosine * cap->cosine) - 1.0);
    for (int n = 0; n < LOOKS; n++) {
        const double angle = 6.28318530717958648 * carom_random_u01(random);
        const double far = n % 4 == 0 ? s : s * carom_random_u01(random) * carom_random_u01(random);
        const double h = around(p, model, far * cos(angle), far * sin(angle));
        note_check(h >= cap->bound, "a cap of %g around %g, %g, %g: bound %.17g, at %g, %g %.17g", s, cap->u[0],
                   cap->u[1], cap->u[2], cap->bound, far, angle, h);
    }
}

static void run_models(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    for (int n = 0; n < PAIRS && is_round_pair(number); n++) {
        pair p;
        carom_support_model model;
        double u[3];
        note_case(number, "pair %d", n);
        draw(&random, number, 0.5, false, &p);
        carom_random_direction(&random, u);
        carom_model_begin(&model, &p.posed[0], &p.posed[1], u);
        if (carom_model_evaluate(&model)) {
            check_derivatives(&p, &model);
        }
        carom_shapes_destroy(p.shapes);
    }
}

/* Of some directions the one in which the difference is least wide. */
static void draw_direction(carom_random *random, const pair *p, double u[3]) {
    double least = HUGE_VAL;
    for (int n = 0; n < STARTS; n++) {
        double v[3];
        carom_random_direction(random, v);
        const double h = support(p, v);
        if (h < least) {
            least = h;
            memcpy(u, v, sizeof v);
        }
    }
}

static uint64_t found;

/* Where Newton's method ends nothing around is less, and its cap says by how little less it might be. Where it ends
 * early, the slope that is left counts, too. */
static void run_newton(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    for (int n = 0; n < PAIRS && is_round_pair(number); n++) {
        pair p;
        carom_support_model model;
        carom_cap cap;
        double u[3];
        const bool wild = n % 4 >= 2;
        note_case(number, "pair %d", n);
        draw(&random, number, wild ? 0.05 : 0.5, wild, &p);
        draw_direction(&random, &p, u);
        const double step = n % 2 == 0 ? 0.0 : 0.5 * carom_random_u01(&random);
        if (carom_newton_least(&model, &p.posed[0], &p.posed[1], u, step) &&
            carom_cap_find(&model, &p.difference, &cap)) {
            const double h = support(&p, model.u);
            found++;
            note_check(step > 0.0 || wild || has_hull(&p) ? cap.bound <= h : fabs(h - cap.bound) < 1e-12,
                       "h %.17g, bound %.17g", h, cap.bound);
            check_cap(&p, &model, &cap, &random);
        }
        carom_shapes_destroy(p.shapes);
    }
}

static void test_models(void **state) {
    (void)state;
    compared = 0;
    note_each_case(CASES, run_models);
    printf("# %" PRIu64 " models compared with differences\n", compared);
    assert_true(note_only_case() != UINT64_MAX || compared > 100);
}

static void test_newton(void **state) {
    (void)state;
    found = 0;
    note_each_case(CASES, run_newton);
    printf("# %" PRIu64 " caps\n", found);
    assert_true(note_only_case() != UINT64_MAX || found > 100);
}

/* How many answers there were, and how many had too wide a bracket. */
static uint64_t answers[2];
static uint64_t capped[2];

/* No direction has a depth of less, not even one that is best among its own neighbours. */
static void check_depth(const pair *p, const carom_bracket *bracket, carom_random *random) {
    for (int n = 0; n < LOOKS; n++) {
        carom_support_model model;
        double u[3];
        carom_random_direction(random, u);
        note_check(support(p, u) >= -bracket->upper, "depth at least %.17g, but %.17g along %g, %g, %g",
                   -bracket->upper, support(p, u), u[0], u[1], u[2]);
        if (n % 8 == 0 && carom_newton_least(&model, &p->posed[0], &p->posed[1], u, 0.0)) {
            note_check(support(p, model.u) >= -bracket->upper, "depth at least %.17g, but %.17g along %g, %g, %g",
                       -bracket->upper, support(p, model.u), model.u[0], model.u[1], model.u[2]);
        }
    }
}

/* How far apart centres may lie. Some pairs have one centre, or nearly: then there are several directions in which they
 * are about the least wide. Not a point and a body of revolution, which have a circle of them. */
static double draw_spread(uint64_t number, int n) {
    const bool has_point =
        ALL[number % KINDS] == CAROM_SHAPE_SPHERE || ALL[number / KINDS % KINDS] == CAROM_SHAPE_SPHERE;
    return n % 4 == 0 && !has_point ? (n % 8 == 0 ? 0.0 : 0.02) : n % 2 == 0 ? 0.5 : 1.5;
}

static void run_answers(uint64_t number) {
    static carom_epa_room room;
    const carom_simd *simd = carom_simd_best();
    carom_random random = carom_random_seeded(note_case_seed(number));
    for (int n = 0; n < ANSWERS && is_round_pair(number); n++) {
        pair p;
        note_case(number, "pair %d", n);
        draw(&random, number, draw_spread(number, n), false, &p);
        const carom_shape_entry *const shape[2] = {p.posed[0].shape, p.posed[1].shape};
        const carom_goal goal = {.width = 0x1p-40,
                                 .reach = shape[0]->reach < shape[1]->reach ? shape[0]->reach : shape[1]->reach,
                                 .radius = shape[0]->radius + shape[1]->radius,
                                 .above = HUGE_VAL,
                                 .below = -HUGE_VAL};
        carom_bracket bracket = {.lower = -HUGE_VAL, .upper = HUGE_VAL};
        simd->gjk(&p.posed[0], &p.posed[1], &goal, 1, &bracket);
        const bool overlap = bracket.overlap;
        if (overlap) {
            simd->epa(&p.posed[0], &p.posed[1], &goal, 1, &bracket, &room);
            check_depth(&p, &bracket, &random);
        }
        answers[overlap]++;
        capped[overlap] += carom_goal_reached(&goal, bracket.lower, bracket.upper) ? 0 : 1;
        carom_shapes_destroy(p.shapes);
    }
}

/* Before such proofs it was 30 of 100 that overlap, and 3 of 100 that are apart. */
static void test_answers(void **state) {
    (void)state;
    note_each_case(CASES, run_answers);
    printf("# %" PRIu64 " of %" PRIu64 " distances and %" PRIu64 " of %" PRIu64 " depths are wider than 2^-40\n",
           capped[0], answers[0], capped[1], answers[1]);
    assert_true(note_only_case() != UINT64_MAX || note_short() || (answers[0] > 1000 && answers[1] > 1000));
    assert_true(2000 * capped[0] <= answers[0]);
    assert_true(200 * capped[1] <= answers[1] + 200);
}

int main(void) {
    note_start("tests/prop/test_caps");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_models), cmocka_unit_test(test_newton),
                                       cmocka_unit_test(test_answers)};
    return cmocka_run_group_tests_name("caps", tests, NULL, NULL);
}
