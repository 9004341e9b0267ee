/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Every entry point on threads whose stacks have the size that carom/context.h names: the caller's, those of an
 * executor, and OpenMP's, which get that size from the environment. Guards that nothing overflows, and that calls use
 * no more of a stack than the header says: the difference is for the C library. Scenes lead to deep frames: decisions
 * in integers, cells within cells, periodic images, rebuilt lists, errors that are described. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/scene/random.h"
#include "tests/support/any_detect.h"
#include "tests/support/check.h"
#include "tests/support/note.h"
#include "tests/support/random_scene.h"
#include "tests/support/small_stack.h"

/* What the header says of the library's own functions. */
enum { STACK_USED_MOST = 27 << 10 };

enum { ISAS_MOST = 8, WORKERS = 2, BODIES = 4000, NESTED = 80000, EXACT = 4000, EXACT_WITHIN = 128, STEPS = 4 };

/* Who runs the tasks of a call. */
typedef enum crew_kind { CREW_CALLER, CREW_EXECUTOR, CREW_OPENMP, CREWS } crew_kind;

/* What a call asks for. */
typedef enum ask {
    ASK_ALL,    /* order, member and neighbour lists, hashes, every kind of filter */
    ASK_BOXES,  /* contacts of all overlapping boxes */
    ASK_BOUNDS, /* boxes alone */
    ASK_SINK,
    ASK_SWEEP,
    ASK_LEVELS,
    ASK_SHARED,
    ASK_PERIODIC,
    ASK_PERIODIC_SINK,
    ASK_STEPS,
    ASK_NO_MEMORY,
    ASK_NO_ROOM,
    ASK_BAD_BODY,
    ASK_BAD_LIST,
    ASKS
} ask;

/* Scenes by what they lead to. */
typedef enum scene_kind { SCENE_DENSE, SCENE_RADII, SCENE_NESTED, SCENE_EXACT, SCENES } scene_kind;

/* Arrays of a filter, and what calls return: none of it belongs on the stacks that are measured. */
static uint32_t ones[NESTED];
static uint8_t none[NESTED];
static uint64_t offset[NESTED + 1];
static uint32_t excluded[NESTED];
static random_scene scenes[SCENES][ANY_PRECISIONS];
static any_bodies bodies_of[SCENES][ANY_PRECISIONS];
static carom_detection_f32 found_f32;
static carom_detection_f64 found_f64;
static carom_coherent_report report;
static carom_error error;
static carom_periodic box;

typedef struct trial {
    const char *isa;
    crew_kind crew;
    any_precision precision;
    ask ask;
    any_bodies *bodies;
    carom_context_config context;
    carom_detect_config config;
    carom_filter filter;
    carom_status wanted;
    carom_status got;
} trial;

static bool accept_all(void *user, uint32_t i, uint32_t k) {
    (void)user;
    return i < k;
}

static bool take_f32(void *user, const carom_block_f32 *block) {
    (void)user;
    return block->count > 0;
}

static bool take_f64(void *user, const carom_block_f64 *block) {
    (void)user;
    return block->count > 0;
}

/* Pairs that pass one another at a distance of R, but for the least numbers there are. One pair is far from the next.
 */
static void fill_exact(random_scene *scene, uint64_t count, double unit, any_precision precision,
                       carom_random *random) {
    const int least = precision == ANY_F32 ? -120 : -1000;
    for (uint64_t n = 0; n < count; n++) {
        const bool first = n % 2 == 0;
        const double tiny = ldexp(1.0, least + (int)(carom_random_next(random) % 20));
        scene->field[0][n] = first ? 2.0 * unit : carom_random_next(random) % 2 == 0 ? tiny : -tiny;
        scene->field[3][n] = scene->field[0][n];
        scene->field[1][n] = first ? -unit : 0.0;
        scene->field[4][n] = first ? unit : tiny;
        scene->field[2][n] = 64.0 * unit * (double)(n / 2);
        scene->field[5][n] = scene->field[2][n];
        scene->field[6][n] = unit;
    }
}

