/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies with shapes in a periodic box, and in steps that follow one another, against the calls for pairs: every pair
 * of a body and an image, the image put where its shift says. Guards that exactly the images that touch are found, that
 * rows are those of body and image alone, and that coherent steps give what carom_detect gives. Positions are multiples
 * of 2^-18 and edges of 1/16, so that sums are exact. Compiled once for each precision. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/coherent.h"
#include "carom/distance.h"
#include "carom/toi.h"
#include "tests/prop/shape_approach.h"
#include "tests/prop/shape_scene_tmpl.h"
#include "tests/support/any_coherent.h"
#include "tests/support/check.h"
#include "tests/support/isa_contexts.h"
#include "tests/support/note.h"

enum { CASES = 60, BODIES_MOST = 32, WRAP = 2, SHIFT_MOST = 2 * WRAP + 4, METHODS = CAROM_METHOD_SHARED + 1 };
enum { STEPS = 8, FIELDS = 17, PREV_TURN = 6, CURR_TURN = 10, SPIN = 14 };

static const double GRID = 0x1p18;
/* No shape of a scene reaches farther from its body's position. */
static const double REACH = 2.2;

static uint64_t all_rows;
static uint64_t all_images;
static uint64_t all_approaching;

static int make_contexts(void **state) {
    static const uint32_t threads[] = {1, 2, 8};
    (void)state;
    return isa_contexts_make(threads, sizeof threads / sizeof threads[0]);
}

/* A scene, its box, and its numbers as doubles. */
typedef struct boxed_scene {
    shape_scene scene;
    carom_periodic box;
    double *value[FIELDS];
} boxed_scene;

static double on_grid(double x) {
    return nearbyint(x * GRID) / GRID;
}

static void tilt(carom_periodic *box, double side) {
    box->edge[1][0] = 0.25 * side;
    box->edge[2][0] = -0.5 * side;
    box->edge[2][1] = 0.25 * side;
}

static carom_periodic draw_box(uint64_t number, double side, bool self_images) {
    carom_periodic box = carom_periodic_default();
    for (int a = 0; a < 3; a++) {
        box.along[a] = number % 5 != 0 || a != (int)(number / 5 % 3);
        box.edge[a][a] = box.along[a] ? side : 0.0;
    }
    if (number % 3 == 1 && number % 5 != 0) {
        tilt(&box, side);
    }
    box.self_images = self_images;
    return box;
}

/* Bodies are wherever their images are: moved by some edges. */
static void spread(boxed_scene *b, int wrap, carom_random *random) {
    for (uint64_t n = 0; n < b->scene.bodies.count; n++) {
        for (int e = 0; e < 3; e++) {
            const double edges = (double)(carom_random_next(random) % (uint64_t)(2 * wrap + 1)) - wrap;
            for (int a = 0; a < 3; a++) {
                b->value[a][n] = on_grid(b->value[a][n]) + edges * b->box.edge[e][a];
                b->value[a + 3][n] = on_grid(b->value[a + 3][n]) + edges * b->box.edge[e][a];
            }
        }
        for (int f = 0; f < 6; f++) {
            b->scene.field[f][n] = (carom_real)b->value[f][n];
        }
    }
}

static boxed_scene make_scene(uint64_t number, shape_motion motion, uint64_t count, int wrap, carom_random *random) {
    boxed_scene b;
    const bool self_images = number % 4 == 3;
    b.scene = shape_scene_make((shape_family)(number % FAMILIES), motion, count, random);
    b.scene.margin = b.scene.bodies.shapes != NULL && number % 7 < 3 ? 0.25 * carom_random_u01(random) : 0.0;
    const double side = cbrt((double)count) * (motion == MOTION_REST ? 0.9 : 1.3);
    const double least = self_images ? 1.5 : 2.0 * REACH + 0.5;
    b.box = draw_box(number, ceil((side > least ? side : least) * 4.0) / 4.0, self_images);
    for (int f = 0; f < FIELDS; f++) {
        b.value[f] = calloc(count + 1, sizeof(double));
        for (uint64_t n = 0; n < count; n++) {
            b.value[f][n] = (double)b.scene.field[f][n];
        }
    }
    spread(&b, wrap, random);
    return b;
}

