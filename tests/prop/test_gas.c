/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Gases of hard spheres in periodic boxes, against the theory of fluids: pressure from the virial of impacts, rate of
 * collisions, speeds after Maxwell, equal energies of light and heavy spheres; and energy and momentum that stay over
 * more than a million impacts. Guards what single impacts do not show: an impact missed or found twice now and then, a
 * box of the wrong size, energy that creeps.
 *
 * Spheres have diameter 1, and mass 1 but in the mixture; at first kT = 1. They start on a crystal, which melts. Every
 * mean is over so many impacts that its standard deviation, over seeds, is less than a quarter of what it may be off.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

#include "kernel/scene/random.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

enum { CELLS = 10, CELLS_SHORT = 5, SPHERES_MOST = 4 * CELLS * CELLS * CELLS, BINS = 10 };

/* Impacts of each sphere, as shares of an impact: until the crystal is a gas, and while it is looked at. */
enum { MELT = 40, MEASURE = 260, MEASURE_SHORT = 40 };

static const double PI = 3.14159265358979323846;
static const double PACKING[] = {0.1, 0.2, 0.3, 0.4, 0.45};
static const double LOW = 0.2; /* up to this packing fraction Enskog's rate of collisions is exact enough */

static carom_context *context;

typedef struct gas {
    uint32_t count;
    double packing;
    double edge; /* of the box */
    double x[3][SPHERES_MOST];
    double v[3][SPHERES_MOST];
    double mass[SPHERES_MOST];
} gas;

static gas g;

/* What a gas did while it was looked at. */
typedef struct measured {
    double time;
    double impulse; /* of all impacts */
    uint64_t impacts;
    uint32_t looks;   /* at the speeds, once a step */
    double square;    /* sum over looks of the mean of m v^2 */
    double light;     /* sum over looks of the mean of m v^2 of even spheres */
    double fourth;    /* sum over looks of the mean of m^2 v^4 */
    double bin[BINS]; /* sum over looks of the share of speeds in each bin */
} measured;

/* By which means may be off. */
static double tolerance(void) {
    return note_short() ? 0.06 : 0.01;
}

/* The radial distribution at contact, after Carnahan and Starling (1969). */
static double contact_value(double packing) {
    return (1.0 - packing / 2.0) / pow(1.0 - packing, 3.0);
}

static double compressibility(double packing) {
    return (1.0 + packing + packing * packing - pow(packing, 3.0)) / pow(1.0 - packing, 3.0);
}

/* Collisions of a sphere in a unit of time at kT = m = 1, after Enskog. */
static double collision_rate(double packing) {
    return 4.0 * (6.0 * packing / PI) * sqrt(PI) * contact_value(packing);
}

/* A face-centred cubic crystal. */
static void place_spheres(double packing) {
    static const double corner[4][3] = {{0, 0, 0}, {0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0}};
    const uint32_t cells = note_short() ? CELLS_SHORT : CELLS;
    g.count = 4 * cells * cells * cells;
    g.packing = packing;
    g.edge = cbrt(g.count * PI / 6.0 / packing);
    for (uint32_t n = 0; n < g.count; n++) {
        const uint32_t cell[3] = {n / 4 % cells, n / 4 / cells % cells, n / 4 / cells / cells};
        for (int a = 0; a < 3; a++) {
            g.x[a][n] = g.edge / cells * (cell[a] + corner[n % 4][a]);
            g.v[a][n] = 0.0;
        }
        g.mass[n] = 1.0;
    }
}

/* Gives spheres n and n + step, and so on in twos, opposite velocities of one speed: the sum is exactly 0. */
static void give_speed(uint32_t first, uint32_t step, double speed, carom_random *random) {
    for (uint32_t n = first; n + step < g.count; n += 2 * step) {
        double direction[3];
        carom_random_direction(random, direction);
        for (int a = 0; a < 3; a++) {
            g.v[a][n] = speed * direction[a];
            g.v[a][n + step] = -g.v[a][n];
        }
    }
}

static double square_of(uint32_t n) {
    return g.v[0][n] * g.v[0][n] + g.v[1][n] * g.v[1][n] + g.v[2][n] * g.v[2][n];
}

static double energy(void) {
    double sum = 0.0;
    for (uint32_t n = 0; n < g.count; n++) {
        sum += g.mass[n] * square_of(n) / 2.0;
    }
    return sum;
}

