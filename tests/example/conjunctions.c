/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Conjunction screening: which satellites come near which pieces of debris, when, and how near. Pairs within one set do
 * not count. Orbits are circles; within each step of ten seconds all move in straight lines. Kilometres and seconds. */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SATELLITES = 20, DEBRIS_PIECES = 4000, BODIES = SATELLITES + DEBRIS_PIECES, STEPS = 24 };
enum { SATELLITE = 1, DEBRIS = 2 };
static const double STEP_S = 10, MISS_KM = 20, EARTH_KM = 6378, GRAVITY_KM3_S2 = 398600.4418,
                    TURN = 6.283185307179586;

typedef struct orbit {
    double height, inclination, node, phase;
} orbit;

typedef struct approach {
    double time, miss; /* miss 0: none */
} approach;

static orbit orbits[BODIES];
static double before[3][BODIES], after[3][BODIES], radius[BODIES];
static uint32_t category[BODIES], mask[BODIES];
static approach approaches[SATELLITES][DEBRIS_PIECES];

static double uniform(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

/* A satellite is a sphere of the distance to be kept, and debris a point. */
static void launch(void) {
    uint64_t seed = 1;
    for (int b = 0; b < BODIES; b++) {
        const double height = 780 + 40 * uniform(&seed), inclination = acos(1 - 2 * uniform(&seed));
        const double node = TURN * uniform(&seed), phase = TURN * uniform(&seed);
        orbits[b] = (orbit){height, inclination, node, phase};
        radius[b] = b < SATELLITES ? MISS_KM : 0;
        category[b] = b < SATELLITES ? SATELLITE : DEBRIS;
        mask[b] = b < SATELLITES ? DEBRIS : SATELLITE;
    }
}

static void positions(double time, double *to[3]) {
    for (int b = 0; b < BODIES; b++) {
        const orbit *o = &orbits[b];
        const double r = EARTH_KM + o->height, angle = o->phase + time * sqrt(GRAVITY_KM3_S2 / (r * r * r));
        const double along = r * cos(angle), across = r * sin(angle) * cos(o->inclination);
        to[0][b] = along * cos(o->node) - across * sin(o->node);
        to[1][b] = along * sin(o->node) + across * cos(o->node);
        to[2][b] = r * sin(angle) * sin(o->inclination);
    }
}

/* Keeps the nearest approach of each pair over all steps. */
static void note(const carom_detection_f64 *found, double start) {
    for (uint64_t n = 0; n < found->pair_count; n++) {
        approach *nearest = &approaches[found->contacts.i[n]][found->contacts.k[n] - SATELLITES];
        if (nearest->miss == 0 || found->contacts.distance[n] < nearest->miss) {
            *nearest = (approach){.time = start + STEP_S * found->contacts.t_ca[n], .miss = found->contacts.distance[n]};
        }
    }
}

static void report(void) {
    for (int i = 0; i < SATELLITES; i++) {
        for (int k = 0; k < DEBRIS_PIECES; k++) {
            if (approaches[i][k].miss > 0) {
                printf("satellite %2d and debris %4d: %6.3f km at %6.2f s\n", i, k, approaches[i][k].miss,
                       approaches[i][k].time);
            }
        }
    }
}

int main(void) {
    launch();
    double *prev[3] = {before[0], before[1], before[2]}, *curr[3] = {after[0], after[1], after[2]};
    const carom_bodies_f64 bodies = {
        .count = BODIES, .prev = {prev[0], prev[1], prev[2]}, .curr = {curr[0], curr[1], curr[2]}, .radius = radius};
    carom_filter crosswise = carom_filter_default();
    crosswise.category = category;
    crosswise.mask = mask;
    carom_detect_config config = carom_detect_config_default();
    config.until = CAROM_UNTIL_APPROACH;
    config.filter = &crosswise;
    carom_context *context;
    carom_detection_f64 found = {0};
    carom_error error;
    carom_status status = carom_context_create(NULL, &context, &error);
    for (int step = 0; step < STEPS && status == CAROM_OK; step++) {
        positions(step * STEP_S, prev);
        positions((step + 1) * STEP_S, curr);
        status = carom_detect_f64(context, &bodies, &config, NULL, &found, &error);
        if (status == CAROM_OK) {
            note(&found, step * STEP_S);
        }
    }
    if (status == CAROM_OK) {
        report();
    } else {
        fprintf(stderr, "%s\n", error.message);
    }
    carom_context_destroy(context);
    return status == CAROM_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
