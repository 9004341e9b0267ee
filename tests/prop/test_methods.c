/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Every method of the broad phase finds the same: on scenes that each of them is bad at, with boxes of very different
 * sizes, bodies far from the rest, crowds in empty space and boxes long on differing axes. Small scenes are held
 * against brute force; scenes large enough for crowded cells and parts within parts against one plain sweep in scalar
 * code, which has neither. Also that the chooser does choose each method somewhere, and N^2 pairs. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "tests/support/any_view.h"
#include "tests/support/check.h"
#include "tests/support/check_detection.h"
#include "tests/support/note.h"
#include "tests/support/random_scene.h"

typedef enum scene_kind {
    GIANTS,       /* a few boxes hold many others */
    POWERS,       /* radii 1 : 1000, each decade as common */
    TWO_CROWDS,   /* half of the bodies 1e6 away from the other half */
    CROWD_BESIDE, /* a few bodies far from nearly all, and spread wider */
    ISLANDS,      /* many small crowds in empty space */
    NESTED,       /* a crowd in a crowd in a crowd, each a thousandth as large as the one around */
    STICKS,       /* fast bodies, each along one axis */
    STRAYS,       /* some bodies at 1e8, where floats are coarse and boxes wide */
    LUMP,         /* many bodies on top of one another among others */
    PACKED,       /* dozens of neighbours each */
    SCENE_KINDS
} scene_kind;

static const char *const SCENE_NAMES[SCENE_KINDS] = {"giants", "powers", "two crowds", "crowd beside", "islands",
                                                     "nested", "sticks", "strays",     "lump",         "packed"};

static double edge_for(uint64_t count) {
    return cbrt((double)count * 4.2 / 0.1);
}

static double between(carom_random *random, double lo, double hi) {
    return lo + (hi - lo) * carom_random_u01(random);
}

typedef struct body {
    double at[3];
    double move[3];
    double radius;
} body;

static void crowd_offset(scene_kind kind, uint64_t n, uint64_t count, body *b, carom_random *random) {
    double edge = edge_for(count);
    for (int a = 0; a < 3; a++) {
        carom_random island = carom_random_seeded(7 * (n % 40) + (uint64_t)a);
        switch (kind) {
        case TWO_CROWDS:
            b->at[a] += n % 2 == 0 ? 0 : 1e6;
            break;
        case CROWD_BESIDE:
            b->at[a] = n % 32 == 0 ? between(random, 0, 1e7) : b->at[a];
            break;
        case ISLANDS:
            b->at[a] = b->at[a] / 4 + 1e6 * carom_random_u01(&island);
            break;
        case NESTED:
            b->at[a] *= n % 3 == 0 ? 1e6 : n % 3 == 1 ? 1e3 : 0.45;
            break;
        case PACKED:
            b->at[a] *= 0.35;
            break;
        case LUMP:
            b->at[a] = n % 8 == 0 ? edge / 2 + between(random, 0, 3) : b->at[a];
            break;
        default:
            break;
        }
    }
}

static body draw_body(scene_kind kind, uint64_t n, uint64_t count, carom_random *random) {
    body b = {.radius = 1};
    /* Room for radii up to 1000: where there are many, one in ten million pairs tells no more than one in a million. */
    double room = kind != POWERS ? 1 : count < 10000 ? 8 : 24;
    double edge = edge_for(count) * room;
    for (int a = 0; a < 3; a++) {
        b.at[a] = between(random, 0, edge);
        b.move[a] = between(random, -0.5, 0.5);
    }
    crowd_offset(kind, n, count, &b, random);
    if (kind == GIANTS && n % 300 == 17) {
        b.radius = edge * between(random, 0.05, 0.4);
    } else if (kind == POWERS) {
        b.radius = pow(1000, carom_random_u01(random) * carom_random_u01(random));
    } else if (kind == STICKS) {
        b.radius = 0.5;
        b.move[carom_random_next(random) % 3] = edge / 3;
    } else if (kind == STRAYS && n % 200 == 3) {
        b.at[carom_random_next(random) % 3] += 1e8;
    }
    return b;
}

static random_scene make_scene(scene_kind kind, uint64_t count, carom_random *random) {
    random_scene scene = random_scene_blank(count);
    for (uint64_t n = 0; n < count; n++) {
        body b = draw_body(kind, n, count, random);
        for (int a = 0; a < 3; a++) {
            scene.field[a][n] = (double)(float)b.at[a];
            scene.field[a + 3][n] = (double)(float)(b.at[a] + b.move[a]);
        }
        scene.field[6][n] = (double)(float)b.radius;
    }
    return scene;
}

static carom_detect_config config_for(carom_method method) {
    carom_detect_config config = any_config_full();
    config.method = method;
    return config;
}

/* Of the kinds of scene a short run takes three: giants, islands, a lump. */
static bool is_wanted(scene_kind kind) {
    return note_only_case() == UINT64_MAX ? !note_short() || kind % 4 == 0 : note_only_case() == (uint64_t)kind;
}

/* Chosen at least once in all scenes, by name. */
static uint32_t chosen[CAROM_METHOD_SHARED + 1];

