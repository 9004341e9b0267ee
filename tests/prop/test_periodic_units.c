/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Periodic boxes of any size: a scene in another unit, a power of two, has the same contacts, however short or long the
 * box is; so has one whose box is far longer along one axis than along another; and what is beyond doubles is refused
 * by the name of a body that the caller has. Times too small for a float are 0. Guards squares and products, of edges
 * and of bodies, that become zero or infinite, and the rounding of times to floats. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "tests/support/any_detect.h"
#include "tests/support/basket.h"
#include "tests/support/check.h"
#include "tests/support/isa_contexts.h"
#include "tests/support/note.h"
#include "tests/support/random_scene.h"

enum { CASES = 150, BODIES = 40 };

/* Times are early by some roundings; those of either unit may differ so much. */
static const double TIME_SLACK = 0x1p-24;

static int make_contexts(void **state) {
    static const uint32_t threads[] = {1, 2};
    (void)state;
    return isa_contexts_make(threads, sizeof threads / sizeof threads[0]);
}

/* A multiple of 2^-5 in [-size, size]. */
static double on_grid(carom_random *random, double size) {
    return rint((2 * carom_random_u01(random) - 1) * size * 32) / 32;
}

static carom_periodic random_box(carom_random *random, uint64_t number) {
    carom_periodic box = carom_periodic_default();
    for (int a = 0; a < 3; a++) {
        box.along[a] = ((number % 7 + 1) >> a & 1) != 0;
        for (int j = 0; j < 3; j++) {
            box.edge[a][j] = a == j ? 7 + on_grid(random, 1) : j < a && number % 2 == 0 ? on_grid(random, 10) : 0;
        }
    }
    return box;
}

static void place_bodies(carom_random *random, random_scene *scene) {
    for (uint64_t n = 0; n < scene->bodies.count; n++) {
        for (int j = 0; j < 3; j++) {
            scene->field[j][n] = on_grid(random, 8);
            scene->field[j + 3][n] = scene->field[j][n] + on_grid(random, 2);
        }
        scene->field[6][n] = 0.25 + fabs(on_grid(random, 0.75));
    }
}

/* Axis j in units of 2^exponent[j], radii in those of axis 0. */
static random_scene scaled_scene(const random_scene *scene, const int exponent[3]) {
    random_scene scaled = random_scene_blank(scene->bodies.count);
    for (int f = 0; f < 7; f++) {
        for (uint64_t n = 0; n < scene->bodies.count; n++) {
            scaled.field[f][n] = ldexp(scene->field[f][n], exponent[f % 3]);
        }
    }
    return scaled;
}

static carom_periodic scaled_box(const carom_periodic *box, const int exponent[3]) {
    carom_periodic scaled = *box;
    for (int a = 0; a < 3; a++) {
        for (int j = 0; j < 3; j++) {
            scaled.edge[a][j] = ldexp(box->edge[a][j], exponent[j]);
        }
    }
    return scaled;
}

static any_result detect(carom_context *context, any_precision precision, const random_scene *scene,
                         const carom_periodic *box) {
    carom_detect_config config = any_config_full();
    config.periodic = box;
    any_result r = any_detect(context, precision, &scene->bodies, &config);
    note_check(r.status == CAROM_OK, "%s: %s", carom_status_name(r.status), r.error.message);
    return r;
}

static bool near(double x, double y) {
    return fabs(x - y) <= TIME_SLACK * fmax(fabs(x), fabs(y));
}

