/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What the library says beforehand that a call needs: on the standard scenes it is enough as a limit, and not much more
 * than what is held at the highest. Its numbers saturate, and arguments that are no good give 0. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "carom/carom.h"
#include "kernel/scene/scene.h"
#include "tests/support/any_detect.h"
#include "tests/support/check.h"
#include "tests/support/fault_allocator.h"
#include "tests/support/note.h"
#include "tests/support/random_scene.h"

enum { SIZES = 2, CHOICES = 6 };
static const uint64_t SIZE[SIZES] = {10000, 100000};
/* A bound is at most so many times what is held. */
static const double RATIO_MOST = 1.3;

static carom_detect_config config_of(int choice, const carom_periodic *box) {
    const bool all = choice == CHOICES - 1;
    carom_detect_config config = carom_detect_config_default();
    config.count_only = choice == 1;
    config.sort_pairs = choice == 2 || all;
    config.neighbours = choice == 3 || all ? CAROM_NEIGHBOURS_FULL : CAROM_NEIGHBOURS_NONE;
    config.group_members = choice == 4 || all;
    config.periodic = box;
    return config;
}

static carom_context *limited_context(uint32_t threads, fault_allocator *allocator, uint64_t limit) {
    carom_context_config config = carom_context_config_default();
    carom_context *context = NULL;
    config.threads = threads;
    config.memory_limit = limit;
    config.allocator = fault_allocator_get(allocator);
    assert_int_equal(carom_context_create(&config, &context, NULL), CAROM_OK);
    return context;
}

static uint64_t bound_of(any_precision precision, const carom_context *context, uint64_t count, uint64_t pairs,
                         const carom_detect_config *config) {
    return precision == ANY_F32 ? carom_detect_memory_f32(context, count, pairs, config)
                                : carom_detect_memory_f64(context, count, pairs, config);
}

/* Lets another context of as many threads say what is enough. */
static uint64_t bound_for(any_precision precision, uint32_t threads, uint64_t count, uint64_t pairs,
                          const carom_detect_config *config) {
    fault_allocator allocator;
    fault_allocator_init(&allocator);
    carom_context *context = limited_context(threads, &allocator, 0);
    const uint64_t bound = bound_of(precision, context, count, pairs, config);
    carom_context_destroy(context);
    return bound;
}

/* A call under the bound. Returns its required_pairs. */
static uint64_t check_bound(const any_bodies *bodies, uint64_t count, uint32_t threads, uint64_t pairs,
                            const carom_detect_config *config) {
    const uint64_t bound = bound_for(bodies->precision, threads, count, pairs, config);
    fault_allocator allocator;
    fault_allocator_init(&allocator);
    carom_context *context = limited_context(threads, &allocator, bound);
    carom_detect_summary summary;
    const carom_status status = any_detect_status(context, bodies, config, &summary);
    const uint64_t peak = allocator.peak_bytes;
    note_check(status == CAROM_OK, "%" PRIu64 " bytes are not enough, but %" PRIu64, bound, summary.required_bytes);
    note_check(RATIO_MOST * (double)peak >= (double)bound, "%" PRIu64 " bytes asked for, %" PRIu64 " held", bound,
               peak);
    carom_context_destroy(context);
    return summary.required_pairs;
}

/* Pairs of the scene in this box, or in open space. */
static uint64_t count_pairs(const any_bodies *bodies, const carom_periodic *box) {
    fault_allocator allocator;
    fault_allocator_init(&allocator);
    carom_context *context = limited_context(2, &allocator, 0);
    const carom_detect_config config = config_of(1, box);
    carom_detect_summary summary;
    assert_int_equal(any_detect_status(context, bodies, &config, &summary), CAROM_OK);
    carom_context_destroy(context);
    return summary.required_pairs;
}

static void check_space(const random_scene *scene, any_precision precision, const carom_periodic *box, char letter) {
    const uint64_t count = scene->bodies.count;
    any_bodies bodies = any_bodies_make(precision, &scene->bodies);
    const uint64_t pairs = count_pairs(&bodies, box);
    for (int choice = 0; choice < CHOICES; choice++) {
        for (uint32_t threads = 1; threads <= (note_long() ? 4 : 2); threads *= 2) {
            const carom_detect_config config = config_of(choice, box);
            note_case((uint64_t)choice, "scene %c, %" PRIu64 " bodies, choice %d, %s, %u threads%s", letter, count,
                      choice, any_precision_name(precision), threads, box != NULL ? ", periodic" : "");
            const uint64_t found = check_bound(&bodies, count, threads, pairs, &config);
            note_check(found == pairs, "%" PRIu64 " pairs, not %" PRIu64, found, pairs);
        }
    }
    any_bodies_release(&bodies);
}