/* Bodies ever denser towards one place, cells within cells within cells, and there such pairs. */
static void fill_nested(random_scene *scene, any_precision precision, carom_random *random) {
    for (uint64_t n = 0; n < scene->bodies.count; n++) {
        const double size = exp2(-0.25 * (double)(carom_random_next(random) % 120));
        for (int a = 0; a < 3; a++) {
            scene->field[a][n] = (carom_random_u01(random) - 0.5) * size;
            scene->field[a + 3][n] = scene->field[a][n] + (carom_random_u01(random) - 0.5) * size * 0.02;
        }
        scene->field[6][n] = size * 0.01;
    }
    fill_exact(scene, EXACT_WITHIN, 0x1p-36, precision, random);
}

static random_scene make_scene(scene_kind kind, any_precision precision) {
    carom_random random = carom_random_seeded(note_case_seed(kind));
    if (kind == SCENE_DENSE || kind == SCENE_RADII) {
        return random_scene_make(kind == SCENE_DENSE ? RANDOM_UNIFORM_DENSE : RANDOM_RADII, BODIES,
                                 precision == ANY_F32, &random);
    }
    random_scene scene = random_scene_blank(kind == SCENE_NESTED ? NESTED : EXACT);
    if (kind == SCENE_NESTED) {
        fill_nested(&scene, precision, &random);
    } else {
        fill_exact(&scene, EXACT, 1.0, precision, &random);
    }
    return scene;
}

/* A tilted box that holds the dense scene. */
static void make_box(void) {
    const random_scene *scene = &scenes[SCENE_DENSE][ANY_F64];
    box = carom_periodic_default();
    for (int a = 0; a < 3; a++) {
        double most = 0.0;
        for (uint64_t n = 0; n < scene->bodies.count; n++) {
            most = fmax(most, fabs(scene->field[a][n]));
        }
        box.along[a] = true;
        box.edge[a][a] = 1.1 * most;
        box.edge[a][(a + 1) % 3] = 0.1 * most;
    }
}

static int make_scenes(void **state) {
    (void)state;
    for (int kind = 0; kind < SCENES; kind++) {
        for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
            scenes[kind][p] = make_scene((scene_kind)kind, p);
            bodies_of[kind][p] = any_bodies_make(p, &scenes[kind][p].bodies);
        }
    }
    make_box();
    for (uint32_t n = 0; n < NESTED; n++) {
        ones[n] = 1;
        excluded[n] = n;
        offset[n + 1] = n + 1;
    }
    return 0;
}

static int release_scenes(void **state) {
    (void)state;
    for (int kind = 0; kind < SCENES; kind++) {
        for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
            any_bodies_release(&bodies_of[kind][p]);
            random_scene_release(&scenes[kind][p]);
        }
    }
    return 0;
}

static void ask_for_all(trial *t) {
    t->filter = carom_filter_default();
    t->filter.category = ones;
    t->filter.part = none;
    t->filter.excluded = excluded;
    t->filter.exclusion_offset = offset;
    t->filter.accepts = accept_all;
    t->config = any_config_full();
    t->config.neighbours = CAROM_NEIGHBOURS_FULL;
    t->config.filter = &t->filter;
}

