/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Moves bodies to slots that are known. These lie anywhere: their cache lines are asked for well ahead, which is
 * cheaper than to gather records by bucket first and write them line by line. */
#include "simd/records.h"

#if CAROM_REAL_BITS == 64
static uint64_t place_past_cache(const bodies_view *bodies, uint64_t begin, uint64_t end, const uint32_t *slot,
                                 record *records) {
    uint64_t n = begin;
    for (; n + CAROM_LANES <= end; n += CAROM_LANES) {
        place_lanes_past_cache(bodies, n, slot, records);
    }
    carom_stream_fence();
    return n;
}
#endif

void CAROM_KERNEL(place)(const bodies_view *bodies, uint64_t begin, uint64_t end, uint64_t known, const uint32_t *slot,
                         bool past_cache, record *records) {
    uint64_t n = begin;
#if CAROM_REAL_BITS == 64
    n = past_cache ? place_past_cache(bodies, begin, end, slot, records) : begin;
#endif
    for (; n + CAROM_LANES + CAROM_SLOTS_AHEAD <= known && n + CAROM_LANES <= end; n += CAROM_LANES) {
        fetch_slots(records, slot + n + CAROM_SLOTS_AHEAD);
        place_lanes(bodies, n, slot, records);
    }
    for (; n + CAROM_LANES <= end; n += CAROM_LANES) {
        place_lanes(bodies, n, slot, records);
    }
    CAROM_TWIN(place)(bodies, n, end, known, slot, past_cache, records);
}