/* The scene in double. */
static random_scene widen(const carom_scene_f32 *scene) {
    random_scene wide = random_scene_blank(scene->count);
    for (uint64_t n = 0; n < scene->count; n++) {
        for (int a = 0; a < 3; a++) {
            wide.field[a][n] = (double)scene->prev[a][n];
            wide.field[a + 3][n] = (double)scene->curr[a][n];
        }
        wide.field[6][n] = (double)scene->radius[n];
    }
    return wide;
}

static void check_scene(char letter, uint64_t count) {
    carom_scene_f32 scene;
    carom_periodic box = carom_periodic_default();
    assert_int_equal(carom_scene_make(letter, count, 1, &scene), CAROM_OK);
    random_scene wide = widen(&scene);
    for (int a = 0; a < 3; a++) {
        box.along[a] = true;
        box.edge[a][a] = scene.box[a];
    }
    for (any_precision precision = ANY_F32; precision < ANY_PRECISIONS; precision++) {
        check_space(&wide, precision, NULL, letter);
        if (scene.box[0] > 0) {
            check_space(&wide, precision, &box, letter);
        }
    }
    random_scene_release(&wide);
    carom_scene_release(&scene);
}

static void test_standard_scenes(void **state) {
    (void)state;
    for (int size = 0; size < (note_short() ? 1 : SIZES); size++) {
        for (const char *letter = carom_scene_letters(); *letter != '\0'; letter++) {
            check_scene(*letter, SIZE[size]);
        }
    }
}

/* Bodies at random in a cell, all of one radius. */
static random_scene fill_cell(uint64_t count, double radius, const carom_periodic *box) {
    carom_random random = carom_random_seeded(note_case_seed(count));
    random_scene scene = random_scene_blank(count);
    for (uint64_t n = 0; n < count; n++) {
        const double u[3] = {carom_random_u01(&random), carom_random_u01(&random), carom_random_u01(&random)};
        for (int f = 0; f < 6; f++) {
            scene.field[f][n] = u[0] * box->edge[0][f % 3] + u[1] * box->edge[1][f % 3] + u[2] * box->edge[2][f % 3];
        }
        scene.field[6][n] = radius;
    }
    return scene;
}

/* The call under a limit, in a new context, and what it says about memory. */
static carom_status detect_under(uint64_t limit, uint32_t threads, const any_bodies *bodies,
                                 const carom_detect_config *config, carom_detect_summary *summary) {
    fault_allocator allocator;
    fault_allocator_init(&allocator);
    carom_context *context = limited_context(threads, &allocator, limit);
    const carom_status status = any_detect_status(context, bodies, config, summary);
    carom_context_destroy(context);
    return status;
}

/* Under a limit that is too small the call says MEMORY and what is enough, at the second time of asking at the latest.
 */
static void check_shortage(const any_bodies *bodies, uint64_t limit, const carom_detect_config *config) {
    for (int attempt = 0; attempt < 3; attempt++) {
        carom_detect_summary summary;
        const carom_status status = detect_under(limit, 2, bodies, config, &summary);
        if (status == CAROM_OK) {
            note_check(attempt > 0, "half of what is held is enough");
            return;
        }
        note_check(status == CAROM_ERROR_MEMORY && summary.required_bytes > limit, "attempt %d: %s", attempt,
                   carom_status_name(status));
        limit = summary.required_bytes;
    }
    note_check(false, "required_bytes is never enough");
}

