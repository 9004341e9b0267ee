/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A crowd in a periodic box, with giants that overlap, some bodies of infinite mass, and a pipe. The first moment of
 * the step makes some bodies many times as fast. Guards that the search after that moment looks no farther through
 * images than the new speeds ask for: a search for the rest of the step found so many neighbours that the step took
 * 18 s and 100 MB. The order of impacts has tests of its own. */
#include <math.h>

#include <carom/carom.h>

#include "kernel/impacts/step.h"
#include "kernel/scene/random.h"
#include "tests/support/check.h"
#include "tests/support/event_queue.h"
#include "tests/support/note.h"
#include "tests/support/queue_mirror.h"

/* The step holds 1.6 MB. */
enum { BYTES_MOST = 8 << 20 };

typedef struct struck_body {
    double position[3];
    double velocity[3];
    double radius;
    double inverse_mass;
    double restitution;
} struck_body;

/* Giants first; positions are multiples of a half, in a box of 11. */
static const struck_body body[] = {
    {{5, 6, 6}, {1, -1, -1}, 2.5, 0, 1},
    {{4, 6, 6}, {-1, 0, 0}, 3, 7.57134, 1},
    {{5, 7, 4}, {0, 1, 1}, 2.5, 0, 1},
    {{5, 5, 5}, {1, -1, -1}, 2.5, 3.90587, 1},
    {{5, 7, 7}, {-1, 1, -1}, 2.5, 0.000313066, 1},
    {{6, 6.5, 3}, {-1, -1, 2}, 0, 1, 0},
    {{4, 5, 3}, {1, 1, 2}, 0.5, 1, 1},
    {{6, 8, 3}, {-1, -1, 1}, 0.5, 1, 0.5},
    {{3.5, 5, 7}, {1, 1, 0}, 0.25, 1, 1},
    {{0, 6, 6}, {4, 0, 0}, 0.5, 10, 1},
    {{5, 7, 4}, {2, 0, 1}, 0.25, 0, 0.5},
    {{5.5, 4, 4}, {0, 1, 1}, 0, 1, 0},
    {{4, 8, 8}, {1, -1, -1}, 0.5, 0, 0},
    {{7, 6, 7.5}, {-2, 0, -1}, 0.5, 1, 0.9},
    {{5.5, 8.5, 6}, {0, -1, 1}, 0.25, 1, 0},
    {{6, 3, 5}, {-1, 2, 0}, 0.5, 1, 0},
    {{6, 6, 5}, {0, 1, 2}, 0.5, 1, 1},
    {{3, 7, 7}, {2, 0, 0}, 0.5, 1, 1},
    {{3, 7, 6.5}, {2, -1, 0}, 0.25, 1, 0},
    {{5, 7, 4}, {0, -1, 2}, 0.25, 1, 1},
    {{5, 5, 3.5}, {0, 2, 1}, 0.25, 1, 1},
    {{7, 7, 2.5}, {-1, 0, 2}, 0.5, 1, 0.9},
    {{10, 7, 4}, {-4, 0, 0}, 0.5, 0.1, 1},
    {{6, 6, 9}, {-1, 1, -2}, 0, 1, 1},
    {{6.5, 5.5, 8}, {-1, 1, -2}, 0.5, 1, 0.5},
    {{3, 8.5, 6}, {2, -1, 0}, 0.5, 0, 1},
    {{5, 8, 2}, {0, -1, 2}, 0.5, 1, 0.5},
    {{5, 7, 6}, {-1, -1, -1}, 0, 1, 0.5},
    {{4, 6.5, 6.5}, {2, 0, 0}, 0, 1, 1},
    {{6, 8, 7}, {-1, -2, -1}, 0, 1, 1},
    {{5, 5, 4}, {0, 1, 2}, 0.5, 1, 0.9},
    {{5, 5, 6}, {0, 2, 1}, 0.5, 1, 1},
    {{4.5, 3, 7}, {1, 2, -1}, 0.5, 1, 1},
    {{6, 9, 7}, {-1, -2, -1}, 0, 1, 0},
    {{7, 6, 3}, {-2, 1, 1}, 0.25, 1, 0.9},
    {{4, 4, 5}, {1, 2, 1}, 0, 1, 0},
    {{10, 5, 5}, {-4, 0, 0}, 0.5, 10, 1},
    {{2.5, 7, 4.5}, {2, 0, 0}, 0, 1, 1},
    {{4, 6, 5}, {1, 1, 2}, 0, 1, 1},
    {{7, 7, 5}, {-2, 0, -1}, 0, 0, 1},
    {{2, 7, 5}, {1, -1, 0}, 0.25, 1, 0.9},
    {{6, 8, 7}, {-1, -2, -1}, 0.25, 1, 1},
    {{6, 6, 6}, {-1, 1, 1}, 0.5, 1, 1},
    {{5, 6, 5.5}, {0, 1, 2}, 0, 1, 1},
    {{7, 8, 8}, {-1, -1, -1}, 0.25, 1, 1},
    {{3, 5.5, 7}, {1, 0, -2}, 0, 1, 0.9},
    {{9.5, 6, 6}, {-4, 0, 0}, 0.5, 0.1, 1},
    {{6.5, 9, 7}, {-1, -2, 0}, 0.5, 1, 1},
};

enum { BODIES = sizeof body / sizeof body[0] };

static queue_world world;
static queue_mirror mirror;
static carom_memory memory;
static carom_impacts_step step;

static void make_world(void) {
    static carom_periodic box;
    box = carom_periodic_default();
    for (int e = 0; e < 3; e++) {
        box.along[e] = true;
        box.edge[e][e] = 11.0;
    }
    world.periodic = &box;
    world.rules.budget = 500;
    world.rules.rest_speed = 0.3;
    world.rules.contact_time = 1.0;
    world.surface[world.surfaces++] = (carom_surface){.kind = CAROM_SURFACE_PIPE,
                                                      .restitution = 1.0,
                                                      .at = {3.0, 5.0, 3.0},
                                                      .extent = {6.0, 6.0, 6.0},
                                                      .axis = {{0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}}};
    for (uint32_t n = 0; n < BODIES; n++) {
        const double mass = body[n].inverse_mass > 0.0 ? 1.0 / body[n].inverse_mass : INFINITY;
        queue_add(&world, body[n].position, body[n].velocity, body[n].radius, mass, body[n].restitution);
    }
}

static void test_struck(void **state) {
    (void)state;
    carom_context_config config = carom_context_config_default();
    carom_context *context;
    carom_error error = {.message = ""};
    carom_random random = carom_random_seeded(note_case_seed(0));
    config.threads = 1;
    note_check(carom_context_create(&config, &context, &error) == CAROM_OK, "%s", error.message);
    carom_memory_init(&memory, NULL, 0);
    make_world();
    queue_mirror_make(&mirror, &world, &random);
    const carom_status status = carom_impacts_step_run(&step, &memory, context, &mirror.bodies, &error);
    note_check(status == CAROM_OK, "%s: %s", carom_status_name(status), error.message);
    note_check(step.work.impacts > BODIES && memory.held <= BYTES_MOST, "%g impacts, %g bytes",
               (double)step.work.impacts, (double)memory.held);
    carom_impacts_step_release(&step, &memory);
    carom_context_destroy(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_struck)};
    note_start("test_struck_crowd");
    return cmocka_run_group_tests_name("struck crowd", tests, NULL, NULL);
}
