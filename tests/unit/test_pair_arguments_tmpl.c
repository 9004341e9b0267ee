/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What carom_distance and carom_toi refuse: each wrong argument with the status, body, field and message that it has;
 * and that bodies which no pair names are not looked at. Calls that know spheres only refuse bodies with shapes.
 * Compiled once for each precision. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "simd/precision.h"
#include "tests/support/check.h"

#define PAIRS CAROM_REAL(carom_distance_pairs)
#define PAIR CAROM_REAL(carom_distance_pair)
#define TOI_PAIRS CAROM_REAL(carom_toi_pairs)
#define TOI_PAIR CAROM_REAL(carom_toi_pair)

typedef CAROM_REAL(carom_gap) gap_row;
typedef CAROM_REAL(carom_manifold) manifold_row;
typedef CAROM_REAL(carom_toi) toi_row;
typedef CAROM_REAL(carom_pose) pose;
typedef CAROM_REAL(carom_sweep) sweep;

enum { BODIES = 4, NUMBERS = 18 };
enum { SPHERE, BOX, HALF_SPACE, LINE, SHAPES };

static carom_context *context;
static carom_shapes *shapes;

/* Arrays of all that a body may have: prev, curr, prev_turn, curr_turn, spin, radius, in columns of their own. */
static carom_real number[NUMBERS][BODIES];
static uint32_t shape[BODIES];
static carom_bodies bodies;

static uint32_t i[] = {0, 1};
static uint32_t k[] = {1, 2};
static gap_row gaps[2];
static manifold_row manifolds[2];
static toi_row impacts[2];
static carom_error error;

static int make(void **state) {
    const carom_shape made[SHAPES] = {[SPHERE] = {.kind = CAROM_SHAPE_SPHERE, .radius = 1},
                                      [BOX] = {.kind = CAROM_SHAPE_BOX, .extent = {1, 1, 1}},
                                      [HALF_SPACE] = {.kind = CAROM_SHAPE_HALF_SPACE},
                                      [LINE] = {.kind = CAROM_SHAPE_LINE}};
    carom_context_config config = carom_context_config_default();
    (void)state;
    config.threads = 2;
    config.bodies_per_thread = 1;
    return carom_context_create(&config, &context, NULL) == CAROM_OK &&
                   carom_shapes_create(made, SHAPES, NULL, &shapes, NULL) == CAROM_OK
               ? 0
               : -1;
}

static int release(void **state) {
    (void)state;
    carom_shapes_destroy(shapes);
    carom_context_destroy(context);
    return 0;
}

/* Valid bodies with shapes, rotations and spins. */
static int reset(void **state) {
    (void)state;
    memset(number, 0, sizeof number);
    bodies = (carom_bodies){.size = sizeof bodies, .count = BODIES, .shapes = shapes, .shape = shape};
    for (int n = 0; n < BODIES; n++) {
        number[0][n] = (carom_real)(3 * n);
        number[3][n] = (carom_real)(3 * n);
        number[9][n] = 1;
        number[13][n] = 1;
        number[17][n] = 1;
        shape[n] = BOX;
    }
    for (int a = 0; a < 3; a++) {
        bodies.prev[a] = number[a];
        bodies.curr[a] = number[3 + a];
        bodies.spin[a] = number[14 + a];
    }
    for (int a = 0; a < 4; a++) {
        bodies.prev_turn[a] = number[6 + a];
    }
    i[0] = 0;
    i[1] = 1;
    k[0] = 1;
    k[1] = 2;
    return 0;
}

static void expect(carom_status status, carom_status wanted, uint64_t body, const char *field, const char *says) {
    if (status != wanted || error.status != wanted || error.body != body || strcmp(error.field, field) != 0 ||
        strstr(error.message, says) == NULL) {
        fail_msg("status %d, body %ld, field '%s': %s; expected '%s'", (int)status, (long)error.body, error.field,
                 error.message, says);
    }
}

static carom_status distances(void) {
    return PAIRS(context, &bodies, i, k, 2, NULL, gaps, NULL, &error);
}

