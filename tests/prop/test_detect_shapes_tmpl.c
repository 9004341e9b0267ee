/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Detection of bodies with shapes against the calls for pairs: random scenes of every family and motion, every method,
 * instruction set and number of threads. Guards that exactly the pairs that touch are found, that rows are those of the
 * pair alone, and that filters, sinks, lists and groups work on them as on spheres. Compiled once for each precision.
 */
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "carom/distance.h"
#include "carom/query.h"
#include "carom/toi.h"
#include "tests/prop/shape_scene_tmpl.h"
#include "tests/support/check.h"
#include "tests/support/isa_contexts.h"
#include "tests/support/note.h"

enum { CASES = 90, BODIES_MOST = 90, LARGE = 6000, METHODS = CAROM_METHOD_SHARED + 1 };

typedef CAROM_REAL(carom_gap) gap_row;
typedef CAROM_REAL(carom_toi) toi_row;
typedef CAROM_REAL(carom_detection) detection;
typedef CAROM_REAL(carom_block) block;
typedef CAROM_REAL(carom_detect_output) detect_output;
#define DETECT CAROM_REAL(carom_detect)
#define QUERY CAROM_REAL(carom_query)

static uint64_t all_touching;
static uint64_t all_boxed;

static int make_contexts(void **state) {
    static const uint32_t threads[] = {1, 2, 8};
    (void)state;
    return isa_contexts_make(threads, sizeof threads / sizeof threads[0]);
}

static carom_context *any_of(carom_random *random) {
    return isa_contexts[carom_random_next(random) % isa_context_count];
}

static any_result run(carom_context *context, const shape_scene *scene, const carom_detect_config *config) {
    const any_bodies bodies = shape_scene_any(scene);
    carom_detect_config own = *config;
    own.margin = scene->margin;
    own.tolerance = scene->tolerance;
    any_result result = any_detect_bodies(context, &bodies, &own, NULL);
    note_check(result.status == CAROM_OK, "detection fails: %s", result.error.message);
    return result;
}

static any_result boxes_of(carom_context *context, const shape_scene *scene) {
    carom_detect_config config = carom_detect_config_default();
    config.until = CAROM_UNTIL_BOUNDS;
    return run(context, scene, &config);
}

static bool is_near(double a, double b, double scale) {
    return fabs(a - b) <= (CAROM_REAL_BITS == 32 ? 0x1p-22 : 0x1p-51) * scale;
}

/* A point midway between witness points that were rounded. */
static void check_point(const any_result *r, uint64_t n, const carom_real *point_i, const carom_real *point_k) {
    for (int a = 0; a < 3; a++) {
        const double middle = 0.5 * (double)point_i[a] + 0.5 * (double)point_k[a];
        note_check(is_near(r->field[ANY_POINT + a][n], middle, fabs(middle) + 1.0), "point of (%u, %u): %g, not %g",
                   r->i[n], r->k[n], r->field[ANY_POINT + a][n], middle);
    }
}

/* Row n is that of the pair alone. */
static void check_row(carom_context *context, const shape_scene *scene, const any_result *r, uint64_t n) {
    double t = 0.0;
    double distance;
    const carom_real *normal;
    gap_row gap;
    toi_row impact;
    if (shape_scene_rests(scene, r->i[n]) && shape_scene_rests(scene, r->k[n])) {
        gap = shape_scene_gap(context, scene, r->i[n], r->k[n]);
        distance = (double)gap.upper;
        normal = gap.normal;
        check_point(r, n, gap.point_i, gap.point_k);
    } else {
        impact = shape_scene_impact(context, scene, r->i[n], r->k[n]);
        t = (double)impact.t;
        distance = (double)impact.gap;
        normal = impact.normal;
        check_point(r, n, impact.point_i, impact.point_k);
    }
    note_check(r->field[ANY_T_TOI][n] == t && r->field[ANY_T_CA][n] == t && r->field[ANY_DISTANCE][n] == distance,
               "(%u, %u): t %g, distance %g, not %g and %g", r->i[n], r->k[n], r->field[ANY_T_TOI][n],
               r->field[ANY_DISTANCE][n], t, distance);
    for (int a = 0; a < 3; a++) {
        note_check(r->field[ANY_NORMAL + a][n] == (double)normal[a], "normal of (%u, %u)", r->i[n], r->k[n]);
    }
}

