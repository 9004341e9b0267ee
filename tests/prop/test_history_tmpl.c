/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A world that has taken many steps, against one that is new at each: loaded from the other's snapshot. Events and
 * bodies must have the same bits, whatever the old world has kept from step to step. Heaps that settle under gravity
 * bring bodies as near to walls and to each other as rounding allows, and let windows and searches be of all lengths.
 * Guards that no step depends on what came before but for the bodies. Compiled once for each precision. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

#include "kernel/scene/random.h"
#include "simd/precision.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

#define CREATE CAROM_REAL(carom_world_create)
#define DESTROY CAROM_REAL(carom_world_destroy)
#define ADD CAROM_REAL(carom_world_add)
#define TOTAL CAROM_REAL(carom_world_total)
#define STEP CAROM_REAL(carom_world_step)
#define SAVE CAROM_REAL(carom_world_save)
#define LOAD CAROM_REAL(carom_world_load)
typedef CAROM_REAL(carom_world) world;
typedef CAROM_REAL(carom_world_bodies) bodies_of_world;

enum { MOST = 2000, SNAPSHOT_MOST = 1 << 20, SURFACES = 5 };

/* Distance of bodies at first. */
static const double APART = 1.12;

/* Steps in a test run of usual length; in a short one a tenth. */
enum { STEPS_SMALL = 1500, STEPS_LARGE = 300 };

typedef enum place { PLACE_BOX, PLACE_GLASS, PLACE_PERIODIC } place;

typedef struct heap {
    const char *name;
    place place;
    uint32_t count;
    uint32_t wide; /* bodies beside one another at first */
    double gravity;
    double contact_time;
    uint32_t steps;
    uint32_t threads;
} heap;

static const heap heaps[] = {
    {"a heap in a box", PLACE_BOX, 500, 10, 9.81, 0.01, STEPS_SMALL, 1},
    {"a low heap in a box", PLACE_BOX, 400, 12, 9.81, 0.01, STEPS_SMALL, 3},
    {"a large heap in a box", PLACE_BOX, MOST, 25, 9.81, 0.01, STEPS_LARGE, 1},
    {"a heap that nearly rests", PLACE_BOX, MOST, 13, 9.81, 0.001, STEPS_LARGE, 2},
    {"a heap in a glass", PLACE_GLASS, 500, 8, 9.81, 0.003, STEPS_SMALL / 2, 1},
    {"a gas that cools", PLACE_PERIODIC, MOST, 13, 0.0, 0.001, STEPS_LARGE, 1},
};
enum { HEAPS = sizeof heaps / sizeof *heaps };

static carom_real position[3][MOST];
static carom_real velocity[3][MOST];
static carom_real radius[MOST];
static carom_surface surface[SURFACES];
static carom_periodic box;
static unsigned char snapshot[SNAPSHOT_MOST];

static void place_bodies(const heap *h, carom_random *random) {
    for (uint32_t n = 0; n < h->count; n++) {
        const uint32_t at[3] = {n % h->wide, n / h->wide % h->wide, n / h->wide / h->wide};
        for (int a = 0; a < 3; a++) {
            position[a][n] = (carom_real)(0.6 + APART * at[a]);
            velocity[a][n] = (carom_real)((carom_random_u01(random) - 0.5) * (h->gravity > 0.0 ? 1.0 : 20.0));
        }
        radius[n] = (carom_real)(0.4 + 0.1 * carom_random_u01(random));
    }
}

static carom_surface plane(double x, double y, double a, double b, double c) {
    return (carom_surface){.kind = CAROM_SURFACE_PLANE, .restitution = 0.6, .at = {x, y, 0.0}, .axis = {{a, b, c}}};
}

static uint32_t place_surfaces(const heap *h, double edge) {
    surface[0] = plane(0.0, 0.0, 0.0, 0.0, 1.0);
    if (h->place == PLACE_GLASS) {
        surface[1] = (carom_surface){.kind = CAROM_SURFACE_PIPE,
                                     .restitution = 0.6,
                                     .at = {edge / 2.0, edge / 2.0, 0.0},
                                     .axis = {{0.0, 0.0, 1.0}},
                                     .extent = {0.75 * edge}};
        return 2;
    }
    surface[1] = plane(0.0, 0.0, 1.0, 0.0, 0.0);
    surface[2] = plane(edge, 0.0, -1.0, 0.0, 0.0);
    surface[3] = plane(0.0, 0.0, 0.0, 1.0, 0.0);
    surface[4] = plane(0.0, edge, 0.0, -1.0, 0.0);
    return h->place == PLACE_PERIODIC ? 0 : SURFACES;
}

