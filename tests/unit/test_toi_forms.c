/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Times of impact whose exact value is known: spheres, a rod that turns past a corner, a box that tips onto a floor, a
 * sphere that flies at a spinning rod. And the cases that break searches: rest, overlap, identical bodies, grazing,
 * huge and tiny numbers. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "kernel/narrow/toi.h"
#include "tests/support/check.h"
#include "tests/support/moving_shapes.h"
#include "tests/support/note.h"

static const double TOLERANCE = 1e-9;

static carom_toi_found find(const carom_moving *i, const carom_moving *k, double margin) {
    const carom_toi_task task = {.margin = margin, .tolerance = TOLERANCE, .iterations_max = 64};
    carom_toi_found found;
    carom_toi_find(i, k, &task, &found);
    return found;
}

static carom_shape_entry make(carom_shape_kind kind, double radius, double x, double y, double z) {
    carom_shape_entry entry;
    moving_shapes_set(&entry, kind, radius, (const double[3]){x, y, z});
    return entry;
}

static carom_moving put(const carom_shape_entry *shape, double x, double y, double z) {
    return (carom_moving){.shape = shape, .at = {x, y, z}, .turn = {0.0, 0.0, 0.0, 1.0}};
}

/* The time is not late, and early by no more than the gap takes at the speed at which it closes. */
static void check_time(const carom_toi_found *found, long double exact, double speed, double size) {
    note_check(found->state == CAROM_TOI_HIT, "state %d after %u looks, t %g, gap %g", (int)found->state,
               found->iterations, found->t, found->gap);
    note_check(found->t <= exact, "t = %.17g is later than %.17Lg", found->t, exact);
    note_check(found->t >= exact - 2.0 * TOLERANCE * size / speed - 1e-14, "t = %.17g, exact %.17Lg", found->t, exact);
}

static void case_spheres(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const carom_shape_entry a = make(CAROM_SHAPE_SPHERE, 0.1 + carom_random_u01(&random), 0, 0, 0);
    const carom_shape_entry b = make(CAROM_SHAPE_SPHERE, 0.1 + carom_random_u01(&random), 0, 0, 0);
    carom_moving i = put(&a, 0, 0, 0);
    carom_moving k = put(&b, 0, 0, 0);
    const double margin = number % 2 == 0 ? 0.0 : 0.3;
    moving_shapes_direction(&random, i.at);
    long double aa = 0.0L;
    long double bb = 0.0L;
    long double cc = -powl((long double)a.radius + b.radius + margin, 2);
    for (int d = 0; d < 3; d++) {
        i.at[d] *= 3.0;
        i.move[d] = -1.5 * i.at[d] + 2.0 * (carom_random_u01(&random) - 0.5);
        k.move[d] = 0.1 * carom_random_u01(&random);
        i.spin[d] = 100.0 * carom_random_u01(&random);
        const long double u = (long double)i.move[d] - k.move[d];
        aa += u * u;
        bb += u * i.at[d];
        cc += (long double)i.at[d] * i.at[d];
    }
    const long double square = bb * bb - aa * cc;
    const carom_toi_found found = find(&i, &k, margin);
    note_case(number, "radii %g and %g", a.radius, b.radius);
    if (square > 1e-3L && bb < 0.0L && cc > 0.0L && (-bb - sqrtl(square)) / aa < 0.999L) {
        const double speed = (double)(sqrtl(square) / (a.radius + b.radius + margin));
        check_time(&found, (-bb - sqrtl(square)) / aa, speed, fmin(a.radius, b.radius));
    } else if (square < -1e-3L || bb > 0.0L) {
        note_check(found.state == CAROM_TOI_NONE, "state %d", (int)found.state);
    }
}

static void test_spheres(void **state) {
    (void)state;
    note_each_case(20000, case_spheres);
}

/* A sphere flies up to ten thousand radii in the step: the time is as exact as its gap asks all the same. */
static void test_fast(void **state) {
    (void)state;
    const carom_shape_entry ball = make(CAROM_SHAPE_SPHERE, 1.0, 0, 0, 0);
    const carom_shape_entry box = make(CAROM_SHAPE_BOX, 0, 1.0, 1.0, 1.0);
    for (int n = 0; n < 5; n++) {
        const double way = pow(10.0, n);
        carom_moving i = put(&ball, 0.75 * way, 0.1, 0.2);
        const carom_moving k = put(&box, 0, 0, 0);
        i.move[0] = -way;
        note_case((uint64_t)n, "a way of %g", way);
        const carom_toi_found found = find(&i, &k, 0.0);
        check_time(&found, fmaxl((0.75L * way - 2.0L) / way, 0.0L), way, 1.0);
    }
}

