/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Steps of small random worlds against a sequential event queue: the same impacts with the same bits, whatever the
 * number of windows, the size of chunks and where hulls end, and the same bodies after each step. Worlds have bodies of
 * all sizes and masses, walls, boxes and cylinders, restitutions from 0 to 1, small budgets, and lattices on which many
 * impacts happen at once. Guards that groups which are simulated alone have what one queue for all has. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

#include "kernel/impacts/step.h"
#include "kernel/scene/random.h"
#include "tests/support/check.h"
#include "tests/support/event_queue.h"
#include "tests/support/fault_allocator.h"
#include "tests/support/note.h"
#include "tests/support/queue_mirror.h"
#include "tests/support/thread_contexts.h"

enum { WORLDS = 1000, STEPS = 3, EVENTS_MOST = 1 << 20, CONTEXTS = 4, MEMORY_BUDGET = 4 };

static const uint32_t threads[CONTEXTS] = {1, 2, 3, 8};

static queue_world queue;
static queue_event *expected;
static carom_context *contexts[CONTEXTS];
static carom_periodic box;
static carom_memory memory;
static carom_impacts_step step;
static uint64_t impacts;

static double uniform(carom_random *random, double lo, double hi) {
    return lo + (hi - lo) * carom_random_u01(random);
}

static uint32_t below(carom_random *random, uint32_t count) {
    return (uint32_t)(carom_random_next(random) % count);
}

static double pick(carom_random *random, const double *values, uint32_t count) {
    return values[below(random, count)];
}

static void add_wall(int axis, double side, double at) {
    carom_surface wall = {.kind = CAROM_SURFACE_PLANE, .restitution = 1.0};
    wall.at[axis] = at;
    for (int a = 0; a < 3; a++) {
        wall.axis[a][(axis + a) % 3] = a == 0 ? side : 1.0;
    }
    queue.surface[queue.surfaces++] = wall;
}

static void add_walls(double size) {
    for (int axis = 0; axis < 3; axis++) {
        add_wall(axis, 1.0, 0.0);
        add_wall(axis, -1.0, size);
    }
}

static void add_obstacle(carom_random *random, double size) {
    static const double axes[3][3] = {{0.6, 0.8, 0}, {-0.8, 0.6, 0}, {0, 0, 1}};
    carom_surface s = {.kind = (carom_surface_kind)(1 + below(random, 3)), .restitution = uniform(random, 0.3, 1.0)};
    memcpy(s.axis, axes, sizeof axes);
    for (int a = 0; a < 3; a++) {
        s.at[a] = uniform(random, 0.2, 0.8) * size;
        s.extent[a] = uniform(random, 0.1, 0.3) * size * (s.kind == CAROM_SURFACE_PIPE ? 3.0 : 1.0);
    }
    queue.surface[queue.surfaces++] = s;
}

/* On a lattice all numbers are small whole ones, so that many impacts happen at the same time. */
static void add_body(carom_random *random, double size, bool lattice, double restitution) {
    static const double masses[] = {1.0, 1.0, 1.0, 1.0, 2.0, 0.125, 1e6, 1e300, INFINITY};
    static const double radii[] = {0.5, 0.5, 0.5, 0.25, 0.0, 2.0};
    double x[3];
    double v[3];
    for (int a = 0; a < 3; a++) {
        x[a] = lattice ? (double)below(random, (uint32_t)size) : uniform(random, 0.0, size);
        v[a] = lattice ? (double)below(random, 5) - 2.0 : uniform(random, -1.0, 1.0) * uniform(random, 0.0, 3.0);
    }
    queue_add(&queue, x, v, lattice ? 0.5 : pick(random, radii, 6), pick(random, masses, lattice ? 2 : 9), restitution);
}

/* Edges of about twice to four times a body's diameter and more, so that pairs meet through several images. */
static void make_periodic(carom_random *random, uint64_t number, double size) {
    box = carom_periodic_default();
    for (int e = 0; e < 3; e++) {
        box.along[e] = number % 8 != 1 || e != 1;
        box.edge[e][e] = size;
        for (int a = 0; a < e; a++) {
            box.edge[e][a] = number % 16 == 9 ? floor(uniform(random, -0.5, 0.5) * size) : 0.0;
        }
    }
    queue.periodic = &box;
    queue.images = number % 16 == 9 ? 3 : 2;
}