static void check_pairs(const brute_pairs *wanted, const any_result *r) {
    note_check(r->pair_count == wanted->count, "%" PRIu64 " pairs, not %" PRIu64, r->pair_count, wanted->count);
    for (uint64_t n = 0; n < wanted->count; n++) {
        note_check(r->i[n] == wanted->i[n] && r->k[n] == wanted->k[n], "pair %" PRIu64 " is (%u, %u), not (%u, %u)", n,
                   r->i[n], r->k[n], wanted->i[n], wanted->k[n]);
    }
}

static void check_groups(const brute_pairs *touching, const any_result *r) {
    brute_groups groups = brute_force_groups(r->bodies, touching);
    note_check(r->group_count == groups.count, "%" PRIu64 " groups, not %" PRIu64, r->group_count, groups.count);
    for (uint64_t n = 0; n < r->bodies; n++) {
        note_check(r->label[n] == groups.label[n], "label of body %" PRIu64, n);
    }
    brute_force_release_groups(&groups);
}

/* Every pair is in the lists of both bodies, with its row. */
static void check_neighbours(const any_result *r) {
    note_check(r->bodies == 0 || r->neighbour_offset[r->bodies] == 2 * r->pair_count, "lists of another length");
    for (uint64_t b = 0; b < r->bodies; b++) {
        for (uint64_t n = r->neighbour_offset[b]; n < r->neighbour_offset[b + 1]; n++) {
            const uint64_t row = r->neighbour_pair[n];
            const uint32_t other = r->neighbour_body[n];
            note_check((r->i[row] == b && r->k[row] == other) || (r->k[row] == b && r->i[row] == other),
                       "a neighbour of %" PRIu64 " without its row", b);
        }
    }
}

static carom_detect_config full_config(void) {
    carom_detect_config config = any_config_full();
    config.neighbours = CAROM_NEIGHBOURS_FULL;
    return config;
}

static void check_truth(carom_context *context, const shape_scene *scene, const any_result *r,
                        const brute_pairs *touching, const brute_pairs *boxed) {
    check_pairs(touching, r);
    check_groups(touching, r);
    check_neighbours(r);
    note_check(r->summary.touching_hash == brute_force_hash(touching), "touching_hash");
    note_check(CAROM_REAL_BITS == 64 || r->summary.box_pairs == boxed->count,
               "%" PRIu64 " pairs of boxes, not %" PRIu64, r->summary.box_pairs, boxed->count);
    for (uint64_t n = 0; n < r->pair_count; n++) {
        check_row(context, scene, r, n);
    }
    all_touching += touching->count;
    all_boxed += boxed->count;
}

/* Rows of all pairs of overlapping boxes: those that touch are the rows that a call keeps otherwise. */
static void check_all_pairs(carom_context *context, const shape_scene *scene, const any_result *full) {
    carom_detect_config config = full_config();
    config.all_pairs = true;
    any_result all = run(context, scene, &config);
    uint64_t at = 0;
    note_check(all.pair_count == full->summary.box_pairs && all.summary.touching_pairs == full->pair_count, "counts");
    for (uint64_t n = 0; n < all.pair_count; n++) {
        if (isnan(all.field[ANY_T_TOI][n])) {
            const gap_row gap = shape_scene_gap(context, scene, all.i[n], all.k[n]);
            note_check(all.field[ANY_DISTANCE][n] == (double)gap.upper && all.field[ANY_T_CA][n] == 0.0 &&
                           all.field[ANY_NORMAL][n] == 0.0 && all.field[ANY_POINT][n] == 0.0,
                       "row of (%u, %u), which are apart", all.i[n], all.k[n]);
            continue;
        }
        note_check(at < full->pair_count && all.i[n] == full->i[at] && all.k[n] == full->k[at], "another pair touches");
        for (int f = 0; f < ANY_FIELDS; f++) {
            note_check(all.field[f][n] == full->field[f][at], "another row of (%u, %u)", all.i[n], all.k[n]);
        }
        at++;
    }
    note_check(at == full->pair_count, "pairs that touch are missing");
    any_result_release(&all);
}