static void release_scene(boxed_scene *b) {
    for (int f = 0; f < FIELDS; f++) {
        free(b->value[f]);
    }
    shape_scene_release(&b->scene);
}

static any_result run(carom_context *context, const boxed_scene *b, const carom_detect_config *config) {
    const any_bodies bodies = shape_scene_any(&b->scene);
    any_result result = any_detect_bodies(context, &bodies, config, NULL);
    note_check(result.status == CAROM_OK, "detection fails: %s", result.error.message);
    return result;
}

/* Body i where it is, and body k moved by edges. */
typedef struct image_pair {
    double field[FIELDS][2];
    uint32_t shape[2];
    carom_bodies_f64 bodies;
    bool rests;
    double margin;
} image_pair;

static void make_pair(const boxed_scene *b, uint32_t i, uint32_t k, const int32_t shift[3], image_pair *pair) {
    const carom_bodies *from = &b->scene.bodies;
    pair->margin = b->scene.margin;
    const uint32_t body[2] = {i, k};
    for (int s = 0; s < 2; s++) {
        pair->shape[s] = b->scene.shape[body[s]];
        for (int f = 0; f < FIELDS; f++) {
            pair->field[f][s] = b->value[f][body[s]];
        }
        for (int f = 0; f < 6 && s == 1; f++) {
            for (int e = 0; e < 3; e++) {
                pair->field[f][s] += shift[e] * b->box.edge[e][f % 3];
            }
        }
    }
    pair->bodies =
        (carom_bodies_f64){.size = sizeof pair->bodies, .count = 2, .shapes = b->scene.shapes, .shape = pair->shape};
    for (int a = 0; a < 3; a++) {
        pair->bodies.prev[a] = pair->field[a];
        pair->bodies.curr[a] = from->curr[a] != NULL ? pair->field[a + 3] : NULL;
        pair->bodies.spin[a] = from->spin[a] != NULL ? pair->field[SPIN + a] : NULL;
    }
    for (int a = 0; a < 4; a++) {
        pair->bodies.prev_turn[a] = from->prev_turn[a] != NULL ? pair->field[PREV_TURN + a] : NULL;
        pair->bodies.curr_turn[a] = from->curr_turn[a] != NULL ? pair->field[CURR_TURN + a] : NULL;
    }
    pair->rests = shape_scene_rests(&b->scene, i) && shape_scene_rests(&b->scene, k);
}

/* What is known of a body and an image. */
typedef struct truth {
    bool touches; /* as the call decides */
    bool proved;  /* not just within a tolerance */
    bool approaches;
    double t;
    double distance;
    double normal[3];
    double point[3];
    uint32_t child[2];
} truth;

static void take_vectors(const double normal[3], const double point_i[3], const double point_k[3], truth *t) {
    for (int a = 0; a < 3; a++) {
        t->normal[a] = normal[a];
        t->point[a] = 0.5 * point_i[a] + 0.5 * point_k[a];
    }
}

/* Whether they touch is decided by the state alone. */
static truth at_rest(const image_pair *pair) {
    static const uint32_t first = 0;
    static const uint32_t second = 1;
    carom_distance_config config = carom_distance_config_default();
    carom_gap_f64 gap[2];
    carom_error error;
    config.margin = pair->margin;
    config.tolerance = CAROM_REAL_BITS == 32 ? 0x1p-20 : 0x1p-40;
    for (int n = 0; n < 2; n++) {
        config.detail = n == 0 ? CAROM_GAP_STATE : CAROM_GAP_DISTANCE;
        const carom_status status = carom_distance_pairs_f64(isa_contexts[0], &pair->bodies, &first, &second, 1,
                                                             &config, &gap[n], NULL, &error);
        note_check(status == CAROM_OK, "no distance: %s", error.message);
    }
    truth t = {.touches = gap[0].state != CAROM_GAP_SEPARATED,
               .proved = gap[1].upper <= pair->margin,
               .distance = gap[1].upper,
               .child = {gap[1].child_i, gap[1].child_k}};
    take_vectors(gap[1].normal, gap[1].point_i, gap[1].point_k, &t);
    return t;
}