/* All bodies move along together, much faster than they move among themselves. */
static void add_drift(carom_random *random, double fastest) {
    for (int a = 0; a < 3; a++) {
        const double drift = uniform(random, -fastest, fastest);
        for (uint32_t n = 0; n < queue.bodies; n++) {
            queue.piece[n].v[a] += drift;
        }
    }
}

static void make_world(uint64_t number) {
    static const double restitutions[] = {1.0, 1.0, 0.9, 0.5, 0.0};
    static const uint32_t budgets[] = {200, 50, 30, 3, 1};
    carom_random random = carom_random_seeded(note_case_seed(number));
    memset(&queue, 0, sizeof queue);
    const bool periodic = number % 4 == 1;
    const uint32_t count = number % 10 == 0 ? 150 : 1 + below(&random, periodic ? 15 : 40);
    const bool lattice = number % 3 == 0;
    const double size = cbrt(count) * (lattice ? 2.0 : uniform(&random, 1.0, 3.0)) + 1.0;
    const double restitution = pick(&random, restitutions, 5);
    queue.rules.budget = budgets[below(&random, 5)];
    queue.rules.rest_speed = number % 7 == 0 ? 0.5 : 0.0;
    queue.rules.contact_time = number % 5 == 0 ? 0.1 : 0.0;
    if (periodic) {
        make_periodic(&random, number, fmax(floor(size), 9.0));
    }
    for (uint32_t n = 0; n < count; n++) {
        add_body(&random, floor(size), lattice, number % 4 == 0 ? uniform(&random, 0.0, 1.0) : restitution);
    }
    if (number % 2 == 0) {
        add_walls(floor(size));
    } else if (number % 3 == 1) {
        add_drift(&random, periodic ? 4.0 : 100.0);
    }
    for (uint32_t n = number % 11 == 0 ? 3 : 0; n > 0; n--) {
        add_obstacle(&random, size);
    }
}

static void keep_event(void *user, const queue_event *event) {
    (void)user;
    if (queue.impacts <= EVENTS_MOST) {
        expected[queue.impacts - 1] = *event;
    }
}

static queue_mirror mirror;
static bool wrapped[QUEUE_BODIES_MAX];

/* Most of the time goes into the few worlds of many bodies and a large budget, whose steps have ten thousand impacts in
 * one group. */
static uint32_t steps_of(const queue_world *world) {
    return world->bodies > 100 && world->rules.budget > 50 ? STEPS - 1 : STEPS;
}

/* As many as the step needs, or 1, 2, ..., 32: another number for each step of a world. */
static uint32_t windows_of(uint64_t number, uint32_t s) {
    const uint64_t choice = (number + number / 10 + s) % 7;
    return choice == 0 ? 0 : 1u << (choice - 1);
}

/* Rows are long from few entries on in two of three worlds, so that these have giants (kernel/impacts/bystanders.h). */
static const uint32_t row_longs[] = {0, 2, 6};

static void check_world(uint64_t number) {
    make_world(number);
    carom_random random = carom_random_seeded(note_case_seed(number) + 1);
    queue.on_event = keep_event;
    const uint32_t choice = number / 7 % 32 < CONTEXTS ? (uint32_t)(number / 7 % 32) : 0;
    carom_context *context = contexts[choice];
    const uint32_t steps = steps_of(&queue);
    for (uint32_t s = 0; s < steps; s++) {
        step.windows = windows_of(number, s);
        step.chunk = (uint32_t)(number % 3);
        step.at_once = (uint32_t)(number % 2);
        step.row_long = row_longs[number / 2 % 3];
        step.tight = number / 3 % 2 == 1;
        note_case(number,
                  "step %u of %u bodies and %u surfaces in %u windows and chunks of %u, long rows %u, %s hulls, on %u "
                  "threads, budget %u",
                  s, queue.bodies, queue.surfaces, step.windows, step.chunk, step.row_long,
                  step.tight ? "tight" : "wide", threads[choice], queue.rules.budget);
        queue_mirror_make(&mirror, &queue, &random);
        const queue_stepper stepper = {&step, &memory, context};
        queue_mirror_step(&mirror, &queue, &stepper, expected);
        impacts += queue.impacts;
        (void)queue_wrap(&queue, wrapped);
    }
}

enum { PASSING_WORLDS = 16 };

