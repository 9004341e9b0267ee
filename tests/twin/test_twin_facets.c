/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Depths of hulls by separating axes: `facets` gives the bits of its twin, on every instruction set. Guards also what
 * it answers, of hulls in general position, of crystals whose faces and edges are parallel, and of all but flat ones:
 * brackets meet those of the polytope (epa), points lie in their hulls and opposite each other, and nearly all pairs
 * are answered. */
#include <math.h>
#include <string.h>

#include "kernel/shape/table.h"
#include "simd/vector.h"
#include "tests/support/check.h"
#include "tests/support/note.h"
#include "tests/twin/guarded.h"

enum { SHAPES = 6, POINTS = 26, PAIRS = 40 };

/* What points may be off by, relative to the hulls: CAROM_FACETS_LEVEL of the size, and more. */
static const double SLACK = 0x1p-40;

/* Kinds of hulls. */
typedef enum species { ROUND, CRYSTAL, PRISM, PLATE, SLIVERS, BARS, TWINS, SPECIES } species;

/* Over all cases: hulls whose cores overlap by more than rounding, and those of them that are answered. */
static uint64_t overlaps[SPECIES];
static uint64_t answers[SPECIES];

static double uniform(carom_random *random) {
    return 2.0 * carom_random_u01(random) - 1.0;
}

/* Point n of `count`. Of slivers, each third one lies on the line between the two before, but for a little. */
static void make_point(species kind, uint32_t n, uint32_t count, carom_random *random, double point[][3]) {
    double *at = point[n];
    const double angle = 2.0 * acos(-1.0) * (double)(n / 2) / (double)(count / 2);
    for (int d = 0; d < 3; d++) {
        at[d] = kind == CRYSTAL ? 0.5 * (double)(carom_random_next(random) % 5) - 1.0 : uniform(random);
        if (kind == SLIVERS && n % 3 == 2) {
            at[d] = 0.5 * point[n - 1][d] + 0.5 * point[n - 2][d] + 0x1p-20 * at[d];
        }
    }
    if (kind == PRISM || kind == TWINS) {
        at[0] = cos(angle);
        at[1] = sin(angle);
        at[2] = n % 2 == 0 ? -1.0 : 1.0;
    }
    for (int d = 0; d < 3 && kind == BARS; d++) {
        at[d] = (d == 0 ? 1.0 : 0.125) * ((n >> d & 1) != 0 ? 1.0 : -1.0);
    }
    at[2] *= kind == PLATE ? 0x1p-12 : 1.0;
}

/* Normals are at right angles to the sides of their faces, also where these are all but a line. */
static void check_axes(const carom_hull *hull) {
    for (uint32_t n = 0; n < hull->edge_count && hull->axis[0] != NULL; n++) {
        const double way[3] = {hull->way[0][n], hull->way[1][n], hull->way[2][n]};
        for (int e = 0; e < 2; e++) {
            const uint32_t face = hull->edge[n].face[e];
            const double axis[3] = {hull->axis[0][face], hull->axis[1][face], hull->axis[2][face]};
            note_check(fabs(carom_vector_dot(way, axis)) < 0x1p-50, "face %u and its edge %u make an angle of %a", face,
                       n, carom_vector_dot(way, axis));
        }
    }
}

static carom_shapes *make_shapes(species kind, carom_random *random, double scale) {
    static double point[SHAPES][POINTS][3];
    carom_shape shape[SHAPES];
    carom_shapes *shapes;
    carom_error error;
    memset(shape, 0, sizeof shape);
    for (uint32_t s = 0; s < SHAPES; s++) {
        const uint32_t more = 2 * (uint32_t)(carom_random_next(random) % ((POINTS - 8) / 2 + 1));
        const uint32_t count = kind == TWINS ? 6 + more % 8 : 8 + more;
        for (uint32_t n = 0; n < count; n++) {
            make_point(kind, n, count, random, point[s]);
        }
        for (uint32_t n = 0; n < count; n++) {
            for (int d = 0; d < 3; d++) {
                point[s][n][d] *= scale;
            }
        }
        shape[s].kind = CAROM_SHAPE_HULL;
        shape[s].point = (const double(*)[3])point[s];
        shape[s].point_count = count;
    }
    note_check(carom_shapes_create(shape, SHAPES, NULL, &shapes, &error) == CAROM_OK, "no shapes: %s", error.message);
    for (uint32_t s = 0; s < SHAPES; s++) {
        check_axes(shapes->entry[s].hull);
    }
    return shapes;
}