static carom_status times(void) {
    return TOI_PAIRS(context, &bodies, i, k, 2, NULL, impacts, &error);
}

/* Both calls say the same. */
static void expect_both(carom_status wanted, uint64_t body, const char *field, const char *says) {
    expect(distances(), wanted, body, field, says);
    expect(times(), wanted, body, field, says);
}

static void expect_argument(carom_status status, const char *says) {
    expect(status, CAROM_ERROR_ARGUMENT, UINT64_MAX, "", says);
}

static void valid_bodies_pass(void **state) {
    (void)state;
    assert_int_equal(distances(), CAROM_OK);
    assert_true(gaps[0].state == CAROM_GAP_SEPARATED && gaps[0].lower <= 1 && gaps[0].upper >= 1);
    assert_int_equal(times(), CAROM_OK);
    assert_true(impacts[0].state == CAROM_TOI_NONE && impacts[0].t == 1);
}

static void missing_arguments_are_named(void **state) {
    (void)state;
    expect_argument(PAIRS(NULL, &bodies, i, k, 2, NULL, gaps, NULL, &error), "context is NULL");
    expect_argument(PAIRS(context, NULL, i, k, 2, NULL, gaps, NULL, &error), "bodies is NULL");
    expect_argument(PAIRS(context, &bodies, NULL, k, 2, NULL, gaps, NULL, &error), "i is NULL");
    expect_argument(PAIRS(context, &bodies, i, NULL, 2, NULL, gaps, NULL, &error), "k is NULL");
    expect_argument(PAIRS(context, &bodies, i, k, 2, NULL, NULL, NULL, &error), "nowhere to write gaps");
    expect_argument(TOI_PAIRS(NULL, &bodies, i, k, 2, NULL, impacts, &error), "context is NULL");
    expect_argument(TOI_PAIRS(context, NULL, i, k, 2, NULL, impacts, &error), "bodies is NULL");
    expect_argument(TOI_PAIRS(context, &bodies, NULL, k, 2, NULL, impacts, &error), "i is NULL");
    expect_argument(TOI_PAIRS(context, &bodies, i, k, 2, NULL, NULL, &error), "nowhere to write times");
    carom_distance_config config = carom_distance_config_default();
    uint8_t states[2];
    config.states = states;
    expect_argument(PAIRS(context, &bodies, i, k, 2, &config, NULL, NULL, &error),
                    "which config.states with detail STATE alone allows");
    config.detail = CAROM_GAP_STATE;
    assert_int_equal(PAIRS(context, &bodies, i, k, 2, &config, NULL, NULL, &error), CAROM_OK);
    config.states = NULL;
    expect_argument(PAIRS(context, &bodies, i, k, 2, &config, NULL, NULL, &error), "nowhere to write gaps");
    config.detail = CAROM_GAP_MANIFOLD;
    expect_argument(PAIRS(context, &bodies, i, k, 2, &config, gaps, NULL, &error), "nowhere to write manifolds");
    assert_int_equal(PAIRS(context, &bodies, i, k, 2, &config, gaps, manifolds, &error), CAROM_OK);
}

static void no_pairs_need_no_arrays(void **state) {
    (void)state;
    carom_distance_config config = carom_distance_config_default();
    config.detail = CAROM_GAP_MANIFOLD;
    assert_int_equal(PAIRS(context, &bodies, NULL, NULL, 0, &config, NULL, NULL, &error), CAROM_OK);
    assert_int_equal(TOI_PAIRS(context, &bodies, NULL, NULL, 0, NULL, NULL, &error), CAROM_OK);
}