static void run_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const shape_family family = (shape_family)(number % FAMILIES);
    const shape_motion motion = (shape_motion)(number / FAMILIES % MOTIONS);
    const uint64_t count = number < FAMILIES ? number % 3 : carom_random_next(&random) % BODIES_MOST;
    shape_scene scene = shape_scene_make(family, motion, count, &random);
    scene.margin = scene.bodies.shapes != NULL && number % 3 == 1 ? 0.3 * carom_random_u01(&random) : 0.0;
    scene.tolerance = scene.bodies.shapes != NULL && number % 5 < 2 ? ldexp(1.0, -2 - (int)(number % 3) * 12) : 0.0;
    note_case(number, "%s, %" PRIu64 " bodies, margin %g, tolerance %g", shape_scene_name(&scene), count, scene.margin,
              scene.tolerance);
    carom_context *context = isa_contexts[0];
    brute_pairs boxed;
    any_result boxes = boxes_of(context, &scene);
    brute_pairs touching = shape_scene_touches(context, &scene, &boxes, &boxed);
    carom_detect_config config = full_config();
    any_result full = run(context, &scene, &config);
    check_truth(context, &scene, &full, &touching, &boxed);
    check_all_pairs(any_of(&random), &scene, &full);
    for (uint64_t c = 1; c < isa_context_count; c++) {
        config.method = (carom_method)(carom_random_next(&random) % METHODS);
        any_result other = run(isa_contexts[c], &scene, &config);
        note_check(any_result_same(&full, &other), "%s, %u threads, method %d: another result",
                   carom_context_isa(isa_contexts[c]), carom_context_threads(isa_contexts[c]), (int)config.method);
        any_result_release(&other);
    }
    any_result_release(&full);
    any_result_release(&boxes);
    brute_force_release_pairs(&touching);
    brute_force_release_pairs(&boxed);
    shape_scene_release(&scene);
}

static void test_random_scenes(void **state) {
    (void)state;
    all_touching = 0;
    all_boxed = 0;
    note_each_case(CASES, run_case);
    note_check(note_only_case() != UINT64_MAX || (all_touching > all_boxed / 10 && all_touching < all_boxed * 9 / 10),
               "%" PRIu64 " of %" PRIu64 " pairs touch: the test is empty", all_touching, all_boxed);
}

/* Rows in the order of the search are the same for every context, too, and blocks of a sink hold the same rows. */
typedef struct basket {
    _Atomic uint64_t rows;
    _Atomic uint64_t hash;
} basket;

static bool take_block(void *user, const block *rows) {
    basket *b = user;
    atomic_fetch_add(&b->rows, rows->count);
    return true;
}

static void check_sink(carom_context *context, const shape_scene *scene, const any_result *full) {
    basket b = {0};
    detect_output output = {.size = sizeof output, .sink = take_block, .sink_user = &b};
    detection found = {.size = sizeof found};
    carom_detect_config config = carom_detect_config_default();
    config.hash = true;
    carom_error error;
    const carom_status status = DETECT(context, &scene->bodies, &config, &output, &found, &error);
    note_check(status == CAROM_OK, "with a sink: %s", error.message);
    note_check(b.rows == full->pair_count && found.summary.result_hash == full->summary.result_hash,
               "other rows come to the sink");
}

/* What a sink has of the children of pairs, by the pair: the sum over its rows. */
static bool add_children(void *user, const block *rows) {
    _Atomic uint64_t *sum = user;
    for (uint32_t n = 0; n < rows->count; n++) {
        const uint64_t pair = (uint64_t)rows->contacts.i[n] << 32 | rows->contacts.k[n];
        atomic_fetch_add(sum, (pair * 4 + rows->child_i[n]) * 4 + rows->child_k[n]);
    }
    return true;
}

/* Rows of compounds name the children that answer for the pair alone: in the detection, in the caller's arrays and in a
 * sink's blocks. */
