/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/periodic/load.h"

#include "kernel/check/assert.h"
#include "kernel/sys/memory.h"
#include "simd/layout.h"

#define carom_load_bodies CAROM_REAL(carom_load_bodies)
#define carom_load_body CAROM_REAL(carom_load_body)

enum { AHEAD = 4 * CAROM_IMAGE_BATCH, LINE_VALUES = CAROM_CACHE_LINE / sizeof(carom_real) };

/* One field of a block, while another block's, some way on, comes from memory: the blocks of seven arrays are too short
 * for the processor to see that they go on. */
static void load_field(const carom_real *restrict from, uint32_t count, double *restrict to) {
    for (uint32_t n = 0; n < count; n += LINE_VALUES) {
        __builtin_prefetch(from + AHEAD + n);
    }
    for (uint32_t n = 0; n < count; n++) {
        to[n] = (double)from[n];
    }
}

static void load_body(const carom_bodies *from, uint64_t body, double value[CAROM_BODY_FIELDS]) {
    const carom_record record = carom_layout_body(from, body);
    for (int a = 0; a < 3; a++) {
        value[a] = (double)record.prev[a];
        value[a + 3] = (double)record.curr[a];
    }
    value[6] = (double)record.radius;
}

/* Bodies in any layout. A stride that the processor sees go on needs no prefetching. */
static void load_bodies(const carom_bodies *from, uint64_t begin, carom_image_batch *batch) {
    for (uint32_t n = 0; n < batch->count; n++) {
        double value[CAROM_BODY_FIELDS];
        load_body(from, begin + n, value);
        for (int f = 0; f < CAROM_BODY_FIELDS; f++) {
            batch->field[f][n] = value[f];
        }
    }
}

void carom_load_bodies(const void *bodies, uint64_t begin, carom_image_batch *batch) {
    const carom_bodies *from = bodies;
    CAROM_ASSERT(begin + batch->count <= from->count && batch->count <= CAROM_IMAGE_BATCH);
    if (!carom_layout_is_packed(from)) {
        load_bodies(from, begin, batch);
        return;
    }
    for (int a = 0; a < 3; a++) {
        load_field(from->prev[a] + begin, batch->count, batch->field[a]);
        load_field(from->curr[a] + begin, batch->count, batch->field[a + 3]);
    }
    load_field(from->radius + begin, batch->count, batch->field[6]);
}

void carom_load_body(const void *bodies, uint64_t body, double value[CAROM_BODY_FIELDS]) {
    const carom_bodies *from = bodies;
    CAROM_ASSERT(body < from->count);
    load_body(from, body, value);
}

#define carom_load_home CAROM_REAL(carom_load_home)

bool carom_load_home(const void *bodies, const carom_simd *simd, uint64_t begin, uint64_t end, const carom_home *home,
                     double *const field[CAROM_BODY_FIELDS]) {
    return carom_kernels_of(simd)->home(bodies, begin, end, home, field);
}
