/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies of a cell that move, half way through the step. Bits that do not count are taken away at the end. */
#include "simd/hit_lanes.h"

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

static inline __attribute__((always_inline)) void find_hits(const carom_hits_in *in, const uint32_t n[HIT_BODIES],
                                                            uint16_t *const bits[HIT_BODIES],
                                                            uint16_t *const close[HIT_BODIES], bool half) {
    const hit_body body[HIT_BODIES] = {hit_body_load(in, n[0]), hit_body_load(in, n[1])};
    for (uint32_t c = 0; c < in->count; c += 16) {
        hit_found word[HIT_BODIES] = {{0, 0}, {0, 0}};
        for (uint32_t p = 0; p < 16; p += CAROM_LANES) {
            const hit_places places = hit_places_load(in, c + p);
            for (int b = 0; b < HIT_BODIES; b++) {
                const hit_found found = words_of(in, &body[b], &places, c + p, half);
                word[b].hits |= found.hits << p;
                word[b].close |= found.close << p;
            }
        }
        for (int b = 0; b < HIT_BODIES; b++) {
            bits[b][c / 16] = (uint16_t)word[b].hits;
            close[b][c / 16] = (uint16_t)word[b].close;
        }
    }
}

/* Of an odd number of bodies the last one is done twice. */
static inline __attribute__((always_inline)) void find_all(const carom_hits_in *in, uint16_t *bits, uint16_t *close,
                                                           uint32_t *length, uint32_t *near, bool half) {
    const uint32_t words = carom_hits_words(in->count);
    for (uint32_t n = 0; n < in->bodies; n += HIT_BODIES) {
        const uint32_t next = n + 1 < in->bodies ? n + 1 : n;
        const uint32_t pair[HIT_BODIES] = {in->first + n, in->first + next};
        uint16_t *const to[HIT_BODIES] = {bits + (size_t)n * words, bits + (size_t)next * words};
        uint16_t *const close_to[HIT_BODIES] = {close + (size_t)n * words, close + (size_t)next * words};
        find_hits(in, pair, to, close_to, half);
        for (uint32_t b = 0; b <= next - n; b++) {
            hit_drop(to[b], pair[b], in->later);
            hit_drop(close_to[b], pair[b], in->later);
        }
    }
    for (uint32_t n = 0; n < in->bodies; n++) {
        length[n] = hit_count(bits + (size_t)n * words, words);
        near[n] = hit_count(close + (size_t)n * words, words);
    }
}

void carom_moving_hits(const carom_hits_in *in, uint16_t *bits, uint16_t *close, uint32_t *length, uint32_t *near) {
    if (in->id != NULL) {
        find_all(in, bits, close, length, near, true);
    } else {
        find_all(in, bits, close, length, near, false);
    }
}
