/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Steps in boxes that are tilted by up to millions of widths, where codes of images count reduced edges. Guards that
 * such a step has the bits of a sequential event queue in the same box; that in boxes of less tilt it has the bits of a
 * queue that counts the caller's edges; and that the same lattice given by short edges gives the same motion. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

#include "kernel/impacts/step.h"
#include "kernel/scene/random.h"
#include "kernel/world/wrap.h"
#include "tests/support/check.h"
#include "tests/support/event_queue.h"
#include "tests/support/note.h"
#include "tests/support/queue_mirror.h"

enum { CASES = 400, STEPS = 3, EVENTS_MOST = 1 << 16, CONTEXTS = 3, BODIES_MOST = 12, GRID_MOST = 5 };

static carom_context *contexts[CONTEXTS];
static carom_memory memory;
static carom_impacts_step step;
static queue_world queue;
static queue_mirror mirror;
static queue_event expected[EVENTS_MOST];
static uint64_t impacts;
static uint64_t far_impacts; /* of images more than CAROM_IMAGE_MOST edges away */

static double uniform(carom_random *random, double lo, double hi) {
    return lo + (hi - lo) * carom_random_u01(random);
}

static uint32_t below(carom_random *random, uint32_t count) {
    return (uint32_t)(carom_random_next(random) % count);
}

/* A box of short edges, and the same lattice given by edges that are tilted by up to `most` widths. */
typedef struct boxes {
    carom_periodic plain;
    carom_periodic tilted;
    carom_lattice lattice; /* of the tilted one */
    carom_periodic reduced;
} boxes;

/* Adds whole multiples of one edge to another. Numbers lie on a grid, so that all sums are exact. */
static void shear(boxes *b, carom_random *random, double most) {
    const uint32_t to = below(random, 3);
    const uint32_t from = (to + 1 + below(random, 2)) % 3;
    const double times = rint(uniform(random, -most, most));
    for (int a = 0; a < 3 && b->plain.along[to] && b->plain.along[from]; a++) {
        b->tilted.edge[to][a] += times * b->tilted.edge[from][a];
    }
}

static boxes boxes_make(carom_random *random, double most, uint32_t shears, bool grid) {
    boxes b = {.plain = carom_periodic_default()};
    const uint32_t open = below(random, 6);
    for (uint32_t e = 0; e < 3; e++) {
        b.plain.along[e] = e != open;
        for (uint32_t a = 0; a <= e; a++) {
            b.plain.edge[e][a] = a == e ? 8.0 + rint(16.0 * uniform(random, 0.0, 2.0)) / 16.0
                                        : rint(16.0 * uniform(random, -2.0, 2.0)) / 16.0;
        }
    }
    for (uint32_t e = 0; e < 3 && grid; e++) {
        for (uint32_t a = 0; a <= e; a++) {
            b.plain.edge[e][a] = a == e ? 4.0 : 0.0;
        }
    }
    b.tilted = b.plain;
    while (shears-- > 0) {
        shear(&b, random, most);
    }
    assert_int_equal(carom_lattice_make(&b.tilted, &b.lattice, NULL), CAROM_OK);
    b.reduced = carom_shift_reduced(&b.lattice);
    return b;
}

/* On a grid many impacts happen at once, some of them of one pair at several images. */
static void add_bodies(const boxes *b, carom_random *random, uint32_t count, bool grid) {
    for (uint32_t n = 0; n < count; n++) {
        double x[3] = {0.0, 0.0, 0.0};
        double v[3];
        for (int e = 0; e < 3; e++) {
            const double share = uniform(random, 0.0, 1.0);
            for (int a = 0; a < 3; a++) {
                x[a] += share * b->plain.edge[e][a];
            }
        }
        for (int a = 0; a < 3; a++) {
            x[a] = grid ? rint(x[a]) : x[a];
            v[a] = grid ? (double)below(random, 3) - 1.0 : uniform(random, -4.0, 4.0);
        }
        queue_add(&queue, x, v, grid ? 0.5 + 0.5 * below(random, 3) : uniform(random, 0.5, 2.0), 1.0, 1.0);
    }
}

