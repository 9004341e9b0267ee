/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Steps that are hard: a body that crosses a million radii through thin gaps, bodies between walls that close, and a
 * crystal at contact that is hit, and a body that hits one that is held. What must happen is known, and is bit for bit
 * what a sequential event queue has, for every number of threads and of windows. Guards that nothing is missed,
 * tunnels, hangs or becomes NaN. */
#include <float.h>
#include <math.h>
#include <string.h>

#include <carom/carom.h>

#include "kernel/scene/random.h"
#include "tests/support/check.h"
#include "tests/support/note.h"
#include "tests/support/queue_trial.h"

/* A random order of `count` numbers. */
static void shuffle(uint32_t *order, uint32_t count, carom_random *random) {
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t other = (uint32_t)(carom_random_next(random) % (n + 1));
        order[n] = order[other];
        order[other] = n;
    }
}

enum { ROW = 60 };
static const double MILLION = 1e6;

/* The fast body stops at its first impact, and its motion runs through a row of equal bodies with gaps of 1e-6 to 1
 * radii between them. The bodies' indices say nothing of their places. */
static void check_row(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    uint32_t order[ROW]; /* place to index */
    double place[ROW];
    double gaps[ROW] = {0.0}; /* that are crossed until a place is reached */
    shuffle(order, ROW, &random);
    queue_trial_begin(100);
    for (uint32_t n = 0; n < ROW; n++) {
        const double gap = pow(10.0, -6.0 * carom_random_u01(&random));
        place[n] = n == 0 ? 0.0 : place[n - 1] + 2.0 + gap;
        gaps[n] = n == 0 ? 0.0 : gaps[n - 1] + (place[n] - place[n - 1] - 2.0);
    }
    for (uint32_t index = 0; index < ROW; index++) {
        uint32_t n = 0;
        while (order[n] != index) {
            n++;
        }
        const double x[3] = {place[n], 0.0, 0.0};
        const double v[3] = {n == 0 ? MILLION : 0.0, 0.0, 0.0};
        queue_add(&queue_trial_before, x, v, 1.0, 1.0, 1.0);
    }
    queue_trial_step(number, "a row with thin gaps");
    note_check(queue_trial_after.impacts == ROW - 1, "%g impacts of %d", (double)queue_trial_after.impacts, ROW - 1);
    for (uint32_t n = 1; n < ROW; n++) {
        const queue_event *event = &queue_trial_event[n - 1];
        const uint32_t lesser = order[n - 1] < order[n] ? order[n - 1] : order[n];
        note_check(event->i == lesser && event->k == order[n - 1] + order[n] - lesser, "impact %u is of %u and %u", n,
                   event->i, event->k);
        note_check(fabs(event->t * MILLION - gaps[n]) < 1e-9, "impact %u is at %.17g, not %.17g", n, event->t,
                   gaps[n] / MILLION);
        note_check(queue_trial_after.piece[order[n]].v[0] == (n == ROW - 1 ? MILLION : 0.0), "body %u moves", order[n]);
    }
}

static void test_row(void **state) {
    (void)state;
    note_each_case(4, check_row);
}

enum { BOUNCES = 5000 };

