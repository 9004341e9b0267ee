/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* carom_step on random bodies in arrays of every layout, against a sequential event queue: the same positions,
 * velocities and events with the same bits, for steps of any length. Guards the way in and out: strides, defaults,
 * acceleration, units, rounding to float, held bodies. Compiled once for each precision. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

#include "kernel/scene/random.h"
#include "simd/precision.h"
#include "tests/support/check.h"
#include "tests/support/event_queue.h"
#include "tests/support/note.h"

#define STEP CAROM_REAL(carom_step)
typedef CAROM_REAL(carom_motion) motion;

enum { WORLDS = 400, STEPS = 4, FIELDS = 9, EVENTS_MOST = 1 << 16, CONTEXTS = 2 };

/* Values of a body: three positions, three velocities, radius, mass, restitution; in any order in memory. */
typedef struct arrays {
    carom_real value[QUEUE_BODIES_MAX * FIELDS * 2];
    carom_real *field[FIELDS];
    uint64_t stride[FIELDS]; /* in values */
    uint32_t count;
} arrays;

static arrays bodies;
static arrays before;
static queue_world queue;
static queue_event expected[EVENTS_MOST];
static bool turned[QUEUE_BODIES_MAX]; /* an impact changed the motion */
static carom_context *contexts[CONTEXTS];
static uint64_t impacts;

static double uniform(carom_random *random, double lo, double hi) {
    return lo + (hi - lo) * carom_random_u01(random);
}

static uint32_t below(carom_random *random, uint32_t count) {
    return (uint32_t)(carom_random_next(random) % count);
}

static carom_real *at(const arrays *a, int field, uint32_t n) {
    return a->field[field] + n * a->stride[field];
}

/* Packed arrays, or one body after the other, or something with gaps. */
static void lay_out(carom_random *random, uint32_t count) {
    memset(&bodies, 0, sizeof bodies);
    bodies.count = count;
    const uint32_t layout = below(random, 3);
    for (int f = 0; f < FIELDS; f++) {
        bodies.stride[f] = layout == 0 ? 1 : layout == 1 ? FIELDS : 2;
        bodies.field[f] = bodies.value + (layout == 0   ? (uint32_t)f * count
                                          : layout == 1 ? (uint32_t)f
                                                        : (uint32_t)f * 2 * count);
    }
}

static void make_body(carom_random *random, uint32_t n, double size, bool lattice) {
    static const double masses[] = {1.0, 1.0, 1.0, 2.0, 0.125, 1e6, INFINITY};
    for (int a = 0; a < 3; a++) {
        *at(&bodies, a, n) = (carom_real)(lattice ? (double)below(random, (uint32_t)size) : uniform(random, 0.0, size));
        *at(&bodies, 3 + a, n) = (carom_real)(lattice ? (double)below(random, 5) - 2.0 : uniform(random, -2.0, 2.0));
    }
    *at(&bodies, 6, n) = (carom_real)(lattice ? 0.5 : uniform(random, 0.0, 0.8));
    *at(&bodies, 7, n) = (carom_real)masses[below(random, 7)];
    *at(&bodies, 8, n) = (carom_real)uniform(random, 0.0, 1.0);
}

static carom_surface surfaces[2];

static carom_step_config make_config(carom_random *random) {
    static const double lengths[] = {1.0, 1.0, 0.5, 0.1, 3.7, 1e-3};
    static const uint32_t budgets[] = {200, 50, 3, 1};
    carom_step_config config = carom_step_config_default();
    config.dt = lengths[below(random, 6)];
    config.acceleration[below(random, 3)] = below(random, 2) == 0 ? uniform(random, -1.0, 1.0) : 0.0;
    config.restitution = uniform(random, 0.0, 1.0);
    config.budget = budgets[below(random, 4)];
    config.rest_speed = below(random, 4) == 0 ? 0.2 : 0.0;
    config.contact_time = below(random, 4) == 0 ? 0.05 : 0.0;
    config.events = true;
    surfaces[0] = (carom_surface){.kind = CAROM_SURFACE_PLANE, .restitution = 0.9, .axis = {{0.0, 0.0, 3.0}}};
    surfaces[1] =
        (carom_surface){.kind = CAROM_SURFACE_BOX, .restitution = 0.5, .at = {1, 1, 1}, .extent = {1, 0.5, 1}};
    config.surface = surfaces;
    config.surface_count = below(random, 3);
    return config;
}

