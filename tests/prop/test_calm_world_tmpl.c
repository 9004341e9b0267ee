/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Worlds whose bodies move little in a step, so that what one step finds serves the next ones, against worlds that have
 * no step behind them: before each step the world is saved and loaded, and both are stepped. In between bodies are left
 * alone, or some are changed, come or go, or the rules change. The same bits. Guards that a change of any kind reaches
 * what a world keeps from step to step. Compiled once for each precision. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

#include "kernel/api/world_tmpl.h"
#include "kernel/scene/random.h"
#include "simd/precision.h"
#include "tests/support/check.h"
#include "tests/support/note.h"
#include "tests/support/thread_contexts.h"
#include "tests/support/world_calls_tmpl.h"

typedef carom_public_world world;
typedef CAROM_REAL(carom_world_bodies) bodies_of_world;

enum { CASES = 60, STEPS = 40, BODIES = 600, CONTEXTS = 3, SNAPSHOT_MOST = 1 << 20 };

static const uint32_t threads[CONTEXTS] = {1, 2, 3};

static carom_context *contexts[CONTEXTS];
static carom_random *dice;
static double edge;
static double speed;
static bool filtered;
static uint64_t refused;
static carom_periodic box;
static uint64_t impacts;
static uint64_t served;
static uint64_t coasted;
static unsigned char snapshot[SNAPSHOT_MOST];

static uint32_t below(uint32_t count) {
    return (uint32_t)(carom_random_next(dice) % count);
}

static double uniform(double lo, double hi) {
    return lo + (hi - lo) * carom_random_u01(dice);
}

static void check_ok(carom_status status, const carom_error *error) {
    note_check(status == CAROM_OK, "%s: %s", carom_status_name(status), error->message);
}

/* One body. */
typedef struct body {
    carom_real x[3];
    carom_real v[3];
    carom_real radius;
    carom_real mass;
    uint32_t category;
    uint32_t mask;
    uint64_t user;
} body;

static body random_body(void) {
    body b;
    for (int a = 0; a < 3; a++) {
        b.x[a] = (carom_real)uniform(0.0, edge);
        b.v[a] = (carom_real)(below(2) == 0 ? 0.0 : uniform(-speed, speed));
    }
    b.radius = (carom_real)(below(100) == 0 ? 2.0 : uniform(0.2, 0.5));
    b.mass = (carom_real)(below(50) == 0 ? INFINITY : 1.0);
    b.user = carom_random_next(dice);
    b.category = filtered ? 1U << below(2) : 1;
    b.mask = filtered && below(3) == 0 ? 1U << below(2) : UINT32_MAX;
    return b;
}

/* The fields that are said. */
static bodies_of_world view(body *b, bool position, bool velocity, bool rest) {
    bodies_of_world view = {.count = 1, .radius = rest ? &b->radius : NULL, .mass = rest ? &b->mass : NULL};
    view.user = rest ? &b->user : NULL;
    view.category = rest ? &b->category : NULL;
    view.mask = rest ? &b->mask : NULL;
    for (int a = 0; a < 3; a++) {
        view.position[a] = position ? &b->x[a] : NULL;
        view.velocity[a] = velocity ? &b->v[a] : NULL;
    }
    return view;
}

static void add_body(world *w) {
    carom_error error = {.message = ""};
    body b = random_body();
    const bodies_of_world v = view(&b, true, true, true);
    check_ok(ADD(w, &v, NULL, &error), &error);
}

static void set_body(world *w) {
    static const bool fields[][3] = {{true, false, false}, {false, true, false}, {false, false, true}};
    carom_error error = {.message = ""};
    body b = random_body();
    const bool *set = fields[below(3)];
    const bodies_of_world v = view(&b, set[0], set[1], set[2]);
    const carom_handle handle = HANDLES(w)[below((uint32_t)COUNT(w))];
    check_ok(SET(w, &handle, &v, &error), &error);
}