static void run_children(uint64_t number) {
    enum { ROWS = 4096 };
    carom_random random = carom_random_seeded(note_case_seed(number));
    shape_scene scene = shape_scene_make(FAMILY_COMPOUNDS, (shape_motion)(number % MOTIONS), BODIES_MOST, &random);
    carom_context *context = any_of(&random);
    static uint32_t child[2][ROWS];
    detect_output output = {.size = sizeof output, .pair_capacity = ROWS, .child_i = child[0], .child_k = child[1]};
    detection found = {.size = sizeof found};
    carom_detect_config config = carom_detect_config_default();
    config.sort_pairs = number % 2 == 0;
    carom_error error;
    uint64_t sum = 0;
    uint64_t inner = 0;
    note_case(number, "children, %s", shape_scene_name(&scene));
    carom_status status = DETECT(context, &scene.bodies, &config, &output, &found, &error);
    note_check(status == CAROM_OK && found.child_i != NULL && found.child_k != NULL, "%s", error.message);
    const uint64_t count = found.pair_count;
    const carom_contacts rows = found.contacts;
    for (uint64_t n = 0; n < count; n++) {
        const uint32_t i = rows.i[n];
        const uint32_t k = rows.k[n];
        sum += ((((uint64_t)i << 32 | k) * 4 + found.child_i[n]) * 4) + found.child_k[n];
        inner += found.child_i[n] + found.child_k[n] > 0;
        note_check(found.child_i[n] == child[0][n] && found.child_k[n] == child[1][n], "the caller's arrays differ");
    }
    note_check(inner > count / 10, "only %" PRIu64 " rows name a child", inner);
    output = (detect_output){.size = sizeof output};
    _Atomic uint64_t sunk = 0;
    output.sink = add_children;
    output.sink_user = &sunk;
    config.sort_pairs = false;
    detection other = {.size = sizeof other};
    carom_context *sinking = any_context(2, NULL);
    status = DETECT(sinking, &scene.bodies, &config, &output, &other, &error);
    note_check(status == CAROM_OK && sunk == sum, "a sink's children differ: %s", error.message);
    carom_context_destroy(sinking);
    for (uint64_t n = 0; n < count; n++) {
        carom_context *alone = context == isa_contexts[0] ? isa_contexts[1] : isa_contexts[0];
        const bool rest = shape_scene_rests(&scene, rows.i[n]) && shape_scene_rests(&scene, rows.k[n]);
        const gap_row gap = shape_scene_gap(alone, &scene, rows.i[n], rows.k[n]);
        const toi_row impact = shape_scene_impact(alone, &scene, rows.i[n], rows.k[n]);
        note_check(found.child_i[n] == (rest ? gap.child_i : impact.child_i) &&
                       found.child_k[n] == (rest ? gap.child_k : impact.child_k),
                   "children of (%u, %u)", rows.i[n], rows.k[n]);
    }
    shape_scene_release(&scene);
}

static void test_children(void **state) {
    (void)state;
    note_each_case(MOTIONS * 2, run_children);
}

/* A scene that several workers share, of small bodies and one giant that holds many of them. */
static void run_large(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    shape_scene scene = shape_scene_make(FAMILY_MIXED, number % 2 == 0 ? MOTION_REST : MOTION_SPIN, LARGE, &random);
    note_case(number, "large, %s", shape_scene_name(&scene));
    carom_detect_config config = carom_detect_config_default();
    config.hash = true;
    any_result first = run(isa_contexts[0], &scene, &config);
    note_check(first.pair_count > LARGE / 4, "only %" PRIu64 " pairs", first.pair_count);
    for (uint64_t c = 1; c < isa_context_count; c++) {
        any_result other = run(isa_contexts[c], &scene, &config);
        note_check(any_result_same(&first, &other), "%s, %u threads: another result",
                   carom_context_isa(isa_contexts[c]), carom_context_threads(isa_contexts[c]));
        any_result_release(&other);
        check_sink(isa_contexts[c], &scene, &first);
    }
    any_result_release(&first);
    shape_scene_release(&scene);
}

static void test_large_scenes(void **state) {
    (void)state;
    note_each_case(2, run_large);
}

