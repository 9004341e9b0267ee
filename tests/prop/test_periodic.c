/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Periodic boxes: random small scenes in orthorhombic and tilted boxes, one, two and three periodic axes, boxes smaller
 * than the boxes of bodies, bodies far outside and bodies that cross the walls, all held against every image of every
 * pair; and the same rows, shifts and hashes when a sink takes them. All numbers lie on a grid on which positions plus
 * whole edges are exact, so that tangent contacts are decided exactly, too. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/guarded_output.h"
#include "tests/support/isa_contexts.h"
#include "tests/support/note.h"
#include "tests/support/periodic_case.h"

enum { CASES = 2000, BODIES_MOST = 40 };

static int make_contexts(void **state) {
    static const uint32_t threads[] = {1, 2, 5};
    (void)state;
    return isa_contexts_make(threads, sizeof threads / sizeof threads[0]);
}

static periodic_case choose_case(carom_random *random, uint64_t number) {
    periodic_case r = {.box = carom_periodic_default()};
    uint32_t along = 1 + (uint32_t)(number % 7);
    uint32_t tilt = (uint32_t)(number / 7 % PERIODIC_TILTS);
    bool tiny = periodic_case_below(random, 3) == 0;
    periodic_case_edges(random, tilt, tiny ? 2 : 12, r.box.edge);
    for (int a = 0; a < 3; a++) {
        r.box.along[a] = (along >> a & 1) != 0;
        for (int j = 0; j < 3 && !r.box.along[a]; j++) {
            r.box.edge[a][j] = NAN; /* not to be looked at */
        }
    }
    r.motion = (double[]){0, 1, 4, tiny ? 6 : 30}[periodic_case_below(random, 4)];
    r.radius = fmin(periodic_shortest(&r.box) / 2.0625, tiny ? 1 : 2);
    r.away = (int32_t[]){0, 1, 20}[periodic_case_below(random, 3)];
    r.count = periodic_case_below(random, (r.motion > 4 || tiny ? BODIES_MOST / 4 : BODIES_MOST) + 1);
    return r;
}

static void run_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    periodic_case r = choose_case(&random, number);
    random_scene scene = random_scene_blank(r.count);
    int32_t(*wrap)[3] = calloc(r.count + 1, sizeof *wrap);
    periodic_case_place(&random, &r, &scene, wrap);
    periodic_truth known = periodic_truth_of(&scene.bodies, (const int32_t(*)[3])wrap, &r.box);
    uint64_t chosen = carom_random_next(&random) % isa_context_count;
    uint64_t other = carom_random_next(&random) % isa_context_count;
    for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
        note_case(number, "%" PRIu64 " bodies, %d%d%d periodic, motion %g, %d boxes away, %s, %s, %u threads", r.count,
                  r.box.along[0], r.box.along[1], r.box.along[2], r.motion, r.away, any_precision_name(p),
                  carom_context_isa(isa_contexts[chosen]), carom_context_threads(isa_contexts[chosen]));
        periodic_case_check(&known, p, isa_contexts[chosen], isa_contexts[other]);
        if (number % 3 == 0) {
            periodic_case_check_sink(&scene.bodies, &r.box, p, isa_contexts[chosen], isa_contexts[other]);
        }
    }
    periodic_truth_release(&known);
    random_scene_release(&scene);
    free(wrap);
}

static void test_small_boxes(void **state) {
    (void)state;
    note_each_case(CASES, run_case);
}

/* As many copies of a scene in open space as a step can reach, to be detected by the call without a box. */
static random_scene copies_of(const random_scene *scene, const carom_periodic *box) {
    uint64_t count = scene->bodies.count;
    random_scene all = random_scene_blank(27 * count);
    for (uint64_t n = 0; n < all.bodies.count; n++) {
        uint64_t copy = n / count;
        double number[3] = {(double)(copy % 3) - 1, (double)(copy / 3 % 3) - 1, (double)(copy / 9) - 1};
        for (int f = 0; f < 7; f++) {
            all.field[f][n] = scene->field[f][n % count];
        }
        for (int j = 0; j < 6; j++) {
            for (int a = 0; a < 3; a++) {
                all.field[j][n] += number[a] * box->edge[a][j % 3];
            }
        }
    }
    return all;
}

typedef struct found_row {
    uint32_t body[2];
    int32_t shift[3];
} found_row;

