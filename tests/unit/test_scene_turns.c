/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Rotations that go on from step to step, against libm's long double: how exact one step is and how long its
 * quaternion, spins between two rotations, and what thousands of steps add up to. */
#include <math.h>
#include <string.h>

#include "kernel/scene/turn.h"
#include "tests/support/check.h"
#include "tests/support/moving_shapes.h"
#include "tests/support/note.h"

static const double PI = 3.14159265358979323846;

static const double TURN_ERROR = 0x1p-48;   /* of a component after a step of less than a turn */
static const double LENGTH_ERROR = 0x1p-51; /* of a quaternion's length after a step */
static const double SPIN_ERROR = 0x1p-48;   /* in radians, of a component */

/* exp([spin]) times `turn`, of length 1. */
static void exact_step(const double turn[4], const double spin[3], long double end[4]) {
    const long double x = spin[0];
    const long double y = spin[1];
    const long double z = spin[2];
    const long double angle = sqrtl(x * x + y * y + z * z);
    const long double scale = angle > 0.0L ? sinl(0.5L * angle) / angle : 0.0L;
    const long double a[4] = {scale * x, scale * y, scale * z, cosl(0.5L * angle)};
    const long double length = sqrtl((long double)turn[0] * turn[0] + (long double)turn[1] * turn[1] +
                                     (long double)turn[2] * turn[2] + (long double)turn[3] * turn[3]);
    const long double b[4] = {turn[0] / length, turn[1] / length, turn[2] / length, turn[3] / length};
    end[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    end[1] = a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2];
    end[2] = a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0];
    end[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

static long double length_of(const double q[4]) {
    return sqrtl((long double)q[0] * q[0] + (long double)q[1] * q[1] + (long double)q[2] * q[2] +
                 (long double)q[3] * q[3]);
}

static void draw_turn(carom_random *random, double turn[4]) {
    const double length = 0.5 + 1.5 * carom_random_u01(random);
    moving_shapes_turn(random, turn);
    for (int d = 0; d < 4; d++) {
        turn[d] *= length / (double)length_of(turn);
    }
}

static void draw_spin(carom_random *random, double angle, double spin[3]) {
    moving_shapes_direction(random, spin);
    for (int d = 0; d < 3; d++) {
        spin[d] *= angle;
    }
}

static void test_case_step(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const double angle = ldexp(2.0 * PI * carom_random_u01(&random), -(int)(carom_random_next(&random) % 40));
    double turn[4];
    double spin[3];
    double end[4];
    long double exact[4];
    draw_turn(&random, turn);
    draw_spin(&random, angle, spin);
    carom_scene_turn_on(turn, spin, end);
    exact_step(turn, spin, exact);
    note_case(number, "angle %a", angle);
    note_check(fabsl(length_of(end) - 1.0L) <= LENGTH_ERROR, "length %.20Lg", length_of(end));
    for (int d = 0; d < 4; d++) {
        note_check(fabsl(end[d] - exact[d]) <= TURN_ERROR, "component %d is %a, not %.20Lg", d, end[d], exact[d]);
    }
    carom_scene_turn_on(turn, spin, turn);
    note_check(memcmp(turn, end, sizeof end) == 0, "in place the bits differ");
}

static void test_step(void **state) {
    (void)state;
    note_each_case(note_long() ? 30000000 : 100000, test_case_step);
}

/* The spin between a rotation and the one a step later is that of the step, whatever signs and lengths they have. */
static void test_case_between(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const double angle =
        ldexp(PI * (1.0 - 0x1p-30) * carom_random_u01(&random), -(int)(carom_random_next(&random) % 40));
    double from[4];
    double to[4];
    double spin[3];
    double found[3];
    draw_turn(&random, from);
    draw_spin(&random, angle, spin);
    carom_scene_turn_on(from, spin, to);
    const double scale = (number % 2 == 0 ? 1.0 : -1.0) * (0.5 + carom_random_u01(&random));
    for (int d = 0; d < 4; d++) {
        to[d] *= scale;
    }
    carom_scene_turn_between(from, to, found);
    note_case(number, "angle %a", angle);
    for (int d = 0; d < 3; d++) {
        note_check(fabs(found[d] - spin[d]) <= SPIN_ERROR, "component %d is %a, not %a", d, found[d], spin[d]);
    }
}

static void test_between(void **state) {
    (void)state;
    note_each_case(note_long() ? 30000000 : 100000, test_case_between);
}

static void check_between(const double from[4], const double to[4], double x, double y, double z) {
    double spin[3];
    carom_scene_turn_between(from, to, spin);
    assert_true(fabs(spin[0] - x) <= SPIN_ERROR && fabs(spin[1] - y) <= SPIN_ERROR && fabs(spin[2] - z) <= SPIN_ERROR);
}

/* Of two ways of half a turn the positive one; none for one rotation. */
static void test_half_turns(void **state) {
    (void)state;
    static const double none[4] = {0, 0, 0, 1};
    static const double z[4] = {0, 0, 1, 0};
    static const double minus_z[4] = {0, 0, -2, 0};
    static const double xy[4] = {-0.6, 0.8, 0, 0};
    static const double some[4] = {0.3, -0.7, 0.1, 0.9};
    static const double minus_some[4] = {-0.3, 0.7, -0.1, -0.9};
    check_between(none, z, 0, 0, PI);
    check_between(none, minus_z, 0, 0, PI);
    check_between(z, none, 0, 0, PI);
    check_between(none, xy, 0.6 * PI, -0.8 * PI, 0);
    check_between(some, some, 0, 0, 0);
    check_between(some, minus_some, 0, 0, 0);
}

/* A body without spin keeps its quaternion to the bit, whatever its length; one whose spin says nothing gets some. */
static void test_no_spin(void **state) {
    (void)state;
    const double some[4] = {0.3, -0.7, 0.1, 1.1};
    const double still[3] = {0, 0, 0};
    const double wild[3] = {0, 1e300, 1e300};
    double end[4];
    carom_scene_turn_on(some, still, end);
    assert_memory_equal(end, some, sizeof some);
    carom_scene_turn_on(some, wild, end);
    assert_true(fabsl(length_of(end) - 1.0L) <= LENGTH_ERROR);
}

/* Errors of many steps add up, but lengths do not change. */
static void test_many_steps(void **state) {
    (void)state;
    enum { STEPS = 100000 };
    const double spin[3] = {0.3, -0.1, 0.2};
    const double start[4] = {0, 0, 0, 2};
    const double all[3] = {STEPS * 0.3, STEPS * -0.1, STEPS * 0.2};
    double turn[4] = {0, 0, 0, 2};
    long double exact[4];
    for (int n = 0; n < STEPS; n++) {
        carom_scene_turn_on(turn, spin, turn);
    }
    exact_step(start, all, exact);
    assert_true(fabsl(length_of(turn) - 1.0L) <= LENGTH_ERROR);
    for (int d = 0; d < 4; d++) {
        assert_true(fabsl(turn[d] - exact[d]) <= STEPS * TURN_ERROR);
    }
}

int main(void) {
    note_start("tests/unit/test_scene_turns");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_step),    cmocka_unit_test(test_between),    cmocka_unit_test(test_half_turns),
        cmocka_unit_test(test_no_spin), cmocka_unit_test(test_many_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
