/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Calls that are cancelled within any parallel stage, and the calls after them. Guards that nothing a stage left
 * incomplete is kept for the next call: an order of bodies, a tree, a world's slots. The host's executor raises the
 * flag before the stage, or once its first worker is through; its allocator fills memory with bytes that are no slot.
 * Steps of arrays and worlds, queries, lists and many worlds; tests/prop/test_cancel.c has detections. */
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

#include "kernel/scene/scene.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

enum { BODIES = 700, PROBES = 90, WORLDS = 12, THREADS = 3, WITHIN = 2, STAGES_MOST = 20000 };

/* What an executor does to the call that it serves. */
typedef struct host {
    carom_cancel flag;
    uint64_t stages;
    uint64_t stop_at; /* the stage in which the flag is raised, from 1; 0: none */
    uint32_t within;  /* tasks of the stage that run before */
} host;

static void run_tasks(void *user, uint32_t count, carom_executor_task *task, void *data) {
    host *h = user;
    h->stages++;
    for (uint32_t n = 0; n < count; n++) {
        if (h->stages == h->stop_at && n == h->within) {
            carom_cancel_raise(&h->flag);
        }
        task(data, n);
    }
}

static void *allocate(void *user, size_t bytes, size_t alignment) {
    (void)user;
    void *block = aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    return block != NULL ? memset(block, 0xFF, bytes) : NULL;
}

static void release(void *user, void *block, size_t bytes) {
    (void)user;
    (void)bytes;
    free(block);
}

/* What a call works on: the host's bodies as they were before, and room for what it moves. */
typedef struct subject {
    carom_context *context;
    carom_world_f64 *world;
    const carom_cancel *cancel;
    double x[3][BODIES];
    double v[3][BODIES];
} subject;

static host at_hand;
static carom_scene_f32 scene;
static double start[3][BODIES];
static double speed[3][BODIES];
static double end[3][BODIES];
static double radius[BODIES];

static uint64_t mix(uint64_t hash, const void *data, uint64_t bytes) {
    for (uint64_t n = 0; n < bytes; n++) {
        hash = (hash ^ ((const unsigned char *)data)[n]) * UINT64_C(0x100000001B3);
    }
    return hash;
}

/* The first step of a world makes an order and moves bodies. */
static carom_status step_world(subject *s, uint64_t *hash) {
    carom_step_report report = {0};
    carom_world_totals totals = {0};
    const carom_status status = carom_world_step_f64(s->world, &report, NULL, NULL);
    assert_int_equal(carom_world_total_f64(s->world, &totals, NULL), CAROM_OK);
    *hash = mix(totals.hash, &report.impacts, sizeof report.impacts);
    return status;
}

static carom_status step_arrays(subject *s, uint64_t *hash) {
    carom_step_config config = carom_step_config_default();
    carom_step_report report = {0};
    carom_motion_f64 motion = {.count = BODIES, .radius = radius};
    for (int a = 0; a < 3; a++) {
        motion.position[a] = memcpy(s->x[a], start[a], sizeof start[a]);
        motion.velocity[a] = memcpy(s->v[a], speed[a], sizeof speed[a]);
    }
    config.cancel = s->cancel;
    config.events = true;
    const carom_status status = carom_step_f64(s->context, &motion, &config, &report, NULL);
    *hash = mix(report.impacts, s->x, sizeof s->x);
    *hash = mix(*hash, s->v, sizeof s->v);
    note_check(status == CAROM_OK || (memcmp(s->x, start, sizeof start) == 0 && memcmp(s->v, speed, sizeof speed) == 0),
               "a cancelled step has moved bodies");
    return status;
}

static carom_bodies_f64 swept(uint64_t count) {
    return (carom_bodies_f64){
        .count = count, .prev = {start[0], start[1], start[2]}, .curr = {end[0], end[1], end[2]}, .radius = radius};
}

static carom_status ask(carom_context *context, const carom_cancel *cancel, uint64_t *hash) {
    const carom_bodies_f64 probes = swept(PROBES);
    carom_query_config config = carom_query_config_default();
    carom_query_answer_f64 answer = {0};
    config.cancel = cancel;
    const carom_status status = carom_query_f64(context, &probes, &config, &answer, NULL);
    *hash = mix(answer.box_pairs, answer.contacts.i, answer.pair_count * sizeof *answer.contacts.i);
    *hash = mix(*hash, answer.contacts.k, answer.pair_count * sizeof *answer.contacts.k);
    return status;
}