static void keep_event(void *user, const queue_event *event) {
    (void)user;
    if (queue.impacts <= EVENTS_MOST) {
        expected[queue.impacts - 1] = *event;
    }
    bool is_far = false;
    for (int e = 0; e < 3; e++) {
        is_far = is_far || abs(event->shift[e]) > CAROM_IMAGE_MOST;
    }
    far_impacts += is_far;
}

static void start_queue(carom_random *random, const boxes *b, uint32_t count, bool grid) {
    memset(&queue, 0, sizeof queue);
    queue.rules.budget = 200;
    queue.on_event = keep_event;
    add_bodies(b, random, count, grid);
}

/* By edges of the plain box, from the last on: their numbers lie below a diagonal. */
static void wrap_bodies(const boxes *b) {
    for (int e = 2; e >= 0; e--) {
        for (uint32_t n = 0; n < queue.bodies && b->plain.along[e]; n++) {
            const double edges = floor(queue.piece[n].x[e] / b->plain.edge[e][e]);
            for (int a = 0; a < 3; a++) {
                queue.piece[n].x[a] -= edges * b->plain.edge[e][a];
            }
        }
    }
}

/* A step of the library's, whose codes count reduced edges, beside the queue's own. */
static void check_step(uint64_t number, const boxes *b, carom_random *random) {
    queue_mirror_make(&mirror, &queue, random);
    mirror.bodies.periodic = &b->reduced;
    mirror.bodies.lattice = &b->lattice;
    step.windows = 1u << below(random, 4);
    step.row_long = 4 * below(random, 2);
    step.tight = below(random, 2) == 1;
    const queue_stepper stepper = {&step, &memory, contexts[number % CONTEXTS]};
    queue_mirror_step(&mirror, &queue, &stepper, expected);
    impacts += queue.impacts;
    wrap_bodies(b);
}

static void run_tilted(uint64_t number) {
    static const double tilts[] = {20.0, 1000.0, 1e6};
    carom_random random = carom_random_seeded(note_case_seed(number));
    const double most = tilts[number % 3];
    const bool grid = number % 4 == 0;
    const boxes b = boxes_make(&random, most, number % 3 == 2 ? 1 : 1 + below(&random, 2), grid);
    start_queue(&random, &b, 1 + below(&random, grid ? GRID_MOST : BODIES_MOST), grid);
    queue.periodic = &b.reduced;
    queue.lattice = &b.lattice;
    queue.images = 2;
    note_case(number, "%u bodies, tilted by up to %g widths", queue.bodies, most);
    for (uint32_t s = 0; s < STEPS; s++) {
        check_step(number, &b, &random);
    }
}

static void test_against_queue(void **state) {
    (void)state;
    impacts = far_impacts = 0;
    note_each_case(CASES, run_tilted);
    print_message("%" PRIu64 " impacts, %" PRIu64 " of them with far images\n", impacts, far_impacts);
    assert_true(note_only_case() != UINT64_MAX || far_impacts > 0);
}

/* The queue counts the caller's edges, as steps in such boxes always did. */
static void run_mild(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number) + 1);
    const boxes b = boxes_make(&random, 3.0, 1, number % 2 == 0);
    start_queue(&random, &b, 1 + below(&random, 5), number % 2 == 0);
    queue.periodic = &b.tilted;
    queue.images = 8;
    note_case(number, "%u bodies in a box of little tilt", queue.bodies);
    for (uint32_t s = 0; s < STEPS; s++) {
        check_step(number, &b, &random);
    }
}

static void test_old_bits(void **state) {
    (void)state;
    impacts = 0;
    note_each_case(CASES / 4, run_mild);
    assert_true(note_only_case() != UINT64_MAX || impacts > 0);
}

