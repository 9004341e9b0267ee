/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies in layouts that are not packed come in, CAROM_LANES at a time; vectors go out, one a field. A kernel has a
 * loop for packed bodies, which loads columns, one for all others, which loads a `strided` first, and where time is
 * short one for arrays of shape (N, 3): prev_of and the like read from any. All but the first are functions of their
 * own, so that none takes registers from another. Copying bodies to columns beforehand costs more: memory then waits
 * while kernels compute. */
#ifndef CAROM_SIMD_STRIDED_H
#define CAROM_SIMD_STRIDED_H

#include "simd/layout.h"
#include "simd/real.h"

typedef struct strided {
    vr prev[3];
    vr curr[3];
    vr radius;
} strided;

/* Values of bodies n .. n + CAROM_LANES - 1, one by one. The empty statement hides `at` from the compiler, which would
 * else keep all multiples of the stride in registers that the loops around this one need; so would a call. */
static inline vr load_singly(const carom_real *from, uint64_t stride, uint64_t n) {
    carom_real lane[CAROM_LANES];
    const char *at = (const char *)from + n * stride;
    for (int l = 0; l < CAROM_LANES; l++, at += stride) {
        __asm__("" : "+r"(at));
        lane[l] = *(const carom_real *)(const void *)at;
    }
    return vr_load(lane);
}

/* How three values of each body lie. */
typedef enum points_form {
    POINTS_PACKED,  /* in three packed arrays */
    POINTS_TRIPLES, /* side by side, and nothing between bodies */
    POINTS_SPACED,  /* side by side: a body is one load */
    POINTS_APART    /* in any way */
} points_form;

/* The bodies that a loop is compiled for. */
typedef enum bodies_form {
    BODIES_PACKED,
    BODIES_TRIPLES, /* prev and curr are triples; radii are packed or one for all */
    BODIES_ANY
} bodies_form;

/* Bodies as a loop reads them: what does not change is found once, before it. */
typedef struct strided_bodies {
    carom_bodies from;
    points_form prev;
    points_form curr;
    bool rest; /* curr is prev */
} strided_bodies;

static inline points_form form_of(const carom_real *const from[3], uint64_t stride) {
    const bool side_by_side = from[1] == from[0] + 1 && from[2] == from[0] + 2;
    const points_form spaced = stride == 3 * sizeof(carom_real) ? POINTS_TRIPLES : POINTS_SPACED;
    return stride == 0 ? POINTS_PACKED : side_by_side ? spaced : POINTS_APART;
}

static inline bool are_triples(const carom_bodies *bodies) {
    return form_of(bodies->prev, bodies->prev_stride) == POINTS_TRIPLES &&
           form_of(bodies->curr, bodies->curr_stride) == POINTS_TRIPLES && bodies->radius_stride == 0;
}

/* The loop for these bodies, where there are all three. */
static inline bodies_form bodies_form_of(const carom_bodies *bodies) {
    return carom_layout_is_packed(bodies) ? BODIES_PACKED : are_triples(bodies) ? BODIES_TRIPLES : BODIES_ANY;
}

/* form: a constant, so that a loop has no more than it needs. */
static inline __attribute__((always_inline)) strided_bodies strided_of(const carom_bodies *bodies, bodies_form form) {
    strided_bodies b = {.rest = false};
    if (form == BODIES_PACKED) {
        return b;
    }
    const bool triples = form == BODIES_TRIPLES;
    b.from = *bodies;
    b.from.radius_stride = triples ? 0 : bodies->radius_stride;
    b.prev = triples ? POINTS_TRIPLES : form_of(bodies->prev, bodies->prev_stride);
    b.curr = triples ? POINTS_TRIPLES : form_of(bodies->curr, bodies->curr_stride);
    b.rest = memcmp(bodies->curr, bodies->prev, sizeof bodies->curr) == 0 && bodies->curr_stride == bodies->prev_stride;
    return b;
}

/* Bytes ahead at which triples are fetched. The processor follows one array of points less far than three columns. */
enum { TRIPLES_AHEAD = 2048, TRIPLES_LINE = 64 };

static inline __attribute__((always_inline)) void fetch_triples(const carom_real *at) {
    for (uint64_t b = 0; b < 3 * CAROM_LANES * sizeof *at; b += TRIPLES_LINE) {
        __builtin_prefetch((const char *)at + TRIPLES_AHEAD + b);
    }
}

static inline __attribute__((always_inline)) void load_points(const carom_real *const from[3], uint64_t stride,
                                                              points_form form, uint64_t n, vr to[3]) {
    switch (form) {
    case POINTS_PACKED:
        to[0] = vr_load(from[0] + n);
        to[1] = vr_load(from[1] + n);
        to[2] = vr_load(from[2] + n);
        break;
    case POINTS_TRIPLES:
        fetch_triples(from[0] + 3 * n);
        vr_triples(from[0] + 3 * n, to);
        break;
    case POINTS_SPACED:
        vr_points((const char *)from[0] + n * stride, stride, to);
        break;
    case POINTS_APART:
        to[0] = load_singly(from[0], stride, n);
        to[1] = load_singly(from[1], stride, n);
        to[2] = load_singly(from[2], stride, n);
        break;
    }
}

/* Bodies n .. n + CAROM_LANES - 1, all before strided_end. Returns s, or NULL if bodies are packed. */
static inline __attribute__((always_inline)) const strided *load_strided(const strided_bodies *bodies, uint64_t n,
                                                                         bodies_form form, strided *s) {
    const carom_bodies *from = &bodies->from;
    if (form == BODIES_PACKED) {
        return NULL;
    }
    load_points(from->prev, from->prev_stride, bodies->prev, n, s->prev);
    if (bodies->rest) {
        for (int a = 0; a < 3; a++) {
            s->curr[a] = s->prev[a];
        }
    } else {
        load_points(from->curr, from->curr_stride, bodies->curr, n, s->curr);
    }
    if (from->radius == NULL) {
        s->radius = vr_set1(from->common_radius);
    } else if (from->radius_stride == 0) {
        s->radius = vr_load(from->radius + n);
    } else {
        s->radius = load_singly(from->radius, from->radius_stride, n);
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
