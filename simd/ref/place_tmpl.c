/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "simd/declare.h"

void CAROM_TWIN(place)(const CAROM_REAL(carom_bodies) * bodies, uint64_t begin, uint64_t end, uint64_t known,
                       const uint32_t *slot, bool past_cache, CAROM_REAL(carom_record) * records) {
    (void)known;
    (void)past_cache;
    for (uint64_t n = begin; n < end; n++) {
        CAROM_REAL(carom_record) *record = &records[slot[n]];
        for (int a = 0; a < 3; a++) {
            record->prev[a] = bodies->prev[a][n];
            record->curr[a] = bodies->curr[a][n];
        }
        record->radius = bodies->radius[n];
        record->body = (uint32_t)n;
    }
}
