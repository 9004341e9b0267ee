/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Whole vectors are copied, and CAROM_GATHER_PAD bodies of each run before it is looked whether there are more: most
 * runs are not longer. What lies after a run is overwritten by the next one. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/vec.h"

#define carom_cell_gather CAROM_KERNEL_OF(cell_gather)

/* Copies 32-bit values. */
static inline __attribute__((always_inline)) void copy_words(const void *from, uint32_t count, void *to) {
    const uint32_t *source = from;
    uint32_t *copy = to;
    for (uint32_t n = 0; n < CAROM_GATHER_PAD; n += CAROM_LANES) {
        vi_store(copy + n, vi_load(source + n));
    }
    for (uint32_t n = CAROM_GATHER_PAD; n < count; n += CAROM_LANES) {
        vi_store(copy + n, vi_load(source + n));
    }
}

/* Where places come from and go to, from the body at hand on. */
typedef struct places {
    const uint32_t *step[3];
    float *at[4];
} places;

static inline __attribute__((always_inline)) void place_lanes(const places *p, const vi centre[3], uint32_t n) {
    vf place[3];
    for (int a = 0; a < 3; a++) {
        place[a] = vf_from_int(vi_sub(vi_load(p->step[a] + n), centre[a]));
        vf_store(p->at[a] + n, place[a]);
    }
    vf_store(p->at[3] + n,
             vf_add(vf_add(vf_mul(place[0], place[0]), vf_mul(place[1], place[1])), vf_mul(place[2], place[2])));
}

static inline __attribute__((always_inline)) void place_run(const places *p, const vi centre[3], uint32_t count) {
    for (uint32_t n = 0; n < CAROM_GATHER_PAD; n += CAROM_LANES) {
        place_lanes(p, centre, n);
    }
    for (uint32_t n = CAROM_GATHER_PAD; n < count; n += CAROM_LANES) {
        place_lanes(p, centre, n);
    }
}

static void place_all(const carom_gather_in *in, float *const at[4]) {
    vi centre[3] = {vi_set1((int32_t)in->centre[0]), vi_set1((int32_t)in->centre[1]), vi_set1((int32_t)in->centre[2])};
    places to = {.at = {at[0], at[1], at[2], at[3]}};
    for (uint32_t r = 0; r < in->runs; r++) {
        const uint32_t count = in->end[r] - in->begin[r];
        for (int a = 0; a < 3; a++) {
            to.step[a] = in->step[a] + in->begin[r];
            if (in->moved) {
                centre[a] = vi_set1((int32_t)(in->centre[a] - in->move[r].step[a]));
            }
        }
        place_run(&to, centre, count);
        for (int a = 0; a < 4; a++) {
            to.at[a] += count;
        }
    }
}

/* Whole vectors from n on, of the values that follow the last candidate. */
static void fill_up(float *values, float value) {
    for (uint32_t n = 0; n < CAROM_SIMD_PAD; n += CAROM_LANES) {
        vf_store(values + n, vf_set1(value));
    }
}

static void end_candidates(const carom_gather_in *in, float *const at[4], float *const value[CAROM_GATHER_VALUES],
                           uint32_t count) {
    for (int a = 0; a < 4 && in->step[0] != NULL; a++) {
        fill_up(at[a] + count, a < 3 ? 0.0F : CAROM_HITS_FAR);
    }
    for (int a = 0; a < CAROM_GATHER_VALUES; a++) {
        if (in->value[a] != NULL) {
            fill_up(value[a] + count, 0.0F);
        }
    }
}

static void copy_all(const carom_gather_in *in, const void *from, void *to) {
    uint32_t *copy = to;
    for (uint32_t r = 0; r < in->runs; r++) {
        const uint32_t length = in->end[r] - in->begin[r];
        copy_words((const uint32_t *)from + in->begin[r], length, copy);
        copy += length;
    }
}

static void copy_moved_keys(const carom_gather_in *in, uint32_t *key) {
    for (uint32_t r = 0; r < in->runs; r++) {
        const vi by = vi_set1((int32_t)in->move[r].key);
        const uint32_t length = in->end[r] - in->begin[r];
        for (uint32_t n = 0; n < length; n += CAROM_LANES) {
            vi_store(key + n, vi_add(vi_load(in->key + in->begin[r] + n), by));
        }
        key += length;
    }
}

uint32_t carom_cell_gather(const carom_gather_in *in, float *const at[4], float *const value[CAROM_GATHER_VALUES],
                           uint32_t *key) {
    uint32_t count = 0;
    for (uint32_t r = 0; r < in->runs; r++) {
        count += in->end[r] - in->begin[r];
    }
    if (in->step[0] != NULL) {
        place_all(in, at);
    }
    for (int a = 0; a < CAROM_GATHER_VALUES; a++) {
        if (in->value[a] != NULL) {
            copy_all(in, in->value[a], value[a]);
        }
    }
    if (in->key != NULL && in->moved) {
        copy_moved_keys(in, key);
    } else if (in->key != NULL) {
        copy_all(in, in->key, key);
    }
    end_candidates(in, at, value, count);
    return count;
}