static void wrong_configs_are_refused(void **state) {
    (void)state;
    carom_distance_config config = carom_distance_config_default();
    config.size = 3;
    expect_argument(PAIRS(context, &bodies, i, k, 2, &config, gaps, NULL, &error), "carom_distance_config.size is 3");
    config = carom_distance_config_default();
    config.detail = (carom_gap_detail)5;
    expect_argument(PAIRS(context, &bodies, i, k, 2, &config, gaps, NULL, &error), "config.detail is 5");
    config = carom_distance_config_default();
    config.reserved = 1;
    expect_argument(PAIRS(context, &bodies, i, k, 2, &config, gaps, NULL, &error), "config.reserved is 1");
    const double margins[] = {-1, (double)NAN, (double)INFINITY};
    const double tolerances[] = {-1, 0x1p-47, 0.6, (double)NAN};
    for (size_t n = 0; n < 3; n++) {
        config = carom_distance_config_default();
        config.margin = margins[n];
        expect_argument(PAIRS(context, &bodies, i, k, 2, &config, gaps, NULL, &error), "config.margin is ");
    }
    for (size_t n = 0; n < 4; n++) {
        config = carom_distance_config_default();
        config.tolerance = tolerances[n];
        expect_argument(PAIRS(context, &bodies, i, k, 2, &config, gaps, NULL, &error), "config.tolerance is ");
    }
    config.tolerance = 0x1p-46;
    assert_int_equal(PAIRS(context, &bodies, i, k, 2, &config, gaps, NULL, &error), CAROM_OK);
}

static void wrong_configs_of_times_are_refused(void **state) {
    (void)state;
    carom_toi_config config = carom_toi_config_default();
    config.size = 1;
    expect_argument(TOI_PAIRS(context, &bodies, i, k, 2, &config, impacts, &error), "carom_toi_config.size is 1");
    config = carom_toi_config_default();
    config.reserved = 7;
    expect_argument(TOI_PAIRS(context, &bodies, i, k, 2, &config, impacts, &error), "config.reserved is 7");
    config = carom_toi_config_default();
    config.margin = -1;
    expect_argument(TOI_PAIRS(context, &bodies, i, k, 2, &config, impacts, &error), "config.margin is -1");
    config = carom_toi_config_default();
    config.tolerance = 0x1p-41;
    expect_argument(TOI_PAIRS(context, &bodies, i, k, 2, &config, impacts, &error), "config.tolerance is ");
    config.tolerance = 0x1p-40;
    config.iterations_max = 1;
    assert_int_equal(TOI_PAIRS(context, &bodies, i, k, 2, &config, impacts, &error), CAROM_OK);
}

static void arrays_of_bodies_are_whole(void **state) {
    (void)state;
    bodies.prev_turn[2] = NULL;
    expect_both(CAROM_ERROR_ARGUMENT, UINT64_MAX, "", "bodies.prev_turn[2] is NULL, but bodies.prev_turn[0] is not");
    reset(NULL);
    bodies.spin[0] = NULL;
    expect_both(CAROM_ERROR_ARGUMENT, UINT64_MAX, "",
                "bodies.spin[0] is NULL, but bodies.spin[1] is not; give all three");
    reset(NULL);
    for (int a = 0; a < 4; a++) {
        bodies.curr_turn[a] = number[10 + a];
    }
    expect_both(CAROM_ERROR_ARGUMENT, UINT64_MAX, "", "bodies.curr_turn and bodies.spin are both given");
    bodies.spin[0] = bodies.spin[1] = bodies.spin[2] = NULL;
    assert_int_equal(distances(), CAROM_OK);
    bodies.curr_turn[1] = NULL;
    expect_both(CAROM_ERROR_ARGUMENT, UINT64_MAX, "", "bodies.curr_turn[1] is NULL, but");
}

static void strides_are_checked(void **state) {
    uint64_t *const strides[] = {&bodies.shape_stride, &bodies.prev_turn_stride, &bodies.spin_stride};
    static const char *const names[] = {"bodies.shape_stride", "bodies.prev_turn_stride", "bodies.spin_stride"};
    (void)state;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        reset(NULL);
        *strides[n] = 2;
        expect_both(CAROM_ERROR_ARGUMENT, UINT64_MAX, "", names[n]);
        *strides[n] = UINT64_MAX / 16 * 16;
        expect_both(CAROM_ERROR_ARGUMENT, UINT64_MAX, "", names[n]);
    }
    reset(NULL);
    bodies.curr_turn_stride = 1; /* of arrays that are not given */
    bodies.radius_stride = 1;
    assert_int_equal(distances(), CAROM_OK);
}