/* A rod in the plane z = 0 turns about its middle towards the upright edge of a block at (0.6, 0.3): the edge is as far
 * from the rod's axis as the rod is thick when sin(edge's angle - rod's angle) = radius / edge's distance. */
static void test_corner(void **state) {
    (void)state;
    const carom_shape_entry rod = make(CAROM_SHAPE_CAPSULE, 0.02, 0, 0, 1.0);
    const carom_shape_entry block = make(CAROM_SHAPE_BOX, 0, 0.25, 0.5, 2.0);
    const double spins[] = {0.5, 1.0, 3.0, 6.0, 50.0, 1000.0};
    for (int n = 0; n < 6; n++) {
        carom_moving i = put(&rod, 0, 0, 0);
        const carom_moving k = put(&block, 0.6 - 0.25, 0.3 + 0.5, 0);
        i.turn[1] = sqrt(0.5);
        i.turn[3] = sqrt(0.5);
        i.spin[2] = spins[n];
        note_case((uint64_t)n, "spin %g", spins[n]);
        const long double x = 0.6L;
        const long double y = 0.3L;
        const long double angle = atan2l(y, x) - asinl(0.02L / sqrtl(x * x + y * y));
        const carom_toi_found found = find(&i, &k, 0.0);
        check_time(&found, angle / spins[n] + 1e-16L, spins[n] * 0.6, 1.0);
    }
}

/* A box whose middle is at a height of 1.1 above the floor, half extents 0.5 and 1: its lowest corner is
 * 0.5 sin a + cos a below the middle. It turns about z, and sinks in the second case. */
static void test_tipping(void **state) {
    (void)state;
    const carom_shape_entry box = make(CAROM_SHAPE_BOX, 0, 0.5, 1.0, 0.7);
    const carom_shape_entry floor_shape = make(CAROM_SHAPE_BOX, 0, 20.0, 2.0, 20.0);
    const long double exact = atan2l(0.5L, 1.0L) - acosl(1.1L / sqrtl(1.25L));
    for (int n = 0; n < 4; n++) {
        carom_moving i = put(&box, 0, 1.1, 0);
        carom_moving k = put(&floor_shape, 0, -2.0, 0);
        carom_moving *turning = &i;
        turning->spin[2] = n < 2 ? 0.4 : -0.4;
        turning->move[0] = n % 2 == 0 ? 0.0 : 0.7;
        note_case((uint64_t)n, "spin %g", turning->spin[2]);
        const carom_toi_found found = n % 2 == 0 ? find(&i, &k, 0.0) : find(&k, &i, 0.0);
        check_time(&found, exact / 0.4L + 1e-16L, 0.4 * 0.3, 2.0);
    }
}

/* The same box above a half-space, which also lies on its side, and either body first. */
static void test_half_space(void **state) {
    (void)state;
    const carom_shape_entry box = make(CAROM_SHAPE_BOX, 0, 0.5, 1.0, 0.7);
    const carom_shape_entry ground = {.kind = CAROM_SHAPE_HALF_SPACE, .reach = HUGE_VAL, .core_reach = HUGE_VAL};
    const long double exact = atan2l(0.5L, 1.0L) - acosl(1.1L / sqrtl(1.25L));
    for (int n = 0; n < 4; n++) {
        carom_moving i = put(&box, 3.0, n < 2 ? 1.1 : 2.0, 7.0);
        carom_moving k = put(&ground, 0, 0, 0);
        k.turn[0] = -sqrt(0.5);
        k.turn[3] = sqrt(0.5);
        i.spin[2] = n < 2 ? 0.4 : 0.0;
        i.move[1] = n < 2 ? 0.0 : -2.0;
        note_case((uint64_t)n, "turns by %g", i.spin[2]);
        const carom_toi_found found = n % 2 == 0 ? find(&i, &k, 0.0) : find(&k, &i, 0.0);
        check_time(&found, n < 2 ? exact / 0.4L + 1e-15L : 0.5L + 1e-15L, n < 2 ? 0.12 : 2.0, 2.0);
    }
}

/* A capsule turns about its end's height onto the z axis: at a distance of 0.9 of it, its tip comes as close as its
 * radius when 0.9 - sin(angle) = radius. */
static void test_line(void **state) {
    (void)state;
    const carom_shape_entry rod = make(CAROM_SHAPE_CAPSULE, 0.1, 0, 0, 1.0);
    const carom_shape_entry line = {.kind = CAROM_SHAPE_LINE, .reach = HUGE_VAL, .core_reach = HUGE_VAL};
    for (int n = 0; n < 4; n++) {
        carom_moving i = put(&rod, 0.9, 0, 0.3);
        const carom_moving k = put(&line, 0, 0, 0);
        const double speed = n < 2 ? 1.5 : 60.0;
        i.spin[1] = n % 2 == 0 ? speed : -speed;
        note_case((uint64_t)n, "turns by %g", i.spin[1]);
        const carom_toi_found found = n % 2 == 0 ? find(&i, &k, 0.0) : find(&k, &i, 0.0);
        check_time(&found, asinl(0.8L) / speed + 1e-15L, 0.3 * speed, 1.1);
    }
}

