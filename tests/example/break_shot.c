/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A break shot: the cue ball hits fifteen racked balls on a table of 2.24 by 1.12 metres. Cushions are planes. No
 * friction slows the balls, so that books can be kept: what the balls gain in momentum is what the cushions gave. */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BALLS = 16, ROWS = 5, CUSHIONS = 4, STEPS = 120, SHOWN = 8 };
static const double LENGTH = 2.24, WIDTH = 1.12, RADIUS = 0.028575, MASS = 0.17, SPEED = 8.0, GAP = 1e-4;

static double x[3][BALLS], v[3][BALLS];
static const char *const cushion_name[CUSHIONS] = {"left", "right", "near", "far"};
static carom_surface cushion[CUSHIONS];

/* Ball 0 is the cue ball; ball 1 is the apex of the triangle. */
static void rack(void) {
    const double apart = 2 * RADIUS + GAP;
    int b = 1;
    for (int row = 0; row < ROWS; row++) {
        for (int n = 0; n <= row; n++, b++) {
            x[0][b] = 0.75 * LENGTH + row * apart * sqrt(0.75);
            x[1][b] = WIDTH / 2 + (n - 0.5 * row) * apart;
        }
    }
    x[0][0] = 0.25 * LENGTH;
    x[1][0] = WIDTH / 2 + 0.1 * RADIUS; /* not quite in the middle */
    v[0][0] = SPEED;
}

static void build_table(void) {
    for (int c = 0; c < CUSHIONS; c++) {
        const int axis = c / 2;
        const bool low = c % 2 == 0;
        cushion[c] = (carom_surface){.kind = CAROM_SURFACE_PLANE, .restitution = 0.8};
        cushion[c].at[axis] = low ? 0 : axis == 0 ? LENGTH : WIDTH;
        cushion[c].axis[0][axis] = low ? 1 : -1;
    }
}

static void show(const carom_event *event, double time) {
    printf("%8.3f ms  ball %2d hits ", 1e3 * time, (int)event->i);
    if (event->surface == CAROM_EVENT_NO_SURFACE) {
        printf("ball %2d", (int)event->k);
    } else {
        printf("the %s cushion", cushion_name[event->surface]);
    }
    printf(", impulse %.3f N s\n", event->impulse);
}

/* Whether the ball lies on the table, give or take a rounding. */
static bool on_table(int b) {
    return x[0][b] > RADIUS - 1e-9 && x[0][b] < LENGTH - RADIUS + 1e-9 && x[1][b] > RADIUS - 1e-9 &&
           x[1][b] < WIDTH - RADIUS + 1e-9 && x[2][b] == 0;
}

static double energy(void) {
    double sum = 0;
    for (int b = 0; b < BALLS; b++) {
        sum += MASS * (v[0][b] * v[0][b] + v[1][b] * v[1][b]) / 2;
    }
    return sum;
}

static double momentum(int axis) {
    double sum = 0;
    for (int b = 0; b < BALLS; b++) {
        sum += MASS * v[axis][b];
    }
    return sum;
}

static int fail(const char *message) {
    fprintf(stderr, "%s\n", message);
    return EXIT_FAILURE;
}

int main(void) {
    rack();
    build_table();
    double mass[BALLS];
    for (int b = 0; b < BALLS; b++) {
        mass[b] = MASS;
    }
    const carom_motion_f64 balls = {.size = sizeof balls,
                                    .count = BALLS,
                                    .position = {x[0], x[1], x[2]},
                                    .velocity = {v[0], v[1], v[2]},
                                    .mass = mass,
                                    .common_radius = RADIUS};
    carom_step_config config = carom_step_config_default();
    config.dt = 1.0 / 60;
    config.restitution = 0.95;
    config.surface = cushion;
    config.surface_count = CUSHIONS;
    config.events = true;
    carom_context *context;
    carom_error error;
    if (carom_context_create(NULL, &context, &error) != CAROM_OK) {
        return fail(error.message);
    }
    double given[2] = {momentum(0), momentum(1)}, before = energy();
    uint64_t impacts = 0;
    for (int step = 0; step < STEPS; step++) {
        carom_step_report report = {.size = sizeof report};
        if (carom_step_f64(context, &balls, &config, &report, &error) != CAROM_OK) {
            return fail(error.message);
        }
        for (uint64_t n = 0; n < report.event_count; n++, impacts++) {
            const carom_event *event = &report.event[n];
            if (impacts < SHOWN) {
                show(event, (step + event->t) * config.dt);
            }
            for (int axis = 0; axis < 2 && event->surface != CAROM_EVENT_NO_SURFACE; axis++) {
                given[axis] += event->impulse * event->normal[axis];
            }
        }
        if (energy() > before * (1 + 1e-14)) {
            return fail("the balls have gained energy");
        }
        before = energy();
        for (int b = 0; b < BALLS; b++) {
            if (!on_table(b)) {
                return fail("a ball has left the table");
            }
        }
    }
    printf("%d impacts in %g s; %.1f %% of the energy is left\n", (int)impacts, STEPS * config.dt,
           100 * energy() / (MASS * SPEED * SPEED / 2));
    carom_context_destroy(context);
    const bool balanced = fabs(momentum(0) - given[0]) < 1e-12 && fabs(momentum(1) - given[1]) < 1e-12;
    return balanced ? EXIT_SUCCESS : fail("momentum came from nowhere");
}