static truth in_motion(const image_pair *pair) {
    static const uint32_t first = 0;
    static const uint32_t second = 1;
    carom_toi_config config = carom_toi_config_default();
    carom_toi_f64 impact;
    carom_error error;
    config.margin = pair->margin;
    config.tolerance = CAROM_REAL_BITS == 32 ? 1e-4 : 1e-9;
    const carom_status status =
        carom_toi_pairs_f64(isa_contexts[0], &pair->bodies, &first, &second, 1, &config, &impact, &error);
    note_check(status == CAROM_OK, "no time of impact: %s", error.message);
    truth t = {.touches = impact.state != CAROM_TOI_NONE,
               .proved = impact.state != CAROM_TOI_NONE && impact.gap <= pair->margin,
               .approaches = shape_approaches(&pair->bodies, &impact),
               .t = impact.t,
               .distance = impact.gap,
               .child = {impact.child_i, impact.child_k}};
    take_vectors(impact.normal, impact.point_i, impact.point_k, &t);
    return t;
}

static truth truth_of(const image_pair *pair) {
    return pair->rests ? at_rest(pair) : in_motion(pair);
}

/* The least value of the precision that is not below x. */
static double rounded_up(double x) {
    const carom_real near = (carom_real)x;
    return (double)near >= x ? (double)near : (double)(carom_real)nextafterf((float)near, FLT_MAX);
}

static double rounded_down(double x) {
    return -rounded_up(-x);
}

static void check_row(const any_result *r, uint64_t n, const truth *t) {
    const char *const names[2] = {"normal", "point"};
    note_check(r->field[ANY_T_TOI][n] == rounded_down(t->t) && r->field[ANY_DISTANCE][n] == rounded_up(t->distance),
               "(%u, %u): t %.17g, distance %.17g, not %.17g and %.17g", r->i[n], r->k[n], r->field[ANY_T_TOI][n],
               r->field[ANY_DISTANCE][n], t->t, t->distance);
    for (int f = 0; f < 6; f++) {
        const double wanted = f < 3 ? t->normal[f] : t->point[f - 3];
        const double got = r->field[ANY_NORMAL + f][n];
        const double slack = (CAROM_REAL_BITS == 32 ? 0x1p-23 : 0x1p-50) * (fabs(wanted) + 8.0);
        note_check(fabs(got - wanted) <= slack, "(%u, %u): %s %.17g, not %.17g", r->i[n], r->k[n], names[f / 3], got,
                   wanted);
    }
}

/* Row n is that of a body and an image; rows are in order of (i, k, shift), but images of one pair among themselves. */
static uint64_t row_of(const any_result *r, uint32_t i, uint32_t k, const int32_t shift[3]) {
    for (uint64_t n = 0; n < r->pair_count; n++) {
        if (r->i[n] == i && r->k[n] == k && r->shift[0][n] == shift[0] && r->shift[1][n] == shift[1] &&
            r->shift[2][n] == shift[2]) {
            return n;
        }
    }
    return UINT64_MAX;
}

/* Whether the two are too far apart to meet. */
static bool is_far(const image_pair *pair) {
    double square = 0.0;
    double reach = 2.0 * REACH;
    for (int a = 0; a < 3; a++) {
        const double between = pair->field[a][1] - pair->field[a][0];
        square += between * between;
        for (int s = 0; s < 2 && pair->bodies.curr[a] != NULL; s++) {
            reach += fabs(pair->field[a + 3][s] - pair->field[a][s]);
        }
    }
    return square > reach * reach;
}