/* The body crosses a million radii between two planes that leave it a gap of half a radius, and hits them in turn. */
static void test_slot(void **state) {
    (void)state;
    const double gap = 0.5;
    queue_trial_begin(10000);
    for (int side = 0; side < 2; side++) {
        carom_surface plane = {.kind = CAROM_SURFACE_PLANE, .restitution = 1.0};
        plane.at[1] = side == 0 ? 0.0 : 2.0 + gap;
        plane.axis[0][1] = side == 0 ? 1.0 : -1.0;
        plane.axis[1][2] = plane.axis[2][0] = 1.0;
        queue_trial_before.surface[queue_trial_before.surfaces++] = plane;
    }
    queue_add(&queue_trial_before, (double[3]){0.0, 1.0 + gap / 2, 0.0}, (double[3]){MILLION, gap * BOUNCES, 0.0}, 1.0,
              1.0, 1.0);
    queue_trial_step(0, "a slot");
    note_check(queue_trial_after.impacts == BOUNCES, "%g impacts of %d", (double)queue_trial_after.impacts, BOUNCES);
    for (uint32_t n = 0; n < BOUNCES; n++) {
        note_check(queue_trial_event[n].k == QUEUE_SURFACE + (n + 1) % 2, "impact %u is with the same plane again", n);
        note_check(fabs(queue_trial_event[n].t - (n + 0.5) / BOUNCES) < 1e-10, "impact %u is at %.17g", n,
                   queue_trial_event[n].t);
    }
    note_check(fabs(queue_trial_before.piece[0].x[0] - MILLION) < 1e-6, "it came to %.17g",
               queue_trial_before.piece[0].x[0]);
}

enum { TARGETS = 3000 };

/* What stands in the way of a body of infinite mass: where, and when that body's surface comes to it. */
typedef struct target {
    double x[3];
    double t;
} target;

/* Places along the way, 1e-3 to 600 radii apart, and as far off the axis as 1.9 of the 2 radii at which bodies touch.
 */
static void place_targets(target *targets, carom_random *random) {
    double x = 10.0;
    for (uint32_t n = 0; n < TARGETS; n++) {
        const double off = 1.9 * sqrt(carom_random_u01(random));
        const double angle = 6.28 * carom_random_u01(random);
        const double reach = sqrt(4.0 - off * off);
        x += 1e-3 + (n % 3 == 0 ? 600.0 : 0.01) * carom_random_u01(random);
        /* First touched at `x`. */
        targets[n] = (target){{x + reach, off * cos(angle), off * sin(angle)}, x / MILLION};
    }
    assert_true(x < MILLION);
}

/* The fast body alone meets the others. It is the last, which come in a random order. */
static carom_world_f64 *make_world(carom_context *context, const target *targets, const uint32_t *order,
                                   carom_handle *handles) {
    static double x[3][TARGETS + 1];
    static double v[3][TARGETS + 1];
    static double radius[TARGETS + 1];
    static double mass[TARGETS + 1];
    static uint32_t category[TARGETS + 1];
    static uint32_t mask[TARGETS + 1];
    carom_world_f64 *world = NULL;
    carom_step_config config = carom_step_config_default();
    config.events = true;
    for (uint32_t n = 0; n <= TARGETS; n++) {
        const bool fast = n == TARGETS;
        for (int a = 0; a < 3; a++) {
            x[a][n] = fast ? 0.0 : targets[order[n]].x[a];
            v[a][n] = fast && a == 0 ? MILLION : 0.0;
        }
        radius[n] = 1.0;
        mass[n] = fast ? INFINITY : 1.0;
        category[n] = fast ? 2 : 1;
        mask[n] = fast ? 1 : 2;
    }
    const carom_world_bodies_f64 all = {.count = TARGETS + 1,
                                        .position = {x[0], x[1], x[2]},
                                        .velocity = {v[0], v[1], v[2]},
                                        .radius = radius,
                                        .mass = mass,
                                        .category = category,
                                        .mask = mask};
    assert_int_equal(carom_world_create_f64(context, &config, &world, NULL), CAROM_OK);
    assert_int_equal(carom_world_add_f64(world, &all, handles, NULL), CAROM_OK);
    return world;
}