/* The largest part of the sum of m v, over the sum of m |v|. */
static double momentum(void) {
    double sum[3] = {0.0, 0.0, 0.0};
    double scale = 0.0;
    for (uint32_t n = 0; n < g.count; n++) {
        for (int a = 0; a < 3; a++) {
            sum[a] += g.mass[n] * g.v[a][n];
        }
        scale += g.mass[n] * sqrt(square_of(n));
    }
    return fmax(fmax(fabs(sum[0]), fabs(sum[1])), fabs(sum[2])) / scale;
}

/* Share of the spheres that are slower, by Maxwell's distribution at kT = m = 1. */
static double slower(double speed) {
    return erf(speed / sqrt(2.0)) - sqrt(2.0 / PI) * speed * exp(-speed * speed / 2.0);
}

static void look(measured *m) {
    m->looks++;
    for (uint32_t n = 0; n < g.count; n++) {
        const double square = g.mass[n] * square_of(n);
        const int bin = (int)(slower(sqrt(square)) * BINS);
        m->square += square / g.count;
        m->light += n % 2 == 0 ? 2.0 * square / g.count : 0.0;
        m->fourth += square * square / g.count;
        m->bin[bin < BINS ? bin : BINS - 1] += 1.0 / g.count;
    }
}

static bool add_impulses(void *user, const carom_event *event, uint64_t count) {
    measured *m = user;
    for (uint64_t n = 0; n < count; n++) {
        m->impulse += event[n].impulse;
    }
    return true;
}

static carom_step_config config_of(carom_periodic *box, measured *m) {
    carom_step_config config = carom_step_config_default();
    *box = carom_periodic_default();
    for (int a = 0; a < 3; a++) {
        box->along[a] = true;
        box->edge[a][a] = g.edge;
    }
    config.dt = 1.0 / collision_rate(g.packing);
    config.periodic = box;
    config.events = true;
    config.sink = add_impulses;
    config.sink_user = m;
    return config;
}

/* Steps the arrays until there have been so many impacts. */
static measured run(uint64_t impacts) {
    measured m = {.time = 0.0};
    carom_periodic box;
    const carom_step_config config = config_of(&box, &m);
    const carom_motion_f64 motion = {.count = g.count,
                                     .position = {g.x[0], g.x[1], g.x[2]},
                                     .velocity = {g.v[0], g.v[1], g.v[2]},
                                     .mass = g.mass,
                                     .common_radius = 0.5};
    while (m.impacts < impacts) {
        carom_step_report report = {0};
        carom_error error = {.message = ""};
        const carom_status status = carom_step_f64(context, &motion, &config, &report, &error);
        note_check(status == CAROM_OK && report.held == 0, "%s: %s", carom_status_name(status), error.message);
        m.impacts += report.impacts;
        m.time += config.dt;
        look(&m);
    }
    return m;
}

/* The same in a world of the library's. */
static measured run_world(uint64_t impacts) {
    measured m = {.time = 0.0};
    carom_periodic box;
    carom_world_f64 *world = NULL;
    const carom_step_config config = config_of(&box, &m);
    double radius[SPHERES_MOST];
    for (uint32_t n = 0; n < g.count; n++) {
        radius[n] = 0.5;
    }
    const carom_world_bodies_f64 added = {.count = g.count,
                                          .position = {g.x[0], g.x[1], g.x[2]},
                                          .velocity = {g.v[0], g.v[1], g.v[2]},
                                          .radius = radius,
                                          .mass = g.mass};
    const carom_world_bodies_f64 read = {
        .count = g.count, .position = {g.x[0], g.x[1], g.x[2]}, .velocity = {g.v[0], g.v[1], g.v[2]}};
    assert_int_equal(carom_world_create_f64(context, &config, &world, NULL), CAROM_OK);
    assert_int_equal(carom_world_add_f64(world, &added, NULL, NULL), CAROM_OK);
    while (m.impacts < impacts) {
        carom_step_report report = {0};
        carom_error error = {.message = ""};
        const carom_status status = carom_world_step_f64(world, &report, NULL, &error);
        note_check(status == CAROM_OK && report.held == 0, "%s: %s", carom_status_name(status), error.message);
        assert_int_equal(carom_world_get_f64(world, NULL, &read, NULL), CAROM_OK);
        m.impacts += report.impacts;
        m.time += config.dt;
        look(&m);
    }
    carom_world_destroy_f64(world);
    return m;
}

