/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Each run is copied in whole vectors, at least half of CAROM_GATHER_PAD slots or all of it, so that short runs take the
 * same branch. What lies after a run is overwritten by the next one. */
#include <math.h>

#include "simd/check.h"
#include "simd/declare.h"
#include "simd/vec.h"

#define carom_gather_boxes CAROM_KERNEL_OF(gather_boxes)

enum { SIDES = 6, COLUMNS = 8 };

/* Slots in a run, on the average, up to which most runs fit into half of CAROM_GATHER_PAD. */
enum { FEW = 12 };

/* Slots after a run that are asked for, since the next cell reads them: more streams than processors foresee. */
enum { AHEAD = 16 };

static const uint32_t numbers[CAROM_SIMD_PAD] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/* Sides, then lengths. */
static inline void list_columns(const carom_box_columns *columns, float *column[COLUMNS]) {
    for (int a = 0; a < 3; a++) {
        column[a] = columns->lo[a];
        column[3 + a] = columns->hi[a];
    }
    column[6] = columns->inner;
    column[7] = columns->outer;
}

/* Columns of slots, and where they go. */
typedef struct copies {
    float *from[COLUMNS];
    float *to[COLUMNS];
    uint32_t *slot;
    uint32_t least; /* so many slots of a run are copied at least */
} copies;

/* Copies slots [begin, begin + count) to places from `at` on. */
static inline __attribute__((always_inline)) void copy_run(const copies *c, uint32_t begin, uint32_t count,
                                                           uint32_t columns, uint32_t at) {
    const uint32_t padded = count > c->least ? count : c->least;
    vi own = vi_add(vi_set1((int32_t)begin), vi_load(numbers));
    for (uint32_t n = 0; n < padded; n += CAROM_LANES) {
        for (uint32_t k = 0; k < columns; k++) {
            vf_store(c->to[k] + at + n, vf_load(c->from[k] + begin + n));
        }
        vi_store(c->slot + at + n, own);
        own = vi_add(own, vi_set1(CAROM_LANES));
    }
    for (uint32_t k = 0; k < columns; k++) {
        __builtin_prefetch(c->from[k] + begin + count + AHEAD);
    }
}

static inline uint32_t count_of(const carom_box_runs *runs) {
    uint32_t count = 0;
    for (uint32_t r = 0; r < runs->runs; r++) {
        count += runs->end[r] - runs->begin[r];
    }
    return count;
}

static inline __attribute__((always_inline)) uint32_t copy_runs(const carom_box_runs *runs, uint32_t columns,
                                                                const carom_box_columns *to, uint32_t *slot) {
    const bool many = count_of(runs) > runs->runs * FEW;
    copies c = {.slot = slot, .least = many ? CAROM_GATHER_PAD : CAROM_GATHER_PAD / 2};
    uint32_t count = 0;
    list_columns(&runs->of, c.from);
    list_columns(to, c.to);
    for (uint32_t r = 0; r < runs->runs; r++) {
        const uint32_t length = runs->end[r] - runs->begin[r];
        copy_run(&c, runs->begin[r], length, columns, count);
        count += length;
    }
    for (uint32_t n = 0; n < CAROM_SIMD_PAD; n += CAROM_LANES) {
        for (uint32_t k = 0; k < SIDES; k++) {
            vf_store(c.to[k] + count + n, vf_set1(NAN));
        }
    }
    return count;
}

uint32_t carom_gather_boxes(const carom_box_runs *runs, bool lengths, const carom_box_columns *to, uint32_t *slot) {
    CAROM_ASSERT(runs->runs <= CAROM_BOX_RUNS);
    return lengths ? copy_runs(runs, COLUMNS, to, slot) : copy_runs(runs, SIDES, to, slot);
}
