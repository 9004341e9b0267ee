/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Sand falls into a glass: grains of several sizes in an upright pipe that a plane closes at the bottom. They lose half
 * of their speed in every impact and end as a heap, in which they only tremble: a grain that has just hit another
 * bounces without loss, which keeps the number of impacts finite. Lengths are in metres, times in seconds. */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ACROSS = 5, LAYERS = 12, GRAINS = ACROSS * ACROSS * LAYERS, STEPS = 1500, SHOWN = 250 };
static const double GLASS = 0.02, SMALLEST = 0.0012, LARGEST = 0.0018, GRAVITY = 9.81, DT = 1e-3;
static const double PI = 3.14159265358979323846;

static double x[3][GRAINS], v[3][GRAINS], radius[GRAINS], mass[GRAINS];

static double uniform(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

/* Layer upon layer, each grain somewhere in a square of its own. */
static void pour(void) {
    const double square = 0.0056;
    uint64_t seed = 1;
    for (int g = 0; g < GRAINS; g++) {
        const int place[3] = {g % ACROSS, g / ACROSS % ACROSS, g / ACROSS / ACROSS};
        radius[g] = SMALLEST + (LARGEST - SMALLEST) * uniform(&seed);
        mass[g] = 2650 * 4 / 3.0 * PI * radius[g] * radius[g] * radius[g];
        for (int a = 0; a < 3; a++) {
            const double play = square - 2 * radius[g];
            x[a][g] = square * (place[a] - (a < 2 ? ACROSS / 2 : -1)) + play * (uniform(&seed) - 0.5);
        }
    }
}

/* The top of the heap, or where the highest grain still is. */
static double height(void) {
    double top = 0;
    for (int g = 0; g < GRAINS; g++) {
        top = fmax(top, x[2][g] + radius[g]);
    }
    return top;
}

/* How far the worst grain is in the glass or in another one, as a share of the smallest grain. */
static double overlap(void) {
    double worst = 0;
    for (int i = 0; i < GRAINS; i++) {
        worst = fmax(worst, fmax(radius[i] - x[2][i], hypot(x[0][i], x[1][i]) + radius[i] - GLASS));
        for (int k = 0; k < i; k++) {
            const double apart = hypot(hypot(x[0][i] - x[0][k], x[1][i] - x[1][k]), x[2][i] - x[2][k]);
            worst = fmax(worst, radius[i] + radius[k] - apart);
        }
    }
    return worst / SMALLEST;
}

static carom_status fill(carom_world_f64 *world, carom_world_bodies_f64 *grains, carom_error *error) {
    pour();
    *grains = (carom_world_bodies_f64){.size = sizeof *grains,
                                       .count = GRAINS,
                                       .position = {x[0], x[1], x[2]},
                                       .velocity = {v[0], v[1], v[2]},
                                       .radius = radius,
                                       .mass = mass};
    return carom_world_add_f64(world, grains, NULL, error);
}

/* Lets them fall, and reads where they are. */
static carom_status settle(carom_world_f64 *world, const carom_world_bodies_f64 *grains, carom_error *error) {
    carom_status status = CAROM_OK;
    uint64_t impacts = 0;
    for (int step = 1; step <= STEPS && status == CAROM_OK; step++) {
        carom_step_report report = {.size = sizeof report};
        carom_world_totals totals = {.size = sizeof totals};
        status = carom_world_step_f64(world, &report, NULL, error);
        impacts += report.impacts;
        if (status == CAROM_OK && step % SHOWN == 0) {
            status = carom_world_total_f64(world, &totals, error);
            printf("%5.2f s  %8d impacts, grains move at %.4f m/s, their centre is at %5.2f mm\n", step * DT,
                   (int)impacts, sqrt(2 * totals.energy / totals.mass), 1e3 * totals.centre[2]);
            impacts = 0;
        }
    }
    return status == CAROM_OK ? carom_world_get_f64(world, NULL, grains, error) : status;
}

int main(void) {
    const carom_surface glass[] = {
        {.kind = CAROM_SURFACE_PIPE, .restitution = 0.5, .axis = {{0, 0, 1}}, .extent = {GLASS}},
        {.kind = CAROM_SURFACE_PLANE, .restitution = 0.5, .axis = {{0, 0, 1}}},
    };
    carom_step_config config = carom_step_config_default();
    config.dt = DT;
    config.acceleration[2] = -GRAVITY;
    config.restitution = 0.5;
    config.contact_time = DT; /* quick, though grains tremble; without it those at rest collide without end */
    config.surface = glass;
    config.surface_count = 2;
    carom_context *context = NULL;
    carom_world_f64 *world = NULL;
    carom_world_bodies_f64 grains;
    carom_error error;
    carom_status status = carom_context_create(NULL, &context, &error);
    if (status == CAROM_OK) {
        status = carom_world_create_f64(context, &config, &world, &error);
    }
    if (status == CAROM_OK) {
        status = fill(world, &grains, &error);
    }
    if (status == CAROM_OK) {
        status = settle(world, &grains, &error);
    }
    if (status != CAROM_OK) {
        fprintf(stderr, "%s\n", error.message);
        return EXIT_FAILURE;
    }
    double volume = 0, squares = 0;
    for (int g = 0; g < GRAINS; g++) {
        volume += 4 / 3.0 * PI * radius[g] * radius[g] * radius[g];
        squares += v[0][g] * v[0][g] + v[1][g] * v[1][g] + v[2][g] * v[2][g];
    }
    const double filled = volume / (PI * GLASS * GLASS * height());
    printf("the heap is %.1f mm high, grains fill %.0f %% of it; overlap %.1e\n", 1e3 * height(), 100 * filled,
           overlap());
    carom_world_destroy_f64(world);
    carom_context_destroy(context);
    const bool rests = sqrt(squares / GRAINS) < 5 * GRAVITY * DT && filled > 0.35 && filled < 0.74 && overlap() < 1e-6;
    return rests ? EXIT_SUCCESS : EXIT_FAILURE;
}