static void check_row(const any_result *one, const any_result *other, uint64_t n, int exponent) {
    note_check(one->i[n] == other->i[n] && one->k[n] == other->k[n], "row %" PRIu64 " is of other bodies", n);
    for (int a = 0; a < 3; a++) {
        note_check(one->shift[a][n] == other->shift[a][n], "row %" PRIu64 " has another shift", n);
        note_check(fabs(one->field[ANY_NORMAL + a][n] - other->field[ANY_NORMAL + a][n]) <= TIME_SLACK,
                   "row %" PRIu64 ": normal %g, not %g", n, other->field[ANY_NORMAL + a][n],
                   one->field[ANY_NORMAL + a][n]);
        double point[2] = {one->field[ANY_POINT + a][n], ldexp(other->field[ANY_POINT + a][n], -exponent)};
        note_check(fabs(point[0] - point[1]) <= TIME_SLACK * 32, "row %" PRIu64 ": point %g, not %g", n, point[1],
                   point[0]);
    }
    note_check(near(one->field[ANY_DISTANCE][n], ldexp(other->field[ANY_DISTANCE][n], -exponent)),
               "row %" PRIu64 ": distance %g, not %g 2^%d", n, other->field[ANY_DISTANCE][n],
               one->field[ANY_DISTANCE][n], exponent);
    note_check(near(one->field[ANY_T_TOI][n], other->field[ANY_T_TOI][n]), "row %" PRIu64 ": t_toi %g, not %g", n,
               other->field[ANY_T_TOI][n], one->field[ANY_T_TOI][n]);
    note_check(near(one->field[ANY_T_CA][n], other->field[ANY_T_CA][n]), "row %" PRIu64 ": t_ca %g, not %g", n,
               other->field[ANY_T_CA][n], one->field[ANY_T_CA][n]);
}

static void check_same(const any_result *one, const any_result *other, int exponent) {
    note_check(one->pair_count == other->pair_count, "%" PRIu64 " rows, not %" PRIu64, other->pair_count,
               one->pair_count);
    note_check(one->summary.touching_hash == other->summary.touching_hash, "another touching_hash");
    for (uint64_t n = 0; n < one->pair_count; n++) {
        check_row(one, other, n, exponent);
    }
    note_check(memcmp(one->label, other->label, one->bodies * sizeof *one->label) == 0, "other groups");
}

static void check_unit(const random_scene *scene, const carom_periodic *box, any_precision precision,
                       carom_context *context, int exponent) {
    const int all[3] = {exponent, exponent, exponent};
    random_scene scaled = scaled_scene(scene, all);
    carom_periodic in_unit = scaled_box(box, all);
    any_result one = detect(context, precision, scene, box);
    any_result other = detect(context, precision, &scaled, &in_unit);
    check_same(&one, &other, exponent);
    any_result_release(&one);
    any_result_release(&other);
    random_scene_release(&scaled);
}

/* Units in which every number of the scene is a normal one of its precision, and so are positions plus edges. */
static void try_units(uint64_t number) {
    enum { UNITS = 6 };
    static const int units[ANY_PRECISIONS][UNITS] = {{-120, -90, -40, 40, 90, 118},
                                                     {-1015, -400, -270, 150, 400, 1015}};
    carom_random random = carom_random_seeded(note_case_seed(number));
    carom_periodic box = random_box(&random, number);
    random_scene scene = random_scene_blank(BODIES);
    place_bodies(&random, &scene);
    for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
        carom_context *context = isa_contexts[carom_random_next(&random) % isa_context_count];
        for (int n = 0; n < UNITS; n++) {
            note_case(number, "a unit of 2^%d, %s, %s", units[p][n], any_precision_name(p), carom_context_isa(context));
            check_unit(&scene, &box, p, context, units[p][n]);
        }
    }
    random_scene_release(&scene);
}

static void run_cases(void (*run)(uint64_t number)) {
    note_each_case(CASES, run);
}

static void test_any_unit(void **state) {
    (void)state;
    run_cases(try_units);
}

static void check_times(const any_result *one, const any_result *other) {
    note_check(one->pair_count == other->pair_count && one->pair_count > 0, "%" PRIu64 " rows, not %" PRIu64,
               other->pair_count, one->pair_count);
    for (uint64_t n = 0; n < one->pair_count; n++) {
        note_check(one->i[n] == other->i[n] && one->k[n] == other->k[n], "row %" PRIu64 " is of other bodies", n);
        for (int a = 0; a < 3; a++) {
            note_check(one->shift[a][n] == other->shift[a][n], "row %" PRIu64 " has another shift", n);
        }
        note_check(near(one->field[ANY_T_TOI][n], other->field[ANY_T_TOI][n]), "row %" PRIu64 ": t_toi %g, not %g", n,
                   other->field[ANY_T_TOI][n], one->field[ANY_T_TOI][n]);
    }
}

/* Points in rows along x, in which they move. */
static void place_points(carom_random *random, random_scene *scene) {
    for (uint64_t n = 0; n < scene->bodies.count; n++) {
        for (int j = 0; j < 3; j++) {
            scene->field[j][n] = scene->field[j + 3][n] = j == 0 ? on_grid(random, 8) : rint(on_grid(random, 1));
        }
        scene->field[3][n] += on_grid(random, 3);
    }
}

