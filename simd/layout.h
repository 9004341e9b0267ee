/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Single bodies of the caller's arrays, whatever their layout (carom/bodies.h). Below the entry points curr is never
 * NULL, and a stride is 0 if the values are packed. simd/strided.h reads whole vectors of bodies. */
#ifndef CAROM_SIMD_LAYOUT_H
#define CAROM_SIMD_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "simd/precision.h"

/* Where value n of an array is. stride: bytes between values; 0: packed. */
static inline const carom_real *carom_layout_at(const carom_real *from, uint64_t stride, uint64_t n) {
    const uint64_t bytes = stride != 0 ? stride : sizeof *from;
    return (const carom_real *)(const void *)((const char *)from + n * bytes);
}

static inline carom_real carom_layout_value(const carom_real *from, uint64_t stride, uint64_t n) {
    return *carom_layout_at(from, stride, n);
}

static inline carom_real carom_layout_radius(const carom_bodies *bodies, uint64_t n) {
    return bodies->radius == NULL ? bodies->common_radius
                                  : carom_layout_value(bodies->radius, bodies->radius_stride, n);
}

/* All of body n. */
static inline carom_record carom_layout_body(const carom_bodies *bodies, uint64_t n) {
    carom_record body = {.radius = carom_layout_radius(bodies, n), .body = (uint32_t)n};
    for (int a = 0; a < 3; a++) {
        body.prev[a] = carom_layout_value(bodies->prev[a], bodies->prev_stride, n);
        body.curr[a] = carom_layout_value(bodies->curr[a], bodies->curr_stride, n);
    }
    return body;
}

/* Whether all values of an array lie side by side. */
static inline bool carom_layout_is_packed(const carom_bodies *bodies) {
    return bodies->prev_stride == 0 && bodies->curr_stride == 0 && bodies->radius_stride == 0 && bodies->radius != NULL;
}

#endif