static carom_step_config rules_of(const heap *h) {
    const double edge = h->wide * APART + 1.0;
    carom_step_config config = carom_step_config_default();
    config.dt = 0.01;
    config.acceleration[2] = -h->gravity;
    config.restitution = 0.6;
    config.contact_time = h->contact_time;
    config.events = true;
    config.surface = surface;
    config.surface_count = place_surfaces(h, edge);
    box = carom_periodic_default();
    for (int a = 0; a < 3; a++) {
        box.along[a] = true;
        box.edge[a][a] = edge;
    }
    config.periodic = h->place == PLACE_PERIODIC ? &box : NULL;
    return config;
}

/* A world of the same bodies that has no history. */
static world *fresh_copy(const world *old, carom_context *context) {
    uint64_t size = 0;
    carom_error error = {.message = ""};
    world *fresh = NULL;
    assert_int_equal(SAVE(old, snapshot, sizeof snapshot, &size, &error), CAROM_OK);
    assert_int_equal(LOAD(context, snapshot, size, &fresh, &error), CAROM_OK);
    return fresh;
}

static carom_step_report take_step(world *w) {
    carom_step_report report = {0};
    carom_error error = {.message = ""};
    const carom_status status = STEP(w, &report, NULL, &error);
    note_check(status == CAROM_OK, "%s: %s", carom_status_name(status), error.message);
    return report;
}

static uint64_t hash_of(const world *w) {
    carom_world_totals totals = {0};
    assert_int_equal(TOTAL(w, &totals, NULL), CAROM_OK);
    return totals.hash;
}

static void check_step(world *old, carom_context *context, uint32_t step) {
    world *fresh = fresh_copy(old, context);
    const carom_step_report a = take_step(old);
    const carom_step_report b = take_step(fresh);
    for (uint64_t n = 0; n < a.event_count && n < b.event_count; n++) {
        note_check(memcmp(&a.event[n], &b.event[n], sizeof a.event[n]) == 0,
                   "step %u: event %g is at %a of %g, with no history at %a of %g", step, (double)n, a.event[n].t,
                   (double)a.event[n].i, b.event[n].t, (double)b.event[n].i);
    }
    note_check(a.event_count == b.event_count, "step %u: %g events, with no history %g", step, (double)a.event_count,
               (double)b.event_count);
    note_check(hash_of(old) == hash_of(fresh), "step %u: bodies differ", step);
    DESTROY(fresh);
}

static carom_context *make_context(uint32_t threads) {
    carom_context *context = NULL;
    carom_context_config config = carom_context_config_default();
    config.threads = threads;
    config.bodies_per_thread = 64;
    assert_int_equal(carom_context_create(&config, &context, NULL), CAROM_OK);
    return context;
}

static void check_heap(uint64_t number) {
    const heap *h = &heaps[number % HEAPS];
    carom_random random = carom_random_seeded(note_case_seed(number));
    carom_context *contexts[2] = {make_context(h->threads), make_context(1)};
    const carom_step_config config = rules_of(h);
    world *old = NULL;
    note_case(number, "%s", h->name);
    place_bodies(h, &random);
    const bodies_of_world bodies = {.count = h->count,
                                    .position = {position[0], position[1], position[2]},
                                    .velocity = {velocity[0], velocity[1], velocity[2]},
                                    .radius = radius};
    assert_int_equal(CREATE(contexts[0], &config, &old, NULL), CAROM_OK);
    assert_int_equal(ADD(old, &bodies, NULL, NULL), CAROM_OK);
    const uint32_t steps = note_short() ? h->steps / 10 : h->steps;
    for (uint32_t n = 0; n < steps; n++) {
        check_step(old, contexts[1], n);
    }
    DESTROY(old);
    carom_context_destroy(contexts[0]);
    carom_context_destroy(contexts[1]);
}

static void test_heaps(void **state) {
    (void)state;
    note_each_case(note_long() ? 4 * HEAPS : HEAPS, check_heap);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_heaps)};
    note_start("test_history");
    return cmocka_run_group_tests_name("worlds with a history", tests, NULL, NULL);
}