static int compare_rows(const void *a, const void *b) {
    const found_row *x = a;
    const found_row *y = b;
    int64_t left[5] = {x->body[0], x->body[1], x->shift[0], x->shift[1], x->shift[2]};
    int64_t right[5] = {y->body[0], y->body[1], y->shift[0], y->shift[1], y->shift[2]};
    for (int f = 0; f < 5; f++) {
        if (left[f] != right[f]) {
            return left[f] < right[f] ? -1 : 1;
        }
    }
    return 0;
}

/* Of the pairs among copies those whose lower body is in the middle copy, number 13. */
static uint64_t rows_of_copies(const any_result *r, uint64_t count, found_row *rows) {
    uint64_t found = 0;
    for (uint64_t n = 0; n < r->pair_count; n++) {
        uint64_t body[2] = {r->i[n] % count, r->k[n] % count};
        uint64_t copy[2] = {r->i[n] / count, r->k[n] / count};
        int lower = body[0] < body[1] ? 0 : 1;
        uint64_t to = copy[1 - lower];
        if (copy[lower] == 13) {
            rows[found++] = (found_row){{(uint32_t)body[lower], (uint32_t)body[1 - lower]},
                                        {(int32_t)(to % 3) - 1, (int32_t)(to / 3 % 3) - 1, (int32_t)(to / 9) - 1}};
        }
    }
    qsort(rows, found, sizeof *rows, compare_rows);
    return found;
}

/* Thousands of bodies, so that there are many cells and images at the faces of most. */
static void test_against_copies(void **state) {
    (void)state;
    for (uint64_t number = 0; number < 12; number++) {
        carom_random random = carom_random_seeded(note_case_seed(number) + 7);
        carom_periodic box = carom_periodic_default();
        random_scene scene = random_scene_blank(2000 + number);
        periodic_case_edges(&random, (uint32_t)number % 2, 24, box.edge);
        for (uint64_t n = 0; n < scene.bodies.count; n++) {
            double u[3] = {carom_random_u01(&random), carom_random_u01(&random), carom_random_u01(&random)};
            for (int j = 0; j < 3; j++) {
                double at = u[0] * box.edge[0][j] + u[1] * box.edge[1][j] + u[2] * box.edge[2][j];
                scene.field[j][n] = rint(at * 32) / 32;
                scene.field[j + 3][n] = scene.field[j][n] + periodic_case_grid(&random, 1);
            }
            scene.field[6][n] = 0.5;
        }
        random_scene all = copies_of(&scene, &box);
        for (int a = 0; a < 3; a++) {
            box.along[a] = true;
        }
        carom_context *context = isa_contexts[number % isa_context_count];
        carom_detect_config config = carom_detect_config_default();
        any_result open = any_detect(context, ANY_F64, &all.bodies, &config);
        found_row *wanted = calloc(open.pair_count + 1, sizeof *wanted);
        uint64_t count = rows_of_copies(&open, scene.bodies.count, wanted);
        for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
            note_case(number, "%" PRIu64 " bodies and 27 copies, %s", scene.bodies.count, any_precision_name(p));
            any_result r = periodic_case_detect(context, p, &scene.bodies, &box, 0);
            note_check(r.pair_count == count && count > 100, "%" PRIu64 " rows, not %" PRIu64, r.pair_count, count);
            for (uint64_t n = 0; n < count; n++) {
                found_row row = {{r.i[n], r.k[n]}, {r.shift[0][n], r.shift[1][n], r.shift[2][n]}};
                note_check(compare_rows(&row, &wanted[n]) == 0, "row %" PRIu64 " is another", n);
            }
            any_result_release(&r);
            periodic_case_check_sink(&scene.bodies, &box, p, context, isa_contexts[(number + 1) % isa_context_count]);
        }
        free(wanted);
        any_result_release(&open);
        random_scene_release(&all);
        random_scene_release(&scene);
    }
}

static carom_periodic cube(double side) {
    carom_periodic box = carom_periodic_default();
    for (int a = 0; a < 3; a++) {
        box.along[a] = true;
        box.edge[a][a] = side;
    }
    return box;
}

/* A lattice that fills a periodic box: with neighbours at exactly twice the radius every body has six, in the rows of
 * three; a translation by anything, many boxes too, changes none of it but the shifts. */
