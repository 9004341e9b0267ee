/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Hulls that serve several steps, against a sequential event queue: many steps of small worlds whose bodies move little
 * in each, the same impacts with the same bits. Bodies go on as the step before left them, or somebody changes some of
 * them in between, accelerates all, rounds them to floats, or exchanges surfaces; in open space, or in a periodic box
 * whose faces they cross. Guards that no pair is missed because its hulls, row or prospects are those of another step.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

#include "kernel/impacts/step.h"
#include "kernel/scene/random.h"
#include "tests/support/check.h"
#include "tests/support/event_queue.h"
#include "tests/support/note.h"
#include "tests/support/queue_mirror.h"
#include "tests/support/thread_contexts.h"

enum {
    WORLDS = 400,
    STEPS = 40,
    EVENTS_MOST = 1 << 18,
    CONTEXTS = 3,
    BODIES_MOST = 250,
    DUSTY_WORLDS = 12,
    DUST = 150
};

/* Of a box around a giant of radius 3 and its dust. */
static const double DUSTY_EDGE = 24.0;

static const uint32_t threads[CONTEXTS] = {1, 2, 3};

/* What happens to bodies between steps. */
typedef enum between { NOTHING, NUDGES, ACCELERATION, ROUNDING, SURFACES, KINDS } between;

static const char *const names[KINDS] = {"nothing happens", "bodies are changed", "all are accelerated",
                                         "positions are rounded", "surfaces or the box are moved"};

static queue_world queue;
static queue_event *expected;
static queue_mirror mirror;
static bool wrapped[QUEUE_BODIES_MAX];
static carom_periodic box;
static uint64_t served_in_boxes;
static uint64_t served_with_long_rows;
static uint64_t crossings;
static carom_context *contexts[CONTEXTS];
static carom_memory memory;
static carom_impacts_step step;
static uint64_t served[KINDS];
static uint64_t impacts;

static double uniform(carom_random *random, double lo, double hi) {
    return lo + (hi - lo) * carom_random_u01(random);
}

static uint32_t below(carom_random *random, uint32_t count) {
    return (uint32_t)(carom_random_next(random) % count);
}

static void add_walls(double size) {
    for (int n = 0; n < 6; n++) {
        carom_surface wall = {.kind = CAROM_SURFACE_PLANE, .restitution = 1.0};
        wall.at[n % 3] = n < 3 ? 0.0 : size;
        for (int a = 0; a < 3; a++) {
            wall.axis[a][(n + a) % 3] = a == 0 && n >= 3 ? -1.0 : 1.0;
        }
        queue.surface[queue.surfaces++] = wall;
    }
}

/* Some are giants, some are fixed, and on the average a body moves a tenth of its radius in a step, or far less. */
static void add_body(carom_random *random, double size, double speed, double restitution) {
    const bool giant = below(random, 60) == 0;
    double x[3];
    double v[3];
    for (int a = 0; a < 3; a++) {
        x[a] = uniform(random, 0.0, size);
        v[a] = uniform(random, -speed, speed);
    }
    queue_add(&queue, x, v, giant ? 2.0 : uniform(random, 0.2, 0.6), below(random, 40) == 0 ? INFINITY : 1.0,
              restitution);
}

/* Edges of three times a giant's diameter at least, tilted or not, along all axes or two. */
static double make_box(carom_random *random, double size) {
    const bool tilted = below(random, 2) == 0;
    const double edge = fmax(ceil(size), 13.0);
    box = carom_periodic_default();
    for (int e = 0; e < 3; e++) {
        box.along[e] = e != 1 || below(random, 3) > 0;
        box.edge[e][e] = edge;
        for (int a = 0; a < e && tilted; a++) {
            box.edge[e][a] = floor(uniform(random, -0.5, 0.5) * edge);
        }
    }
    queue.periodic = &box;
    queue.images = 1; /* they begin each step in the box and move little */
    return edge;
}

/* All move along x: in a box more cross a face, and meet what others meet. */
static void drift(double speed) {
    for (uint32_t n = 0; n < queue.bodies; n++) {
        queue.piece[n].v[0] += speed;
    }
}

