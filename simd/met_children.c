/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The children of nodes that boxes meet, CAROM_LANES at a time. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/vec.h"

#define carom_met_children CAROM_KERNEL_OF(met_children)

enum { WIDTH = CAROM_CHILDREN };

/* Nodes ahead whose children are fetched into the cache: they lie anywhere. */
enum { AHEAD = 12 };

static inline __attribute__((always_inline)) void fetch(const carom_children *children, uint32_t node) {
    for (int a = 0; a < 3; a++) {
        __builtin_prefetch(children->lo[a] + (uint64_t)node * WIDTH);
        __builtin_prefetch(children->hi[a] + (uint64_t)node * WIDTH);
    }
}

/* Bits of the CAROM_LANES children from `first` on that meet the box. */
static inline uint32_t meets(const carom_children *children, uint64_t first, const float box[6]) {
    vfm met = vf_le(vf_load(children->lo[0] + first), vf_set1(box[3]));
    met = vfm_and(met, vf_le(vf_set1(box[0]), vf_load(children->hi[0] + first)));
    for (int a = 1; a < 3; a++) {
        met = vfm_and(met, vf_le(vf_load(children->lo[a] + first), vf_set1(box[a + 3])));
        met = vfm_and(met, vf_le(vf_set1(box[a]), vf_load(children->hi[a] + first)));
    }
    return vfm_bits(met);
}

/* Bits of those that count although the box's known one meets them. */
static inline uint32_t marked(const carom_children *children, uint64_t first) {
    return (uint32_t)(children->marks[first / 64] >> first % 64);
}

static inline uint32_t counting(const carom_children *children, uint64_t first, uint32_t box) {
    const uint32_t met = meets(children, first, children->box + 6 * (uint64_t)box);
    if (children->known == NULL) {
        return met;
    }
    return met & (~meets(children, first, children->known + 6 * (uint64_t)box) | marked(children, first));
}

uint64_t carom_met_children(const carom_children *children, const uint32_t *box, const uint32_t *node, uint64_t count,
                            uint32_t *child_box, uint32_t *child) {
    uint32_t lanes[CAROM_LANES];
    for (uint32_t n = 0; n < CAROM_LANES; n++) {
        lanes[n] = n;
    }
    const vi lane = vi_load(lanes);
    uint64_t met = 0;
    for (uint64_t n = 0; n < count; n++) {
        fetch(children, node[n + AHEAD < count ? n + AHEAD : n]);
        for (uint32_t first = node[n] * WIDTH; first < (node[n] + 1) * WIDTH; first += CAROM_LANES) {
            const uint32_t bits = counting(children, first, box[n]);
            vi_store(child_box + met, vi_set1((int32_t)box[n]));
            met += vi_pack_store(child + met, bits, vi_add(lane, vi_set1((int32_t)first)));
        }
    }
    return met;
}