/* Whether this shift may stand in a row: of a body and its own image one of two that are one. */
static bool is_row(const boxed_scene *b, uint32_t i, uint32_t k, const int32_t shift[3]) {
    const int32_t first = shift[0] != 0 ? shift[0] : shift[1] != 0 ? shift[1] : shift[2];
    bool row = i < k || (b->box.self_images && first > 0);
    for (int a = 0; a < 3; a++) {
        row = row && (b->box.along[a] || shift[a] == 0);
    }
    return row;
}

/* Returns how many rows a pair of bodies has. */
static uint64_t check_images(const boxed_scene *b, const any_result *r, uint32_t i, uint32_t k) {
    uint64_t rows = 0;
    for (int c = 0; c < (2 * SHIFT_MOST + 1) * (2 * SHIFT_MOST + 1) * (2 * SHIFT_MOST + 1); c++) {
        const int32_t shift[3] = {c % (2 * SHIFT_MOST + 1) - SHIFT_MOST,
                                  c / (2 * SHIFT_MOST + 1) % (2 * SHIFT_MOST + 1) - SHIFT_MOST,
                                  c / (2 * SHIFT_MOST + 1) / (2 * SHIFT_MOST + 1) - SHIFT_MOST};
        image_pair pair;
        if (!is_row(b, i, k, shift)) {
            continue;
        }
        make_pair(b, i, k, shift, &pair);
        if (is_far(&pair)) {
            continue;
        }
        const truth t = truth_of(&pair);
        const uint64_t n = row_of(r, i, k, shift);
        note_check(n != UINT64_MAX || !t.proved, "(%u, %u) shift %d %d %d touches: no row", i, k, shift[0], shift[1],
                   shift[2]);
        note_check(n == UINT64_MAX || t.touches, "(%u, %u) shift %d %d %d does not touch", i, k, shift[0], shift[1],
                   shift[2]);
        if (n != UINT64_MAX) {
            check_row(r, n, &t);
            rows++;
            all_images += shift[0] != 0 || shift[1] != 0 || shift[2] != 0;
        }
    }
    return rows;
}

static void check_truth(const boxed_scene *b, const any_result *r) {
    uint64_t rows = 0;
    for (uint32_t i = 0; i < r->bodies; i++) {
        for (uint32_t k = i; k < r->bodies; k++) {
            rows += check_images(b, r, i, k);
        }
    }
    note_check(rows == r->pair_count, "%" PRIu64 " rows, of which %" PRIu64 " are known", r->pair_count, rows);
    all_rows += rows;
}

static carom_detect_config full_config(const boxed_scene *b) {
    carom_detect_config config = any_config_full();
    config.periodic = &b->box;
    config.margin = b->scene.margin;
    config.neighbours = b->box.self_images ? CAROM_NEIGHBOURS_NONE : CAROM_NEIGHBOURS_FULL;
    return config;
}

/* Of the rows that a call has otherwise those are left whose body and image approach. */
static void check_approaching(const boxed_scene *b, const any_result *full, carom_context *context) {
    carom_detect_config config = full_config(b);
    uint64_t rows = 0;
    config.approaching = true;
    any_result r = run(context, b, &config);
    for (uint64_t n = 0; n < full->pair_count; n++) {
        const int32_t shift[3] = {full->shift[0][n], full->shift[1][n], full->shift[2][n]};
        image_pair pair;
        make_pair(b, full->i[n], full->k[n], shift, &pair);
        const bool wanted = truth_of(&pair).approaches;
        note_check(wanted == (row_of(&r, full->i[n], full->k[n], shift) != UINT64_MAX),
                   "(%u, %u) shift %d %d %d approaches: %d", full->i[n], full->k[n], shift[0], shift[1], shift[2],
                   wanted);
        rows += wanted;
    }
    note_check(r.pair_count == rows && r.summary.touching_pairs == rows &&
                   r.summary.box_pairs == full->summary.box_pairs,
               "%" PRIu64 " rows approach, not %" PRIu64, r.pair_count, rows);
    all_approaching += rows;
    any_result_release(&r);
}

