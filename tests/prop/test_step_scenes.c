/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Steps of the standard scenes u, d, p and c against a plain event queue: the same positions, velocities and impacts,
 * bit for bit, for every number of threads. 5,000 bodies each, 100,000 with CAROM_TEST_LONG=1. Guards what only many
 * bodies have: cells, hulls, rows and trees that are large, giants with thousands of neighbours, groups that merge
 * across workers. The queue with cells is itself held against the one that looks at all pairs. */
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

#include "kernel/scene/scene.h"
#include "tests/support/cell_queue.h"
#include "tests/support/check.h"
#include "tests/support/event_queue.h"
#include "tests/support/note.h"
#include "tests/support/thread_contexts.h"

enum { BODIES = 5000, BODIES_SHORT = 400, BODIES_LONG = 100000, STEPS = 2, CONTEXTS = 4 };

static const char scenes[] = {'u', 'd', 'p', 'c'};
static const uint32_t threads[CONTEXTS] = {1, 2, 3, 8};
static carom_context *contexts[CONTEXTS];

/* The impacts of the queue's last step. */
typedef struct recorded {
    queue_event *event;
    uint64_t count;
    uint64_t room;
} recorded;

static recorded expected;

static void record(void *user, const queue_event *event) {
    recorded *to = user;
    if (to->count == to->room) {
        to->room = 2 * to->room + 1024;
        to->event = realloc(to->event, to->room * sizeof *to->event);
        assert_non_null(to->event);
    }
    to->event[to->count++] = *event;
}

/* Arrays of a motion in one block: position, velocity, radius. */
static carom_motion_f64 motion_make(uint64_t count) {
    carom_motion_f64 motion = {.size = sizeof motion, .count = count};
    double *values = calloc(7 * count, sizeof *values);
    assert_non_null(values);
    for (int a = 0; a < 3; a++) {
        motion.position[a] = values + (uint64_t)a * count;
        motion.velocity[a] = values + (uint64_t)(3 + a) * count;
    }
    motion.radius = values + 6 * count;
    return motion;
}

static void motion_copy(const carom_motion_f64 *to, const carom_motion_f64 *from) {
    memcpy(to->position[0], from->position[0], 7 * from->count * sizeof(double));
}

static carom_motion_f64 motion_of(char letter, uint64_t count) {
    carom_scene_f32 scene;
    assert_int_equal(carom_scene_make(letter, count, 1, &scene), CAROM_OK);
    carom_motion_f64 motion = motion_make(count);
    for (uint64_t n = 0; n < count; n++) {
        for (int a = 0; a < 3; a++) {
            motion.position[a][n] = (double)scene.prev[a][n];
            motion.velocity[a][n] = (double)scene.curr[a][n] - (double)scene.prev[a][n];
        }
        motion.position[0][6 * count + n] = (double)scene.radius[n];
    }
    carom_scene_release(&scene);
    return motion;
}

static void check_events(const carom_step_report *report) {
    for (uint64_t n = 0; n < report->event_count && n < expected.count; n++) {
        const carom_event *e = &report->event[n];
        const queue_event *q = &expected.event[n];
        note_check(e->t == q->t && e->i == q->i && e->k == q->k && e->surface == CAROM_EVENT_NO_SURFACE &&
                       memcmp(e->normal, q->impact.normal, sizeof e->normal) == 0 &&
                       memcmp(e->point, q->impact.point, sizeof e->point) == 0 && e->impulse == q->impact.impulse,
                   "impact %g is (%a, %g, %g), not (%a, %u, %u)", (double)n, e->t, (double)e->i, (double)e->k, q->t,
                   q->i, q->k);
    }
    note_check(report->impacts == expected.count && report->event_count == expected.count, "%g impacts, not %g",
               (double)report->impacts, (double)expected.count);
}

static void check_bodies(const carom_motion_f64 *is, const carom_motion_f64 *wanted) {
    for (int a = 0; a < 3; a++) {
        for (uint64_t n = 0; n < is->count; n++) {
            note_check(memcmp(&is->position[a][n], &wanted->position[a][n], sizeof(double)) == 0 &&
                           memcmp(&is->velocity[a][n], &wanted->velocity[a][n], sizeof(double)) == 0,
                       "body %g is at %a with %a, not at %a with %a, on axis %d", (double)n, is->position[a][n],
                       is->velocity[a][n], wanted->position[a][n], wanted->velocity[a][n], a);
        }
    }
}