/* One body passes another, which it may meet at two images, and each of the two is hit before and after by a body of
 * its own. They touch in between, for a moment: so one piece of either is held against one of the other alone, and at
 * one of the images alone. */
static void check_passing(uint64_t number) {
    const double back = number % 2 == 0 ? 1.0 : -1.0;
    carom_random random = carom_random_seeded(note_case_seed(number));
    memset(&queue, 0, sizeof queue);
    queue.rules.budget = 100;
    box = carom_periodic_default();
    box.along[0] = true;
    box.along[1] = box.along[2] = false;
    box.edge[0][0] = box.edge[1][1] = box.edge[2][2] = 10.0;
    queue.periodic = &box;
    queue.images = 2;
    queue.on_event = keep_event;
    const double body[6][7] = {
        {5.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0},
        {5.0, -1.1, 0.0, 0.0, 1.0, 0.0, 1e-3},
        {5.0, 0.0, -1.5, 0.0, 0.0, 1.0, 1e-3},
        {5.0 - back * 3.18, 1.03, 0.0, back * 12.0, 0.0, 0.0, 1.0},
        {5.0 - back * 3.18, 2.13, 0.0, back * 12.0, -1.0, 0.0, 0.18},
        {5.0 - back * 3.18, 1.03, 1.3, back * 12.0, 0.0, -1.0, 1e-3},
    };
    for (uint32_t n = 0; n < 6; n++) {
        queue_add(&queue, &body[n][0], &body[n][3], 0.5, body[n][6], 1.0);
    }
    step.windows = 1;
    step.chunk = step.at_once = step.row_long = 0;
    step.tight = false;
    note_case(number, "bodies that pass each other");
    queue_mirror_make(&mirror, &queue, &random);
    const queue_stepper stepper = {&step, &memory, contexts[number % CONTEXTS]};
    queue_mirror_step(&mirror, &queue, &stepper, expected);
    bool passed = false;
    for (uint64_t n = 0; n < queue.impacts; n++) {
        passed = passed || (expected[n].i == 0 && expected[n].k == 3);
    }
    note_check(passed, "they do not touch, in %g impacts", (double)queue.impacts);
}

static void test_passing(void **state) {
    (void)state;
    note_each_case(PASSING_WORLDS, check_passing);
}

enum { FAST_WORLDS = 4, FAST_BODIES = 12, FAST_NEIGHBOURS = 200 };

/* Bodies that go through a periodic box several times in a step, and may meet through hundreds of images. */
static void make_fast(carom_random *random) {
    memset(&queue, 0, sizeof queue);
    queue.rules.budget = 100;
    box = carom_periodic_default();
    for (int e = 0; e < 3; e++) {
        box.along[e] = true;
        box.edge[e][e] = 10.0;
    }
    queue.periodic = &box;
    queue.images = 11;
    queue.on_event = keep_event;
    for (uint32_t n = 0; n < FAST_BODIES; n++) {
        double x[3];
        double v[3];
        for (int a = 0; a < 3; a++) {
            x[a] = uniform(random, 0.0, 10.0);
            v[a] = uniform(random, -45.0, 45.0);
        }
        queue_add(&queue, x, v, uniform(random, 0.8, 1.7), 1.0, 1.0);
    }
}

/* Searches are for so short a time that few images are neighbours: each impact looks at them all. */
static void check_fast(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    make_fast(&random);
    note_case(number, "bodies that go through a periodic box several times");
    queue_mirror_make(&mirror, &queue, &random);
    step.windows = step.chunk = step.at_once = step.row_long = 0;
    step.tight = number % 2 == 1;
    step.length = 0.0;
    const queue_stepper stepper = {&step, &memory, contexts[number % CONTEXTS]};
    queue_mirror_step(&mirror, &queue, &stepper, expected);
    const double neighbours = (double)step.search.rows.head[FAST_BODIES].start / FAST_BODIES;
    note_check(queue.impacts > 0 && neighbours <= FAST_NEIGHBOURS, "%g impacts, %g neighbours", (double)queue.impacts,
               neighbours);
}

enum { CROWDS = 6, CROWD = 60, CROWD_WINDOWS_OPEN = 40, CROWD_WINDOWS_BOX = 10 };

/* Bodies that overlap, and stay neighbours however short a search is, and a small one that leaves them, far faster than
 * the others: in open space, in a box, and in one whose edges lie along other axes. */
