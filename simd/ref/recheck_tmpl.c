/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include <string.h>

#include "simd/declare.h"
#include "simd/ref/approach.h"
#include "simd/ref/box.h"

static bool boxes_overlap(const CAROM_REAL(carom_record) * i, const CAROM_REAL(carom_record) * k,
                          const double centre[3]) {
    bool overlap = true;
    for (int a = 0; a < 3; a++) {
        interval x = swept_interval(i->prev[a], i->curr[a], i->radius, centre[a]);
        interval y = swept_interval(k->prev[a], k->curr[a], k->radius, centre[a]);
        overlap = overlap && x.lo <= y.hi && y.lo <= x.hi;
    }
    return overlap;
}

carom_recheck_counts CAROM_TWIN(recheck)(const CAROM_REAL(carom_record) * records, const double centre[3],
                                         uint32_t count, uint64_t more, const uint32_t *slot_i, const uint32_t *slot_k,
                                         uint32_t *out_i, uint32_t *out_k, uint8_t *overlapping, uint8_t *touching) {
    (void)more;
    carom_recheck_counts found = {0, 0};
    memset(overlapping, 0, (count + 7) / 8);
    memset(touching, 0, (count + 7) / 8);
    for (uint32_t n = 0; n < count; n++) {
        const CAROM_REAL(carom_record) *i = &records[slot_i[n]];
        const CAROM_REAL(carom_record) *k = &records[slot_k[n]];
        if (!boxes_overlap(i, k, centre)) {
            continue;
        }
        approach x = approach_of(i, k);
        found.overlapping++;
        overlapping[n / 8] |= (uint8_t)(1U << n % 8);
        if (approach_touches(&x, i, k)) {
            touching[n / 8] |= (uint8_t)(1U << n % 8);
            out_i[found.touching] = slot_i[n];
            out_k[found.touching] = slot_k[n];
            found.touching++;
        }
    }
    return found;
}
