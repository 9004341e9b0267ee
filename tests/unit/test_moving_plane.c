/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The bounds that times of impact are proved with, each against what it bounds: the bend of heights against their
 * second differences, the root of a parabola against its values, the time of bounding spheres against the quadratic
 * formula. */
#include <math.h>

#include "kernel/narrow/plane.h"
#include "simd/ref/proof.h"
#include "simd/vector.h"
#include "tests/support/check.h"
#include "tests/support/moving_shapes.h"
#include "tests/support/note.h"

static moving_shape shape[2];
static carom_moving body[2];

static double between(carom_random *random, double lo, double hi) {
    return lo + (hi - lo) * carom_random_u01(random);
}

static void draw_pair(carom_random *random, carom_approach *pair) {
    for (int b = 0; b < 2; b++) {
        double axis[3];
        moving_shapes_draw(random, CAROM_SHAPE_HULL, 1.0, &shape[b]);
        moving_shapes_direction(random, axis);
        body[b] = (carom_moving){.shape = shape[b].entry};
        moving_shapes_turn(random, body[b].turn);
        const double angle = between(random, 0.0, 8.0);
        for (int d = 0; d < 3; d++) {
            body[b].at[d] = between(random, -3.0, 3.0);
            body[b].move[d] = between(random, -3.0, 3.0);
            body[b].spin[d] = angle * axis[d];
        }
    }
    carom_track_make(&body[0], 0, &pair->i);
    carom_track_make(&body[1], 0, &pair->k);
    carom_approach_set(pair, 0.0);
}

/* n(t).(a(t) - b(t)) for vertex a of i and b of k, in long double. */
static long double height_of(const carom_approach *pair, const carom_turning *plane, const uint32_t vertex[2],
                             long double t) {
    carom_moving normal = {.shape = shape[0].entry, .turn = {0.0, 0.0, 0.0, 1.0}};
    long double n[3][3];
    long double turn[2][3][3];
    long double height = 0.0L;
    for (int d = 0; d < 3; d++) {
        normal.spin[d] = plane->axis[d] * plane->angle;
    }
    moving_shapes_rotation(&normal, (double)t - plane->t, n);
    moving_shapes_rotation(&body[0], (double)t, turn[0]);
    moving_shapes_rotation(&body[1], (double)t, turn[1]);
    for (int d = 0; d < 3; d++) {
        long double x = pair->course.p[d] + t * pair->course.u[d];
        for (int c = 0; c < 3; c++) {
            x += turn[0][d][c] * shape[0].vertex[0][c][vertex[0]] - turn[1][d][c] * shape[1].vertex[0][c][vertex[1]];
        }
        height += x * (n[d][0] * plane->normal[0] + n[d][1] * plane->normal[1] + n[d][2] * plane->normal[2]);
    }
    return height;
}

static void case_bend(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    carom_approach pair;
    carom_turning plane;
    double n[3];
    double spin[3];
    draw_pair(&random, &pair);
    moving_shapes_direction(&random, n);
    moving_shapes_direction(&random, spin);
    const double rate = number % 3 == 0 ? 0.0 : between(&random, 0.0, 4.0);
    for (int d = 0; d < 3; d++) {
        spin[d] = number % 3 == 1 ? body[number % 2].spin[d] : rate * spin[d];
    }
    carom_plane_make(n, 0.0, spin, &plane);
    const double bend = carom_plane_bend(&plane, &pair);
    note_case(number, "plane turns by %g", plane.angle);
    for (int m = 0; m < 20; m++) {
        const uint32_t vertex[2] = {(uint32_t)(carom_random_next(&random) % shape[0].hull[0].vertex_count),
                                    (uint32_t)(carom_random_next(&random) % shape[1].hull[0].vertex_count)};
        const double step = 0x1p-12;
        const double t = between(&random, step, 1.0 - step);
        const long double second =
            (height_of(&pair, &plane, vertex, t - step) + height_of(&pair, &plane, vertex, t + step) -
             2.0L * height_of(&pair, &plane, vertex, t)) /
            (step * step);
        note_check(second <= bend + 1e-4, "at %g it bends by %Lg, bound %g", t, second, bend);
    }
}

static void test_bend(void **state) {
    (void)state;
    note_each_case(note_long() ? 300000 : 3000, case_bend);
}

