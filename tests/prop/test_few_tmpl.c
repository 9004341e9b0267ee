/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Few bodies and many worlds. Guards that a detection of few bodies, which tests all pairs, finds what the sweep finds;
 * that many worlds in one call give what each gives alone, for every instruction set and number of threads, worlds of
 * no body and of hundreds among them; that failing memory is reported and leaves nothing behind, some limits that it
 * asks for are enough, warm calls ask for none, and all is refused that should be. Compiled once for each precision. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "carom/worlds.h"
#include "simd/precision.h"
#include "tests/support/any_detect.h"
#include "tests/support/check.h"
#include "tests/support/fault_allocator.h"
#include "tests/support/isa_contexts.h"
#include "tests/support/note.h"
#include "tests/support/random_scene.h"

enum { FEW_CASES = 600, FEW_MOST = 300, CASES = 160, BODIES_MOST = 3000, WORLDS_MOST = 400, REQUESTS_MOST = 80 };

typedef CAROM_REAL(carom_detection) detection;
typedef CAROM_REAL(carom_worlds_result) worlds_result;
#define DETECT CAROM_REAL(carom_detect)
#define WORLDS CAROM_REAL(carom_worlds)

static const any_precision PRECISION = CAROM_REAL_BITS == 32 ? ANY_F32 : ANY_F64;

static uint64_t all_pairs;
static uint64_t all_direct;

static int make_contexts(void **state) {
    static const uint32_t threads[] = {1, 2, 5};
    (void)state;
    return isa_contexts_make(threads, sizeof threads / sizeof threads[0]);
}

static carom_bodies bodies_of(const any_bodies *all) {
#if CAROM_REAL_BITS == 32
    return all->f32;
#else
    return all->f64;
#endif
}

static carom_until draw_until(carom_random *random) {
    return (carom_until)(CAROM_UNTIL_PAIRS + carom_random_next(random) % 3);
}

/* All methods find the same; rows are put in order to be compared. */
static void run_few(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const random_scene_kind kind = (random_scene_kind)(number % RANDOM_KINDS);
    const uint64_t count = carom_random_next(&random) % FEW_MOST;
    random_scene scene = random_scene_make(kind, count, CAROM_REAL_BITS == 32, &random);
    any_bodies bodies = any_bodies_make(PRECISION, &scene.bodies);
    carom_context *context = isa_contexts[number % isa_context_count];
    carom_detect_config config = carom_detect_config_default();
    config.until = draw_until(&random);
    config.sort_pairs = true;
    config.hash = carom_random_next(&random) % 2 == 0;
    config.count_only = carom_random_next(&random) % 4 == 0;
    config.all_pairs = carom_random_next(&random) % 4 == 0;
    config.approaching = !config.all_pairs && carom_random_next(&random) % 3 == 0;
    note_case(number, "%s, %" PRIu64 " bodies, until %d, %s", random_scene_name(kind), count, (int)config.until,
              carom_context_isa(context));
    any_result direct = any_detect_bodies(context, &bodies, &config, NULL);
    config.method = CAROM_METHOD_SWEEP;
    any_result swept = any_detect_bodies(isa_contexts[(number + 1) % isa_context_count], &bodies, &config, NULL);
    note_check(direct.status == CAROM_OK && any_result_same(&direct, &swept), "not what the sweep finds");
    all_pairs += direct.pair_count;
    all_direct += count > 0 && strcmp(direct.summary.method, "direct") == 0;
    any_result_release(&direct);
    any_result_release(&swept);
    any_bodies_release(&bodies);
    random_scene_release(&scene);
}

static void test_few_bodies(void **state) {
    (void)state;
    all_pairs = 0;
    all_direct = 0;
    note_each_case(FEW_CASES, run_few);
    note_check(note_only_case() != UINT64_MAX || note_short() || (all_pairs > 10000 && all_direct > FEW_CASES / 2),
               "%" PRIu64 " pairs, %" PRIu64 " calls: the test is empty", all_pairs, all_direct);
}

/* Where worlds begin: mostly few bodies, some of none, and now and then one with too many to test all pairs. */
static uint64_t draw_offset(uint64_t count, carom_random *random, uint64_t offset[WORLDS_MOST + 1]) {
    static const uint64_t most[] = {1, 12, 40, 320, 900};
    uint64_t worlds = 0;
    offset[0] = 0;
    while (worlds < WORLDS_MOST - 1 && offset[worlds] < count) {
        const uint64_t drawn = carom_random_next(random) % (most[carom_random_next(random) % 5] + 1);
        const uint64_t left = count - offset[worlds];
        offset[worlds + 1] = offset[worlds] + (drawn < left ? drawn : left);
        worlds++;
    }
    offset[worlds + 1] = count;
    return worlds + 1;
}

