/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies of a cell at rest. Hardly any cell has a candidate within the margin: only then it is looked for which of its
 * bodies have. Bits that do not count are taken away before they are stored: a processor waits long for what a vector
 * unit has stored. */
#include "simd/check.h"
#include "simd/hit_lanes.h"

#define carom_cell_hits CAROM_KERNEL_OF(cell_hits)

/* Bodies that are tested at a time, at most: as many as there are registers for. */
enum { HIT_BODIES_MOST = CAROM_LANES == 16 ? 4 : 2 };

/* The excess of a body beside CAROM_LANES candidates from n on. */
static inline __attribute__((always_inline)) vf excess_of(const carom_hits_in *in, const hit_body *body,
                                                          const hit_places *places, uint32_t n, bool radii) {
    const vf square = hit_squares(body, places);
    return radii ? hit_excess(square, in->radius + n, body->radius) : square;
}

/* The next `bodies` from candidate n on. closest: the least excess so far of all that were
 * tested as the first, the second and so on, without its sign. */
static inline __attribute__((always_inline)) void find_hits(const carom_hits_in *in, uint32_t n, uint16_t *bits,
                                                            vf closest[HIT_BODIES_MOST], int bodies, hit_kind kind) {
    const uint32_t words = carom_hits_words(in->count);
    hit_body body[HIT_BODIES_MOST];
    for (int b = 0; b < bodies; b++) {
        body[b] = hit_body_load(in, n + (uint32_t)b);
    }
    const hit_words own = hit_words_own(n, (uint32_t)bodies, in->later);
    for (uint32_t w = 0; w < words; w++) {
        uint32_t word[HIT_BODIES_MOST] = {0};
        for (uint32_t p = 0; p < 16; p += CAROM_LANES) {
            const uint32_t first = 16 * w + p;
            const hit_places places = hit_places_load(in, first);
            for (int b = 0; b < bodies; b++) {
                const vf excess = excess_of(in, &body[b], &places, first, kind.radii);
                const vfm hits = vf_le(excess, vf_set1(0.0F));
                closest[b] = vf_min_abs(closest[b], excess);
                word[b] |= vfm_bits(kind.half ? vfm_and(hits, vi_less(body[b].id, vi_load(in->id + first))) : hits)
                           << p;
            }
        }
        for (int b = 0; b < bodies && w >= own.first && w <= own.last; b++) {
            word[b] &= ~hit_dropped(n + (uint32_t)b, w, in->later);
        }
        for (int b = 0; b < bodies; b++) {
            bits[(uint32_t)b * words + w] = (uint16_t)word[b];
        }
    }
}

/* Returns the least excess, without its sign, in some lane. */
static inline __attribute__((always_inline)) vf find_all(const carom_hits_in *in, uint16_t *bits, hit_kind kind) {
    const uint32_t words = carom_hits_words(in->count);
    vf closest[HIT_BODIES_MOST];
    uint32_t n = 0;
    for (int b = 0; b < HIT_BODIES_MOST; b++) {
        closest[b] = vf_set1(CAROM_HITS_FAR);
    }
    for (; n + HIT_BODIES_MOST <= in->bodies; n += HIT_BODIES_MOST) {
        find_hits(in, in->first + n, bits + (size_t)n * words, closest, HIT_BODIES_MOST, kind);
    }
    if (in->bodies - n == 3) {
        find_hits(in, in->first + n, bits + (size_t)n * words, closest, HIT_BODIES_MOST - 1, kind);
    } else if (in->bodies - n == 2) {
        find_hits(in, in->first + n, bits + (size_t)n * words, closest, 2, kind);
    } else if (in->bodies - n == 1) {
        find_hits(in, in->first + n, bits + (size_t)n * words, closest, 1, kind);
    }
    for (int b = 1; b < HIT_BODIES_MOST; b++) {
        closest[0] = vf_min_abs(closest[0], closest[b]);
    }
    return closest[0];
}

static vf find_kind(const carom_hits_in *in, uint16_t *bits) {
    if (in->radius != NULL) {
        return in->id != NULL ? find_all(in, bits, (hit_kind){true, true})
                              : find_all(in, bits, (hit_kind){true, false});
    }
    return in->id != NULL ? find_all(in, bits, (hit_kind){false, true}) : find_all(in, bits, (hit_kind){false, false});
}

static bool is_within(const carom_hits_in *in, vf closest) {
    return vfm_bits(vf_le(closest, vf_set1(in->margin))) != 0;
}

/* Finds the candidates within the margin of a body's reach. Returns whether there are any. */
static bool find_close(const carom_hits_in *in, uint32_t n, uint16_t *close) {
    const hit_body body = hit_body_load(in, n);
    uint32_t any = 0;
    for (uint32_t w = 0; w < carom_hits_words(in->count); w++) {
        uint32_t word = 0;
        for (uint32_t p = 0; p < 16; p += CAROM_LANES) {
            const hit_places places = hit_places_load(in, 16 * w + p);
            const vf excess = excess_of(in, &body, &places, 16 * w + p, in->radius != NULL);
            word |= vfm_bits(vf_le(vf_abs(excess), vf_set1(in->margin))) << p;
        }
        close[w] = (uint16_t)word;
        any |= word;
    }
    return any != 0;
}

bool carom_cell_hits(const carom_hits_in *in, uint16_t *bits, uint16_t *close, uint32_t *length, uint8_t *open) {
    const uint32_t words = carom_hits_words(in->count);
    const bool any = is_within(in, find_kind(in, bits));
    for (uint32_t n = 0; n < in->bodies; n++) {
        length[n] = hit_count(bits + (size_t)n * words, words);
    }
    for (uint32_t n = 0; any && n < in->bodies; n++) {
        open[n] = find_close(in, in->first + n, close + (size_t)n * words);
    }
    return any;
}