/* To where rounding to floats moves bodies by much of their radii. */
static void shrink(void) {
    const double unit = 0x1p-142;
    for (uint32_t n = 0; n < queue.bodies; n++) {
        queue.body[n].radius *= unit;
        for (int a = 0; a < 3; a++) {
            queue.piece[n].x[a] *= unit;
            queue.piece[n].v[a] *= unit;
        }
    }
    for (uint32_t s = 0; s < queue.surfaces; s++) {
        for (int a = 0; a < 3; a++) {
            queue.surface[s].at[a] *= unit;
        }
    }
}

static void make_world(carom_random *random, between kind, bool periodic) {
    static const double speeds[] = {0.1, 0.1, 0.02, 0.3};
    memset(&queue, 0, sizeof queue);
    const uint32_t most = periodic ? BODIES_MOST / 3 : BODIES_MOST; /* for the queue, which looks at all images */
    const uint32_t count = below(random, 10) == 0 ? 1 + below(random, 3) : 1 + below(random, most);
    double size = cbrt(count) * uniform(random, 1.2, 3.0) + 1.0;
    size = periodic ? make_box(random, size) : size;
    const double speed = periodic && below(random, 2) == 0 ? 0.5 : speeds[below(random, 4)];
    const double restitution = below(random, 2) == 0 ? 1.0 : uniform(random, 0.3, 1.0);
    queue.rules.budget = below(random, 4) == 0 ? 2 : 20;
    for (uint32_t n = 0; n < count; n++) {
        add_body(random, size, speed, restitution);
    }
    if (periodic && below(random, 2) == 0) {
        drift(uniform(random, -1.0, 1.0));
    }
    if (!periodic && (kind == SURFACES || below(random, 2) == 0)) {
        add_walls(size);
    } else if (!periodic) {
        drift(uniform(random, -5.0, 5.0));
    }
    if (kind == ROUNDING && !periodic && below(random, 2) == 0) {
        shrink();
    }
}

static void keep_event(void *user, const queue_event *event) {
    (void)user;
    if (queue.impacts <= EVENTS_MOST) {
        expected[queue.impacts - 1] = *event;
    }
}

/* A little in place, radius or velocity, or two bodies exchanged. */
static void nudge(carom_random *random) {
    const uint32_t n = below(random, queue.bodies);
    const uint32_t other = below(random, queue.bodies);
    const int axis = (int)below(random, 3);
    switch (below(random, 6)) {
    case 0:
        queue.piece[n].x[axis] += uniform(random, -0.3, 0.3);
        break;
    case 1:
        queue.piece[n].x[axis] += uniform(random, -1e-9, 1e-9);
        break;
    case 2:
        queue.piece[n].v[axis] = uniform(random, -0.3, 0.3);
        break;
    case 3:
        queue.body[n].radius *= uniform(random, 0.5, 1.2);
        break;
    case 4:
        queue.body[n].inverse_mass = queue.body[n].inverse_mass > 0.0 ? 0.0 : 1.0;
        break;
    default: {
        const carom_piece piece = queue.piece[n];
        const carom_response_body body = queue.body[n];
        queue.piece[n] = queue.piece[other];
        queue.body[n] = queue.body[other];
        queue.piece[other] = piece;
        queue.body[other] = body;
    }
    }
}

static void accelerate(double gain) {
    for (uint32_t n = 0; n < queue.bodies; n++) {
        queue.piece[n].v[2] -= queue.body[n].inverse_mass > 0.0 ? gain : 0.0;
    }
}

static void round_bodies(void) {
    for (uint32_t n = 0; n < queue.bodies; n++) {
        for (int a = 0; a < 3; a++) {
            queue.piece[n].x[a] = (double)(float)queue.piece[n].x[a];
            queue.piece[n].v[a] = (double)(float)queue.piece[n].v[a];
        }
    }
}

