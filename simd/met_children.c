/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The children of nodes that boxes meet, CAROM_LANES at a time. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/vec.h"

#define carom_met_children CAROM_KERNEL_OF(met_children)

/* Children of a node, and hulls in a cache line. */
enum { WIDTH = CAROM_CHILDREN, LINE = 2 };

/* Nodes ahead whose children are fetched into the cache: they lie anywhere. */
enum { AHEAD = 12 };

static inline __attribute__((always_inline)) void fetch(const carom_children *children, uint32_t node) {
    if (children->hull != NULL) {
        for (int n = 0; n < WIDTH; n += LINE) {
            __builtin_prefetch(children->hull + (uint64_t)node * WIDTH + n);
        }
        return;
    }
    for (int a = 0; a < 3; a++) {
        __builtin_prefetch(children->lo[a] + (uint64_t)node * WIDTH);
        __builtin_prefetch(children->hi[a] + (uint64_t)node * WIDTH);
    }
}

/* Low corners and high corners of CAROM_LANES children. */
typedef struct corners {
    vf side[8];
} corners;

static inline corners load_corners(const carom_children *children, uint32_t first) {
    corners c;
    if (children->hull != NULL) {
        uint32_t at[CAROM_LANES];
        for (uint32_t n = 0; n < CAROM_LANES; n++) {
            at[n] = first + n;
        }
        vf_rows_of_two(children->hull->lo, at, at + CAROM_LANES / 2, c.side);
        return c;
    }
    for (int a = 0; a < 3; a++) {
        c.side[a] = vf_load(children->lo[a] + first);
        c.side[3 + a] = vf_load(children->hi[a] + first);
    }
    return c;
}

/* Bits of the children that meet the box. */
static inline uint32_t meets(const corners *c, const float box[6]) {
    vfm met = vfm_and(vf_le(c->side[0], vf_set1(box[3])), vf_le(vf_set1(box[0]), c->side[3]));
    for (int a = 1; a < 3; a++) {
        met = vfm_and(met, vf_le(c->side[a], vf_set1(box[a + 3])));
        met = vfm_and(met, vf_le(vf_set1(box[a]), c->side[a + 3]));
    }
    return vfm_bits(met);
}

/* Bits of those that count although the box's known one meets them. */
static inline uint32_t marked(const carom_children *children, uint64_t first) {
    return (uint32_t)(children->marks[first / 64] >> first % 64);
}

static inline uint32_t counting(const carom_children *children, uint32_t first, uint32_t box) {
    const corners c = load_corners(children, first);
    const uint32_t met = meets(&c, children->box + 6 * (uint64_t)box);
    if (children->known == NULL) {
        return met;
    }
    return met & (~meets(&c, children->known + 6 * (uint64_t)box) | marked(children, first));
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
