/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies with shapes in motion. In comes a step, out goes the next one: each body goes on by the same displacement and
 * turns on by the same spin. Bodies of a scene bounce off its walls as spheres do (kernel/scene/scene.h), and their
 * numbers stay floats, so that both precisions see the same bodies. Those of a file fly on, in double. */
#ifndef CAROM_CLI_SHAPED_MOTION_H
#define CAROM_CLI_SHAPED_MOTION_H

#include "kernel/cli/shaped.h"

typedef struct carom_shaped_motion {
    uint64_t count;          /* bodies */
    double *displacement[3]; /* of each body, in a step */
} carom_shaped_motion;

/* Makes the first step: displacements and spins are `scale` times those of the bodies, scale being finite. Bodies that
 * have rotations at both ends get the spin of the shorter way. Errors, with a message: RESOURCES, and then *motion is
 * zero; USAGE if the scale takes numbers of a standard scene beyond floats. */
carom_exit carom_shaped_motion_start(double scale, carom_shaped *shaped, carom_shaped_motion *motion);

/* The next step begins where the last one ended. */
void carom_shaped_motion_step(const carom_shaped_motion *motion, carom_shaped *shaped);

/* Releases the motion and zeroes it. A zeroed one is allowed. */
void carom_shaped_motion_end(carom_shaped_motion *motion);

#endif