static carom_bodies bodies_from(const carom_bodies *all, uint64_t begin, uint64_t end) {
    carom_bodies bodies = *all;
    bodies.count = end - begin;
    for (int a = 0; a < 3; a++) {
        bodies.prev[a] += begin;
        bodies.curr[a] += begin;
    }
    bodies.radius += begin;
    return bodies;
}

static void check_fields(const worlds_result *found, uint64_t at, const detection *alone) {
    const void *field[] = {
        found->contacts.t_ca + at,      found->contacts.distance + at,  found->contacts.t_toi + at,
        found->contacts.normal[0] + at, found->contacts.normal[1] + at, found->contacts.normal[2] + at,
        found->contacts.point[0] + at,  found->contacts.point[1] + at,  found->contacts.point[2] + at};
    const void *wanted[] = {alone->contacts.t_ca,      alone->contacts.distance,  alone->contacts.t_toi,
                            alone->contacts.normal[0], alone->contacts.normal[1], alone->contacts.normal[2],
                            alone->contacts.point[0],  alone->contacts.point[1],  alone->contacts.point[2]};
    for (int f = 0; f < 9; f++) {
        note_check(memcmp(field[f], wanted[f], alone->pair_count * sizeof(carom_real)) == 0, "field %d differs", f);
    }
}

/* What a world has against what its own call gives. */
static void check_world(const worlds_result *found, uint64_t world, uint64_t begin, uint64_t bodies,
                        const detection *alone) {
    const carom_detect_summary *summary = &alone->summary;
    const carom_worlds_counts wanted = {summary->box_pairs,     summary->touching_pairs, summary->groups,
                                        summary->largest_group, summary->touching_hash,  summary->result_hash};
    const uint64_t at = found->pair_offset[world];
    note_check(memcmp(&found->world[world], &wanted, sizeof wanted) == 0, "counts of world %" PRIu64, world);
    note_check(found->pair_offset[world + 1] - at == alone->pair_count, "rows of world %" PRIu64, world);
    for (uint64_t n = 0; n < alone->pair_count; n++) {
        note_check(found->contacts.i[at + n] == alone->contacts.i[n] + begin &&
                       found->contacts.k[at + n] == alone->contacts.k[n] + begin,
                   "row %" PRIu64 " of world %" PRIu64, n, world);
    }
    if (alone->pair_count > 0 && alone->contacts.t_ca != NULL) {
        check_fields(found, at, alone);
    }
    for (uint64_t n = 0; n < bodies && alone->groups.label != NULL; n++) {
        note_check(found->label[begin + n] == alone->groups.label[n] + begin, "label of body %" PRIu64, begin + n);
    }
}

static carom_detect_config detection_of(const carom_worlds_config *config) {
    carom_detect_config alone = carom_detect_config_default();
    alone.until = config->until;
    alone.count_only = config->count_only;
    alone.approaching = config->approaching;
    alone.hash = config->hash;
    alone.sort_pairs = true;
    return alone;
}

static void check_worlds(carom_context *context, carom_context *other, const carom_bodies *bodies, uint64_t worlds,
                         const uint64_t *offset, const carom_worlds_config *config) {
    const carom_detect_config single = detection_of(config);
    worlds_result found = {0};
    carom_error error;
    uint64_t hash = 0;
    uint64_t result_hash = 0;
    const carom_status status = WORLDS(context, bodies, worlds, offset, config, &found, &error);
    note_check(status == CAROM_OK, "worlds fail: %s", error.message);
    for (uint64_t w = 0; w < worlds; w++) {
        const carom_bodies own = bodies_from(bodies, offset[w], offset[w + 1]);
        detection alone = {.size = sizeof alone};
        note_check(DETECT(other, &own, &single, NULL, &alone, &error) == CAROM_OK, "world %" PRIu64 " fails", w);
        check_world(&found, w, offset[w], own.count, &alone);
        hash += alone.summary.touching_hash;
        result_hash += alone.summary.result_hash;
        all_pairs += alone.pair_count;
    }
    note_check(found.total.touching_hash == hash && found.total.result_hash == result_hash &&
                   found.pair_count == found.pair_offset[worlds],
               "totals");
}