/* Stretching the axes changes nothing but lengths. */
static void try_stretches(uint64_t number) {
    static const int stretches[][3] = {{0, 300, 900}, {0, -300, -900}, {-600, 0, 600}, {-90, 90, 0}, {-900, 900, 0}};
    carom_random random = carom_random_seeded(note_case_seed(number) + 1);
    carom_periodic box = carom_periodic_default();
    random_scene scene = random_scene_blank(BODIES);
    place_points(&random, &scene);
    for (int a = 0; a < 3; a++) {
        box.along[a] = ((number % 7 + 1) >> a & 1) != 0;
        box.edge[a][a] = 8;
    }
    any_result one = detect(isa_contexts[0], ANY_F64, &scene, &box);
    for (size_t s = 0; s < sizeof stretches / sizeof stretches[0]; s++) {
        const int *by = stretches[s];
        carom_context *context = isa_contexts[s % isa_context_count];
        note_case(number, "stretched by 2^%d, 2^%d, 2^%d, %s", by[0], by[1], by[2], carom_context_isa(context));
        random_scene scaled = scaled_scene(&scene, by);
        carom_periodic stretched = scaled_box(&box, by);
        any_result other = detect(context, ANY_F64, &scaled, &stretched);
        check_times(&one, &other);
        any_result_release(&other);
        random_scene_release(&scaled);
    }
    any_result_release(&one);
    random_scene_release(&scene);
}

static void test_stretched(void **state) {
    (void)state;
    run_cases(try_stretches);
}

/* Two bodies that meet on a face, each from its side: the normal is along x in the true sense in every unit. */
static void test_normal_on_a_face(void **state) {
    (void)state;
    for (int exponent = -1000; exponent <= 1000; exponent += 50) {
        for (uint64_t left = 0; left < 2; left++) {
            random_scene scene = random_scene_blank(2);
            carom_periodic box = carom_periodic_default();
            box.along[0] = true;
            box.edge[0][0] = ldexp(8, exponent);
            scene.field[0][left] = ldexp(1, exponent);
            scene.field[3][left] = ldexp(-1, exponent);
            scene.field[0][1 - left] = ldexp(7, exponent);
            scene.field[3][1 - left] = ldexp(9, exponent);
            scene.field[6][0] = scene.field[6][1] = ldexp(0.25, exponent);
            note_case((uint64_t)left, "meeting on a face in a unit of 2^%d", exponent);
            any_result r = detect(isa_contexts[0], ANY_F64, &scene, &box);
            note_check(r.pair_count == 1 && r.shift[0][0] == (left == 0 ? -1 : 1), "rows or shift");
            note_check(r.field[ANY_NORMAL][0] == (left == 0 ? 1 : -1), "normal %g", r.field[ANY_NORMAL][0]);
            any_result_release(&r);
            random_scene_release(&scene);
        }
    }
}

/* Body 1 and, to the left of it, the image of body 0: from body 0 the normal is (-1, 0, 0), not the (1, 0, 0) of the
 * image, which coinciding centres would have from either. */
static void test_turned_normal(void **state) {
    (void)state;
    static const double at[2][2] = {{5, 4.125}, {0, 12.125}};
    for (int exponent = -1000; exponent <= 1000; exponent += 50) {
        random_scene scene = random_scene_blank(2);
        carom_periodic box = carom_periodic_default();
        box.along[0] = true;
        box.edge[0][0] = ldexp(-6, exponent);
        box.edge[0][1] = ldexp(8, exponent);
        for (int n = 0; n < 2; n++) {
            for (int f = 0; f < 6; f++) {
                scene.field[f][n] = f % 3 < 2 ? ldexp(at[n][f % 3], exponent) : 0;
            }
            scene.field[6][n] = ldexp(0.625, exponent);
        }
        note_case(0, "a normal turned in a unit of 2^%d", exponent);
        any_result r = detect(isa_contexts[0], ANY_F64, &scene, &box);
        note_check(r.pair_count == 1 && r.shift[0][0] == -1, "rows or shift");
        note_check(r.field[ANY_NORMAL][0] == -1, "normal %g", r.field[ANY_NORMAL][0]);
        any_result_release(&r);
        random_scene_release(&scene);
    }
}

