/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/fault/memory_trial.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "kernel/store/context.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

const char *memory_scene_name(memory_scene kind) {
    static const char *const names[MEMORY_SCENES] = {"dense", "giants", "crowd", "swept", "packed"};
    return names[kind];
}

/* Cells hold 16,384 entries, and one body in 32 lies elsewhere. A worker alone sweeps up to 4,096. */
enum { CROWD = 17000, ELSEWHERE = 32, SWEPT = 4200, PACKED = 3000 };

/* Bodies at rest, so far from one another that few touch; all but a few crowd in a corner of a space a thousand times
 * as wide. */
static random_scene crowd_make(void) {
    carom_random random = carom_random_seeded(note_case_seed(CROWD));
    random_scene scene = random_scene_blank(CROWD);
    for (uint64_t n = 0; n < CROWD; n++) {
        for (int a = 0; a < 3; a++) {
            scene.field[a][n] = (double)(float)((n % ELSEWHERE == 0 ? 1e5 : 70) * carom_random_u01(&random));
            scene.field[a + 3][n] = scene.field[a][n];
        }
        scene.field[6][n] = 0.5;
    }
    return scene;
}

/* Bodies at rest that touch some thirty others each. */
static random_scene packed_make(void) {
    carom_random random = carom_random_seeded(note_case_seed(PACKED));
    random_scene scene = random_scene_blank(PACKED);
    for (uint64_t n = 0; n < PACKED; n++) {
        for (int a = 0; a < 3; a++) {
            scene.field[a][n] = (double)(float)(12.0 * carom_random_u01(&random));
            scene.field[a + 3][n] = scene.field[a][n];
        }
        scene.field[6][n] = 1.0;
    }
    return scene;
}

/* Dense, but one in a hundred holds dozens of others. */
static random_scene giants_make(uint64_t count) {
    carom_random random = carom_random_seeded(note_case_seed(count));
    random_scene scene = random_scene_make(RANDOM_UNIFORM_DENSE, count, true, &random);
    for (uint64_t n = 17; n < count; n += 100) {
        scene.field[6][n] = (double)(float)(3 + 2 * carom_random_u01(&random));
    }
    return scene;
}

static random_scene dense_make(uint64_t count) {
    carom_random random = carom_random_seeded(note_case_seed(count));
    return random_scene_make(RANDOM_UNIFORM_DENSE, count, true, &random);
}

random_scene memory_scene_make(memory_scene kind, uint64_t count) {
    switch (kind) {
    case MEMORY_GIANTS:
        return giants_make(count);
    case MEMORY_CROWD:
        return crowd_make();
    case MEMORY_SWEPT:
        return dense_make(SWEPT);
    case MEMORY_PACKED:
        return packed_make();
    default:
        return dense_make(count);
    }
}

/* A tilted box outside which some bodies of the dense scenes are, and one that holds no crowd. */
static const carom_periodic small_box = {
    .size = sizeof small_box, .along = {true, true, true}, .edge = {{17, 0, 0}, {5, 17, 0}, {-4, 3, 17}}};
static const carom_periodic large_box = {
    .size = sizeof large_box, .along = {true, true, true}, .edge = {{9e4, 0, 0}, {5, 9e4, 0}, {-4, 3, 9e4}}};

/* Rows that came to the sink in the last call. */
static _Atomic uint64_t rows_delivered;

static bool count_f32(void *user, const carom_block_f32 *block) {
    (void)user;
    rows_delivered += block->count;
    return true;
}

static bool count_f64(void *user, const carom_block_f64 *block) {
    (void)user;
    rows_delivered += block->count;
    return true;
}

static bool accept_most(void *user, uint32_t i, uint32_t k) {
    (void)user;
    return (i + k) % 8 != 0;
}

/* Every third of up to this many bodies is fixed, every fifth has part bits, and each excludes the one before. */
static uint8_t fixed[CROWD];
static uint8_t part[CROWD];
static uint32_t excluded[CROWD];
static uint64_t exclusion_offset[CROWD + 1];
static carom_filter filter;

