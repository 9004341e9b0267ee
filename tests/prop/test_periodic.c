/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Periodic boxes: random small scenes in orthorhombic and tilted boxes, one, two and three periodic axes, boxes smaller
 * than the boxes of bodies, bodies far outside and bodies that cross the walls, all held against every image of every
 * pair. All numbers lie on a grid on which positions plus whole edges are exact, so that tangent contacts are decided
 * exactly, too. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/note.h"
#include "tests/support/periodic_truth.h"
#include "tests/support/random_scene.h"

enum { CASES = 3000, BODIES_MOST = 40, CONTEXTS_MOST = 24, ISAS_MOST = 8 };

static carom_context *contexts[CONTEXTS_MOST];
static uint64_t context_count;

static int make_contexts(void **state) {
    (void)state;
    static const uint32_t threads[] = {1, 2, 5};
    const char *isas[ISAS_MOST];
    size_t count = carom_isa_available(isas, ISAS_MOST);
    for (size_t n = 0; n < 3 * count; n++) {
        contexts[context_count++] = any_context(threads[n % 3], isas[n / 3]);
    }
    return 0;
}

static int destroy_contexts(void **state) {
    (void)state;
    while (context_count > 0) {
        carom_context_destroy(contexts[--context_count]);
    }
    return 0;
}

/* A multiple of 2^-5 in [-size, size]. */
static double on_grid(carom_random *random, double size) {
    return rint((2 * carom_random_u01(random) - 1) * size * 32) / 32;
}

static uint32_t below(carom_random *random, uint32_t count) {
    return (uint32_t)(carom_random_next(random) % count);
}

/* How a case is made: the box, and how far its bodies go. */
typedef struct recipe {
    carom_periodic box;
    double motion;
    double radius;
    int32_t away; /* boxes that bodies are outside at most */
    uint64_t count;
} recipe;

static double volume_of(const double edge[3][3]) {
    double volume = 0;
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3;
        int c = (a + 2) % 3;
        volume += edge[0][a] * (edge[1][b] * edge[2][c] - edge[1][c] * edge[2][b]);
    }
    return fabs(volume);
}

enum { TILTS = 4 };

/* Orthorhombic, tilted a little, tilted over many boxes, or edges that point anywhere. */
static void choose_edges(carom_random *random, uint32_t tilt, double size, double edge[3][3]) {
    do {
        for (int a = 0; a < 3; a++) {
            for (int j = 0; j < 3; j++) {
                double reach = tilt == 3 ? size : tilt == 2 ? 8 * size : size / 2;
                bool free = tilt == 3 || (tilt > 0 && j < a);
                edge[a][j] = a == j && tilt != 3 ? size / 2 + fabs(on_grid(random, size / 2))
                             : free              ? on_grid(random, reach)
                                                 : 0;
            }
        }
    } while (volume_of((const double(*)[3])edge) < 0.25 * size * size * size);
}

static recipe choose_recipe(carom_random *random, uint64_t number) {
    recipe r = {.box = carom_periodic_default()};
    uint32_t along = 1 + (uint32_t)(number % 7);
    uint32_t tilt = (uint32_t)(number / 7 % TILTS);
    bool tiny = below(random, 3) == 0;
    choose_edges(random, tilt, tiny ? 2 : 12, r.box.edge);
    for (int a = 0; a < 3; a++) {
        r.box.along[a] = (along >> a & 1) != 0;
        for (int j = 0; j < 3 && !r.box.along[a]; j++) {
            r.box.edge[a][j] = NAN; /* not to be looked at */
        }
    }
    r.motion = (double[]){0, 1, 4, tiny ? 6 : 30}[below(random, 4)];
    r.radius = fmin(periodic_shortest(&r.box) / 2.0625, tiny ? 1 : 2);
    r.away = (int32_t[]){0, 1, 20}[below(random, 3)];
    r.count = below(random, (r.motion > 4 || tiny ? BODIES_MOST / 4 : BODIES_MOST) + 1);
    return r;
}