static void remove_body(world *w) {
    carom_error error = {.message = ""};
    const carom_handle handle = HANDLES(w)[below((uint32_t)COUNT(w))];
    check_ok(REMOVE(w, &handle, 1, &error), &error);
}

/* Of bodies with their users' values. The answers change between steps, and nobody tells the world. */
static double refuse_some(void *user, uint64_t i, uint64_t k) {
    (void)user;
    return (i ^ k) % 3 == refused ? -1.0 : 0.9;
}

static void configure(world *w, carom_step_config *config) {
    carom_error error = {.message = ""};
    const uint32_t choice = below(8);
    if (choice == 0) {
        config->dt = below(2) == 0 ? uniform(0.01, 0.1) : fmin(0.1, config->dt * uniform(1.0, 6.0));
    } else if (choice == 1) {
        config->restitution = uniform(0.5, 1.0);
    } else if (choice == 2) {
        config->acceleration[below(3)] = uniform(-0.1, 0.1);
    } else if (choice == 3) {
        config->surface_count = 1 - config->surface_count;
    } else if (choice == 4) {
        config->budget = 1 + below(4);
    } else if (choice == 5) {
        config->contact_time = uniform(0.0, 3.0) * config->dt;
    } else {
        config->pair = config->pair == NULL ? refuse_some : NULL;
    }
    check_ok(CONFIGURE(w, config, &error), &error);
}

/* Mostly nothing. */
static void change(world *w, carom_step_config *config) {
    switch (below(20)) {
    case 0:
    case 6:
        for (uint32_t some = 1 + below(16); some > 0; some--) {
            set_body(w);
        }
        break;
    case 1:
        add_body(w);
        break;
    case 2:
        remove_body(w);
        break;
    case 3:
        remove_body(w);
        add_body(w);
        break;
    case 4:
    case 5:
        configure(w, config);
        break;
    default:
        break;
    }
}

/* What a step comes to: who is squeezed between bodies of infinite mass becomes too fast for the box. */
typedef struct outcome {
    carom_error error;
    uint64_t hash;
} outcome;

static outcome step(world *w) {
    outcome o = {.error.message = ""};
    carom_error error = {.message = ""};
    carom_step_report report = {0};
    carom_world_totals totals = {0};
    const carom_status status = WORLD_STEP(w, &report, NULL, &o.error);
    note_check(status == CAROM_OK || status == CAROM_ERROR_BODY, "%s: %s", carom_status_name(status), o.error.message);
    check_ok(TOTAL(w, &totals, &error), &error);
    o.hash = totals.hash;
    impacts += report.impacts;
    return o;
}

static bool same(const outcome *a, const outcome *b) {
    return a->hash == b->hash && strcmp(a->error.message, b->error.message) == 0;
}

/* What a world that has no step behind it comes to. A snapshot has no functions. */
static outcome step_anew(const world *w, const carom_step_config *config) {
    carom_error error = {.message = ""};
    world *anew = NULL;
    uint64_t size = 0;
    check_ok(SAVE(w, snapshot, SNAPSHOT_MOST, &size, &error), &error);
    check_ok(LOAD(contexts[below(CONTEXTS)], snapshot, size, &anew, &error), &error);
    check_ok(CONFIGURE(anew, config, &error), &error);
    const outcome o = step(anew);
    DESTROY(anew);
    return o;
}

static double make_box(void) {
    const double size = fmax(edge, 9.0);
    box = carom_periodic_default();
    for (int e = 0; e < 3; e++) {
        box.along[e] = e != 2 || below(2) == 0;
        box.edge[e][e] = size;
        box.edge[e][0] += e > 0 && below(2) == 0 ? 0.3 * size : 0.0;
    }
    return size;
}

