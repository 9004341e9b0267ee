/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Moves bodies to slots known from before. Each is a cache line of its own, so lines are asked for well ahead. */
#include "simd/declare.h"
#include "simd/real.h"

enum { AHEAD = 96 };

typedef CAROM_REAL(carom_record) record;

/* Records of CAROM_LANES consecutive bodies, turned from columns to rows. */
static inline void make_records(const CAROM_REAL(carom_bodies) * bodies, uint64_t n, record rows[CAROM_LANES]) {
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

void CAROM_KERNEL(place)(const CAROM_REAL(carom_bodies) * bodies, uint64_t begin, uint64_t end, const uint32_t *slot,
                         record *records) {
    uint64_t n = begin;
    for (; n + CAROM_LANES + AHEAD <= end; n += CAROM_LANES) {
        record rows[CAROM_LANES];
        for (uint32_t l = 0; l < CAROM_LANES; l++) {
            __builtin_prefetch(&records[slot[n + AHEAD + l]], 1);
        }
        make_records(bodies, n, rows);
        for (uint32_t l = 0; l < CAROM_LANES; l++) {
            records[slot[n + l]] = rows[l];
        }
    }
    CAROM_TWIN(place)(bodies, n, end, slot, records);
}