/* A box that holds half of a thousand small ones. */
static void test_giant(void **state) {
    (void)state;
    enum { COUNT = 1000 };
    carom_random random = carom_random_seeded(note_case_seed(0));
    shape_scene scene = shape_scene_make(FAMILY_BOXES, MOTION_REST, COUNT, &random);
    const carom_shape shape[] = {{.kind = CAROM_SHAPE_BOX, .extent = {0.3, 0.2, 0.4}},
                                 {.kind = CAROM_SHAPE_BOX, .extent = {2.2, 5.0, 5.0}}};
    carom_shapes *shapes = NULL;
    carom_error error;
    assert_int_equal(carom_shapes_create(shape, 2, NULL, &shapes, &error), CAROM_OK);
    scene.bodies.shapes = shapes;
    for (uint32_t n = 0; n < COUNT; n++) {
        scene.shape[n] = n == 517;
    }
    any_result boxes = boxes_of(isa_contexts[0], &scene);
    brute_pairs boxed;
    brute_pairs touching = shape_scene_touches(isa_contexts[0], &scene, &boxes, &boxed);
    for (int m = 0; m < METHODS; m++) {
        carom_detect_config config = full_config();
        config.method = (carom_method)m;
        any_result r = run(isa_contexts[isa_context_count - 1], &scene, &config);
        note_case((uint64_t)m, "giant, method %d", m);
        check_truth(isa_contexts[0], &scene, &r, &touching, &boxed);
        any_result_release(&r);
    }
    brute_force_release_pairs(&touching);
    brute_force_release_pairs(&boxed);
    any_result_release(&boxes);
    carom_shapes_destroy(shapes);
    shape_scene_release(&scene);
}

static bool accepts_most(void *user, uint32_t i, uint32_t k) {
    (void)user;
    return (i * 7 + k) % 5 != 0;
}

static void run_filtered(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    uint32_t values[3][BODIES_MOST];
    uint8_t fixed[BODIES_MOST];
    carom_filter filter = carom_filter_default();
    shape_scene scene =
        shape_scene_make((shape_family)(number % FAMILIES), (shape_motion)(number % MOTIONS), BODIES_MOST, &random);
    note_case(number, "filtered, %s", shape_scene_name(&scene));
    for (int n = 0; n < BODIES_MOST; n++) {
        values[0][n] = (uint32_t)carom_random_next(&random) & 7;
        values[1][n] = (uint32_t)carom_random_next(&random) | 1;
        values[2][n] = (uint32_t)carom_random_next(&random) % 4;
        fixed[n] = carom_random_next(&random) % 3 == 0;
    }
    filter.category = values[0];
    filter.mask = values[1];
    filter.group = values[2];
    filter.fixed = fixed;
    filter.accepts = accepts_most;
    brute_pairs boxed;
    any_result boxes = boxes_of(isa_contexts[0], &scene);
    brute_pairs touching = shape_scene_touches(isa_contexts[0], &scene, &boxes, &boxed);
    brute_pairs wanted = brute_force_filtered(&filter, &touching);
    carom_detect_config config = full_config();
    config.filter = &filter;
    any_result r = run(any_of(&random), &scene, &config);
    check_pairs(&wanted, &r);
    check_groups(&wanted, &r);
    any_result_release(&r);
    any_result_release(&boxes);
    brute_force_release_pairs(&wanted);
    brute_force_release_pairs(&touching);
    brute_force_release_pairs(&boxed);
    shape_scene_release(&scene);
}

static void test_filters(void **state) {
    (void)state;
    note_each_case(FAMILIES * MOTIONS, run_filtered);
}

