/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Planetesimals go round a star and stick together where they meet. The world moves and merges them; the program pulls
 * them towards the star between its steps, half a kick before and half after (leapfrog). Units: the star's mass times
 * the constant of gravity is 1, and a year at distance 1 lasts 2 pi. */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BODIES = 3000, STEPS = 2000, SHOWN = 400 };
static const double DT = 0.01, TWO_PI = 6.28318530717958647693;

static double x[3][BODIES], v[3][BODIES], radius[BODIES], mass[BODIES];
static const carom_world_bodies_f64 all = {.size = sizeof all,
                                           .count = BODIES,
                                           .position = {x[0], x[1], x[2]},
                                           .velocity = {v[0], v[1], v[2]},
                                           .radius = radius,
                                           .mass = mass};

static double uniform(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

/* A thin ring, every orbit a little off the circle and the plane. */
static void make_ring(void) {
    uint64_t seed = 1;
    for (int b = 0; b < BODIES; b++) {
        const double distance = 0.9 + 0.2 * uniform(&seed), angle = TWO_PI * uniform(&seed);
        const double speed = sqrt(1 / distance), kick = 0.05;
        radius[b] = 0.002;
        mass[b] = 1e-9;
        x[0][b] = distance * cos(angle);
        x[1][b] = distance * sin(angle);
        x[2][b] = 0.01 * (uniform(&seed) - 0.5);
        v[0][b] = speed * (-sin(angle) + kick * (uniform(&seed) - 0.5));
        v[1][b] = speed * (cos(angle) + kick * (uniform(&seed) - 0.5));
        v[2][b] = speed * kick * (uniform(&seed) - 0.5);
    }
}

/* The star pulls for a time. */
static carom_status kick(carom_world_f64 *world, double time, carom_error *error) {
    carom_world_bodies_f64 bodies = all;
    bodies.count = carom_world_count_f64(world);
    const carom_status status = carom_world_get_f64(world, NULL, &bodies, error);
    if (status != CAROM_OK) {
        return status;
    }
    for (uint64_t b = 0; b < bodies.count; b++) {
        const double square = x[0][b] * x[0][b] + x[1][b] * x[1][b] + x[2][b] * x[2][b];
        for (int a = 0; a < 3; a++) {
            v[a][b] -= time * x[a][b] / (square * sqrt(square));
        }
    }
    const carom_world_bodies_f64 speeds = {
        .size = sizeof speeds, .count = bodies.count, .velocity = {v[0], v[1], v[2]}};
    return carom_world_set_f64(world, NULL, &speeds, error);
}

/* Merging conserves mass and momentum, to rounding. */
static bool conserved(const carom_world_totals *before, const carom_world_totals *after) {
    bool same = fabs(after->mass - before->mass) <= 1e-12 * before->mass;
    for (int a = 0; a < 3; a++) {
        same = same && fabs(after->momentum[a] - before->momentum[a]) <= 1e-12 * before->mass;
    }
    return same;
}

/* A step of the world between two half kicks. */
static carom_status advance(carom_world_f64 *world, uint64_t *merged, bool *good, carom_error *error) {
    carom_world_totals before = {.size = sizeof before}, after = {.size = sizeof after};
    carom_step_report report = {.size = sizeof report};
    carom_status status = kick(world, DT / 2, error);
    if (status == CAROM_OK) {
        status = carom_world_total_f64(world, &before, error);
    }
    if (status == CAROM_OK) {
        status = carom_world_step_f64(world, &report, NULL, error);
    }
    if (status == CAROM_OK) {
        status = carom_world_total_f64(world, &after, error);
    }
    *merged += report.merged;
    *good = *good && conserved(&before, &after) && after.bodies + report.merged == before.bodies;
    return status == CAROM_OK ? kick(world, DT / 2, error) : status;
}

/* The largest body's mass, in those that there were at first, and the sum of all volumes. */
static double largest(uint64_t count, double *volume) {
    double most = 0;
    *volume = 0;
    for (uint64_t b = 0; b < count; b++) {
        most = fmax(most, mass[b]);
        *volume += radius[b] * radius[b] * radius[b];
    }
    return most / 1e-9;
}

int main(void) {
    make_ring();
    carom_step_config config = carom_step_config_default();
    config.dt = DT;
    config.response = CAROM_RESPONSE_MERGE;
    carom_context *context = NULL;
    carom_world_f64 *world = NULL;
    carom_error error;
    carom_status status = carom_context_create(NULL, &context, &error);
    if (status == CAROM_OK) {
        status = carom_world_create_f64(context, &config, &world, &error);
    }
    if (status == CAROM_OK) {
        status = carom_world_add_f64(world, &all, NULL, &error);
    }
    uint64_t merged = 0;
    bool good = true;
    double volume, at_first;
    (void)largest(BODIES, &at_first);
    for (int step = 1; step <= STEPS && status == CAROM_OK && good; step++) {
        status = advance(world, &merged, &good, &error);
        if (status == CAROM_OK && step % SHOWN == 0) {
            const uint64_t count = carom_world_count_f64(world);
            const double most = largest(count, &volume);
            printf("%5.2f years  %4d bodies, the largest of %3.0f\n", step * DT / TWO_PI, (int)count, most);
            good = good && count == BODIES - merged && fabs(volume - at_first) <= 1e-12 * at_first;
        }
    }
    if (status != CAROM_OK) {
        fprintf(stderr, "%s\n", error.message);
    }
    carom_world_destroy_f64(world);
    carom_context_destroy(context);
    return status == CAROM_OK && good && merged > BODIES / 4 ? EXIT_SUCCESS : EXIT_FAILURE;
}