static void test_full_lattice(void **state) {
    (void)state;
    for (uint64_t side = 2; side <= 17; side += 5) {
        uint64_t count = side * side * side;
        random_scene scene = random_scene_blank(count);
        carom_periodic box = cube((double)side);
        for (int offset = -3; offset <= 3; offset++) {
            for (uint64_t n = 0; n < count; n++) {
                double at[3] = {(double)(n % side), (double)(n / side % side), (double)(n / (side * side))};
                for (int f = 0; f < 6; f++) {
                    scene.field[f][n] = at[f % 3] + offset * 1000.25;
                }
                scene.field[6][n] = 0.5;
            }
            for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
                note_case(side, "lattice of side %" PRIu64 ", %s", side, any_precision_name(p));
                any_result r = periodic_case_detect(isa_contexts[side % isa_context_count], p, &scene.bodies, &box, 0);
                note_check(r.summary.touching_pairs == 3 * count, "%" PRIu64 " pairs", r.summary.touching_pairs);
                note_check(r.summary.groups == 1 && r.summary.largest_group == count, "not one group");
                any_result_release(&r);
            }
        }
        random_scene_release(&scene);
    }
}

/* Small bodies first and large ones late: how far boxes reach cannot be known from the first. */
static void test_large_bodies_last(void **state) {
    (void)state;
    enum { BODIES = 300 };
    random_scene scene = random_scene_blank(BODIES);
    carom_random random = carom_random_seeded(note_case_seed(0));
    carom_periodic box = cube(8);
    int32_t wrap[BODIES][3] = {{0}};
    for (uint64_t n = 0; n < BODIES; n++) {
        for (int f = 0; f < 6; f++) {
            scene.field[f][n] = f < 3 ? 4 + periodic_case_grid(&random, 3.875) : scene.field[f - 3][n];
        }
        scene.field[6][n] = n < BODIES - 3 ? 0.03125 : 3;
    }
    periodic_truth known = periodic_truth_of(&scene.bodies, (const int32_t(*)[3])wrap, &box);
    for (uint64_t c = 0; c < isa_context_count; c++) {
        for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
            note_case(c, "large bodies last, %s, %u threads", any_precision_name(p),
                      carom_context_threads(isa_contexts[c]));
            any_result r = periodic_case_detect(isa_contexts[c], p, &scene.bodies, &box, 0);
            periodic_check(&known, p, false, &r);
            any_result_release(&r);
        }
    }
    periodic_truth_release(&known);
    random_scene_release(&scene);
}

/* Shifts of two thousand million, and one box beyond. */
static void test_far_away(void **state) {
    (void)state;
    random_scene scene = random_scene_blank(2);
    carom_periodic box = cube(4);
    for (int f = 0; f < 6; f++) {
        scene.field[f][0] = 4e9 - 3.75;
        scene.field[f][1] = -4e9 + 0.75;
    }
    scene.field[6][0] = scene.field[6][1] = 0.5;
    note_case(0, "8e9 apart");
    any_result r = periodic_case_detect(isa_contexts[0], ANY_F64, &scene.bodies, &box, 0);
    note_check(r.pair_count == 1 && r.shift[0][0] == 1999999999 && r.shift[2][0] == 1999999999, "%" PRIu64 " pairs",
               r.pair_count);
    any_result_release(&r);
    scene.field[1][1] = -4e9 - 4.25;
    r = periodic_case_detect(isa_contexts[0], ANY_F64, &scene.bodies, &box, 0);
    note_check(r.status == CAROM_ERROR_BODY && r.error.body == 1 && strcmp(r.error.field, "prev_y") == 0, "%s",
               r.error.message);
    any_result_release(&r);
    random_scene_release(&scene);
}

/* Two points that meet on a face, each from its side: there the normal is (1, 0, 0), whichever of the two was the
 * image. A little larger they meet before, and the normal is along x in the true sense. */
static void test_meeting_on_a_face(void **state) {
    (void)state;
    carom_periodic box = cube(8);
    for (int n = 0; n < 4; n++) {
        uint64_t left = (uint64_t)n % 2;
        random_scene scene = random_scene_blank(2);
        scene.field[0][left] = 1;
        scene.field[3][left] = -1;
        scene.field[0][1 - left] = 7;
        scene.field[3][1 - left] = 9;
        scene.field[6][0] = scene.field[6][1] = n / 2 * 0.25;
        double normal = n < 2 || left == 0 ? 1 : -1;
        int32_t shift = left == 0 ? -1 : 1;
        for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
            note_case((uint64_t)n, "meeting on a face, %s", any_precision_name(p));
            any_result r = periodic_case_detect(isa_contexts[0], p, &scene.bodies, &box, 0);
            note_check(r.pair_count == 1 && r.shift[0][0] == shift && r.shift[1][0] == 0, "rows or shift");
            note_check(r.field[ANY_NORMAL][0] == normal && r.field[ANY_NORMAL + 1][0] == 0, "normal %g",
                       r.field[ANY_NORMAL][0]);
            note_check(!signbit(r.field[ANY_NORMAL + 1][0]), "a zero with a sign");
            note_check(r.field[ANY_POINT][0] == (left == 0 ? 0 : 8), "point %g", r.field[ANY_POINT][0]);
            any_result_release(&r);
        }
        random_scene_release(&scene);
    }
}