/* The computed height is no greater than the exact one of any two vertices. */
static void case_height(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    carom_approach pair;
    carom_turning plane;
    double n[3];
    double spin[3];
    draw_pair(&random, &pair);
    moving_shapes_direction(&random, n);
    moving_shapes_direction(&random, spin);
    carom_plane_make(n, 0.25, spin, &plane);
    const double t = between(&random, 0.0, 1.0);
    const double height = carom_plane_height(&plane, &pair, t);
    long double least = HUGE_VALL;
    for (uint32_t a = 0; a < shape[0].hull[0].vertex_count; a++) {
        for (uint32_t b = 0; b < shape[1].hull[0].vertex_count; b++) {
            least = fminl(least, height_of(&pair, &plane, (const uint32_t[2]){a, b}, t));
        }
    }
    note_case(number, "t = %g", t);
    note_check(height <= least, "height %.17g, exact %.17Lg", height, least);
    note_check(height >= least - 3.0 * pair.course.height_error - 20.0 * CAROM_HEIGHT_ERROR,
               "height %.17g, exact %.17Lg", height, least);
}

static void test_height(void **state) {
    (void)state;
    note_each_case(note_long() ? 30000 : 300, case_height);
}

static long double parabola(double a, double b, double bend, long double x) {
    return a * (1.0L - x) + b * x - bend * x * (1.0L - x);
}

/* The parabola is positive before the root and, if it is 1, up to and with 1; and the root is not far too small. */
static void case_root(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const double a = ldexp(between(&random, 0.5, 1.0), (int)(carom_random_next(&random) % 60) - 30);
    double b = ldexp(between(&random, -1.0, 1.0), (int)(carom_random_next(&random) % 60) - 30);
    double bend = ldexp(between(&random, 0.0, 1.0), (int)(carom_random_next(&random) % 60) - 30);
    if (number % 3 == 0) { /* two roots that nearly are one */
        b = fabs(b);
        bend = (sqrt(a) + sqrt(b)) * (sqrt(a) + sqrt(b)) * (1.0 + ldexp(between(&random, -1.0, 1.0), -40));
    }
    const double root = carom_chord_root_of(a, b, bend);
    note_case(number, "a %a, b %a, bend %a", a, b, bend);
    note_check(root >= 0.0 && root <= 1.0, "root %g", root);
    for (int n = 0; n <= 200; n++) {
        const long double x = root * (n / 200.0L);
        note_check((n == 200 && root < 1.0) || parabola(a, b, bend, x) > 0.0L, "not positive at %Lg of %g", x, root);
    }
    const long double least = fminl((long double)root * 1.001L + 1e-9L, 1.0L);
    note_check(root >= 1.0 || number % 3 == 0 || parabola(a, b, bend, least) < 0.01L * a, "root %g is too small", root);
}

static void test_root(void **state) {
    (void)state;
    note_each_case(note_long() ? 10000000 : 20000, case_root);
}

/* Bounding spheres touch no earlier than the time says, and not much later. */
static void case_spheres(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    carom_approach pair;
    draw_pair(&random, &pair);
    if (number % 2 == 0) { /* grazing */
        double side[3];
        double unit[3] = {1.0, 0.0, 0.0};
        moving_shapes_direction(&random, side);
        (void)carom_vector_unit(pair.course.u, unit);
        carom_vector_add(side, -carom_vector_dot(side, unit), unit, side);
        (void)carom_vector_unit(side, side);
        for (int d = 0; d < 3; d++) {
            pair.course.p[d] =
                side[d] * pair.reach * (1.0 + ldexp(between(&random, -1.0, 1.0), -45)) - 0.5 * pair.course.u[d];
        }
    }
    const double t = carom_approach_spheres(&pair);
    note_case(number, "reach %g", pair.reach);
    for (int n = 0; n <= 1000; n++) {
        const long double x = n / 1000.0L;
        long double square = 0.0L;
        for (int d = 0; d < 3; d++) {
            const long double c = pair.course.p[d] + x * pair.course.u[d];
            square += c * c;
        }
        note_check(x >= t || square > (long double)pair.reach * pair.reach, "t = %.17g, but they touch at %Lg", t, x);
    }
    long double square = 0.0L;
    for (int d = 0; d < 3; d++) {
        const long double c = pair.course.p[d] + (long double)t * pair.course.u[d];
        square += c * c;
    }
    note_check(t > 1.0 || sqrtl(square) <= pair.reach * (1.0 + 1e-6), "t = %g, but they are %Lg apart", t,
               sqrtl(square) - pair.reach);
}

static void test_spheres(void **state) {
    (void)state;
    note_each_case(note_long() ? 300000 : 3000, case_spheres);
}

int main(void) {
    note_start("tests/unit/test_moving_plane");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bend),
        cmocka_unit_test(test_height),
        cmocka_unit_test(test_root),
        cmocka_unit_test(test_spheres),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