static void run_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const shape_motion motion = (shape_motion)(number % MOTIONS);
    const uint64_t count = 2 + carom_random_next(&random) % BODIES_MOST;
    boxed_scene b = make_scene(number, motion, count, WRAP, &random);
    note_case(number, "%s, %" PRIu64 " bodies, box of %g", shape_scene_name(&b.scene), count, b.box.edge[1][1]);
    carom_detect_config config = full_config(&b);
    any_result full = run(isa_contexts[0], &b, &config);
    check_truth(&b, &full);
    check_approaching(&b, &full, isa_contexts[number % isa_context_count]);
    for (uint64_t c = 1; c < isa_context_count; c++) {
        config.method = (carom_method)(carom_random_next(&random) % METHODS);
        any_result other = run(isa_contexts[c], &b, &config);
        note_check(any_result_same(&full, &other), "%s, %u threads, method %d: another result",
                   carom_context_isa(isa_contexts[c]), carom_context_threads(isa_contexts[c]), (int)config.method);
        any_result_release(&other);
    }
    any_result_release(&full);
    release_scene(&b);
}

static void test_random_boxes(void **state) {
    (void)state;
    all_rows = 0;
    all_images = 0;
    all_approaching = 0;
    note_each_case(CASES, run_case);
    note_check(note_only_case() != UINT64_MAX || (all_images > all_rows / 4 && all_images < all_rows),
               "%" PRIu64 " of %" PRIu64 " rows are of images: the test is empty", all_images, all_rows);
    note_check(note_only_case() != UINT64_MAX ||
                   (all_approaching > all_rows / 10 && all_approaching < all_rows * 9 / 10),
               "%" PRIu64 " of %" PRIu64 " rows approach: the test is empty", all_approaching, all_rows);
}

/* In a box so large that nothing reaches a face, rows are those of open space, bit by bit. */
static void run_wide(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const shape_family family = (shape_family)(number % FAMILIES);
    shape_scene scene = shape_scene_make(family, (shape_motion)(number % MOTIONS), 200, &random);
    const any_bodies bodies = shape_scene_any(&scene);
    note_case(number, "wide, %s", shape_scene_name(&scene));
    for (uint64_t n = 0; n < 200 * 6; n++) {
        scene.field[n / 200][n % 200] += 20;
    }
    carom_periodic box = carom_periodic_default();
    for (int a = 0; a < 3; a++) {
        box.along[a] = true;
        box.edge[a][a] = 64.0;
    }
    carom_detect_config config = any_config_full();
    any_result open = any_detect_bodies(isa_contexts[0], &bodies, &config, NULL);
    config.periodic = &box;
    any_result wide = any_detect_bodies(isa_contexts[number % isa_context_count], &bodies, &config, NULL);
    note_check(open.status == CAROM_OK && wide.status == CAROM_OK && open.pair_count == wide.pair_count &&
                   open.pair_count > 20 && open.summary.touching_hash == wide.summary.touching_hash,
               "%" PRIu64 " rows, in open space %" PRIu64, wide.pair_count, open.pair_count);
    for (int f = 0; f < ANY_FIELDS; f++) {
        note_check(memcmp(open.field[f], wide.field[f], open.pair_count * sizeof(double)) == 0, "field %d differs", f);
    }
    any_result_release(&open);
    any_result_release(&wide);
    shape_scene_release(&scene);
}

static void test_wide_boxes(void **state) {
    (void)state;
    note_each_case(FAMILIES * 2, run_wide);
}

