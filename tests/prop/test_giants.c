/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Steps of random worlds of a few giants, each with dust around and within it that goes its way until something hits
 * the giant, against a sequential event queue: the same impacts with the same bits. Giants have long rows, so that dust
 * in no group is a bystander of theirs (kernel/impacts/bystanders.h), and several giants may hit the same. Guards that
 * bystanders join groups when one queue for all has their first impact, and meet all that they meet there. Where dust
 * is sparse they join without the group being simulated again, which is counted. */
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

enum {
    WORLDS = 64,
    SPARSE_WORLDS = 64,
    STEPS = 3,
    EVENTS_MOST = 1 << 20,
    CONTEXTS = 4,
    GIANTS_MOST = 4,
    BODIES_MOST = 200,
    SPARSE_BODIES = 320,
    PUSHERS = 4,
    FAULTS_MOST = 400,
    MEMORY_BUDGET = 4
};

static const uint32_t threads[CONTEXTS] = {1, 2, 3, 8};

static queue_world queue;
static queue_mirror mirror;
static queue_event *expected;
static carom_context *contexts[CONTEXTS];
static carom_periodic box;
static carom_memory memory;
static carom_impacts_step step;
static uint64_t impacts;
static uint64_t joined;

static double uniform(carom_random *random, double lo, double hi) {
    return lo + (hi - lo) * carom_random_u01(random);
}

static uint32_t below(carom_random *random, uint32_t count) {
    return (uint32_t)(carom_random_next(random) % count);
}

/* What bodies of a world have in common. */
typedef struct kind {
    bool lattice;       /* all numbers are small, so that many impacts happen at one time */
    bool heavy;         /* masses are as volumes, not all 1 */
    double speed;       /* of dust, as seen from the giant that it is near */
    double restitution; /* less than 0: each body has its own */
} kind;

/* A body within `room` of a place on each axis, and within `speed` of a velocity. */
static void add_body(carom_random *random, const kind *k, double radius, const carom_piece *about, double room,
                     double speed) {
    static const double restitutions[] = {1.0, 0.9, 0.5, 0.0};
    double x[3];
    double v[3];
    for (int a = 0; a < 3; a++) {
        x[a] = about->x[a] + uniform(random, -room, room);
        v[a] = about->v[a] + uniform(random, -speed, speed);
        if (k->lattice) {
            x[a] = floor(2.0 * x[a]) / 2.0;
            v[a] = floor(8.0 * v[a]) / 8.0;
        }
    }
    const double own = restitutions[below(random, 4)];
    queue_add(&queue, x, v, radius, k->heavy ? 8.0 * radius * radius * radius : 1.0,
              k->restitution < 0.0 ? own : k->restitution);
}

/* A fast body that hits the first giant: what goes along with that is far from all else that has an impact. */
static void add_bullet(carom_random *random) {
    const double speed = uniform(random, 3.0, 12.0);
    double x[3];
    double v[3];
    for (int a = 0; a < 3; a++) {
        const double from = uniform(random, -1.0, 1.0);
        x[a] = queue.piece[0].x[a] + 3.0 * from;
        v[a] = -speed * from;
    }
    queue_add(&queue, x, v, 0.2, uniform(random, 0.1, 10.0), 1.0);
}

/* One beside it that turns its path a little, so that it stays in its hull. */
static void add_pusher(carom_random *random) {
    const double radius = 0.2;
    const double speed = uniform(random, 0.5, 2.0);
    const double mass = uniform(random, 0.05, 0.3) / queue.body[0].inverse_mass;
    double from[3];
    for (int a = 0; a < 3; a++) {
        from[a] = uniform(random, -1.0, 1.0);
    }
    const double length = hypot(hypot(from[0], from[1]), from[2]);
    const double apart = queue.body[0].radius + radius + uniform(random, 0.0, 1.5);
    double x[3];
    double v[3];
    for (int a = 0; a < 3; a++) {
        x[a] = queue.piece[0].x[a] + apart / length * from[a];
        v[a] = queue.piece[0].v[a] - speed / length * from[a];
    }
    queue_add(&queue, x, v, radius, mass, 1.0);
}

static void add_walls(double size) {
    for (int n = 0; n < 6; n++) {
        carom_surface wall = {.kind = CAROM_SURFACE_PLANE, .restitution = 1.0};
        wall.at[n / 2] = n % 2 == 0 ? 0.0 : size;
        for (int a = 0; a < 3; a++) {
            wall.axis[a][(n / 2 + a) % 3] = a == 0 && n % 2 == 1 ? -1.0 : 1.0;
        }
        queue.surface[queue.surfaces++] = wall;
    }
}