/* Refused, and the caller's arrays are untouched. */
static void expect_refusal(const carom_bodies_f64 *bodies, const carom_periodic *box, carom_status status,
                           const char *says) {
    for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
        any_bodies made = any_bodies_make(p, bodies);
        guarded_output g = guarded_make(p, 8 * bodies->count, bodies->count);
        carom_detect_config config = any_config_full();
        config.periodic = box;
        any_result r = any_detect_bodies(isa_contexts[0], &made, &config, &g.arrays);
        guarded_check_untouched(&g);
        guarded_release(&g);
        any_bodies_release(&made);
        note_check(r.status == status && strstr(r.error.message, says) != NULL, "%s: \"%s\" is not of \"%s\"",
                   carom_status_name(r.status), r.error.message, says);
        any_result_release(&r);
    }
}

static void test_refusals(void **state) {
    (void)state;
    random_scene scene = random_scene_blank(200);
    for (uint64_t n = 0; n < 200; n++) {
        scene.field[0][n] = scene.field[3][n] = (double)n;
        scene.field[6][n] = 0.25;
    }
    note_case(0, "refusals");
    carom_periodic box = cube(8);
    box.size = 1;
    expect_refusal(&scene.bodies, &box, CAROM_ERROR_ARGUMENT, "periodic.size");
    box = carom_periodic_default();
    expect_refusal(&scene.bodies, &box, CAROM_ERROR_ARGUMENT, "along");
    box.along[1] = true;
    expect_refusal(&scene.bodies, &box, CAROM_ERROR_ARGUMENT, "length");
    box = cube(8);
    box.edge[2][1] = NAN;
    expect_refusal(&scene.bodies, &box, CAROM_ERROR_ARGUMENT, "edge 2");
    box.edge[2][1] = INFINITY;
    expect_refusal(&scene.bodies, &box, CAROM_ERROR_ARGUMENT, "edge 2");
    box = cube(8);
    memcpy(box.edge[1], (double[3]){0.3, 0, 0}, sizeof box.edge[1]);
    expect_refusal(&scene.bodies, &box, CAROM_ERROR_ARGUMENT, "volume");
    box.along[2] = false;
    expect_refusal(&scene.bodies, &box, CAROM_ERROR_ARGUMENT, "area");
    box = cube(8);
    memcpy(box.edge[2], (double[3]){0.7, 0.1, 0}, sizeof box.edge[2]);
    expect_refusal(&scene.bodies, &box, CAROM_ERROR_ARGUMENT, "volume");
    box = cube(8);
    scene.field[6][130] = scene.field[6][150] = 4;
    expect_refusal(&scene.bodies, &box, CAROM_ERROR_BODY, "body 130: with radius 4 it touches its own image");
    scene.field[4][170] = NAN;
    expect_refusal(&scene.bodies, &box, CAROM_ERROR_BODY, "body 170: curr_y is not a number");
    scene.field[6][90] = -1;
    expect_refusal(&scene.bodies, &box, CAROM_ERROR_BODY, "body 90: radius -1 is negative");
    for (int f = 0; f < 7; f++) {
        scene.field[f][170] = scene.field[f][90] = scene.field[f][130] = scene.field[f][150] = 0;
    }
    scene.field[4][99] = 1e9;
    expect_refusal(&scene.bodies, &box, CAROM_ERROR_BODY, "body 99: curr_y is 1e+09 away");
    scene.field[4][99] = 1e30;
    expect_refusal(&scene.bodies, &box, CAROM_ERROR_BODY, "body 99: curr_y is");
    scene.field[1][99] = 1e30;
    expect_refusal(&scene.bodies, &box, CAROM_ERROR_BODY, "body 99: prev_y is");
    scene.bodies.count = 0;
    any_result r = periodic_case_detect(isa_contexts[0], ANY_F32, &scene.bodies, &box, 0);
    note_check(r.status == CAROM_OK && r.pair_count == 0, "no bodies");
    any_result_release(&r);
    random_scene_release(&scene);
}

