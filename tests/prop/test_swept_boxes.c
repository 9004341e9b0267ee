/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Boxes of random shapes over random motions hold the shape at 64 instants, computed in long double from the formulas;
 * so do those of the kernel swept_boxes, in both precisions, and its paths hold the core. Guards the bend of paths, the
 * margins, and the tightness: at half a radian the volume is at most 1.15 times that of the union over the instants. A
 * million motions with CAROM_TEST_LONG=1. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernel/shape/box.h"
#include "simd/dispatch.h"
#include "tests/support/check.h"
#include "tests/support/moving_shapes.h"
#include "tests/support/note.h"

enum { INSTANTS = 64, KINDS = CAROM_SHAPE_COMPOUND + 1 };

static const double RATIO_MOST = 1.15;

static double volumes[KINDS];
static double least_volumes[KINDS];

static carom_shape_kind kind_of(uint64_t number) {
    const carom_shape_kind kind = (carom_shape_kind)(number % (CAROM_SHAPE_HULL + 2));
    return kind > CAROM_SHAPE_HULL ? CAROM_SHAPE_COMPOUND : kind;
}

static void draw_motion(carom_random *random, double angle, double size, carom_moving *moving) {
    double axis[3];
    moving_shapes_direction(random, axis);
    moving_shapes_turn(random, moving->turn);
    for (int d = 0; d < 3; d++) {
        moving->at[d] = size * (20.0 * carom_random_u01(random) - 10.0);
        moving->move[d] = size * (2.0 * carom_random_u01(random) - 1.0);
        moving->spin[d] = angle * axis[d];
    }
}

/* The union of the boxes at all instants. */
static void sampled_union(const carom_moving *moving, long double lo[3], long double hi[3]) {
    for (int d = 0; d < 3; d++) {
        lo[d] = HUGE_VALL;
        hi[d] = -HUGE_VALL;
    }
    for (int n = 0; n < INSTANTS; n++) {
        long double low[3];
        long double high[3];
        moving_shapes_box(moving, (double)n / (INSTANTS - 1), low, high);
        for (int d = 0; d < 3; d++) {
            lo[d] = fminl(lo[d], low[d]);
            hi[d] = fmaxl(hi[d], high[d]);
        }
    }
}

static double check_holds(const carom_moving *moving, const carom_shape_box *box, double *least) {
    long double lo[3];
    long double hi[3];
    double volume = 1.0;
    *least = 1.0;
    sampled_union(moving, lo, hi);
    for (int d = 0; d < 3; d++) {
        note_check(box->lo[d] <= lo[d] && hi[d] <= box->hi[d], "axis %d: [%.17g, %.17g] does not hold [%.17Lg, %.17Lg]",
                   d, box->lo[d], box->hi[d], lo[d], hi[d]);
        volume *= box->hi[d] - box->lo[d];
        *least *= (double)(hi[d] - lo[d]);
    }
    return volume;
}

static moving_shape shape;

/* Half a radian, as the promise of tightness has it. */
static void test_case_half_radian(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const carom_shape_kind kind = kind_of(number);
    note_case(number, "kind %d", (int)kind);
    moving_shapes_draw(&random, kind, 1.0, &shape);
    carom_moving moving = {.shape = shape.entry};
    draw_motion(&random, 0.5, 1.0, &moving);
    carom_shape_box box;
    double least;
    carom_box_swept(&moving, &box);
    volumes[kind] += check_holds(&moving, &box, &least);
    least_volumes[kind] += least;
}

static void check_tightness(void) {
    for (int kind = 0; kind < KINDS && note_only_case() == UINT64_MAX; kind++) {
        if (least_volumes[kind] > 0.0) {
            const double ratio = volumes[kind] / least_volumes[kind];
            printf("# kind %d: volume %.4f of the sampled union\n", kind, ratio);
            assert_true(ratio <= RATIO_MOST);
        }
    }
}

static void test_half_radian(void **state) {
    (void)state;
    note_each_case(note_long() ? 1000000 : 8000, test_case_half_radian);
    check_tightness();
}

