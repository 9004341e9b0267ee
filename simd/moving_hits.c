/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies of a cell that move. First, half way through the step: those that touch there are hits, and those that both
 * ways together cannot bring near enough are not. What is between is close: only for these the least distance is
 * computed.
 *
 * If p leads from one body to the other half way, and w is what half of their ways adds to it, the distance is least at
 * s = -p.w / w.w, or at -1 or 1 if s is beyond; there its square is p.p - (p.w)^2 / w.w, or p.p - 2 |p.w| + w.w. */
#include "simd/check.h"
#include "simd/hit_lanes.h"
#include "simd/hit_words.h"

#define carom_moving_hits CAROM_KERNEL_OF(moving_hits)

/* Of CAROM_LANES candidates, which are hits, and which are close. */
typedef struct hit_found {
    uint32_t hits;
    uint32_t close;
} hit_found;

static inline __attribute__((always_inline)) hit_found words_of(const carom_hits_in *in, const hit_body *body,
                                                                const hit_places *places, uint32_t n, bool half) {
    const vf square = hit_squares(body, places);
    const vf excess = hit_excess(square, in->radius + n, body->radius);
    const vf outer = hit_excess(square, in->outer + n, body->outer);
    const uint32_t counts = half ? vfm_bits(vi_less(body->id, vi_load(in->id + n))) : UINT32_MAX;
    hit_found words;
    words.hits = counts & vfm_bits(vf_le(excess, vf_set1(-in->margin)));
    words.close = counts & vfm_bits(vf_le(outer, vf_set1(in->margin))) & ~words.hits;
    return words;
}

static inline __attribute__((always_inline)) void find_half_way(const carom_hits_in *in, uint32_t n, uint16_t *bits,
                                                                uint16_t *close, uint32_t bodies, bool half) {
    const uint32_t words = carom_hits_words(in->count);
    const hit_words own = hit_words_own(n, bodies, in->later);
    hit_body body[HIT_BODIES];
    for (uint32_t b = 0; b < bodies; b++) {
        body[b] = hit_body_load(in, n + b);
    }
    for (uint32_t w = 0; w < words; w++) {
        hit_found word[HIT_BODIES] = {{0, 0}, {0, 0}};
        for (uint32_t p = 0; p < 16; p += CAROM_LANES) {
            const hit_places places = hit_places_load(in, 16 * w + p);
            for (uint32_t b = 0; b < bodies; b++) {
                const hit_found found = words_of(in, &body[b], &places, 16 * w + p, half);
                word[b].hits |= found.hits << p;
                word[b].close |= found.close << p;
            }
        }
        for (uint32_t b = 0; b < bodies; b++) {
            const uint32_t dropped = w >= own.first && w <= own.last ? hit_dropped(n + b, w, in->later) : 0;
            bits[b * words + w] = (uint16_t)(word[b].hits & ~dropped);
            close[b * words + w] = (uint16_t)(word[b].close & ~dropped);
        }
    }
}

static inline __attribute__((always_inline)) void find_all_half_way(const carom_hits_in *in, uint16_t *bits,
                                                                    uint16_t *close, bool half) {
    const size_t words = carom_hits_words(in->count);
    uint32_t n = 0;
    for (; n + HIT_BODIES <= in->bodies; n += HIT_BODIES) {
        find_half_way(in, in->first + n, bits + n * words, close + n * words, HIT_BODIES, half);
    }
    if (n < in->bodies) {
        find_half_way(in, in->first + n, bits + n * words, close + n * words, 1, half);
    }
}

/* A body beside candidates that are close. */
typedef struct moving_body {
    vf at[3];
    vf way[3];
    vf radius;
} moving_body;

static moving_body moving_body_load(const carom_hits_in *in, uint32_t n) {
    moving_body body = {.radius = vf_set1(in->radius[n])};
    for (int a = 0; a < 3; a++) {
        body.at[a] = vf_set1(in->at[a][n]);
        body.way[a] = vf_set1(in->way[a][n]);
    }
    return body;
}

/* Of CAROM_LANES candidates, which are hits, and of which floats cannot tell. */
typedef struct moving_found {
    uint32_t hits;
    uint32_t open;
} moving_found;

/* All with the other sign, since that is what products are subtracted from. Where the least distance is between the
 * ends, both sides of the comparison are multiplied by w.w. */
static inline __attribute__((always_inline)) moving_found least_distances(const carom_hits_in *in,
                                                                          const moving_body *body, uint32_t n) {
    const vf sum = vf_add(vf_load(in->radius + n), body->radius);
    vf room = vf_mul(sum, sum);  /* square of the sum of radii less p.p */
    vf along = vf_set1(0.0F);    /* -p.w */
    vf negative = vf_set1(0.0F); /* -w.w */
    for (int a = 0; a < 3; a++) {
        const vf p = vf_sub(vf_load(in->at[a] + n), body->at[a]);
        const vf w = vf_sub(vf_load(in->way[a] + n), body->way[a]);
        room = vf_less_product(room, p, p);
        along = vf_less_product(along, p, w);
        negative = vf_less_product(negative, w, w);
    }
    const vf size = vf_abs(along);
    const vf ends = vf_add(vf_add(room, vf_add(size, size)), negative);
    const vf between = vf_less_product(vf_mul(along, along), room, negative);
    const vfm is_between = vf_lt(size, vf_negate(negative));
    const vf margin = vf_set1(in->margin);
    const vf rest = vf_select(is_between, between, ends);
    const vf within = vf_select(is_between, vf_mul(margin, vf_negate(negative)), margin);
    return (moving_found){vfm_bits(vf_le(vf_set1(0.0F), rest)), vfm_bits(vf_le(vf_abs(rest), within))};
}

/* Adds the hits among close candidates. Close remain those of which floats cannot tell. Returns whether there are any.
 */
static bool settle(const carom_hits_in *in, uint32_t n, uint16_t *bits, uint16_t *close) {
    const moving_body body = moving_body_load(in, n);
    const uint32_t words = carom_hits_words(in->count);
    uint32_t open = 0;
    for (uint32_t w = 0; w < words; w += 16) {
        for (uint32_t set = hit_words_nonzero(close + w, words - w); set != 0; set &= set - 1) {
            const uint32_t at = w + (uint32_t)__builtin_ctz(set);
            uint32_t word = bits[at];
            uint32_t left = 0;
            for (uint32_t p = 0; p < 16; p += CAROM_LANES) {
                const uint32_t lanes = hit_word_lanes(close[at], p);
                const moving_found found = least_distances(in, &body, 16 * at + p);
                word |= (found.hits & lanes) << p;
                left |= (found.open & lanes) << p;
            }
            bits[at] = (uint16_t)word;
            close[at] = (uint16_t)left;
            open |= left;
        }
    }
    return open != 0;
}

/* Rows are settled, and then counted, after all of them have been written: a load that is wider than the stores it
 * covers waits for them. */
bool carom_moving_hits(const carom_hits_in *in, uint16_t *bits, uint16_t *close, uint32_t *length, uint8_t *open) {
    const size_t words = carom_hits_words(in->count);
    bool any = false;
    if (in->id != NULL) {
        find_all_half_way(in, bits, close, true);
    } else {
        find_all_half_way(in, bits, close, false);
    }
    for (uint32_t n = 0; n < in->bodies; n++) {
        open[n] = settle(in, in->first + n, bits + n * words, close + n * words);
        any = any || open[n] != 0;
    }
    for (uint32_t n = 0; n < in->bodies; n++) {
        length[n] = hit_count(bits + n * words, (uint32_t)words);
    }
    return any;
}
