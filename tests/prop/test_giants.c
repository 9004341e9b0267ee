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

/* A slow one beside it, whose hull few bodies are near. */
static void add_pusher(carom_random *random) {
    const double radius = 0.2;
    const double speed = uniform(random, 0.5, 3.0);
    double from[3];
    for (int a = 0; a < 3; a++) {
        from[a] = uniform(random, -1.0, 1.0);
    }
    const double length = hypot(hypot(from[0], from[1]), from[2]);
    const double apart = queue.body[0].radius + radius + uniform(random, 0.0, 0.2);
    double x[3];
    double v[3];
    for (int a = 0; a < 3; a++) {
        x[a] = queue.piece[0].x[a] + apart / length * from[a];
        v[a] = queue.piece[0].v[a] - speed / length * from[a];
    }
    queue_add(&queue, x, v, radius, uniform(random, 10.0, 1000.0), 1.0);
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
    const double size = 9.0;
    const carom_piece centre = {.x = {size / 2.0, size / 2.0, size / 2.0}};
    if (number % 8 == 1) {
        make_box(size, number % 16 == 1);
    } else if (number % 4 != 0) {
        add_walls(size);
    }
    const uint32_t giants = 1 + below(&random, 2);
    for (uint32_t n = 0; n < giants; n++) {
        add_body(&random, &k, uniform(&random, 1.5, 3.0), &centre, size / 8.0, number % 2 == 0 ? 0.0 : 1.5);
    }
    (number % 3 == 0 ? add_bullet : add_pusher)(&random);
    while (queue.bodies < SPARSE_BODIES) {
        carom_piece place = {.start = 0.0};
        for (int a = 0; a < 3; a++) {
            place.x[a] = uniform(&random, 0.1, size - 0.1);
        }
        const double radius = uniform(&random, 0.005, 0.03);
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
        note_case(number,
                  "step %u of %u bodies and %u surfaces in %u windows and chunks of %u on %u threads, budget %u", s,
                  queue.bodies, queue.surfaces, step.windows, step.chunk, threads[choice], queue.rules.budget);
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