static void place_bodies(carom_random *random, const recipe *r, random_scene *scene, int32_t (*wrap)[3]) {
    for (uint64_t n = 0; n < r->count; n++) {
        double by[3] = {0, 0, 0};
        for (int a = 0; a < 3; a++) {
            wrap[n][a] = r->box.along[a] ? (int32_t)below(random, 2 * (uint32_t)r->away + 1) - r->away : 0;
            for (int j = 0; j < 3 && r->box.along[a]; j++) {
                by[j] += wrap[n][a] * r->box.edge[a][j];
            }
        }
        for (int j = 0; j < 3; j++) {
            double at = on_grid(random, 6) + by[j];
            scene->field[j][n] = at;
            scene->field[j + 3][n] = at + on_grid(random, r->motion);
        }
        scene->field[6][n] = floor(carom_random_u01(random) * r->radius * 32) / 32;
    }
}

static any_result detect(carom_context *context, any_precision precision, const carom_bodies_f64 *bodies,
                         const carom_periodic *box, int way) {
    carom_detect_config config = any_config_full();
    config.periodic = box;
    config.all_pairs = way == 1;
    config.until = way == 2 ? CAROM_UNTIL_PAIRS : CAROM_UNTIL_GROUPS;
    config.sort_pairs = way != 3;
    config.count_only = way == 4;
    return any_detect(context, precision, bodies, &config);
}

/* Every way to ask, on one context; another must return the same bits. */
static void check_ways(const periodic_truth *known, any_precision precision, carom_context *context,
                       carom_context *other) {
    any_result full = detect(context, precision, known->bodies, known->box, 0);
    periodic_check(known, precision, false, &full);
    for (int way = 1; way < 5; way++) {
        any_result r = detect(context, precision, known->bodies, known->box, way);
        any_result same = detect(other, precision, known->bodies, known->box, way);
        note_check(any_result_same(&r, &same), "way %d: %s with %u threads gives other results", way,
                   carom_context_isa(other), carom_context_threads(other));
        if (way == 1) {
            periodic_check(known, precision, true, &r);
        } else if (way == 2) {
            periodic_check_pairs(known, &r);
        } else if (way == 3) {
            note_check(r.summary.result_hash == full.summary.result_hash, "unordered rows are others");
        } else {
            note_check(r.pair_count == 0 && r.summary.touching_pairs == full.summary.touching_pairs &&
                           r.summary.groups == full.summary.groups,
                       "counting alone finds something else");
        }
        any_result_release(&r);
        any_result_release(&same);
    }
    any_result_release(&full);
}

static void run_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    recipe r = choose_recipe(&random, number);
    random_scene scene = random_scene_blank(r.count);
    int32_t(*wrap)[3] = calloc(r.count + 1, sizeof *wrap);
    place_bodies(&random, &r, &scene, wrap);
    periodic_truth known = periodic_truth_of(&scene.bodies, (const int32_t(*)[3])wrap, &r.box);
    uint64_t chosen = carom_random_next(&random) % context_count;
    uint64_t other = carom_random_next(&random) % context_count;
    for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
        note_case(number, "%" PRIu64 " bodies, %d%d%d periodic, motion %g, %d boxes away, %s, %s, %u threads", r.count,
                  r.box.along[0], r.box.along[1], r.box.along[2], r.motion, r.away, any_precision_name(p),
                  carom_context_isa(contexts[chosen]), carom_context_threads(contexts[chosen]));
        check_ways(&known, p, contexts[chosen], contexts[other]);
    }
    periodic_truth_release(&known);
    random_scene_release(&scene);
    free(wrap);
}

static void test_small_boxes(void **state) {
    (void)state;
    for (uint64_t number = 0; number < CASES; number++) {
        if (note_only_case() == UINT64_MAX || note_only_case() == number) {
            run_case(number);
        }
    }
}

int main(void) {
    note_start("tests/prop/test_periodic");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_boxes),
    };
    return cmocka_run_group_tests_name("periodic", tests, make_contexts, destroy_contexts);
}