static const carom_filter *some_filter(void) {
    filter = carom_filter_default();
    filter.accepts = accept_most;
    filter.fixed = fixed;
    filter.part = part;
    filter.excluded = excluded;
    filter.exclusion_offset = exclusion_offset;
    for (uint32_t n = 0; n < CROWD; n++) {
        fixed[n] = n % 3 == 0;
        part[n] = (uint8_t)(n % 5 == 0 ? 1 + n % 7 : 0);
        excluded[n] = n > 0 ? n - 1 : 0;
        exclusion_offset[n + 1] = n + 1;
    }
    return &filter;
}

/* What an option asks for; unset: until groups, rows stored as they come. */
typedef struct choice {
    carom_method method;
    bool pairs_alone;
    bool no_groups;
    bool sort_pairs;
    bool all_pairs;
    bool group_members;
    bool count_only;
    bool no_hash;
    bool bounds_alone;
    bool periodic;
    bool filter;
    bool to_sink;
    bool list_order;
    carom_neighbour_list neighbours;
} choice;

/* The ways to ask for rows that need different memory. */
static const choice WAYS[] = {
    {.no_hash = true},
    {.sort_pairs = true, .group_members = true},
    {.sort_pairs = true, .all_pairs = true, .group_members = true},
    {.pairs_alone = true, .sort_pairs = true},
    {.bounds_alone = true},
    {.no_groups = true},
    {.count_only = true, .group_members = true},
    {.pairs_alone = true},
    {.sort_pairs = true, .group_members = true, .periodic = true},
    {.periodic = true},
    {.pairs_alone = true, .sort_pairs = true, .periodic = true},
    {.count_only = true, .periodic = true},
    {.neighbours = CAROM_NEIGHBOURS_FULL, .filter = true, .list_order = true},
    {.pairs_alone = true, .neighbours = CAROM_NEIGHBOURS_HALF},
    {.group_members = true, .filter = true, .to_sink = true},
    {.group_members = true, .periodic = true, .to_sink = true},
    {.periodic = true, .filter = true, .to_sink = true, .list_order = true},
    {.pairs_alone = true, .periodic = true, .to_sink = true},
    {.method = CAROM_METHOD_SWEEP},
    {.method = CAROM_METHOD_CELLS},
    {.method = CAROM_METHOD_SHARED},
};

/* The ways to search that do, where boxes differ. */
static const choice METHODS[] = {
    {.sort_pairs = true, .group_members = true},
    {.method = CAROM_METHOD_LEVELS},
    {.method = CAROM_METHOD_LEVELS, .filter = true, .to_sink = true},
    {.method = CAROM_METHOD_LEVELS, .periodic = true},
    {.method = CAROM_METHOD_SHARED},
    {.method = CAROM_METHOD_SHARED, .pairs_alone = true, .to_sink = true},
    {.method = CAROM_METHOD_SHARED, .periodic = true, .to_sink = true},
    {.method = CAROM_METHOD_SWEEP, .sort_pairs = true},
    {.method = CAROM_METHOD_CELLS, .periodic = true},
};

/* A crowd is searched on its own whatever is asked for, but these take the memory for it at other times; and so do the
 * next for one large cell. */
static const choice CROWDED[] = {
    {.method = CAROM_METHOD_CELLS, .sort_pairs = true, .group_members = true},
    {.method = CAROM_METHOD_CELLS, .pairs_alone = true, .to_sink = true},
    {.method = CAROM_METHOD_CELLS, .periodic = true},
};

static const choice SWEEPS[] = {
    {.method = CAROM_METHOD_SWEEP, .group_members = true},
    {.method = CAROM_METHOD_SWEEP, .pairs_alone = true, .to_sink = true},
    {.method = CAROM_METHOD_SWEEP, .periodic = true, .filter = true},
};