static void make_box(double size, bool tilted) {
    box = carom_periodic_default();
    for (int e = 0; e < 3; e++) {
        box.along[e] = true;
        box.edge[e][e] = size;
    }
    box.edge[2][0] = tilted ? 3.0 : 0.0;
    queue.periodic = &box;
    queue.images = 2;
}

static void make_crowded_world(uint64_t number) {
    static const double restitutions[] = {1.0, 1.0, 0.5, 0.0, -1.0};
    static const double speeds[] = {0.0, 0.0, 0.001, 0.05};
    static const uint32_t budgets[] = {1000, 60, 8, 2};
    carom_random random = carom_random_seeded(note_case_seed(number));
    memset(&queue, 0, sizeof queue);
    queue.rules.budget = budgets[below(&random, 4)];
    queue.on_event = NULL;
    const kind k = {number % 5 == 0, number % 3 != 0, speeds[below(&random, 4)], restitutions[below(&random, 5)]};
    const double size = number % 2 == 0 ? 12.0 : 7.0;
    const bool slow = number % 5 == 1 || number % 5 == 2;
    if (number % 8 == 1) {
        make_box(size, number % 16 == 1);
    } else if (number % 4 == 3) {
        add_walls(size);
    }
    const carom_piece centre = {.x = {size / 2.0, size / 2.0, size / 2.0}};
    const uint32_t giants = 2 + below(&random, GIANTS_MOST - 1);
    for (uint32_t n = 0; n < giants; n++) {
        add_body(&random, &k, k.lattice ? 1.5 : uniform(&random, 0.8, 2.0), &centre, size / 3.0,
                 number % 3 == 2 && queue.periodic == NULL ? 4.0 : 1.0);
    }
    const uint32_t dust = (queue.periodic != NULL ? 40 : 80) * giants;
    const double widest = slow ? 0.03 : uniform(&random, 0.05, 0.45);
    for (uint32_t n = 0; n < dust && queue.bodies < BODIES_MOST; n++) {
        const uint32_t giant = n % giants;
        add_body(&random, &k, k.lattice ? 0.25 : uniform(&random, 0.02, widest), &queue.piece[giant],
                 queue.body[giant].radius, slow ? 0.0 : k.speed);
    }
    if (slow) {
        add_bullet(&random);
    }
}

/* Whether a body would touch one that is there. */
static bool is_taken(const double x[3], double radius) {
    for (uint32_t n = 0; n < queue.bodies; n++) {
        const double *y = queue.piece[n].x;
        if (hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]) <= queue.body[n].radius + radius) {
            return true;
        }
    }
    return false;
}

/* Dust around giants, outside of them, so far apart that hulls of dust seldom meet: what a giant hits joins its group
 * alone. */
static void make_sparse_world(uint64_t number) {
    static const double restitutions[] = {1.0, 0.7, 0.0, -1.0};
    carom_random random = carom_random_seeded(note_case_seed(number));
    memset(&queue, 0, sizeof queue);
    queue.rules.budget = number % 7 == 0 ? 3 : 1000;
    const kind k = {false, number % 5 != 0, 0.0, restitutions[below(&random, 4)]};
    const double size = 7.0;
    const carom_piece centre = {.x = {size / 2.0, size / 2.0, size / 2.0}};
    if (number % 8 == 1) {
        make_box(size, number % 16 == 1);
    } else if (number % 4 != 0) {
        add_walls(size);
    }
    const uint32_t giants = 1 + below(&random, 2);
    for (uint32_t n = 0; n < giants; n++) {
        add_body(&random, &k, uniform(&random, 1.5, 3.0), &centre, size / 8.0, 1.5);
    }
    for (uint32_t n = 0; n < PUSHERS; n++) {
        (number % 8 == 0 ? add_bullet : add_pusher)(&random);
    }
    while (queue.bodies < SPARSE_BODIES) {
        carom_piece place = {.start = 0.0};
        for (int a = 0; a < 3; a++) {
            place.x[a] = uniform(&random, 0.1, size - 0.1);
        }
        const double radius = uniform(&random, 0.01, 0.08);
        if (!is_taken(place.x, radius)) {
            add_body(&random, &k, radius, &place, 0.0, number % 3 == 0 ? 0.01 : 0.0);
        }
    }
}

static void keep_event(void *user, const queue_event *event) {
    (void)user;
    if (queue.impacts <= EVENTS_MOST) {
        expected[queue.impacts - 1] = *event;
    }
}