static void make_crowd(carom_random *random, uint64_t number) {
    memset(&queue, 0, sizeof queue);
    queue.rules.budget = 100;
    queue.on_event = keep_event;
    box = carom_periodic_default();
    for (int e = 0; e < 3; e++) {
        box.along[e] = true;
        box.edge[e][number % 3 == 1 ? e : (e + 1) % 3] = 10.0;
    }
    queue.periodic = number % 3 == 0 ? NULL : &box;
    queue.images = 3;
    for (uint32_t n = 0; n < CROWD; n++) {
        double x[3];
        double v[3];
        for (int a = 0; a < 3; a++) {
            x[a] = uniform(random, 4.8, 5.2);
            v[a] = uniform(random, -0.1, 0.1);
        }
        queue_add(&queue, x, v, 1.0, 1.0, 1.0);
    }
    const double x[3] = {6.2, 6.2, 6.2};
    const double fast = queue.periodic == NULL ? 1e6 : 12.0;
    const double v[3] = {fast, 0.9 * fast, 0.8 * fast};
    queue_add(&queue, x, v, 0.01, 1.0, 1.0);
}

/* Searches are not for so short a time that there are very many. */
static void check_crowd(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    make_crowd(&random, number);
    note_case(number, "bodies that overlap, and one that leaves them");
    queue_mirror_make(&mirror, &queue, &random);
    step.windows = step.chunk = step.at_once = step.row_long = 0;
    step.tight = number / 3 % 2 == 1;
    step.length = 0.0;
    const queue_stepper stepper = {&step, &memory, contexts[number % CONTEXTS]};
    queue_mirror_step(&mirror, &queue, &stepper, expected);
    const uint32_t most = queue.periodic == NULL ? CROWD_WINDOWS_OPEN : CROWD_WINDOWS_BOX;
    note_check(queue.impacts > 0 && step.work.windows <= most, "%g impacts in %u windows", (double)queue.impacts,
               step.work.windows);
}

enum { SWARMS = 9, SWARM = 500, SWARM_IN_BOX = 200, SWARM_NEIGHBOURS = 60, SWARM_WINDOWS = 115 };

/* Two swarms that fly through each other, so far in a step that boxes around whole paths nearly all meet. */
static void make_swarms(carom_random *random, uint32_t each, double faster) {
    memset(&queue, 0, sizeof queue);
    queue.rules.budget = 100;
    queue.on_event = keep_event;
    for (uint32_t n = 0; n < 2 * each; n++) {
        static const double along[3] = {100.0, 90.0, -80.0};
        const double side = n % 2 == 0 ? 1.0 : -1.0;
        double x[3];
        double v[3];
        for (int a = 0; a < 3; a++) {
            x[a] = uniform(random, -50.0, 50.0) - 0.5 * side * along[a];
            v[a] = uniform(random, -0.2, 0.2) + side * faster * along[a];
        }
        queue_add(&queue, x, v, uniform(random, 0.2, 0.8), 1.0, 1.0);
    }
}

/* A tilted one, whose faces cut through the swarms: bodies that are near each other lie edges apart. */
static void put_in_box(double size) {
    bool moved[2 * SWARM_IN_BOX] = {false};
    box = carom_periodic_default();
    for (int e = 0; e < 3; e++) {
        box.along[e] = true;
        box.edge[e][e] = size;
        box.edge[e][0] += e > 0 ? 0.2 * size : 0.0;
    }
    queue.periodic = &box;
    queue.images = 1;
    note_check(queue_wrap(&queue, moved) > SWARM_IN_BOX, "few bodies were moved");
}

/* `length`: what is known of steps before; 0: nothing. Returns how many neighbours of a body the most rows had. */
static double step_swarms(uint64_t number, double length) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    queue_mirror_make(&mirror, &queue, &random);
    carom_impacts_step_release(&step, &memory);
    memset(&step, 0, sizeof step);
    step.length = length;
    const queue_stepper stepper = {&step, &memory, contexts[number % CONTEXTS]};
    queue_mirror_step(&mirror, &queue, &stepper, expected);
    note_check(queue.impacts > 0, "no impacts");
    return (double)(step.search.rows.other_buffer.bytes / sizeof *step.search.rows.other) / queue.bodies;
}

/* After calm steps searches are for short times, so that hulls meet few others. Where swarms are so fast that all hulls
 * meet in any time but a very short one, one search for the whole step costs less than very many, and is found however
 * short the first one was. */