static void pairs_name_bodies(void **state) {
    (void)state;
    i[1] = BODIES;
    expect_both(CAROM_ERROR_ARGUMENT, UINT64_MAX, "", "i[1] is 4; there are 4 bodies");
    k[0] = UINT32_MAX;
    expect_both(CAROM_ERROR_ARGUMENT, UINT64_MAX, "", "k[0] is 4294967295; there are 4 bodies");
}

/* Each number of body `body`, with its name; those of the motion only matter to times of impact. */
static void bad_numbers_are_named(void **state) {
    static const struct {
        int column;
        const char *name;
        const char *whole;
        bool motion;
    } all[] = {{0, "prev_x", NULL, false},
               {2, "prev_z", NULL, false},
               {4, "curr_y", NULL, true},
               {6, "prev_turn_x", "prev_turn", false},
               {9, "prev_turn_w", "prev_turn", false},
               {15, "spin_y", NULL, true}};
    (void)state;
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        reset(NULL);
        number[all[n].column][1] = (carom_real)NAN;
        expect(times(), CAROM_ERROR_BODY, 1, all[n].name, "not a number");
        assert_int_equal(distances(), all[n].motion ? CAROM_OK : CAROM_ERROR_BODY);
        number[all[n].column][1] = -(carom_real)INFINITY;
        expect(times(), CAROM_ERROR_BODY, 1, all[n].name, "infinite");
        if (all[n].whole != NULL) {
            number[all[n].column][1] = 3;
            expect_both(CAROM_ERROR_BODY, 1, all[n].whole, "not 0.5 to 2");
        }
    }
    reset(NULL);
    number[9][2] = (carom_real)0.4;
    expect_both(CAROM_ERROR_BODY, 2, "prev_turn", "has length 0.4");
}

static void turns_to_are_checked(void **state) {
    (void)state;
    for (int a = 0; a < 4; a++) {
        bodies.curr_turn[a] = number[10 + a];
    }
    bodies.spin[0] = bodies.spin[1] = bodies.spin[2] = NULL;
    number[12][0] = (carom_real)NAN;
    expect(times(), CAROM_ERROR_BODY, 0, "curr_turn_z", "not a number");
    number[12][0] = 5;
    expect(times(), CAROM_ERROR_BODY, 0, "curr_turn", "length 5.0990195");
    assert_int_equal(distances(), CAROM_OK);
}

static void the_lowest_bad_body_is_told(void **state) {
    (void)state;
    i[0] = 3;
    shape[3] = SHAPES;
    expect_both(CAROM_ERROR_BODY, 3, "shape", "shape is 4; the table has 4");
    number[1][2] = (carom_real)NAN;
    expect_both(CAROM_ERROR_BODY, 2, "prev_y", "body 2: prev_y is not a number");
    i[0] = BODIES; /* comes first */
    expect_both(CAROM_ERROR_ARGUMENT, UINT64_MAX, "", "i[0] is 4");
}

static void bodies_that_no_pair_names_are_not_read(void **state) {
    (void)state;
    for (int n = 0; n < NUMBERS; n++) {
        number[n][3] = (carom_real)NAN;
    }
    shape[3] = UINT32_MAX;
    assert_int_equal(distances(), CAROM_OK);
    assert_int_equal(times(), CAROM_OK);
}

static void kinds_without_a_test_are_told(void **state) {
    (void)state;
    shape[1] = LINE;
    expect_both(CAROM_ERROR_BODY, 0, "shape", "there is no test for a box and a line");
    i[0] = 1;
    k[0] = 0;
    expect_both(CAROM_ERROR_BODY, 1, "shape", "there is no test for a line and a box");
    number[0][2] = (carom_real)NAN; /* comes first */
    expect_both(CAROM_ERROR_BODY, 2, "prev_x", "not a number");
}