static motion motion_of(arrays *a, bool radii, bool masses, bool restitutions) {
    motion m = {.count = a->count, .radius = radii ? a->field[6] : NULL, .common_radius = radii ? 0 : (carom_real)0.25};
    for (int d = 0; d < 3; d++) {
        m.position[d] = a->field[d];
        m.velocity[d] = a->field[3 + d];
    }
    m.mass = masses ? a->field[7] : NULL;
    m.restitution = restitutions ? a->field[8] : NULL;
    m.position_stride = a->stride[0] * sizeof(carom_real);
    m.velocity_stride = a->stride[3] == 1 ? 0 : a->stride[3] * sizeof(carom_real);
    m.radius_stride = a->stride[6] * sizeof(carom_real);
    m.mass_stride = a->stride[7] * sizeof(carom_real);
    m.restitution_stride = a->stride[8] * sizeof(carom_real);
    return m;
}

static void keep_event(void *user, const queue_event *event) {
    (void)user;
    assert_true(queue.impacts <= EVENTS_MOST);
    expected[queue.impacts - 1] = *event;
    turned[event->i] = turned[event->i] || queue.body[event->i].inverse_mass > 0.0;
    if (event->k < QUEUE_SURFACE) {
        turned[event->k] = turned[event->k] || queue.body[event->k].inverse_mass > 0.0;
    }
}

static double accelerated(const motion *m, const carom_step_config *config, uint32_t n, int a) {
    const double v = (double)*at(&bodies, 3 + a, n);
    return m->mass != NULL && isinf(*at(&bodies, 7, n)) ? v : v + config->acceleration[a] * config->dt;
}

/* The step as a queue has it, from the bodies as they are. */
static void run_queue(const motion *m, const carom_step_config *config) {
    memset(&queue, 0, sizeof queue);
    memset(turned, 0, sizeof turned);
    queue.on_event = keep_event;
    queue.rules.budget = config->budget;
    queue.rules.rest_speed = config->rest_speed * config->dt;
    queue.rules.contact_time = config->contact_time / config->dt;
    for (uint64_t s = 0; s < config->surface_count; s++) {
        assert_true(carom_surface_unit(&surfaces[s], &queue.surface[queue.surfaces++]));
    }
    for (uint32_t n = 0; n < bodies.count; n++) {
        double x[3];
        double v[3];
        for (int a = 0; a < 3; a++) {
            x[a] = (double)*at(&bodies, a, n);
            v[a] = accelerated(m, config, n, a) * config->dt;
        }
        queue_add(&queue, x, v, m->radius != NULL ? (double)*at(&bodies, 6, n) : (double)m->common_radius,
                  m->mass != NULL ? (double)*at(&bodies, 7, n) : 1.0,
                  m->restitution != NULL ? (double)*at(&bodies, 8, n) : config->restitution);
    }
    queue_step(&queue);
}

/* The values that the step must leave, in `bodies`. */
static void expect_bodies(const motion *m, const carom_step_config *config) {
    run_queue(m, config);
    for (uint32_t n = 0; n < bodies.count; n++) {
        for (int a = 0; a < 3; a++) {
            const double v = turned[n] ? queue.piece[n].v[a] / config->dt : accelerated(m, config, n, a);
            *at(&bodies, a, n) = (carom_real)queue.piece[n].x[a];
            *at(&bodies, 3 + a, n) = (carom_real)v;
        }
    }
}