static void choose_config(trial *t) {
    t->config = carom_detect_config_default();
    t->config.hash = true;
    switch (t->ask) {
    case ASK_BOXES:
        t->config.all_pairs = true;
        break;
    case ASK_BOUNDS:
        t->config.until = CAROM_UNTIL_BOUNDS;
        break;
    case ASK_SWEEP:
    case ASK_LEVELS:
    case ASK_SHARED:
        t->config.method = t->ask == ASK_SWEEP    ? CAROM_METHOD_SWEEP
                           : t->ask == ASK_LEVELS ? CAROM_METHOD_LEVELS
                                                  : CAROM_METHOD_SHARED;
        break;
    case ASK_NO_MEMORY:
        t->context.memory_limit = UINT64_C(100) << 10;
        t->wanted = CAROM_ERROR_MEMORY;
        break;
    case ASK_SINK:
    case ASK_PERIODIC_SINK:
    case ASK_NO_ROOM:
        t->wanted = t->ask == ASK_NO_ROOM ? CAROM_ERROR_CAPACITY : CAROM_OK;
        break;
    default:
        ask_for_all(t);
        break;
    }
    t->config.periodic = t->ask == ASK_PERIODIC || t->ask == ASK_PERIODIC_SINK ? &box : NULL;
    t->wanted = t->ask == ASK_BAD_BODY || t->ask == ASK_BAD_LIST ? CAROM_ERROR_BODY : t->wanted;
}

/* The smallest call has no pairs to return, and one that has needs a list. */
static carom_status call(carom_context *context, const trial *t) {
    static uint32_t room[1];
    const bool sink = t->ask == ASK_SINK || t->ask == ASK_PERIODIC_SINK;
    any_output output = {.sink_f32 = sink ? take_f32 : NULL, .sink_f64 = sink ? take_f64 : NULL};
    output.rows.i = t->ask == ASK_NO_ROOM ? room : NULL;
    output.pair_capacity = t->ask == ASK_NO_ROOM ? 1 : 0;
    if (t->precision == ANY_F32) {
        const carom_detect_output_f32 to = any_output_f32(&output);
        return carom_detect_f32(context, &t->bodies->f32, &t->config, &to, &found_f32, &error);
    }
    const carom_detect_output_f64 to = any_output_f64(&output);
    return carom_detect_f64(context, &t->bodies->f64, &t->config, &to, &found_f64, &error);
}

/* Steps with lists, whether these pay or not: a rebuild needs more of a stack than a cold step. */
static const carom_coherent_config LISTS = {.size = sizeof LISTS, .steps_ahead = 4};

/* The list is followed, extended when a body leaves its fat box, and rebuilt when a list before has ended. */
static carom_status steps_f32(carom_context *context, const trial *t) {
    carom_coherent_f32 *coherent = NULL;
    carom_status status = carom_coherent_create_f32(context, &LISTS, &coherent, &error);
    for (int n = 0; n < STEPS && status == CAROM_OK; n++) {
        any_bodies_set(t->bodies, 3, 0, (double)t->bodies->f64.count * 0.01 * n);
        status = carom_coherent_detect_f32(coherent, &t->bodies->f32, &t->config, NULL, &found_f32, &report, &error);
    }
    carom_coherent_destroy_f32(coherent);
    return status;
}

static carom_status steps_f64(carom_context *context, const trial *t) {
    carom_coherent_f64 *coherent = NULL;
    carom_status status = carom_coherent_create_f64(context, &LISTS, &coherent, &error);
    for (int n = 0; n < STEPS && status == CAROM_OK; n++) {
        any_bodies_set(t->bodies, 3, 0, (double)t->bodies->f64.count * 0.01 * n);
        status = carom_coherent_detect_f64(coherent, &t->bodies->f64, &t->config, NULL, &found_f64, &report, &error);
    }
    carom_coherent_destroy_f64(coherent);
    return status;
}

/* The functions that only look at things. */
static void ask_sizes(const carom_context *context, const trial *t) {
    carom_coherent_config config = carom_coherent_config_default();
    (void)carom_detect_memory_f32(context, BODIES, BODIES, &t->config);
    (void)carom_detect_memory_f64(context, BODIES, BODIES, &t->config);
    (void)carom_coherent_memory_f32(context, BODIES, BODIES, BODIES, &t->config, &config);
    (void)carom_coherent_memory_f64(context, BODIES, BODIES, BODIES, &t->config, &config);
    (void)carom_context_memory(context);
    (void)carom_context_isa(context);
}