static void run_worlds(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const random_scene_kind kind = (random_scene_kind)(number % RANDOM_KINDS);
    const uint64_t count = carom_random_next(&random) % BODIES_MOST;
    uint64_t offset[WORLDS_MOST + 1];
    random_scene scene = random_scene_make(kind, count, CAROM_REAL_BITS == 32, &random);
    any_bodies all = any_bodies_make(PRECISION, &scene.bodies);
    const carom_bodies bodies = bodies_of(&all);
    const uint64_t worlds = draw_offset(count, &random, offset);
    carom_worlds_config config = carom_worlds_config_default();
    carom_context *context = isa_contexts[number % isa_context_count];
    config.until = draw_until(&random);
    config.hash = carom_random_next(&random) % 2 == 0;
    config.count_only = carom_random_next(&random) % 5 == 0;
    config.approaching = carom_random_next(&random) % 4 == 0;
    note_case(number, "%s, %" PRIu64 " bodies in %" PRIu64 " worlds, until %d, %s, %u threads", random_scene_name(kind),
              count, worlds, (int)config.until, carom_context_isa(context), carom_context_threads(context));
    check_worlds(context, isa_contexts[(number + 1) % isa_context_count], &bodies, worlds, offset, &config);
    any_bodies_release(&all);
    random_scene_release(&scene);
}

static void test_worlds(void **state) {
    (void)state;
    all_pairs = 0;
    note_each_case(CASES, run_worlds);
    note_check(note_only_case() != UINT64_MAX || note_short() || all_pairs > 20000, "%" PRIu64 " pairs", all_pairs);
}

enum { COUNT = 120000, EACH = 12, MANY = COUNT / EACH, STRETCH = 700, LARGE = 60 };

/* Worlds for several windows. Stretches of worlds in which nearly all bodies touch one another take turns with sparse
 * ones: tasks keep more chunks of pairs than the next window needs, and fewer than the one after it. In the middle is a
 * world that is too large for a window, and has empty ones after it. */
static random_scene make_stretches(uint64_t offset[MANY + 1]) {
    carom_random random = carom_random_seeded(note_case_seed(0));
    random_scene scene = random_scene_blank(COUNT);
    for (uint64_t n = 0; n < COUNT; n++) {
        const double radius = n / EACH / STRETCH % 3 == 1 ? 0.8 : 0.1;
        for (int f = 0; f < 6; f++) {
            scene.field[f][n] = (float)carom_random_u01(&random);
        }
        scene.field[6][n] = (float)(radius * carom_random_u01(&random));
    }
    for (uint64_t w = 0; w <= MANY; w++) {
        const bool is_in_large = w > MANY / 2 && w < MANY / 2 + LARGE;
        offset[w] = is_in_large ? (MANY / 2 + LARGE) * EACH : w * EACH;
    }
    return scene;
}

/* More than a window, so that rows are placed more than once. */
static void test_windows(void **state) {
    static uint64_t offset[MANY + 1];
    (void)state;
    random_scene scene = make_stretches(offset);
    any_bodies all = any_bodies_make(PRECISION, &scene.bodies);
    const carom_bodies bodies = bodies_of(&all);
    const carom_worlds_config config = carom_worlds_config_default();
    note_case(0, "%d worlds", MANY);
    for (uint32_t c = 0; c < 3; c++) {
        check_worlds(isa_contexts[c], isa_contexts[(c + 1) % 3], &bodies, MANY, offset, &config);
    }
    any_bodies_release(&all);
    random_scene_release(&scene);
}

/* The limit that a call asks for, tried next. */
static void try_limits(const carom_bodies *bodies, uint64_t worlds, const uint64_t *offset, uint32_t threads) {
    enum { TRIES_MOST = 24 };
    carom_context_config config = carom_context_config_default();
    config.threads = threads;
    config.memory_limit = 500000;
    carom_status status = CAROM_ERROR_MEMORY;
    int tries = 0;
    for (; status == CAROM_ERROR_MEMORY && tries < TRIES_MOST; tries++) {
        carom_context *context = NULL;
        worlds_result found = {0};
        carom_error error;
        note_check(carom_context_create(&config, &context, &error) == CAROM_OK, "no context: %s", error.message);
        status = WORLDS(context, bodies, worlds, offset, NULL, &found, &error);
        note_check(status == CAROM_OK || found.required_bytes > config.memory_limit,
                   "%" PRIu64 " is no higher than %" PRIu64, found.required_bytes, config.memory_limit);
        config.memory_limit = found.required_bytes;
        carom_context_destroy(context);
    }
    note_check(status == CAROM_OK && tries > 2, "%u threads: %s after %d tries", threads, carom_status_name(status),
               tries);
}