static void run_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const uint32_t c = (uint32_t)(number % CONTEXTS);
    carom_surface floor = {.kind = CAROM_SURFACE_PLANE, .restitution = 0.9, .axis = {{0, 0, 1}}};
    carom_step_config config = carom_step_config_default();
    carom_error error = {.message = ""};
    world *w = NULL;
    dice = &random;
    filtered = number % 3 == 0;
    const bool sparse = number % 5 == 2;
    const uint32_t count = sparse ? 2 + below(5) : 1 + below(BODIES);
    speed = sparse ? pow(10.0, uniform(0.0, 2.5)) : 1.0;
    edge = cbrt(count) * uniform(1.0, 2.0) + 1.0;
    config.dt = uniform(0.01, 0.1);
    config.surface = &floor;
    config.surface_count = below(2);
    if (number % 4 == 1 || sparse) {
        config.surface_count = 0;
        config.periodic = &box;
        edge = make_box();
    }
    config.budget = below(3) == 0 ? 1 + below(4) : config.budget;
    config.contact_time = below(3) == 0 ? uniform(0.0, 3.0) * config.dt : 0.0;
    config.acceleration[2] = below(4) == 0 ? -0.1 : 0.0;
    check_ok(CREATE(contexts[c], &config, &w, &error), &error);
    for (uint32_t n = 0; n < count; n++) {
        add_body(w);
    }
    for (uint32_t s = 0; s < STEPS && COUNT(w) > 1; s++) {
        note_case(number, "step %u of %g bodies on %u threads", s, (double)COUNT(w), threads[c]);
        change(w, &config);
        refused = below(3) == 0 ? below(4) : refused;
        const outcome expected = step_anew(w, &config);
        const uint32_t left = w->world.mover.impacts.search.reuse.left;
        const outcome o = step(w);
        const carom_reuse *reuse = &w->world.mover.impacts.search.reuse;
        served += left > 0 && reuse->left == left - 1 ? 1 : 0;
        coasted += left > 0 && reuse->left == left - 1 && reuse->prospects ? 1 : 0;
        note_check(same(&o, &expected), "the world goes another way");
    }
    DESTROY(w);
}

static void add_at(world *w, const double x[3], double v, double radius, double mass) {
    carom_error error = {.message = ""};
    body b = {.x = {(carom_real)x[0], (carom_real)x[1], (carom_real)x[2]},
              .v = {(carom_real)v, (carom_real)v, (carom_real)v},
              .radius = (carom_real)radius,
              .mass = (carom_real)mass,
              .category = 1,
              .mask = UINT32_MAX};
    const bodies_of_world v_of_b = view(&b, true, true, true);
    check_ok(ADD(w, &v_of_b, NULL, &error), &error);
}

enum { CALM_STEPS = 8, TURNED_STEPS = 16 };

/* A body gets another velocity while hulls last. In the next step it is in its hull still, but not in later ones, to
 * which nobody has done anything; then it hits one that was not near it. */
static void test_turned(void **state) {
    (void)state;
    carom_step_config config = carom_step_config_default();
    carom_error error = {.message = ""};
    carom_random random = carom_random_seeded(0);
    world *w = NULL;
    dice = &random;
    config.dt = 0.02;
    note_case(0, "a body that is turned");
    check_ok(CREATE(contexts[0], &config, &w, &error), &error);
    add_at(w, (double[3]){0.0, 0.0, 0.0}, 0.6, 0.5, 1.0);
    add_at(w, (double[3]){1.5, 1.5, 1.5}, 0.0, 0.5, 1.0);
    for (int n = 0; n < 30; n++) {
        add_at(w, (double[3]){100.0 + 3.0 * n, 0.0, 0.0}, 0.0, 0.5, 1.0);
    }
    for (int s = 0; s < CALM_STEPS; s++) {
        (void)step(w);
    }
    note_check(w->world.mover.impacts.search.reuse.left > 5, "hulls do not last");
    body b = {.v = {(carom_real)9.0, (carom_real)9.0, (carom_real)9.0}};
    const bodies_of_world turned = view(&b, false, true, false);
    check_ok(SET(w, HANDLES(w), &turned, &error), &error);
    for (int s = 0; s < TURNED_STEPS; s++) {
        const outcome expected = step_anew(w, &config);
        const outcome o = step(w);
        note_check(same(&o, &expected), "step %d goes another way", s);
    }
    DESTROY(w);
}