static uint64_t impacts_to_measure(void) {
    return (uint64_t)g.count * (note_short() ? MEASURE_SHORT : MEASURE);
}

static void check_near(const char *what, double is, double expected) {
    print_message("%.2f: %s %.5f, expected %.5f, %+.3f %%\n", g.packing, what, is, expected,
                  100.0 * (is / expected - 1.0));
    note_check(fabs(is / expected - 1.0) < tolerance(), "%s is %.6g, not %.6g", what, is, expected);
}

/* From the impulses J: Z = p V / (N kT) = 1 + sum(J) diameter / (3 N kT t), and kT = 1. */
static void check_pressure(const measured *m) {
    check_near("compressibility", 1.0 + m->impulse / (3.0 * g.count * m->time), compressibility(g.packing));
}

static void check_conserved(double energy_before) {
    const double after = energy();
    note_check(fabs(after - energy_before) < 1e-12 * energy_before, "the energy is %.17g after %.17g", after,
               energy_before);
    note_check(momentum() < 1e-12, "the momentum is %.3g of all that moves", momentum());
}

static void check_speeds(const measured *m) {
    const double square = m->square / m->looks;
    check_near("<v^4> / <v^2>^2", m->fourth / m->looks / (square * square), 5.0 / 3.0);
    for (int bin = 0; bin < BINS; bin++) {
        note_check(fabs(m->bin[bin] / m->looks * BINS - 1.0) < 3.0 * tolerance(), "%.4f of the speeds are in bin %d",
                   m->bin[bin] / m->looks, bin);
    }
}

/* All spheres have one speed at first: <v^4> / <v^2>^2 = 1. */
static void check_gas(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    note_case(number, "a gas of packing fraction %g", PACKING[number]);
    place_spheres(PACKING[number]);
    give_speed(0, 1, sqrt(3.0), &random);
    const double before = energy();
    measured first = {.time = 0.0};
    look(&first);
    note_check(fabs(first.fourth - first.square * first.square) < 1e-9, "the speeds differ");
    run((uint64_t)g.count * MELT);
    const measured m = run(impacts_to_measure());
    check_pressure(&m);
    check_speeds(&m);
    if (PACKING[number] <= LOW) {
        check_near("rate of collisions", 2.0 * (double)m.impacts / (g.count * m.time), collision_rate(g.packing));
    }
    check_conserved(before);
    note_check(note_short() || m.impacts >= 1000000, "%g impacts", (double)m.impacts);
}

static void test_gases(void **state) {
    (void)state;
    for (uint64_t number = 0; number < sizeof PACKING / sizeof *PACKING; number++) {
        if (note_only_case() == UINT64_MAX || note_only_case() == number) {
            check_gas(number);
        }
    }
}

/* Every second sphere is light and has all energy at first; the others rest. In the end both kinds have kT = 1. What
 * spheres weigh does not change the pressure. */
static void test_mixture(void **state) {
    (void)state;
    carom_random random = carom_random_seeded(note_case_seed(0));
    note_case(0, "a gas of light and heavy spheres");
    place_spheres(0.3);
    for (uint32_t n = 1; n < g.count; n += 2) {
        g.mass[n] = 8.0;
    }
    give_speed(0, 2, sqrt(6.0), &random);
    const double before = energy();
    run_world((uint64_t)g.count * MELT);
    const measured m = run_world(impacts_to_measure());
    check_near("kT of the light", m.light / m.looks / 3.0, 1.0);
    check_near("kT of the heavy", (2.0 * m.square - m.light) / m.looks / 3.0, 1.0);
    check_pressure(&m);
    check_speeds(&m);
    check_conserved(before);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_gases), cmocka_unit_test(test_mixture)};
    note_start("test_gas");
    carom_context_config config = carom_context_config_default();
    config.threads = 1;
    if (carom_context_create(&config, &context, NULL) != CAROM_OK) {
        return 1;
    }
    const int failed = cmocka_run_group_tests_name("gases", tests, NULL, NULL);
    carom_context_destroy(context);
    return failed;
}
