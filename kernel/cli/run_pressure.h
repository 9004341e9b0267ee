/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The pressure of a gas of spheres from the virial of their impacts:
 *
 *     Z = p V / (N kT) = 1 + sum(J sigma) / (3 N kT t),
 *
 * J the impulse of an impact between two bodies, sigma the distance of their centres, t the time of the run, N the
 * number of bodies of finite mass, kT = 2 E / (3 N), and E the energy in the frame of the centre of mass: the mean of
 * that before the run and that after it, which are the same where nothing is lost.
 *
 * Source: Alder and Wainwright, Studies in molecular dynamics I (1959). */
#ifndef CAROM_CLI_RUN_PRESSURE_H
#define CAROM_CLI_RUN_PRESSURE_H

#include <stdbool.h>

#include "carom/world.h"

typedef struct carom_run_pressure {
    double virial;          /* sum(J sigma), in units of energy times time */
    double kt;              /* in units of energy */
    double compressibility; /* Z; NaN without energy */
    double volume;          /* of the box; NaN unless space repeats along all three edges */
    double pressure;        /* Z N kT / V; NaN without a volume */
} carom_run_pressure;

/* `time` is that of the run, > 0; `periodic` NULL: open space. */
carom_run_pressure carom_run_pressure_find(double virial, double time, const carom_world_totals *before,
                                           const carom_world_totals *after, const carom_periodic *periodic);

#endif