/* A detection that is not cancelled, and a query that may be: then another one follows without a detection, and its
 * result is that of the call. */
static carom_status query(subject *s, uint64_t *hash) {
    const carom_bodies_f64 bodies = swept(BODIES);
    carom_detection_f64 found = {0};
    const uint64_t stop_at = at_hand.stop_at;
    at_hand.stop_at = 0;
    assert_int_equal(carom_detect_f64(s->context, &bodies, NULL, NULL, &found, NULL), CAROM_OK);
    at_hand.stop_at = stop_at;
    at_hand.stages = 0;
    const carom_status status = ask(s->context, s->cancel, hash);
    if (status == CAROM_ERROR_CANCELLED) {
        at_hand.stop_at = 0;
        carom_cancel_clear(&at_hand.flag);
        assert_int_equal(ask(s->context, NULL, hash), CAROM_OK);
    }
    return status;
}

static carom_status list_with(const subject *s, const carom_filter *filter, uint64_t *hash) {
    const carom_bodies_f64 bodies = {.count = BODIES, .prev = {start[0], start[1], start[2]}, .radius = radius};
    carom_list_config config = carom_list_config_default();
    carom_lists lists = {0};
    config.cancel = s->cancel;
    config.filter = filter;
    config.cutoff = 5.0 * radius[0];
    const carom_status status = carom_lists_f64(s->context, &bodies, &config, &lists, NULL);
    note_check(status != CAROM_OK || lists.by_cells, "a detection made the lists");
    *hash = status != CAROM_OK ? 0 : mix(lists.count, lists.body, lists.count * sizeof *lists.body);
    *hash = status != CAROM_OK ? 0 : mix(*hash, lists.offset, (BODIES + 1) * sizeof *lists.offset);
    return status;
}

static carom_status list(subject *s, uint64_t *hash) {
    return list_with(s, NULL, hash);
}

/* Each third body is fixed, and each excludes the one before. */
static carom_status list_filtered(subject *s, uint64_t *hash) {
    static uint8_t fixed[BODIES];
    static uint32_t excluded[BODIES];
    static uint64_t offset[BODIES + 1];
    carom_filter filter = carom_filter_default();
    filter.fixed = fixed;
    filter.exclusion_offset = offset;
    filter.excluded = excluded;
    for (uint32_t n = 0; n < BODIES; n++) {
        fixed[n] = n % 3 == 0;
        excluded[n] = n > 0 ? n - 1 : 0;
        offset[n + 1] = n + 1;
    }
    return list_with(s, &filter, hash);
}

static carom_status detect_worlds(subject *s, uint64_t *hash) {
    const carom_bodies_f64 bodies = swept(BODIES);
    carom_worlds_config config = carom_worlds_config_default();
    carom_worlds_result_f64 result = {0};
    uint64_t offset[WORLDS + 1];
    for (uint64_t w = 0; w <= WORLDS; w++) {
        offset[w] = w * w * BODIES / (WORLDS * WORLDS);
    }
    config.cancel = s->cancel;
    config.hash = true;
    const carom_status status = carom_worlds_f64(s->context, &bodies, WORLDS, offset, &config, &result, NULL);
    *hash = mix(result.total.result_hash, result.label, status == CAROM_OK ? BODIES * sizeof *result.label : 0);
    return status;
}

typedef struct kind {
    const char *name;
    carom_status (*run)(subject *s, uint64_t *hash);
    bool in_world;
    uint32_t before; /* steps of the world */
    bool follows;    /* a cancelled call is followed by another one, whose result it gives */
} kind;