/* All that a host does with a context, on the thread that is measured. */
static void run_trial(void *data) {
    trial *t = data;
    carom_context *context = NULL;
    t->got = carom_context_create(&t->context, &context, &error);
    if (t->got == CAROM_OK) {
        ask_sizes(context, t);
        t->got = t->ask != ASK_STEPS       ? call(context, t)
                 : t->precision == ANY_F32 ? steps_f32(context, t)
                                           : steps_f64(context, t);
        if (t->ask == ASK_ALL && t->got == CAROM_OK) {
            t->got = carom_context_check(context, &error);
        }
    }
    carom_context_destroy(context);
}

/* The largest frames seen. */
static size_t caller_used;
static small_stack_crew crew;

/* Spoils what the call shall refuse, or mends it. */
static void spoil(const trial *t, bool bad) {
    if (t->ask == ASK_BAD_BODY) {
        any_bodies_set(t->bodies, 6, 7, bad ? -1.0 : 1.0);
    }
    excluded[5] = t->ask == ASK_BAD_LIST && bad ? UINT32_MAX : 5;
}

static void check_trial(trial *t, scene_kind kind) {
    t->bodies = &bodies_of[kind][t->precision];
    t->context = carom_context_config_default();
    t->context.isa = t->isa;
    t->context.bodies_per_thread = 1;
    t->context.threads = t->crew == CREW_CALLER ? 1 : WORKERS;
    if (t->crew == CREW_EXECUTOR) {
        t->context.executor = (carom_executor){.user = &crew, .parallel_for = small_stack_parallel_for};
    }
    t->wanted = CAROM_OK;
    choose_config(t);
    note_case((uint64_t)t->ask, "%s, %s, scene %d, ask %d, crew %d", t->isa, any_precision_name(t->precision), kind,
              t->ask, t->crew);
    spoil(t, true);
    const size_t used = small_stack_run(crew.bytes, run_trial, t);
    spoil(t, false);
    note_check(t->got == t->wanted, "status %d, not %d: %s", t->got, t->wanted, error.message);
    /* Starting threads is not the library's. */
    caller_used = t->crew == CREW_CALLER && used > caller_used ? used : caller_used;
}

/* The dense scene is for all calls, the others for those that they lead deeper. */
static bool suits(scene_kind kind, ask what) {
    const bool plain = what == ASK_ALL || what == ASK_SINK;
    return kind == SCENE_DENSE || plain || (kind == SCENE_RADII && (what == ASK_LEVELS || what == ASK_SHARED)) ||
           (kind != SCENE_NESTED && what == ASK_STEPS) || (kind == SCENE_EXACT && what == ASK_BOXES);
}

static void test_every_call(void **state) {
    (void)state;
    const char *isas[ISAS_MOST];
    const size_t isa_count = carom_isa_available(isas, ISAS_MOST);
    crew.bytes = small_stack_size(CAROM_STACK_BYTES);
    for (int kind = 0; kind < SCENES; kind++) {
        for (int what = 0; what < ASKS; what++) {
            for (uint64_t n = 0; n < isa_count * ANY_PRECISIONS * CREWS && suits((scene_kind)kind, (ask)what); n++) {
                trial t = {.isa = isas[n % isa_count],
                           .precision = (any_precision)(n / isa_count % ANY_PRECISIONS),
                           .crew = (crew_kind)(n / isa_count / ANY_PRECISIONS),
                           .ask = (ask)what};
                check_trial(&t, (scene_kind)kind);
            }
        }
    }
    printf("# bytes of stack used by calls %zu, by workers %zu\n", caller_used, crew.used);
    note_check(caller_used <= STACK_USED_MOST, "a call used %zu bytes of stack", caller_used);
    note_check(crew.used <= STACK_USED_MOST, "a worker used %zu bytes of stack", crew.used);
}

int main(void) {
    note_start("tests/fault/test_stack");
    if (!small_stack_counts()) {
        printf("skipped: builds with sanitizers, counters, assertions or without optimisation need more stack\n");
        return 77;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_call)};
    return cmocka_run_group_tests_name("stack", tests, make_scenes, release_scenes);
}
