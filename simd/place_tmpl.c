/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Moves bodies to slots that are known. These lie anywhere: their cache lines are asked for well ahead, which is
 * cheaper than to gather records by bucket first and write them line by line. */
#include "simd/declare.h"
#include "simd/real.h"

enum { AHEAD = 128 };

typedef CAROM_REAL(carom_record) record;
typedef CAROM_REAL(carom_bodies) bodies_view;

/* Records of CAROM_LANES consecutive bodies, turned from columns to rows. */
static inline void make_records(const bodies_view *bodies, uint64_t n, record rows[CAROM_LANES]) {
#if CAROM_REAL_BITS == 32
    vi numbers = vi_add(vi_set1((int32_t)(uint32_t)n), vi_load(carom_lane_numbers));
    const vf field[8] = {vf_load(bodies->prev[0] + n), vf_load(bodies->prev[1] + n), vf_load(bodies->prev[2] + n),
                         vf_load(bodies->radius + n),  vf_load(bodies->curr[0] + n), vf_load(bodies->curr[1] + n),
                         vf_load(bodies->curr[2] + n), vf_from_bits(numbers)};
    vf_store_rows((float *)(void *)rows, field);
#else
    for (uint64_t l = 0; l < CAROM_LANES; l++) {
        rows[l] = (record){.prev = {bodies->prev[0][n + l], bodies->prev[1][n + l], bodies->prev[2][n + l]},
                           .radius = bodies->radius[n + l],
                           .curr = {bodies->curr[0][n + l], bodies->curr[1][n + l], bodies->curr[2][n + l]},
                           .body = n + l};
    }
#endif
}

static inline void place_lanes(const bodies_view *bodies, uint64_t n, const uint32_t *slot, record *records) {
    record rows[CAROM_LANES];
    make_records(bodies, n, rows);
    for (uint32_t l = 0; l < CAROM_LANES; l++) {
        records[slot[n + l]] = rows[l];
    }
}

#if CAROM_REAL_BITS == 64
static uint64_t place_past_cache(const bodies_view *bodies, uint64_t begin, uint64_t end, const uint32_t *slot,
                                 record *records) {
    _Static_assert(sizeof(record) == 64, "a record is a cache line");
    uint64_t n = begin;
    for (; n + CAROM_LANES <= end; n += CAROM_LANES) {
        _Alignas(64) record rows[CAROM_LANES];
        make_records(bodies, n, rows);
        for (uint32_t l = 0; l < CAROM_LANES; l++) {
            carom_stream_line(&records[slot[n + l]], &rows[l]);
        }
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
    for (; n + CAROM_LANES + AHEAD <= known && n + CAROM_LANES <= end; n += CAROM_LANES) {
        for (uint32_t l = 0; l < CAROM_LANES; l++) {
            __builtin_prefetch(&records[slot[n + AHEAD + l]], 1);
        }
        place_lanes(bodies, n, slot, records);
    }
    for (; n + CAROM_LANES <= end; n += CAROM_LANES) {
        place_lanes(bodies, n, slot, records);
    }
    CAROM_TWIN(place)(bodies, n, end, known, slot, past_cache, records);
}
