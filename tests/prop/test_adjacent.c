/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Crowded scenes, which are searched in adjacent cells without a sweep: in every way that a call can be asked for, with
 * filters and without, on every instruction set, with 1, 2 and 7 threads and in both precisions, against brute force;
 * in periodic boxes against a sweep. Guards that cells at the border have all their neighbours, that pairs which
 * lengths decide are those that touch, and that box pairs are counted though they are not decided. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "tests/support/any_view.h"
#include "tests/support/check.h"
#include "tests/support/check_detection.h"
#include "tests/support/isa_contexts.h"
#include "tests/support/note.h"
#include "tests/support/random_filter.h"
#include "tests/support/random_scene.h"

enum { CASES = 36, BODIES_LEAST = 1400, BODIES_MORE = 800, PERIODIC_CASES = 24 };

static const uint32_t THREADS[] = {1, 2, 7};
enum { THREAD_COUNTS = sizeof THREADS / sizeof THREADS[0] };

static uint64_t adjacent;
static uint64_t calls;

static int make_contexts(void **state) {
    (void)state;
    return isa_contexts_make(THREADS, THREAD_COUNTS);
}

static double between(carom_random *random, double lo, double hi) {
    return lo + (hi - lo) * carom_random_u01(random);
}

/* What bodies of a scene have in common. */
typedef struct crowd {
    double edge[3];
    double scale;  /* of all lengths */
    double offset; /* of all places */
    double spread; /* of radii: from 1 - spread to 1 */
    double move;   /* farthest way along an axis */
    double drift;  /* the way that all go */
} crowd;

static crowd draw_crowd(uint64_t count, carom_random *random) {
    static const double SCALES[] = {1.0, 1.0, 1e-20, 1e12};
    static const double SPREADS[] = {0.0, 0.2};
    static const double MOVES[] = {0.0, 0.0, 0.05, 0.3};
    static const double DRIFTS[] = {0.0, 0.0, 0.4};
    const double neighbours = between(random, 40.0, 80.0);
    const double volume = (double)count * 4.0 / 3.0 * 3.14159 * 8.0 / neighbours;
    const double flat = between(random, 0.4, 1.0);
    const double edge = cbrt(volume / flat);
    const int thin = (int)(carom_random_next(random) % 3);
    crowd c = {.edge = {edge, edge, edge},
               .scale = SCALES[carom_random_next(random) % 4],
               .spread = SPREADS[carom_random_next(random) % 2],
               .move = MOVES[carom_random_next(random) % 4],
               .drift = DRIFTS[carom_random_next(random) % 3]};
    c.edge[thin] = flat * edge;
    c.offset = carom_random_next(random) % 3 == 0 ? 1e3 : 0.0;
    return c;
}

static random_scene make_scene(const crowd *c, uint64_t count, carom_random *random) {
    random_scene scene = random_scene_blank(count);
    for (uint64_t n = 0; n < count; n++) {
        for (int a = 0; a < 3; a++) {
            const double at = c->offset + between(random, 0.0, c->edge[a]);
            const double to = at + c->drift + between(random, -c->move, c->move);
            scene.field[a][n] = (double)(float)(c->scale * at);
            scene.field[a + 3][n] = c->move + c->drift > 0.0 ? (double)(float)(c->scale * to) : scene.field[a][n];
        }
        scene.field[6][n] = (double)(float)(c->scale * between(random, 1.0 - c->spread, 1.0));
    }
    return scene;
}

static void note_method(const char *reason) {
    adjacent += strstr(reason, "adjacent") != NULL;
    calls++;
}

/* Which way a call of this context goes. */
static void ask_method(carom_context *context, any_precision precision, const random_scene *scene) {
    const carom_detect_config config = any_config_full();
    any_result r = any_detect(context, precision, &scene->bodies, &config);
    note_method(r.summary.reason);
    any_result_release(&r);
}