/* A body of infinite mass hits each body in its way, once, when it comes to it. */
static void check_targets(uint64_t number) {
    static target targets[TARGETS];
    static uint32_t order[TARGETS];
    static carom_handle handles[TARGETS + 1];
    carom_random random = carom_random_seeded(note_case_seed(number));
    note_case(number, "targets, %u threads", queue_trial_threads[number % QUEUE_TRIAL_CONTEXTS]);
    place_targets(targets, &random);
    shuffle(order, TARGETS, &random);
    carom_world_f64 *world = make_world(queue_trial_context[number % QUEUE_TRIAL_CONTEXTS], targets, order, handles);
    carom_step_report report = {0};
    assert_int_equal(carom_world_step_f64(world, &report, NULL, NULL), CAROM_OK);
    note_check(report.impacts == TARGETS && report.event_count == TARGETS, "%g impacts of %d", (double)report.impacts,
               TARGETS);
    carom_handle by_place[TARGETS];
    for (uint32_t n = 0; n < TARGETS; n++) {
        by_place[order[n]] = handles[n];
    }
    for (uint32_t n = 0; n < TARGETS; n++) {
        const carom_event *event = &report.event[n];
        note_check(event->i == by_place[n] && event->k == handles[TARGETS], "impact %u is of another body", n);
        note_check(fabs(event->t - targets[n].t) < 1e-13, "impact %u is at %.17g, not %.17g", n, event->t,
                   targets[n].t);
    }
    carom_world_destroy_f64(world);
}

static void test_targets(void **state) {
    (void)state;
    note_each_case(4, check_targets);
}

/* Spheres of infinite mass, so large that they are walls to what is between them on the x axis. */
static const double WALL = 1000.0;
static const double HALF_GAP = 8.0; /* between the walls at first */

typedef struct squeeze {
    const char *name;
    double restitution;
    double closing; /* the way of each wall in a step */
    uint32_t between;
    double contact_time; /* in steps */
    uint32_t budget;
    bool crushes; /* in the first step */
} squeeze;

static const squeeze squeezes[] = {
    {"a body between walls that come near", 0.0, 6.0, 1, 0.0, 1000, false},
    {"five bodies between walls that come near", 0.0, 2.5, 5, 0.01, 1000, false},
    {"a crushed body", 0.0, 10.0, 1, 0.0, 1000, true},
    {"a crushed body, budget 3", 0.0, 10.0, 1, 0.0, 3, true},
    {"five crushed bodies", 0.0, 10.0, 5, 0.0, 1000, true},
    {"a crushed body that bounces", 0.5, 10.0, 1, 0.0, 1000, true},
    {"a crushed body that loses nothing", 1.0, 10.0, 1, 0.0, 1000, true},
    {"five crushed bodies that lose nothing", 1.0, 10.0, 5, 0.0, 100, true},
};
enum { SQUEEZES = sizeof squeezes / sizeof *squeezes, SQUEEZE_STEPS = 3 };

static void make_squeeze(const squeeze *s, carom_random *random) {
    queue_trial_begin(s->budget);
    queue_trial_before.rules.contact_time = s->contact_time;
    for (int side = -1; side <= 1; side += 2) {
        const double x[3] = {side * (WALL + HALF_GAP), 0.0, 0.0};
        const double v[3] = {-side * s->closing, 0.0, 0.0};
        queue_add(&queue_trial_before, x, v, WALL, INFINITY, s->restitution);
    }
    for (uint32_t n = 0; n < s->between; n++) {
        const double x[3] = {2.5 * (n - 0.5 * (s->between - 1)), 0.0, 0.0};
        const double v[3] = {20.0 * (carom_random_u01(random) - 0.5), 0.0, 0.0};
        queue_add(&queue_trial_before, x, v, 1.0, 1.0, s->restitution);
    }
}

/* How far from the middle a body's centre may be. One that does not bounce goes with a wall until both crush it in the
 * middle. Of those that are held before, each is where it was. */
static double farthest(const squeeze *s, uint32_t steps) {
    if (!s->crushes) {
        return HALF_GAP - steps * s->closing - 1.0;
    }
    return s->between == 1 && s->restitution == 0.0 ? 0.0 : HALF_GAP - 1.0;
}

