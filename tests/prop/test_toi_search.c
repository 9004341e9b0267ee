/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Times of impact of random pairs of all kinds, against the distance at thousands of instants: no touch is proved at
 * any instant before, a hit is as close as it says, and the search ends. Guards all bounds of the advancement. */
#include <math.h>
#include <stdio.h>

#include "kernel/narrow/gap.h"
#include "kernel/narrow/toi.h"
#include "kernel/shape/track.h"
#include "tests/support/check.h"
#include "tests/support/moving_shapes.h"
#include "tests/support/note.h"

enum { KINDS = CAROM_SHAPE_HULL + 2, LOOKS_MOST = 64 };

static const double TOLERANCE = 1e-9;

static moving_shape shape[2];

static carom_shape_kind kind_of(uint64_t number) {
    const uint64_t kind = number % KINDS;
    return kind > CAROM_SHAPE_HULL ? CAROM_SHAPE_COMPOUND : (carom_shape_kind)kind;
}

/* Bodies that start apart, most of them, and fly at each other. */
static void draw_pair(carom_random *random, uint64_t number, double angle, double size, carom_moving body[2]) {
    double way[3];
    moving_shapes_direction(random, way);
    for (int b = 0; b < 2; b++) {
        double axis[3];
        moving_shapes_draw(random, kind_of(b == 0 ? number : number / KINDS), size, &shape[b]);
        body[b] = (carom_moving){.shape = shape[b].entry};
        moving_shapes_turn(random, body[b].turn);
        moving_shapes_direction(random, axis);
        for (int d = 0; d < 3; d++) {
            body[b].spin[d] = angle * carom_random_u01(random) * axis[d];
            body[b].at[d] = b == 0 ? size * (1.2 + 1.6 * carom_random_u01(random)) * way[d] : 0.0;
            body[b].move[d] = size * (carom_random_u01(random) - 0.5) - (b == 0 ? 1.5 * size * way[d] : 0.0);
        }
    }
}

/* The least upper bound of the distance at t, over all children. Rounding of the poses is not in it. */
static double upper_at(const carom_moving body[2], double t) {
    const carom_gap_task task = {.detail = CAROM_GAP_STATE, .margin = 0.0, .tolerance = 1e-6};
    double least = HUGE_VAL;
    for (uint32_t n = 0; n < carom_track_count(&body[0]); n++) {
        for (uint32_t m = 0; m < carom_track_count(&body[1]); m++) {
            carom_track track[2];
            carom_posed posed[2];
            carom_gap gap;
            carom_track_make(&body[0], n, &track[0]);
            carom_track_make(&body[1], m, &track[1]);
            carom_track_pose(&track[0], t, &posed[0]);
            carom_track_pose(&track[1], t, &posed[1]);
            for (int d = 0; d < 3; d++) {
                posed[0].at[d] += body[0].at[d] + t * body[0].move[d];
                posed[0].at[d] -= posed[1].at[d] + body[1].at[d] + t * body[1].move[d];
                posed[1].at[d] = 0.0;
            }
            carom_gap_find(&posed[0], &posed[1], &task, &gap);
            least = fmin(least, gap.upper);
        }
    }
    return least;
}

static double smaller_reach(const carom_moving body[2]) {
    return fmin(body[0].shape->reach, body[1].shape->reach);
}

/* No instant before t has a touch, beyond what poses round. */
static void check_never_late(const carom_moving body[2], const carom_toi_found *found, int instants) {
    const double rounding = 1e-11 * (body[0].shape->reach + body[1].shape->reach);
    for (int n = 0; n < instants; n++) {
        const double t = (double)n / (instants - 1);
        if (t < found->t || found->state == CAROM_TOI_NONE) {
            const double upper = upper_at(body, t);
            note_check(upper >= -rounding, "found %.17g, but at %.17g they overlap by %g", found->t, t, -upper);
        }
    }
}

static void check_hit(const carom_moving body[2], const carom_toi_found *found, double size) {
    note_check(found->state != CAROM_TOI_NONE || found->t >= 1.0, "NONE, but t = %a", found->t);
    note_check(found->t >= 0.0 && found->t <= 1.0, "t = %a", found->t);
    if (found->state != CAROM_TOI_HIT) {
        return;
    }
    double between = 0.0;
    for (int d = 0; d < 3; d++) {
        between += (found->point_i[d] - found->point_k[d]) * found->normal[d];
    }
    note_check(found->gap <= TOLERANCE * smaller_reach(body) * (1.0 + 1e-12), "the gap is %g", found->gap);
    note_check(found->t <= 0.0 || fabs(between) <= 2.0 * TOLERANCE * size, "the points are %g apart", between);
    note_check(found->t <= 0.0 || upper_at(body, found->t) >= -1e-11 * size, "they overlap at t");
}

