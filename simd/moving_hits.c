/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies of a cell that move. First, half way through the step: those that touch there are hits, and those that both
 * ways together cannot bring near enough are not. What is between is close: only for these the least distance is
 * computed. */
#include "simd/check.h"
#include "simd/hit_lanes.h"
#include "simd/hit_words.h"
#include "simd/least_distance.h"

#define carom_moving_hits CAROM_KERNEL_OF(moving_hits)

/* Of CAROM_LANES candidates, which are hits half way, and which are near enough for both ways together: hits, too. */
typedef struct half_way {
    uint32_t hits;
    uint32_t near;
} half_way;

/* Its square is that of its distance from the origin, whether radii differ or not. */
static inline hit_body load_body(const carom_hits_in *in, uint32_t n) {
    hit_body body = hit_body_load(in, n);
    body.square = vf_set1(in->square_of[n]);
    return body;
}

static inline __attribute__((always_inline)) half_way half_way_of(const carom_hits_in *in, const hit_body *body,
                                                                  const hit_places *places, uint32_t n, hit_kind kind) {
    const vf square = hit_squares(body, places);
    const vf excess = kind.radii ? hit_excess(square, in->radius + n, body->radius) : square;
    const vf outer = hit_excess(square, in->outer + n, body->outer);
    vfm hits = vf_le(excess, vf_set1((kind.radii ? 0.0F : in->square) - in->margin));
    vfm near = vf_le(outer, vf_set1(in->margin));
    if (kind.half) {
        const vfm counts = vi_less(body->id, vi_load(in->id + n));
        hits = vfm_and(hits, counts);
        near = vfm_and(near, counts);
    }
    return (half_way){vfm_bits(hits), vfm_bits(near)};
}

static inline __attribute__((always_inline)) void find_half_way(const carom_hits_in *in, uint32_t n, uint16_t *bits,
                                                                uint16_t *near, uint32_t bodies, hit_kind kind) {
    const uint32_t words = carom_hits_words(in->count);
    hit_body body[HIT_BODIES];
    for (uint32_t b = 0; b < bodies; b++) {
        body[b] = load_body(in, n + b);
    }
    for (uint32_t w = 0; w < words; w++) {
        half_way word[HIT_BODIES] = {{0, 0}, {0, 0}};
        for (uint32_t p = 0; p < 16; p += CAROM_LANES) {
            const hit_places places = hit_places_load(in, 16 * w + p);
            for (uint32_t b = 0; b < bodies; b++) {
                const half_way found = half_way_of(in, &body[b], &places, 16 * w + p, kind);
                word[b].hits |= found.hits << p;
                word[b].near |= found.near << p;
            }
        }
        for (uint32_t b = 0; b < bodies; b++) {
            bits[b * words + w] = (uint16_t)word[b].hits;
            near[b * words + w] = (uint16_t)word[b].near;
        }
    }
}

static inline __attribute__((always_inline)) void find_all_half_way(const carom_hits_in *in, uint16_t *bits,
                                                                    uint16_t *near, hit_kind kind) {
    const size_t words = carom_hits_words(in->count);
    uint32_t n = 0;
    for (; n + HIT_BODIES <= in->bodies; n += HIT_BODIES) {
        find_half_way(in, in->first + n, bits + n * words, near + n * words, HIT_BODIES, kind);
    }
    if (n < in->bodies) {
        find_half_way(in, in->first + n, bits + n * words, near + n * words, 1, kind);
    }
}

static void find_kind(const carom_hits_in *in, uint16_t *bits, uint16_t *near) {
    if (in->radius != NULL && in->id != NULL) {
        find_all_half_way(in, bits, near, (hit_kind){true, true});
    } else if (in->radius != NULL) {
        find_all_half_way(in, bits, near, (hit_kind){true, false});
    } else if (in->id != NULL) {
        find_all_half_way(in, bits, near, (hit_kind){false, true});
    } else {
        find_all_half_way(in, bits, near, (hit_kind){false, false});
    }
}

