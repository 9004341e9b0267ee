/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies that slide along the inside of a pipe. A straight path comes back to the wall, and where each impact took
 * speed from it, or a body moved along the wall, the returns would have no end. Such a body follows the wall in chords.
 */
#ifndef CAROM_RESPONSE_SLIDE_H
#define CAROM_RESPONSE_SLIDE_H

#include <stdbool.h>

#include "kernel/response/surface.h"

/* What an impact does to a body that slides. */
typedef struct carom_slide {
    double back;      /* its speed from the wall afterwards */
    double around[3]; /* is added to its velocity, along the wall: no impact gives energy */
} carom_slide;

/* Whether a body slides that hits the inside of a pipe with `speed` >= 0 towards the wall and is to leave it with
 * (bounce - 1) times that; 2 is a bounce without loss. The pipe's axis is a unit vector, as is the normal. */
bool carom_slide_along(const carom_surface *pipe, const double normal[3], const double v[3], double speed,
                       double bounce, carom_slide *slide);

#endif