/* Large worlds between small ones, and many pairs only in the second half: each limit could be for one world more. */
static void test_limits(void **state) {
    enum { WORLDS_TRIED = 430, SMALL = 33, LARGE_TRIED = 400 };
    uint64_t offset[WORLDS_TRIED + 1] = {0};
    (void)state;
    carom_random random = carom_random_seeded(note_case_seed(0));
    for (uint64_t w = 0; w < WORLDS_TRIED; w++) {
        offset[w + 1] = offset[w] + (w % 3 == 0 ? LARGE_TRIED : SMALL);
    }
    random_scene scene = random_scene_blank(offset[WORLDS_TRIED]);
    for (uint64_t w = 0; w < WORLDS_TRIED; w++) {
        for (uint64_t n = offset[w]; n < offset[w + 1]; n++) {
            for (int f = 0; f < 6; f++) {
                scene.field[f][n] = (float)(10.0 * carom_random_u01(&random));
            }
            scene.field[6][n] = w < WORLDS_TRIED / 2 ? 0.05F : 0.5F + 0.5F * (float)(w % 4 == 0);
        }
    }
    any_bodies all = any_bodies_make(PRECISION, &scene.bodies);
    const carom_bodies bodies = bodies_of(&all);
    note_case(0, "limits");
    try_limits(&bodies, WORLDS_TRIED, offset, 1);
    try_limits(&bodies, WORLDS_TRIED, offset, 2);
    any_bodies_release(&all);
    random_scene_release(&scene);
}

static carom_context *make_context(fault_allocator *allocator) {
    carom_context_config config = carom_context_config_default();
    config.threads = 2;
    config.bodies_per_thread = 1;
    config.allocator = fault_allocator_get(allocator);
    carom_context *context = NULL;
    (void)carom_context_create(&config, &context, NULL);
    return context;
}

/* One context's calls: some few bodies, then worlds of which one is large. */
typedef struct trial {
    carom_bodies few;
    carom_bodies bodies;
    uint64_t offset[5];
} trial;

static carom_status call_both(carom_context *context, const trial *t, worlds_result *found) {
    const carom_detect_config config = carom_detect_config_default();
    detection few = {.size = sizeof few};
    carom_error error;
    const carom_status status = DETECT(context, &t->few, &config, NULL, &few, &error);
    note_check(status == CAROM_OK || few.pair_count == 0, "rows of a call that fails");
    const carom_status worlds = WORLDS(context, &t->bodies, 4, t->offset, NULL, found, &error);
    note_check(worlds == CAROM_OK || (worlds == CAROM_ERROR_MEMORY && found->required_bytes > 0), "%s",
               carom_status_name(worlds));
    note_check(worlds == CAROM_OK || (found->pair_offset == NULL && found->contacts.i == NULL), "an array is left");
    return status == CAROM_OK ? worlds : status;
}

/* Each request for memory refused in turn. The direct path and a detection try again, so not each of them fails. */
static void test_memory(void **state) {
    (void)state;
    carom_random random = carom_random_seeded(note_case_seed(0));
    random_scene scene = random_scene_make(RANDOM_FAST, 2000, CAROM_REAL_BITS == 32, &random);
    any_bodies all = any_bodies_make(PRECISION, &scene.bodies);
    trial t = {.bodies = bodies_of(&all), .offset = {0, 100, 150, 1900, 2000}};
    t.few = bodies_from(&t.bodies, 0, 150);
    uint64_t n = 1;
    uint64_t failures = 0;
    for (bool reached = true; reached && n < REQUESTS_MOST; n++) {
        fault_allocator allocator;
        fault_allocator_init(&allocator);
        fault_allocator_fail(&allocator, n, false);
        carom_context *context = make_context(&allocator);
        worlds_result found = {0};
        if (context != NULL) {
            failures += call_both(context, &t, &found) != CAROM_OK;
            reached = allocator.requests >= n;
            fault_allocator_fail(&allocator, 0, false);
            note_check(call_both(context, &t, &found) == CAROM_OK && call_both(context, &t, &found) == CAROM_OK,
                       "a later call fails");
            const uint64_t requests = allocator.requests;
            note_check(call_both(context, &t, &found) == CAROM_OK && allocator.requests == requests,
                       "a warm call asks for memory");
            carom_context_destroy(context);
        }
        note_check(allocator.live_blocks == 0 && allocator.damages == 0, "leak or damage");
    }
    note_check(n > 10 && n < REQUESTS_MOST && failures > 5, "%" PRIu64 " requests, %" PRIu64 " failures", n, failures);
    any_bodies_release(&all);
    random_scene_release(&scene);
}

