/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What is asked for of a time of impact, and the answer, for the library's own use. All in double, for both precisions. */
#ifndef CAROM_NARROW_IMPACT_H
#define CAROM_NARROW_IMPACT_H

#include "carom/toi.h"
#include "kernel/sys/control.h"
#include "simd/kernels.h"

typedef struct carom_toi_task {
    double margin;           /* shapes within this distance count as touching; finite, >= 0 */
    double tolerance;        /* the greatest gap of a hit, relative to the smaller shape's reach; > 0 */
    uint32_t iterations_max; /* poses to look at for a pair of convex shapes, >= 1 */
    const carom_simd *simd;  /* whose kernels to use; NULL: the best. The answer's bits are the same */
    carom_control *control;  /* is looked at between children of compounds; NULL: none. An answer means nothing once the
                                call is to stop */
} carom_toi_task;

/* As in carom_toi_f64. Points are relative to the common origin. */
typedef struct carom_toi_found {
    carom_toi_state state;
    uint32_t iterations;
    uint32_t child_i;
    uint32_t child_k;
    double t;
    double gap;
    double normal[3];
    double point_i[3];
    double point_k[3];
} carom_toi_found;

#endif