/* Bars, and half of the crystals and prisms, are turned about one axis by a multiple of 45 degrees. */
static void make_posed(species kind, const carom_shapes *shapes, double scale, carom_random *random,
                       carom_posed *posed) {
    double q[4] = {uniform(random), uniform(random), uniform(random), 1.25};
    posed->shape = &shapes->entry[carom_random_next(random) % SHAPES];
    if (kind == BARS || ((kind == CRYSTAL || kind == PRISM) && carom_random_next(random) % 2 == 0)) {
        const double angle = 0.125 * acos(-1.0) * (double)(carom_random_next(random) % 8);
        q[0] = q[1] = 0.0;
        q[2] = sin(angle);
        q[3] = cos(angle);
    }
    carom_pose_turn(q, posed->turn);
    for (int d = 0; d < 3; d++) {
        const double most = kind != BARS ? 0.75 : d < 2 ? 0.25 : 0.1;
        posed->at[d] = scale * (kind == BARS || carom_random_next(random) % 2 == 0
                                    ? most * uniform(random)
                                    : 0.25 * (double)(carom_random_next(random) % 4));
    }
}

/* Puts a prism on the same one, turned about its axis by little or nothing: sides of both are parallel but for
 * rounding, or all but parallel. */
static void put_on_top(carom_random *random, const carom_posed *below, carom_posed *posed, double scale) {
    const double angle =
        carom_random_next(random) % 4 == 0 ? 0.0 : ldexp(uniform(random), -10 - (int)(carom_random_next(random) % 45));
    const double spin[3][3] = {{cos(angle), -sin(angle), 0.0}, {sin(angle), cos(angle), 0.0}, {0.0, 0.0, 1.0}};
    const double step[3] = {carom_random_next(random) % 2 == 0 ? 0.0 : 0x1p-30 * scale * uniform(random), 0.0,
                            1.9 * scale};
    double way[3];
    posed->shape = below->shape;
    carom_pose_from_local(below->turn, step, way);
    for (int d = 0; d < 3; d++) {
        posed->at[d] = below->at[d] + way[d];
        for (int e = 0; e < 3; e++) {
            const double column[3] = {spin[0][e], spin[1][e], spin[2][e]};
            posed->turn[d][e] = carom_vector_dot(below->turn[d], column);
        }
    }
}

/* Whether p lies in a hull, but for `slack`. */
static bool is_in(const carom_posed *posed, const double p[3], double slack) {
    const carom_hull *hull = posed->shape->hull;
    const double between[3] = {p[0] - posed->at[0], p[1] - posed->at[1], p[2] - posed->at[2]};
    double local[3];
    bool in = true;
    carom_pose_to_local(posed->turn, between, local);
    for (uint32_t n = 0; n < hull->face_count; n++) {
        const double axis[3] = {hull->axis[0][n], hull->axis[1][n], hull->axis[2][n]};
        in = in && carom_vector_dot(axis, local) <= hull->offset[n] + slack;
    }
    return in;
}

static void check_answer(const carom_posed *i, const carom_posed *k, const carom_bracket *found,
                         const carom_bracket *other, double size) {
    const carom_difference_point *point = &found->simplex.point[0];
    double b[3];
    for (int d = 0; d < 3; d++) {
        b[d] = point->a[d] - point->w[d];
    }
    const double along = carom_vector_dot(point->w, found->normal);
    double across[3];
    carom_vector_cross(point->w, found->normal, across);
    const double aside = carom_vector_length(across);
    note_check(found->lower <= found->upper && found->upper < 0.0, "an empty bracket, [%a, %a]", found->lower,
               found->upper);
    note_check(found->lower <= other->upper && other->lower <= found->upper, "[%a, %a] and [%a, %a]", found->lower,
               found->upper, other->lower, other->upper);
    note_check(fabs(carom_vector_length(found->normal) - 1.0) < 0x1p-45, "the normal has length %g",
               carom_vector_length(found->normal));
    note_check(along >= found->lower - SLACK * size && along <= found->upper + SLACK * size,
               "points are %a apart along the normal, the bracket is [%a, %a]", along, found->lower, found->upper);
    note_check(aside <= 0x1p-34 * size,
               "points are %g apart across the normal, of hulls of size %g, [%a, %a], along %a", aside, size,
               found->lower, found->upper, along);
    note_check(is_in(i, point->a, SLACK * size), "the point of i is not in its hull");
    note_check(is_in(k, b, SLACK * size), "the point of k is not in its hull");
}