/* What happens before step s; later steps of a world may be left alone. Returns whether anything does. */
static bool change(carom_random *random, between kind, uint32_t s, double gain) {
    if (kind == ACCELERATION) {
        accelerate(gain);
    } else if (kind == ROUNDING) {
        round_bodies();
    } else if (kind == NUDGES && s % 3 == 0) {
        for (uint32_t n = 1 + below(random, 3); n > 0; n--) {
            nudge(random);
        }
        return true;
    } else if (kind == SURFACES && s % 5 == 4) {
        if (queue.periodic != NULL) {
            box.edge[0][0] *= box.edge[0][0] > 11.0 ? uniform(random, 0.9, 1.0) : 1.1;
        } else {
            queue.surface[below(random, queue.surfaces)].at[below(random, 3)] += uniform(random, -0.2, 0.2);
        }
        return true;
    }
    return false;
}

/* A step inside, with the same slots as before; whether hulls of the one before may serve it is for the step to find.
 */
static void run_step(between kind, uint32_t c) {
    const uint32_t left = step.search.reuse.left;
    const queue_stepper stepper = {&step, &memory, contexts[c]};
    queue_mirror_step(&mirror, &queue, &stepper, expected);
    impacts += queue.impacts;
    const uint64_t was_served = left > 0 && step.search.reuse.left == left - 1 ? 1 : 0;
    served[kind] += was_served;
    served_with_long_rows += step.search.rows.longs.count > 0 ? was_served : 0;
    served_in_boxes += queue.periodic != NULL ? was_served : 0;
    crossings += queue_wrap(&queue, wrapped);
}

/* Bits of the bodies that have crossed faces since the last step, by slots. */
static const uint64_t *wrapped_bits(void) {
    static uint64_t bits[(QUEUE_BODIES_MAX + 63) / 64];
    memset(bits, 0, sizeof bits);
    for (uint32_t slot = 0; slot < queue.bodies; slot++) {
        bits[slot / 64] |= (uint64_t)wrapped[mirror.number[slot]] << slot % 64;
    }
    memset(wrapped, 0, sizeof wrapped);
    return bits;
}

/* Slots in the order of space, as a world has them. */
static int compare_places(const void *a, const void *b) {
    const double x = queue.piece[*(const uint32_t *)a].x[0];
    const double y = queue.piece[*(const uint32_t *)b].x[0];
    return (x > y) - (x < y);
}

/* A giant in a cloud of dust that drifts through a face of a periodic box: its row is long, and dust that it cannot
 * touch as yet comes to be at another image there. A narrow box is little wider than the giant, and its row has dust at
 * two images and more. */
static void make_dusty_world(carom_random *random, bool narrow) {
    const double radius = narrow ? 4.0 : 3.0;
    const double edge = narrow ? uniform(random, 8.6, 10.0) : DUSTY_EDGE;
    const double way = uniform(random, -0.3, 0.3);
    memset(&queue, 0, sizeof queue);
    box = carom_periodic_default();
    for (int e = 0; e < 3; e++) {
        box.along[e] = true;
        box.edge[e][e] = edge;
    }
    queue.periodic = &box;
    queue.images = 1;
    queue.rules.budget = 20;
    const double centre[3] = {uniform(random, 0.0, edge), uniform(random, 0.0, edge), edge / 2.0};
    queue_add(&queue, centre, (const double[3]){way, 0.0, 0.0}, radius, 1e6, 1.0);
    while (queue.bodies <= DUST) {
        double x[3];
        double v[3];
        double square = 0.0;
        for (int a = 0; a < 3; a++) {
            const double off = uniform(random, -5.0, 5.0);
            x[a] = centre[a] + off;
            v[a] = uniform(random, -0.04, 0.04) + (a == 0 ? way : 0.0);
            square += off * off;
        }
        if (square > (radius + 0.3) * (radius + 0.3)) {
            queue_add(&queue, x, v, uniform(random, 0.1, narrow ? 0.25 : 0.45), 0.3, 1.0);
        }
    }
}

