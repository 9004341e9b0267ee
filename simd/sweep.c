/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The sweep: each box against those that follow it in swept order, CAROM_LANES at a time, hits packed to the left.
 * Entries past `end` fail the test on the sweep axis by themselves and padding is NaN, so no tail is masked. */
#include "simd/declare.h"
#include "simd/vec.h"

typedef struct box {
    vf lo[3];
    vf hi[3];
    vi slot;
    vi missing;
} box;

static inline box broadcast(const carom_boxes *boxes, uint32_t i) {
    box b;
    for (int a = 0; a < 3; a++) {
        b.lo[a] = vf_set1(boxes->lo[a][i]);
        b.hi[a] = vf_set1(boxes->hi[a][i]);
    }
    b.slot = vi_set1((int32_t)boxes->slot[i]);
    b.missing = vi_set1((int32_t)boxes->missing[i]);
    return b;
}

static inline uint32_t overlaps(const carom_boxes *boxes, const box *b, uint32_t k) {
    vfm hit = vi_disjoint(b->missing, vi_load(boxes->missing + k));
    for (int a = 0; a < 3; a++) {
        hit = vfm_and(hit, vf_le(vf_load(boxes->lo[a] + k), b->hi[a]));
        hit = vfm_and(hit, vf_le(b->lo[a], vf_load(boxes->hi[a] + k)));
    }
    return vfm_bits(hit);
}

uint32_t CAROM_KERNEL_OF(sweep)(const carom_boxes *boxes, carom_sweep_cursor *cursor, uint32_t *slot_i,
                                uint32_t *slot_k, uint32_t capacity) {
    uint32_t hits = 0;
    uint32_t k = cursor->k;
    for (uint32_t i = cursor->i; i < boxes->count; i++, k = i + 1) {
        box b = broadcast(boxes, i);
        for (; k < boxes->end[i]; k += CAROM_LANES) {
            if (hits + CAROM_SIMD_PAD > capacity) {
                *cursor = (carom_sweep_cursor){i, k};
                return hits;
            }
            vi_store(slot_i + hits, b.slot);
            hits += vi_pack_store(slot_k + hits, overlaps(boxes, &b, k), vi_load(boxes->slot + k));
        }
    }
    *cursor = (carom_sweep_cursor){boxes->count, boxes->count + 1};
    return hits;
}
