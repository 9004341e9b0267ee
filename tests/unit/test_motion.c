/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Angles, rotation vectors and poses against libm's long double. Guards the error bounds that boxes and times of impact
 * add as margins, and the choice of the shorter way. */
#include <math.h>

#include "kernel/shape/exact_sign.h"
#include "simd/ref/angle.h"
#include "simd/ref/turn.h"
#include "tests/support/check.h"
#include "tests/support/moving_shapes.h"
#include "tests/support/note.h"

static const double PI = 3.14159265358979323846;

static void test_case_sine(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const double most = number % 4 == 0 ? 0x1p50 : CAROM_ANGLE_PLAIN;
    const double x = fmin(ldexp(carom_random_u01(&random) - 0.5, (int)(carom_random_next(&random) % 70) - 18), most);
    double sine;
    double cosine;
    carom_turn_sine_cosine(x, &sine, &cosine);
    const double bound = CAROM_ANGLE_ERROR + (fabs(x) > CAROM_ANGLE_PLAIN ? 0x1p-51 * fabs(x) : 0.0);
    note_case(number, "x = %a", x);
    note_check(fabsl(sine - sinl(x)) <= bound, "sine %a, is %.20Lg", sine, sinl(x));
    note_check(fabsl(cosine - cosl(x)) <= bound, "cosine %a, is %.20Lg", cosine, cosl(x));
}

static void test_sine(void **state) {
    (void)state;
    note_each_case(note_long() ? 100000000 : 300000, test_case_sine);
    double sine;
    double cosine;
    carom_turn_sine_cosine(0.0, &sine, &cosine);
    assert_true(sine >= 0.0 && sine <= 0.0 && cosine >= 1.0 && cosine <= 1.0);
    carom_turn_sine_cosine(1e300, &sine, &cosine);
    assert_true(fabs(sine) <= 1.0 && fabs(cosine) <= 1.0);
}

static void test_case_angle(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const double y = ldexp(carom_random_u01(&random), (int)(carom_random_next(&random) % 60) - 30);
    const double x = carom_random_u01(&random);
    const double angle = carom_angle_of(y, x);
    note_case(number, "y = %a, x = %a", y, x);
    note_check(fabsl(angle - atan2l(y, x)) <= CAROM_ANGLE_ERROR, "angle %a, is %.20Lg", angle, atan2l(y, x));
}

static void test_angle(void **state) {
    (void)state;
    note_each_case(note_long() ? 100000000 : 300000, test_case_angle);
    assert_true(carom_angle_of(0.0, 0.0) <= 0.0);
    assert_true(carom_angle_of(0.0, 1e-320) <= 0.0);
    assert_true(fabs(carom_angle_of(1e300, 1e-300) - 0.5 * PI) < 1e-15);
}

/* The greatest difference of two rotations' entries. */
static double apart(const long double a[3][3], const double b[3][3]) {
    long double most = 0.0L;
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            most = fmaxl(most, fabsl(a[r][c] - b[r][c]));
        }
    }
    return (double)most;
}

static carom_shape_entry point;

static carom_moving random_motion(carom_random *random, double angle) {
    carom_moving moving = {.shape = &point};
    double axis[3];
    moving_shapes_direction(random, axis);
    moving_shapes_turn(random, moving.turn);
    for (int d = 0; d < 3; d++) {
        moving.at[d] = carom_random_u01(random);
        moving.move[d] = carom_random_u01(random);
        moving.spin[d] = angle * axis[d];
    }
    return moving;
}

static void test_case_pose(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const double angle = ldexp(carom_random_u01(&random), (int)(carom_random_next(&random) % 40) - 20);
    const carom_moving moving = random_motion(&random, angle);
    const double t = number % 3 == 0 ? (double)(number % 2) : carom_random_u01(&random);
    carom_posed posed;
    long double turn[3][3];
    carom_motion_pose(&moving, t, &posed);
    moving_shapes_rotation(&moving, t, turn);
    note_case(number, "angle %a, t %a", angle, t);
    const double off = apart((const long double(*)[3])turn, (const double(*)[3])posed.turn);
    note_check(off <= carom_motion_error(angle, 1.0) + 0x1p-50, "rotation off by %g, promised %g", off,
               carom_motion_error(angle, 1.0));
}

static void test_pose(void **state) {
    (void)state;
    point.kind = CAROM_SHAPE_SPHERE;
    note_each_case(note_long() ? 10000000 : 100000, test_case_pose);
}

/* The way from one rotation to another ends there, is no longer than half a turn, and does not depend on the signs and
 * lengths of the quaternions. */