/* Images beyond the range of doubles: the body is one of the caller's. */
static void test_beyond_doubles(void **state) {
    (void)state;
    note_case(0, "an image beyond doubles");
    random_scene scene = random_scene_blank(3);
    carom_periodic box = carom_periodic_default();
    box.along[1] = true;
    box.edge[1][1] = 0x1p1023;
    carom_detect_config config = any_config_full();
    config.periodic = &box;
    scene.field[1][2] = scene.field[4][2] = 0x1p1022;
    any_result r = detect(isa_contexts[0], ANY_F64, &scene, &box);
    note_check(r.summary.groups == 1 && r.label[1] == 0 && r.label[2] == 2, "two at one place");
    any_result_release(&r);
    scene.field[4][2] = 0x1.8p1023;
    r = any_detect(isa_contexts[0], ANY_F64, &scene.bodies, &config);
    note_check(r.status == CAROM_ERROR_BODY && r.error.body == 2 && strcmp(r.error.field, "curr_y") == 0 &&
                   strstr(r.error.message, "body 2: curr_y of an image is infinite") != NULL,
               "%s: %s", carom_status_name(r.status), r.error.message);
    any_result_release(&r);
    random_scene_release(&scene);
}

/* Points at rest, and for each another that comes 2^40 a step, from so near that the time of impact is 2^-100 and less:
 * what is below the normal range of floats becomes 0, as in open space. */
static random_scene near_misses(void) {
    enum { MEETINGS = 70 };
    random_scene scene = random_scene_blank(2 * MEETINGS);
    for (uint64_t n = 0; n < MEETINGS; n++) {
        scene.field[0][2 * n] = scene.field[3][2 * n] = ldexp(1, -60 - (int)n);
        scene.field[3][2 * n + 1] = 0x1p40;
        for (int f = 1; f < 6; f += 3) {
            scene.field[f][2 * n] = scene.field[f][2 * n + 1] = (double)n;
        }
    }
    return scene;
}

static void check_small_times(const any_result *r) {
    for (uint64_t n = 0; n < r->pair_count; n++) {
        double exact = ldexp(1, -100 - (int)(r->i[n] / 2));
        bool touches = !isnan(r->field[ANY_T_TOI][n]);
        note_check(touches == (r->i[n] / 2 == r->k[n] / 2), "row %" PRIu64 " touches where none should", n);
        note_check(!touches || r->field[ANY_T_TOI][n] == (exact < (double)FLT_MIN ? 0 : exact),
                   "row %" PRIu64 ": t_toi %g, not %g", n, r->field[ANY_T_TOI][n], exact);
    }
}

static void test_small_times(void **state) {
    (void)state;
    random_scene scene = near_misses();
    any_bodies bodies = any_bodies_make(ANY_F32, &scene.bodies);
    carom_periodic box = carom_periodic_default();
    box.along[0] = true;
    box.edge[0][0] = 0x1p42;
    for (size_t c = 0; c < isa_context_count; c++) {
        for (int way = 0; way < 4; way++) {
            carom_detect_config config = any_config_full();
            config.periodic = way < 2 ? &box : NULL;
            config.all_pairs = way % 2 == 1;
            config.sort_pairs = false;
            note_case((uint64_t)way, "small times, %s, %s", way < 2 ? "in a box" : "in the open",
                      carom_context_isa(isa_contexts[c]));
            any_result r = any_detect_bodies(isa_contexts[c], &bodies, &config, NULL);
            note_check(r.status == CAROM_OK && r.summary.touching_pairs == scene.bodies.count / 2, "%" PRIu64 " touch",
                       r.summary.touching_pairs);
            check_small_times(&r);
            basket_check_call(isa_contexts[c], &bodies, &config, &r);
            any_result_release(&r);
        }
    }
    any_bodies_release(&bodies);
    random_scene_release(&scene);
}

int main(void) {
    note_start("tests/prop/test_periodic_units");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_any_unit),         cmocka_unit_test(test_stretched),
                                       cmocka_unit_test(test_normal_on_a_face), cmocka_unit_test(test_turned_normal),
                                       cmocka_unit_test(test_beyond_doubles),   cmocka_unit_test(test_small_times)};
    return cmocka_run_group_tests_name("periodic units", tests, make_contexts, isa_contexts_destroy);
}