/* The distance of the sphere's middle from a rod in the plane z = 0 at t. */
static long double rod_distance(long double x, long double y, long double half, long double angle) {
    const long double along = x * cosl(angle) + y * sinl(angle);
    const long double across = -x * sinl(angle) + y * cosl(angle);
    return hypotl(fmaxl(fabsl(along) - half, 0.0L), across);
}

/* A sphere flies at a rod that spins 0.1 to 40 times. The exact time is found by steps that cannot pass it. */
static void case_spinning_rod(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const carom_shape_entry rod = make(CAROM_SHAPE_CAPSULE, 0.05, 0, 0, 1.0);
    const carom_shape_entry ball = make(CAROM_SHAPE_SPHERE, 0.2, 0, 0, 0);
    carom_moving i = put(&ball, 3.0, carom_random_u01(&random), 0);
    carom_moving k = put(&rod, 0, 0, 0);
    i.move[0] = -1.5 - carom_random_u01(&random);
    k.turn[1] = sqrt(0.5);
    k.turn[3] = sqrt(0.5);
    k.spin[2] = 0.6 * pow(400.0, carom_random_u01(&random));
    long double t = 0.0L;
    const long double most = fabs(i.move[0]) + k.spin[2] * 3.0;
    const long double touch = (long double)rod.radius + ball.radius;
    while (t <= 1.0L) {
        const long double gap = rod_distance(3.0L + t * i.move[0], i.at[1], 1.0L, t * k.spin[2]) - touch;
        if (gap < 1e-14L) {
            break;
        }
        t += gap / most;
    }
    note_case(number, "spin %g", k.spin[2]);
    const carom_toi_found found = find(&i, &k, 0.0);
    if (t > 1.0L) {
        note_check(found.state == CAROM_TOI_NONE, "state %d at %g", (int)found.state, found.t);
        return;
    }
    note_check(found.state == CAROM_TOI_HIT, "state %d after %u looks", (int)found.state, found.iterations);
    note_check(found.t <= t + 1e-13L, "t = %.17g is later than %.17Lg", found.t, t);
    const long double gap = rod_distance(3.0L + found.t * i.move[0], i.at[1], 1.0L, found.t * k.spin[2]) - touch;
    note_check(gap <= 1.01L * TOLERANCE * ball.reach && found.t >= t - 1e-4L, "t = %.17g, exact %.17Lg", found.t, t);
}

static void test_spinning_rod(void **state) {
    (void)state;
    note_each_case(3000, case_spinning_rod);
}

/* Shapes that spin about the line on which they meet, seen from margins that are large beside what is left: rough
 * brackets of the distance must not reach below them. */
static void test_margins(void **state) {
    const carom_shape_entry box = make(CAROM_SHAPE_BOX, 0, 0.5, 0.5, 0.5);
    const carom_shape_entry shapes[] = {box, make(CAROM_SHAPE_CAPSULE, 0.5, 0, 0, 0.4),
                                        make(CAROM_SHAPE_CYLINDER, 0.5, 0.5, 0.5, 0.7)};
    (void)state;
    for (uint64_t n = 0; n < 30; n++) {
        const double margin = 0.01 + 0.19 * (double)(n / 3);
        carom_moving i = put(&shapes[n % 3], 3.0, 0.0, 0.0);
        carom_moving k = put(&box, 0.0, 0.0, 0.0);
        i.move[0] = -2.5;
        i.spin[0] = 1.0;
        k.spin[0] = -0.5;
        const carom_toi_found found = find(&i, &k, margin);
        note_case(n, "margin %g", margin);
        check_time(&found, (2.0L - margin) / 2.5L, 2.5, 0.5);
    }
}

