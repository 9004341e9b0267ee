/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a vector of any length. Out: its direction, with bits that do not depend on the length's scale. */
#include "kernel/sys/vector.h"

#include <math.h>

/* Lengths whose squares are well inside the range of doubles. Others are scaled by a power of two, so that a direction
 * has the same bits at every scale. */
static const double PLAIN_LEAST = 0x1p-480;
static const double PLAIN_MOST = 0x1p500;

bool carom_vector_unit(const double v[3], double unit[3]) {
    const double most = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
    if (!(most > 0.0)) {
        return false;
    }
    int exponent = 0;
    if (most < PLAIN_LEAST || most > PLAIN_MOST) {
        (void)frexp(most, &exponent);
    }
    for (int a = 0; a < 3; a++) {
        unit[a] = exponent != 0 ? ldexp(v[a], -exponent) : v[a];
    }
    const double length = sqrt(carom_vector_dot(unit, unit));
    for (int a = 0; a < 3; a++) {
        unit[a] /= length;
    }
    return true;
}