static void check_steps(uint64_t number) {
    static bool wrapped[QUEUE_BODIES_MAX];
    carom_random random = carom_random_seeded(note_case_seed(number) + 1);
    queue.on_event = keep_event;
    const uint32_t choice = (uint32_t)(number % (2 * CONTEXTS)) < CONTEXTS ? (uint32_t)(number % CONTEXTS) : 0;
    for (uint32_t s = 0; s < STEPS; s++) {
        step.windows = (uint32_t)((number + s) % 3 == 0 ? 0 : 1u << (number + s) % 4);
        step.chunk = (uint32_t)(number % 3);
        step.row_long = number / 4 % 2 == 0 ? 0 : 4;
        step.tight = number / 8 % 2 == 1;
        note_case(number,
                  "step %u of %u bodies and %u surfaces in %u windows and chunks of %u, long rows %u, %s hulls, on %u "
                  "threads, budget %u",
                  s, queue.bodies, queue.surfaces, step.windows, step.chunk, step.row_long,
                  step.tight ? "tight" : "wide", threads[choice], queue.rules.budget);
        queue_mirror_make(&mirror, &queue, &random);
        const queue_stepper stepper = {&step, &memory, contexts[choice]};
        queue_mirror_step(&mirror, &queue, &stepper, expected);
        joined += step.work.joined;
        impacts += queue.impacts;
        (void)queue_wrap(&queue, wrapped);
    }
}

static void check_crowded_world(uint64_t number) {
    make_crowded_world(number);
    check_steps(number);
}

static void check_sparse_world(uint64_t number) {
    make_sparse_world(number);
    check_steps(number);
}

static void test_crowded(void **state) {
    (void)state;
    note_each_case(WORLDS, check_crowded_world);
    print_message("%g impacts\n", (double)impacts);
}

static void test_sparse(void **state) {
    (void)state;
    impacts = joined = 0;
    note_each_case(SPARSE_WORLDS, check_sparse_world);
    print_message("%g impacts, %g joined\n", (double)impacts, (double)joined);
    if (note_only_case() == UINT64_MAX) {
        assert_true(joined > note_cases(SPARSE_WORLDS) / 2);
    }
}

/* A giant among dust beside its path, and two as heavy behind it, in line: the first one hits the giant at a time, the
 * second one the first some time later, and then that hits the giant again. The giant goes at `speed[0]`, and then as
 * fast as the first one did, and as the second one. */
static void make_cradle(const double speed[3], double at, double later) {
    carom_random random = carom_random_seeded(1);
    memset(&queue, 0, sizeof queue);
    queue.rules.budget = 1000;
    queue.on_event = keep_event;
    const double apart[] = {0.0, 2.2 + at * (speed[1] - speed[0]),
                            0.4 + at * (speed[2] - speed[1]) + later * (speed[2] - speed[0])};
    double x = 0.0;
    for (int n = 0; n < 3; n++) {
        x -= apart[n];
        queue_add(&queue, (const double[3]){x, 0.0, 0.0}, (const double[3]){speed[n], 0.0, 0.0}, n == 0 ? 2.0 : 0.2,
                  1000.0, 1.0);
    }
    while (queue.bodies < 100) {
        const double side = queue.bodies % 2 == 0 ? 1.0 : -1.0;
        const double dust[3] = {uniform(&random, -1.0, 2.0), side * uniform(&random, 1.7, 1.9),
                                uniform(&random, 1.7, 1.9)};
        queue_add(&queue, dust, (const double[3]){0.0, 0.0, 0.0}, 0.01, 1e-3, 1.0);
    }
}

static void check_step(uint32_t windows, carom_context *context) {
    carom_random random = carom_random_seeded(2);
    step.windows = windows;
    step.chunk = step.row_long = 0;
    step.tight = false;
    queue_mirror_make(&mirror, &queue, &random);
    const queue_stepper stepper = {&step, &memory, context};
    queue_mirror_step(&mirror, &queue, &stepper, expected);
}

/* How often two bodies have hit each other. */
static uint32_t hits(uint32_t i, uint32_t k) {
    uint32_t count = 0;
    for (uint64_t n = 0; n < queue.impacts; n++) {
        count += expected[n].i == i && expected[n].k == k ? 1 : 0;
    }
    return count;
}

/* A giant that has left its hull grazes a body outside of that before it is hit again and leaves the body behind. */
static void test_grazed_outside(void **state) {
    (void)state;
    note_case(0, "a giant grazes a body outside of its hull");
    make_cradle((const double[3]){0.1, 2.6, 2.9}, 0.05, 0.094);
    const uint32_t hit = queue.bodies;
    queue_add(&queue, (const double[3]){2.16, 1.95, 0.0}, (const double[3]){0.0, 0.0, 0.0}, 0.01, 1e-3, 1.0);
    check_step(1, contexts[0]);
    assert_int_equal(hits(0, hit), 1);
}

