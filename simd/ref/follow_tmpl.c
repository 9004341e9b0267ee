/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include <stdbool.h>

#include "simd/declare.h"
#include "simd/ref/box.h"

static bool is_kept(const CAROM_REAL(carom_bodies) * bodies, uint64_t n, const carom_hull_set *hulls) {
    carom_real radius = bodies->radius[n];
    bool kept = radius - radius == 0 && !(radius < 0);
    for (int a = 0; a < 3; a++) {
        carom_real prev = bodies->prev[a][n];
        carom_real curr = bodies->curr[a][n];
        interval box = swept_interval(prev, curr, radius, hulls->centre[a]);
        kept = kept && prev - prev == 0 && curr - curr == 0;
        kept = kept && hulls->lo[a][n] <= box.lo && box.hi <= hulls->hi[a][n];
    }
    return kept;
}

uint32_t CAROM_TWIN(follow)(const CAROM_REAL(carom_bodies) * bodies, uint64_t begin, uint64_t end,
                            const carom_hull_set *hulls, const uint32_t *slot, bool past_cache,
                            CAROM_REAL(carom_record) * records, uint32_t *out) {
    uint32_t found = 0;
    CAROM_TWIN(place)(bodies, begin, end, end, slot, past_cache, records);
    for (uint64_t n = begin; n < end; n++) {
        if (!is_kept(bodies, n, hulls)) {
            out[found++] = (uint32_t)n;
        }
    }
    return found;
}