/* Bodies that lose nothing become ever faster between the walls, and a place is as sure as the time of an impact. */
static double rounding_of_places(void) {
    double fastest = 0.0;
    for (uint32_t n = 2; n < queue_trial_before.bodies; n++) {
        fastest = fmax(fastest, fabs(queue_trial_before.piece[n].v[0]));
    }
    return 1e-9 + 4.0 * DBL_EPSILON * fastest;
}

/* Whoever is between the walls stays there, on the axis and in its place in the row. */
static void check_between(const squeeze *s, uint32_t steps) {
    const double rounding = rounding_of_places();
    for (uint32_t n = 2; n < queue_trial_before.bodies; n++) {
        const double *x = queue_trial_before.piece[n].x;
        note_check(fabs(x[0]) <= farthest(s, steps) + rounding, "body %u is at %.17g", n, x[0]);
        note_check(x[1] == 0.0 && x[2] == 0.0, "body %u left the axis", n);
        note_check(n == 2 || x[0] - queue_trial_before.piece[n - 1].x[0] > 2.0 - rounding, "body %u is %g in another",
                   n, 2.0 - (x[0] - queue_trial_before.piece[n - 1].x[0]));
    }
}

static void check_squeeze(uint64_t number) {
    const squeeze *s = &squeezes[number % SQUEEZES];
    carom_random random = carom_random_seeded(note_case_seed(number));
    make_squeeze(s, &random);
    for (uint32_t n = 1; n <= (s->crushes ? SQUEEZE_STEPS : 1); n++) {
        const uint64_t held = queue_trial_step(number, s->name);
        note_check((held > 0) == s->crushes && held <= s->between, "%g bodies are held", (double)held);
        note_check(queue_trial_after.impacts <= (uint64_t)s->budget * s->between, "%g impacts",
                   (double)queue_trial_after.impacts);
        check_between(s, n);
    }
}

static void test_closing_walls(void **state) {
    (void)state;
    for (uint64_t number = 0; number < SQUEEZES * 3; number++) {
        if (note_only_case() == UINT64_MAX || note_only_case() == number) {
            check_squeeze(number);
        }
    }
}

static void add_up(const queue_world *world, double momentum[3], double *energy) {
    momentum[0] = momentum[1] = momentum[2] = *energy = 0.0;
    for (uint32_t n = 0; n < world->bodies; n++) {
        for (int a = 0; a < 3; a++) {
            momentum[a] += world->piece[n].v[a] / world->body[n].inverse_mass;
            *energy += world->piece[n].v[a] * world->piece[n].v[a] / (2.0 * world->body[n].inverse_mass);
        }
    }
}

enum { CRYSTAL = 1000, SHORT = 5 };

/* A body that comes for a crystal: heavier and larger than those in it, so that it does not just send a shock through a
 * row. */
typedef struct blow {
    double x[3];
    double v[3];
    double radius;
    double mass;
    double restitution; /* of all bodies */
    uint32_t budget;
    uint32_t edge; /* of the crystal, in bodies */
} blow;

static const blow blows[] = {
    {{-3.0, 4.0, 4.0}, {60.0, 0.0, 0.0}, 0.5, 1.0, 1.0, 10000, 10}, /* along a row */
    {{-2.1, 4.5, 4.5}, {9.0, 0.0, 0.0}, 1.5, 16.0, 1.0, 10000, 10}, /* at four rows at once */
    {{-2.2, 2.3, 1.1}, {12.0, 2.0, 3.0}, 1.5, 16.0, 1.0, 10000, 10},
    {{-2.2, 2.3, 1.1}, {12.0, 2.0, 3.0}, 1.5, 16.0, 0.5, 50, 10},
    {{-2.2, 2.3, 1.1}, {12.0, 2.0, 3.0}, 1.5, 16.0, 0.5, 1000, 6}, /* windows are cut */
};
enum { BLOWS = sizeof blows / sizeof *blows };

