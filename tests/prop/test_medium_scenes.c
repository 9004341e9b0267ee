/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Scenes of thousands of bodies, so that the partition has many cells across the sweep axis, pieces along it and boxes
 * that reach over their borders, against brute force; and the same bits for every number of threads and every
 * instruction set; and the same pairs when the bodies are renumbered. */
#include <inttypes.h>
#include <stdlib.h>

#include "tests/support/check.h"
#include "tests/support/check_detection.h"
#include "tests/support/note.h"
#include "tests/support/random_scene.h"

enum { ISAS_MOST = 8 };

static const uint32_t THREADS[] = {1, 2, 3, 8};
enum { THREAD_COUNTS = sizeof THREADS / sizeof THREADS[0] };

typedef struct shape {
    random_scene_kind kind;
    uint64_t count;
} shape;

/* Cube, column and slab in several sizes: pieces along the sweep axis begin at twice 2048 bodies in a column. */
static const shape SHAPES[] = {
    {RANDOM_UNIFORM_DENSE, 5000}, {RANDOM_UNIFORM_SPARSE, 5000}, {RANDOM_COLUMN, 5000}, {RANDOM_COLUMN, 9000},
    {RANDOM_COLUMN, 4500},        {RANDOM_SLAB, 5000},           {RANDOM_SLAB, 3000},   {RANDOM_CLUSTERED, 5000},
    {RANDOM_DIAGONAL, 4000},      {RANDOM_PLANE, 4000},          {RANDOM_LINE, 5000},   {RANDOM_RADII, 3000},
    {RANDOM_LATTICE, 4096},       {RANDOM_OUTLIER, 5000},        {RANDOM_OFFSET, 3000}, {RANDOM_GIANT, 2000},
    {RANDOM_HUGE, 3000},          {RANDOM_TINY, 3000},           {RANDOM_REST, 4000},   {RANDOM_TOGETHER, 3000},
    {RANDOM_NEGATIVE, 5000},      {RANDOM_UNIFORM_DENSE, 2000},  {RANDOM_COPIES, 2500}, {RANDOM_SLAB, 5000},
    {RANDOM_COLUMN, 6000},        {RANDOM_UNIFORM_DENSE, 4999},
};
enum { SHAPE_COUNT = sizeof SHAPES / sizeof SHAPES[0] };

typedef struct setting {
    uint32_t threads;
    const char *isa;
} setting;

/* Runs `config` on the scene with all threads and instruction sets: every result must be the first's, bit by bit. */
static void check_settings(const carom_bodies_f64 *bodies, any_precision precision, const carom_detect_config *config) {
    const char *isas[ISAS_MOST];
    size_t isa_count = carom_isa_available(isas, ISAS_MOST);
    any_result first = {0};
    for (size_t n = 0; n < isa_count + THREAD_COUNTS - 1; n++) {
        setting s = {n < isa_count ? 1 : THREADS[n - isa_count + 1], isas[n < isa_count ? n : 0]};
        carom_context *context = any_context(s.threads, s.isa);
        any_result r = any_detect(context, precision, bodies, config);
        carom_context_destroy(context);
        if (n == 0) {
            first = r;
            continue;
        }
        note_check(any_result_same(&first, &r), "%s, %u threads: other results than %s on one thread", s.isa, s.threads,
                   isas[0]);
        any_result_release(&r);
    }
    any_result_release(&first);
}

static void check_all_settings(const carom_bodies_f64 *bodies, any_precision precision) {
    carom_detect_config config = any_config_full();
    config.sort_pairs = false;
    check_settings(bodies, precision, &config);
    config.all_pairs = true;
    config.sort_pairs = true;
    check_settings(bodies, precision, &config);
    config = carom_detect_config_default();
    config.hash = true;
    config.until = CAROM_UNTIL_PAIRS;
    check_settings(bodies, precision, &config);
    config.until = CAROM_UNTIL_BOUNDS;
    check_settings(bodies, precision, &config);
}

/* The i-th smaller of two orders of the same body numbers: the set of pairs must not depend on the numbering. */
static void check_renumbered(carom_context *context, any_precision precision, const random_scene *scene,
                             carom_random *random) {
    uint64_t count = scene->bodies.count;
    uint32_t *order = random_order(count, random);
    random_scene permuted = random_scene_permuted(scene, order);
    carom_detect_config config = any_config_full();
    any_result plain = any_detect(context, precision, &scene->bodies, &config);
    any_result other = any_detect(context, precision, &permuted.bodies, &config);
    note_check(other.pair_count == plain.pair_count && other.group_count == plain.group_count &&
                   other.summary.largest_group == plain.summary.largest_group &&
                   other.summary.box_pairs == plain.summary.box_pairs,
               "renumbered bodies: other counts");
    for (uint64_t n = 0; n < other.pair_count; n++) {
        uint32_t a = order[other.i[n]];
        uint32_t b = order[other.k[n]];
        other.i[n] = a < b ? a : b;
        other.k[n] = a < b ? b : a;
    }
    brute_pairs back = {.count = other.pair_count, .i = other.i, .k = other.k};
    note_check(brute_force_hash(&back) == plain.summary.touching_hash, "renumbered bodies: other pairs");
    any_result_release(&plain);
    any_result_release(&other);
    random_scene_release(&permuted);
    free(order);
}

static void run_case(uint64_t number) {
    shape s = SHAPES[number];
    carom_random random = carom_random_seeded(note_case_seed(number));
    random_scene scene = random_scene_make(s.kind, s.count, true, &random);
    truth known = truth_of(&scene.bodies);
    carom_context *context = any_context(number % 2 == 0 ? 1 : 2, NULL);
    for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
        note_case(number, "%s, %" PRIu64 " bodies, %s", random_scene_name(s.kind), s.count, any_precision_name(p));
        check_detection(context, p, &known);
        check_all_settings(&scene.bodies, p);
        check_renumbered(context, p, &scene, &random);
    }
    carom_context_destroy(context);
    truth_release(&known);
    random_scene_release(&scene);
}

static void test_medium_scenes(void **state) {
    (void)state;
    for (uint64_t number = 0; number < SHAPE_COUNT; number += note_short() ? 5 : 1) {
        if (note_only_case() == UINT64_MAX || note_only_case() == number) {
            run_case(number);
        }
    }
}

int main(void) {
    note_start("tests/prop/test_medium_scenes");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_medium_scenes)};
    return cmocka_run_group_tests_name("medium scenes", tests, NULL, NULL);
}