/* From next to nothing to a hundred turns, at scales from 1e-30 to 1e30, near and far from the origin. */
static void test_case_any_angle(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number) + 1);
    const carom_shape_kind kind = kind_of(number);
    const double angle = ldexp(carom_random_u01(&random), (int)(carom_random_next(&random) % 24) - 13);
    const double size = ldexp(1.0, (int)(carom_random_next(&random) % 200) - 100);
    note_case(number, "kind %d, angle %g, size %g", (int)kind, angle, size);
    moving_shapes_draw(&random, kind, size, &shape);
    carom_moving moving = {.shape = shape.entry};
    draw_motion(&random, angle, carom_random_next(&random) % 4 == 0 ? 1000.0 * size : size, &moving);
    carom_shape_box box;
    double least;
    carom_box_swept(&moving, &box);
    const double volume = check_holds(&moving, &box, &least);
    note_check(volume / least < 60.0, "the volume is %g of the sampled union", volume / least);
}

static void test_any_angle(void **state) {
    (void)state;
    note_each_case(note_long() ? 1000000 : 8000, test_case_any_angle);
}

/* Without rotation the box is that of both ends, no wider. */
static void test_case_at_rest(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number) + 2);
    const carom_shape_kind kind = kind_of(number);
    note_case(number, "kind %d", (int)kind);
    moving_shapes_draw(&random, kind, 1.0, &shape);
    carom_moving moving = {.shape = shape.entry};
    draw_motion(&random, 0.0, 1.0, &moving);
    for (int d = 0; d < 3 && number % 3 == 0; d++) {
        moving.move[d] = 0.0;
    }
    carom_shape_box box;
    double least;
    carom_box_swept(&moving, &box);
    (void)check_holds(&moving, &box, &least);
    carom_shape_box end[2];
    for (int e = 0; e < 2; e++) {
        carom_posed posed;
        carom_motion_pose(&moving, e, &posed);
        carom_box_at(&posed, &end[e]);
    }
    for (int d = 0; d < 3; d++) {
        const double lo = fmin(end[0].lo[d], end[1].lo[d]);
        const double hi = fmax(end[0].hi[d], end[1].hi[d]);
        const double slack = 0x1p-44 * (moving.shape->reach + fabs(moving.at[d]) + fabs(moving.move[d]));
        note_check(fabs(box.lo[d] - lo) <= slack && fabs(box.hi[d] - hi) <= slack, "axis %d: %a %a, ends %a %a", d,
                   box.lo[d], box.hi[d], lo, hi);
    }
}

static void test_at_rest(void **state) {
    (void)state;
    note_each_case(note_long() ? 1000000 : 4000, test_case_at_rest);
}

/* Boxes and paths of many shapes at once. */
static moving_shape shapes[CAROM_BLOCK_PAIRS];
static carom_block_side side;
static carom_block_motion motion;
static double reach[CAROM_BLOCK_ROOM];
static float corners_f32[6][CAROM_BLOCK_ROOM];
static double corners_f64[6][CAROM_BLOCK_ROOM];
static float paths[CAROM_BLOCK_ROOM][CAROM_PATH_NUMBERS];

/* The quaternion at the end of the motion, of some length. */
static void turn_at_end(const carom_moving *moving, double length, double turn[4]) {
    const double *q = moving->turn;
    const double angle =
        sqrt(moving->spin[0] * moving->spin[0] + moving->spin[1] * moving->spin[1] + moving->spin[2] * moving->spin[2]);
    const double sine = angle > 0.0 ? sin(0.5 * angle) / angle : 0.0;
    const double p[4] = {sine * moving->spin[0], sine * moving->spin[1], sine * moving->spin[2], cos(0.5 * angle)};
    turn[0] = length * (p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1]);
    turn[1] = length * (p[3] * q[1] + p[1] * q[3] + p[2] * q[0] - p[0] * q[2]);
    turn[2] = length * (p[3] * q[2] + p[2] * q[3] + p[0] * q[1] - p[1] * q[0]);
    turn[3] = length * (p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2]);
}

/* The quaternion at the end may have another length, and be the negative of what the motion makes, which is the same
 * rotation. */