/* The steps of a world, with what `kind` says in between. */
static void run_steps(uint64_t number, between kind, uint32_t c, carom_random *random) {
    const double gain = uniform(random, 0.0, 0.01);
    for (uint32_t s = 0; s < STEPS; s++) {
        note_case(
            number,
            "step %u of %u bodies and %u surfaces, hulls for %u steps, long rows %u, in %u windows, on %u threads; %s",
            s, queue.bodies, queue.surfaces, step.steps, step.row_long, step.windows, threads[c], names[kind]);
        const bool changed = change(random, kind, s, gain);
        (void)queue_wrap(&queue, wrapped);
        queue_mirror_renew(&mirror, &queue);
        mirror.bodies.gain = kind == ACCELERATION ? gain : 0.0;
        mirror.bodies.owned = kind != NUDGES || number % 2 == 0;
        mirror.bodies.resumed = mirror.bodies.owned && s > 0 && !changed;
        mirror.bodies.single = kind == ROUNDING;
        mirror.bodies.wrapped = wrapped_bits();
        run_step(kind, c);
    }
}

static void check_dusty_world(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(WORLDS + number));
    make_dusty_world(&random, number % 2 == 1);
    crossings += queue_wrap(&queue, wrapped);
    queue.on_event = keep_event;
    step.steps = 4 + below(&random, 13);
    step.windows = below(&random, 3);
    step.row_long = 4 * below(&random, 2);
    carom_impacts_step_forget(&step);
    queue_mirror_make(&mirror, &queue, &random);
    run_steps(number, NOTHING, (uint32_t)(number / 2 % CONTEXTS), &random);
}

static void check_world(uint64_t number) {
    static const uint32_t lasts[] = {0, 2, 3, 5, 16};
    const between kind = (between)(number % KINDS);
    carom_random random = carom_random_seeded(note_case_seed(number));
    make_world(&random, kind, number / KINDS % 2 == 1);
    crossings += queue_wrap(&queue, wrapped);
    queue.on_event = keep_event;
    step.steps = lasts[below(&random, 5)];
    step.windows = below(&random, 3);
    step.row_long = 4 * below(&random, 2);
    carom_impacts_step_forget(&step);
    queue_mirror_make(&mirror, &queue, &random);
    if (number / KINDS % 4 > 1) {
        qsort(mirror.number, queue.bodies, sizeof *mirror.number, compare_places);
    }
    run_steps(number, kind, (uint32_t)(number / KINDS % CONTEXTS), &random);
}

static void test_worlds(void **state) {
    (void)state;
    note_each_case(WORLDS, check_world);
    for (int kind = 0; kind < KINDS; kind++) {
        print_message("%s: %g steps were served by hulls of another one\n", names[kind], (double)served[kind]);
        assert_true(served[kind] > 0 || note_only_case() != UINT64_MAX);
    }
    print_message("%g steps in periodic boxes were served, %g faces crossed\n", (double)served_in_boxes,
                  (double)crossings);
    assert_true((served_in_boxes > 0 && crossings > 0) || note_only_case() != UINT64_MAX);
    assert_true(impacts > 0);
}

static void test_dusty_worlds(void **state) {
    (void)state;
    served_in_boxes = crossings = served_with_long_rows = 0;
    note_each_case(DUSTY_WORLDS, check_dusty_world);
    print_message("%g steps were served, %g with long rows; %g faces crossed\n", (double)served_in_boxes,
                  (double)served_with_long_rows, (double)crossings);
    assert_true((served_with_long_rows > 0 && crossings > 0) || note_only_case() != UINT64_MAX);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_worlds), cmocka_unit_test(test_dusty_worlds)};
    note_start("test_reuse");
    expected = malloc(EVENTS_MOST * sizeof *expected);
    if (expected == NULL) {
        return 1;
    }
    carom_memory_init(&memory, NULL, 0);
    thread_contexts_open(contexts, threads, CONTEXTS, 1);
    const int failed = cmocka_run_group_tests_name("hulls that serve several steps", tests, NULL, NULL);
    carom_impacts_step_release(&step, &memory);
    thread_contexts_close(contexts, CONTEXTS);
    free(expected);
    return failed;
}