static const kind kinds[] = {{"steps of arrays", step_arrays, false, 0, false},
                             {"first steps of a world", step_world, true, 0, false},
                             {"later steps of a world", step_world, true, 3, false},
                             {"queries", query, false, 0, true},
                             {"lists", list, false, 0, false},
                             {"lists with a filter", list_filtered, false, 0, false},
                             {"many worlds", detect_worlds, false, 0, false}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static carom_context *make_context(void) {
    carom_context *context = NULL;
    carom_context_config config = carom_context_config_default();
    config.threads = THREADS;
    config.bodies_per_thread = 1;
    config.allocator = (carom_allocator){NULL, allocate, release};
    config.executor = (carom_executor){.user = &at_hand, .parallel_for = run_tasks};
    assert_int_equal(carom_context_create(&config, &context, NULL), CAROM_OK);
    return context;
}

static carom_world_f64 *make_world(carom_context *context, uint32_t steps) {
    carom_world_f64 *world = NULL;
    carom_step_config config = carom_step_config_default();
    const carom_world_bodies_f64 bodies = {.count = BODIES,
                                           .position = {start[0], start[1], start[2]},
                                           .velocity = {speed[0], speed[1], speed[2]},
                                           .radius = radius};
    config.cancel = &at_hand.flag;
    assert_int_equal(carom_world_create_f64(context, &config, &world, NULL), CAROM_OK);
    assert_int_equal(carom_world_add_f64(world, &bodies, NULL, NULL), CAROM_OK);
    for (uint32_t step = 0; step < steps; step++) {
        assert_int_equal(carom_world_step_f64(world, NULL, NULL, NULL), CAROM_OK);
    }
    return world;
}

/* Cancels a call in a stage, if it has so many, and makes it again. Returns whether it was through. */
static bool cancel_in(const kind *k, uint64_t stage, uint32_t within, uint64_t expected) {
    subject s = {.context = make_context(), .cancel = &at_hand.flag};
    uint64_t hash = 0;
    uint64_t before = 0;
    carom_world_totals totals = {0};
    s.world = k->in_world ? make_world(s.context, k->before) : NULL;
    if (k->in_world) {
        assert_int_equal(carom_world_total_f64(s.world, &totals, NULL), CAROM_OK);
        before = totals.hash;
    }
    at_hand.stages = 0;
    at_hand.stop_at = stage;
    at_hand.within = within;
    const carom_status status = k->run(&s, &hash);
    carom_cancel_clear(&at_hand.flag);
    at_hand.stop_at = 0;
    note_case((uint64_t)(k - kinds), "%s, stage %g, after %u tasks", k->name, (double)stage, within);
    note_check(status == CAROM_OK || status == CAROM_ERROR_CANCELLED, "status %s", carom_status_name(status));
    note_check((status != CAROM_OK && !k->follows) || hash == expected, "another result");
    if (status == CAROM_ERROR_CANCELLED) {
        if (k->in_world) {
            assert_int_equal(carom_world_total_f64(s.world, &totals, NULL), CAROM_OK);
            note_check(totals.hash == before, "a cancelled step has changed the world");
        }
        note_check(k->run(&s, &hash) == CAROM_OK && hash == expected, "another result afterwards");
    }
    carom_world_destroy_f64(s.world);
    carom_context_destroy(s.context);
    return status == CAROM_OK;
}

static void check_kind(uint64_t number) {
    const kind *k = &kinds[number];
    uint64_t expected = 0;
    at_hand = (host){.stop_at = 0};
    subject s = {.context = make_context(), .cancel = &at_hand.flag};
    s.world = k->in_world ? make_world(s.context, k->before) : NULL;
    note_case(number, "%s", k->name);
    note_check(k->run(&s, &expected) == CAROM_OK, "the call fails");
    carom_world_destroy_f64(s.world);
    carom_context_destroy(s.context);
    for (uint32_t within = 0; within < WITHIN; within++) {
        uint64_t stage = 1;
        while (!cancel_in(k, stage, within, expected)) {
            stage += note_short() ? 7 : 1;
            note_check(stage < STAGES_MOST, "there is no end of stages");
        }
        note_check(stage > 1, "a call without stages");
    }
}

static void test_stages(void **state) {
    (void)state;
    for (uint64_t number = 0; number < KINDS; number++) {
        if (note_only_case() == UINT64_MAX || note_only_case() == number) {
            check_kind(number);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stages)};
    note_start("test_cancel_stages");
    assert_int_equal(carom_scene_make('d', BODIES, 1, &scene), CAROM_OK);
    for (uint64_t n = 0; n < BODIES; n++) {
        radius[n] = (double)scene.radius[n];
        for (int a = 0; a < 3; a++) {
            start[a][n] = (double)scene.prev[a][n];
            end[a][n] = (double)scene.curr[a][n];
            speed[a][n] = end[a][n] - start[a][n];
        }
    }
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    carom_scene_release(&scene);
    return failed;
}