static void check_crystal(const random_scene *scene, const carom_periodic *box, any_precision precision) {
    any_bodies bodies = any_bodies_make(precision, &scene->bodies);
    const uint64_t pairs = count_pairs(&bodies, box);
    for (int choice = 0; choice < CHOICES; choice++) {
        const carom_detect_config config = config_of(choice, box);
        const uint64_t bound = bound_for(precision, 2, scene->bodies.count, pairs, &config);
        fault_allocator allocator;
        fault_allocator_init(&allocator);
        carom_context *context = limited_context(2, &allocator, bound);
        carom_detect_summary summary;
        const carom_status status = any_detect_status(context, &bodies, &config, &summary);
        note_check(status == CAROM_OK, "choice %d, %" PRIu64 " pairs: %" PRIu64 " bytes are not enough, but %" PRIu64,
                   choice, pairs, bound, summary.required_bytes);
        carom_context_destroy(context);
        check_shortage(&bodies, allocator.peak_bytes / 2, &config);
    }
    any_bodies_release(&bodies);
}

/* Cells far smaller than the reach of bodies, which meet their own images: mostly images. Usual runs take one precision
 * of each scene. */
static void test_self_images(void **state) {
    (void)state;
    static const double edges[][3][3] = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                         {{0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0}},
                                         {{1, 0, 0}, {0.5, 0.9, 0}, {0.3, 0.4, 0.8}},
                                         {{1, 0, 0}, {0, 0.2, 0}, {0, 0, 1}}};
    static const double radii[] = {0.03, 0.1, 0.2, 0.35, 0.6, 1.2, 2.5};
    static const uint64_t most[] = {3000, 300, 300, 300, 30, 30, 3};
    for (uint64_t number = 0; number < 4 * sizeof radii / sizeof radii[0]; number++) {
        carom_periodic box = carom_periodic_default();
        const double radius = radii[number / 4];
        memcpy(box.edge, edges[number % 4], sizeof box.edge);
        box.along[0] = box.along[1] = box.along[2] = box.self_images = true;
        for (uint64_t count = 1; count <= most[number / 4]; count = count == 1 ? 3 : 10 * count) {
            random_scene scene = fill_cell(count, radius, &box);
            for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
                if (!note_long() && p != (any_precision)((number + number / 4) % 2)) {
                    continue;
                }
                note_case(number, "%" PRIu64 " bodies of radius %g, %s", count, radius, any_precision_name(p));
                check_crystal(&scene, &box, p);
            }
            random_scene_release(&scene);
        }
    }
}

enum { PARTED_SCENES = 60, PARTED_ATTEMPTS = 12, LIMIT_LEAST = 65536 };

/* Bodies of very different sizes, at random in a cube, moving. */
static random_scene make_parted(carom_random *random) {
    const uint64_t count = 500 + carom_random_next(random) % 3000;
    const double width = cbrt((double)count) * (0.5 + 4.0 * carom_random_u01(random));
    const double giants = 0.05 * carom_random_u01(random);
    random_scene scene = random_scene_blank(count);
    for (uint64_t n = 0; n < count; n++) {
        for (int a = 0; a < 3; a++) {
            scene.field[a][n] = width * carom_random_u01(random);
            scene.field[a + 3][n] = scene.field[a][n] + carom_random_u01(random) - 0.5;
        }
        scene.field[6][n] = carom_random_u01(random) < giants ? 8.0 : 0.3;
    }
    return scene;
}

/* Once a call has counted its pairs, the limit that it names is enough at once. */
static void check_counted_shortage(const any_bodies *bodies, uint64_t limit, uint32_t threads,
                                   const carom_detect_config *config) {
    bool counted = false;
    for (int attempt = 0; attempt < PARTED_ATTEMPTS; attempt++) {
        carom_detect_summary summary;
        const carom_status status = detect_under(limit, threads, bodies, config, &summary);
        if (status == CAROM_OK) {
            return;
        }
        note_check(status == CAROM_ERROR_MEMORY && summary.required_bytes > limit, "attempt %d: %s", attempt,
                   carom_status_name(status));
        note_check(!counted, "%" PRIu64 " bytes were asked for and are not enough", limit);
        counted = summary.required_pairs > 0;
        limit = summary.required_bytes;
    }
    note_check(false, "required_bytes is never enough");
}