/* One step of the library from `before` must end at `after`. `room` holds what it moves. */
static void check_step(carom_context *context, const carom_motion_f64 *before, const carom_motion_f64 *after,
                       const carom_motion_f64 *room) {
    carom_step_config config = carom_step_config_default();
    carom_step_report report = {.size = sizeof report};
    carom_error error = {.message = ""};
    config.events = true;
    motion_copy(room, before);
    const carom_status status = carom_step_f64(context, room, &config, &report, &error);
    note_check(status == CAROM_OK, "%s: %s", carom_status_name(status), error.message);
    check_events(&report);
    check_bodies(room, after);
}

static void check_scene(uint64_t number) {
    const uint64_t count = note_long() ? BODIES_LONG : note_short() ? BODIES_SHORT : BODIES;
    carom_motion_f64 before = motion_of(scenes[number], count);
    carom_motion_f64 after = motion_make(count);
    carom_motion_f64 room = motion_make(count);
    cell_queue *queue = cell_queue_create();
    cell_queue_listen(queue, record, &expected);
    for (uint32_t s = 0; s < STEPS; s++) {
        expected.count = 0;
        motion_copy(&after, &before);
        cell_queue_step(queue, &after);
        for (uint32_t c = 0; c < CONTEXTS; c++) {
            note_case(number, "step %u of %g bodies of scene %c on %u threads", s, (double)count, scenes[number],
                      threads[c]);
            check_step(contexts[c], &before, &after, &room);
        }
        note_check(expected.count > 0, "a step without impacts");
        motion_copy(&before, &after);
    }
    cell_queue_destroy(queue);
    free(before.position[0]);
    free(after.position[0]);
    free(room.position[0]);
}

static void test_scenes(void **state) {
    (void)state;
    for (uint64_t number = 0; number < sizeof scenes; number++) {
        if (note_only_case() == UINT64_MAX || note_only_case() == number) {
            check_scene(number);
        }
    }
}

/* The definition's impacts and bodies, of as many bodies as it holds. */
static void check_queue(uint64_t number) {
    static queue_world plain;
    recorded cells = {0};
    carom_motion_f64 motion = motion_of(scenes[number], QUEUE_BODIES_MAX);
    note_case(number, "two queues, scene %c", scenes[number]);
    memset(&plain, 0, sizeof plain);
    plain.rules.budget = carom_step_config_default().budget;
    plain.on_event = record;
    plain.user = &expected;
    expected.count = 0;
    for (uint64_t n = 0; n < motion.count; n++) {
        const double x[3] = {motion.position[0][n], motion.position[1][n], motion.position[2][n]};
        const double v[3] = {motion.velocity[0][n], motion.velocity[1][n], motion.velocity[2][n]};
        queue_add(&plain, x, v, motion.radius[n], 1.0, 1.0);
    }
    cell_queue *queue = cell_queue_create();
    cell_queue_listen(queue, record, &cells);
    for (uint32_t s = 0; s < STEPS; s++) {
        queue_step(&plain);
        cell_queue_step(queue, &motion);
    }
    note_check(cells.count == expected.count && cells.count > 0, "%g impacts, not %g", (double)cells.count,
               (double)expected.count);
    for (uint64_t n = 0; n < cells.count; n++) {
        const queue_event *is = &cells.event[n];
        const queue_event *wanted = &expected.event[n];
        note_check(is->t == wanted->t && is->i == wanted->i && is->k == wanted->k &&
                       memcmp(&is->impact, &wanted->impact, sizeof is->impact) == 0,
                   "impact %g is (%a, %u, %u), not (%a, %u, %u)", (double)n, is->t, is->i, is->k, wanted->t, wanted->i,
                   wanted->k);
    }
    for (uint64_t n = 0; n < motion.count; n++) {
        for (int a = 0; a < 3; a++) {
            note_check(motion.position[a][n] == plain.piece[n].x[a] && motion.velocity[a][n] == plain.piece[n].v[a],
                       "body %g differs", (double)n);
        }
    }
    cell_queue_destroy(queue);
    free(cells.event);
    free(motion.position[0]);
}

static void test_queues(void **state) {
    (void)state;
    for (uint64_t number = 0; number < sizeof scenes; number++) {
        check_queue(number);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_queues), cmocka_unit_test(test_scenes)};
    note_start("test_step_scenes");
    thread_contexts_open(contexts, threads, CONTEXTS, 1);
    const int failed = cmocka_run_group_tests_name("steps of scenes", tests, NULL, NULL);
    thread_contexts_close(contexts, CONTEXTS);
    free(expected.event);
    return failed;
}
