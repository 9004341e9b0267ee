/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/support/queue_trial.h"

#include <math.h>
#include <string.h>

#include <carom/carom.h>

#include "tests/support/check.h"
#include "tests/support/note.h"
#include "tests/support/queue_mirror.h"

enum { EVENTS_MOST = 1 << 18, WINDOWS_MOST = 32 };

const uint32_t queue_trial_threads[QUEUE_TRIAL_CONTEXTS] = {1, 2, 3, 8};
carom_context *queue_trial_context[QUEUE_TRIAL_CONTEXTS];
queue_world queue_trial_before;
queue_world queue_trial_after;
queue_event queue_trial_event[EVENTS_MOST];

static queue_mirror mirror;
static carom_memory memory;
static carom_impacts_step step;

static void keep_event(void *user, const queue_event *event) {
    (void)user;
    assert_true(queue_trial_after.impacts <= EVENTS_MOST);
    queue_trial_event[queue_trial_after.impacts - 1] = *event;
}

void queue_trial_begin(uint32_t budget) {
    memset(&queue_trial_before, 0, sizeof queue_trial_before);
    queue_trial_before.rules.budget = budget;
}

/* Bodies in a caller's arrays. */
typedef struct arrays {
    double x[3][QUEUE_BODIES_MAX];
    double v[3][QUEUE_BODIES_MAX];
    double radius[QUEUE_BODIES_MAX];
    double mass[QUEUE_BODIES_MAX];
    double restitution[QUEUE_BODIES_MAX];
} arrays;

static arrays bodies;

static carom_motion_f64 motion_of(const queue_world *world) {
    carom_motion_f64 motion = {
        .count = world->bodies, .radius = bodies.radius, .mass = bodies.mass, .restitution = bodies.restitution};
    for (int a = 0; a < 3; a++) {
        motion.position[a] = bodies.x[a];
        motion.velocity[a] = bodies.v[a];
    }
    for (uint32_t n = 0; n < world->bodies; n++) {
        for (int a = 0; a < 3; a++) {
            bodies.x[a][n] = world->piece[n].x[a];
            bodies.v[a][n] = world->piece[n].v[a];
        }
        bodies.radius[n] = world->body[n].radius;
        bodies.mass[n] = 1.0 / world->body[n].inverse_mass;
        bodies.restitution[n] = world->body[n].restitution;
    }
    return motion;
}

static void check_events(const carom_step_report *report) {
    for (uint64_t n = 0; n < queue_trial_after.impacts && n < report->event_count; n++) {
        const carom_event *e = &report->event[n];
        const queue_event *q = &queue_trial_event[n];
        const bool surface = q->k >= QUEUE_SURFACE;
        note_check(e->t == q->t && e->i == q->i && e->k == (surface ? UINT64_MAX : q->k) &&
                       e->surface == (surface ? q->k - QUEUE_SURFACE : CAROM_EVENT_NO_SURFACE) &&
                       memcmp(e->normal, q->impact.normal, sizeof e->normal) == 0 && e->impulse == q->impact.impulse,
                   "impact %g is (%a, %g, %g), not (%a, %u, %u)", (double)n, e->t, (double)e->i, (double)e->k, q->t,
                   q->i, q->k);
    }
    note_check(report->impacts == queue_trial_after.impacts && report->event_count == queue_trial_after.impacts,
               "%g impacts, not %g", (double)report->impacts, (double)queue_trial_after.impacts);
}

