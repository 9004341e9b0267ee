/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: entries i and k > i, up to i's end, are a pair if lo_k <= hi_i and lo_i <= hi_k on every axis and they
 * share no `earlier` bit. */
#include "simd/check.h"
#include "simd/declare.h"

#define carom_sweep_twin CAROM_TWIN_OF(sweep)

static uint32_t overlaps(const carom_boxes *boxes, uint32_t i, uint32_t k) {
    uint32_t hit = (boxes->earlier[i] & boxes->earlier[k]) == 0;
    for (int a = 0; a < 3; a++) {
        hit &= boxes->lo[a][k] <= boxes->hi[a][i];
        hit &= boxes->lo[a][i] <= boxes->hi[a][k];
    }
    return hit;
}

uint32_t carom_sweep_twin(const carom_boxes *boxes, carom_sweep_cursor *cursor, uint32_t *slot_i, uint32_t *slot_k,
                          uint32_t capacity) {
    CAROM_ASSERT(carom_check_cursor(cursor, boxes) && carom_check_boxes(boxes));
    CAROM_ASSERT(capacity > CAROM_SIMD_PAD);
    const uint32_t last = cursor->stop;
    uint32_t hits = 0;
    uint32_t k = cursor->k;
    for (uint32_t i = cursor->i; i < last; i++, k = i + 1) {
        for (; k < boxes->end[i]; k++) {
            /* The vector form needs this much room, and both must stop alike. */
            if (hits + CAROM_SIMD_PAD > capacity) {
                *cursor = (carom_sweep_cursor){i, k, cursor->stop};
                return hits;
            }
            /* Written in any case, kept if the boxes overlap. */
            slot_i[hits] = boxes->slot[i];
            slot_k[hits] = boxes->slot[k];
            hits += overlaps(boxes, i, k);
        }
    }
    *cursor = (carom_sweep_cursor){last, last + 1, last};
    return hits;
}