/* A simple cubic lattice whose neighbours touch exactly, in a random order, and a body that comes for it. */
static void make_crystal(uint32_t edge, const blow *b, carom_random *random) {
    static uint32_t order[CRYSTAL];
    const double rest[3] = {0.0, 0.0, 0.0};
    queue_trial_begin(b->budget);
    shuffle(order, edge * edge * edge, random);
    for (uint32_t n = 0; n < edge * edge * edge; n++) {
        const double site[3] = {order[n] % edge, order[n] / edge % edge, order[n] / edge / edge};
        queue_add(&queue_trial_before, site, rest, 0.5, 1.0, b->restitution);
    }
    queue_add(&queue_trial_before, b->x, b->v, b->radius, b->mass, b->restitution);
}

static void check_crystal(uint64_t number) {
    const blow *b = &blows[number];
    const uint32_t edge = note_short() && b->edge > SHORT ? SHORT : b->edge;
    double momentum[2][3];
    double energy[2];
    carom_random random = carom_random_seeded(note_case_seed(number));
    make_crystal(edge, b, &random);
    add_up(&queue_trial_before, momentum[0], &energy[0]);
    const uint64_t held = queue_trial_step(number, "a crystal that is hit");
    add_up(&queue_trial_before, momentum[1], &energy[1]);
    note_check(queue_trial_after.impacts >= edge, "%g impacts", (double)queue_trial_after.impacts);
    note_check(b->restitution < 1.0 ? energy[1] < energy[0] : fabs(energy[1] - energy[0]) < 1e-12 * energy[0],
               "the energy is %.17g after %.17g", energy[1], energy[0]);
    for (int a = 0; a < 3; a++) {
        note_check(held > 0 || fabs(momentum[1][a] - momentum[0][a]) < 1e-12 * b->mass * 30.0,
                   "the momentum is %.17g after %.17g", momentum[1][a], momentum[0][a]);
    }
    queue_trial_step(number, "a crystal that was hit");
}

static void test_crystal(void **state) {
    (void)state;
    for (uint64_t number = 0; number < BLOWS; number++) {
        if (note_only_case() == UINT64_MAX || note_only_case() == number) {
            check_crystal(number);
        }
    }
}

/* A body flies to and fro between two planes until its budget is spent, just when another one, which loses all speed
 * along the normal, hits it. That one may hit it once more, now that it stands, and then slides on. */
static void test_hits_a_held_one_once(void **state) {
    (void)state;
    const double budget = 6;
    queue_trial_begin((uint32_t)budget);
    for (int side = -1; side < 2; side += 2) {
        carom_surface plane = {.kind = CAROM_SURFACE_PLANE, .restitution = 1.0, .at = {0.5625 * side}};
        plane.axis[0][0] = -side;
        queue_trial_before.surface[queue_trial_before.surfaces++] = plane;
    }
    queue_add(&queue_trial_before, (double[3]){0.0, 0.0, 0.0}, (double[3]){4.0, 0.0, 0.0}, 0.5, 1.0, 1.0);
    queue_add(&queue_trial_before, (double[3]){0.0, 0.0, 1.5}, (double[3]){0.0, -3.0, -3.875}, 0.5, 1.0, 0.0);
    const uint64_t held = queue_trial_step(0, "a body that hits one that is held");
    note_check(held == 1, "%g bodies are held", (double)held);
    note_check(queue_trial_after.impacts == budget + 1, "%g impacts", (double)queue_trial_after.impacts);
    note_check(queue_trial_before.piece[1].x[1] < -3.0, "it is at %.17g", queue_trial_before.piece[1].x[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_row),     cmocka_unit_test(test_slot),
        cmocka_unit_test(test_targets), cmocka_unit_test(test_closing_walls),
        cmocka_unit_test(test_crystal), cmocka_unit_test(test_hits_a_held_one_once),
    };
    note_start("test_hard_steps");
    queue_trial_open();
    const int failed = cmocka_run_group_tests_name("hard steps", tests, NULL, NULL);
    queue_trial_close();
    return failed;
}