static void check_swarms(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    static const char *const kinds[] = {"", ", very fast", " in a large periodic box"};
    const bool fast = number % 3 == 1;
    const bool boxed = number % 3 == 2;
    make_swarms(&random, boxed ? SWARM_IN_BOX : SWARM, fast ? 50.0 : 1.0);
    if (boxed) {
        put_in_box(1000.0);
    }
    note_case(number, "two swarms that fly through each other%s", kinds[number % 3]);
    const double neighbours = step_swarms(number, fast ? 0.0 : 1.0);
    note_check(fast || neighbours <= SWARM_NEIGHBOURS, "room for %g neighbours of a body", neighbours);
    note_check(step.work.windows <= SWARM_WINDOWS, "%u windows", step.work.windows);
}

static void test_swarms(void **state) {
    (void)state;
    note_each_case(SWARMS, check_swarms);
}

enum { ENCOUNTERS = 4, MEETING = 250, MEETING_ADDED = 60, FORCED_ADDED = 700000 };

/* Two clouds without any spread of velocities: hulls along their paths meet few others, but those after an impact meet
 * all. The step before the one in which the clouds meet, or the time before it in that step, has no impact. */
static void make_clouds(carom_random *random, uint32_t each, double gap) {
    memset(&queue, 0, sizeof queue);
    queue.rules.budget = 100;
    queue.on_event = keep_event;
    for (uint32_t n = 0; n < 2 * each; n++) {
        const double side = n % 2 == 0 ? 0.0 : 1.0;
        const double v[3] = {200.0 - 400.0 * side, 0.0, 0.0};
        double x[3];
        for (int a = 0; a < 3; a++) {
            x[a] = uniform(random, 0.0, 6.0) + (a == 0 ? side * gap : 0.0);
        }
        queue_add(&queue, x, v, 0.1, 1.0, 1.0);
    }
}

/* Hulls end where a new search costs less than what bodies look for that leave theirs. */
static void check_clouds(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const uint32_t calm = (uint32_t)(number % 2);
    uint64_t most = 0;
    uint64_t met = 0;
    make_clouds(&random, MEETING, calm > 0 ? 600.0 : 100.0);
    carom_impacts_step_release(&step, &memory);
    memset(&step, 0, sizeof step);
    for (uint32_t s = 0; s <= calm; s++) {
        note_case(number, "step %u of two clouds that meet", s);
        queue_mirror_make(&mirror, &queue, &random);
        const queue_stepper stepper = {&step, &memory, contexts[number % CONTEXTS]};
        queue_mirror_step(&mirror, &queue, &stepper, expected);
        met += queue.impacts;
        most = step.search.rows.extras.buffer.bytes / sizeof(carom_row_extra);
    }
    note_check(met > MEETING / 4, "%g impacts", (double)met);
    note_check(most <= (uint64_t)MEETING_ADDED * 2 * MEETING, "room for %g new neighbours", (double)most);
}

/* Tight hulls that are to last a whole step end where they have met very many. */
static void check_forced(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    make_clouds(&random, 2 * MEETING, 100.0);
    carom_impacts_step_release(&step, &memory);
    memset(&step, 0, sizeof step);
    step.tight = true;
    step.windows = 1;
    note_case(number, "two clouds that meet in one window");
    queue_mirror_make(&mirror, &queue, &random);
    const queue_stepper stepper = {&step, &memory, contexts[number % CONTEXTS]};
    queue_mirror_step(&mirror, &queue, &stepper, expected);
    const double room = (double)step.search.rows.extras.buffer.bytes / sizeof(carom_row_extra);
    note_check(room <= FORCED_ADDED, "room for %g new neighbours", room);
}

static void test_clouds(void **state) {
    (void)state;
    note_each_case(ENCOUNTERS, check_clouds);
    note_each_case(ENCOUNTERS, check_forced);
}

enum { STREAMS = 4, STREAM = 1000, STREAM_RESTS = 50, STREAM_NEIGHBOURS = 60, STREAM_WINDOWS = 40 };