static void test_rest(void **state) {
    (void)state;
    for (int kind = CAROM_SHAPE_SPHERE; kind <= CAROM_SHAPE_ELLIPSOID; kind++) {
        const carom_shape_entry shape = make((carom_shape_kind)kind, 0.5, 0.5, 0.5, 0.5);
        carom_moving i = put(&shape, 2.5, 0, 0);
        carom_moving k = put(&shape, 0, 0, 0);
        note_case((uint64_t)kind, "at rest");
        carom_toi_found found = find(&i, &k, 0.0);
        note_check(found.state == CAROM_TOI_NONE && found.t >= 1.0 && found.iterations == 1,
                   "apart: state %d, %u looks", (int)found.state, found.iterations);
        note_check(found.gap >= 1.5 && found.gap < 2.0, "apart: gap %g", found.gap);
        found = find(&i, &k, 1.6);
        note_check(found.state == CAROM_TOI_HIT && found.t <= 0.0, "within the margin: state %d", (int)found.state);
        i.at[0] = 1.0;
        found = find(&i, &k, 0.0);
        note_check(found.state == CAROM_TOI_HIT && found.t <= 0.0, "touching: state %d", (int)found.state);
        i.at[0] = 0.0;
        found = find(&i, &k, 0.0);
        note_check(found.state == CAROM_TOI_HIT && found.t <= 0.0, "identical: state %d", (int)found.state);
        i.spin[1] = 3.0;
        i.move[2] = 1.0;
        found = find(&i, &k, 0.0);
        note_check(found.state == CAROM_TOI_HIT && found.t <= 0.0, "in overlap: state %d", (int)found.state);
    }
}

/* A rod whose tip passes a sphere by a little, or touches it by as much: at a distance of the rod's reach. */
static void test_grazing(void **state) {
    (void)state;
    const carom_shape_entry rod = make(CAROM_SHAPE_CAPSULE, 0.125, 0, 0, 1.0);
    const carom_shape_entry ball = make(CAROM_SHAPE_SPHERE, 0.25, 0, 0, 0);
    for (int n = -40; n <= 40; n++) {
        const double miss = n == 0 ? 0.0 : copysign(pow(10.0, -0.4 * abs(n)), n);
        carom_moving i = put(&rod, 0, 0, 0);
        const carom_moving k = put(&ball, 0, 1.375 + miss, 0);
        i.turn[1] = sqrt(0.5);
        i.turn[3] = sqrt(0.5);
        i.spin[2] = 3.0;
        note_case((uint64_t)(n + 40), "passes by %g", miss);
        const carom_toi_found found = find(&i, &k, 0.0);
        note_check(found.iterations <= 64 && found.state != CAROM_TOI_CAPPED, "%u looks, capped at %g, gap %g",
                   found.iterations, found.t, found.gap);
        note_check(found.state == CAROM_TOI_HIT || miss > 0.0, "missed");
        note_check(found.state == CAROM_TOI_NONE || miss <= 0.25 * TOLERANCE, "hit");
        note_check(found.state == CAROM_TOI_NONE || found.t <= 0.5236, "late: %g", found.t);
    }
}

/* Whatever the numbers, it ends, and with numbers. */
static void test_extremes(void **state) {
    (void)state;
    const double sizes[] = {0.0, 1e-50, 1e-6, 1.0, 1e6, 1e50};
    const double ways[] = {0.0, 1e-320, 1e-100, 1e-9, 1.0, 1e9, 1e60, 1e100, 1e300};
    const double spins[] = {0.0, 1e-310, 1e-9, 1.0, 1e6, 1e15, 1e17, 1e300};
    for (int n = 0; n < 6 * 9 * 8; n++) {
        const double size = sizes[n % 6];
        const double way = ways[n / 6 % 9];
        const carom_shape_entry box = make(CAROM_SHAPE_BOX, 0, size, size, 0.5 * size);
        const carom_shape_entry other = make(CAROM_SHAPE_CYLINDER, size, 0, 0, size);
        carom_moving i = put(&box, way, 0.5 * way, size);
        carom_moving k = put(&other, 0, 0, 0);
        i.move[0] = -1.5 * way;
        k.move[1] = way;
        i.spin[0] = spins[n / 54];
        k.spin[1] = -spins[n / 54];
        note_case((uint64_t)n, "size %g, way %g, spin %g", size, way, spins[n / 54]);
        const carom_toi_found found = find(&i, &k, 0.0);
        note_check(found.t >= 0.0 && found.t <= 1.0, "t %g", found.t);
        note_check(!isnan(found.gap) && found.iterations <= 80, "gap %g, %u looks", found.gap, found.iterations);
        double length = 0.0;
        for (int d = 0; d < 3; d++) {
            note_check(isfinite(found.point_i[d]) && isfinite(found.point_k[d]), "points");
            length += found.normal[d] * found.normal[d];
        }
        note_check(fabs(length - 1.0) < 1e-9, "normal of length %g", sqrt(length));
    }
}

int main(void) {
    note_start("tests/unit/test_toi_forms");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spheres),    cmocka_unit_test(test_corner),  cmocka_unit_test(test_tipping),
        cmocka_unit_test(test_half_space), cmocka_unit_test(test_line),    cmocka_unit_test(test_fast),
        cmocka_unit_test(test_rest),       cmocka_unit_test(test_grazing), cmocka_unit_test(test_spinning_rod),
        cmocka_unit_test(test_extremes),   cmocka_unit_test(test_margins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
