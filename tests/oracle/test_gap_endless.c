/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Half-spaces against every convex shape, and lines against spheres and capsules, through the public call and in both
 * orders, against their formulas in long double: s = min n.a - r over the core of a shape, and the least distance of a
 * segment from a line, less r. */
#include <math.h>
#include <string.h>

#include "carom/carom.h"
#include "tests/oracle/solid_draw.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

enum { CASES = 20000, LONG_TIMES = 100 };

/* Of answers, relative to the coordinates. */
static const wide ROUNDED = 0x1p-44L;

/* How much wider closed forms may be than that. */
static const wide WIDTHS = 8;

/* Where all coordinates are 0. */
static const wide LEAST = 0x1p-90L;

/* What is to be answered, with k the half-space or line: the normal is known of half-spaces only. */
typedef struct endless {
    solid_pair solids;
    wide s;
    wide n[3];
    wide slack;
} endless;

static void column(const solid *s, int axis, wide v[3]) {
    for (int d = 0; d < 3; d++) {
        v[d] = s->turn[d][axis];
    }
}

static void set_height(endless *e) {
    wide a[3];
    column(&e->solids.k, 2, e->n);
    const wide back[3] = {-e->n[0], -e->n[1], -e->n[2]};
    e->s = -solid_support(&e->solids.i, back, a) - e->solids.i.radius;
}

/* The parts of a segment's end and of its way at right angles to the line. */
static void set_from_line(endless *e) {
    wide line[3];
    wide way[3];
    wide end[3];
    column(&e->solids.k, 2, line);
    column(&e->solids.i, 2, way);
    for (int d = 0; d < 3; d++) {
        way[d] *= 2 * e->solids.i.extent[2];
        end[d] = e->solids.i.at[d] - way[d] / 2;
    }
    const wide along_way = wide_dot(way, line);
    const wide along_end = wide_dot(end, line);
    for (int d = 0; d < 3; d++) {
        way[d] -= along_way * line[d];
        end[d] -= along_end * line[d];
    }
    const wide square = wide_dot(way, way);
    const wide t = square > 0 ? fminl(fmaxl(-wide_dot(end, way) / square, 0), 1) : 0;
    for (int d = 0; d < 3; d++) {
        e->n[d] = end[d] + t * way[d];
    }
    e->s = wide_length(e->n) - e->solids.i.radius;
}

static carom_pose_f64 pose_of(const solid_input *input, uint32_t shape) {
    carom_pose_f64 p = {.shape = shape};
    memcpy(p.at, input->at, sizeof p.at);
    memcpy(p.turn, input->turn, sizeof p.turn);
    return p;
}

/* `sign` is -1 if the shapes were asked in the other order. */
static void check_gap(const endless *e, const solid_input *k, const carom_gap_f64 *gap, int sign) {
    const double *of_i = sign > 0 ? gap->point_i : gap->point_k;
    const double *of_k = sign > 0 ? gap->point_k : gap->point_i;
    wide a[3];
    wide b[3];
    wide between[3];
    wide n[3];
    for (int d = 0; d < 3; d++) {
        a[d] = (wide)of_i[d] - k->at[d];
        b[d] = (wide)of_k[d] - k->at[d];
        n[d] = (wide)gap->normal[d] * sign;
    }
    wide_minus(a, b, between);
    const wide noise = 4 * e->solids.noise;
    note_check(gap->lower <= e->s + noise && gap->upper >= e->s - noise, "%.17g .. %.17g is not %.21Lg", gap->lower,
               gap->upper, e->s);
    note_check(gap->upper - gap->lower <= WIDTHS * e->slack, "a bracket of %g for coordinates of %Lg",
               gap->upper - gap->lower, e->solids.size);
    note_check(gap->state != CAROM_GAP_SEPARATED || e->s > -noise, "separated, but they touch");
    note_check(gap->state != CAROM_GAP_TOUCHING || e->s <= noise, "touching, but they are apart");
    note_check(fabsl(wide_length(n) - 1) < ROUNDED, "the normal is no unit vector");
    note_check(fabsl(wide_dot(between, n) - e->s) <= e->slack, "the points are not s apart");
    note_check(solid_outside(&e->solids.i, a) <= e->slack, "a point is not in its shape");
}

static void ask(const solid_input *i, const solid_input *k, endless *e, bool line) {
    const carom_shape shape[2] = {i->shape, k->shape};
    const carom_pose_f64 poses[2] = {pose_of(i, 0), pose_of(k, 1)};
    carom_shapes *shapes;
    carom_error error;
    wide across[3];
    carom_status status = carom_shapes_create(shape, 2, NULL, &shapes, &error);
    note_check(status == CAROM_OK, "status %d: %s", (int)status, error.message);
    e->slack = LEAST + ROUNDED * (e->solids.size + fabs(k->at[0]) + fabs(k->at[1]) + fabs(k->at[2]));
    for (int order = 0; order < 2; order++) {
        carom_gap_f64 gap;
        status = carom_distance_pair_f64(shapes, &poses[order], &poses[1 - order], NULL, &gap, NULL, &error);
        note_check(status == CAROM_OK, "status %d: %s", (int)status, error.message);
        check_gap(e, k, &gap, order == 0 ? 1 : -1);
        for (int d = 0; d < 3; d++) {
            across[d] = e->n[d] - (order == 0 ? gap.normal[d] : -gap.normal[d]);
        }
        note_check(line || wide_length(across) < ROUNDED, "the normal is not the plane's");
    }
    carom_shapes_destroy(shapes);
}

static void run_case(uint64_t number) {
    static solid_drawn pair;
    carom_random random = carom_random_seeded(note_case_seed(number));
    const bool line = number % 4 == 0;
    const solid_species species =
        (solid_species)(carom_random_next(&random) % (line ? SPECIES_CAPSULE + 1 : SPECIES_COUNT));
    const solid_place place = (solid_place)(carom_random_next(&random) % PLACE_EXTREME);
    note_case(number, "%s against a %s, %s", solid_species_name(species), line ? "line" : "half-space",
              solid_place_name(place));
    solid_draw(&random, species, SPECIES_POINT, place == PLACE_IDENTICAL ? PLACE_ANYWHERE : place, &pair);
    pair.k.shape = (carom_shape){.kind = line ? CAROM_SHAPE_LINE : CAROM_SHAPE_HALF_SPACE};
    endless e = {.solids = solid_pair_of(&pair.i, &pair.k)};
    if (line) {
        set_from_line(&e);
    } else {
        set_height(&e);
    }
    ask(&pair.i, &pair.k, &e, line);
}

static void test_endless(void **state) {
    (void)state;
    note_each_case(note_long() ? CASES * LONG_TIMES : CASES, run_case);
}

int main(void) {
    note_start("tests/oracle/test_gap_endless");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_endless)};
    return cmocka_run_group_tests_name("gap endless", tests, NULL, NULL);
}