/* An impact makes a body too fast for the box: the step after says so. */
static void test_too_fast(void **state) {
    (void)state;
    carom_step_config config = carom_step_config_default();
    carom_error error = {.message = ""};
    world *w = NULL;
    box = carom_periodic_default();
    box.along[0] = true;
    box.edge[0][0] = 10.0;
    config.periodic = &box;
    config.dt = 1.0;
    note_case(0, "a body that is hit");
    check_ok(CREATE(contexts[0], &config, &w, &error), &error);
    add_at(w, (double[3]){5.0, 0.5, 0.0}, 0.0, 0.5, 1.0);
    add_at(w, (double[3]){1.0, 0.0, 0.0}, 0.0, 0.5, 1000.0);
    for (int n = 0; n < 500; n++) { /* so that bodies stay in the order in which they are */
        add_at(w, (double[3]){5.0, 0.0, 100.0 + 3.0 * n}, 0.0, 0.5, 1.0);
    }
    body fast = {.v = {(carom_real)140.0}};
    const bodies_of_world hits = view(&fast, false, true, false);
    check_ok(SET(w, HANDLES(w) + 1, &hits, &error), &error);
    const outcome first = step(w);
    const outcome second = step(w);
    note_check(first.error.status == CAROM_OK, "%s", first.error.message);
    note_check(second.error.status == CAROM_ERROR_BODY && first.hash == second.hash &&
                   strstr(second.error.message, "edges of the periodic box in the step, more than 15") != NULL,
               "the next step: %s", second.error.message);
    DESTROY(w);
}

enum { LATTICE = 8, ROWS_MOST = 1 << 18 };

/* A body between two of infinite mass that close in becomes faster with each impact, until it has spent its budget. In
 * a periodic box its hull would meet very many images, against which each of its thousands of pieces would be held:
 * that would take minutes. */
static void test_squeezed(void **state) {
    (void)state;
    const double size = 9.3;
    carom_step_config config = carom_step_config_default();
    carom_step_report report = {0};
    carom_error error = {.message = ""};
    world *w = NULL;
    box = carom_periodic_default();
    for (int e = 0; e < 3; e++) {
        box.along[e] = true;
        box.edge[e][e] = size;
    }
    config.periodic = &box;
    note_case(0, "a body that is squeezed");
    check_ok(CREATE(contexts[0], &config, &w, &error), &error);
    add_at(w, (double[3]){3.5, 3.5, 3.5}, 0.5, 1.0, INFINITY);
    add_at(w, (double[3]){5.5, 5.5, 5.5}, -0.5, 1.0, INFINITY);
    add_at(w, (double[3]){4.5, 4.5, 4.5}, 0.125, 0.5, 1.0);
    for (int n = 0; n < LATTICE * LATTICE * LATTICE; n++) {
        const double x[3] = {0.5 + n % LATTICE, 0.5 + n / LATTICE % LATTICE, 0.5 + n / LATTICE / LATTICE};
        const double off[3] = {x[0] - 4.5, x[1] - 4.5, x[2] - 4.5};
        if (off[0] * off[0] + off[1] * off[1] + off[2] * off[2] > 16.0) {
            add_at(w, x, 0.0, 0.1, 1.0);
        }
    }
    check_ok(WORLD_STEP(w, &report, NULL, &error), &error);
    const double added = (double)w->world.mover.impacts.search.rows.extras.buffer.bytes / sizeof(carom_row_extra);
    note_check(report.held == 1, "%g bodies are held", (double)report.held);
    note_check(added < ROWS_MOST, "room for %g entries that were added to rows", added);
    DESTROY(w);
}

/* A body far away where space is open, across a tilted edge: a box around all bodies lies hundreds of edges along it,
 * and yet none is at an image that far. So one that is hit, and leaves its hull, may. */