static void put_in_block(const carom_moving *moving, carom_random *random, uint32_t n) {
    double end[4];
    const double length = 0.9 + 0.2 * carom_random_u01(random);
    turn_at_end(moving, carom_random_next(random) % 2 == 0 ? length : -length, end);
    side.shape[n] = moving->shape;
    side.radius[n] = moving->shape->radius;
    reach[n] = moving->shape->reach;
    for (int d = 0; d < 3; d++) {
        side.extent[d][n] = moving->shape->extent[d];
        side.at[d][n] = moving->at[d];
        motion.end[d][n] = moving->at[d] + moving->move[d];
    }
    for (int d = 0; d < 4; d++) {
        side.turn[d][n] = moving->turn[d];
        motion.end_turn[d][n] = !motion.along ? end[d] : d < 3 ? moving->spin[d] : 0.0;
    }
}

/* What the block has: the way as the kernel rounds it, and the rotation between the quaternions. */
static void take_from_block(carom_moving *moving, uint32_t n) {
    const double from[4] = {side.turn[0][n], side.turn[1][n], side.turn[2][n], side.turn[3][n]};
    const double to[4] = {motion.end_turn[0][n], motion.end_turn[1][n], motion.end_turn[2][n], motion.end_turn[3][n]};
    for (int d = 0; d < 3; d++) {
        moving->move[d] = motion.end[d][n] - side.at[d][n];
    }
    if (!motion.along) {
        carom_motion_spin(from, to, moving->spin);
    }
}

/* Points of the core: a box's corners, some vertices of a hull, and of the others ends of their axes and points on
 * their rims. */
static void core_point(const carom_shape_entry *entry, int number, double s[3]) {
    const double *h = entry->extent;
    const double angle = 0.785398 * number;
    for (int d = 0; d < 3; d++) {
        s[d] = entry->kind == CAROM_SHAPE_HULL ? entry->hull->vertex[d][(uint32_t)number % entry->hull->vertex_count]
               : entry->kind == CAROM_SHAPE_ELLIPSOID ? (number % 3 == d ? h[d] : 0.0)
               : (number >> d & 1) != 0               ? h[d]
                                                      : -h[d];
    }
    if (entry->kind == CAROM_SHAPE_CYLINDER || entry->kind == CAROM_SHAPE_CONE) {
        const bool apex = entry->kind == CAROM_SHAPE_CONE && number == 7;
        s[0] = apex ? 0.0 : (1.0 - 0x1p-40) * cos(angle) * h[0];
        s[1] = apex ? 0.0 : (1.0 - 0x1p-40) * sin(angle) * h[1];
        s[2] = apex || (entry->kind == CAROM_SHAPE_CYLINDER && number % 2 == 0) ? h[2] : -h[2];
    }
}

/* A point of the core at t is no farther from where half of the rotation and t of the way put it than the path says. */
static void check_path(const carom_moving *moving, const float path[CAROM_PATH_NUMBERS], double t) {
    const double turn[4] = {path[CAROM_APART_TURN], path[CAROM_APART_TURN + 1], path[CAROM_APART_TURN + 2],
                            path[CAROM_APART_TURN + 3]};
    double half[3][3];
    long double now[3][3];
    carom_pose_turn(turn, half);
    moving_shapes_rotation(moving, t, now);
    for (int number = 0; number < 8; number++) {
        long double square = 0.0L;
        double s[3];
        core_point(moving->shape, number, s);
        for (int d = 0; d < 3; d++) {
            long double off = (long double)moving->at[d] + t * moving->move[d] - path[CAROM_APART_AT + d] -
                              (2.0 * t - 1.0) * (double)path[CAROM_APART_ROW + CAROM_APART_WAY + d];
            for (int c = 0; c < 3; c++) {
                off += (now[d][c] - half[d][c]) * s[c];
            }
            square += off * off;
        }
        const double spread = (double)path[CAROM_APART_ROW + CAROM_APART_SPREAD];
        note_check(sqrtl(square) <= spread, "a point is %Lg from its path, which says %g", sqrtl(square), spread);
    }
}