/* Children of compounds and shifts stand in one row. */
static void run_children(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    boxed_scene b = make_scene(FAMILY_COMPOUNDS, (shape_motion)(number % MOTIONS), BODIES_MOST, WRAP, &random);
    carom_detect_config config = full_config(&b);
    CAROM_REAL(carom_detection) found = {.size = sizeof found};
    carom_error error;
    uint64_t inner = 0;
    note_case(number, "children, %s", shape_scene_name(&b.scene));
    carom_context *context = isa_contexts[1 + number % (isa_context_count - 1)]; /* not that of truth_of */
    const carom_status status = CAROM_REAL(carom_detect)(context, &b.scene.bodies, &config, NULL, &found, &error);
    note_check(status == CAROM_OK && found.pair_count > 0 && found.child_i != NULL, "%s", error.message);
    const carom_contacts *rows = &found.contacts;
    for (uint64_t n = 0; n < found.pair_count; n++) {
        const int32_t shift[3] = {rows->shift[0][n], rows->shift[1][n], rows->shift[2][n]};
        image_pair pair;
        make_pair(&b, rows->i[n], rows->k[n], shift, &pair);
        const truth t = truth_of(&pair);
        note_check(found.child_i[n] == t.child[0] && found.child_k[n] == t.child[1], "children of (%u, %u)", rows->i[n],
                   rows->k[n]);
        inner += found.child_i[n] + found.child_k[n] > 0;
    }
    note_check(inner > 0, "no row names a child");
    release_scene(&b);
}

static void test_children(void **state) {
    (void)state;
    note_each_case(MOTIONS, run_children);
}

/* A body that could touch its own image is refused by name, and so is one whose box has no end. */
static void test_bad_bodies(void **state) {
    (void)state;
    const carom_shape shape[2] = {{.kind = CAROM_SHAPE_BOX, .extent = {1, 1, 1}},
                                  {.kind = CAROM_SHAPE_BOX, .extent = {1, 1, 5}}};
    const carom_real most = CAROM_REAL_BITS == 32 ? (carom_real)3.4e38 : (carom_real)1.7e308;
    carom_shapes *shapes = NULL;
    carom_error error;
    assert_int_equal(carom_shapes_create(shape, 2, NULL, &shapes, &error), CAROM_OK);
    carom_real prev[3][3] = {{0, 4, 2}, {0, 4, 2}, {0, 4, 2}};
    carom_real curr[3] = {0, 4, 2};
    uint32_t number[3] = {0, 0, 1};
    carom_periodic box = carom_periodic_default();
    for (int a = 0; a < 3; a++) {
        box.along[a] = true;
        box.edge[a][a] = 8.0;
    }
    carom_detect_config config = carom_detect_config_default();
    config.periodic = &box;
    carom_bodies bodies = {.size = sizeof bodies, .count = 3, .shapes = shapes, .shape = number};
    for (int a = 0; a < 3; a++) {
        bodies.prev[a] = prev[a];
        bodies.curr[a] = a == 0 ? curr : prev[a];
    }
    CAROM_REAL(carom_detection) found = {.size = sizeof found};
    assert_int_equal(CAROM_REAL(carom_detect)(isa_contexts[0], &bodies, &config, NULL, &found, &error),
                     CAROM_ERROR_BODY);
    assert_int_equal(error.body, 2);
    assert_string_equal(error.field, "shape");
    box.self_images = true;
    assert_int_equal(CAROM_REAL(carom_detect)(isa_contexts[0], &bodies, &config, NULL, &found, &error), CAROM_OK);
    assert_true(found.pair_count > 0);
    box.self_images = false;
    number[2] = 0;
    curr[1] = most;
    assert_int_equal(CAROM_REAL(carom_detect)(isa_contexts[0], &bodies, &config, NULL, &found, &error),
                     CAROM_ERROR_BODY);
    assert_int_equal(error.body, 1);
    curr[1] = 4;
    prev[1][2] = most;
    assert_int_equal(CAROM_REAL(carom_detect)(isa_contexts[0], &bodies, &config, NULL, &found, &error),
                     CAROM_ERROR_BODY);
    assert_int_equal(error.body, 2);
    carom_shapes_destroy(shapes);
}

/* Bodies move on by a part of their way, some across faces, and their places are given anew. */
static void advance(boxed_scene *b, carom_random *random) {
    for (uint64_t n = 0; n < b->scene.bodies.count; n++) {
        for (int a = 0; a < 3; a++) {
            const double by = on_grid(0.2 * (carom_random_u01(random) - 0.5));
            b->value[a][n] += by;
            b->value[a + 3][n] += by;
            b->scene.field[a][n] = (carom_real)b->value[a][n];
            b->scene.field[a + 3][n] = (carom_real)b->value[a + 3][n];
        }
    }
}