/* A giant among dust beside its path, which a bullet drives along y, to the middle. */
static void add_driven(carom_random *random, double x, double side) {
    static const double rest[3] = {0.0, 0.0, 0.0};
    queue_add(&queue, (const double[3]){x, 3.0 * side, 0.0}, rest, 2.0, 1.0, 1.0);
    queue_add(&queue, (const double[3]){x, 11.2 * side, 0.0}, (const double[3]){0.0, -10.0 * side, 0.0}, 0.2, 1.0, 1.0);
    for (int n = 0; n < 70; n++) {
        const double beside = n % 2 == 0 ? 1.0 : -1.0;
        const double dust[3] = {x + beside * uniform(random, 1.6, 1.9), 3.0 * side + uniform(random, -1.5, 1.5),
                                uniform(random, 1.6, 1.9)};
        queue_add(&queue, dust, rest, 0.01, 1.0, 1.0);
    }
}

/* Two giants at once hold a grain that has had one impact of two: what one of their groups makes of it is not seen by
 * the other, which may be simulated by another thread. */
static void test_held_by_two(void **state) {
    enum { PLACES = 4 };
    (void)state;
    carom_random random = carom_random_seeded(3);
    note_case(0, "two giants hold a bystander");
    memset(&queue, 0, sizeof queue);
    queue.rules.budget = 2;
    queue.on_event = keep_event;
    for (uint32_t n = 0; n < PLACES; n++) {
        const double x = 60.0 * n;
        add_driven(&random, x, -1.0);
        add_driven(&random, x, 1.0);
        queue_add(&queue, (const double[3]){x, 0.0, 0.0}, (const double[3]){0.0, 0.0, 0.0}, 0.05, 1.0, 1.0);
        queue_add(&queue, (const double[3]){x, 0.15, 0.0}, (const double[3]){0.0, -0.3, 0.0}, 0.05, 1.0, 1.0);
    }
    check_step(2, contexts[CONTEXTS - 1]);
    assert_true(queue.impacts >= 4 * PLACES);
}

/* Memory gives out at one allocation of a step or another. The step then says so, and runs when there is memory. It
 * runs hundreds of times, so its budget is small. */
static void check_memory(uint64_t number) {
    carom_random random = carom_random_seeded(number);
    bool refused = true;
    for (uint64_t n = 1; refused && n <= FAULTS_MOST; n++) {
        fault_allocator faults;
        fault_allocator_init(&faults);
        const carom_allocator allocator = fault_allocator_get(&faults);
        carom_memory own;
        carom_memory_init(&own, &allocator, 0);
        carom_impacts_step small = {.windows = 2};
        fault_allocator_fail(&faults, n, true);
        make_crowded_world(number);
        queue.rules.budget = MEMORY_BUDGET;
        queue_mirror_make(&mirror, &queue, &random);
        note_case(number, "allocation %g fails", (double)n);
        carom_status status = carom_impacts_step_run(&small, &own, contexts[number % 2], &mirror.bodies, NULL);
        refused = faults.requests >= n;
        note_check(status == (refused ? CAROM_ERROR_MEMORY : CAROM_OK), "%s", carom_status_name(status));
        fault_allocator_fail(&faults, 0, false);
        queue_mirror_make(&mirror, &queue, &random);
        status = carom_impacts_step_run(&small, &own, contexts[number % 2], &mirror.bodies, NULL);
        note_check(status == CAROM_OK, "%s when there is memory again", carom_status_name(status));
        carom_impacts_step_release(&small, &own);
        note_check(faults.live_blocks == 0 && faults.damages == 0, "%g blocks are left, %g damaged",
                   (double)faults.live_blocks, (double)faults.damages);
    }
}

static void test_memory_gives_out(void **state) {
    (void)state;
    note_each_case(4, check_memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_crowded), cmocka_unit_test(test_sparse),
                                       cmocka_unit_test(test_held_by_two), cmocka_unit_test(test_grazed_outside),
                                       cmocka_unit_test(test_memory_gives_out)};
    note_start("test_giants");
    expected = malloc(EVENTS_MOST * sizeof *expected);
    if (expected == NULL) {
        return 1;
    }
    carom_memory_init(&memory, NULL, 0);
    thread_contexts_open(contexts, threads, CONTEXTS, 1);
    const int failed = cmocka_run_group_tests_name("giants", tests, NULL, NULL);
    carom_impacts_step_release(&step, &memory);
    thread_contexts_close(contexts, CONTEXTS);
    free(expected);
    return failed;
}