static void test_case_spin(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    carom_moving moving = random_motion(&random, 0.0);
    double to[4];
    double negative[4];
    double twice[4];
    moving_shapes_turn(&random, to);
    if (number % 2 == 0) {
        const double little = ldexp(1.0, -(int)(carom_random_next(&random) % 50));
        for (int d = 0; d < 4; d++) {
            to[d] = moving.turn[d] + little * to[d];
        }
    }
    for (int d = 0; d < 4; d++) {
        negative[d] = -to[d];
        twice[d] = 2.0 * to[d];
    }
    double spin[3];
    double other[3];
    note_case(number, "from %a %a %a %a", moving.turn[0], moving.turn[1], moving.turn[2], moving.turn[3]);
    carom_motion_spin(moving.turn, to, moving.spin);
    carom_motion_spin(moving.turn, negative, spin);
    carom_motion_spin(moving.turn, twice, other);
    for (int d = 0; d < 3; d++) {
        note_check(!(spin[d] < moving.spin[d]) && !(spin[d] > moving.spin[d]), "sign: %a, %a", spin[d], moving.spin[d]);
        note_check(!(other[d] < moving.spin[d]) && !(other[d] > moving.spin[d]), "length: %a", other[d]);
    }
    double axis[3];
    const double angle = carom_motion_angle(&moving, axis);
    note_check(angle <= PI * (1.0 + 0x1p-51), "angle %a", angle);
    long double turn[3][3];
    double end[3][3];
    moving_shapes_rotation(&moving, 1.0, turn);
    carom_pose_turn(to, end);
    const double off = apart((const long double(*)[3])turn, (const double(*)[3])end);
    note_check(off <= 0x1p-47, "the way ends %g beside its goal", off);
}

static void test_spin(void **state) {
    (void)state;
    note_each_case(note_long() ? 10000000 : 100000, test_case_spin);
}

/* Half a turn: one way, whatever the signs. Just less and just more: the shorter one. */
static void test_half_turn(void **state) {
    (void)state;
    const double from[4] = {0.0, 0.0, 0.0, 1.0};
    const double half[4] = {0.6, -0.8, 0.0, 0.0};
    const double negative[4] = {-0.6, 0.8, 0.0, 0.0};
    const double less[4] = {-0.6, 0.8, 0.0, 0x1p-300};
    const double more[4] = {-0.6, 0.8, 0.0, -0x1p-300};
    double spin[5][3];
    carom_motion_spin(from, half, spin[0]);
    carom_motion_spin(from, negative, spin[1]);
    carom_motion_spin(from, less, spin[2]);
    carom_motion_spin(from, more, spin[3]);
    carom_motion_spin(from, from, spin[4]);
    for (int d = 0; d < 3; d++) {
        assert_true(fabs(spin[1][d] - spin[0][d]) <= 0.0);
        assert_true(fabs(spin[2][d] + spin[0][d]) <= 0.0);
        assert_true(fabs(spin[3][d] - spin[0][d]) <= 0.0);
        assert_true(fabs(spin[4][d]) <= 0.0);
    }
    assert_true(fabs(spin[0][0] - 0.6 * PI) < 1e-15 && fabs(spin[0][1] + 0.8 * PI) < 1e-15);
}

__extension__ typedef __int128 wide;

/* Sums that cancel but for their last bits: the sign is that of exact arithmetic, done here in integers. */
static void test_case_sign(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    int64_t a[4];
    int64_t b[4];
    double scaled_a[4];
    double scaled_b[4];
    for (int d = 0; d < 4; d++) {
        a[d] = (int64_t)(carom_random_next(&random) >> 12) - (INT64_C(1) << 51);
        b[d] = (int64_t)(carom_random_next(&random) >> 12) - (INT64_C(1) << 51);
    }
    /* a0 b0 + a2 b2 is little, and a1 b1 + a3 b3 = 0: in this order a rounded sum has either sign. */
    const int64_t little = (int64_t)(carom_random_next(&random) % 3) - 1;
    a[2] = -a[0];
    b[2] = b[0] + little;
    a[3] = -a[1];
    b[3] = b[1];
    wide sum = 0;
    for (int d = 0; d < 4; d++) {
        sum += (wide)a[d] * b[d];
        scaled_a[d] = ldexp((double)a[d], -51);
        scaled_b[d] = ldexp((double)b[d], -51);
    }
    note_case(number, "little %d", (int)little);
    note_check(carom_exact_sign(scaled_a, scaled_b) == (sum > 0) - (sum < 0), "sign %d",
               carom_exact_sign(scaled_a, scaled_b));
}

static void test_sign(void **state) {
    (void)state;
    note_each_case(100000, test_case_sign);
}

int main(void) {
    note_start("tests/unit/test_motion");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sine), cmocka_unit_test(test_angle),     cmocka_unit_test(test_pose),
        cmocka_unit_test(test_spin), cmocka_unit_test(test_half_turn), cmocka_unit_test(test_sign),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