static void note_choice(const char *name) {
    static const char *const names[] = {"auto", "sweep", "cells", "levels", "shared"};
    for (uint32_t m = 0; m <= CAROM_METHOD_SHARED; m++) {
        chosen[m] += strcmp(name, names[m]) == 0;
    }
}

static any_result detect_by(const random_scene *scene, any_precision precision, carom_method method) {
    carom_context *context = any_context(1 + (uint32_t)method % 3, NULL);
    carom_detect_config config = config_for(method);
    any_result r = any_detect(context, precision, &scene->bodies, &config);
    carom_context_destroy(context);
    note_choice(r.summary.method);
    note_check(strncmp(r.summary.reason, r.summary.method, strlen(r.summary.method)) == 0, "the reason is '%s'",
               r.summary.reason);
    return r;
}

/* One method's results are held against the truth, those of the others against them. */
static void against_brute_force(scene_kind kind, uint64_t count) {
    carom_random random = carom_random_seeded(note_case_seed((uint64_t)kind));
    random_scene scene = make_scene(kind, count, &random);
    truth known = truth_of(&scene.bodies);
    note_case((uint64_t)kind, "%s, %" PRIu64 " bodies", SCENE_NAMES[kind], count);
    note_check(known.touching.count > count / 200, "too few pairs touch: the test is empty");
    for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
        any_result checked = detect_by(&scene, p, CAROM_METHOD_AUTO);
        check_full_result(&known, p, &checked);
        for (carom_method m = CAROM_METHOD_SWEEP; m <= CAROM_METHOD_SHARED; m++) {
            note_case((uint64_t)kind, "%s, %" PRIu64 " bodies, method %d, %s", SCENE_NAMES[kind], count, (int)m,
                      any_precision_name(p));
            any_result r = detect_by(&scene, p, m);
            note_check(any_result_same(&checked, &r), "not what method 0 finds");
            any_result_release(&r);
        }
        any_result_release(&checked);
    }
    truth_release(&known);
    random_scene_release(&scene);
}

static void test_small(void **state) {
    (void)state;
    for (scene_kind kind = GIANTS; kind < SCENE_KINDS; kind++) {
        if (note_only_case() == UINT64_MAX || note_only_case() == (uint64_t)kind) {
            against_brute_force(kind, 900);
            against_brute_force(kind, 4000);
        }
    }
}

/* Contexts whose results are compared where they are: each keeps its last. */
typedef struct machines {
    carom_context *reference; /* scalar, one thread */
    carom_context *first;     /* one thread */
    carom_context *many;      /* seven */
    carom_context *scalar;    /* two */
} machines;

static machines make_machines(void) {
    return (machines){any_context(1, "scalar"), any_context(1, NULL), any_context(7, NULL), any_context(2, "scalar")};
}

static void destroy_machines(const machines *m) {
    carom_context_destroy(m->reference);
    carom_context_destroy(m->first);
    carom_context_destroy(m->many);
    carom_context_destroy(m->scalar);
}

static any_view detect_with(carom_context *context, const any_bodies *bodies, carom_method method, bool sort_pairs) {
    carom_detect_config config = config_for(method);
    config.sort_pairs = sort_pairs;
    return any_view_detect(context, bodies, &config);
}

/* With the pairs put in order every method gives the very same arrays; without, each its own order, but the same for
 * any number of threads and instruction set. */
static void check_method(const machines *on, const any_bodies *bodies, carom_method method, const any_view *reference) {
    any_view r = detect_with(on->first, bodies, method, true);
    note_choice(r.summary.method);
    note_check(any_view_same(reference, &r),
               "not what a plain sweep finds: box pairs %" PRIu64 " and %" PRIu64 ", touching %" PRIu64 " and %" PRIu64,
               reference->summary.box_pairs, r.summary.box_pairs, reference->summary.touching_pairs,
               r.summary.touching_pairs);
    any_view first = detect_with(on->first, bodies, method, false);
    any_view many = detect_with(on->many, bodies, method, false);
    note_check(any_view_same(&first, &many), "other results on seven threads");
    if (bodies->precision == ANY_F32) {
        any_view scalar = detect_with(on->scalar, bodies, method, false);
        note_check(any_view_same(&first, &scalar), "other results on two threads, scalar");
    }
}

/* More bodies than a crowded cell takes (16,384), so that cells become parts. */
static void against_sweep(const machines *on, scene_kind kind, uint64_t count) {
    carom_random random = carom_random_seeded(note_case_seed(100 + (uint64_t)kind));
    random_scene scene = make_scene(kind, count, &random);
    for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
        any_bodies bodies = any_bodies_make(p, &scene.bodies);
        note_case((uint64_t)kind, "%s, %" PRIu64 " bodies, %s", SCENE_NAMES[kind], count, any_precision_name(p));
        any_view reference = detect_with(on->reference, &bodies, CAROM_METHOD_SWEEP, true);
        note_check(reference.summary.touching_pairs > count / 200, "too few pairs touch: the test is empty");
        for (carom_method m = CAROM_METHOD_AUTO; m <= CAROM_METHOD_SHARED; m += p == ANY_F32 ? 1 : 3) {
            note_case((uint64_t)kind, "%s, %" PRIu64 " bodies, method %d, %s", SCENE_NAMES[kind], count, (int)m,
                      any_precision_name(p));
            check_method(on, &bodies, m, &reference);
        }
        any_bodies_release(&bodies);
    }
    random_scene_release(&scene);
}