/* Bodies that fly past a few others, which alone have many neighbours, and most impacts. */
static void make_stream(carom_random *random) {
    memset(&queue, 0, sizeof queue);
    queue.rules.budget = 100;
    queue.on_event = keep_event;
    for (uint32_t n = 0; n < STREAM; n++) {
        double x[3];
        double v[3];
        for (int a = 0; a < 3; a++) {
            x[a] = uniform(random, 0.0, 110.0);
            v[a] = uniform(random, -0.05, 0.05);
        }
        v[1] += n % (STREAM / STREAM_RESTS) == 1 ? 0.0 : 1500.0;
        queue_add(&queue, x, v, 1.0, 1.0, 1.0);
    }
}

/* Searches are for short times because of these few. */
static void check_stream(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    make_stream(&random);
    note_case(number, "a stream past a few bodies");
    const double neighbours = step_swarms(number, 0.0);
    note_check(neighbours <= STREAM_NEIGHBOURS, "room for %g neighbours of a body", neighbours);
    note_check(step.work.windows <= STREAM_WINDOWS, "%u windows", step.work.windows);
}

static void test_stream(void **state) {
    (void)state;
    note_each_case(STREAMS, check_stream);
}

enum { CALMED = 160 };

/* Bodies in arrays. */
typedef struct calmed {
    double x[3][CALMED];
    double v[3][CALMED];
    double radius[CALMED];
    double mass[CALMED];
} calmed;

static const double CALM_EDGE = 98.3;

/* Whether a body of radius 1 touches none of the first `count`, nor an image. */
static bool is_clear(const calmed *c, uint32_t count, const double x[3]) {
    bool clear = true;
    for (uint32_t n = 0; n < count; n++) {
        double square = 0.0;
        for (int a = 0; a < 3; a++) {
            const double apart = x[a] - c->x[a][n];
            const double least = apart - CALM_EDGE * round(apart / CALM_EDGE);
            square += least * least;
        }
        const double reach = c->radius[n] + 1.01;
        clear = clear && square >= reach * reach;
    }
    return clear;
}

/* A giant that is nearly as wide as a periodic box and passes through it several times, among dust at rest. */
static void make_giant(calmed *c) {
    carom_random random = carom_random_seeded(note_case_seed(0));
    const double fast[3] = {240.0, 256.0, 192.0};
    memset(c, 0, sizeof *c);
    for (uint32_t n = 0; n < CALMED;) {
        double x[3];
        for (int a = 0; a < 3; a++) {
            x[a] = n == 0 ? CALM_EDGE / 2.0 : uniform(&random, 0.0, CALM_EDGE);
        }
        if (is_clear(c, n, x)) {
            for (int a = 0; a < 3; a++) {
                c->x[a][n] = x[a];
                c->v[a][n] = n == 0 ? fast[a] : 0.0;
            }
            c->radius[n] = n == 0 ? 49.0 : 1.0;
            c->mass[n] = n == 0 ? 1e9 : 1.0;
            n++;
        }
    }
}

/* One step of `count` bodies in a periodic cube. Returns its windows. */
static uint32_t step_in_cube(carom_context *context, calmed *c, uint32_t count, double edge, double dt) {
    carom_motion_f64 motion = {.count = count, .radius = c->radius, .mass = c->mass};
    carom_step_config config = carom_step_config_default();
    carom_step_report report = {0};
    carom_error error = {.message = ""};
    carom_periodic cube = carom_periodic_default();
    for (int a = 0; a < 3; a++) {
        motion.position[a] = c->x[a];
        motion.velocity[a] = c->v[a];
        cube.along[a] = true;
        cube.edge[a][a] = edge;
    }
    config.dt = dt;
    config.periodic = &cube;
    const carom_status status = carom_step_f64(context, &motion, &config, &report, &error);
    note_check(status == CAROM_OK, "%s: %s", carom_status_name(status), error.message);
    return report.windows;
}

static uint32_t windows_of_giant(carom_context *context, double dt) {
    static calmed c;
    make_giant(&c);
    return step_in_cube(context, &c, CALMED, CALM_EDGE, dt);
}