/* Of four shapes one turns by any angle down to none, one is flat or a point, one is far from the origin. */
static void draw_block(carom_random *random, double size, carom_moving moving[CAROM_BLOCK_PAIRS]) {
    for (uint32_t n = 0; n < CAROM_BLOCK_PAIRS; n++) {
        const carom_shape_kind kind = (carom_shape_kind)(carom_random_next(random) % (CAROM_SHAPE_HULL + 1));
        const double angle = n % 4 == 0 ? ldexp(0.5, -(int)(carom_random_next(random) % 600)) : 0.5;
        moving_shapes_draw(random, kind, size, &shapes[n]);
        if (n % 4 == 1 && kind != CAROM_SHAPE_HULL) {
            const bool wide = kind == CAROM_SHAPE_BOX || kind == CAROM_SHAPE_ELLIPSOID;
            const double thin[3] = {wide ? size : 0.0, 0.0, size * carom_random_u01(random)};
            moving_shapes_set(shapes[n].entry, kind, 0.0, thin);
        }
        moving[n] = (carom_moving){.shape = shapes[n].entry};
        draw_motion(random, angle, size, &moving[n]);
        for (int d = 0; d < 3 && n % 4 == 2; d++) {
            moving[n].at[d] *= 1e6;
        }
        put_in_block(&moving[n], random, n);
        take_from_block(&moving[n], n);
    }
}

/* Calls the kernel of either precision. */
static uint64_t sweep_block(bool floats) {
    const carom_simd *simd = carom_simd_best();
    float *side_f32[6];
    double *side_f64[6];
    for (int a = 0; a < 6; a++) {
        side_f32[a] = corners_f32[a];
        side_f64[a] = corners_f64[a];
    }
    const carom_swept_out_f32 out_f32 = {side_f32, 0, paths};
    const carom_swept_out_f64 out_f64 = {side_f64, 0, paths};
    return floats ? simd->f32.swept_boxes(&side, &motion, reach, 0, CAROM_BLOCK_PAIRS, &out_f32)
                  : simd->f64.swept_boxes(&side, &motion, reach, 0, CAROM_BLOCK_PAIRS, &out_f64);
}

static void check_block(const carom_moving moving[CAROM_BLOCK_PAIRS], bool floats, double size) {
    note_check(sweep_block(floats) == 0, "shapes are left");
    for (uint32_t n = 0; n < CAROM_BLOCK_PAIRS; n++) {
        const carom_shape_kind kind = moving[n].shape->kind;
        carom_shape_box box;
        double least;
        for (int d = 0; d < 3; d++) {
            box.lo[d] = floats ? (double)corners_f32[d][n] : corners_f64[d][n];
            box.hi[d] = floats ? (double)corners_f32[d + 3][n] : corners_f64[d + 3][n];
        }
        const double volume = check_holds(&moving[n], &box, &least);
        if (n % 4 == 3) {
            volumes[kind] += volume / (size * size * size);
            least_volumes[kind] += least / (size * size * size);
        }
        for (int t = 0; t <= 4; t++) {
            check_path(&moving[n], paths[n], 0.25 * t);
        }
    }
}

static void test_case_block(uint64_t number) {
    static carom_moving moving[CAROM_BLOCK_PAIRS];
    carom_random random = carom_random_seeded(note_case_seed(number) + 3);
    const double size = ldexp(1.0, (int)(carom_random_next(&random) % 40) - 20);
    motion.along = number % 2 == 0;
    note_case(number, "size %g, %s", size, motion.along ? "rotation vectors" : "rotations at the end");
    draw_block(&random, size, moving);
    check_block(moving, true, size);
    check_block(moving, false, size);
}

/* Guards the kernel that most bodies go through. */
static void test_block(void **state) {
    (void)state;
    memset(volumes, 0, sizeof volumes);
    memset(least_volumes, 0, sizeof least_volumes);
    note_each_case(note_long() ? 16384 : 128, test_case_block);
    check_tightness();
}

int main(void) {
    note_start("tests/prop/test_swept_boxes");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_half_radian),
        cmocka_unit_test(test_any_angle),
        cmocka_unit_test(test_at_rest),
        cmocka_unit_test(test_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