static void test_oblique(void **state) {
    (void)state;
    carom_step_config config = carom_step_config_default();
    carom_step_report report = {0};
    carom_error error = {.message = ""};
    world *w = NULL;
    box = carom_periodic_default();
    box.along[0] = box.along[2] = true;
    box.edge[0][0] = 10.0;
    box.edge[2][1] = -8.0;
    box.edge[2][2] = 9.0;
    config.periodic = &box;
    config.dt = 1.0;
    note_case(0, "a body far away, across a tilted edge");
    check_ok(CREATE(contexts[0], &config, &w, &error), &error);
    add_at(w, (double[3]){2.0, 0.0, 0.0}, 4.0, 0.5, 1.0);
    add_at(w, (double[3]){4.0, 2.0, 2.0}, 0.0, 0.5, 1.0);
    add_at(w, (double[3]){5.0, 9.0 * 500.0, 8.0 * 500.0}, 0.0, 0.5, 1.0);
    check_ok(WORLD_STEP(w, &report, NULL, &error), &error);
    note_check(report.impacts == 1, "%g impacts", (double)report.impacts);
    DESTROY(w);
}

enum { POINTS = 20, POINT_STEPS = 60, NEIGHBOURS_MOST = 27, NEIGHBOURS_MEAN = 8 };

/* Bodies of radius 0.5 at the points of a lattice. */
static world *make_lattice(double spacing, const carom_step_config *config) {
    carom_error error = {.message = ""};
    world *w = NULL;
    check_ok(CREATE(contexts[0], config, &w, &error), &error);
    for (int n = 0; n < POINTS * POINTS * POINTS; n++) {
        const double x[3] = {spacing * (n % POINTS), spacing * (n / POINTS % POINTS), spacing * (n / POINTS / POINTS)};
        add_at(w, x, n % 2 == 0 ? 0.06 : -0.06, 0.5, 1.0);
    }
    return w;
}

/* Hulls for a step meet none or few, those for some steps all that are around them, those for sixteen some eighty. They
 * are made for many steps where these pay, not where those for one had no neighbours; and when they were too dear, not
 * again and again. */
static void test_lattice(void **state) {
    (void)state;
    static const double spacings[] = {2.0, 1.5, 1.3, 1.2};
    carom_step_config config = carom_step_config_default();
    carom_step_report report = {0};
    carom_error error = {.message = ""};
    config.dt = 1.0;
    for (size_t n = 0; n < sizeof spacings / sizeof *spacings; n++) {
        world *w = make_lattice(spacings[n], &config);
        double sum = 0.0;
        for (int s = 0; s < POINT_STEPS; s++) {
            note_case(n, "step %d of a lattice with spacing %g", s, spacings[n]);
            check_ok(WORLD_STEP(w, &report, NULL, &error), &error);
            const double neighbours = w->world.mover.impacts.search.reuse.neighbours;
            note_check(neighbours <= NEIGHBOURS_MOST, "%g neighbours", neighbours);
            sum += neighbours;
        }
        note_check(sum / POINT_STEPS <= NEIGHBOURS_MEAN, "%g neighbours on the average", sum / POINT_STEPS);
        DESTROY(w);
    }
}

static void test_worlds(void **state) {
    (void)state;
    note_each_case(CASES, run_case);
    print_message(
        "%g steps were served by what one before had found, %g of them without a look at bodies; %g impacts\n",
        (double)served, (double)coasted, (double)impacts);
    assert_true((served > coasted && coasted > 0 && impacts > 0) || note_only_case() != UINT64_MAX);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_worlds),   cmocka_unit_test(test_turned),
                                       cmocka_unit_test(test_too_fast), cmocka_unit_test(test_squeezed),
                                       cmocka_unit_test(test_oblique),  cmocka_unit_test(test_lattice)};
    note_start("test_calm_world");
    thread_contexts_open(contexts, threads, CONTEXTS, 16);
    const int failed = cmocka_run_group_tests_name("calm worlds", tests, NULL, NULL);
    thread_contexts_close(contexts, CONTEXTS);
    return failed;
}