static const choice UNSWEPT[] = {
    {.sort_pairs = true, .group_members = true},
    {.method = CAROM_METHOD_CELLS, .sort_pairs = true, .no_hash = true},
    {.pairs_alone = true, .to_sink = true},
    {.sort_pairs = true, .filter = true, .neighbours = CAROM_NEIGHBOURS_HALF},
    {.count_only = true},
};

typedef struct choices {
    const choice *choice;
    int count;
} choices;

#define CHOICES(array)                                                                                                 \
    { array, (int)(sizeof(array) / sizeof(array)[0]) }

static const choices OPTIONS[MEMORY_SCENES] = {CHOICES(WAYS), CHOICES(METHODS), CHOICES(CROWDED), CHOICES(SWEEPS),
                                               CHOICES(UNSWEPT)};

int memory_options(memory_scene kind) {
    return OPTIONS[kind].count;
}

static carom_until until_of(const choice *c) {
    return c->bounds_alone  ? CAROM_UNTIL_BOUNDS
           : c->pairs_alone ? CAROM_UNTIL_PAIRS
           : c->no_groups   ? CAROM_UNTIL_APPROACH
                            : CAROM_UNTIL_GROUPS;
}

static carom_detect_config config_of(memory_scene kind, const choice *c) {
    carom_detect_config config = carom_detect_config_default();
    config.method = c->method;
    config.until = until_of(c);
    config.sort_pairs = c->sort_pairs;
    config.all_pairs = c->all_pairs;
    config.group_members = c->group_members;
    config.count_only = c->count_only;
    config.hash = !c->no_hash;
    config.neighbours = c->neighbours;
    config.list_order = c->list_order;
    config.periodic = !c->periodic ? NULL : kind == MEMORY_CROWD ? &large_box : &small_box;
    config.filter = c->filter ? some_filter() : NULL;
    return config;
}

/* Buffers of a context that some trial has used, those of parts as if all were of one depth. */
static bool seen[CAROM_WORK_COUNT + CAROM_PART_COUNT];

static void note_buffers(const carom_context *context) {
    for (uint32_t n = 0; n < CAROM_WORK_ALL; n++) {
        uint32_t kind = n < CAROM_WORK_COUNT ? n : CAROM_WORK_COUNT + (n - CAROM_WORK_COUNT) % CAROM_PART_COUNT;
        seen[kind] = seen[kind] || carom_context_work(context, n) != NULL;
    }
}

/* Those of bodies with shapes, which test_shape_memory has, of lists, which test_lists has, of few
 * bodies and of many worlds, which test_few has. */
static bool is_of_others(uint32_t work) {
    return work == CAROM_WORK_PAIR_BLOCKS || work == CAROM_WORK_SHAPE_BOXES ||
           (work >= CAROM_WORK_DIRECT && work <= CAROM_WORK_WORLDS_LABEL) ||
           (work >= CAROM_WORK_LIST_IMAGE_RANGES && work <= CAROM_WORK_LIST_SHIFT);
}

void memory_trials_check_buffers(void) {
    for (uint32_t n = 0; n < CAROM_WORK_COUNT + CAROM_PART_COUNT; n++) {
        note_check(seen[n] || is_of_others(n), "buffer %u is never used", n);
    }
}

static bool has_parts(const carom_context *context) {
    return carom_context_work(context, carom_context_part_work(1, CAROM_PART_SLOT)) != NULL;
}

/* A scene that is not searched as it should be would test nothing. */
static void check_way(const memory_trial *t, const choice *c) {
    static const char *const names[] = {"auto", "sweep", "cells", "levels", "shared"};
    const char *method = t->wanted.summary.method;
    note_check(c->method == CAROM_METHOD_AUTO || strcmp(method, names[c->method]) == 0, "not %s: %s", names[c->method],
               t->wanted.summary.reason);
    note_check(t->in_parts || (t->scene != MEMORY_CROWD && c->method != CAROM_METHOD_LEVELS), "no part: %s",
               t->wanted.summary.reason);
    note_check(t->scene != MEMORY_PACKED || strstr(t->wanted.summary.reason, "adjacent") != NULL, "swept: %s",
               t->wanted.summary.reason);
    note_check(t->config.until == CAROM_UNTIL_BOUNDS || t->wanted.summary.required_pairs > 100, "too few pairs");
}

