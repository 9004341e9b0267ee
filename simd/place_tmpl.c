/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The scatter of a sort: bodies as columns come in, in the caller's order; records go out, each at its slot. Slots lie
 * anywhere, so their cache lines are prefetched well ahead. That is cheaper than to collect records by bucket first and
 * to write each bucket line by line. */
#include "simd/check.h"
#include "simd/records.h"

#define carom_place CAROM_KERNEL(place)
#define carom_place_twin CAROM_TWIN(place)

#if CAROM_REAL_BITS == 64
/* Whole vectors of bodies, without prefetching. Returns the first body that is left. */
static uint64_t place_past_cache(const carom_place_in *in, carom_record *records) {
    const carom_bodies bodies = *in->bodies;
    const uint32_t *slot = in->slot;
    const uint64_t end = in->end;
    uint64_t n = in->begin;
    for (; n + CAROM_LANES <= end; n += CAROM_LANES) {
        place_lanes_past_cache(&bodies, n, slot, records);
    }
    carom_stream_fence();
    return n;
}
#endif

void carom_place(const carom_place_in *in, carom_record *records) {
    CAROM_ASSERT(carom_check_place(in));
    CAROM_ASSERT(in->begin == in->end || records != NULL);
    const carom_bodies *bodies = in->bodies;
    const uint32_t *slot = in->slot;
    const uint64_t known = in->known;
    const uint64_t end = in->end;
    uint64_t n = in->begin;
#if CAROM_REAL_BITS == 64
    n = in->past_cache ? place_past_cache(in, records) : n;
#endif
    for (; n + CAROM_LANES + CAROM_SLOTS_AHEAD <= known && n + CAROM_LANES <= end; n += CAROM_LANES) {
        fetch_slots(records, slot + n + CAROM_SLOTS_AHEAD);
        place_lanes(bodies, n, slot, records);
    }
    for (; n + CAROM_LANES <= end; n += CAROM_LANES) {
        place_lanes(bodies, n, slot, records);
    }
    carom_place_in rest = *in;
    rest.begin = n;
    carom_place_twin(&rest, records);
}
