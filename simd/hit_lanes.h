/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A body of a cell beside CAROM_LANES candidates, by |c|^2 + |b|^2 - 2 b.c less the square of the sum of radii. */
#ifndef CAROM_SIMD_HIT_LANES_H
#define CAROM_SIMD_HIT_LANES_H

#include <string.h>

#include "simd/declare.h"
#include "simd/vec.h"

/* Bodies that are tested at a time where each needs many registers. */
enum { HIT_BODIES = 2 };

/* What a template is made for: radii differ, only half of the candidates count. */
typedef struct hit_kind {
    bool radii;
    bool half;
} hit_kind;

typedef struct hit_body {
    vf twice[3]; /* twice its coordinates */
    vf square;   /* of its distance from the origin, less that of a sum of radii that is always the same */
    vf radius;
    vf outer;
    vi id;
} hit_body;

static inline hit_body hit_body_load(const carom_hits_in *in, uint32_t n) {
    hit_body body;
    for (int a = 0; a < 3; a++) {
        body.twice[a] = vf_set1(2.0F * in->at[a][n]);
    }
    body.square = vf_set1(in->radius != NULL ? in->square_of[n] : in->square_of[n] - in->square);
    body.radius = vf_set1(in->radius != NULL ? in->radius[n] : 0.0F);
    body.outer = vf_set1(in->outer != NULL ? in->outer[n] : 0.0F);
    body.id = vi_set1(in->id != NULL ? (int32_t)in->id[n] : 0);
    return body;
}

typedef struct hit_places {
    vf at[3];
    vf square;
} hit_places;

static inline hit_places hit_places_load(const carom_hits_in *in, uint32_t n) {
    return (hit_places){{vf_load(in->at[0] + n), vf_load(in->at[1] + n), vf_load(in->at[2] + n)},
                        vf_load(in->square_of + n)};
}

/* The squares of distances, less what body->square has less. */
static inline vf hit_squares(const hit_body *body, const hit_places *places) {
    vf square = vf_add(places->square, body->square);
    for (int a = 0; a < 3; a++) {
        square = vf_less_product(square, places->at[a], body->twice[a]);
    }
    return square;
}

/* Squares of distances less those of sums of radii. */
static inline vf hit_excess(vf square, const float *radius, vf own) {
    const vf sum = vf_add(vf_load(radius), own);
    return vf_less_product(square, sum, sum);
}

/* Of the bits of candidates from 16 w on, those that do not count for candidate `own`: its own bit, with `later` those
 * of candidates before it, too. */
static inline uint32_t hit_dropped(uint32_t own, uint32_t w, bool later) {
    if (own / 16 != w) {
        return later && w < own / 16 ? UINT16_MAX : 0;
    }
    return later ? (2U << own % 16) - 1 : 1U << own % 16;
}

/* The words in which bits of bodies [n, n + bodies) may not count. */
typedef struct hit_words {
    uint32_t first;
    uint32_t last;
} hit_words;

static inline hit_words hit_words_own(uint32_t n, uint32_t bodies, bool later) {
    return (hit_words){later ? 0 : n / 16, (n + bodies - 1) / 16};
}

/* How many bits are set. A cell's rows are counted after all have been written: a load that is wider than the stores it
 * covers waits for them. */
static inline uint32_t hit_count(const uint16_t *bits, uint32_t words) {
    uint32_t count = 0;
    uint32_t w = 0;
    for (; w + 4 <= words; w += 4) {
        uint64_t four;
        memcpy(&four, bits + w, sizeof four);
        count += (uint32_t)__builtin_popcountll(four);
    }
    for (; w < words; w++) {
        count += (uint32_t)__builtin_popcount(bits[w]);
    }
    return count;
}

#endif
