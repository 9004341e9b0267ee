/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies in layouts that are not packed come in, CAROM_LANES at a time; vectors go out, one a field. A kernel has one
 * loop for packed bodies, which loads columns, and one for all others, which loads a `strided` first: prev_of and the
 * like read from either. The second loop is a function of its own, so that it takes no registers from the first.
 * Copying bodies to columns beforehand costs more: memory then waits while kernels compute. */
#ifndef CAROM_SIMD_STRIDED_H
#define CAROM_SIMD_STRIDED_H

#include "simd/layout.h"
#include "simd/real.h"

typedef struct strided {
    vr prev[3];
    vr curr[3];
    vr radius;
} strided;

/* Values of bodies n .. n + CAROM_LANES - 1, one by one. Inlined, it would take registers from the loops around it. */
static __attribute__((noinline)) vr load_singly(const carom_real *from, uint64_t stride, uint64_t n) {
    carom_real lane[CAROM_LANES];
    for (uint64_t l = 0; l < CAROM_LANES; l++) {
        lane[l] = carom_layout_value(from, stride, n + l);
    }
    return vr_load(lane);
}

/* Three values of each body. Where they follow one another, a body is one load. */
static inline void load_points(const carom_real *const from[3], uint64_t stride, uint64_t n, vr to[3]) {
    const bool side_by_side = from[1] == from[0] + 1 && from[2] == from[0] + 2;
    if (side_by_side && stride == 3 * sizeof(carom_real)) {
        vr_triples(from[0] + 3 * n, to);
    } else if (side_by_side && stride != 0) {
        vr_points((const char *)carom_layout_at(from[0], stride, n), stride, to);
    } else {
        for (int a = 0; a < 3; a++) {
            to[a] = stride == 0 ? vr_load(from[a] + n) : load_singly(from[a], stride, n);
        }
    }
}

/* At rest curr is prev. */
static inline bool at_rest(const carom_bodies *bodies) {
    return bodies->curr[0] == bodies->prev[0] && bodies->curr[1] == bodies->prev[1] &&
           bodies->curr[2] == bodies->prev[2] && bodies->curr_stride == bodies->prev_stride;
}

/* Bodies n .. n + CAROM_LANES - 1, all before strided_end. Returns s. */
static inline const strided *load_strided(const carom_bodies *bodies, uint64_t n, strided *s) {
    load_points(bodies->prev, bodies->prev_stride, n, s->prev);
    if (at_rest(bodies)) {
        memcpy(s->curr, s->prev, sizeof s->curr);
    } else {
        load_points(bodies->curr, bodies->curr_stride, n, s->curr);
    }
    if (bodies->radius == NULL) {
        s->radius = vr_set1(bodies->common_radius);
    } else if (bodies->radius_stride == 0) {
        s->radius = vr_load(bodies->radius + n);
    } else {
        s->radius = load_singly(bodies->radius, bodies->radius_stride, n);
    }
    return s;
}

/* Where whole vectors of bodies [.., end) must end. A vector may read a value past each of its bodies, which the last
 * body of all does not have. */
static inline uint64_t strided_end(const carom_bodies *bodies, uint64_t end) {
    return end > 0 && end == bodies->count ? end - 1 : end;
}

/* Axis `a` of bodies n .. n + CAROM_LANES - 1. s: they have been loaded; NULL: they are packed. */
static inline vr prev_of(const carom_bodies *bodies, uint64_t n, int a, const strided *s) {
    return s != NULL ? s->prev[a] : vr_load(bodies->prev[a] + n);
}
static inline vr curr_of(const carom_bodies *bodies, uint64_t n, int a, const strided *s) {
    return s != NULL ? s->curr[a] : vr_load(bodies->curr[a] + n);
}
static inline vr radius_of(const carom_bodies *bodies, uint64_t n, const strided *s) {
    return s != NULL ? s->radius : vr_load(bodies->radius + n);
}

#endif
