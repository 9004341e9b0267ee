/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The pressure of a gas of hard spheres. In a periodic box spheres of diameter 1 and mass 1 bounce off one another; the
 * impulses J of their impacts give the compressibility factor by the virial,
 *
 *     Z = p V / (N kT) = 1 + sum(J) diameter / (3 N kT t),
 *
 * which is compared with the equation of Carnahan and Starling (1969) at three densities. */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 6, SPHERES = 4 * CELLS * CELLS * CELLS, IMPACTS = 200 * SPHERES };
static const double PI = 3.14159265358979323846;

static double x[3][SPHERES], v[3][SPHERES];
static const carom_motion_f64 spheres = {.size = sizeof spheres,
                                         .count = SPHERES,
                                         .position = {x[0], x[1], x[2]},
                                         .velocity = {v[0], v[1], v[2]},
                                         .common_radius = 0.5};

static double uniform(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

/* A crystal with random velocities whose sum is zero. */
static void place_spheres(double box) {
    static const double corner[4][3] = {{0, 0, 0}, {0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0}};
    uint64_t seed = 1;
    for (int a = 0; a < 3; a++) {
        double sum = 0;
        for (int b = 0; b < SPHERES; b++) {
            const int cell[3] = {b / 4 % CELLS, b / 4 / CELLS % CELLS, b / 4 / CELLS / CELLS};
            x[a][b] = box / CELLS * (cell[a] + corner[b % 4][a]);
            v[a][b] = 2 * uniform(&seed) - 1;
            sum += v[a][b];
        }
        for (int b = 0; b < SPHERES; b++) {
            v[a][b] -= sum / SPHERES;
        }
    }
}

static double energy(void) {
    double sum = 0;
    for (int b = 0; b < SPHERES; b++) {
        sum += (v[0][b] * v[0][b] + v[1][b] * v[1][b] + v[2][b] * v[2][b]) / 2;
    }
    return sum;
}

static double momentum(void) {
    double worst = 0;
    for (int a = 0; a < 3; a++) {
        double sum = 0;
        for (int b = 0; b < SPHERES; b++) {
            sum += v[a][b];
        }
        worst = fmax(worst, fabs(sum));
    }
    return worst;
}

/* Adds up impulses, as the library hands out events. */
static bool add_impulses(void *sum, const carom_event *event, uint64_t count) {
    for (uint64_t n = 0; n < count; n++) {
        *(double *)sum += event[n].impulse;
    }
    return true;
}

/* Steps until there have been so many impacts. Returns the time it took, or a negative number. */
static double run(carom_context *context, const carom_step_config *config, uint64_t impacts, carom_error *error) {
    double time = 0;
    for (uint64_t happened = 0; happened < impacts; time += config->dt) {
        carom_step_report report = {.size = sizeof report};
        if (carom_step_f64(context, &spheres, config, &report, error) != CAROM_OK) {
            return -1;
        }
        happened += report.impacts;
    }
    return time;
}

/* The measured compressibility factor at a packing fraction; 0 if something is wrong. */
static double measure(carom_context *context, double packing, carom_error *error) {
    const double length = cbrt(SPHERES * PI / 6 / packing);
    carom_periodic box = carom_periodic_default();
    for (int a = 0; a < 3; a++) {
        box.along[a] = true;
        box.edge[a][a] = length;
    }
    double impulse = 0;
    carom_step_config config = carom_step_config_default();
    config.dt = 0.1;
    config.periodic = &box;
    place_spheres(length);
    const double before = energy();
    if (run(context, &config, IMPACTS / 4, error) < 0) { /* the crystal melts, speeds become those of a gas */
        return 0;
    }
    config.events = true;
    config.sink = add_impulses;
    config.sink_user = &impulse;
    const double time = run(context, &config, IMPACTS, error);
    if (fabs(energy() - before) > 1e-12 * before || momentum() > 1e-11) {
        snprintf(error->message, sizeof error->message, "energy or momentum is not conserved");
        return 0;
    }
    return time > 0 ? 1 + impulse / (2 * before * time) : 0; /* 3 N kT is twice the energy */
}

int main(void) {
    carom_context *context;
    carom_error error;
    int result = EXIT_SUCCESS;
    if (carom_context_create(NULL, &context, &error) != CAROM_OK) {
        fprintf(stderr, "%s\n", error.message);
        return EXIT_FAILURE;
    }
    for (double packing = 0.1; packing < 0.45; packing += 0.15) {
        const double z = measure(context, packing, &error);
        if (z == 0) {
            fprintf(stderr, "%s\n", error.message);
            return EXIT_FAILURE;
        }
        const double theory = (1 + packing + packing * packing - pow(packing, 3)) / pow(1 - packing, 3);
        printf("packing %.2f: Z = %7.4f, Carnahan and Starling %7.4f, %+.2f %%\n", packing, z, theory,
               100 * (z / theory - 1));
        if (fabs(z / theory - 1) > 0.02) {
            result = EXIT_FAILURE;
        }
    }
    carom_context_destroy(context);
    return result;
}
