/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Axes that are kept from call to call (carom_distance_config.axes). Guards that an axis only says where to look first:
 * whatever it is, states do not contradict those of calls without, brackets meet theirs and are as narrow; that a
 * separated pair is proved at the first look of the next call, also when it has moved a little; that pairs which are
 * not searched for keep theirs; and that bits do not depend on the call. Compiled once for each precision. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "kernel/scene/random.h"
#include "simd/posed.h"
#include "simd/precision.h"
#include "tests/support/check.h"
#include "tests/support/isa_contexts.h"
#include "tests/support/note.h"

#define PAIRS CAROM_REAL(carom_distance_pairs)
#define PAIR CAROM_REAL(carom_distance_pair)

typedef CAROM_REAL(carom_gap) gap_row;
typedef CAROM_REAL(carom_pose) pose;

enum { CASES = 20, BODIES = 80, COUNT = 300, HULLS = 2, HULL_POINTS = 12 };

/* Pairs of two of the last four kinds are searched for; of the first two, or with a compound, they are not. */
enum { SPHERE, CAPSULE, COMPOUND, CYLINDER, ELLIPSOID, HULL, OTHER_HULL, SHAPES };

static carom_shapes *shapes;
static double hull[HULLS][HULL_POINTS][3];

typedef struct scene {
    carom_real at[3][BODIES];
    carom_real turn[4][BODIES];
    uint32_t shape[BODIES];
    uint32_t i[COUNT];
    uint32_t k[COUNT];
} scene;

static scene s;

static double in(carom_random *random, double least, double most) {
    return least + (most - least) * carom_random_u01(random);
}

static int make(void **state) {
    static const uint32_t threads[] = {1, 2};
    static const carom_shape_child children[] = {{.shape = SPHERE, .turn = {0, 0, 0, 1}},
                                                 {.shape = CAPSULE, .at = {0.5, 0, 0}, .turn = {0, 0, 0, 1}}};
    carom_random random = carom_random_seeded(note_seed());
    (void)state;
    for (int n = 0; n < HULLS * HULL_POINTS * 3; n++) {
        (&hull[0][0][0])[n] = in(&random, -1, 1);
    }
    const carom_shape made[SHAPES] = {
        [SPHERE] = {.kind = CAROM_SHAPE_SPHERE, .radius = 0.7},
        [CAPSULE] = {.kind = CAROM_SHAPE_CAPSULE, .radius = 0.3, .extent = {0, 0, 0.6}},
        [COMPOUND] = {.kind = CAROM_SHAPE_COMPOUND, .child = children, .child_count = 2},
        [CYLINDER] = {.kind = CAROM_SHAPE_CYLINDER, .radius = 0.5, .extent = {0, 0, 0.4}},
        [ELLIPSOID] = {.kind = CAROM_SHAPE_ELLIPSOID, .extent = {0.3, 0.5, 0.9}},
        [HULL] = {.kind = CAROM_SHAPE_HULL, .point = (const double(*)[3])hull[0], .point_count = HULL_POINTS},
        [OTHER_HULL] = {.kind = CAROM_SHAPE_HULL, .point = (const double(*)[3])hull[1], .point_count = HULL_POINTS}};
    carom_error error;
    if (carom_shapes_create(made, SHAPES, NULL, &shapes, &error) != CAROM_OK) {
        note_check(false, "%s", error.message);
        return -1;
    }
    return isa_contexts_make(threads, 2);
}

static int release(void **state) {
    carom_shapes_destroy(shapes);
    return isa_contexts_destroy(state);
}

static void draw(carom_random *random) {
    const double room = in(random, 1, 4);
    for (uint32_t n = 0; n < BODIES; n++) {
        for (int d = 0; d < 3; d++) {
            s.at[d][n] = (carom_real)in(random, -room, room);
            s.turn[d][n] = (carom_real)in(random, -0.5, 0.5);
        }
        s.turn[3][n] = (carom_real)in(random, 0.5, 1);
        s.shape[n] = (uint32_t)(carom_random_next(random) % SHAPES);
    }
    for (uint32_t n = 0; n < COUNT; n++) {
        s.i[n] = (uint32_t)(carom_random_next(random) % BODIES);
        s.k[n] = (s.i[n] + 1 + (uint32_t)(carom_random_next(random) % (BODIES - 1))) % BODIES;
    }
}

static bool is_searched(uint32_t n) {
    const uint32_t i = s.shape[s.i[n]];
    const uint32_t k = s.shape[s.k[n]];
    const uint32_t least = i < k ? i : k;
    const uint32_t most = i < k ? k : i;
    const bool closed = most <= CAPSULE || (least == SPHERE && most == CYLINDER);
    return !closed && i != COMPOUND && k != COMPOUND;
}

