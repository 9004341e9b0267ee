/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A run that never was, for tests of what is written of runs: bodies on a helix and impacts between them, from
 * formulas that tests/unit/test_run_files.py has too. */
#ifndef CAROM_TESTS_SAMPLE_RUN_H
#define CAROM_TESTS_SAMPLE_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/io/moment.h"

enum { SAMPLE_BODIES_MAX = 3000 };

typedef struct sample_run {
    double wide[8][SAMPLE_BODIES_MAX]; /* position, velocity, radius, mass */
    float narrow[8][SAMPLE_BODIES_MAX];
    uint64_t id[SAMPLE_BODIES_MAX];
    carom_impact_row impact[SAMPLE_BODIES_MAX];
    carom_periodic box;
} sample_run;

/* The moment after `step` steps of 0.25: id 10 + 3 n, x = n / 3 + step, y = -n / 7, z = 0.1, v = (0.1 n, 0, -1/3),
 * radius 0.1 + n / 1e4, mass 1 + n and of body 0 infinite. Valid until the next call. */
carom_moment sample_moment(sample_run *run, uint64_t step, uint64_t count, bool wide, bool periodic);

/* Impacts of the steps before: t = (step - 1) / 4 + n / 13, i = n, k = n + 1, every third with surface n, the point
 * (n, n / 3, -0.0), the normal (0.6, 0, 0.8), the impulse n / 9. Valid until the next call. */
const carom_impact_row *sample_impacts(sample_run *run, uint64_t step, uint64_t count);

#endif
