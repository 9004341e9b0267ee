/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: an impact inside a pipe. Out: whether the body slides, and then its motion. */
#include "kernel/response/slide.h"

#include <math.h>

#include "simd/vector.h"

/* Speed from the wall over the speed around the axis with which a body slides: chords of 1/64 radian. */
static const double SLIDE = 0x1p-7;

/* Over the speed around the axis: what hits without loss and with less has moved along the wall. */
static const double GRAZE = 0x1p-20;

/* A body on a chord comes back to the wall with the speed from it that it had: no later impact takes any. One that
 * comes in flatter is turned, and keeps the speed that it has around the axis but for the part that it turns inward. */
bool carom_slide_along(const carom_surface *pipe, const double normal[3], const double v[3], double speed,
                       double bounce, carom_slide *slide) {
    double along[3];
    carom_vector_cross(pipe->axis[0], normal, along);
    const double around = carom_vector_dot(along, v);
    const double least = SLIDE * fabs(around);
    const double back = (bounce - 1.0) * speed;
    const bool lossless = bounce == 2.0;
    if (back >= least || (lossless && speed >= GRAZE * fabs(around))) {
        return false;
    }
    double turned = around;
    if (!lossless && speed >= 0.5 * least) {
        slide->back = fmax(back, fmin(speed, least));
    } else {
        turned = around / sqrt(1.0 + SLIDE * SLIDE);
        slide->back = SLIDE * fabs(turned);
    }
    for (int a = 0; a < 3; a++) {
        slide->around[a] = (turned - around) * along[a];
    }
    return true;
}