static void test_large(void **state) {
    (void)state;
    machines on = make_machines();
    for (scene_kind kind = GIANTS; kind < SCENE_KINDS; kind++) {
        if (is_wanted(kind)) {
            against_sweep(&on, kind, kind != LUMP && note_long() ? 34000 : 18000);
        }
    }
    destroy_machines(&on);
}

static void test_all_were_chosen(void **state) {
    (void)state;
    for (uint32_t m = CAROM_METHOD_SWEEP; m <= CAROM_METHOD_SHARED && note_only_case() == UINT64_MAX; m++) {
        note_check(chosen[m] > 0, "method %u was never used", m);
    }
}

/* Points, and thin sheets across all columns that the points call for: bodies that go from corner to corner of y and z,
 * up or down. Every tenth point is where the one before is. */
static random_scene make_sheets(uint64_t points, uint64_t sheets) {
    const double side = 100;
    carom_random random = carom_random_seeded(note_case_seed(sheets));
    random_scene scene = random_scene_blank(points + sheets);
    for (uint64_t n = 0; n < points + sheets; n++) {
        bool sheet = n >= points;
        bool same = !sheet && n % 10 == 9;
        double at[3] = {between(&random, 0, 4 * side), between(&random, 0, side), between(&random, 0, side)};
        double to[3] = {at[0], side, n % 2 == 0 ? side : 0};
        for (int a = 0; a < 3; a++) {
            double from = a > 0 && sheet ? side - to[a] : at[a];
            scene.field[a][n] = same ? scene.field[a][n - 1] : (double)(float)from;
            scene.field[a + 3][n] = sheet ? (double)(float)to[a] : scene.field[a][n];
        }
        scene.field[6][n] = sheet ? 0.0078125 : 0x1p-33;
    }
    return scene;
}

/* Levels are given up where wide bodies would visit too many cells in all: more than 64 for each body and a million. A
 * few sheets less and they are not. */
static void test_too_many_visits(void **state) {
    (void)state;
    machines on = make_machines();
    for (int many = 0; many < 2; many++) {
        random_scene scene = make_sheets(60000, many != 0 ? 46000 : 20000);
        for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
            any_bodies bodies = any_bodies_make(p, &scene.bodies);
            any_view reference = detect_with(on.reference, &bodies, CAROM_METHOD_SWEEP, true);
            note_check(reference.summary.touching_pairs > 20000, "too few pairs touch: the test is empty");
            for (int threads = 1; threads <= 7; threads += 6) {
                note_case((uint64_t)many, "%s sheets, %s, %d threads", many != 0 ? "too many" : "enough",
                          any_precision_name(p), threads);
                any_view r = detect_with(threads == 1 ? on.first : on.many, &bodies, CAROM_METHOD_LEVELS, true);
                bool levels = strcmp(r.summary.method, "levels") == 0;
                note_check(levels == (many == 0), "the method is %s: %s", r.summary.method, r.summary.reason);
                note_check(any_view_same(&reference, &r), "not what a plain sweep finds");
            }
            any_bodies_release(&bodies);
        }
        random_scene_release(&scene);
    }
    destroy_machines(&on);
}

/* Everything at one place: N (N - 1) / 2 pairs, more than 32 bits hold, counted and not stored; by two workers, in a
 * long run by one, too. */
static void test_all_pairs_of_one_place(void **state) {
    (void)state;
    enum { COUNT = 92683 };
    if (note_short()) {
        skip();
    }
    random_scene scene = random_scene_blank(COUNT);
    any_bodies bodies = any_bodies_make(ANY_F32, &scene.bodies);
    for (uint32_t threads = note_long() ? 1 : 2; threads <= 2; threads++) {
        carom_context *context = any_context(threads, NULL);
        carom_detect_config config = carom_detect_config_default();
        config.count_only = true;
        config.until = CAROM_UNTIL_PAIRS;
        note_case(threads, "%d bodies at one place, %u threads", COUNT, threads);
        any_view r = any_view_detect(context, &bodies, &config);
        note_check(r.summary.box_pairs == UINT64_C(4295022903) && r.summary.required_pairs == r.summary.box_pairs,
                   "%" PRIu64 " pairs, %" PRIu64 " required", r.summary.box_pairs, r.summary.required_pairs);
        note_check(r.f32.pair_count == 0 && carom_context_memory(context) < (UINT64_C(64) << 20), "they were stored");
        carom_context_destroy(context);
    }
    any_bodies_release(&bodies);
    random_scene_release(&scene);
}

int main(void) {
    note_start("tests/prop/test_methods");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_all_were_chosen),
        cmocka_unit_test(test_too_many_visits),
        cmocka_unit_test(test_all_pairs_of_one_place),
    };
    return cmocka_run_group_tests_name("methods", tests, NULL, NULL);
}
