/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The scatter of a sort: bodies as columns come in, in the caller's order; records go out, each at its slot. Slots lie
 * anywhere, so their cache lines are prefetched well ahead. That is cheaper than to collect records by bucket first and
 * to write each bucket line by line. */
#include "simd/check.h"
#include "simd/records.h"

#define carom_place CAROM_KERNEL(place)
#define carom_place_twin CAROM_TWIN(place)

/* The bodies as place_lanes takes them: doubles are not loaded. */
static inline __attribute__((always_inline)) const strided *load_fields(const strided_bodies *all, uint64_t n,
                                                                        bool packed, strided *own) {
    if (packed) {
        return NULL;
    }
#if CAROM_REAL_BITS == 32
    return load_strided(all, n, own);
#else
    (void)all;
    (void)n;
    return own;
#endif
}

#if CAROM_REAL_BITS == 64
/* Whole vectors of bodies up to `end`, without prefetching. Returns the first body that is left. */
static inline __attribute__((always_inline)) uint64_t place_past_cache(const carom_place_in *in, uint64_t end,
                                                                       carom_record *records, bool packed) {
    const carom_bodies bodies = *in->bodies;
    const uint32_t *slot = in->slot;
    uint64_t n = in->begin;
    for (; n + CAROM_LANES <= end; n += CAROM_LANES) {
        strided own;
        place_lanes_past_cache(&bodies, n, load_fields(NULL, n, packed, &own), slot, records);
    }
    carom_stream_fence();
    return n;
}
static __attribute__((noinline)) uint64_t place_packed_past_cache(const carom_place_in *in, carom_record *records) {
    return place_past_cache(in, in->end, records, true);
}
static __attribute__((noinline)) uint64_t place_strided_past_cache(const carom_place_in *in, carom_record *records) {
    return place_past_cache(in, strided_end(in->bodies, in->end), records, false);
}
#endif

/* Whole vectors of bodies up to `end`. Returns the first body that is left. */
static inline __attribute__((always_inline)) uint64_t place_whole(const carom_place_in *in, uint64_t end,
                                                                  carom_record *records, bool packed) {
    const carom_bodies *bodies = in->bodies;
    const uint32_t *slot = in->slot;
    const uint64_t known = in->known;
    const strided_bodies all = packed ? (strided_bodies){.rest = false} : strided_of(bodies);
    uint64_t n = in->begin;
    strided own;
#if CAROM_REAL_BITS == 64
    if (in->past_cache) {
        n = packed ? place_packed_past_cache(in, records) : place_strided_past_cache(in, records);
    }
#endif
    for (; n + CAROM_LANES + CAROM_SLOTS_AHEAD <= known && n + CAROM_LANES <= end; n += CAROM_LANES) {
        fetch_slots(records, slot + n + CAROM_SLOTS_AHEAD);
        place_lanes(bodies, n, load_fields(&all, n, packed, &own), slot, records);
    }
    for (; n + CAROM_LANES <= end; n += CAROM_LANES) {
        place_lanes(bodies, n, load_fields(&all, n, packed, &own), slot, records);
    }
    return n;
}

static __attribute__((noinline)) uint64_t place_strided(const carom_place_in *in, carom_record *records) {
    return place_whole(in, strided_end(in->bodies, in->end), records, false);
}

void carom_place(const carom_place_in *in, carom_record *records) {
    CAROM_ASSERT(carom_check_place(in));
    CAROM_ASSERT(in->begin == in->end || records != NULL);
    carom_place_in rest = *in;
    rest.begin =
        carom_layout_is_packed(in->bodies) ? place_whole(in, in->end, records, true) : place_strided(in, records);
    carom_place_twin(&rest, records);
}