/* Arrays of a caller's. */
typedef struct gas {
    double x[3][BODIES_MOST];
    double v[3][BODIES_MOST];
    double radius[BODIES_MOST];
    uint32_t count;
    carom_step_report done;
    carom_event event[EVENTS_MOST];
} gas;

static gas two[2];
static uint64_t all;

static void take_gas(gas *g) {
    g->count = queue.bodies;
    for (uint32_t n = 0; n < queue.bodies; n++) {
        g->radius[n] = queue.body[n].radius;
        for (int a = 0; a < 3; a++) {
            g->x[a][n] = queue.piece[n].x[a];
            g->v[a][n] = queue.piece[n].v[a];
        }
    }
}

static void step_gas(gas *g, const carom_periodic *box, carom_context *context) {
    carom_motion_f64 motion = {.count = g->count,
                               .position = {g->x[0], g->x[1], g->x[2]},
                               .velocity = {g->v[0], g->v[1], g->v[2]},
                               .radius = g->radius};
    carom_step_config config = carom_step_config_default();
    carom_error error = {.message = ""};
    config.dt = 0.5;
    config.periodic = box;
    config.events = true;
    memset(&g->done, 0, sizeof g->done);
    const carom_status status = carom_step_f64(context, &motion, &config, &g->done, &error);
    note_check(status == CAROM_OK, "%s", error.message);
    note_check(g->done.event_count <= EVENTS_MOST, "too many events");
    if (g->done.event_count > 0) {
        memcpy(g->event, g->done.event, g->done.event_count * sizeof *g->event);
    }
}

/* Far more than rounding comes to in so few impacts, and far less than a radius. */
static const double NEAR = 1e-5;

static double by_edges(const carom_periodic *box, const int32_t shift[3], int a) {
    double sum = 0.0;
    for (int e = 0; e < 3; e++) {
        sum += box->along[e] ? shift[e] * box->edge[e][a] : 0.0;
    }
    return sum;
}

/* From body i to the image of k, where both began, and to the point. */
static void places_of(const carom_periodic *box, const carom_event *e, double place[2][3]) {
    double x[2][3];
    for (int a = 0; a < 3; a++) {
        x[0][a] = queue.piece[e->i].x[a];
        x[1][a] = queue.piece[e->k].x[a];
    }
    carom_lattice lattice;
    assert_int_equal(carom_lattice_make(box, &lattice, NULL), CAROM_OK);
    (void)carom_wrap_position(&lattice, x[0]);
    (void)carom_wrap_position(&lattice, x[1]);
    for (int a = 0; a < 3; a++) {
        place[0][a] = x[1][a] + by_edges(box, e->shift, a) - x[0][a];
        place[1][a] = e->point[a] - x[0][a];
    }
}

/* A body may lie in another cell: the same lattice can have several reduced bases. */
static void check_place(const boxes *b, uint32_t n) {
    double apart[3];
    double nearest[3];
    for (int a = 0; a < 3; a++) {
        apart[a] = two[0].x[a][n] - two[1].x[a][n];
    }
    carom_lattice_nearest(&b->lattice, apart, nearest);
    for (int a = 0; a < 3; a++) {
        note_check(fabs(apart[a] - nearest[a]) < NEAR && fabs(two[0].v[a][n] - two[1].v[a][n]) < NEAR,
                   "body %u is %g from where it should be", n, apart[a] - nearest[a]);
    }
}

static bool is_alone(const gas *g, uint64_t n) {
    const carom_event *e = g->event;
    return !(n > 0 && e[n].t == e[n - 1].t) && !(n + 1 < g->done.event_count && e[n].t == e[n + 1].t);
}

/* Bodies that touch several others in one moment: there a velocity that nearly vanishes, and so rounding, may decide
 * who hits whom next, and nothing after it is alike. */
static bool is_decided_by_rounding(uint64_t n) {
    return !is_alone(&two[0], n) && !is_alone(&two[1], n);
}