static void run_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const uint64_t count = BODIES_LEAST + carom_random_next(&random) % BODIES_MORE;
    const crowd c = draw_crowd(count, &random);
    random_scene scene = make_scene(&c, count, &random);
    const int parts = number % 3 == 0 ? random_filter_parts(number / 3, &random) : 0;
    random_filter f = random_filter_make(parts, count, &random);
    truth known = truth_of(&scene.bodies);
    truth left = truth_filtered(&known, &f.filter);
    for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
        carom_context *context = isa_contexts[(number + p) % isa_context_count];
        note_case(number, "%" PRIu64 " bodies, parts %d, %s, %s, %u threads", count, parts, any_precision_name(p),
                  carom_context_isa(context), carom_context_threads(context));
        note_check(known.boxes.count > 15 * count, "the scene is not crowded");
        ask_method(context, p, &scene);
        check_detection(context, p, number % 3 == 0 ? &left : &known);
    }
    truth_release(&left);
    truth_release(&known);
    random_filter_release(&f);
    random_scene_release(&scene);
}

static void test_small_scenes(void **state) {
    (void)state;
    note_each_case(CASES, run_case);
    note_check(note_only_case() != UINT64_MAX || adjacent > calls / 2,
               "only %" PRIu64 " of %" PRIu64 " calls were searched in adjacent cells", adjacent, calls);
}

/* A box around all places, along some of the axes. */
static carom_periodic make_box(const crowd *c, uint64_t along) {
    carom_periodic box = carom_periodic_default();
    for (int a = 0; a < 3; a++) {
        box.along[a] = (along >> a & 1) != 0;
        box.edge[a][a] = c->scale * (c->edge[a] + 0.1);
    }
    return box;
}

static any_view detect_periodic(carom_context *context, const any_bodies *bodies, const carom_periodic *box,
                                carom_method method, bool sort_pairs) {
    carom_detect_config config = any_config_full();
    config.method = method;
    config.periodic = box;
    config.sort_pairs = sort_pairs;
    return any_view_detect(context, bodies, &config);
}

/* Images make some of the bodies of border cells, and their pairs are counted once. */
static void run_periodic(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(1000 + number));
    const uint64_t count = 3000 + carom_random_next(&random) % 3000;
    crowd c = draw_crowd(count, &random);
    c.offset = 0.0;
    random_scene scene = make_scene(&c, count, &random);
    const carom_periodic box = make_box(&c, 1 + number % 7);
    const any_precision p = number % 2 == 0 ? ANY_F32 : ANY_F64;
    any_bodies bodies = any_bodies_make(p, &scene.bodies);
    carom_context *context[2] = {isa_contexts[number % isa_context_count],
                                 isa_contexts[(number + 4) % isa_context_count]};
    note_case(number, "%" PRIu64 " bodies, box %" PRIu64 ", %s, %s and %s", count, 1 + number % 7,
              any_precision_name(p), carom_context_isa(context[0]), carom_context_isa(context[1]));
    carom_context *swept = any_context(1, NULL);
    const any_view wanted = detect_periodic(swept, &bodies, &box, CAROM_METHOD_SWEEP, true);
    const any_view found = detect_periodic(context[0], &bodies, &box, CAROM_METHOD_AUTO, true);
    note_check(wanted.summary.box_pairs > 10 * count, "the scene is not crowded");
    note_check(any_view_same(&wanted, &found), "not what a sweep finds");
    note_method(found.summary.reason);
    const any_view first = detect_periodic(context[0], &bodies, &box, CAROM_METHOD_AUTO, false);
    const any_view other = detect_periodic(context[1], &bodies, &box, CAROM_METHOD_AUTO, false);
    note_check(context[0] == context[1] || any_view_same(&first, &other), "other results on another machine");
    carom_context_destroy(swept);
    any_bodies_release(&bodies);
    random_scene_release(&scene);
}

