/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/detect/shaped/shape_source.h"

#include "kernel/check/assert.h"
#include "kernel/narrow/columns_tmpl.h"
#include "kernel/narrow/gather_tmpl.h"

#define carom_shape_source_of CAROM_REAL(carom_shape_source_of)

static bool are_moving(const carom_bodies *bodies) {
    bool same = bodies->curr_stride == bodies->prev_stride;
    for (int a = 0; a < 3; a++) {
        same = same && bodies->curr[a] == bodies->prev[a];
    }
    return !same || bodies->curr_turn[0] != NULL || bodies->spin[0] != NULL;
}

static void gather(const carom_shape_source *source, uint64_t n, carom_body_numbers *numbers) {
    CAROM_ASSERT(n < source->count);
    carom_gather_body(source->bodies, n, source->moving, numbers);
}

static void load_bodies(const void *bodies, uint64_t first, uint32_t count, carom_columns_bodies *columns) {
    carom_columns_load_bodies(bodies, first, count, columns);
}

static void load_motion(const void *bodies, uint64_t first, uint32_t count, carom_block_motion *motion) {
    carom_columns_load_motion(bodies, first, count, motion);
}

static void load_pairs(const void *bodies, const uint32_t *i, const uint32_t *k, uint32_t count, carom_many *many) {
    carom_columns_load(bodies, i, k, count, many);
}

const carom_shape_source *carom_shape_source_of(const carom_bodies *bodies, carom_shape_source *source) {
    if (bodies->shapes == NULL) {
        return NULL;
    }
    *source = (carom_shape_source){.bodies = bodies,
                                   .count = bodies->count,
                                   .shapes = bodies->shapes,
                                   .moving = are_moving(bodies),
                                   .gather = gather,
                                   .load_bodies = load_bodies,
                                   .load_motion = load_motion,
                                   .load_pairs = load_pairs};
    return source;
}
