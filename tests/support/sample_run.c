/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/support/sample_run.h"

#include <math.h>

static void place(sample_run *run, uint64_t step, uint64_t n) {
    const double number = (double)n;
    const double value[8] = {number / 3 + (double)step,
                             -number / 7,
                             0.1,
                             0.1 * number,
                             0.0,
                             -1.0 / 3,
                             0.1 + number / 1e4,
                             n > 0 ? 1 + number : (double)INFINITY};
    for (int c = 0; c < 8; c++) {
        run->wide[c][n] = value[c];
        run->narrow[c][n] = (float)value[c];
    }
    run->id[n] = 10 + 3 * n;
}

carom_moment sample_moment(sample_run *run, uint64_t step, uint64_t count, bool wide, bool periodic) {
    static const double edge[3][3] = {{9, 0, 0}, {1, 8, 0}, {0, 1.0 / 3, 7}};
    carom_moment moment = {.step = step, .time = 0.25 * (double)step, .count = count, .wide = wide, .id = run->id};
    for (uint64_t n = 0; n < count; n++) {
        place(run, step, n);
    }
    const void *column[8];
    for (int c = 0; c < 8; c++) {
        column[c] = wide ? (const void *)run->wide[c] : (const void *)run->narrow[c];
    }
    for (int axis = 0; axis < 3; axis++) {
        moment.position[axis] = column[axis];
        moment.velocity[axis] = column[3 + axis];
        moment.corner[axis] = periodic ? -0.5 * axis : 0.0;
    }
    moment.radius = column[6];
    moment.mass = column[7];
    run->box = carom_periodic_default();
    memcpy(run->box.edge, edge, sizeof edge);
    run->box.along[0] = run->box.along[1] = true;
    moment.periodic = periodic ? &run->box : NULL;
    return moment;
}

const carom_impact_row *sample_impacts(sample_run *run, uint64_t step, uint64_t count) {
    for (uint64_t n = 0; n < count; n++) {
        const double number = (double)n;
        run->impact[n] = (carom_impact_row){.step = step - 1,
                                            .t = 0.25 * (double)(step - 1) + number / 13,
                                            .i = n,
                                            .k = n + 1,
                                            .surface = n % 3 == 2 ? (uint32_t)n : CAROM_EVENT_NO_SURFACE,
                                            .point = {number, number / 3, -0.0},
                                            .normal = {0.6, 0, 0.8},
                                            .impulse = number / 9};
    }
    return run->impact;
}