/* The step from `before` with carom_step_f64. Returns its report, without events. */
static carom_step_report check_call(carom_context *context) {
    const carom_motion_f64 motion = motion_of(&queue_trial_before);
    carom_step_config config = carom_step_config_default();
    carom_step_report report = {0};
    carom_error error = {.message = ""};
    config.budget = queue_trial_before.rules.budget;
    config.contact_time = queue_trial_before.rules.contact_time;
    config.surface = queue_trial_before.surface;
    config.surface_count = queue_trial_before.surfaces;
    config.events = true;
    const carom_status status = carom_step_f64(context, &motion, &config, &report, &error);
    note_check(status == CAROM_OK, "%s: %s", carom_status_name(status), error.message);
    check_events(&report);
    for (uint32_t n = 0; n < queue_trial_after.bodies; n++) {
        for (int a = 0; a < 3; a++) {
            note_check(isfinite(bodies.x[a][n]) && isfinite(bodies.v[a][n]), "body %u is nowhere", n);
            note_check(bodies.x[a][n] == queue_trial_after.piece[n].x[a] &&
                           bodies.v[a][n] == queue_trial_after.piece[n].v[a],
                       "body %u is at %a with %a, not at %a with %a", n, bodies.x[a][n], bodies.v[a][n],
                       queue_trial_after.piece[n].x[a], queue_trial_after.piece[n].v[a]);
        }
    }
    report.event = NULL;
    return report;
}

/* What a step took does not depend on threads either. */
static void check_same(const carom_step_report *report, const carom_step_report *first) {
    note_check(report->held == first->held, "%g bodies are held, not %g", (double)report->held, (double)first->held);
    note_check(report->windows == first->windows && report->rounds == first->rounds &&
                   report->largest_group == first->largest_group,
               "%u windows, %u rounds and groups of %g, not %u, %u and %g", report->windows, report->rounds,
               (double)report->largest_group, first->windows, first->rounds, (double)first->largest_group);
}

/* The same step cut into so many windows. */
static void check_windows(carom_context *context, uint32_t windows, carom_random *random) {
    carom_error error = {.message = ""};
    queue_mirror_make(&mirror, &queue_trial_before, random);
    step.windows = windows;
    step.row_long = windows % 3 == 1 ? 0 : 3; /* windows are 1, 2, 4, ... */
    step.tight = carom_random_next(random) % 2 == 0;
    const carom_status status = carom_impacts_step_run(&step, &memory, context, &mirror.bodies, &error);
    note_check(status == CAROM_OK, "%s: %s", carom_status_name(status), error.message);
    queue_mirror_check_events(&step, queue_trial_event, queue_trial_after.impacts);
    queue_mirror_check_bodies(&mirror, &queue_trial_after);
}

/* Steps `before` in every way, compares with the queue, and leaves the next step's beginning in it. Returns how many
 * bodies were held. */
uint64_t queue_trial_step(uint64_t number, const char *name) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    carom_step_report first = {0};
    queue_trial_after = queue_trial_before;
    queue_trial_after.impacts = 0;
    queue_trial_after.on_event = keep_event;
    queue_step(&queue_trial_after);
    for (uint32_t c = 0; c < QUEUE_TRIAL_CONTEXTS; c++) {
        note_case(number, "%s on %u threads", name, queue_trial_threads[c]);
        const carom_step_report report = check_call(queue_trial_context[c]);
        first = c == 0 ? report : first;
        check_same(&report, &first);
    }
    for (uint32_t windows = 1; windows <= WINDOWS_MOST; windows *= 2) {
        const uint32_t choice = windows % QUEUE_TRIAL_CONTEXTS;
        note_case(number, "%s in %u windows on %u threads", name, windows, queue_trial_threads[choice]);
        check_windows(queue_trial_context[choice], windows, &random);
    }
    queue_trial_before = queue_trial_after;
    return first.held;
}

void queue_trial_open(void) {
    carom_context_config config = carom_context_config_default();
    config.bodies_per_thread = 1;
    carom_memory_init(&memory, NULL, 0);
    for (uint32_t n = 0; n < QUEUE_TRIAL_CONTEXTS; n++) {
        config.threads = queue_trial_threads[n];
        assert_int_equal(carom_context_create(&config, &queue_trial_context[n], NULL), CAROM_OK);
    }
}

void queue_trial_close(void) {
    carom_impacts_step_release(&step, &memory);
    for (uint32_t n = 0; n < QUEUE_TRIAL_CONTEXTS; n++) {
        carom_context_destroy(queue_trial_context[n]);
    }
}
