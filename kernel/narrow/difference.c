/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two posed shapes. Out: points of the difference of their cores, by both support functions. */
#include "kernel/narrow/difference.h"

#include <float.h>
#include <math.h>

#include "kernel/sys/vector.h"
#include "simd/ref/support.h"

/* Beside the errors of both supports: the roundings of a - b, of n's length and of a combination of up to four points,
 * each less than 2^-50 of the size. */
static const double DIFFERENCE_ERROR = CAROM_SUPPORT_ERROR + 0x1p-49;

carom_difference carom_difference_make(const carom_posed *i, const carom_posed *k) {
    const double apart = fabs(i->at[0] - k->at[0]) + fabs(i->at[1] - k->at[1]) + fabs(i->at[2] - k->at[2]);
    const double size = i->shape->core_reach + k->shape->core_reach + apart;
    return (carom_difference){.i = i, .k = k, .size = fmax(size, DBL_MIN), .error = DIFFERENCE_ERROR * size};
}

double carom_difference_support(const carom_difference *difference, const double n[3], carom_difference_point *point) {
    const double back[3] = {-n[0], -n[1], -n[2]};
    const double far_i = carom_support(difference->i, back, point->a);
    const double far_k = carom_support(difference->k, n, point->b);
    for (int d = 0; d < 3; d++) {
        point->w[d] = point->a[d] - point->b[d];
    }
    return -far_i - far_k;
}