static void expect(carom_status status, carom_status wanted, const carom_error *error, const char *part) {
    note_check(status == wanted && strstr(error->message, part) != NULL, "%s: '%s' without '%s'",
               carom_status_name(status), error->message, part);
}

static void test_arguments(void **state) {
    (void)state;
    carom_real x[3] = {0, 1, 2};
    carom_bodies bodies = {.size = sizeof bodies, .count = 3, .prev = {x, x, x}, .common_radius = 1};
    uint64_t offset[] = {0, 1, 3};
    carom_context *context = isa_contexts[0];
    carom_worlds_config config = carom_worlds_config_default();
    worlds_result found = {0};
    carom_error error;
    const carom_status null = WORLDS(context, &bodies, 2, offset, &config, NULL, &error);
    expect(null, CAROM_ERROR_ARGUMENT, &error, "result is NULL");
    expect(WORLDS(NULL, &bodies, 2, offset, &config, &found, &error), CAROM_ERROR_ARGUMENT, &error, "context is NULL");
    expect(WORLDS(context, &bodies, 2, NULL, &config, &found, &error), CAROM_ERROR_ARGUMENT, &error, "offset is NULL");
    expect(WORLDS(context, &bodies, 1, offset, &config, &found, &error), CAROM_ERROR_ARGUMENT, &error,
           "offset[1] is 1");
    offset[0] = 1;
    expect(WORLDS(context, &bodies, 2, offset, &config, &found, &error), CAROM_ERROR_ARGUMENT, &error,
           "offset[0] is 1");
    offset[0] = 0;
    offset[1] = 5;
    expect(WORLDS(context, &bodies, 2, offset, &config, &found, &error), CAROM_ERROR_ARGUMENT, &error,
           "offset[2] is 3");
    offset[1] = 1;
    config.until = CAROM_UNTIL_BOUNDS;
    expect(WORLDS(context, &bodies, 2, offset, &config, &found, &error), CAROM_ERROR_ARGUMENT, &error, "config.until");
    config.until = CAROM_UNTIL_GROUPS;
    config.reserved = 1;
    expect(WORLDS(context, &bodies, 2, offset, &config, &found, &error), CAROM_ERROR_ARGUMENT, &error,
           "config.reserved");
    config.reserved = 0;
    x[2] = (carom_real)NAN;
    expect(WORLDS(context, &bodies, 2, offset, &config, &found, &error), CAROM_ERROR_BODY, &error, "body 2: prev_x");
    x[2] = 2;
    carom_cancel flag;
    carom_cancel_clear(&flag);
    carom_cancel_raise(&flag);
    config.cancel = &flag;
    expect(WORLDS(context, &bodies, 2, offset, &config, &found, &error), CAROM_ERROR_CANCELLED, &error, "cancelled");
    config.cancel = NULL;
    assert_int_equal(WORLDS(context, &bodies, 2, offset, &config, &found, &error), CAROM_OK);
    assert_true(found.pair_count == 1 && found.contacts.i[0] == 1 && found.contacts.k[0] == 2);
    assert_true(found.total.groups == 1 && found.label[0] == 0 && found.label[2] == 1);
}

static void test_nothing(void **state) {
    (void)state;
    const uint64_t offset[4] = {0, 0, 0, 0};
    const carom_bodies bodies = {.size = sizeof bodies};
    worlds_result found = {0};
    carom_error error;
    assert_int_equal(WORLDS(isa_contexts[0], &bodies, 0, NULL, NULL, &found, &error), CAROM_OK);
    assert_true(found.pair_count == 0 && found.world == NULL && found.pair_offset[0] == 0 && found.label == NULL);
    assert_int_equal(WORLDS(isa_contexts[0], &bodies, 3, offset, NULL, &found, &error), CAROM_OK);
    assert_true(found.pair_offset[3] == 0 && found.world[2].box_pairs == 0 && found.label == NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few_bodies), cmocka_unit_test(test_worlds),    cmocka_unit_test(test_windows),
        cmocka_unit_test(test_memory),     cmocka_unit_test(test_limits),    cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_nothing),
    };
    note_start("test_few");
    return cmocka_run_group_tests(tests, make_contexts, isa_contexts_destroy);
}