static void test_periodic(void **state) {
    (void)state;
    adjacent = 0;
    calls = 0;
    note_each_case(PERIODIC_CASES, run_periodic);
    note_check(note_only_case() != UINT64_MAX || adjacent > calls / 2,
               "only %" PRIu64 " of %" PRIu64 " calls were searched in adjacent cells", adjacent, calls);
}

/* Some of the bodies of a packed scene are all in one spot, near the corner that is searched last. */
static random_scene make_spot(uint64_t count, uint64_t in_spot, carom_random *random) {
    const crowd c = {.edge = {42.0, 42.0, 42.0}, .scale = 1.0};
    random_scene scene = make_scene(&c, count, random);
    for (uint64_t n = 0; n < in_spot; n++) {
        for (int a = 0; a < 3; a++) {
            scene.field[a][n * (count / in_spot)] = (double)(float)between(random, 40.0, 40.5);
            scene.field[a + 3][n * (count / in_spot)] = scene.field[a][n * (count / in_spot)];
        }
    }
    return scene;
}

/* Pairs of boxes, stored, in doubles. */
static void check_stored(const random_scene *scene) {
    any_bodies bodies = any_bodies_make(ANY_F64, &scene->bodies);
    carom_context *context[2] = {any_context(2, NULL), any_context(3, NULL)};
    carom_detect_config config = carom_detect_config_default();
    config.until = CAROM_UNTIL_PAIRS;
    config.hash = true;
    const any_view found = any_view_detect(context[0], &bodies, &config);
    config.method = CAROM_METHOD_SWEEP;
    const any_view wanted = any_view_detect(context[1], &bodies, &config);
    note_check(any_summary_same(&wanted.summary, &found.summary), "other pairs of boxes than a sweep finds");
    carom_context_destroy(context[0]);
    carom_context_destroy(context[1]);
    any_bodies_release(&bodies);
}

/* More candidates in a cell than there is room for in any case; and more than a cell may have, so that the scene is
 * planned again. */
static void run_spot(uint64_t number) {
    static const uint64_t IN_SPOT[] = {0, 2500, 8500};
    carom_random random = carom_random_seeded(note_case_seed(2000 + number));
    random_scene scene = make_spot(120000, IN_SPOT[number] > 0 ? IN_SPOT[number] : 1, &random);
    any_bodies bodies = any_bodies_make(ANY_F32, &scene.bodies);
    carom_detect_config config = carom_detect_config_default();
    config.count_only = true;
    config.hash = true;
    note_case(number, "%" PRIu64 " of 120000 bodies in one spot", IN_SPOT[number]);
    if (IN_SPOT[number] < 8000) {
        check_stored(&scene);
    }
    carom_context *swept = any_context(2, NULL);
    config.method = CAROM_METHOD_SWEEP;
    const any_view wanted = any_view_detect(swept, &bodies, &config);
    config.method = CAROM_METHOD_AUTO;
    for (uint32_t threads = 1; threads <= 7; threads += 6) {
        carom_context *context = any_context(threads, NULL);
        const any_view found = any_view_detect(context, &bodies, &config);
        const bool unswept = strstr(found.summary.reason, "adjacent") != NULL;
        note_check(unswept == (IN_SPOT[number] < 8192), "%s", found.summary.reason);
        note_check(any_summary_same(&wanted.summary, &found.summary), "not what a sweep finds");
        carom_context_destroy(context);
    }
    carom_context_destroy(swept);
    any_bodies_release(&bodies);
    random_scene_release(&scene);
}

static void test_spots(void **state) {
    (void)state;
    note_each_case(3, run_spot);
}

int main(void) {
    note_start("tests/prop/test_adjacent");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_small_scenes), cmocka_unit_test(test_periodic),
                                       cmocka_unit_test(test_spots)};
    return cmocka_run_group_tests(tests, make_contexts, isa_contexts_destroy);
}