static uint64_t looks;
static uint64_t hits;
static uint64_t rotated;

static void check_pair(uint64_t number, double angle, double size, int instants) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    carom_moving body[2];
    draw_pair(&random, number, angle, size, body);
    note_case(number, "kinds %d and %d, angle %g", (int)body[0].shape->kind, (int)body[1].shape->kind, angle);
    const carom_toi_task task = {.tolerance = TOLERANCE, .iterations_max = LOOKS_MOST};
    carom_toi_found found;
    carom_toi_find(&body[0], &body[1], &task, &found);
    check_hit(body, &found, size);
    check_never_late(body, &found, instants);
    note_check(found.state != CAROM_TOI_CAPPED || angle > 1.0, "capped at %g after %u looks, gap %g", found.t,
               found.iterations, found.gap);
    hits += found.state == CAROM_TOI_HIT ? 1 : 0;
    looks += found.iterations;
    rotated++;
}

static void case_half_radian(uint64_t number) {
    check_pair(number, 0.5, 1.0, note_long() ? 4096 : 256);
}

static void test_half_radian(void **state) {
    (void)state;
    note_each_case(note_long() ? 200000 : 4000, case_half_radian);
    if (rotated > 0) {
        printf("# half a radian: %.2f poses a pair, %.0f %% hits\n", (double)looks / (double)rotated,
               100.0 * (double)hits / (double)rotated);
    }
}

static void case_many_turns(uint64_t number) {
    check_pair(number, number % 2 == 0 ? 6.0 : 300.0, 1.0, 4096);
}

static void test_many_turns(void **state) {
    (void)state;
    note_each_case(note_long() ? 20000 : 300, case_many_turns);
}

static void case_any_scale(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number) + 3);
    check_pair(number, 1.0, ldexp(1.0, (int)(carom_random_next(&random) % 300) - 150), 128);
}

static void test_any_scale(void **state) {
    (void)state;
    note_each_case(note_long() ? 200000 : 2000, case_any_scale);
}

/* The scene in another unit, by a power of two: the same time, and lengths in that unit. */
static void case_other_unit(uint64_t number) {
    carom_toi_found found[2];
    const double unit[2] = {1.0, number % 2 == 0 ? 0x1p40 : 0x1p-40};
    note_case(number, "kinds %d and %d", (int)kind_of(number), (int)kind_of(number / KINDS));
    for (int n = 0; n < 2; n++) {
        carom_random random = carom_random_seeded(note_case_seed(number));
        carom_moving body[2];
        draw_pair(&random, number, 1.0, unit[n], body);
        const carom_toi_task task = {.tolerance = TOLERANCE, .iterations_max = LOOKS_MOST};
        carom_toi_find(&body[0], &body[1], &task, &found[n]);
    }
    note_check(found[0].state == found[1].state && found[0].iterations == found[1].iterations, "states %d, %d",
               (int)found[0].state, (int)found[1].state);
    note_check(!(found[0].t < found[1].t) && !(found[0].t > found[1].t), "t %a, %a", found[0].t, found[1].t);
    const double gap = found[1].gap / unit[1];
    note_check(!(gap < found[0].gap) && !(gap > found[0].gap), "gaps %a, %a", found[0].gap, gap);
}

static void test_other_unit(void **state) {
    (void)state;
    note_each_case(600, case_other_unit);
}

/* Ends at every cap, never later than with a higher one. */
static void case_caps(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    carom_moving body[2];
    double before = 0.0;
    draw_pair(&random, number, 20.0, 1.0, body);
    for (uint32_t most = 1; most < 40; most++) {
        const carom_toi_task task = {.tolerance = TOLERANCE, .iterations_max = most};
        carom_toi_found found;
        carom_toi_find(&body[0], &body[1], &task, &found);
        note_case(number, "cap %u", most);
        const uint32_t pairs = carom_track_count(&body[0]) * carom_track_count(&body[1]);
        note_check(found.iterations >= 1 && found.iterations <= most * pairs, "%u looks", found.iterations);
        note_check(pairs > 1 || found.state == CAROM_TOI_NONE || found.t >= before || most < 24, "t %a after %a",
                   found.t, before);
        before = found.t;
    }
}

static void test_caps(void **state) {
    (void)state;
    note_each_case(150, case_caps);
}

int main(void) {
    note_start("tests/prop/test_toi_search");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_half_radian), cmocka_unit_test(test_many_turns), cmocka_unit_test(test_any_scale),
        cmocka_unit_test(test_other_unit),  cmocka_unit_test(test_caps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