static void check_event(const carom_event *event, const queue_event *wanted, double dt) {
    const bool surface = wanted->k >= QUEUE_SURFACE;
    const double impulse = wanted->impact.impulse / dt;
    note_check(event->t == wanted->t && event->i == wanted->i && event->k == (surface ? UINT64_MAX : wanted->k) &&
                   event->surface == (surface ? wanted->k - QUEUE_SURFACE : CAROM_EVENT_NO_SURFACE) &&
                   event->shift[0] == 0 && memcmp(event->point, wanted->impact.point, sizeof event->point) == 0 &&
                   memcmp(event->normal, wanted->impact.normal, sizeof event->normal) == 0 && event->impulse == impulse,
               "an event is (%a, %g, %g), not (%a, %u, %u)", event->t, (double)event->i, (double)event->k, wanted->t,
               wanted->i, wanted->k);
}

/* What the sink has had. */
typedef struct delivered {
    carom_event event[EVENTS_MOST];
    uint64_t count;
    uint64_t wanted;
} delivered;

static delivered sunk;

static bool take_events(void *user, const carom_event *events, uint64_t count) {
    delivered *to = user;
    assert_true(count > 0 && to->count + count <= EVENTS_MOST && to->count < to->wanted);
    memcpy(to->event + to->count, events, count * sizeof *events);
    to->count += count;
    return to->count < to->wanted;
}

/* Events in the report and at the sink. Pairs that collide twice at one time may change places. */
static void check_events(const carom_step_report *report, const carom_step_config *config) {
    note_check(report->impacts == queue.impacts && report->event_count == (config->events ? queue.impacts : 0),
               "%g impacts, not %g", (double)report->impacts, (double)queue.impacts);
    note_check(config->sink == NULL || sunk.count >= (sunk.wanted < queue.impacts ? sunk.wanted : queue.impacts),
               "the sink has %g events", (double)sunk.count);
    uint64_t on_surfaces = 0;
    for (uint64_t n = 0; n < queue.impacts; n++) {
        on_surfaces += expected[n].k >= QUEUE_SURFACE;
        const bool tie = (n > 0 && expected[n - 1].t == expected[n].t) ||
                         (n + 1 < queue.impacts && expected[n + 1].t == expected[n].t);
        if (config->events && !tie) {
            check_event(&report->event[n], &expected[n], config->dt);
        }
        if (config->sink != NULL && n < sunk.count && !tie) {
            check_event(&sunk.event[n], &expected[n], config->dt);
        }
    }
    note_check(report->surface_impacts == on_surfaces, "%g impacts with surfaces, not %g",
               (double)report->surface_impacts, (double)on_surfaces);
}

static void check_held(const carom_step_report *report, const carom_step_config *config) {
    uint32_t count[QUEUE_BODIES_MAX] = {0};
    for (uint64_t n = 0; n < queue.impacts; n++) {
        count[expected[n].i]++;
        if (expected[n].k < QUEUE_SURFACE) {
            count[expected[n].k]++;
        }
    }
    uint64_t held = 0;
    for (uint32_t n = 0; n < bodies.count; n++) {
        if (count[n] >= config->budget && turned[n]) {
            note_check(held < report->held && report->held_body[held] == n, "body %u is not among those held", n);
            held++;
        }
    }
    note_check(held == report->held, "%g bodies are held, not %g", (double)report->held, (double)held);
}

static void run_step(const motion *m, const carom_step_config *config, carom_context *context) {
    carom_step_report report = {0};
    carom_error error = {.message = ""};
    before = bodies;
    for (int f = 0; f < FIELDS; f++) {
        before.field[f] = before.value + (bodies.field[f] - bodies.value);
    }
    expect_bodies(m, config);
    motion given = *m;
    for (int a = 0; a < 3; a++) {
        given.position[a] = before.field[a];
        given.velocity[a] = before.field[3 + a];
    }
    sunk.count = 0;
    const carom_status status = STEP(context, &given, config, &report, &error);
    note_check(status == CAROM_OK, "%s: %s", carom_status_name(status), error.message);
    note_check(memcmp(before.value, bodies.value, sizeof bodies.value) == 0, "positions or velocities differ");
    check_events(&report, config);
    check_held(&report, config);
    impacts += queue.impacts;
}

