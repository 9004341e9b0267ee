/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The scatter of a sort: bodies as columns come in, in the caller's order; records go out, each at its slot. Slots lie
 * anywhere, so their cache lines are prefetched well ahead. That is cheaper than to collect records by bucket first and
 * to write each bucket line by line. */
#include "simd/check.h"
#include "simd/records.h"

#define carom_place CAROM_KERNEL(place)
#define carom_place_twin CAROM_TWIN(place)

#if CAROM_REAL_BITS == 32
/* In triples the halves of a record lie side by side, but for the radius and the number. */
static inline __attribute__((always_inline)) void place_points(const strided_bodies *all, uint64_t n,
                                                               const uint32_t *slot, carom_record *records) {
    const carom_bodies *from = &all->from;
    for (uint64_t l = n; l < n + CAROM_LANES; l++) {
        float *to = (float *)(void *)&records[slot[l]];
        const uint32_t number = (uint32_t)l;
        float bits;
        memcpy(&bits, &number, sizeof bits);
        vf_store_four(to, from->prev[0] + 3 * l, carom_layout_radius(from, l));
        vf_store_four(to + 4, from->curr[0] + 3 * l, bits);
    }
}

static inline __attribute__((always_inline)) void place_some(const strided_bodies *all, const carom_bodies *bodies,
                                                             uint64_t n, bodies_form form, const uint32_t *slot,
                                                             carom_record *records) {
    strided own;
    if (form == BODIES_TRIPLES) {
        place_points(all, n, slot, records);
    } else {
        place_lanes(bodies, n, load_strided(all, n, form, &own), slot, records);
    }
}
#else
/* Doubles are not loaded. */
static const strided *unloaded(bodies_form form) {
    static const strided none;
    return form == BODIES_PACKED ? NULL : &none;
}

static inline __attribute__((always_inline)) void place_some(const strided_bodies *all, const carom_bodies *bodies,
                                                             uint64_t n, bodies_form form, const uint32_t *slot,
                                                             carom_record *records) {
    (void)all;
    place_lanes(bodies, n, unloaded(form), slot, records);
}

/* Whole vectors of bodies up to `end`, without prefetching. Returns the first body that is left. */
static inline __attribute__((always_inline)) uint64_t place_past_cache(const carom_place_in *in, uint64_t end,
                                                                       carom_record *records, bodies_form form) {
    const carom_bodies bodies = *in->bodies;
    const uint32_t *slot = in->slot;
    uint64_t n = in->begin;
    for (; n + CAROM_LANES <= end; n += CAROM_LANES) {
        place_lanes_past_cache(&bodies, n, unloaded(form), slot, records);
    }
    carom_stream_fence();
    return n;
}
static __attribute__((noinline)) uint64_t place_packed_past_cache(const carom_place_in *in, carom_record *records) {
    return place_past_cache(in, in->end, records, BODIES_PACKED);
}
static __attribute__((noinline)) uint64_t place_strided_past_cache(const carom_place_in *in, carom_record *records) {
    return place_past_cache(in, strided_end(in->bodies, in->end), records, BODIES_ANY);
}
#endif

/* Whole vectors of bodies up to `end`. Returns the first body that is left. */
static inline __attribute__((always_inline)) uint64_t place_whole(const carom_place_in *in, uint64_t end,
                                                                  carom_record *records, bodies_form form) {
    const carom_bodies *bodies = in->bodies;
    const uint32_t *slot = in->slot;
    const uint64_t known = in->known;
    const strided_bodies all = strided_of(bodies, form);
    uint64_t n = in->begin;
#if CAROM_REAL_BITS == 64
    if (in->past_cache) {
        n = form == BODIES_PACKED ? place_packed_past_cache(in, records) : place_strided_past_cache(in, records);
    }
#endif
    for (; n + CAROM_LANES + CAROM_SLOTS_AHEAD <= known && n + CAROM_LANES <= end; n += CAROM_LANES) {
        fetch_slots(records, slot + n + CAROM_SLOTS_AHEAD);
        place_some(&all, bodies, n, form, slot, records);
    }
    for (; n + CAROM_LANES <= end; n += CAROM_LANES) {
        place_some(&all, bodies, n, form, slot, records);
    }
    return n;
}

static __attribute__((noinline)) uint64_t place_triples(const carom_place_in *in, carom_record *records) {
    return place_whole(in, strided_end(in->bodies, in->end), records, BODIES_TRIPLES);
}
static __attribute__((noinline)) uint64_t place_any(const carom_place_in *in, carom_record *records) {
    return place_whole(in, strided_end(in->bodies, in->end), records, BODIES_ANY);
}

void carom_place(const carom_place_in *in, carom_record *records) {
    CAROM_ASSERT(carom_check_place(in));
    CAROM_ASSERT(in->begin == in->end || records != NULL);
    const bodies_form form = bodies_form_of(in->bodies);
    carom_place_in rest = *in;
    rest.begin = form == BODIES_PACKED    ? place_whole(in, in->end, records, BODIES_PACKED)
                 : form == BODIES_TRIPLES ? place_triples(in, records)
                                          : place_any(in, records);
    carom_place_twin(&rest, records);
}
