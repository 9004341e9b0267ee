/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies of a cell at rest. Bits that do not count, such as a body's own, are taken away at the end. */
#include "simd/hit_lanes.h"

#define carom_cell_hits CAROM_KERNEL_OF(cell_hits)

static inline __attribute__((always_inline)) void find_hits(const carom_hits_in *in, const uint32_t n[HIT_BODIES],
                                                            uint16_t *const bits[HIT_BODIES], uint32_t open[HIT_BODIES],
                                                            bool radii, bool half) {
    const hit_body body[HIT_BODIES] = {hit_body_load(in, n[0]), hit_body_load(in, n[1])};
    vf closest[HIT_BODIES] = {vf_set1(CAROM_HITS_FAR), vf_set1(CAROM_HITS_FAR)};
    for (uint32_t c = 0; c < in->count; c += 16) {
        uint32_t word[HIT_BODIES] = {0, 0};
        for (uint32_t p = 0; p < 16; p += CAROM_LANES) {
            const uint32_t first = c + p;
            const hit_places places = hit_places_load(in, first);
            for (int b = 0; b < HIT_BODIES; b++) {
                const vf square = hit_squares(&body[b], &places);
                const vf excess = radii ? hit_excess(square, in->radius + first, body[b].radius) : square;
                uint32_t hits = vfm_bits(vf_le(excess, vf_set1(0.0F)));
                closest[b] = vf_min_abs(closest[b], excess);
                hits &= half ? vfm_bits(vi_less(body[b].id, vi_load(in->id + first))) : UINT32_MAX;
                word[b] |= hits << p;
            }
        }
        for (int b = 0; b < HIT_BODIES; b++) {
            bits[b][c / 16] = (uint16_t)word[b];
        }
    }
    for (int b = 0; b < HIT_BODIES; b++) {
        open[b] = vfm_bits(vf_le(closest[b], vf_set1(in->margin)));
    }
}

/* Of an odd number of bodies the last one is done twice. */
static inline __attribute__((always_inline)) void find_all(const carom_hits_in *in, uint16_t *bits, uint32_t *length,
                                                           uint8_t *open, bool radii, bool half) {
    const uint32_t words = carom_hits_words(in->count);
    for (uint32_t n = 0; n < in->bodies; n += HIT_BODIES) {
        const uint32_t next = n + 1 < in->bodies ? n + 1 : n;
        const uint32_t pair[HIT_BODIES] = {in->first + n, in->first + next};
        uint16_t *const to[HIT_BODIES] = {bits + (size_t)n * words, bits + (size_t)next * words};
        uint32_t near[HIT_BODIES];
        find_hits(in, pair, to, near, radii, half);
        for (uint32_t b = 0; b <= next - n; b++) {
            hit_drop(to[b], pair[b], in->later);
            open[n + b] = near[b] != 0;
        }
    }
    for (uint32_t n = 0; n < in->bodies; n++) {
        length[n] = hit_count(bits + (size_t)n * words, words);
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