static carom_bodies packed(void) {
    carom_bodies bodies = {.size = sizeof bodies, .count = BODIES, .shapes = shapes, .shape = s.shape};
    for (int a = 0; a < 3; a++) {
        bodies.prev[a] = s.at[a];
        bodies.curr[a] = s.at[a];
    }
    for (int a = 0; a < 4; a++) {
        bodies.prev_turn[a] = s.turn[a];
    }
    return bodies;
}

static void ask(carom_context *context, carom_gap_detail detail, double *axes, gap_row *gaps) {
    const carom_bodies bodies = packed();
    carom_distance_config config = carom_distance_config_default();
    carom_error error = {.message = ""};
    config.detail = detail;
    config.axes = axes;
    const carom_status status = PAIRS(context, &bodies, s.i, s.k, COUNT, &config, gaps, NULL, &error);
    note_check(status == CAROM_OK, "%s", error.message);
}

static double length_of(const double v[3]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static const carom_gap_detail details[] = {CAROM_GAP_STATE, CAROM_GAP_DISTANCE, CAROM_GAP_CONTACT, CAROM_GAP_CLEARANCE};
enum { DETAILS = sizeof details / sizeof *details };

/* Their states are known in floats, which count no steps. */
static bool are_hulls(uint32_t n) {
    return s.shape[s.i[n]] >= HULL && s.shape[s.k[n]] >= HULL;
}

/* Both are brackets of one number. */
static void check_meet(const gap_row *with, const gap_row *without, carom_gap_detail detail, uint32_t n) {
    note_check(with->lower <= without->upper && without->lower <= with->upper, "pair %" PRIu32 ": brackets do not meet",
               n);
    const bool contradict = (with->state == CAROM_GAP_SEPARATED && without->state == CAROM_GAP_TOUCHING) ||
                            (with->state == CAROM_GAP_TOUCHING && without->state == CAROM_GAP_SEPARATED);
    note_check(!contradict, "pair %" PRIu32 ": other states", n);
    /* Round shapes may take too many steps. */
    note_check(detail != CAROM_GAP_DISTANCE || !are_hulls(n) || !with->capped, "pair %" PRIu32 ": a wide bracket", n);
}

/* How far a hull reaches along a vector. */
static double reach_of(uint32_t body, const double n[3]) {
    const double q[4] = {(double)s.turn[0][body], (double)s.turn[1][body], (double)s.turn[2][body],
                         (double)s.turn[3][body]};
    double turn[3][3];
    double most = -INFINITY;
    carom_pose_turn(q, turn);
    for (int p = 0; p < HULL_POINTS; p++) {
        double at[3];
        carom_pose_from_local((const double(*)[3])turn, hull[s.shape[body] - HULL][p], at);
        double along = 0;
        for (int d = 0; d < 3; d++) {
            along += n[d] * (at[d] + (double)s.at[d][body]);
        }
        most = along > most ? along : most;
    }
    return most;
}

/* The axis of two hulls proves the lower bound. */
static void check_proof(const gap_row *gap, const double axis[3], uint32_t n) {
    const double back[3] = {-axis[0], -axis[1], -axis[2]};
    const double along = -reach_of(s.i[n], back) - reach_of(s.k[n], axis);
    note_check(along >= (double)gap->lower - 1e-12, "pair %" PRIu32 ": a gap of %g along the axis, lower is %g", n,
               along, (double)gap->lower);
}

/* Any axes: directions, none, what is no number, the greatest and the smallest. */
static void draw_axes(carom_random *random, double *axes) {
    static const double odd[] = {0.0, NAN, INFINITY, -INFINITY, 1e308, -1e308, 5e-324, -1e-300};
    for (uint32_t m = 0; m < 3 * COUNT; m++) {
        const uint64_t choice = carom_random_next(random) % 24;
        axes[m] = choice < 8 ? odd[choice] : in(random, -1, 1);
    }
}

static void any_axis_is_good_enough(void **state) {
    static gap_row with[COUNT];
    static gap_row without[COUNT];
    static double axes[3 * COUNT];
    static double before[3 * COUNT];
    (void)state;
    for (uint64_t number = 0; number < CASES; number++) {
        carom_random random = carom_random_seeded(note_case_seed(number));
        note_case(number, "any axes");
        draw(&random);
        for (uint32_t d = 0; d < DETAILS; d++) {
            draw_axes(&random, axes);
            memcpy(before, axes, sizeof axes);
            ask(isa_contexts[0], details[d], NULL, without);
            ask(isa_contexts[0], details[d], axes, with);
            for (uint32_t n = 0; n < COUNT; n++) {
                check_meet(&with[n], &without[n], details[d], n);
                if (is_searched(n)) {
                    note_check(fabs(length_of(&axes[3 * n]) - 1) < 1e-12, "pair %" PRIu32 ": not a unit vector", n);
                    if (are_hulls(n)) {
                        check_proof(&with[n], &axes[3 * n], n);
                    }
                } else {
                    note_check(memcmp(&axes[3 * n], &before[3 * n], 3 * sizeof *axes) == 0 &&
                                   memcmp(&with[n], &without[n], sizeof with[n]) == 0,
                               "pair %" PRIu32 " is not searched for, but has changed", n);
                }
            }
        }
    }
}

/* By less than what holds the shapes apart, and without rotating. */
static void move_a_little(carom_random *random, const gap_row *gaps) {
    double room = 1;
    for (uint32_t n = 0; n < COUNT; n++) {
        room = gaps[n].lower > 0 && (double)gaps[n].lower < room ? (double)gaps[n].lower : room;
    }
    for (uint32_t n = 0; n < BODIES; n++) {
        for (int d = 0; d < 3; d++) {
            s.at[d][n] += (carom_real)(0.1 * room * in(random, -1, 1));
        }
    }
}

static double distance_of(const double a[3], const double b[3]) {
    const double between[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return length_of(between);
}

static void an_axis_that_holds_is_enough(void **state) {
    static gap_row first[COUNT];
    static gap_row next[COUNT];
    static double axes[3 * COUNT];
    static double before[3 * COUNT];
    uint64_t separated = 0;
    (void)state;
    for (uint64_t number = 0; number < CASES; number++) {
        carom_random random = carom_random_seeded(note_case_seed(number));
        note_case(number, "axes of the call before");
        draw(&random);
        memset(axes, 0, sizeof axes);
        ask(isa_contexts[0], CAROM_GAP_DISTANCE, axes, first);
        move_a_little(&random, first);
        memcpy(before, axes, sizeof axes);
        ask(isa_contexts[0], CAROM_GAP_STATE, axes, next);
        for (uint32_t n = 0; n < COUNT; n++) {
            if (is_searched(n) && first[n].state == CAROM_GAP_SEPARATED) {
                separated++;
                note_check(next[n].state == CAROM_GAP_SEPARATED && next[n].iterations == (are_hulls(n) ? 0 : 1),
                           "pair %" PRIu32 ": state %d after %" PRIu32 " looks", n, (int)next[n].state,
                           next[n].iterations);
                note_check(distance_of(&axes[3 * n], &before[3 * n]) < 1e-6, "pair %" PRIu32 ": another axis", n);
            }
        }
    }
    note_check(separated > 100, "only %" PRIu64 " pairs were apart", separated);
}

static pose pose_of(uint32_t n) {
    pose p = {.shape = s.shape[n]};
    for (int d = 0; d < 3; d++) {
        p.at[d] = s.at[d][n];
    }
    for (int d = 0; d < 4; d++) {
        p.turn[d] = s.turn[d][n];
    }
    return p;
}

static void check_single(carom_gap_detail detail, const double *axes, const double *wanted_axes,
                         const gap_row *wanted) {
    carom_distance_config config = carom_distance_config_default();
    config.detail = detail;
    for (uint32_t n = 0; n < COUNT; n++) {
        const pose i = pose_of(s.i[n]);
        const pose k = pose_of(s.k[n]);
        double axis[3];
        gap_row gap;
        memcpy(axis, &axes[3 * n], sizeof axis);
        config.axes = axis;
        note_check(PAIR(shapes, &i, &k, &config, &gap, NULL, NULL) == CAROM_OK, "no answer");
        note_check(memcmp(&gap, &wanted[n], sizeof gap) == 0, "pair %" PRIu32 ": another gap alone", n);
        note_check(memcmp(axis, &wanted_axes[3 * n], sizeof axis) == 0, "pair %" PRIu32 ": another axis alone", n);
    }
}

static void bits_do_not_depend_on_the_call(void **state) {
    static gap_row wanted[COUNT];
    static gap_row found[COUNT];
    static double axes[3 * COUNT];
    static double wanted_axes[3 * COUNT];
    static double found_axes[3 * COUNT];
    (void)state;
    for (uint64_t number = 0; number < CASES; number++) {
        carom_random random = carom_random_seeded(note_case_seed(number));
        const carom_gap_detail detail = details[number % DETAILS];
        note_case(number, "instruction sets, threads, single calls");
        draw(&random);
        draw_axes(&random, axes);
        memcpy(wanted_axes, axes, sizeof axes);
        ask(isa_contexts[0], detail, wanted_axes, wanted);
        for (uint64_t c = 1; c < isa_context_count; c++) {
            memcpy(found_axes, axes, sizeof axes);
            ask(isa_contexts[c], detail, found_axes, found);
            note_check(memcmp(wanted, found, sizeof found) == 0, "other gaps, context %" PRIu64, c);
            note_check(memcmp(wanted_axes, found_axes, sizeof axes) == 0, "other axes, context %" PRIu64, c);
        }
        check_single(detail, axes, wanted_axes, wanted);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_axis_is_good_enough),
        cmocka_unit_test(an_axis_that_holds_is_enough),
        cmocka_unit_test(bits_do_not_depend_on_the_call),
    };
    note_start(CAROM_REAL_BITS == 32 ? "test_axes_f32" : "test_axes_f64");
    return cmocka_run_group_tests_name("axes", tests, make, release);
}