/* Spheres as shapes touch like spheres with radii, but for passes within the tolerance of a time of impact. */
static void run_spheres(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    shape_scene scene =
        shape_scene_make(FAMILY_SPHERES, number % 2 == 0 ? MOTION_REST : MOTION_SPIN, 4 * BODIES_MOST, &random);
    carom_real radius[4 * BODIES_MOST];
    carom_detect_config config = full_config();
    note_case(number, "spheres");
    for (uint64_t n = 0; n < scene.bodies.count; n++) {
        radius[n] = (carom_real)0.375 + (carom_real)(scene.shape[n] % 4) / 8;
    }
    carom_shape sphere[4];
    carom_shapes *shapes = NULL;
    carom_error error;
    for (int n = 0; n < 4; n++) {
        sphere[n] = (carom_shape){.kind = CAROM_SHAPE_SPHERE, .radius = 0.375 + n / 8.0};
    }
    assert_int_equal(carom_shapes_create(sphere, 4, NULL, &shapes, &error), CAROM_OK);
    for (uint64_t n = 0; n < scene.bodies.count; n++) {
        scene.shape[n] %= 4;
    }
    scene.bodies.shapes = shapes;
    any_result as_shapes = run(any_of(&random), &scene, &config);
    scene.bodies.shapes = NULL;
    scene.bodies.radius = radius;
    any_result as_spheres = run(any_of(&random), &scene, &config);
    uint64_t at = 0;
    for (uint64_t n = 0; n < as_shapes.pair_count; n++) {
        if (at < as_spheres.pair_count && as_shapes.i[n] == as_spheres.i[at] && as_shapes.k[n] == as_spheres.k[at]) {
            const double late = as_shapes.field[ANY_T_TOI][n] - as_spheres.field[ANY_T_TOI][at];
            note_check(late <= 1e-6 && late >= -0.05, "time of (%u, %u) is off by %g", as_shapes.i[n], as_shapes.k[n],
                       late);
            at++;
        } else {
            note_check(as_shapes.field[ANY_DISTANCE][n] > 0.0 && as_shapes.field[ANY_DISTANCE][n] < 1e-4,
                       "(%u, %u) touch as shapes alone", as_shapes.i[n], as_shapes.k[n]);
        }
    }
    note_check(at == as_spheres.pair_count && at > 0, "pairs of spheres are missing");
    any_result_release(&as_shapes);
    any_result_release(&as_spheres);
    carom_shapes_destroy(shapes);
    shape_scene_release(&scene);
}

static void test_spheres(void **state) {
    (void)state;
    note_each_case(8, run_spheres);
}

/* The same bodies as structs. */
static void test_strides(void **state) {
    (void)state;
    struct body {
        carom_real value[17];
        uint32_t shape;
        uint32_t other;
    };
    for (uint64_t number = 0; number < MOTIONS; number++) {
        carom_random random = carom_random_seeded(note_case_seed(number));
        shape_scene scene = shape_scene_make(FAMILY_MIXED, (shape_motion)number, BODIES_MOST, &random);
        static struct body bodies[BODIES_MOST];
        note_case(number, "structs, %s", shape_scene_name(&scene));
        for (uint64_t n = 0; n < BODIES_MOST; n++) {
            bodies[n].shape = scene.shape[n];
            for (int f = 0; f < 17; f++) {
                bodies[n].value[f] = scene.field[f][n];
            }
        }
        carom_detect_config config = full_config();
        any_result packed = run(isa_contexts[0], &scene, &config);
        const carom_bodies before = scene.bodies;
        carom_bodies *strided = &scene.bodies;
        strided->shape = &bodies[0].shape;
        strided->prev_stride = sizeof bodies[0];
        strided->curr_stride = sizeof bodies[0];
        strided->shape_stride = sizeof bodies[0];
        strided->prev_turn_stride = sizeof bodies[0];
        strided->curr_turn_stride = sizeof bodies[0];
        strided->spin_stride = sizeof bodies[0];
        for (int a = 0; a < 4; a++) {
            if (a < 3) {
                strided->prev[a] = &bodies[0].value[a];
                strided->curr[a] = before.curr[a] != NULL ? &bodies[0].value[3 + a] : NULL;
                strided->spin[a] = before.spin[a] != NULL ? &bodies[0].value[14 + a] : NULL;
            }
            strided->prev_turn[a] = &bodies[0].value[6 + a];
            strided->curr_turn[a] = before.curr_turn[a] != NULL ? &bodies[0].value[10 + a] : NULL;
        }
        any_result other = run(isa_contexts[0], &scene, &config);
        note_check(any_result_same(&packed, &other), "another result");
        any_result_release(&packed);
        any_result_release(&other);
        shape_scene_release(&scene);
    }
}