static void infinite_shapes_do_not_turn(void **state) {
    (void)state;
    shape[1] = HALF_SPACE;
    number[15][1] = (carom_real)0.1;
    expect(times(), CAROM_ERROR_BODY, 1, "spin", "half-spaces and lines do not turn");
    bodies.spin[0] = bodies.spin[1] = bodies.spin[2] = NULL;
    for (int a = 0; a < 4; a++) {
        bodies.curr_turn[a] = number[10 + a];
    }
    number[10][1] = 1;
    expect(times(), CAROM_ERROR_BODY, 1, "curr_turn", "half-spaces and lines do not turn");
}

static void radii_of_spheres_are_checked(void **state) {
    const carom_real bad[] = {(carom_real)NAN, (carom_real)INFINITY, -1,
                              sizeof(carom_real) == 8 ? (carom_real)1e-51 : -2};
    (void)state;
    bodies.shapes = NULL;
    bodies.radius = number[17];
    assert_int_equal(distances(), CAROM_OK);
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        number[17][1] = bad[n];
        expect_both(CAROM_ERROR_BODY, 1, "radius", "body 1: radius ");
    }
    bodies.radius = NULL;
    expect_both(CAROM_ERROR_ARGUMENT, UINT64_MAX, "", "bodies.radius is NULL, and bodies.common_radius is 0");
    bodies.common_radius = -1;
    expect_both(CAROM_ERROR_BODY, 0, "radius", "radius -1 is neither 0 nor from 1e-50 to 1e50");
}

static void single_pairs_are_checked(void **state) {
    pose a = {.shape = BOX, .turn = {0, 0, 0, 1}};
    pose b = {.shape = BOX, .at = {3, 0, 0}};
    sweep s = {.move = {1, 0, 0}};
    (void)state;
    assert_int_equal(PAIR(shapes, &a, &b, NULL, gaps, NULL, &error), CAROM_OK);
    expect_argument(PAIR(NULL, &a, &b, NULL, gaps, NULL, &error), "shapes is NULL");
    expect_argument(PAIR(shapes, NULL, &b, NULL, gaps, NULL, &error), "i is NULL");
    expect_argument(PAIR(shapes, &a, NULL, NULL, gaps, NULL, &error), "k is NULL");
    expect_argument(PAIR(shapes, &a, &b, NULL, NULL, NULL, &error), "nowhere to write gaps");
    expect_argument(TOI_PAIR(shapes, &a, &s, &b, &s, NULL, NULL, &error), "nowhere to write times");
    b.reserved = 1;
    expect_argument(PAIR(shapes, &a, &b, NULL, gaps, NULL, &error), "k.reserved is 1");
    b.reserved = 0;
    s.spin[2] = (carom_real)NAN;
    expect(TOI_PAIR(shapes, &a, NULL, &b, &s, NULL, impacts, &error), CAROM_ERROR_BODY, 1, "spin_z", "not a number");
    expect(TOI_PAIR(shapes, &a, &s, &b, NULL, NULL, impacts, &error), CAROM_ERROR_BODY, 0, "spin_z", "not a number");
    s.move[1] = (carom_real)INFINITY;
    expect(TOI_PAIR(shapes, &a, &s, &b, NULL, NULL, impacts, &error), CAROM_ERROR_BODY, 0, "move_y", "infinite");
    b.turn[1] = (carom_real)0.25;
    expect(PAIR(shapes, &a, &b, NULL, gaps, NULL, &error), CAROM_ERROR_BODY, 1, "turn", "has length 0.25");
    b.at[0] = (carom_real)NAN;
    expect(PAIR(shapes, &a, &b, NULL, gaps, NULL, &error), CAROM_ERROR_BODY, 1, "at_x", "not a number");
    a.shape = SHAPES;
    expect(PAIR(shapes, &a, &b, NULL, gaps, NULL, &error), CAROM_ERROR_BODY, 0, "shape", "shape is 4");
}

