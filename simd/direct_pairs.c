/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Every box against all later ones, CAROM_LANES at a time: for few boxes that takes less time than to sort them. */
#include "simd/box_lanes.h"
#include "simd/check.h"
#include "simd/declare.h"

#define carom_direct_pairs CAROM_KERNEL_OF(direct_pairs)

static const uint32_t lane_numbers[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/* The arrays as local `restrict` pointers: otherwise the compiler reloads them after every store of a hit. */
typedef struct columns {
    const float *restrict lo[3];
    const float *restrict hi[3];
} columns;

static inline uint32_t overlaps(const box_sides *a, const box_sides *b) {
    return vfm_bits(box_overlaps(a, b));
}

/* The lowest `count` bits, count < 32. */
static inline uint32_t low_bits(uint32_t count) {
    return (UINT32_C(1) << count) - 1;
}

/* Keeps the pairs of i with those of the boxes k, k + 1, ... whose bits are set. Most vectors have no hit or one, so
 * storing nothing is not a case of its own. */
static inline uint32_t keep(uint32_t bits, uint32_t i, uint32_t k, uint32_t *slot_i, uint32_t *slot_k) {
    const uint32_t kept = vi_pack_store_few(slot_k, bits, vi_add(vi_set1((int32_t)k), vi_load(lane_numbers)));
    vi_fill_store_few(slot_i, kept, vi_set1((int32_t)i));
    return kept;
}

/* Row i. Vectors begin at multiples of their length, so that none lies on two cache lines. Returns how many pairs. */
static inline uint32_t sweep_row(const columns *c, uint32_t i, uint32_t end, uint32_t *slot_i, uint32_t *slot_k) {
    const box_sides own = BOX_SIDES_OF_ONE(c->lo, c->hi, i);
    uint32_t hits = 0;
    uint32_t k = (i + 1) / CAROM_LANES * CAROM_LANES;
    uint32_t later = ~low_bits(i + 1 - k);
    for (; k + CAROM_LANES <= end; k += CAROM_LANES, later = ~UINT32_C(0)) {
        const box_sides others = BOX_SIDES_LOAD(c->lo, c->hi, k);
        hits += keep(overlaps(&own, &others) & later, i, k, slot_i + hits, slot_k + hits);
    }
    if (k < end) {
        const box_sides others = BOX_SIDES_LOAD(c->lo, c->hi, k);
        hits += keep(overlaps(&own, &others) & later & low_bits(end - k), i, k, slot_i + hits, slot_k + hits);
    }
    return hits;
}

/* Whether row i may be begun. */
static inline bool has_room(uint32_t i, uint32_t end, uint32_t hits, uint32_t capacity) {
    return hits + (end - i) + CAROM_SIMD_PAD <= capacity;
}

uint32_t carom_direct_pairs(const float *const lo[3], const float *const hi[3], carom_direct_rows *rows,
                            uint32_t *slot_i, uint32_t *slot_k, uint32_t capacity) {
    CAROM_ASSERT(carom_check_direct_rows(rows, capacity));
    const columns c = {{lo[0], lo[1], lo[2]}, {hi[0], hi[1], hi[2]}};
    const uint32_t end = rows->end;
    uint32_t hits = 0;
    uint32_t i = rows->next;
    for (; end - i > CAROM_LANES && has_room(i, end, hits, capacity); i++) {
        hits += sweep_row(&c, i, end, slot_i + hits, slot_k + hits);
    }
    /* No more boxes than lanes: they stay in registers. */
    const uint32_t first = i;
    const uint32_t left = end - i <= CAROM_LANES ? end - i : 0;
    const box_sides last = BOX_SIDES_LOAD(c.lo, c.hi, first);
    for (; i < first + left && has_room(i, end, hits, capacity); i++) {
        const box_sides own = BOX_SIDES_OF_ONE(c.lo, c.hi, i);
        const uint32_t later = low_bits(left) & ~low_bits(i + 1 - first);
        hits += keep(overlaps(&own, &last) & later, i, first, slot_i + hits, slot_k + hits);
    }
    rows->next = i;
    return hits;
}