static bool same(const carom_bracket *a, const carom_bracket *b) {
    const uint64_t doubles = offsetof(carom_bracket, iterations) / sizeof(double);
    return guarded_same_f64(&a->lower, &b->lower, doubles) && a->iterations == b->iterations &&
           a->overlap == b->overlap && a->known == b->known;
}

static void facets_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t any_count) {
    const uint32_t count = any_count < PAIRS ? any_count : PAIRS;
    const species kind = (species)(carom_random_next(random) % SPECIES);
    const double scale = ldexp(1.0, 10 * ((int)(carom_random_next(random) % 9) - 4));
    const double width = carom_random_next(random) % 2 == 0 ? 0x1p-38 : 0x1p-20;
    guarded_pool pool = {.count = 0};
    carom_shapes *shapes = make_shapes(kind, random, scale);
    carom_posed *posed[2] = {guarded_array(&pool, count, sizeof(carom_posed), 0),
                             guarded_array(&pool, count, sizeof(carom_posed), 0)};
    carom_goal *goal = guarded_array(&pool, count, sizeof *goal, 0);
    bool asked[PAIRS];
    carom_bracket *bracket[3];
    for (int b = 0; b < 3; b++) {
        bracket[b] = guarded_array(&pool, count, sizeof(carom_bracket), 0);
        memset(bracket[b], 0, count * sizeof(carom_bracket));
    }
    for (uint32_t n = 0; n < count; n++) {
        make_posed(kind, shapes, scale, random, &posed[0][n]);
        make_posed(kind, shapes, scale, random, &posed[1][n]);
        if (kind == TWINS) {
            put_on_top(random, &posed[0][n], &posed[1][n], scale);
        }
        asked[n] = carom_random_next(random) % 8 != 0;
        bracket[0][n].overlap = bracket[1][n].overlap = asked[n];
        goal[n] = (carom_goal){.width = width, .reach = scale, .above = HUGE_VAL, .below = -HUGE_VAL};
    }
    simd->facets(posed[0], posed[1], goal, count, bracket[0]);
    twin->facets(posed[0], posed[1], goal, count, bracket[1]);
    twin->gjk(posed[0], posed[1], goal, count, bracket[2]);
    for (uint32_t n = 0; n < count; n++) {
        note_check(same(&bracket[0][n], &bracket[1][n]), "depths differ, pair %u of %u", n, count);
        note_check(!bracket[1][n].overlap, "pair %u of %u is still to be answered", n, count);
        note_check(asked[n] || !bracket[1][n].known, "pair %u of %u has an answer, but was not asked", n, count);
    }
    twin->epa(posed[0], posed[1], goal, count, bracket[2], NULL);
    for (uint32_t n = 0; n < count; n++) {
        const bool is_deep = !bracket[2][n].overlap && bracket[2][n].upper < -0x1p-20 * scale;
        overlaps[kind] += asked[n] && is_deep ? 1 : 0;
        answers[kind] += bracket[1][n].known && is_deep ? 1 : 0;
        if (bracket[1][n].known) {
            check_answer(&posed[0][n], &posed[1][n], &bracket[1][n], &bracket[2][n], 4.0 * scale);
        }
    }
    note_check(guarded_intact(&pool), "a canary is dead");
    carom_shapes_destroy(shapes);
    guarded_release(&pool);
}

static void check_facets(void **state) {
    static const char *const name[SPECIES] = {"round hulls", "crystals",          "prisms", "plates", "slivers",
                                              "bars",        "prisms of one turn"};
    (void)state;
    guarded_over_all("facets", facets_case);
    for (int s = 0; s < SPECIES && note_only_case() == UINT64_MAX; s++) {
        note_check(overlaps[s] > 100, "only %llu pairs of %s overlap", (unsigned long long)overlaps[s], name[s]);
        note_check(20 * answers[s] >= 19 * overlaps[s], "%llu of %llu pairs of %s are answered",
                   (unsigned long long)answers[s], (unsigned long long)overlaps[s], name[s]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(check_facets)};
    note_start("test_twin_facets");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
