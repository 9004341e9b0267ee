/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Whole vectors are copied: what lies after a run is overwritten by the next one. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/vec.h"

#define carom_cell_gather CAROM_KERNEL_OF(cell_gather)

static void copy_radii(const float *from, uint32_t count, float *to) {
    for (uint32_t n = 0; n < count; n += CAROM_LANES) {
        vf_store(to + n, vf_load(from + n));
    }
}

static inline void copy_bodies(const uint32_t *from, uint32_t count, uint32_t *to) {
    for (uint32_t n = 0; n < count; n += CAROM_LANES) {
        vi_store(to + n, vi_load(from + n));
    }
}

/* One run, to place `to` of the arrays. */
static inline void copy_run(const carom_gather_in *in, const vi centre[3], uint32_t begin, uint32_t count,
                            float *const at[3], uint32_t *body, uint32_t to) {
    for (uint32_t n = 0; n < count; n += CAROM_LANES) {
        vi_store(body + to + n, vi_load(in->body + begin + n));
        for (int a = 0; a < 3; a++) {
            vf_store(at[a] + to + n, vf_from_int(vi_sub(vi_load(in->step[a] + begin + n), centre[a])));
        }
    }
}

uint32_t carom_cell_gather(const carom_gather_in *in, float *const at[3], float *radius, uint32_t *body) {
    const vi centre[3] = {vi_set1((int32_t)in->centre[0]), vi_set1((int32_t)in->centre[1]),
                          vi_set1((int32_t)in->centre[2])};
    uint32_t count = 0;
    for (int r = 0; r < CAROM_GATHER_RUNS; r++) {
        const uint32_t length = in->end[r] - in->begin[r];
        if (in->step[0] != NULL) {
            copy_run(in, centre, in->begin[r], length, at, body, count);
        } else {
            copy_bodies(in->body + in->begin[r], length, body + count);
        }
        if (in->radius != NULL) {
            copy_radii(in->radius + in->begin[r], length, radius + count);
        }
        count += length;
    }
    return count;
}