/* Pairs of bodies, each once, in order. */
typedef struct pair_list {
    uint64_t count;
    uint64_t *pair;
} pair_list;

static pair_list list_pairs(const any_result *r) {
    pair_list list = {0, calloc(r->pair_count + 1, sizeof(uint64_t))};
    for (uint64_t n = 0; n < r->pair_count; n++) {
        const uint64_t pair = (uint64_t)r->i[n] << 32 | r->k[n];
        if (list.count == 0 || list.pair[list.count - 1] != pair) {
            list.pair[list.count++] = pair;
        }
    }
    return list;
}

static uint64_t count_common(const pair_list *a, const pair_list *b) {
    uint64_t common = 0;
    uint64_t at = 0;
    for (uint64_t n = 0; n < a->count; n++) {
        while (at < b->count && b->pair[at] < a->pair[n]) {
            at++;
        }
        common += at < b->count && b->pair[at] == a->pair[n];
    }
    return common;
}

static uint64_t all_ended;

/* One step: the results of a detection, and what began and ended since the pairs of the step before. */
static pair_list check_step(any_coherent *coherent, const boxed_scene *b, const carom_detect_config *config,
                            const pair_list *before) {
    carom_coherent_report report = {.size = sizeof report};
    const any_bodies bodies = shape_scene_any(&b->scene);
    any_result step = any_coherent_step(coherent, &bodies, config, &report);
    any_result whole = run(isa_contexts[0], b, config);
    note_check(step.status == CAROM_OK && step.pair_count > 0, "a step fails: %s", step.error.message);
    note_check(any_result_same(&step, &whole), "a step has other results than a detection");
    const pair_list now = list_pairs(&step);
    const uint64_t persisted = count_common(&now, before);
    note_check(report.cold && report.persisted == persisted && report.begun == now.count - persisted &&
                   report.ended == before->count - persisted,
               "events %" PRIu64 " %" PRIu64 " %" PRIu64 " of %" PRIu64 " pairs, %" PRIu64 " before", report.begun,
               report.persisted, report.ended, now.count, before->count);
    all_ended += report.ended;
    any_result_release(&step);
    any_result_release(&whole);
    return now;
}

/* Steps in open space or a periodic box. */
static void run_steps(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const shape_motion motion = (shape_motion)(number % MOTIONS);
    const bool periodic = number % 2 == 0;
    boxed_scene b = make_scene(number, motion, 4 * BODIES_MOST, periodic ? WRAP : 0, &random);
    carom_context *context = any_context(1 + (uint32_t)(number % 3), NULL);
    any_coherent coherent = any_coherent_start(context, CAROM_REAL_BITS == 32 ? ANY_F32 : ANY_F64);
    carom_detect_config config = full_config(&b);
    pair_list before = {0, NULL};
    b.box.self_images = false;
    config.neighbours = CAROM_NEIGHBOURS_FULL;
    config.periodic = periodic ? &b.box : NULL;
    config.approaching = number % 3 == 1 && motion != MOTION_REST;
    note_case(number, "steps, %s", shape_scene_name(&b.scene));
    for (int s = 0; s < STEPS; s++) {
        const pair_list now = check_step(&coherent, &b, &config, &before);
        free(before.pair);
        before = now;
        advance(&b, &random);
    }
    free(before.pair);
    any_coherent_stop(&coherent);
    carom_context_destroy(context);
    release_scene(&b);
}

static void test_steps(void **state) {
    (void)state;
    all_ended = 0;
    note_each_case(FAMILIES * 4, run_steps);
    note_check(note_only_case() != UINT64_MAX || all_ended > 100, "only %" PRIu64 " pairs ended", all_ended);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_boxes), cmocka_unit_test(test_wide_boxes), cmocka_unit_test(test_children),
        cmocka_unit_test(test_bad_bodies),   cmocka_unit_test(test_steps),
    };
    note_start("test_periodic_shapes");
    return cmocka_run_group_tests(tests, make_contexts, isa_contexts_destroy);
}