static void compare_events(const boxes *b, uint64_t n) {
    const carom_event *e = &two[0].event[n];
    const carom_event *k = &two[1].event[n];
    double place[2][2][3];
    note_check(e->i == k->i && e->k == k->k, "impact %" PRIu64 " is of other bodies", n);
    places_of(&b->tilted, e, place[0]);
    places_of(&b->reduced, k, place[1]);
    for (int a = 0; a < 3; a++) {
        note_check(fabs(e->normal[a] - k->normal[a]) < NEAR, "impact %" PRIu64 " has another normal", n);
        note_check(fabs(place[0][0][a] - place[1][0][a]) < NEAR, "impact %" PRIu64 " is with another image", n);
        note_check(fabs(place[0][1][a] - place[1][1][a]) < NEAR, "impact %" PRIu64 " is elsewhere", n);
    }
}

/* Returns how many impacts are alike: all, but where rounding decides. */
static uint64_t compare(const boxes *b) {
    const uint64_t count[2] = {two[0].done.event_count, two[1].done.event_count};
    for (uint64_t n = 0; n < count[0] && n < count[1]; n++) {
        const bool same = two[0].event[n].i == two[1].event[n].i && two[0].event[n].k == two[1].event[n].k;
        if (!same && is_decided_by_rounding(n)) {
            return n;
        }
        compare_events(b, n);
    }
    note_check(count[0] == count[1], "%" PRIu64 " impacts, not %" PRIu64, count[0], count[1]);
    for (uint32_t n = 0; n < two[0].count; n++) {
        check_place(b, n);
    }
    return count[0];
}

/* Edges off the grid: sums of the caller's are rounded, and nearly cancel. */
static void leave_grid(boxes *b) {
    for (int e = 0; e < 3; e++) {
        for (int a = 0; a < 3; a++) {
            b->plain.edge[e][a] *= 1.1;
            b->tilted.edge[e][a] *= 1.1;
        }
    }
    assert_int_equal(carom_lattice_make(&b->tilted, &b->lattice, NULL), CAROM_OK);
    b->reduced = carom_shift_reduced(&b->lattice);
}

static void run_same(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number) + 2);
    boxes b = boxes_make(&random, number % 2 == 0 ? 30.0 : 2000.0, 2, false);
    leave_grid(&b);
    start_queue(&random, &b, 2 + below(&random, BODIES_MOST - 1), false);
    take_gas(&two[0]);
    take_gas(&two[1]);
    note_case(number, "%u bodies, the same lattice twice", queue.bodies);
    if (!carom_shift_is_tilted(&b.lattice)) {
        return; /* such a step may be refused */
    }
    step_gas(&two[0], &b.tilted, contexts[number % CONTEXTS]);
    step_gas(&two[1], &b.reduced, contexts[0]);
    impacts += compare(&b);
    all += two[0].done.event_count;
}

static void test_same_lattice(void **state) {
    (void)state;
    impacts = all = 0;
    note_each_case(CASES, run_same);
    print_message("%" PRIu64 " of %" PRIu64 " impacts are alike\n", impacts, all);
    assert_true(note_only_case() != UINT64_MAX || (impacts > 0 && impacts > all - all / 10));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_queue), cmocka_unit_test(test_old_bits),
                                       cmocka_unit_test(test_same_lattice)};
    note_start("test_step_tilts");
    carom_context_config config = carom_context_config_default();
    config.bodies_per_thread = 1;
    carom_memory_init(&memory, NULL, 0);
    for (uint32_t n = 0; n < CONTEXTS; n++) {
        config.threads = n + 1;
        assert_int_equal(carom_context_create(&config, &contexts[n], NULL), CAROM_OK);
    }
    const int failed = cmocka_run_group_tests_name("step tilts", tests, NULL, NULL);
    carom_impacts_step_release(&step, &memory);
    for (uint32_t n = 0; n < CONTEXTS; n++) {
        carom_context_destroy(contexts[n]);
    }
    return failed;
}
