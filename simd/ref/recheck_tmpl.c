/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include <string.h>

#include "simd/declare.h"
#include "simd/ref/approach.h"

static bool boxes_overlap(const carom_slot_box *i, const carom_slot_box *k) {
    bool overlap = true;
    for (int a = 0; a < 3; a++) {
        overlap = overlap && i->lo[a] <= k->hi[a] && k->lo[a] <= i->hi[a];
    }
    return overlap;
}

uint32_t CAROM_TWIN(recheck)(const CAROM_REAL(carom_record) * records, const carom_slot_box *boxes, uint32_t count,
                             const uint32_t *slot_i, const uint32_t *slot_k, uint32_t *out_i, uint32_t *out_k,
                             uint8_t *touching, uint32_t *box_pairs) {
    uint32_t kept = 0;
    uint32_t overlapping = 0;
    memset(touching, 0, (count + 7) / 8);
    for (uint32_t n = 0; n < count; n++) {
        if (!boxes_overlap(&boxes[slot_i[n]], &boxes[slot_k[n]])) {
            continue;
        }
        approach x = approach_of(&records[slot_i[n]], &records[slot_k[n]]);
        overlapping++;
        if (approach_touches(&x)) {
            touching[n / 8] |= (uint8_t)(1U << n % 8);
            out_i[kept] = slot_i[n];
            out_k[kept] = slot_k[n];
            kept++;
        }
    }
    *box_pairs += overlapping;
    return kept;
}
