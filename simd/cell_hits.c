/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Two bodies at a time against CAROM_LANES candidates, by |c|^2 + |b|^2 - 2 b.c less the square of the sum of radii. A
 * body is no hit of its own: its bit is taken away at the end. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/vec.h"

#define carom_cell_hits CAROM_KERNEL_OF(cell_hits)

enum { BODIES = 2 };

typedef struct hit_body {
    vf twice[3]; /* twice its coordinates */
    vf square;   /* of its distance from the origin, less that of a sum of radii that is always the same */
    vf radius;
    vi id;
} hit_body;

static inline hit_body load_body(const carom_hits_in *in, uint32_t n) {
    hit_body body;
    for (int a = 0; a < 3; a++) {
        body.twice[a] = vf_set1(2.0F * in->at[a][n]);
    }
    body.square = vf_set1(in->radius != NULL ? in->square_of[n] : in->square_of[n] - in->square);
    body.radius = vf_set1(in->radius != NULL ? in->radius[n] : 0.0F);
    body.id = vi_set1(in->id != NULL ? (int32_t)in->id[n] : 0);
    return body;
}

/* The excess of CAROM_LANES candidates; at[3]: their squares. */
static inline __attribute__((always_inline)) vf excess_of(const carom_hits_in *in, const hit_body *body, const vf at[4],
                                                          uint32_t n, bool radii) {
    vf excess = vf_add(at[3], body->square);
    for (int a = 0; a < 3; a++) {
        excess = vf_less_product(excess, at[a], body->twice[a]);
    }
    if (radii) {
        const vf sum = vf_add(vf_load(in->radius + n), body->radius);
        excess = vf_less_product(excess, sum, sum);
    }
    return excess;
}

static inline __attribute__((always_inline)) void find_hits(const carom_hits_in *in, const uint32_t n[BODIES],
                                                            uint16_t *const bits[BODIES], uint32_t length[BODIES],
                                                            uint32_t open[BODIES], bool radii, bool half) {
    const hit_body body[BODIES] = {load_body(in, n[0]), load_body(in, n[1])};
    vf closest[BODIES] = {vf_set1(CAROM_HITS_FAR), vf_set1(CAROM_HITS_FAR)};
    length[0] = 0;
    length[1] = 0;
    for (uint32_t c = 0; c < in->count; c += 16) {
        uint32_t word[BODIES] = {0, 0};
        for (uint32_t p = 0; p < 16; p += CAROM_LANES) {
            const uint32_t first = c + p;
            const vf at[4] = {vf_load(in->at[0] + first), vf_load(in->at[1] + first), vf_load(in->at[2] + first),
                              vf_load(in->square_of + first)};
            for (int b = 0; b < BODIES; b++) {
                const vf excess = excess_of(in, &body[b], at, first, radii);
                uint32_t hits = vfm_bits(vf_le(excess, vf_set1(0.0F)));
                closest[b] = vf_min(closest[b], vf_abs(excess));
                hits &= half ? vfm_bits(vi_less(body[b].id, vi_load(in->id + first))) : UINT32_MAX;
                word[b] |= hits << p;
            }
        }
        for (int b = 0; b < BODIES; b++) {
            bits[b][c / 16] = (uint16_t)word[b];
            length[b] += (uint32_t)__builtin_popcount(word[b]);
        }
    }
    for (int b = 0; b < BODIES; b++) {
        open[b] = vfm_bits(vf_le(closest[b], vf_set1(in->margin)));
    }
}

/* Takes the body's own bit away. */
static inline uint32_t drop_own(uint16_t *bits, uint32_t own) {
    const uint32_t bit = (uint32_t)bits[own / 16] >> own % 16 & 1;
    bits[own / 16] = (uint16_t)(bits[own / 16] & ~(1U << own % 16));
    return bit;
}

/* Of an odd number of bodies the last one is done twice. */
static inline __attribute__((always_inline)) void find_all(const carom_hits_in *in, uint16_t *bits, uint32_t *length,
                                                           uint8_t *open, bool radii, bool half) {
    const size_t words = carom_hits_words(in->count);
    for (uint32_t n = 0; n < in->bodies; n += BODIES) {
        const uint32_t next = n + 1 < in->bodies ? n + 1 : n;
        const uint32_t pair[BODIES] = {in->first + n, in->first + next};
        uint16_t *const to[BODIES] = {bits + n * words, bits + next * words};
        uint32_t found[BODIES];
        uint32_t near[BODIES];
        find_hits(in, pair, to, found, near, radii, half);
        length[n] = found[0] - drop_own(to[0], pair[0]);
        open[n] = near[0] != 0;
        if (next != n) {
            length[next] = found[1] - drop_own(to[1], pair[1]);
            open[next] = near[1] != 0;
        }
    }
}

void carom_cell_hits(const carom_hits_in *in, uint16_t *bits, uint32_t *length, uint8_t *open) {
    if (in->radius != NULL && in->id != NULL) {
        find_all(in, bits, length, open, true, true);
    } else if (in->radius != NULL) {
        find_all(in, bits, length, open, true, false);
    } else if (in->id != NULL) {
        find_all(in, bits, length, open, false, true);
    } else {
        find_all(in, bits, length, open, false, false);
    }
}