/* Entries of the rows that a step makes of a cloud whose bodies move along together. */
static uint64_t neighbours_at(double speed) {
    enum { CLOUD = 500 };
    carom_impacts_step first = {.windows = 1, .steps = 1};
    carom_random random = carom_random_seeded(note_case_seed(0));
    memset(&queue, 0, sizeof queue);
    queue.rules.budget = 200;
    for (uint32_t n = 0; n < CLOUD; n++) {
        double x[3];
        double v[3];
        for (int a = 0; a < 3; a++) {
            x[a] = uniform(&random, 0.0, 20.0);
            v[a] = uniform(&random, -0.1, 0.1) + speed;
        }
        queue_add(&queue, x, v, 0.3, 1.0, 1.0);
    }
    queue_mirror_make(&mirror, &queue, &random);
    carom_error error = {.message = ""};
    const carom_status status = carom_impacts_step_run(&first, &memory, contexts[0], &mirror.bodies, &error);
    note_check(status == CAROM_OK, "%s: %s", carom_status_name(status), error.message);
    const uint64_t entries = first.search.rows.head[CLOUD].start;
    carom_impacts_step_release(&first, &memory);
    return entries;
}

/* A cloud that moves by more than its size has no more neighbours than one at rest, but for rounding. */
static void test_cloud(void **state) {
    (void)state;
    note_case(0, "a cloud that moves along");
    const uint64_t rest = neighbours_at(0.0);
    const uint64_t moving = neighbours_at(50.0);
    note_check(rest > 0 && moving <= rest + rest / 8, "%g neighbours, %g at rest", (double)moving, (double)rest);
}

/* What a calm step has learnt of the length of searches does not make the next one take a hundred times as long. */
static void test_after_calm(void **state) {
    (void)state;
    carom_context *context = NULL;
    note_case(0, "a giant in a periodic box");
    assert_int_equal(carom_context_create(NULL, &context, NULL), CAROM_OK);
    const uint32_t windows = windows_of_giant(context, 1.0);
    (void)windows_of_giant(context, 1e-4);
    const uint32_t after = windows_of_giant(context, 1.0);
    note_check(after <= 8 * windows, "%u windows after a calm step, %u before", after, windows);
    carom_context_destroy(context);
}

enum { BEAMS = 100, BEAM = 2001 };

static double beam_x[3][BEAM];
static double beam_v[3][BEAM];
static double beam_radius[BEAM];
static double beam_mass[BEAM];

/* A beam that hits a ball: who bounces off it is so fast, as one sees it who flies with the beam, that a search for the
 * rest of the step fails, while the sample that says how long searches are sees few neighbours. The step ends. */
static void check_beam(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    carom_motion_f64 motion = {.count = BEAM, .radius = beam_radius, .mass = beam_mass};
    carom_step_report report = {0};
    carom_error error = {.message = ""};
    note_case(number, "a beam that hits a ball");
    for (uint32_t n = 0; n < BEAM; n++) {
        for (int a = 0; a < 3; a++) {
            beam_x[a][n] = n == 0 ? 0.0 : uniform(&random, -10.0, 10.0);
            beam_v[a][n] = 0.0;
        }
        beam_x[0][n] = n == 0 ? 500.0 : uniform(&random, -200.0, 0.0);
        beam_v[0][n] = n == 0 ? 0.0 : 1000.0;
        beam_radius[n] = n == 0 ? 1.0 : 0.05;
        beam_mass[n] = n == 0 ? INFINITY : 1.0;
    }
    for (int a = 0; a < 3; a++) {
        motion.position[a] = beam_x[a];
        motion.velocity[a] = beam_v[a];
    }
    const carom_status status = carom_step_f64(contexts[number % CONTEXTS], &motion, NULL, &report, &error);
    note_check(status == CAROM_OK && report.impacts > 0, "%s: %s", carom_status_name(status), error.message);
}

static void test_beam(void **state) {
    (void)state;
    note_each_case(BEAMS, check_beam);
}

/* Six bodies in a small cube, of which each moves some nine edges in a step of 0.25. */
static void step_few(carom_context *context, double dt) {
    static const double side[] = {-1.0, 1.0};
    static calmed c;
    memset(&c, 0, sizeof c);
    for (uint32_t n = 0; n < 6; n++) {
        for (int a = 0; a < 3; a++) {
            c.x[a][n] = n / 2 == (uint32_t)a ? 2.0 + side[n % 2] : 2.0;
            c.v[a][n] = 80.0 * side[(n + (uint32_t)a) % 2];
        }
        c.radius[n] = 0.3;
        c.mass[n] = 1.0;
    }
    (void)step_in_cube(context, &c, 6, 4.0, dt);
}

