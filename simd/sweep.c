/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Sweep and prune (Cohen, Lin, Manocha, Ponamgi 1995) in one cell: the boxes of the cell come in, in swept order; the
 * slots of overlapping pairs go out. Each box is tested against those that follow it, CAROM_LANES at a time, on all
 * three axes without a branch, and hits are left-packed. Entries after `end` fail the test on the sweep axis by
 * themselves, and padding is NaN, so no tail is masked. It stops when the output is full and continues later: so the
 * pairs of a cell need no more room than the first-level cache has. */
#include "simd/box_lanes.h"
#include "simd/check.h"
#include "simd/declare.h"

#define carom_sweep CAROM_KERNEL_OF(sweep)

/* The arrays as local `restrict` pointers: otherwise the compiler reloads them after every store of a hit. */
typedef struct columns {
    const float *restrict lo[3];
    const float *restrict hi[3];
    const uint32_t *restrict slot;
    const uint32_t *restrict earlier;
} columns;

/* One box in all lanes. */
typedef struct box {
    box_sides sides;
    vi slot;
    vi earlier;
} box;

static inline box broadcast(const columns *c, uint32_t i) {
    return (box){BOX_SIDES_OF_ONE(c->lo, c->hi, i), vi_set1((int32_t)c->slot[i]), vi_set1((int32_t)c->earlier[i])};
}

/* Bits of the entries from k on that overlap b and share no `earlier` bit with it. */
static inline uint32_t overlaps(const columns *c, const box *b, uint32_t k) {
    const box_sides others = BOX_SIDES_LOAD(c->lo, c->hi, k);
    const vfm hit = vfm_and(vi_disjoint(b->earlier, vi_load(c->earlier + k)), box_overlaps(&b->sides, &others));
    return vfm_bits(hit);
}

/* Hits in a vector, on the average of a call, from which on many are expected. */
enum { MANY = 2 };

/* Where pairs go. */
typedef struct pairs {
    uint32_t *slot_i;
    uint32_t *slot_k;
    uint32_t capacity;
    uint32_t hits;
} pairs;

/* Keeps the hits among the entries from k on. Most vectors have no hit or one, so storing nothing is not a case of its
 * own. Where many are expected their number is hard to foresee: whole vectors are stored then. */
static inline __attribute__((always_inline)) uint32_t keep(const columns *c, const box *b, uint32_t k, const pairs *out,
                                                           bool many) {
    const uint32_t bits = overlaps(c, b, k);
    if (many) {
        vi_store(out->slot_i + out->hits, b->slot);
        return vi_pack_store(out->slot_k + out->hits, bits, vi_load(c->slot + k));
    }
    const uint32_t found = vi_pack_store_few(out->slot_k + out->hits, bits, vi_load(c->slot + k));
    vi_fill_store_few(out->slot_i + out->hits, found, b->slot);
    return found;
}

/* Tests a box against entries [k, stop). Returns the entry to go on with if there may be no room, else `stop` or one
 * behind it. */
static inline __attribute__((always_inline)) uint32_t sweep_row(const columns *c, const box *b, uint32_t k,
                                                                uint32_t stop, pairs *out, bool many) {
    for (; k < stop && out->hits + CAROM_SIMD_PAD <= out->capacity; k += CAROM_LANES) {
        out->hits += keep(c, b, k, out, many);
    }
    return k;
}

uint32_t carom_sweep(const carom_boxes *boxes, carom_sweep_cursor *cursor, uint32_t *slot_i, uint32_t *slot_k,
                     uint32_t capacity) {
    CAROM_ASSERT(carom_check_cursor(cursor, boxes) && carom_check_boxes(boxes));
    CAROM_ASSERT(capacity > CAROM_SIMD_PAD);
    const columns c = {{boxes->lo[0], boxes->lo[1], boxes->lo[2]},
                       {boxes->hi[0], boxes->hi[1], boxes->hi[2]},
                       boxes->slot,
                       boxes->earlier};
    const uint32_t *restrict end = boxes->end;
    const uint32_t last = cursor->stop;
    pairs out = {slot_i, slot_k, capacity, 0};
    uint32_t few = 0;
    uint32_t k = cursor->k;
    for (uint32_t i = cursor->i; i < last; i++, k = i + 1) {
        const box b = broadcast(&c, i);
        const uint32_t stop = end[i];
        few += (stop - i) / CAROM_LANES * MANY + MANY;
        k = CAROM_LANES == 16 && out.hits > few ? sweep_row(&c, &b, k, stop, &out, true)
                                                : sweep_row(&c, &b, k, stop, &out, false);
        if (k < stop) {
            *cursor = (carom_sweep_cursor){i, k, cursor->stop};
            return out.hits;
        }
    }
    *cursor = (carom_sweep_cursor){last, last + 1, last};
    return out.hits;
}