/* Wide bodies are searched as a part of their own after the others, in buffers that grow then. */
static void test_parts(void **state) {
    (void)state;
    for (uint64_t number = 0; number < PARTED_SCENES; number++) {
        carom_random random = carom_random_seeded(note_case_seed(number));
        random_scene scene = make_parted(&random);
        const uint32_t threads = 1 + (uint32_t)(carom_random_next(&random) % 3);
        carom_detect_config config = config_of((int)(carom_random_next(&random) % CHOICES), NULL);
        config.method = carom_random_next(&random) % 4 == 0 ? CAROM_METHOD_SHARED : CAROM_METHOD_LEVELS;
        note_case(number, "%" PRIu64 " bodies, %u threads", scene.bodies.count, threads);
        for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
            any_bodies bodies = any_bodies_make(p, &scene.bodies);
            check_counted_shortage(&bodies, LIMIT_LEAST + carom_random_next(&random) % 1000000, threads, &config);
            any_bodies_release(&bodies);
        }
        random_scene_release(&scene);
    }
}

/* Of as many pairs with more bodies, and of as many bodies with more pairs. */
static void check_grows_alone(any_precision precision, const carom_detect_config *config) {
    uint64_t before[2] = {0, 0};
    for (uint64_t n = 1000; n <= 10000000; n += n / 3) {
        const uint64_t bound[2] = {bound_for(precision, 4, n, 400000, config),
                                   bound_for(precision, 4, 100000, n, config)};
        note_check(config->periodic != NULL || (bound[0] >= before[0] && bound[1] >= before[1]),
                   "%" PRIu64 " bodies or pairs: fewer bytes than with less", n);
        memcpy(before, bound, sizeof before);
    }
}

/* With more bodies and pairs it is never less in open space, up to the greatest numbers there are. In a box more pairs
 * of more bodies may mean smaller ones, which have fewer images. */
static void test_grows(void **state) {
    (void)state;
    const carom_periodic box = {.size = sizeof box, .along = {true, true}, .edge = {{9, 0, 0}, {1, 8, 0}}};
    for (int choice = 0; choice < 2 * CHOICES; choice++) {
        const carom_detect_config config = config_of(choice % CHOICES, choice < CHOICES ? NULL : &box);
        note_case((uint64_t)choice, "choice %d", choice);
        for (any_precision precision = ANY_F32; precision < ANY_PRECISIONS; precision++) {
            uint64_t before = 0;
            for (uint64_t n = 1; n <= CAROM_BODIES_MAX; n *= 2) {
                const uint64_t bound = bound_for(precision, 4, n, n, &config);
                note_check(bound >= before || config.periodic != NULL,
                           "%" PRIu64 " bodies: %" PRIu64 " bytes, fewer: %" PRIu64, n, bound, before);
                before = bound;
            }
            check_grows_alone(precision, &config);
            const bool stored = !config.count_only;
            note_check(bound_for(precision, 4, 9, UINT64_MAX, &config) == UINT64_MAX || !stored, "it overflows");
            note_check(bound_for(precision, 4, CAROM_BODIES_MAX, CAROM_BODIES_MAX, &config) >= before, "it overflows");
            note_check(bound_for(precision, 4, CAROM_BODIES_MAX + 1, 9, &config) == UINT64_MAX, "too many bodies");
        }
    }
}

static void test_bad_arguments(void **state) {
    (void)state;
    carom_detect_config config = carom_detect_config_default();
    assert_int_equal(carom_detect_memory_f32(NULL, 9, 9, NULL), 0);
    assert_int_equal(carom_coherent_memory_f64(NULL, 9, 9, 9, NULL, NULL), 0);
    assert_true(bound_for(ANY_F64, 1, 0, 0, NULL) > 0);
    assert_true(bound_for(ANY_F64, 1, 9, 9, &config) == bound_for(ANY_F64, 1, 9, 9, NULL));
    config.size = 1;
    assert_int_equal(bound_for(ANY_F32, 1, 9, 9, &config), 0);
    config = carom_detect_config_default();
    const carom_periodic flat = carom_periodic_default();
    config.periodic = &flat;
    assert_int_equal(bound_for(ANY_F32, 1, 9, 9, &config), 0);
}

int main(void) {
    note_start("tests/fault/test_memory_bound");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_standard_scenes), cmocka_unit_test(test_self_images),   cmocka_unit_test(test_parts),
        cmocka_unit_test(test_grows),           cmocka_unit_test(test_bad_arguments),
    };
    return cmocka_run_group_tests_name("memory bound", tests, NULL, NULL);
}