static void expect_bad(const shape_scene *scene, uint64_t body, const char *field) {
    const any_bodies bodies = shape_scene_any(scene);
    const carom_detect_config config = carom_detect_config_default();
    for (uint64_t c = 0; c < isa_context_count; c++) {
        any_result r = any_detect_bodies(isa_contexts[c], &bodies, &config, NULL);
        note_check(r.status == CAROM_ERROR_BODY && r.error.body == body && strcmp(r.error.field, field) == 0,
                   "status %s, body %" PRIu64 ", field %s, not %" PRIu64 ", %s: %s", carom_status_name(r.status),
                   r.error.body, r.error.field, body, field, r.error.message);
    }
}

/* Values that no body may have, each in turn; a worse one behind it does not matter. */
static void test_bad_bodies(void **state) {
    (void)state;
    static const char *const names[17] = {"prev_x",      "prev_y",      "prev_z",      "curr_x",      "curr_y",
                                          "curr_z",      "prev_turn_x", "prev_turn_y", "prev_turn_z", "prev_turn_w",
                                          "curr_turn_x", "curr_turn_y", "curr_turn_z", "curr_turn_w", "spin_x",
                                          "spin_y",      "spin_z"};
    for (int f = 0; f < 17; f++) {
        carom_random random = carom_random_seeded(note_case_seed((uint64_t)f));
        shape_scene scene = shape_scene_make(FAMILY_BOXES, f >= 14 ? MOTION_SPIN : MOTION_TURN, LARGE, &random);
        note_case((uint64_t)f, "NaN in %s", names[f]);
        scene.shape[LARGE - 1] = UINT32_MAX;
        scene.field[f][LARGE / 2 + 3] = (carom_real)NAN;
        expect_bad(&scene, LARGE / 2 + 3, names[f]);
        scene.field[f][LARGE / 2 + 3] = (carom_real)INFINITY;
        expect_bad(&scene, LARGE / 2 + 3, names[f]);
        shape_scene_release(&scene);
    }
    carom_random random = carom_random_seeded(note_case_seed(0));
    shape_scene scene = shape_scene_make(FAMILY_BOXES, MOTION_TURN, BODIES_MOST, &random);
    scene.shape[70] = (uint32_t)carom_shapes_count(scene.shapes);
    expect_bad(&scene, 70, "shape");
    for (int f = 6; f < 10; f++) {
        scene.field[f][60] *= (carom_real)0.3;
    }
    expect_bad(&scene, 60, "prev_turn");
    for (int f = 10; f < 14; f++) {
        scene.field[f][50] *= 3;
    }
    expect_bad(&scene, 50, "curr_turn");
    shape_scene_release(&scene);
}

/* Infinite shapes are in no detection. */
static void test_infinite_shapes(void **state) {
    (void)state;
    static const carom_shape_kind kinds[] = {CAROM_SHAPE_HALF_SPACE, CAROM_SHAPE_LINE};
    carom_random random = carom_random_seeded(note_case_seed(0));
    for (int n = 0; n < 2; n++) {
        const carom_shape shape[] = {{.kind = CAROM_SHAPE_SPHERE, .radius = 1.0}, {.kind = kinds[n]}};
        carom_shapes *shapes = NULL;
        carom_error error;
        assert_int_equal(carom_shapes_create(shape, 2, NULL, &shapes, &error), CAROM_OK);
        shape_scene scene = shape_scene_make(FAMILY_SPHERES, MOTION_REST, BODIES_MOST, &random);
        scene.bodies.shapes = shapes;
        memset(scene.shape, 0, BODIES_MOST * sizeof *scene.shape);
        scene.shape[33] = 1;
        scene.shape[34] = 1;
        expect_bad(&scene, 33, "shape");
        scene.field[0][33] = (carom_real)NAN;
        expect_bad(&scene, 33, "shape");
        carom_shapes_destroy(shapes);
        shape_scene_release(&scene);
    }
}