/* until = BOUNDS knows no box; arrays of the caller's get the shifts, or nothing at all when they are too short. */
static void test_outputs(void **state) {
    (void)state;
    random_scene scene = random_scene_blank(64);
    for (uint64_t n = 0; n < 64; n++) {
        double at[3] = {(double)(n % 4) - 9, (double)(n / 4 % 4), (double)(n / 16)};
        for (int f = 0; f < 6; f++) {
            scene.field[f][n] = at[f % 3];
        }
        scene.field[6][n] = 0.5;
    }
    carom_periodic box = cube(4);
    carom_detect_config config = any_config_full();
    for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
        any_bodies bodies = any_bodies_make(p, &scene.bodies);
        int32_t shift[3][192];
        uint32_t label[64];
        double point[192];
        any_output output = {.pair_capacity = 191, .rows.shift = {shift[0], shift[1], shift[2]}, .label = label};
        output.rows.field[ANY_POINT] = point;
        memset(shift, 0x5A, sizeof shift);
        memset(label, 0x5A, sizeof label);
        note_case(p, "outputs, %s", any_precision_name(p));
        config.periodic = &box;
        config.until = CAROM_UNTIL_GROUPS;
        any_result r = any_detect_bodies(isa_contexts[1], &bodies, &config, &output);
        note_check(r.status == CAROM_ERROR_CAPACITY && r.summary.required_pairs == 192, "%s", r.error.message);
        note_check(shift[0][0] == 0x5A5A5A5A && label[0] == 0x5A5A5A5A, "written in spite of the failure");
        any_result_release(&r);
        output.pair_capacity = 192;
        r = any_detect_bodies(isa_contexts[1], &bodies, &config, &output);
        note_check(r.status == CAROM_OK && r.pair_count == 192, "%s", r.error.message);
        for (int a = 0; a < 3; a++) {
            assert_memory_equal(shift[a], r.shift[a], sizeof shift[a]);
        }
        assert_memory_equal(label, r.label, sizeof label);
        note_check((p == ANY_F32 ? (double)((float *)(void *)point)[191] : point[191]) == r.field[ANY_POINT][191],
                   "point");
        any_result_release(&r);
        config.until = CAROM_UNTIL_BOUNDS;
        r = any_detect_bodies(isa_contexts[1], &bodies, &config, NULL);
        config.periodic = NULL;
        any_result open = any_detect_bodies(isa_contexts[1], &bodies, &config, NULL);
        note_check(any_result_same(&r, &open), "bounds are others in a box");
        any_result_release(&r);
        any_result_release(&open);
        any_bodies_release(&bodies);
    }
    random_scene_release(&scene);
}

/* Centres that coincide through a face: the normal is (1, 0, 0) whichever body the pair is seen from, and the point
 * lies along it, in the middle between the surfaces. By itself the lower body is not the one that is moved. */
static void test_point_of_coincident_centres(void **state) {
    (void)state;
    const double field[7][3] = {{4, 12, 2},       {-1.5, -1.5, -2}, {1, 3, 0.5},      {4, 12.5, 1.5},
                                {-2, -1.5, -1.5}, {1, 3, 0},        {0.25, 0.5, 0.25}};
    const carom_bodies_f64 bodies = {
        .count = 3, .prev = {field[0], field[1], field[2]}, .curr = {field[3], field[4], field[5]}, .radius = field[6]};
    carom_context *context;
    carom_detect_config config = carom_detect_config_default();
    carom_periodic box = carom_periodic_default();
    carom_detection_f64 found = {0};
    box.along[0] = true;
    box.edge[0][0] = 4;
    box.edge[0][2] = 1;
    config.periodic = &box;
    assert_int_equal(carom_context_create(NULL, &context, NULL), CAROM_OK);
    assert_int_equal(carom_detect_f64(context, &bodies, &config, NULL, &found, NULL), CAROM_OK);
    uint64_t seen = 0;
    for (uint64_t n = 0; n < found.pair_count; n++) {
        if (found.contacts.i[n] == 0 && found.contacts.k[n] == 1 && found.contacts.shift[0][n] == -2) {
            assert_true(found.contacts.t_toi[n] == 0 && found.contacts.normal[0][n] == 1);
            assert_true(fabs(found.contacts.point[0][n] - 4.125) < 1e-12);
            seen++;
        }
    }
    assert_int_equal(seen, 1);
    carom_context_destroy(context);
}

int main(void) {
    note_start("tests/prop/test_periodic");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_boxes),
        cmocka_unit_test(test_against_copies),
        cmocka_unit_test(test_full_lattice),
        cmocka_unit_test(test_large_bodies_last),
        cmocka_unit_test(test_far_away),
        cmocka_unit_test(test_meeting_on_a_face),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_outputs),
        cmocka_unit_test(test_point_of_coincident_centres),
    };
    return cmocka_run_group_tests_name("periodic", tests, make_contexts, isa_contexts_destroy);
}