/* Some bodies against all, where the call can be queried: that has buffers of its own. */
static void query_some(carom_context *context, const any_bodies *bodies) {
    carom_query_answer_f32 narrow = {0};
    carom_query_answer_f64 wide = {0};
    carom_bodies_f32 f32 = bodies->f32;
    carom_bodies_f64 f64 = bodies->f64;
    f32.count = f64.count = 16;
    const carom_status status = bodies->precision == ANY_F32 ? carom_query_f32(context, &f32, NULL, &narrow, NULL)
                                                             : carom_query_f64(context, &f64, NULL, &wide, NULL);
    note_check(status == CAROM_OK, "a query failed");
}

/* So has a distance. */
static void measure_one(carom_context *context, const any_bodies *bodies) {
    const uint32_t i = 0;
    const uint32_t k = 1;
    carom_gap_f32 narrow;
    carom_gap_f64 wide;
    const carom_status status =
        bodies->precision == ANY_F32
            ? carom_distance_pairs_f32(context, &bodies->f32, &i, &k, 1, NULL, &narrow, NULL, NULL)
            : carom_distance_pairs_f64(context, &bodies->f64, &i, &k, 1, NULL, &wide, NULL, NULL);
    note_check(status == CAROM_OK, "a distance failed");
}

memory_trial memory_trial_make(memory_scene kind, const random_scene *scene, int option, any_precision precision,
                               uint32_t threads) {
    const choice *c = &OPTIONS[kind].choice[option];
    memory_trial t = {.scene = kind, .threads = threads, .to_sink = c->to_sink};
    const any_output sink = {.sink_f32 = count_f32, .sink_f64 = count_f64};
    carom_context *context = any_context(threads, NULL);
    t.bodies = any_bodies_make(precision, &scene->bodies);
    t.config = config_of(kind, c);
    t.wanted = any_detect_bodies(context, &t.bodies, &t.config, t.to_sink ? &sink : NULL);
    t.in_parts = has_parts(context);
    t.arrays = guarded_make(precision, t.to_sink ? 0 : t.wanted.summary.required_pairs, scene->bodies.count);
    note_check(t.wanted.status == CAROM_OK, "%s", t.wanted.error.message);
    check_way(&t, c);
    if (t.config.until != CAROM_UNTIL_BOUNDS) {
        query_some(context, &t.bodies);
    }
    measure_one(context, &t.bodies);
    note_buffers(context);
    carom_context_destroy(context);
    return t;
}

void memory_trial_release(memory_trial *t) {
    guarded_release(&t->arrays);
    any_result_release(&t->wanted);
    any_bodies_release(&t->bodies);
}

/* Of a call with a sink: its rows, and its labels. */
static void check_delivered(const memory_trial *t, const any_result *r) {
    if (r->status == CAROM_OK) {
        note_check(rows_delivered == r->summary.required_pairs, "%" PRIu64 " rows came, not %" PRIu64, rows_delivered,
                   r->summary.required_pairs);
    } else {
        note_check(rows_delivered == 0 || t->in_parts, "rows came, but memory had not");
    }
}

any_result memory_trial_detect(memory_trial *t, carom_context *context) {
    const any_output sink = {.label = t->arrays.arrays.label, .sink_f32 = count_f32, .sink_f64 = count_f64};
    rows_delivered = 0;
    any_result r = any_detect_bodies(context, &t->bodies, &t->config, t->to_sink ? &sink : &t->arrays.arrays);
    if (t->to_sink) {
        check_delivered(t, &r);
    }
    if (r.status == CAROM_OK) {
        guarded_check_filled(&t->arrays, &r);
        guarded_refill(&t->arrays);
    } else {
        guarded_check_untouched(&t->arrays);
    }
    return r;
}