/* What does not work with shapes is refused by name. */
static void test_refused(void **state) {
    (void)state;
    carom_random random = carom_random_seeded(note_case_seed(0));
    shape_scene scene = shape_scene_make(FAMILY_MIXED, MOTION_LINEAR, BODIES_MOST, &random);
    const carom_detect_config config = carom_detect_config_default();
    detection found = {.size = sizeof found};
    carom_error error;
    assert_int_equal(DETECT(isa_contexts[0], &scene.bodies, &config, NULL, &found, &error), CAROM_OK);
    const carom_bodies probe = {
        .size = sizeof probe, .count = 1, .prev = {scene.field[0], scene.field[1], scene.field[2]}, .common_radius = 1};
    CAROM_REAL(carom_query_answer) answer = {.size = sizeof answer};
    assert_int_equal(QUERY(isa_contexts[0], &probe, NULL, &answer, &error), CAROM_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "spheres"));
    shape_scene_release(&scene);
}

/* Bodies near the end of the range, whose boxes end there. Ways that overflow may lead anywhere, on other axes, too:
 * the first body is far aside then. */
static void test_extremes(void **state) {
    (void)state;
    const carom_real most = CAROM_REAL_BITS == 32 ? (carom_real)3.4e38 : (carom_real)1.7e308;
    const carom_shape shape = {.kind = CAROM_SHAPE_BOX, .extent = {1e38, 1e38, 1e38}};
    carom_shapes *shapes = NULL;
    carom_error error;
    assert_int_equal(carom_shapes_create(&shape, 1, NULL, &shapes, &error), CAROM_OK);
    const carom_real prev[3] = {most, -most, most};
    const carom_real zero[3] = {0, 0, 0};
    const carom_real aside[3] = {CAROM_REAL_BITS == 32 ? 0 : (carom_real)0.9 * most, 0, 0};
    const carom_real curr[3] = {most, most, -most};
    carom_bodies bodies = {
        .size = sizeof bodies, .count = 3, .prev = {prev, aside, zero}, .curr = {curr, aside, zero}, .shapes = shapes};
    carom_detect_config config = full_config();
    const shape_scene scene = {.motion = MOTION_LINEAR, .bodies = bodies};
    any_result r = run(isa_contexts[0], &scene, &config);
    note_check(r.pair_count == 3, "%" PRIu64 " pairs of three that meet", r.pair_count);
    any_result_release(&r);
    carom_shapes_destroy(shapes);
}

/* Margins and tolerances are of shapes, and numbers that make sense. */
static void test_margins_are_checked(void **state) {
    static const double bad[] = {-1.0, NAN, INFINITY};
    carom_random random = carom_random_seeded(note_case_seed(0));
    shape_scene scene = shape_scene_make(FAMILY_BOXES, MOTION_REST, 10, &random);
    carom_bodies spheres = scene.bodies;
    carom_real radius = 1;
    CAROM_REAL(carom_detection) found = {.size = sizeof found};
    carom_error error;
    (void)state;
    spheres.shapes = NULL;
    spheres.shape = NULL;
    spheres.common_radius = radius;
    for (int n = 0; n < 8; n++) {
        carom_detect_config config = carom_detect_config_default();
        config.margin = n < 3 ? bad[n] : n == 6 ? 0.5 : 0.0;
        config.tolerance = n >= 3 && n < 6 ? bad[n - 3] : n == 7 ? 0x1p-10 : 0.0;
        const carom_bodies *bodies = n < 6 ? &scene.bodies : &spheres;
        const carom_status status = DETECT(isa_contexts[0], bodies, &config, NULL, &found, &error);
        note_check(status == CAROM_ERROR_ARGUMENT &&
                       strstr(error.message, n < 3 || n == 6 ? "config.margin" : "config.tolerance") != NULL,
                   "%d: status %d, '%s'", n, (int)status, error.message);
    }
    shape_scene_release(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_scenes),   cmocka_unit_test(test_large_scenes),
        cmocka_unit_test(test_giant),           cmocka_unit_test(test_children),
        cmocka_unit_test(test_filters),         cmocka_unit_test(test_spheres),
        cmocka_unit_test(test_strides),         cmocka_unit_test(test_bad_bodies),
        cmocka_unit_test(test_infinite_shapes), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_extremes),        cmocka_unit_test(test_margins_are_checked),
    };
    note_start("test_detect_shapes");
    return cmocka_run_group_tests(tests, make_contexts, isa_contexts_destroy);
}
