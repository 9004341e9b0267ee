/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Step after step: balls drift in a box of length 1 and turn back at its walls. Each step says which pairs began to
 * touch and which ended; a program that keeps its own state of every contact needs no more. */
#include <carom/carom.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BALLS = 300, STEPS = 40 };

static double prev[3][BALLS], curr[3][BALLS], velocity[3][BALLS], radius[BALLS];
static bool touching[BALLS][BALLS];

static double uniform(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

static void place_balls(void) {
    uint64_t seed = 1;
    for (int b = 0; b < BALLS; b++) {
        for (int a = 0; a < 3; a++) {
            curr[a][b] = uniform(&seed);
            velocity[a][b] = 0.02 * (uniform(&seed) - 0.5);
        }
        radius[b] = 0.02 + 0.02 * uniform(&seed);
    }
}

static void move_balls(void) {
    memcpy(prev, curr, sizeof prev);
    for (int b = 0; b < BALLS; b++) {
        for (int a = 0; a < 3; a++) {
            curr[a][b] += velocity[a][b];
            if (curr[a][b] < 0 || curr[a][b] > 1) {
                velocity[a][b] = -velocity[a][b];
            }
        }
    }
}

static uint64_t follow(const carom_coherent_report *report) {
    for (uint64_t n = 0; n < report->begun; n++) {
        touching[report->begun_i[n]][report->begun_k[n]] = true;
    }
    for (uint64_t n = 0; n < report->ended; n++) {
        touching[report->ended_i[n]][report->ended_k[n]] = false;
    }
    uint64_t pairs = 0;
    for (int i = 0; i < BALLS; i++) {
        for (int k = i + 1; k < BALLS; k++) {
            pairs += touching[i][k];
        }
    }
    return pairs;
}

int main(void) {
    const carom_bodies_f64 balls = {
        .count = BALLS, .prev = {prev[0], prev[1], prev[2]}, .curr = {curr[0], curr[1], curr[2]}, .radius = radius};
    carom_coherent_config config = carom_coherent_config_default();
    config.events = true;
    carom_context *context;
    carom_coherent_f64 *coherent = NULL;
    carom_detection_f64 found = {0};
    carom_coherent_report report = {0};
    carom_error error;
    carom_status status = carom_context_create(NULL, &context, &error);
    if (status == CAROM_OK) {
        status = carom_coherent_create_f64(context, &config, &coherent, &error);
    }
    place_balls();
    for (int step = 0; step < STEPS && status == CAROM_OK; step++) {
        move_balls();
        status = carom_coherent_detect_f64(coherent, &balls, NULL, NULL, &found, &report, &error);
        if (status == CAROM_OK) {
            printf("step %2d: %3" PRIu64 " began, %2" PRIu64 " ended, %3" PRIu64 " touch\n", step, report.begun,
                   report.ended, follow(&report));
        }
    }
    if (status != CAROM_OK) {
        fprintf(stderr, "%s\n", error.message);
    }
    carom_coherent_destroy_f64(coherent);
    carom_context_destroy(context);
    return status == CAROM_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