/* Takes away the bits of candidates that do not count. */
static void drop(const carom_hits_in *in, uint16_t *bits, uint16_t *near) {
    const size_t words = carom_hits_words(in->count);
    for (uint32_t n = 0; n < in->bodies; n++) {
        const hit_words own = hit_words_own(in->first + n, 1, in->later);
        for (uint32_t w = own.first; w <= own.last; w++) {
            const uint32_t kept = ~hit_dropped(in->first + n, w, in->later);
            bits[n * words + w] = (uint16_t)(bits[n * words + w] & kept);
            near[n * words + w] = (uint16_t)(near[n * words + w] & kept);
        }
    }
}

/* A word of close candidates, of the body with number `body` among those of the cell. */
typedef struct close_word {
    uint32_t body;
    uint32_t at;
} close_word;

/* Words that are settled one after the other: all at once, whatever body they belong to, for few bodies have more than
 * two, and the end of each body's would not be foreseen. LISTED: those that are listed without asking whether they are
 * there. */
enum { WAITING = 256, LISTED = 4 };

/* Adds the hits among the close candidates of a word. Close remain those of which floats cannot tell. Returns whether
 * there are any. */
static inline bool settle(const carom_hits_in *in, const close_word *word, uint16_t *bits, uint16_t *close) {
    const size_t from = (size_t)word->body * carom_hits_words(in->count) + word->at;
    uint32_t hits = 0;
    uint32_t open = 0;
    for (uint32_t left = close[from]; left != 0; left &= left - 1) {
        const uint32_t bit = (uint32_t)__builtin_ctz(left);
        const carom_least_distance least = carom_least_distance_of(in, in->first + word->body, 16 * word->at + bit);
        hits |= (uint32_t)least.hit << bit;
        open |= (uint32_t)least.open << bit;
    }
    bits[from] = (uint16_t)(bits[from] | hits);
    close[from] = (uint16_t)open;
    return open != 0;
}

static bool settle_all(const carom_hits_in *in, const close_word *word, uint32_t count, uint16_t *bits, uint16_t *close,
                       uint8_t *open) {
    const carom_hits_in own = *in; /* to a compiler a store of 8 bits may change what `in` points to */
    bool any = false;
    for (uint32_t n = 0; n < count; n++) {
        const bool is_open = settle(&own, &word[n], bits, close);
        open[word[n].body] = open[word[n].body] || is_open;
        any = any || is_open;
    }
    return any;
}

/* Of sixteen words from `at` on. Returns how many have bits; room for LISTED more. */
static inline uint32_t list_close(uint32_t body, uint32_t at, uint32_t set, close_word *word) {
    uint32_t count = 0;
    for (uint32_t left = set; left != 0;) {
        for (uint32_t n = 0; n < LISTED; n++) {
            word[count + n] = (close_word){body, at + (uint32_t)__builtin_ctz(left | 1U << 16)};
            left &= left - 1;
        }
        count += LISTED;
    }
    return (uint32_t)__builtin_popcount(set);
}

static bool settle_close(const carom_hits_in *in, uint16_t *bits, uint16_t *close, uint8_t *open) {
    const uint32_t words = carom_hits_words(in->count);
    const size_t end = (size_t)in->bodies * words;
    close_word word[WAITING];
    uint32_t waiting = 0;
    bool any = false;
    for (uint32_t n = 0; n < in->bodies; n++) {
        open[n] = 0;
        for (uint32_t w = 0; w < words; w += 16) {
            if (waiting > WAITING - 16 - LISTED) {
                any = settle_all(in, word, waiting, bits, close, open) || any;
                waiting = 0;
            }
            const size_t from = (size_t)n * words + w;
            const uint32_t set = hit_words_less(close + from, bits + from, words - w, end - from);
            waiting += list_close(n, w, set, word + waiting);
        }
    }
    return settle_all(in, word, waiting, bits, close, open) || any;
}

/* Rows are settled, and then counted, after all of them have been written: a load that is wider than the stores it
 * covers waits for them. */
bool carom_moving_hits(const carom_hits_in *in, uint16_t *bits, uint16_t *close, uint32_t *length, uint8_t *open) {
    const size_t words = carom_hits_words(in->count);
    find_kind(in, bits, close);
    drop(in, bits, close);
    const bool any = settle_close(in, bits, close, open);
    for (uint32_t n = 0; n < in->bodies; n++) {
        length[n] = hit_count(bits + n * words, (uint32_t)words);
    }
    return any;
}