/* Nor does it make the first search of the next one hold all images that bodies pass in it. */
static void test_few_after_calm(void **state) {
    (void)state;
    carom_context *fresh = NULL;
    carom_context *calm = NULL;
    note_case(0, "few fast bodies in a small periodic box");
    assert_int_equal(carom_context_create(NULL, &fresh, NULL), CAROM_OK);
    assert_int_equal(carom_context_create(NULL, &calm, NULL), CAROM_OK);
    step_few(fresh, 0.25);
    step_few(calm, 1e-4);
    step_few(calm, 0.25);
    const double bytes = (double)carom_context_memory(calm);
    const double least = (double)carom_context_memory(fresh);
    note_check(bytes <= 2.0 * least, "%g bytes after a calm step, %g without one", bytes, least);
    carom_context_destroy(calm);
    carom_context_destroy(fresh);
}

static void test_crowd(void **state) {
    (void)state;
    for (uint64_t number = 0; number < CROWDS; number++) {
        if (note_only_case() == UINT64_MAX || note_only_case() == number) {
            check_crowd(number);
        }
    }
}

static void test_fast(void **state) {
    (void)state;
    note_each_case(FAST_WORLDS, check_fast);
}

static void test_worlds(void **state) {
    (void)state;
    note_each_case(WORLDS, check_world);
    print_message("%g impacts\n", (double)impacts);
}

/* What a context needs to sort stays with it: it must not come from the memory that a test counts. */
static void warm_contexts(void) {
    carom_random random = carom_random_seeded(0);
    for (uint32_t c = 0; c < CONTEXTS; c++) {
        make_world(0);
        queue_mirror_make(&mirror, &queue, &random);
        assert_int_equal(carom_impacts_step_run(&step, &memory, contexts[c], &mirror.bodies, NULL), CAROM_OK);
    }
}

/* Memory gives out at each allocation of a step. The step then says so, and runs when there is memory again. The step
 * runs hundreds of times, so its budget is small. */
static void test_memory_gives_out(void **state) {
    (void)state;
    static const uint64_t cases[] = {0, 2, 11, 20};
    warm_contexts();
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        carom_random random = carom_random_seeded(c);
        bool refused = true;
        for (uint64_t n = 1; refused; n++) {
            fault_allocator faults;
            fault_allocator_init(&faults);
            const carom_allocator allocator = fault_allocator_get(&faults);
            carom_memory own;
            carom_memory_init(&own, &allocator, 0);
            carom_impacts_step small = {.windows = 4};
            fault_allocator_fail(&faults, n, true);
            make_world(cases[c]);
            queue.rules.budget = MEMORY_BUDGET;
            queue_mirror_make(&mirror, &queue, &random);
            carom_error error = {.message = ""};
            const carom_status status = carom_impacts_step_run(&small, &own, contexts[c % 2], &mirror.bodies, &error);
            refused = faults.requests >= n;
            assert_int_equal(status, refused ? CAROM_ERROR_MEMORY : CAROM_OK);
            assert_true(!refused || strstr(error.message, "no memory") != NULL);
            fault_allocator_fail(&faults, 0, false);
            queue_mirror_make(&mirror, &queue, &random);
            assert_int_equal(carom_impacts_step_run(&small, &own, contexts[c % 2], &mirror.bodies, &error), CAROM_OK);
            carom_impacts_step_release(&small, &own);
            assert_true(faults.live_blocks == 0 && faults.damages == 0);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_worlds),         cmocka_unit_test(test_passing),
                                       cmocka_unit_test(test_fast),           cmocka_unit_test(test_crowd),
                                       cmocka_unit_test(test_cloud),          cmocka_unit_test(test_swarms),
                                       cmocka_unit_test(test_clouds),         cmocka_unit_test(test_stream),
                                       cmocka_unit_test(test_beam),           cmocka_unit_test(test_after_calm),
                                       cmocka_unit_test(test_few_after_calm), cmocka_unit_test(test_memory_gives_out)};
    note_start("test_impacts_step");
    expected = malloc(EVENTS_MOST * sizeof *expected);
    if (expected == NULL) {
        return 1;
    }
    carom_memory_init(&memory, NULL, 0);
    thread_contexts_open(contexts, threads, CONTEXTS, 1);
    const int failed = cmocka_run_group_tests_name("world steps", tests, NULL, NULL);
    carom_impacts_step_release(&step, &memory);
    thread_contexts_close(contexts, CONTEXTS);
    free(expected);
    return failed;
}