static void raised_flags_cancel(void **state) {
    carom_cancel flag = {0};
    carom_distance_config config = carom_distance_config_default();
    carom_toi_config toi = carom_toi_config_default();
    const pose a = {.shape = BOX};
    (void)state;
    config.cancel = &flag;
    toi.cancel = &flag;
    assert_int_equal(PAIRS(context, &bodies, i, k, 2, &config, gaps, NULL, &error), CAROM_OK);
    carom_cancel_raise(&flag);
    for (uint64_t count = 0; count <= 2; count += 2) {
        expect(PAIRS(context, &bodies, i, k, count, &config, gaps, NULL, &error), CAROM_ERROR_CANCELLED, UINT64_MAX, "",
               "cancelled");
        expect(TOI_PAIRS(context, &bodies, i, k, count, &toi, impacts, &error), CAROM_ERROR_CANCELLED, UINT64_MAX, "",
               "cancelled");
    }
    expect(PAIR(shapes, &a, &a, &config, gaps, NULL, &error), CAROM_ERROR_CANCELLED, UINT64_MAX, "", "cancelled");
    expect(TOI_PAIR(shapes, &a, NULL, &a, NULL, &toi, impacts, &error), CAROM_ERROR_CANCELLED, UINT64_MAX, "",
           "cancelled");
    assert_int_equal(distances(), CAROM_OK);
}

/* A limit that is too low is told with one that is enough. */
static void memory_limits_hold(void **state) {
    carom_context_config config = carom_context_config_default();
    carom_context *small = NULL;
    (void)state;
    config.threads = 1;
    assert_int_equal(carom_context_create(&config, &small, NULL), CAROM_OK);
    config.memory_limit = carom_context_memory(small) + 64;
    carom_context_destroy(small);
    assert_int_equal(carom_context_create(&config, &small, NULL), CAROM_OK);
    expect(PAIRS(small, &bodies, i, k, 2, NULL, gaps, NULL, &error), CAROM_ERROR_MEMORY, UINT64_MAX, "",
           "no memory for the pairs: ");
    config.memory_limit = strtoull(strchr(error.message, ':') + 1, NULL, 10);
    expect(TOI_PAIRS(small, &bodies, i, k, 2, NULL, impacts, &error), CAROM_ERROR_MEMORY, UINT64_MAX, "",
           "no memory for the pairs: ");
    carom_context_destroy(small);
    assert_int_equal(carom_context_create(&config, &small, NULL), CAROM_OK);
    assert_int_equal(PAIRS(small, &bodies, i, k, 2, NULL, gaps, NULL, &error), CAROM_OK);
    carom_context_destroy(small);
}

static void queries_refuse_shapes(void **state) {
    CAROM_REAL(carom_query_answer) answer = {0};
    (void)state;
    expect_argument(CAROM_REAL(carom_query)(context, &bodies, NULL, &answer, &error), "knows spheres only");
}

/* A caller of version 0.2, whose bodies end before the shapes. */
static void older_bodies_are_spheres(void **state) {
    (void)state;
    bodies.size = 0;
    bodies.radius = number[17];
    assert_int_equal(distances(), CAROM_OK);
    assert_true(gaps[0].lower <= 1 && gaps[0].upper >= 1 && gaps[1].upper - gaps[1].lower < (carom_real)1e-5);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup(name, reset)
    const struct CMUnitTest tests[] = {
        TEST(valid_bodies_pass),
        TEST(missing_arguments_are_named),
        TEST(no_pairs_need_no_arrays),
        TEST(wrong_configs_are_refused),
        TEST(wrong_configs_of_times_are_refused),
        TEST(arrays_of_bodies_are_whole),
        TEST(strides_are_checked),
        TEST(pairs_name_bodies),
        TEST(bad_numbers_are_named),
        TEST(turns_to_are_checked),
        TEST(the_lowest_bad_body_is_told),
        TEST(bodies_that_no_pair_names_are_not_read),
        TEST(kinds_without_a_test_are_told),
        TEST(infinite_shapes_do_not_turn),
        TEST(radii_of_spheres_are_checked),
        TEST(single_pairs_are_checked),
        TEST(raised_flags_cancel),
        TEST(memory_limits_hold),
        TEST(queries_refuse_shapes),
        TEST(older_bodies_are_spheres),
    };
    return cmocka_run_group_tests_name("pair arguments", tests, make, release);
}
