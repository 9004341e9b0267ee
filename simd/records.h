/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What `place` and `follow` share: CAROM_LANES consecutive bodies come in as columns, and go out as records at slots
 * that lie anywhere. */
#ifndef CAROM_SIMD_RECORDS_H
#define CAROM_SIMD_RECORDS_H

#include "simd/check.h"
#include "simd/declare.h"
#include "simd/strided.h"

/* The cache lines of slots are prefetched this many bodies ahead. */
enum { CAROM_SLOTS_AHEAD = 128 };

/* The records of bodies n .. n + CAROM_LANES - 1. Doubles are copied one by one, so their vectors are not used: any s
 * says that the bodies are not packed. */
static inline void make_records(const carom_bodies *bodies, uint64_t n, const strided *s,
                                carom_record rows[CAROM_LANES]) {
#if CAROM_REAL_BITS == 32
    vi numbers = vi_add(vi_set1((int32_t)(uint32_t)n), vi_load(carom_lane_numbers));
    const vf field[8] = {prev_of(bodies, n, 0, s), prev_of(bodies, n, 1, s), prev_of(bodies, n, 2, s),
                         radius_of(bodies, n, s),  curr_of(bodies, n, 0, s), curr_of(bodies, n, 1, s),
                         curr_of(bodies, n, 2, s), vf_from_bits(numbers)};
    vf_store_rows((float *)(void *)rows, field);
#else
    if (s != NULL) {
        for (uint64_t l = 0; l < CAROM_LANES; l++) {
            rows[l] = carom_layout_body(bodies, n + l);
        }
        return;
    }
    for (uint64_t l = 0; l < CAROM_LANES; l++) {
        rows[l] = (carom_record){.prev = {bodies->prev[0][n + l], bodies->prev[1][n + l], bodies->prev[2][n + l]},
                                 .radius = bodies->radius[n + l],
                                 .curr = {bodies->curr[0][n + l], bodies->curr[1][n + l], bodies->curr[2][n + l]},
                                 .body = n + l};
    }
#endif
}

/* Stores these records, each at its slot. */
static inline __attribute__((always_inline)) void place_lanes(const carom_bodies *bodies, uint64_t n, const strided *s,
                                                              const uint32_t *slot, carom_record *records) {
    carom_record rows[CAROM_LANES];
    make_records(bodies, n, s, rows);
    for (uint32_t l = 0; l < CAROM_LANES; l++) {
        records[slot[n + l]] = rows[l];
    }
}

/* Prefetches, for writing, the records at CAROM_LANES slots. */
static inline __attribute__((always_inline)) void fetch_slots(const carom_record *records, const uint32_t *slot) {
    for (uint32_t l = 0; l < CAROM_LANES; l++) {
        __builtin_prefetch(&records[slot[l]], 1);
    }
}

#if CAROM_REAL_BITS == 64
/* place_lanes by streaming stores, which write whole lines and do not read them first. carom_stream_fence must follow
 * before other threads read. */
static inline __attribute__((always_inline)) void place_lanes_past_cache(const carom_bodies *bodies, uint64_t n,
                                                                         const strided *s, const uint32_t *slot,
                                                                         carom_record *records) {
    _Static_assert(sizeof(carom_record) == 64, "a record is a cache line");
    CAROM_ASSERT_ALIGNED(records, 64);
    _Alignas(64) carom_record rows[CAROM_LANES];
    make_records(bodies, n, s, rows);
    for (uint32_t l = 0; l < CAROM_LANES; l++) {
        carom_stream_line(&records[slot[n + l]], &rows[l]);
    }
}
#endif

#endif