static void check_world(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const uint32_t count = number % 20 == 0 ? 150 : below(&random, 40);
    const bool lattice = number % 3 == 0;
    const double size = floor(cbrt(count) * (lattice ? 2.0 : uniform(&random, 1.0, 3.0))) + 1.0;
    lay_out(&random, count);
    for (uint32_t n = 0; n < count; n++) {
        make_body(&random, n, size, lattice);
    }
    const motion m = motion_of(&bodies, below(&random, 3) > 0, below(&random, 3) > 0, below(&random, 3) > 0);
    for (uint32_t s = 0; s < STEPS; s++) {
        carom_step_config config = make_config(&random);
        config.events = below(&random, 3) > 0;
        config.sink = below(&random, 3) > 0 ? take_events : NULL;
        config.sink_user = &sunk;
        sunk.wanted = below(&random, 3) == 0 ? 1 : UINT64_MAX;
        note_case(number, "step %u of %u bodies and %u surfaces, dt %g, budget %u", s, count,
                  (uint32_t)config.surface_count, config.dt, config.budget);
        run_step(&m, &config, contexts[number % CONTEXTS]);
    }
}

static void test_worlds(void **state) {
    (void)state;
    note_each_case(WORLDS, check_world);
    print_message("%g impacts\n", (double)impacts);
}

static double restitution_of_pair(void *user, uint64_t i, uint64_t k) {
    assert_true(user == &queue && i < k);
    return (double)((i * 7 + k) % 4) / 2.0; /* up to 1.5: more than 1 counts as 1 */
}

static double queue_restitution(void *user, uint32_t i, uint32_t k) {
    return fmin(restitution_of_pair(user, i, k), 1.0);
}

/* The caller's function decides how pairs bounce. */
static void check_pair_restitution(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    note_case(number, "restitution by pairs");
    lay_out(&random, 30);
    for (uint32_t n = 0; n < 30; n++) {
        make_body(&random, n, 5.0, false);
    }
    const motion m = motion_of(&bodies, true, true, true);
    carom_step_config config = carom_step_config_default();
    config.pair = restitution_of_pair;
    config.pair_user = &queue;
    carom_step_report report = {0};
    carom_error error = {.message = ""};
    memset(&queue, 0, sizeof queue);
    before = bodies;
    queue.rules.pairs = (carom_response_pairs){.user = &queue, .restitution = queue_restitution};
    queue.rules.budget = config.budget;
    for (uint32_t n = 0; n < bodies.count; n++) {
        double x[3];
        double v[3];
        for (int a = 0; a < 3; a++) {
            x[a] = (double)*at(&bodies, a, n);
            v[a] = (double)*at(&bodies, 3 + a, n);
        }
        queue_add(&queue, x, v, (double)*at(&bodies, 6, n), (double)*at(&bodies, 7, n), 0.25);
    }
    queue_step(&queue);
    assert_int_equal(STEP(contexts[0], &m, &config, &report, &error), CAROM_OK);
    note_check(report.impacts == queue.impacts, "%g impacts, not %g", (double)report.impacts, (double)queue.impacts);
    for (uint32_t n = 0; n < bodies.count; n++) {
        for (int a = 0; a < 3; a++) {
            note_check(*at(&bodies, a, n) == (carom_real)queue.piece[n].x[a] &&
                           *at(&bodies, 3 + a, n) == (carom_real)queue.piece[n].v[a],
                       "body %u differs", n);
        }
    }
}

static void test_pair_restitution(void **state) {
    (void)state;
    note_each_case(20, check_pair_restitution);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_worlds), cmocka_unit_test(test_pair_restitution)};
    note_start("test_step");
    for (uint32_t c = 0; c < CONTEXTS; c++) {
        carom_context_config config = carom_context_config_default();
        config.threads = 1 + 2 * c;
        config.bodies_per_thread = 1;
        if (carom_context_create(&config, &contexts[c], NULL) != CAROM_OK) {
            return 1;
        }
    }
    const int failed = cmocka_run_group_tests_name("steps", tests, NULL, NULL);
    for (uint32_t c = 0; c < CONTEXTS; c++) {
        carom_context_destroy(contexts[c]);
    }
    return failed;
}
