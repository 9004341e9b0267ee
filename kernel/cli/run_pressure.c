/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/run_pressure.h"

#include <math.h>

/* E - P.P / (2 M) */
static double energy_of_motion(const carom_world_totals *totals) {
    double square = 0;
    for (int axis = 0; axis < 3; ++axis) {
        square += totals->momentum[axis] * totals->momentum[axis];
    }
    return totals->mass > 0 ? totals->energy - square / (2 * totals->mass) : 0;
}

/* |a . (b x c)| of a box that repeats along all edges. */
static double volume_of(const carom_periodic *periodic) {
    if (periodic == NULL || !periodic->along[0] || !periodic->along[1] || !periodic->along[2]) {
        return (double)NAN;
    }
    const double *a = periodic->edge[0];
    const double *b = periodic->edge[1];
    const double *c = periodic->edge[2];
    double sum = 0;
    for (int x = 0; x < 3; ++x) {
        const int y = (x + 1) % 3;
        const int z = (x + 2) % 3;
        sum += a[x] * (b[y] * c[z] - b[z] * c[y]);
    }
    return fabs(sum);
}

carom_run_pressure carom_run_pressure_find(double virial, double time, const carom_world_totals *before,
                                           const carom_world_totals *after, const carom_periodic *periodic) {
    const double count = (double)(before->bodies - before->fixed);
    const double energy = (energy_of_motion(before) + energy_of_motion(after)) / 2;
    const double volume = volume_of(periodic);
    const double kt = count > 0 ? 2 * energy / (3 * count) : 0;
    const double z = kt > 0 ? 1 + virial / (3 * count * kt * time) : (double)NAN;
    return (carom_run_pressure){
        .virial = virial, .kt = kt, .compressibility = z, .volume = volume, .pressure = z * count * kt / volume};
}
